// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="remarks=false" | FileCheck %s --check-prefixes=CHECK,PAIRS
// RUN: splyce-opt %s --sparsification-and-bufferization --canonicalize --cse --splyce="remarks=false" | FileCheck %s --check-prefixes=CHECK,PAIRS
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="vectorize=match,compute remarks=false" | FileCheck %s --check-prefixes=CHECK,SIMD

#CSC = #sparse_tensor.encoding<{map=(d0,d1)->(d1:dense,d0:compressed),posWidth=64,crdWidth=64}>

// Matched pairs update A at the matched coordinate: under a branch for each
// pair, or as a masked gather and scatter under one branch.
// CHECK-LABEL: func.func @spmmh
// CHECK:       scf.while
// CHECK:         scf.if
// PAIRS-COUNT-4:   scf.if
// SIMD-NOT:        scf.if
// SIMD:            vector.gather
// SIMD:            arith.mulf %{{.*}} : vector<4xf64>
// SIMD:            vector.scatter
// CHECK:       scf.while
// CHECK:         memref.store
// CHECK:       splyce_epilogue
func.func @spmmh(%B: tensor<?x?xf64,#CSC>, %C: tensor<?x?xf64>, %D: tensor<?x?xf64,#CSC>, %A: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %0 = linalg.generic {indexing_maps=[affine_map<(j,k,i)->(i,k)>,affine_map<(j,k,i)->(k,j)>,affine_map<(j,k,i)->(i,j)>,affine_map<(j,k,i)->(i,j)>],iterator_types=["parallel","reduction","parallel"]}
  ins(%B,%C,%D: tensor<?x?xf64,#CSC>,tensor<?x?xf64>,tensor<?x?xf64,#CSC>) outs(%A: tensor<?x?xf64>) {
  ^bb0(%b: f64,%c: f64,%d: f64,%a: f64):
    %m = arith.mulf %b,%c: f64
    %m2 = arith.mulf %m,%d: f64
    %s = arith.addf %a,%m2: f64
    linalg.yield %s: f64 } -> tensor<?x?xf64>
  return %0: tensor<?x?xf64>
}
