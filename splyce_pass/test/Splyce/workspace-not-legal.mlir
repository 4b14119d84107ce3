// Where a workspace is not legal the loop is left alone, with the reason.
// RUN: splyce-opt %s --splyce="lane=workspace explain=true" 2>/dev/null | FileCheck %s
// RUN: splyce-opt %s --splyce="lane=workspace explain=true" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#CSR = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed)}>

func.func private @unknown()

// No loop is outside.
// CHECK-LABEL: func.func @dot
// CHECK-NOT:   memref.alloc
// CHECK:       scf.while
// REMARK: remark: no place for the lane: no loop is directly outside
func.func @dot(%ia: memref<?xi64>, %jb: memref<?xi64>, %a: memref<?xf64>, %b: memref<?xf64>, %pEnd: index, %qEnd: index, %s0: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.while (%p = %c0, %q = %c0, %s = %s0) : (index, index, f64) -> (index, index, f64) {
    %0 = arith.cmpi ult, %p, %pEnd : index
    %1 = arith.cmpi ult, %q, %qEnd : index
    %2 = arith.andi %0, %1 : i1
    scf.condition(%2) %p, %q, %s : index, index, f64
  } do {
  ^bb0(%p: index, %q: index, %s: f64):
    %i0 = memref.load %ia[%p] : memref<?xi64>
    %i1 = arith.index_cast %i0 : i64 to index
    %j0 = memref.load %jb[%q] : memref<?xi64>
    %j1 = arith.index_cast %j0 : i64 to index
    %lt = arith.cmpi ult, %j1, %i1 : index
    %min = arith.select %lt, %j1, %i1 : index
    %ea = arith.cmpi eq, %i1, %min : index
    %eb = arith.cmpi eq, %j1, %min : index
    %e = arith.andi %ea, %eb : i1
    %n = scf.if %e -> (f64) {
      %x = memref.load %a[%p] : memref<?xf64>
      %y = memref.load %b[%q] : memref<?xf64>
      %m = arith.mulf %x, %y : f64
      %t = arith.addf %s, %m : f64
      scf.yield %t : f64
    } else {
      scf.yield %s : f64
    }
    %p1 = arith.addi %p, %c1 : index
    %pn = arith.select %ea, %p1, %p : index
    %q1 = arith.addi %q, %c1 : index
    %qn = arith.select %eb, %q1, %q : index
    scf.yield %pn, %qn, %n : index, index, f64
  }
  return %r#2 : f64
}

// The one that is legal: the same row in every iteration.
// CHECK-LABEL: func.func @legal
// CHECK:       memref.alloc(%
// CHECK:       memref.dealloc
// REMARK: remark: vectorized two-finger loop: lane workspace, fp-order tree (kept in source order)
func.func @legal(%pos: memref<?xindex>, %crd: memref<?xindex>, %a: memref<?xf64>, %sa: !sparse_tensor.storage_specifier<#CSR>, %qos: memref<?xindex>, %jrd: memref<?xindex>, %b: memref<?xf64>, %sb: !sparse_tensor.storage_specifier<#CSR>, %out: memref<?xf64>, %row: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %na = sparse_tensor.storage_specifier.get %sa crd_mem_sz at 1 : !sparse_tensor.storage_specifier<#CSR>
  %nb = sparse_tensor.storage_specifier.get %sb crd_mem_sz at 1 : !sparse_tensor.storage_specifier<#CSR>
  %ia = memref.subview %crd[0] [%na] [1] : memref<?xindex> to memref<?xindex>
  %jb = memref.subview %jrd[0] [%nb] [1] : memref<?xindex> to memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %i1 = arith.addi %i, %c1 : index
    %row1 = arith.addi %row, %c1 : index
    %p0 = memref.load %pos[%row] : memref<?xindex>
    %pEnd = memref.load %pos[%row1] : memref<?xindex>
    %q0 = memref.load %qos[%i] : memref<?xindex>
    %qEnd = memref.load %qos[%i1] : memref<?xindex>
    %s0 = memref.load %out[%i] : memref<?xf64>
    %r:3 = scf.while (%p = %p0, %q = %q0, %s = %s0) : (index, index, f64) -> (index, index, f64) {
      %0 = arith.cmpi ult, %p, %pEnd : index
      %1 = arith.cmpi ult, %q, %qEnd : index
      %2 = arith.andi %0, %1 : i1
      scf.condition(%2) %p, %q, %s : index, index, f64
    } do {
    ^bb0(%p: index, %q: index, %s: f64):
      %x0 = memref.load %ia[%p] : memref<?xindex>
      %x1 = memref.load %jb[%q] : memref<?xindex>
      %lt = arith.cmpi ult, %x1, %x0 : index
      %min = arith.select %lt, %x1, %x0 : index
      %ea = arith.cmpi eq, %x0, %min : index
      %eb = arith.cmpi eq, %x1, %min : index
      %e = arith.andi %ea, %eb : i1
      %m = scf.if %e -> (f64) {
        %x = memref.load %a[%p] : memref<?xf64>
        %y = memref.load %b[%q] : memref<?xf64>
        %xy = arith.mulf %x, %y : f64
        %t = arith.addf %s, %xy : f64
        scf.yield %t : f64
      } else {
        scf.yield %s : f64
      }
      %p1 = arith.addi %p, %c1 : index
      %pn = arith.select %ea, %p1, %p : index
      %q1 = arith.addi %q, %c1 : index
      %qn = arith.select %eb, %q1, %q : index
      scf.yield %pn, %qn, %m : index, index, f64
    }
    memref.store %r#2, %out[%i] : memref<?xf64>
  }
  return
}

