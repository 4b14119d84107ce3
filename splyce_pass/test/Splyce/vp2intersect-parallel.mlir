// Directly in a parallel loop the instruction is no stack allocation, so that no
// scope is left which could not be lowered.
// RUN: splyce-opt %s --sparsification-and-bufferization=parallelization-strategy=dense-outer-loop --splyce="lane=masked intersect=vp2intersect remarks=false" --convert-scf-to-openmp --canonicalize | FileCheck %s

#CSR = #sparse_tensor.encoding<{map=(d0,d1)->(d0:dense,d1:compressed),posWidth=64,crdWidth=64}>
#SV = #sparse_tensor.encoding<{map=(d0)->(d0:compressed),posWidth=64,crdWidth=64}>

// CHECK-LABEL: func.func @spmspv
// CHECK:       omp.parallel
// CHECK-NOT:   memref.alloca_scope
// CHECK:       llvm.x86.avx512.vp2intersect.q.256
// CHECK:       llvm.experimental.vector.compress
func.func @spmspv(%B: tensor<?x?xf64,#CSR>, %C: tensor<?xf64,#SV>, %A: tensor<?xf64>) -> tensor<?xf64> {
  %0 = linalg.generic {indexing_maps=[affine_map<(i,j)->(i,j)>,affine_map<(i,j)->(j)>,affine_map<(i,j)->(i)>],iterator_types=["parallel","reduction"]}
  ins(%B,%C: tensor<?x?xf64,#CSR>,tensor<?xf64,#SV>) outs(%A: tensor<?xf64>) {
  ^bb0(%b: f64,%c: f64,%a: f64):
    %m = arith.mulf %b,%c: f64
    %s = arith.addf %a,%m: f64
    linalg.yield %s: f64 } -> tensor<?xf64>
  return %0: tensor<?xf64>
}

// Another intrinsic may allocate, as before.
// CHECK-LABEL: func.func @another_intrinsic
// CHECK:       omp.parallel
// CHECK:       memref.alloca_scope
// CHECK:       llvm.call_intrinsic
func.func @another_intrinsic(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %t = llvm.call_intrinsic "llvm.x86.rdtsc"() : () -> i64
    scf.reduce
  }
  return
}
