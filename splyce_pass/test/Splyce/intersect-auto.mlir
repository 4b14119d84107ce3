// The instruction where the target has it and the loop allows it.
// RUN: splyce-opt %s --splyce="lane=masked" 2>/dev/null | FileCheck %s
// RUN: splyce-opt %s --splyce="lane=masked intersect=auto" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: splyce-opt %s --splyce="lane=masked intersect=compare" 2>/dev/null | FileCheck %s --check-prefix=COMPARE
// RUN: splyce-opt %s --splyce="lane=masked intersect=auto vector-width=16" 2>/dev/null | FileCheck %s --check-prefix=COMPARE

// RUN: splyce-opt %s --splyce="lane=masked vector-width=8" -o /dev/null 2>&1 | FileCheck %s --check-prefix=EIGHT

// Of eight elements each target with AVX-512 has an instruction; an unknown one
// has none.
// EIGHT: lane masked, width 8, vp2intersect, fp-order tree{{$}}
// EIGHT: lane masked, width 8, permute, fp-order tree{{$}}
// EIGHT: lane masked, width 8, fp-order tree{{$}}

// REMARK:      remark: vectorized two-finger loop: lane masked, width 4, vp2intersect, fp-order tree{{$}}
// REMARK-COUNT-3: remark: vectorized two-finger loop: lane masked, width 4, fp-order tree
// COMPARE-NOT: vp2intersect.q

// CHECK-LABEL: func.func @has_it
// CHECK:       llvm.call_intrinsic "llvm.x86.avx512.vp2intersect.q.256"
func.func @has_it(%ia: memref<?xi64>, %jb: memref<?xi64>, %a: memref<?xf64>, %b: memref<?xf64>, %pEnd: index, %qEnd: index, %s0: f64) -> f64 attributes {target_features = #llvm.target_features<["+avx512f", "+avx512vp2intersect"]>} {
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

// CHECK-LABEL: func.func @another_target
// CHECK-NOT:   llvm.call_intrinsic
func.func @another_target(%ia: memref<?xi64>, %jb: memref<?xi64>, %a: memref<?xf64>, %b: memref<?xf64>, %pEnd: index, %qEnd: index, %s0: f64) -> f64 attributes {target_features = #llvm.target_features<["+avx512f", "-avx512vp2intersect"]>} {
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

// CHECK-LABEL: func.func @unknown_target
// CHECK-NOT:   llvm.call_intrinsic
func.func @unknown_target(%ia: memref<?xi64>, %jb: memref<?xi64>, %a: memref<?xf64>, %b: memref<?xf64>, %pEnd: index, %qEnd: index, %s0: f64) -> f64 {
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

// The body has no form on vectors.
// CHECK-LABEL: func.func @shifted
// CHECK-NOT:   llvm.call_intrinsic
func.func @shifted(%ia: memref<?xi64>, %jb: memref<?xi64>, %a: memref<?xf64>, %b: memref<?xf64>, %pEnd: index, %qEnd: index, %s0: f64) -> f64 attributes {target_features = #llvm.target_features<["+avx512f", "+avx512vp2intersect"]>} {
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