// Both segments are those of the row.
// CHECK-LABEL: func.func @both_change
// CHECK-NOT:   memref.alloc
// CHECK:       scf.while
// REMARK: remark: no place for the lane: segment 0 changes in the loop outside, segment 1 changes in the loop outside
func.func @both_change(%pos: memref<?xindex>, %crd: memref<?xindex>, %a: memref<?xf64>, %sa: !sparse_tensor.storage_specifier<#CSR>, %qos: memref<?xindex>, %jrd: memref<?xindex>, %b: memref<?xf64>, %sb: !sparse_tensor.storage_specifier<#CSR>, %out: memref<?xf64>, %row: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %na = sparse_tensor.storage_specifier.get %sa crd_mem_sz at 1 : !sparse_tensor.storage_specifier<#CSR>
  %nb = sparse_tensor.storage_specifier.get %sb crd_mem_sz at 1 : !sparse_tensor.storage_specifier<#CSR>
  %ia = memref.subview %crd[0] [%na] [1] : memref<?xindex> to memref<?xindex>
  %jb = memref.subview %jrd[0] [%nb] [1] : memref<?xindex> to memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %i1 = arith.addi %i, %c1 : index
    %row1 = arith.addi %row, %c1 : index
    %p0 = memref.load %pos[%i] : memref<?xindex>
    %pEnd = memref.load %pos[%i1] : memref<?xindex>
    %q0 = memref.load %qos[%i] : memref<?xindex>
    %qEnd = memref.load %qos[%i1] : memref<?xindex>
    %s0 = memref.load %out[%i] : memref<?xf64>
    %r:3 = scf.while (%p = %p0, %q = %q0, %s = %s0) : (index, index, f64) -> (index, index, f64) {
      %0 = arith.cmpi ult, %p, %pEnd : index
      %1 = arith.cmpi ult, %q, %qEnd : index
      %2 = arith.andi %0, %1 : i1
      scf.condition(%2) %p, %q, %s : index, index, f64
    } do {
    ^bb0(%p: index, %q: index, %s: f64):
      %x0 = memref.load %ia[%p] : memref<?xindex>
      %x1 = memref.load %jb[%q] : memref<?xindex>
      %lt = arith.cmpi ult, %x1, %x0 : index
      %min = arith.select %lt, %x1, %x0 : index
      %ea = arith.cmpi eq, %x0, %min : index
      %eb = arith.cmpi eq, %x1, %min : index
      %e = arith.andi %ea, %eb : i1
      %m = scf.if %e -> (f64) {
        %x = memref.load %a[%p] : memref<?xf64>
        %y = memref.load %b[%q] : memref<?xf64>
        %xy = arith.mulf %x, %y : f64
        %t = arith.addf %s, %xy : f64
        scf.yield %t : f64
      } else {
        scf.yield %s : f64
      }
      %p1 = arith.addi %p, %c1 : index
      %pn = arith.select %ea, %p1, %p : index
      %q1 = arith.addi %q, %c1 : index
      %qn = arith.select %eb, %q1, %q : index
      scf.yield %pn, %qn, %m : index, index, f64
    }
    memref.store %r#2, %out[%i] : memref<?xf64>
  }
  return
}

