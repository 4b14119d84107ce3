// A body that writes to the output runs for matches only. The cursors of what
// has a tag wait in a buffer, so that nothing branches on a tag.
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=workspace remarks=false" | FileCheck %s --check-prefixes=CHECK,SERIAL
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=workspace fp-order=free remarks=false" | FileCheck %s --check-prefixes=CHECK,SERIAL
// RUN: splyce-opt %s --sparsification-and-bufferization=parallelization-strategy=dense-outer-loop --splyce="lane=workspace remarks=false" | FileCheck %s --check-prefixes=CHECK,PARALLEL
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=workspace" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: remark: vectorized two-finger loop: lane workspace, fp-order tree{{$}}

#CSC = #sparse_tensor.encoding<{map=(d0,d1)->(d1:dense,d0:compressed),posWidth=64,crdWidth=64}>

// CHECK-LABEL: func.func @spmmh
// SERIAL-NEXT: %[[BUFFER:.*]] = memref.alloca() : memref<296xindex>
// PARALLEL:    scf.parallel
// PARALLEL-NOT: memref.alloca
// PARALLEL:    %[[BUFFER:.*]] = memref.alloc() : memref<296xindex>
// PARALLEL:    %[[POINTER:.*]] = memref.extract_aligned_pointer_as_index %[[BUFFER]]
// PARALLEL:    %[[AVAILABLE:.*]] = arith.cmpi ne, %[[POINTER]], %c0
// PARALLEL:    scf.if %[[AVAILABLE]] {
// CHECK:       scf.while (%{{.*}} = %{{.*}}) : (index) -> (index, index)
// CHECK:         scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %c0{{.*}}) : (index, index) -> (index, index)
// CHECK:         ^bb0(%[[AT:.*]]: index, %[[N:.*]]: index)
// CHECK:           %[[FOUND:.*]] = arith.index_castui %{{.*}} : i8 to index
// CHECK-NEXT:      memref.store %[[AT]], %[[BUFFER]][%[[N]]]
// CHECK-NEXT:      arith.addi %[[N]], %[[FOUND]]
// CHECK-NOT:       arith.mulf
// CHECK-COUNT-7:   memref.store %{{.*}}, %[[BUFFER]]
// CHECK:         scf.for %[[I:.*]] = %c0
// CHECK:           memref.load %[[BUFFER]][%[[I]]]
// CHECK-COUNT-2:   arith.mulf
// CHECK:           arith.addf
// CHECK:           memref.store
// CHECK-NOT:     scf.if
// CHECK-COUNT-7: arith.select %{{.*}} : i8
// CHECK:         scf.for
// CHECK:           memref.load %[[BUFFER]]
// CHECK-COUNT-2:   arith.mulf
// CHECK:           memref.store
// Without memory one by one.
// PARALLEL:    } else {
// PARALLEL:      scf.for
// PARALLEL:        scf.if
// PARALLEL:          arith.mulf
// The scalar version.
// CHECK:       } else {
// CHECK:       scf.while
// CHECK-NOT:   scf.while
// PARALLEL:    memref.dealloc %[[BUFFER]]
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
