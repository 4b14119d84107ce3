// A vector is compared with each rotation of the other, whole or masked.
// RUN: splyce-opt %s --splyce="lane=masked intersect=rotate" 2>/dev/null | FileCheck %s
// RUN: splyce-opt %s --splyce="lane=masked intersect=rotate vector-width=8" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: remark: vectorized two-finger loop: lane masked, width 8, rotate, fp-order tree{{$}}

// CHECK-LABEL: func.func @dot
// CHECK:       scf.while
// CHECK:       vector.shuffle %[[B:.*]], %[[B]] [0, 1, 2, 3]
// CHECK:       vector.shuffle %[[B]], %[[B]] [1, 2, 3, 0]
// CHECK:       vector.shuffle %[[B]], %[[B]] [2, 3, 0, 1]
// CHECK:       vector.shuffle %[[B]], %[[B]] [3, 0, 1, 2]
// CHECK-COUNT-4: arith.cmpi eq, %{{.*}} : vector<4xi64>
// The partners are elements of the same rotations.
// CHECK:       %[[Y:.*]] = vector.load %arg3
// CHECK:       %[[Y0:.*]] = vector.shuffle %[[Y]], %[[Y]] [0, 1, 2, 3]
// CHECK:       %[[Y1:.*]] = vector.shuffle %[[Y]], %[[Y]] [1, 2, 3, 0]
// CHECK:       arith.select %{{.*}}, %[[Y1]], %[[Y0]]
// CHECK:       scf.while
// CHECK:       vector.maskedload %arg1
// CHECK:       vector.shuffle %{{.*}} [1, 2, 3, 0]
// CHECK-COUNT-4: arith.cmpi eq, %{{.*}} : vector<4xi64>
// CHECK:       %[[Z:.*]] = vector.maskedload %arg3
// CHECK:       vector.shuffle %[[Z]], %[[Z]] [1, 2, 3, 0]
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

// A body that looks at the cursor of a partner finds its lane in the rotation.
// CHECK-LABEL: func.func @position
// CHECK:       arith.constant dense<[1, 2, 3, 0]> : vector<4xindex>
func.func @position(%ia: memref<?xi64>, %jb: memref<?xi64>, %a: memref<?xf64>, %b: memref<?xf64>, %pEnd: index, %qEnd: index, %s0: f64) -> f64 {
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
      %k = arith.index_cast %q : index to i64
      %z = arith.uitofp %k : i64 to f64
      %xy = arith.mulf %x, %y : f64
      %m = arith.mulf %xy, %z : f64
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