// The positions may be others in the next iteration.
// CHECK-LABEL: func.func @positions_stored
// CHECK-NOT:   memref.alloc
// CHECK:       scf.while
// REMARK: remark: no place for the lane: segment 0 is in a buffer that the loop outside stores to, segment 1 changes in the loop outside
func.func @positions_stored(%pos: memref<?xindex>, %crd: memref<?xindex>, %a: memref<?xf64>, %sa: !sparse_tensor.storage_specifier<#CSR>, %qos: memref<?xindex>, %jrd: memref<?xindex>, %b: memref<?xf64>, %sb: !sparse_tensor.storage_specifier<#CSR>, %out: memref<?xf64>, %row: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %na = sparse_tensor.storage_specifier.get %sa crd_mem_sz at 1 : !sparse_tensor.storage_specifier<#CSR>
  %nb = sparse_tensor.storage_specifier.get %sb crd_mem_sz at 1 : !sparse_tensor.storage_specifier<#CSR>
  %ia = memref.subview %crd[0] [%na] [1] : memref<?xindex> to memref<?xindex>
  %jb = memref.subview %jrd[0] [%nb] [1] : memref<?xindex> to memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %i1 = arith.addi %i, %c1 : index
    %row1 = arith.addi %row, %c1 : index
    %p0 = memref.load %pos[%row] : memref<?xindex>
    %pEnd = memref.load %pos[%row1] : memref<?xindex>
    %q0 = memref.load %qos[%i] : memref<?xindex>
    %qEnd = memref.load %qos[%i1] : memref<?xindex>
    %s0 = memref.load %out[%i] : memref<?xf64>
    %r:3 = scf.while (%p = %p0, %q = %q0, %s = %s0) : (index, index, f64) -> (index, index, f64) {
      %0 = arith.cmpi ult, %p, %pEnd : index
      %1 = arith.cmpi ult, %q, %qEnd : index
      %2 = arith.andi %0, %1 : i1
      scf.condition(%2) %p, %q, %s : index, index, f64
    } do {
    ^bb0(%p: index, %q: index, %s: f64):
      %x0 = memref.load %ia[%p] : memref<?xindex>
      %x1 = memref.load %jb[%q] : memref<?xindex>
      %lt = arith.cmpi ult, %x1, %x0 : index
      %min = arith.select %lt, %x1, %x0 : index
      %ea = arith.cmpi eq, %x0, %min : index
      %eb = arith.cmpi eq, %x1, %min : index
      %e = arith.andi %ea, %eb : i1
      %m = scf.if %e -> (f64) {
        %x = memref.load %a[%p] : memref<?xf64>
        %y = memref.load %b[%q] : memref<?xf64>
        %xy = arith.mulf %x, %y : f64
        %t = arith.addf %s, %xy : f64
        scf.yield %t : f64
      } else {
        scf.yield %s : f64
      }
      %p1 = arith.addi %p, %c1 : index
      %pn = arith.select %ea, %p1, %p : index
      %q1 = arith.addi %q, %c1 : index
      %qn = arith.select %eb, %q1, %q : index
      scf.yield %pn, %qn, %m : index, index, f64
    }
    memref.store %p0, %pos[%i] : memref<?xindex>
  }
  return
}

