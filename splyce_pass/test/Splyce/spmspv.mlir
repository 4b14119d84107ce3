// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="remarks=false" | FileCheck %s
// RUN: splyce-opt %s --sparsification-and-bufferization --canonicalize --cse --splyce="remarks=false" | FileCheck %s
// RUN: splyce-opt %s --sparsification-and-bufferization=parallelization-strategy=dense-outer-loop --splyce="remarks=false" | FileCheck %s

#CSR = #sparse_tensor.encoding<{map=(d0,d1)->(d0:dense,d1:compressed),posWidth=64,crdWidth=64}>
#SV = #sparse_tensor.encoding<{map=(d0)->(d0:compressed),posWidth=64,crdWidth=64}>

// CHECK-LABEL: func.func @spmspv
// CHECK:       scf.while
// CHECK-COUNT-4: arith.cmpi eq, %{{.*}} : vector<4xi64>
// CHECK:       scf.while
// CHECK:       splyce_epilogue
func.func @spmspv(%B: tensor<?x?xf64,#CSR>, %C: tensor<?xf64,#SV>, %A: tensor<?xf64>) -> tensor<?xf64> {
  %0 = linalg.generic {indexing_maps=[affine_map<(i,j)->(i,j)>,affine_map<(i,j)->(j)>,affine_map<(i,j)->(i)>],iterator_types=["parallel","reduction"]}
  ins(%B,%C: tensor<?x?xf64,#CSR>,tensor<?xf64,#SV>) outs(%A: tensor<?xf64>) {
  ^bb0(%b: f64,%c: f64,%a: f64):
    %m = arith.mulf %b,%c: f64
    %s = arith.addf %a,%m: f64
    linalg.yield %s: f64 } -> tensor<?xf64>
  return %0: tensor<?xf64>
}
