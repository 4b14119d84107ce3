// Matched pairs update A at the matched coordinate: a masked gather and scatter
// under one branch, at the coordinates of side 0 or at matches put in front.
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=masked remarks=false" | FileCheck %s --check-prefixes=CHECK,COMPARE
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=masked intersect=rotate remarks=false" | FileCheck %s --check-prefixes=CHECK,COMPARE
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=masked intersect=vp2intersect remarks=false" | FileCheck %s --check-prefixes=CHECK,VP2

#CSC = #sparse_tensor.encoding<{map=(d0,d1)->(d1:dense,d0:compressed),posWidth=64,crdWidth=64}>

// CHECK-LABEL: func.func @spmmh
// CHECK:       scf.while
// CHECK:         scf.if
// CHECK-NOT:       scf.if
// CHECK:           vector.gather
// CHECK:           arith.mulf %{{.*}} : vector<4xf64>
// CHECK:           vector.scatter
// CHECK:       scf.while
// COMPARE:       %[[CRD:.*]] = vector.maskedload %{{.*}} : memref<?xi64
// COMPARE:       %[[FOUND:.*]] = arith.andi %{{.*}} : vector<4xi1>
// VP2:           llvm.call_intrinsic "llvm.x86.avx512.vp2intersect.q.256"
// VP2:           %[[FOUND:.*]] = vector.create_mask
// CHECK:         scf.if
// CHECK-NOT:       scf.if
// COMPARE:         arith.index_castui %[[CRD]]
// VP2:             %[[CRD:.*]] = memref.alloca_scope
// VP2:               llvm.call_intrinsic "llvm.experimental.vector.compress"
// VP2:             arith.index_castui %[[CRD]]
// CHECK:           vector.gather %{{.*}}, %[[FOUND]]
// CHECK:           vector.scatter %{{.*}}, %[[FOUND]]
// CHECK-NOT:   scf.while
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
