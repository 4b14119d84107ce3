// RUN: splyce-opt %s --splyce="explain=true" --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @side_effect
// CHECK-COUNT-1: scf.while
// CHECK-NOT:   scf.while
func.func @side_effect(%ia: memref<?xi64>, %jb: memref<?xi64>, %a: memref<?xf64>, %b: memref<?xf64>, %pEnd: index, %qEnd: index, %s0: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @+1 {{not a two-way intersection: 'func.call' has a side effect}}
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
      func.call @print(%s) : (f64) -> ()
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

func.func private @print(f64)

// CHECK-LABEL: func.func @stores_elsewhere
// CHECK-COUNT-1: scf.while
// CHECK-NOT:   scf.while
func.func @stores_elsewhere(%ia: memref<?xi64>, %jb: memref<?xi64>, %a: memref<?xf64>, %b: memref<?xf64>, %pEnd: index, %qEnd: index, %s0: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @+1 {{not a two-way intersection: stores elsewhere than at the matched coordinate}}
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
      memref.store %s, %a[%p] : memref<?xf64>
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

// CHECK-LABEL: func.func @stores_twice
// CHECK-COUNT-1: scf.while
// CHECK-NOT:   scf.while
func.func @stores_twice(%ia: memref<?xi64>, %jb: memref<?xi64>, %a: memref<?xf64>, %b: memref<?xf64>, %pEnd: index, %qEnd: index, %s0: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @+1 {{not a two-way intersection: more than one store on equal coordinates}}
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
      memref.store %s, %a[%min] : memref<?xf64>
      memref.store %s, %b[%min] : memref<?xf64>
      %t = arith.addf %s, %s : f64
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

// CHECK-LABEL: func.func @stores_to_operand
// CHECK-COUNT-1: scf.while
// CHECK-NOT:   scf.while
func.func @stores_to_operand(%ia: memref<?xi64>, %jb: memref<?xi64>, %a: memref<?xf64>, %b: memref<?xf64>, %pEnd: index, %qEnd: index, %s0: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @+1 {{not a two-way intersection: loads from the buffer that it stores to}}
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
      memref.store %s, %a[%min] : memref<?xf64>
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

// CHECK-LABEL: func.func @inner_loop
// CHECK-COUNT-1: scf.while
// CHECK-NOT:   scf.while
func.func @inner_loop(%ia: memref<?xi64>, %jb: memref<?xi64>, %a: memref<?xf64>, %b: memref<?xf64>, %pEnd: index, %qEnd: index, %s0: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @+1 {{not a two-way intersection: 'scf.for' in the body has a region}}
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
      %t = scf.for %k = %c0 to %c1 step %c1 iter_args(%u = %s) -> (f64) {
        scf.yield %u : f64
      }
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

// CHECK-LABEL: func.func @max
// CHECK-COUNT-1: scf.while
// CHECK-NOT:   scf.while
func.func @max(%ia: memref<?xi64>, %jb: memref<?xi64>, %a: memref<?xf64>, %b: memref<?xf64>, %pEnd: index, %qEnd: index, %s0: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @+1 {{not a two-way intersection: a cursor does not advance as in an intersection}}
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
    %lt = arith.cmpi ugt, %j1, %i1 : index
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

// CHECK-LABEL: func.func @mixed_signs
// CHECK-COUNT-1: scf.while
// CHECK-NOT:   scf.while
func.func @mixed_signs(%ia: memref<?xi64>, %jb: memref<?xi64>, %a: memref<?xf64>, %b: memref<?xf64>, %pEnd: index, %qEnd: index, %s0: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @+1 {{not a two-way intersection: coordinates are compared in more than one way}}
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
    %lt0 = arith.cmpi ult, %j1, %i1 : index
    %lt1 = arith.cmpi slt, %j1, %i1 : index
    %lt = arith.andi %lt0, %lt1 : i1
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

// CHECK-LABEL: func.func @works_on_difference
// CHECK-COUNT-1: scf.while
// CHECK-NOT:   scf.while
func.func @works_on_difference(%ia: memref<?xi64>, %jb: memref<?xi64>, %a: memref<?xf64>, %b: memref<?xf64>, %pEnd: index, %qEnd: index, %s0: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @+1 {{not a two-way intersection: the branch also works where coordinates differ}}
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
      %w = memref.load %a[%p] : memref<?xf64>
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

// CHECK-LABEL: func.func @bound_changes
// CHECK-COUNT-1: scf.while
// CHECK-NOT:   scf.while
func.func @bound_changes(%ia: memref<?xi64>, %jb: memref<?xi64>, %a: memref<?xf64>, %b: memref<?xf64>, %pEnd: index, %qEnd: index, %s0: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @+1 {{not a two-way intersection: a segment end changes in the loop}}
  %r:3 = scf.while (%p = %c0, %q = %c0, %s = %s0) : (index, index, f64) -> (index, index, f64) {
    %end = arith.addi %q, %pEnd : index
    %0 = arith.cmpi ult, %p, %end : index
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

// CHECK-LABEL: func.func @counts_steps
// CHECK-COUNT-1: scf.while
// CHECK-NOT:   scf.while
func.func @counts_steps(%ia: memref<?xi64>, %jb: memref<?xi64>, %a: memref<?xf64>, %b: memref<?xf64>, %pEnd: index, %qEnd: index, %s0: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @+1 {{not a two-way intersection: a loop-carried value changes where coordinates differ}}
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
    %w = arith.addf %n, %s : f64
    scf.yield %pn, %qn, %w : index, index, f64
  }
  return %r#2 : f64
}

