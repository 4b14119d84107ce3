// Coordinates are compared, and intersected, in the width that they are stored in.
// RUN: splyce-opt %s --splyce="lane=masked vector-width=16" 2>/dev/null | FileCheck %s
// RUN: splyce-opt %s --splyce="lane=masked vector-width=16 intersect=rotate" 2>/dev/null | FileCheck %s
// RUN: splyce-opt %s --splyce="lane=masked vector-width=16 intersect=vp2intersect target-function=narrow" 2>/dev/null | FileCheck %s --check-prefix=VP2
// RUN: splyce-opt %s --splyce="lane=masked vector-width=8 intersect=vp2intersect" 2>/dev/null | FileCheck %s --check-prefix=WIDE

// CHECK-LABEL: func.func @narrow
// CHECK-COUNT-16: arith.cmpi eq, %{{.*}} : vector<16xi32>
// CHECK:       arith.mulf %{{.*}} : vector<16xf32>
// CHECK-COUNT-16: arith.cmpi {{eq|ne}}, %{{.*}} : vector<16xi32>
// VP2-LABEL:   func.func @narrow
// VP2:         llvm.call_intrinsic "llvm.x86.avx512.vp2intersect.d.512"(%{{.*}}, %{{.*}}) : (vector<16xi32>, vector<16xi32>)
// VP2:         llvm.call_intrinsic "llvm.experimental.vector.compress"{{.*}} -> vector<16xf32>
// WIDE-LABEL:  func.func @narrow
// WIDE:        "llvm.x86.avx512.vp2intersect.d.256"
func.func @narrow(%ia: memref<?xi32>, %jb: memref<?xi32>, %a: memref<?xf32>, %b: memref<?xf32>, %pEnd: index, %qEnd: index, %s0: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.while (%p = %c0, %q = %c0, %s = %s0) : (index, index, f32) -> (index, index, f32) {
    %0 = arith.cmpi ult, %p, %pEnd : index
    %1 = arith.cmpi ult, %q, %qEnd : index
    %2 = arith.andi %0, %1 : i1
    scf.condition(%2) %p, %q, %s : index, index, f32
  } do {
  ^bb0(%p: index, %q: index, %s: f32):
    %i0 = memref.load %ia[%p] : memref<?xi32>
    %i1 = arith.index_castui %i0 : i32 to index
    %j0 = memref.load %jb[%q] : memref<?xi32>
    %j1 = arith.index_castui %j0 : i32 to index
    %lt = arith.cmpi ult, %j1, %i1 : index
    %min = arith.select %lt, %j1, %i1 : index
    %ea = arith.cmpi eq, %i1, %min : index
    %eb = arith.cmpi eq, %j1, %min : index
    %e = arith.andi %ea, %eb : i1
    %n = scf.if %e -> (f32) {
      %x = memref.load %a[%p] : memref<?xf32>
      %y = memref.load %b[%q] : memref<?xf32>
      %m = arith.mulf %x, %y : f32
      %t = arith.addf %s, %m : f32
      scf.yield %t : f32
    } else {
      scf.yield %s : f32
    }
    %p1 = arith.addi %p, %c1 : index
    %pn = arith.select %ea, %p1, %p : index
    %q1 = arith.addi %q, %c1 : index
    %qn = arith.select %eb, %q1, %q : index
    scf.yield %pn, %qn, %n : index, index, f32
  }
  return %r#2 : f32
}

// CHECK-LABEL: func.func @indices
// CHECK-COUNT-16: arith.cmpi eq, %{{.*}} : vector<16xindex>
// WIDE-LABEL:  func.func @indices
// WIDE:        "llvm.x86.avx512.vp2intersect.q.512"
func.func @indices(%ia: memref<?xindex>, %jb: memref<?xindex>, %a: memref<?xf64>, %b: memref<?xf64>, %pEnd: index, %qEnd: index, %s0: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.while (%p = %c0, %q = %c0, %s = %s0) : (index, index, f64) -> (index, index, f64) {
    %0 = arith.cmpi ult, %p, %pEnd : index
    %1 = arith.cmpi ult, %q, %qEnd : index
    %2 = arith.andi %0, %1 : i1
    scf.condition(%2) %p, %q, %s : index, index, f64
  } do {
  ^bb0(%p: index, %q: index, %s: f64):
    %i0 = memref.load %ia[%p] : memref<?xindex>
    %j0 = memref.load %jb[%q] : memref<?xindex>
    %lt = arith.cmpi ult, %j0, %i0 : index
    %min = arith.select %lt, %j0, %i0 : index
    %ea = arith.cmpi eq, %i0, %min : index
    %eb = arith.cmpi eq, %j0, %min : index
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