// So may the values.
// CHECK-LABEL: func.func @values_stored
// CHECK-NOT:   memref.alloc
// CHECK:       scf.while
// REMARK: remark: no place for the lane: segment 0 is in a buffer that the loop outside stores to, segment 1 changes in the loop outside
func.func @values_stored(%pos: memref<?xindex>, %crd: memref<?xindex>, %a: memref<?xf64>, %sa: !sparse_tensor.storage_specifier<#CSR>, %qos: memref<?xindex>, %jrd: memref<?xindex>, %b: memref<?xf64>, %sb: !sparse_tensor.storage_specifier<#CSR>, %out: memref<?xf64>, %row: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %na = sparse_tensor.storage_specifier.get %sa crd_mem_sz at 1 : !sparse_tensor.storage_specifier<#CSR>
  %nb = sparse_tensor.storage_specifier.get %sb crd_mem_sz at 1 : !sparse_tensor.storage_specifier<#CSR>
  %ia = memref.subview %crd[0] [%na] [1] : memref<?xindex> to memref<?xindex>
  %jb = memref.subview %jrd[0] [%nb] [1] : memref<?xindex> to memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %i1 = arith.addi %i, %c1 : index
    %row1 = arith.addi %row, %c1 : index
    %p0 = memref.load %pos[%row] : memref<?xindex>
    %pEnd = memref.load %pos[%row1] : memref<?xindex>
    %q0 = memref.load %qos[%i] : memref<?xindex>
    %qEnd = memref.load %qos[%i1] : memref<?xindex>
    %s0 = memref.load %out[%i] : memref<?xf64>
    %r:3 = scf.while (%p = %p0, %q = %q0, %s = %s0) : (index, index, f64) -> (index, index, f64) {
      %0 = arith.cmpi ult, %p, %pEnd : index
      %1 = arith.cmpi ult, %q, %qEnd : index
      %2 = arith.andi %0, %1 : i1
      scf.condition(%2) %p, %q, %s : index, index, f64
    } do {
    ^bb0(%p: index, %q: index, %s: f64):
      %x0 = memref.load %ia[%p] : memref<?xindex>
      %x1 = memref.load %jb[%q] : memref<?xindex>
      %lt = arith.cmpi ult, %x1, %x0 : index
      %min = arith.select %lt, %x1, %x0 : index
      %ea = arith.cmpi eq, %x0, %min : index
      %eb = arith.cmpi eq, %x1, %min : index
      %e = arith.andi %ea, %eb : i1
      %m = scf.if %e -> (f64) {
        %x = memref.load %a[%p] : memref<?xf64>
        %y = memref.load %b[%q] : memref<?xf64>
        %xy = arith.mulf %x, %y : f64
        %t = arith.addf %s, %xy : f64
        scf.yield %t : f64
      } else {
        scf.yield %s : f64
      }
      %p1 = arith.addi %p, %c1 : index
      %pn = arith.select %ea, %p1, %p : index
      %q1 = arith.addi %q, %c1 : index
      %qn = arith.select %eb, %q1, %q : index
      scf.yield %pn, %qn, %m : index, index, f64
    }
    memref.store %r#2, %a[%i] : memref<?xf64>
  }
  return
}

// A call may do anything.
// CHECK-LABEL: func.func @effect
// CHECK-NOT:   memref.alloc
// CHECK:       scf.while
// REMARK: remark: no place for the lane: 'func.call' in the loop outside has a side effect
func.func @effect(%pos: memref<?xindex>, %crd: memref<?xindex>, %a: memref<?xf64>, %sa: !sparse_tensor.storage_specifier<#CSR>, %qos: memref<?xindex>, %jrd: memref<?xindex>, %b: memref<?xf64>, %sb: !sparse_tensor.storage_specifier<#CSR>, %out: memref<?xf64>, %row: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %na = sparse_tensor.storage_specifier.get %sa crd_mem_sz at 1 : !sparse_tensor.storage_specifier<#CSR>
  %nb = sparse_tensor.storage_specifier.get %sb crd_mem_sz at 1 : !sparse_tensor.storage_specifier<#CSR>
  %ia = memref.subview %crd[0] [%na] [1] : memref<?xindex> to memref<?xindex>
  %jb = memref.subview %jrd[0] [%nb] [1] : memref<?xindex> to memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %i1 = arith.addi %i, %c1 : index
    %row1 = arith.addi %row, %c1 : index
    %p0 = memref.load %pos[%row] : memref<?xindex>
    %pEnd = memref.load %pos[%row1] : memref<?xindex>
    %q0 = memref.load %qos[%i] : memref<?xindex>
    %qEnd = memref.load %qos[%i1] : memref<?xindex>
    %s0 = memref.load %out[%i] : memref<?xf64>
    %r:3 = scf.while (%p = %p0, %q = %q0, %s = %s0) : (index, index, f64) -> (index, index, f64) {
      %0 = arith.cmpi ult, %p, %pEnd : index
      %1 = arith.cmpi ult, %q, %qEnd : index
      %2 = arith.andi %0, %1 : i1
      scf.condition(%2) %p, %q, %s : index, index, f64
    } do {
    ^bb0(%p: index, %q: index, %s: f64):
      %x0 = memref.load %ia[%p] : memref<?xindex>
      %x1 = memref.load %jb[%q] : memref<?xindex>
      %lt = arith.cmpi ult, %x1, %x0 : index
      %min = arith.select %lt, %x1, %x0 : index
      %ea = arith.cmpi eq, %x0, %min : index
      %eb = arith.cmpi eq, %x1, %min : index
      %e = arith.andi %ea, %eb : i1
      %m = scf.if %e -> (f64) {
        %x = memref.load %a[%p] : memref<?xf64>
        %y = memref.load %b[%q] : memref<?xf64>
        %xy = arith.mulf %x, %y : f64
        %t = arith.addf %s, %xy : f64
        scf.yield %t : f64
      } else {
        scf.yield %s : f64
      }
      %p1 = arith.addi %p, %c1 : index
      %pn = arith.select %ea, %p1, %p : index
      %q1 = arith.addi %q, %c1 : index
      %qn = arith.select %eb, %q1, %q : index
      scf.yield %pn, %qn, %m : index, index, f64
    }
    func.call @unknown() : () -> ()
  }
  return
}

