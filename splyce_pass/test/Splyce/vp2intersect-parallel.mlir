// Directly in a parallel loop: what MLIR takes for a stack allocation has a small
// scope of its own, and none is left around the loops, which would not lower.
// RUN: splyce-opt %s --sparsification-and-bufferization=parallelization-strategy=dense-outer-loop --splyce="lane=masked intersect=vp2intersect remarks=false" | splyce-opt --convert-scf-to-openmp --canonicalize | FileCheck %s
// RUN: splyce-opt %s --sparsification-and-bufferization=parallelization-strategy=dense-outer-loop --splyce="lane=masked intersect=vp2intersect remarks=false" | splyce-opt --convert-scf-to-openmp --canonicalize %to-llvm | FileCheck %s --check-prefix=LOWERED

#CSR = #sparse_tensor.encoding<{map=(d0,d1)->(d0:dense,d1:compressed),posWidth=64,crdWidth=64}>
#SV = #sparse_tensor.encoding<{map=(d0)->(d0:compressed),posWidth=64,crdWidth=64}>

// CHECK-LABEL: func.func @spmspv
// CHECK:       omp.parallel
// CHECK-NOT:   memref.alloca_scope
// CHECK:       scf.while
// CHECK:       scf.while
// CHECK-NOT:   memref.alloca_scope
// CHECK:       memref.alloca_scope
// CHECK-NEXT:    llvm.call_intrinsic "llvm.x86.avx512.vp2intersect.q.256"
// CHECK-NEXT:    memref.alloca_scope.return
// LOWERED-LABEL: llvm.func @spmspv
// LOWERED:     omp.parallel
// LOWERED-NOT: memref
// LOWERED:     llvm.call_intrinsic "llvm.x86.avx512.vp2intersect.q.256"
func.func @spmspv(%B: tensor<?x?xf64,#CSR>, %C: tensor<?xf64,#SV>, %A: tensor<?xf64>) -> tensor<?xf64> {
  %0 = linalg.generic {indexing_maps=[affine_map<(i,j)->(i,j)>,affine_map<(i,j)->(j)>,affine_map<(i,j)->(i)>],iterator_types=["parallel","reduction"]}
  ins(%B,%C: tensor<?x?xf64,#CSR>,tensor<?xf64,#SV>) outs(%A: tensor<?xf64>) {
  ^bb0(%b: f64,%c: f64,%a: f64):
    %m = arith.mulf %b,%c: f64
    %s = arith.addf %a,%m: f64
    linalg.yield %s: f64 } -> tensor<?xf64>
  return %0: tensor<?xf64>
}
