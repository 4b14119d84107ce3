// Code for x86: 256 bits without masks, 512 bits with them.
// REQUIRES: x86-64-registered-target
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="vectorize=match remarks=false" %to-llvm | mlir-translate --mlir-to-llvmir | opt -O3 -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3 -S | llc -O3 -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3 | FileCheck %s --check-prefix=AVX2 --implicit-check-not=zmm --implicit-check-not="%k"
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=masked remarks=false" %to-llvm | mlir-translate --mlir-to-llvmir | opt -O3 -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3 -S | llc -O3 -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3 | FileCheck %s --check-prefix=AVX2 --implicit-check-not=zmm --implicit-check-not="%k"
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=masked intersect=rotate remarks=false" %to-llvm | mlir-translate --mlir-to-llvmir | opt -O3 -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3 -S | llc -O3 -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3 | FileCheck %s --check-prefix=AVX2 --implicit-check-not=zmm --implicit-check-not="%k"
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=workspace remarks=false" %to-llvm | mlir-translate --mlir-to-llvmir | opt -O3 -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3 -S | llc -O3 -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3 | FileCheck %s --check-prefix=SCALAR --implicit-check-not=zmm --implicit-check-not="%k"
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=masked vector-width=8 intersect=rotate remarks=false" %to-llvm | mlir-translate --mlir-to-llvmir | opt -O3 -mtriple=x86_64-linux-gnu -mcpu=znver5 -S | llc -O3 -mtriple=x86_64-linux-gnu -mcpu=znver5 | FileCheck %s --check-prefix=ROTATE
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=masked vector-width=8 intersect=vp2intersect remarks=false" %to-llvm | mlir-translate --mlir-to-llvmir | opt -O3 -mtriple=x86_64-linux-gnu -mcpu=znver5 -S | llc -O3 -mtriple=x86_64-linux-gnu -mcpu=znver5 | FileCheck %s --check-prefix=VP2

#CSR = #sparse_tensor.encoding<{map=(d0,d1)->(d0:dense,d1:compressed),posWidth=64,crdWidth=64}>
#CSC = #sparse_tensor.encoding<{map=(d0,d1)->(d1:dense,d0:compressed),posWidth=64,crdWidth=64}>

// AVX2-LABEL: spgemm:
// AVX2:       vpcmpeqq {{.*}}%ymm
// SCALAR-LABEL: spgemm:
// SCALAR:     vaddsd
// ROTATE-LABEL: spgemm:
// ROTATE:     {{valignq|vpermq}} {{.*}}%zmm
// ROTATE:     vpcmpeqq {{.*}}%zmm{{.*}}%k
// VP2-LABEL:  spgemm:
// VP2:        vp2intersectq %zmm
// The scope around it leaves no trace.
// VP2-NOT:    movq %rsp
// VP2:        vcompresspd %zmm
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
