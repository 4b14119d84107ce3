// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="remarks=false" | FileCheck %s
// RUN: splyce-opt %s --sparsification-and-bufferization --canonicalize --cse --splyce="remarks=false" | FileCheck %s
// RUN: splyce-opt %s --sparsification-and-bufferization=parallelization-strategy=dense-outer-loop --splyce="remarks=false" | FileCheck %s

#CSC = #sparse_tensor.encoding<{map=(d0,d1)->(d1:dense,d0:compressed),posWidth=64,crdWidth=64}>
#T = #sparse_tensor.encoding<{map=(d0,d1,d2)->(d0:dense,d1:compressed,d2:compressed),posWidth=64,crdWidth=64}>

// CHECK-LABEL: func.func @spttspm
// CHECK:       scf.while
// CHECK-COUNT-4: arith.cmpi eq, %{{.*}} : vector<4xi64>
// CHECK:       scf.while
// CHECK:       splyce_epilogue
func.func @spttspm(%B: tensor<?x?x?xf64,#T>, %C: tensor<?x?xf64,#CSC>, %A: tensor<?x?x?xf64>) -> tensor<?x?x?xf64> {
  %0 = linalg.generic {indexing_maps=[affine_map<(i,j,r,k)->(i,j,k)>,affine_map<(i,j,r,k)->(k,r)>,affine_map<(i,j,r,k)->(i,j,r)>],iterator_types=["parallel","parallel","parallel","reduction"]}
  ins(%B,%C: tensor<?x?x?xf64,#T>,tensor<?x?xf64,#CSC>) outs(%A: tensor<?x?x?xf64>) {
  ^bb0(%b: f64,%c: f64,%a: f64):
    %m = arith.mulf %b,%c: f64
    %s = arith.addf %a,%m: f64
    linalg.yield %s: f64 } -> tensor<?x?x?xf64>
  return %0: tensor<?x?x?xf64>
}
