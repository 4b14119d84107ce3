// The five kernels of the paper, each through the sparsifier of this MLIR: see
// also spmspv.mlir, spmttkrp.mlir, spmmh.mlir and spttspm.mlir.
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="remarks=false" | FileCheck %s
// RUN: splyce-opt %s --sparsification-and-bufferization --canonicalize --cse --splyce="remarks=false" | FileCheck %s
// RUN: splyce-opt %s --sparse-reinterpret-map --sparsification --splyce="remarks=false" | FileCheck %s
// RUN: splyce-opt %s --sparse-reinterpret-map --sparsification --canonicalize --cse --splyce="remarks=false" | FileCheck %s
// RUN: splyce-opt %s --sparsification-and-bufferization=parallelization-strategy=dense-outer-loop --splyce="remarks=false" | FileCheck %s --check-prefixes=CHECK,PAR

#CSR = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed), posWidth = 64, crdWidth = 64}>
#CSC = #sparse_tensor.encoding<{map = (i, j) -> (j : dense, i : compressed), posWidth = 64, crdWidth = 64}>

// CHECK-LABEL: func.func @spgemm
// PAR:         scf.parallel
// CHECK:       arith.maxui
// CHECK:       %[[LANE:.*]]:3 = scf.while (%[[P:.*]] = %{{.*}}, %[[Q:.*]] = %{{.*}}, %[[S:.*]] = %{{.*}}) : (index, index, f64)
// CHECK:         arith.cmpi ult, %[[P]]
// CHECK:         arith.cmpi ult, %[[Q]]
// CHECK:       do {
// CHECK-NOT:     scf.if
// CHECK-COUNT-4: arith.cmpi eq, %{{.*}} : vector<4xi64>
// CHECK-NOT:     scf.if
// CHECK-COUNT-4: arith.mulf %{{.*}} : f64
// CHECK-NOT:     scf.if
// CHECK:         scf.yield
// CHECK:       scf.while (%{{.*}} = %[[LANE]]#0, %{{.*}} = %[[LANE]]#1, %{{.*}} = %[[LANE]]#2)
// CHECK:         scf.if
// CHECK:       splyce_epilogue
func.func @spgemm(%B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #CSC>, %A: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %0 = linalg.generic {
    indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%B, %C : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSC>) outs(%A : tensor<?x?xf64>) {
  ^bb0(%b: f64, %c: f64, %a: f64):
    %m = arith.mulf %b, %c : f64
    %s = arith.addf %a, %m : f64
    linalg.yield %s : f64
  } -> tensor<?x?xf64>
  return %0 : tensor<?x?xf64>
}
