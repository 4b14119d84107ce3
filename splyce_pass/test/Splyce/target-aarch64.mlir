// Code for AArch64: NEON, and SVE where its vectors have 256 bits or more.
// REQUIRES: aarch64-registered-target
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="vectorize=match remarks=false" %to-llvm | mlir-translate --mlir-to-llvmir | opt -O3 -mtriple=aarch64-linux-gnu -mcpu=generic -S | llc -O3 -mtriple=aarch64-linux-gnu -mcpu=generic | FileCheck %s --check-prefix=NEON
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=masked remarks=false" %to-llvm | mlir-translate --mlir-to-llvmir | opt -O3 -mtriple=aarch64-linux-gnu -mcpu=generic -S | llc -O3 -mtriple=aarch64-linux-gnu -mcpu=generic | FileCheck %s --check-prefix=NEON
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=masked intersect=rotate remarks=false" %to-llvm | mlir-translate --mlir-to-llvmir | opt -O3 -mtriple=aarch64-linux-gnu -mcpu=generic -S | llc -O3 -mtriple=aarch64-linux-gnu -mcpu=generic | FileCheck %s --check-prefix=NEON
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=workspace remarks=false" %to-llvm | mlir-translate --mlir-to-llvmir | opt -O3 -mtriple=aarch64-linux-gnu -mcpu=generic -S | llc -O3 -mtriple=aarch64-linux-gnu -mcpu=generic | FileCheck %s --check-prefix=SCALAR
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="vectorize=match remarks=false" %to-llvm | mlir-translate --mlir-to-llvmir | opt -O3 -mtriple=aarch64-linux-gnu -mattr=+sve -S | llc -O3 -mtriple=aarch64-linux-gnu -mattr=+sve -aarch64-sve-vector-bits-min=256 | FileCheck %s --check-prefix=SVE
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=masked remarks=false" %to-llvm | mlir-translate --mlir-to-llvmir | opt -O3 -mtriple=aarch64-linux-gnu -mattr=+sve -S | llc -O3 -mtriple=aarch64-linux-gnu -mattr=+sve -aarch64-sve-vector-bits-min=256 | FileCheck %s --check-prefix=MASKED
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=masked remarks=false" %to-llvm | mlir-translate --mlir-to-llvmir | opt -O3 -mtriple=aarch64-linux-gnu -mattr=+sve -S | llc -O3 -mtriple=aarch64-linux-gnu -mattr=+sve | FileCheck %s --check-prefix=NEON

#CSR = #sparse_tensor.encoding<{map=(d0,d1)->(d0:dense,d1:compressed),posWidth=64,crdWidth=64}>
#CSC = #sparse_tensor.encoding<{map=(d0,d1)->(d1:dense,d0:compressed),posWidth=64,crdWidth=64}>

// NEON-LABEL:   spgemm:
// NEON:         cmeq {{.*}}.2d
// SCALAR-LABEL: spgemm:
// SCALAR:       fadd d
// SVE-LABEL:    spgemm:
// SVE:          cmpeq p{{[0-9]+}}.d
// MASKED-LABEL: spgemm:
// MASKED:       cmpeq p{{[0-9]+}}.d
// MASKED:       ld1d { z{{[0-9]+}}.d }, p{{[0-9]+}}/z
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
