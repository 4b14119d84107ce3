// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="remarks=false" | FileCheck %s
// RUN: splyce-opt %s --sparsification-and-bufferization --canonicalize --cse --splyce="remarks=false" | FileCheck %s
// RUN: splyce-opt %s --sparsification-and-bufferization=parallelization-strategy=dense-outer-loop --splyce="remarks=false" | FileCheck %s
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=auto remarks=false" | FileCheck %s --check-prefix=AUTO

#CSR = #sparse_tensor.encoding<{map=(d0,d1)->(d0:dense,d1:compressed),posWidth=64,crdWidth=64}>
#T = #sparse_tensor.encoding<{map=(d0,d1,d2)->(d0:dense,d1:compressed,d2:compressed),posWidth=64,crdWidth=64}>

// The value of B does not change in the loop and is multiplied in each pair.
// CHECK-LABEL: func.func @spmttkrp
// CHECK:       %[[B:.*]] = memref.load %{{.*}} : memref<?xf64>
// CHECK:       scf.while
// CHECK-COUNT-4: arith.cmpi eq, %{{.*}} : vector<4xi64>
// CHECK:         arith.mulf %[[B]], %{{.*}} : f64
// CHECK:       scf.while
// CHECK:       splyce_epilogue

// Lanes and scalar loops are functions of their own: there are eleven arrays
// and more. Segments are visited by coordinates: how many overlap is estimated
// once, from some of both sides, and so is how many of those match.
// AUTO:       func.func private @spmttkrp_lanes(
// AUTO:       scf.for {{.*}} -> (f64, f64, index, index) {
// AUTO:       scf.for {{.*}} -> (f64, f64, index, index) {
// AUTO:       %[[USUAL:.*]] = arith.minnumf
// AUTO:       arith.minnumf
// AUTO:       arith.mulf %[[USUAL]]
// AUTO:       arith.mulf %[[USUAL]]
// AUTO:       memref.alloc(
// AUTO:       %[[PAYS:.*]] = arith.cmpf ogt
// AUTO:       %[[USE:.*]] = arith.andi %{{.*}}, %[[PAYS]]
// AUTO:       scf.if %[[USE]] -> (f64) {
// AUTO:       func.func private @spmttkrp_scalar(
// AUTO-SAME:  attributes {llvm.linkage = #llvm.linkage<internal>, passthrough = ["noinline"]}
// AUTO-COUNT-1: scf.while
// AUTO-LABEL: func.func @spmttkrp(
// AUTO-NOT:   scf.while
// AUTO:       call @spmttkrp_lanes(
// AUTO-NEXT:  } else {
// AUTO-NEXT:  call @spmttkrp_scalar(
// AUTO-NOT:   scf.while
func.func @spmttkrp(%B: tensor<?x?x?xf64,#T>, %C: tensor<?x?xf64,#CSR>, %D: tensor<?x?xf64,#CSR>, %A: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %0 = linalg.generic {indexing_maps=[affine_map<(i,k,l,j)->(i,k,l)>,affine_map<(i,k,l,j)->(l,j)>,affine_map<(i,k,l,j)->(k,j)>,affine_map<(i,k,l,j)->(i,k)>],iterator_types=["parallel","parallel","reduction","reduction"]}
  ins(%B,%C,%D: tensor<?x?x?xf64,#T>,tensor<?x?xf64,#CSR>,tensor<?x?xf64,#CSR>) outs(%A: tensor<?x?xf64>) {
  ^bb0(%b: f64,%c: f64,%d: f64,%a: f64):
    %m = arith.mulf %b,%c: f64
    %m2 = arith.mulf %m,%d: f64
    %s = arith.addf %a,%m2: f64
    linalg.yield %s: f64 } -> tensor<?x?xf64>
  return %0: tensor<?x?xf64>
}
