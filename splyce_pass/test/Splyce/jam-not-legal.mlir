// Where two iterations of the loop outside may depend on each other the masked
// lane is built for one at a time, with the reason.
// RUN: splyce-opt %s --splyce="lane=masked unroll-and-jam=2" 2>/dev/null | FileCheck %s
// RUN: splyce-opt %s --splyce="lane=masked unroll-and-jam=2" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: splyce-opt %s --splyce="lane=masked unroll-and-jam=2 fp-order=source target-function=legal" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SOURCE
// RUN: splyce-opt %s --splyce="lane=masked fp-order=source target-function=legal remarks=false" -o %t.alone
// RUN: splyce-opt %s --splyce="lane=masked unroll-and-jam=2 fp-order=source target-function=legal remarks=false" | diff %t.alone -

// Sums in source order wait in a buffer, as in the lane alone.
// SOURCE: lane masked (not jammed: its sum is not kept in a vector), width 4, fp-order source

// The one that is legal.
// CHECK-LABEL: func.func @legal
// CHECK:       :6 = scf.while
// REMARK: remark: vectorized two-finger loop: lane masked, unroll-and-jam 2, width 4, fp-order tree
func.func @legal(%ia: memref<?xindex>, %a: memref<?xf64>, %pEnd: index, %qos: memref<?xindex>, %jb: memref<?xindex>, %b: memref<?xf64>, %out: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %c1 {
    %s0 = memref.load %out[%i] : memref<?xf64>
    %i1 = arith.addi %i, %c1 : index
    %q0 = memref.load %qos[%i] : memref<?xindex>
    %qEnd = memref.load %qos[%i1] : memref<?xindex>
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

// So is a sum that all iterations share: they add to it in order.
// CHECK-LABEL: func.func @reduced
// CHECK:       :6 = scf.while
// REMARK: remark: vectorized two-finger loop: lane masked, unroll-and-jam 2, width 4, fp-order tree
func.func @reduced(%ia: memref<?xindex>, %a: memref<?xf64>, %pEnd: index, %qos: memref<?xindex>, %jb: memref<?xindex>, %b: memref<?xf64>, %out: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %c1 {
    %s0 = memref.load %out[%c0] : memref<?xf64>
    %i1 = arith.addi %i, %c1 : index
    %q0 = memref.load %qos[%i] : memref<?xindex>
    %qEnd = memref.load %qos[%i1] : memref<?xindex>
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
    memref.store %r#2, %out[%c0] : memref<?xf64>
  }
  return
}

// The sum of an iteration is not in memory.
// CHECK-LABEL: func.func @not_in_memory
// CHECK-NOT:   :6 = scf.while
// REMARK: remark: vectorized two-finger loop: lane masked (not jammed: no sum is loaded in front of it and stored behind it), width 4, fp-order tree
func.func @not_in_memory(%ia: memref<?xindex>, %a: memref<?xf64>, %pEnd: index, %qos: memref<?xindex>, %jb: memref<?xindex>, %b: memref<?xf64>, %out: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %c1 {
    %s0 = arith.constant 0.0 : f64
    %i1 = arith.addi %i, %c1 : index
    %q0 = memref.load %qos[%i] : memref<?xindex>
    %qEnd = memref.load %qos[%i1] : memref<?xindex>
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

// Nor is one that the loop outside carries.
// CHECK-LABEL: func.func @carried
// CHECK-NOT:   :6 = scf.while
// REMARK: remark: vectorized two-finger loop: lane masked (not jammed: the loop outside carries a value), width 4, fp-order tree
func.func @carried(%ia: memref<?xindex>, %a: memref<?xf64>, %pEnd: index, %qos: memref<?xindex>, %jb: memref<?xindex>, %b: memref<?xf64>, %out: memref<?xf64>, %n: index, %start: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p0 = arith.constant 0 : index
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s0 = %start) -> (f64) {
    %i1 = arith.addi %i, %c1 : index
    %q0 = memref.load %qos[%i] : memref<?xindex>
    %qEnd = memref.load %qos[%i1] : memref<?xindex>
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
    scf.yield %r#2 : f64
  }
  memref.store %sum, %out[%c0] : memref<?xf64>
  return
}

// The next iteration may read what this one stores.
// CHECK-LABEL: func.func @values_stored
// CHECK-NOT:   :6 = scf.while
// REMARK: remark: vectorized two-finger loop: lane masked (not jammed: the loop outside stores or reads where its iterations may depend on each other), width 4, fp-order tree
func.func @values_stored(%ia: memref<?xindex>, %a: memref<?xf64>, %pEnd: index, %qos: memref<?xindex>, %jb: memref<?xindex>, %b: memref<?xf64>, %out: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %c1 {
    %s0 = memref.load %b[%i] : memref<?xf64>
    %i1 = arith.addi %i, %c1 : index
    %q0 = memref.load %qos[%i] : memref<?xindex>
    %qEnd = memref.load %qos[%i1] : memref<?xindex>
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
    memref.store %r#2, %b[%i] : memref<?xf64>
  }
  return
}

// So it may where another store is.
// CHECK-LABEL: func.func @positions_stored
// CHECK-NOT:   :6 = scf.while
// REMARK: remark: vectorized two-finger loop: lane masked (not jammed: the loop outside stores or reads where its iterations may depend on each other), width 4, fp-order tree
func.func @positions_stored(%ia: memref<?xindex>, %a: memref<?xf64>, %pEnd: index, %qos: memref<?xindex>, %jb: memref<?xindex>, %b: memref<?xf64>, %out: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %c1 {
    %s0 = memref.load %out[%i] : memref<?xf64>
    %i1 = arith.addi %i, %c1 : index
    %q0 = memref.load %qos[%i] : memref<?xindex>
    %qEnd = memref.load %qos[%i1] : memref<?xindex>
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
    memref.store %q0, %qos[%c0] : memref<?xindex>
  }
  return
}

// So it may where a sum decides on the segment.
// CHECK-LABEL: func.func @sum_read
// CHECK-NOT:   :6 = scf.while
// REMARK: remark: vectorized two-finger loop: lane masked (not jammed: the loop outside stores or reads where its iterations may depend on each other), width 4, fp-order tree
func.func @sum_read(%ia: memref<?xindex>, %a: memref<?xf64>, %pEnd: index, %qos: memref<?xindex>, %jb: memref<?xindex>, %b: memref<?xf64>, %out: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %c1 {
    %f = memref.load %out[%c0] : memref<?xf64>
    %k = arith.fptoui %f : f64 to i64
    %qEnd = arith.index_cast %k : i64 to index
    %q0 = memref.load %qos[%i] : memref<?xindex>
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

// Threads take iterations in any number.
// CHECK-LABEL: func.func @in_parallel
// CHECK-NOT:   :6 = scf.while
// REMARK: remark: vectorized two-finger loop: lane masked (not jammed: the loop outside runs in parallel), width 4, fp-order tree
func.func @in_parallel(%ia: memref<?xindex>, %a: memref<?xf64>, %pEnd: index, %qos: memref<?xindex>, %jb: memref<?xindex>, %b: memref<?xf64>, %out: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p0 = arith.constant 0 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %s0 = memref.load %out[%i] : memref<?xf64>
    %i1 = arith.addi %i, %c1 : index
    %q0 = memref.load %qos[%i] : memref<?xindex>
    %qEnd = memref.load %qos[%i1] : memref<?xindex>
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

// More control flow is not looked at.
// CHECK-LABEL: func.func @branch
// CHECK-NOT:   :6 = scf.while
// REMARK: remark: vectorized two-finger loop: lane masked (not jammed: the loop outside has more control flow), width 4, fp-order tree
func.func @branch(%ia: memref<?xindex>, %a: memref<?xf64>, %pEnd: index, %qos: memref<?xindex>, %jb: memref<?xindex>, %b: memref<?xf64>, %out: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %c1 {
    %s0 = memref.load %out[%i] : memref<?xf64>
    %i1 = arith.addi %i, %c1 : index
    %q0 = memref.load %qos[%i] : memref<?xindex>
    %qEnd = memref.load %qos[%i1] : memref<?xindex>
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
    scf.for %k = %c0 to %q0 step %c1 {
    }
  }
  return
}

// There is no loop outside.
// CHECK-LABEL: func.func @no_loop
// CHECK-NOT:   :6 = scf.while
// REMARK: remark: vectorized two-finger loop: lane masked (not jammed: no loop is directly outside), width 4, fp-order tree
func.func @no_loop(%ia: memref<?xindex>, %a: memref<?xf64>, %pEnd: index, %qos: memref<?xindex>, %jb: memref<?xindex>, %b: memref<?xf64>, %out: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p0 = arith.constant 0 : index
  %s0 = memref.load %out[%c0] : memref<?xf64>
  %q0 = arith.constant 0 : index
  %qEnd = memref.load %qos[%c1] : memref<?xindex>
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
    memref.store %r#2, %out[%c0] : memref<?xf64>
  return
}

// A call may do anything.
// CHECK-LABEL: func.func @effect
// CHECK-NOT:   :6 = scf.while
// REMARK: remark: vectorized two-finger loop: lane masked (not jammed: 'func.call' in the loop outside has a side effect), width 4, fp-order tree
func.func @effect(%ia: memref<?xindex>, %a: memref<?xf64>, %pEnd: index, %qos: memref<?xindex>, %jb: memref<?xindex>, %b: memref<?xf64>, %out: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %c1 {
    %s0 = memref.load %out[%i] : memref<?xf64>
    %i1 = arith.addi %i, %c1 : index
    %q0 = memref.load %qos[%i] : memref<?xindex>
    %qEnd = memref.load %qos[%i1] : memref<?xindex>
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
    func.call @unknown() : () -> ()
  }
  return
}

func.func private @unknown()
