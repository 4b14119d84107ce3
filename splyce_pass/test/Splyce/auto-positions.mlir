// Ranges of the other segments are sampled only where the array that they are
// found by is known to hold as many positions as the level has.
// RUN: splyce-opt %s --splyce="lane=auto remarks=false" | FileCheck %s

#CSR = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed)}>

// CHECK-LABEL: func.func private @own_level_lanes(
// CHECK:       scf.for {{.*}} -> (f64, f64, index, index) {
// CHECK:       memref.alloc(%
func.func @own_level(%pos: memref<?xindex>, %crd: memref<?xindex>, %a: memref<?xf64>, %sa: !sparse_tensor.storage_specifier<#CSR>, %qos: memref<?xindex>, %jrd: memref<?xindex>, %b: memref<?xf64>, %sb: !sparse_tensor.storage_specifier<#CSR>, %out: memref<?xf64>, %row: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %na = sparse_tensor.storage_specifier.get %sa crd_mem_sz at 1 : !sparse_tensor.storage_specifier<#CSR>
  %nb = sparse_tensor.storage_specifier.get %sb crd_mem_sz at 1 : !sparse_tensor.storage_specifier<#CSR>
  %ia = memref.subview %crd[0] [%na] [1] : memref<?xindex> to memref<?xindex>
  %jb = memref.subview %jrd[0] [%nb] [1] : memref<?xindex> to memref<?xindex>
  %nq = sparse_tensor.storage_specifier.get %sb pos_mem_sz at 1 : !sparse_tensor.storage_specifier<#CSR>
  %qs = memref.subview %qos[0] [%nq] [1] : memref<?xindex> to memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %i1 = arith.addi %i, %c1 : index
    %row1 = arith.addi %row, %c1 : index
    %p0 = memref.load %pos[%row] : memref<?xindex>
    %pEnd = memref.load %pos[%row1] : memref<?xindex>
    %q0 = memref.load %qs[%i] : memref<?xindex>
    %qEnd = memref.load %qs[%i1] : memref<?xindex>
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

// Of the other operand.
// CHECK-LABEL: func.func private @other_level_lanes(
// CHECK-NOT:   scf.for
// CHECK:       memref.alloc(%
func.func @other_level(%pos: memref<?xindex>, %crd: memref<?xindex>, %a: memref<?xf64>, %sa: !sparse_tensor.storage_specifier<#CSR>, %qos: memref<?xindex>, %jrd: memref<?xindex>, %b: memref<?xf64>, %sb: !sparse_tensor.storage_specifier<#CSR>, %out: memref<?xf64>, %row: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %na = sparse_tensor.storage_specifier.get %sa crd_mem_sz at 1 : !sparse_tensor.storage_specifier<#CSR>
  %nb = sparse_tensor.storage_specifier.get %sb crd_mem_sz at 1 : !sparse_tensor.storage_specifier<#CSR>
  %ia = memref.subview %crd[0] [%na] [1] : memref<?xindex> to memref<?xindex>
  %jb = memref.subview %jrd[0] [%nb] [1] : memref<?xindex> to memref<?xindex>
  %nq = sparse_tensor.storage_specifier.get %sa pos_mem_sz at 1 : !sparse_tensor.storage_specifier<#CSR>
  %qs = memref.subview %qos[0] [%nq] [1] : memref<?xindex> to memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %i1 = arith.addi %i, %c1 : index
    %row1 = arith.addi %row, %c1 : index
    %p0 = memref.load %pos[%row] : memref<?xindex>
    %pEnd = memref.load %pos[%row1] : memref<?xindex>
    %q0 = memref.load %qs[%i] : memref<?xindex>
    %qEnd = memref.load %qs[%i1] : memref<?xindex>
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

// As many as there are coordinates.
// CHECK-LABEL: func.func private @other_size_lanes(
// CHECK-NOT:   scf.for
// CHECK:       memref.alloc(%
func.func @other_size(%pos: memref<?xindex>, %crd: memref<?xindex>, %a: memref<?xf64>, %sa: !sparse_tensor.storage_specifier<#CSR>, %qos: memref<?xindex>, %jrd: memref<?xindex>, %b: memref<?xf64>, %sb: !sparse_tensor.storage_specifier<#CSR>, %out: memref<?xf64>, %row: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %na = sparse_tensor.storage_specifier.get %sa crd_mem_sz at 1 : !sparse_tensor.storage_specifier<#CSR>
  %nb = sparse_tensor.storage_specifier.get %sb crd_mem_sz at 1 : !sparse_tensor.storage_specifier<#CSR>
  %ia = memref.subview %crd[0] [%na] [1] : memref<?xindex> to memref<?xindex>
  %jb = memref.subview %jrd[0] [%nb] [1] : memref<?xindex> to memref<?xindex>
  %nq = sparse_tensor.storage_specifier.get %sb crd_mem_sz at 1 : !sparse_tensor.storage_specifier<#CSR>
  %qs = memref.subview %qos[0] [%nq] [1] : memref<?xindex> to memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %i1 = arith.addi %i, %c1 : index
    %row1 = arith.addi %row, %c1 : index
    %p0 = memref.load %pos[%row] : memref<?xindex>
    %pEnd = memref.load %pos[%row1] : memref<?xindex>
    %q0 = memref.load %qs[%i] : memref<?xindex>
    %qEnd = memref.load %qs[%i1] : memref<?xindex>
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

// The whole array.
// CHECK-LABEL: func.func private @not_cut_lanes(
// CHECK-NOT:   scf.for
// CHECK:       memref.alloc(%
func.func @not_cut(%pos: memref<?xindex>, %crd: memref<?xindex>, %a: memref<?xf64>, %sa: !sparse_tensor.storage_specifier<#CSR>, %qos: memref<?xindex>, %jrd: memref<?xindex>, %b: memref<?xf64>, %sb: !sparse_tensor.storage_specifier<#CSR>, %out: memref<?xf64>, %row: index, %n: index) {
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