// The size of the array is not that of the coordinates of a level.
// CHECK-LABEL: func.func @other_array
// CHECK-NOT:   memref.alloc
// CHECK:       scf.while
// REMARK: remark: no place for the lane: the level that holds the coordinates is not known
func.func @other_array(%pos: memref<?xindex>, %crd: memref<?xindex>, %a: memref<?xf64>, %sa: !sparse_tensor.storage_specifier<#CSR>, %qos: memref<?xindex>, %jrd: memref<?xindex>, %b: memref<?xf64>, %sb: !sparse_tensor.storage_specifier<#CSR>, %out: memref<?xf64>, %row: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %na = sparse_tensor.storage_specifier.get %sa  val_mem_sz : !sparse_tensor.storage_specifier<#CSR>
  %nb = sparse_tensor.storage_specifier.get %sb crd_mem_sz at 1 : !sparse_tensor.storage_specifier<#CSR>
  %ia = memref.subview %crd[0] [%na] [1] : memref<?xindex> to memref<?xindex>
  %jb = memref.subview %jrd[0] [%nb] [1] : memref<?xindex> to memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %i1 = arith.addi %i, %c1 : index
    %row1 = arith.addi %row, %c1 : index
    %p0 = memref.load %pos[%row] : memref<?xindex>
    %pEnd = memref.load %pos[%row1] : memref<?xindex>
    %q0 = memref.load %qos[%i] : memref<?xindex>
    %qEnd = memref.load %qos[%i1] : memref<?xindex>
    %s0 = memref.load %out[%i] : memref<?xf64>
    %r:3 = scf.while (%p = %p0, %q = %q0, %s = %s0) : (index, index, f64) -> (index, index, f64) {
      %0 = arith.cmpi ult, %p, %pEnd : index
      %1 = arith.cmpi ult, %q, %qEnd : index
      %2 = arith.andi %0, %1 : i1
      scf.condition(%2) %p, %q, %s : index, index, f64
    } do {
    ^bb0(%p: index, %q: index, %s: f64):
      %x0 = memref.load %ia[%p] : memref<?xindex>
      %x1 = memref.load %jb[%q] : memref<?xindex>
      %lt = arith.cmpi ult, %x1, %x0 : index
      %min = arith.select %lt, %x1, %x0 : index
      %ea = arith.cmpi eq, %x0, %min : index
      %eb = arith.cmpi eq, %x1, %min : index
      %e = arith.andi %ea, %eb : i1
      %m = scf.if %e -> (f64) {
        %x = memref.load %a[%p] : memref<?xf64>
        %y = memref.load %b[%q] : memref<?xf64>
        %xy = arith.mulf %x, %y : f64
        %t = arith.addf %s, %xy : f64
        scf.yield %t : f64
      } else {
        scf.yield %s : f64
      }
      %p1 = arith.addi %p, %c1 : index
      %pn = arith.select %ea, %p1, %p : index
      %q1 = arith.addi %q, %c1 : index
      %qn = arith.select %eb, %q1, %q : index
      scf.yield %pn, %qn, %m : index, index, f64
    }
    memref.store %r#2, %out[%i] : memref<?xf64>
  }
  return
}
