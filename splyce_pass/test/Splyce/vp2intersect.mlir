// One instruction finds the matches of two masked vectors, and they are put in
// front.
// RUN: splyce-opt %s --splyce="lane=masked intersect=vp2intersect explain=true" 2>/dev/null | FileCheck %s
// RUN: splyce-opt %s --splyce="lane=masked intersect=vp2intersect vector-width=8" 2>/dev/null | FileCheck %s --check-prefix=WIDE
// RUN: splyce-opt %s --splyce="lane=masked intersect=vp2intersect explain=true" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: splyce-opt %s --splyce="lane=masked intersect=vp2intersect vector-width=16 explain=true" -o /dev/null 2>&1 | FileCheck %s --check-prefix=TOOWIDE

// REMARK: remark: vectorized two-finger loop: lane masked, width 4, vp2intersect, fp-order tree{{$}}
// REMARK: remark: no place for the lane: the body has no form on vectors, which vp2intersect needs
// TOOWIDE: remark: no place for the lane: vp2intersect takes 512 bits, not 16 elements of 64
// Whole vectors are left to the permutation where there is one.
// WIDE: llvm.x86.avx512.permvar.di.512
// WIDE: llvm.x86.avx512.vp2intersect.q.512

// CHECK-LABEL: func.func @dot
// CHECK:       scf.while
// CHECK-COUNT-4: arith.cmpi eq
// CHECK:       scf.while
// CHECK-NOT:   arith.cmpi eq
// Behind the matches the product is that of -0.0 and one: none is counted.
// CHECK:       arith.constant dense<-0.000000e+00> : vector<4xf64>
// CHECK:       %[[MASKS:.*]] = memref.alloca_scope
// CHECK-NEXT:    llvm.call_intrinsic "llvm.x86.avx512.vp2intersect.q.256"
// CHECK:       %[[A:.*]] = llvm.extractvalue %[[MASKS]][0]
// CHECK:       %[[VALID:.*]] = arith.andi %[[A]], %{{.*}} : vector<4xi1>
// CHECK:       %[[B:.*]] = llvm.extractvalue %[[MASKS]][1]
// CHECK:       %[[OTHER:.*]] = arith.andi %[[B]], %{{.*}} : vector<4xi1>
// CHECK-NOT:   vector.create_mask
// CHECK:       llvm.call_intrinsic "llvm.experimental.vector.compress"(%{{.*}}, %[[VALID]], %{{.*}})
// CHECK:       arith.constant dense<1.000000e+00> : vector<4xf64>
// CHECK:       llvm.call_intrinsic "llvm.experimental.vector.compress"(%{{.*}}, %[[OTHER]], %{{.*}})
// CHECK-NOT:   arith.select
// CHECK:       arith.mulf
// CHECK-NEXT:  arith.addf
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

// CHECK-LABEL: func.func @shifted
// CHECK-NOT:   vp2intersect
func.func @shifted(%ia: memref<?xi64>, %jb: memref<?xi64>, %a: memref<?xf64>, %b: memref<?xf64>, %pEnd: index, %qEnd: index, %s0: f64) -> f64 {
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
      %k = arith.addi %min, %c1 : index
      %x = memref.load %a[%k] : memref<?xf64>
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
