// Sums of a workspace wait in a buffer, in the order of the scalar loop under
// source and tree: groups of elements append what they have found, without a
// branch; the last one of a segment stands in for what a group has not.
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=workspace fp-order=tree remarks=false" | FileCheck %s --check-prefixes=CHECK,SERIAL
// RUN: splyce-opt %s --sparsification-and-bufferization=parallelization-strategy=dense-outer-loop --splyce="lane=workspace fp-order=source remarks=false" | FileCheck %s --check-prefixes=CHECK,PARALLEL
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=workspace fp-order=source count-lanes=true remarks=false" | FileCheck %s --check-prefix=COUNT
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=workspace fp-order=tree" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK-COUNT-2: remark: vectorized two-finger loop: lane workspace, fp-order tree (kept in source order)

#CSR = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed), posWidth = 64, crdWidth = 64}>
#SV = #sparse_tensor.encoding<{map = (i) -> (i : compressed), posWidth = 64, crdWidth = 64}>

// CHECK-LABEL: func.func @spmspv
// SERIAL-NEXT: %[[BUFFER:.*]] = memref.alloca() : memref<296xf64>
// PARALLEL:    scf.parallel
// A stack allocation in a parallel loop would not lower to OpenMP.
// PARALLEL-NOT: memref.alloca
// PARALLEL:    %[[BUFFER:.*]] = memref.alloc() : memref<296xf64>
// PARALLEL:    %[[POINTER:.*]] = memref.extract_aligned_pointer_as_index %[[BUFFER]]
// PARALLEL:    %[[AVAILABLE:.*]] = arith.cmpi ne, %[[POINTER]], %c0
// CHECK:       %[[OLD:.*]] = memref.load %arg8[{{.*}}] : memref<?xf64>
// PARALLEL:    scf.if %[[AVAILABLE]] -> (f64) {
// CHECK:       arith.remui %{{.*}}, %c8
// CHECK:       %[[WHOLE:.*]] = arith.subi
// CHECK:       %[[SUMS:.*]]:3 = scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %[[OLD]]) : (index, f64) -> (index, f64, index)
// CHECK:         scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %c0{{.*}}) : (index, index) -> (index, index)
// CHECK:           arith.cmpi ult, %{{.*}}, %c256
// CHECK:         ^bb0(%{{.*}}: index, %[[N:.*]]: index)
// CHECK-COUNT-2:   memref.prefetch
// CHECK:           %[[FOUND:.*]] = arith.index_castui %{{.*}} : i8 to index
// CHECK:           %[[PRODUCT:.*]] = arith.mulf
// CHECK:           memref.store %[[PRODUCT]], %[[BUFFER]][%[[N]]]
// CHECK:           arith.addi %[[N]], %[[FOUND]]
// CHECK-COUNT-7:   memref.store %{{.*}}, %[[BUFFER]]
// CHECK-NOT:       arith.addf
// What has no addend adds the neutral number.
// CHECK:         vector.store %{{.*}}, %[[BUFFER]]{{.*}} vector<8xf64>
// CHECK:         arith.maxui
// CHECK:         scf.for {{.*}} -> (f64)
// CHECK-COUNT-8:   arith.addf
// CHECK-COUNT-7: arith.select %{{.*}} : i8
// CHECK:       vector.store %{{.*}}, %[[BUFFER]]{{.*}} vector<8xf64>
// CHECK:       scf.for {{.*}} iter_args(%{{.*}} = %[[SUMS]]#1) -> (f64)
// CHECK-COUNT-8: arith.addf
// Without memory one by one.
// PARALLEL:    } else {
// PARALLEL:      scf.for {{.*}} iter_args(%{{.*}} = %[[OLD]]) -> (f64)
// PARALLEL:        arith.addf
// PARALLEL:        arith.select %{{.*}} : f64
// PARALLEL:    memref.dealloc %[[BUFFER]]
// CHECK:       return

// COUNT-LABEL: func.func @spmspv
// COUNT:       scf.while {{.*}} : (index, i64, f64) -> (index, i64, f64, index)
// COUNT-COUNT-8: arith.extui %{{.*}} : i8 to i64
// COUNT:       memref.get_global @splyce_matches
func.func @spmspv(%B: tensor<?x?xf64,#CSR>, %C: tensor<?xf64,#SV>, %A: tensor<?xf64>) -> tensor<?xf64> {
  %0 = linalg.generic {indexing_maps=[affine_map<(i,j)->(i,j)>,affine_map<(i,j)->(j)>,affine_map<(i,j)->(i)>],iterator_types=["parallel","reduction"]}
  ins(%B,%C: tensor<?x?xf64,#CSR>,tensor<?xf64,#SV>) outs(%A: tensor<?xf64>) {
  ^bb0(%b: f64,%c: f64,%a: f64):
    %m = arith.mulf %b,%c: f64
    %s = arith.addf %a,%m: f64
    linalg.yield %s: f64 } -> tensor<?xf64>
  return %0: tensor<?xf64>
}

// What is no sum of floating-point numbers has no buffer.
// CHECK-LABEL: func.func @integers
// CHECK-NOT:   memref<296x
// CHECK-NOT:   step %c8
// CHECK:       arith.addi %{{.*}} : i64
// CHECK:       memref.dealloc
func.func @integers(%B: tensor<?x?xi64,#CSR>, %C: tensor<?xi64,#SV>, %A: tensor<?xi64>) -> tensor<?xi64> {
  %0 = linalg.generic {indexing_maps=[affine_map<(i,j)->(i,j)>,affine_map<(i,j)->(j)>,affine_map<(i,j)->(i)>],iterator_types=["parallel","reduction"]}
  ins(%B,%C: tensor<?x?xi64,#CSR>,tensor<?xi64,#SV>) outs(%A: tensor<?xi64>) {
  ^bb0(%b: i64,%c: i64,%a: i64):
    %m = arith.muli %b,%c: i64
    %s = arith.addi %a,%m: i64
    linalg.yield %s: i64 } -> tensor<?xi64>
  return %0: tensor<?xi64>
}
