// B's row is scattered once for all columns of C, which look their coordinates
// up; what has no tag is selected away, in the order of the scalar loop.
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=workspace remarks=false" | FileCheck %s --check-prefixes=CHECK,SERIAL
// RUN: splyce-opt %s --sparsification-and-bufferization --canonicalize --cse --splyce="lane=workspace remarks=false" | FileCheck %s --check-prefixes=CHECK,SERIAL
// RUN: splyce-opt %s --sparsification-and-bufferization=parallelization-strategy=dense-outer-loop --splyce="lane=workspace remarks=false" | FileCheck %s --check-prefixes=CHECK,PARALLEL
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=workspace" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=workspace fp-order=source count-lanes=true" 2>&1 | FileCheck %s --check-prefix=COUNT

// REMARK-COUNT-2: remark: vectorized two-finger loop: lane workspace, fp-order tree (kept in source order){{$}}
// COUNT: remark: vectorized two-finger loop: lane workspace, fp-order source{{$}}
// COUNT-LABEL: func.func @spgemm
// COUNT:       memref.get_global @splyce_fast_elements
// COUNT:       memref.get_global @splyce_matches

#CSR = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed), posWidth = 64, crdWidth = 64}>
#CSC = #sparse_tensor.encoding<{map = (i, j) -> (j : dense, i : compressed), posWidth = 64, crdWidth = 64}>
#SV = #sparse_tensor.encoding<{map = (i) -> (i : compressed), posWidth = 64, crdWidth = 64}>

// One workspace a thread, and one for all rows where there is one thread.
// CHECK-LABEL: func.func @spgemm
// PARALLEL:    scf.parallel
// CHECK:       %[[SIZE:.*]] = arith.maxui
// CHECK:       %[[TAGS:.*]] = memref.alloc(%[[SIZE]]) : memref<?xi8>
// CHECK:       %[[DENSE:.*]] = memref.alloc(%[[SIZE]]) : memref<?xf64>
// CHECK:       memref.extract_aligned_pointer_as_index %[[TAGS]]
// CHECK:       memref.extract_aligned_pointer_as_index %[[DENSE]]
// CHECK:       %[[AVAILABLE:.*]] = arith.andi
// CHECK:       %[[MADE:.*]] = arith.select %[[AVAILABLE]], %[[SIZE]], %c0
// CHECK:       scf.for %{{.*}} to %[[MADE]]
// CHECK:         memref.store %{{.*}}, %[[TAGS]]
// CHECK:       scf.if %[[AVAILABLE]] {
// SERIAL:      scf.for
// A load of the loop outside runs only if that loop does.
// CHECK:       %[[RUNS:.*]] = arith.cmpi slt
// CHECK:       %[[SEGMENT:.*]]:2 = scf.if %[[RUNS]]
// CHECK:         memref.load
// CHECK:         memref.load
// CHECK:       %[[SOME:.*]] = arith.cmpi ult, %[[SEGMENT]]#0, %[[SEGMENT]]#1
// CHECK:       scf.if %[[SOME]] {
// CHECK:       scf.for %{{.*}} = %[[SEGMENT]]#0 to %[[SEGMENT]]#1
// CHECK:         memref.store %{{.*}}, %[[TAGS]]
// CHECK:         memref.store %{{.*}}, %[[DENSE]]
// CHECK:       scf.for
// CHECK:         %[[ELEMENT:.*]] = arith.cmpi ne
// CHECK:         scf.if %[[ELEMENT]]
// CHECK:           scf.while
// CHECK:             memref.load %[[TAGS]]
// CHECK:             memref.load %[[DENSE]]
// CHECK:             arith.mulf
// CHECK-NOT:   scf.while
// CHECK:       scf.for %{{.*}} = %[[SEGMENT]]#0 to %[[SEGMENT]]#1
// CHECK:         memref.store %{{.*}}, %[[TAGS]]
// An empty row leaves the loop over the columns without an intersection.
// CHECK:       } else {
// CHECK:         scf.for
// CHECK-NOT:       scf.if
// CHECK-NOT:       scf.while
// CHECK:         }
// A failed allocation leaves everything to the scalar loops.
// CHECK:       } else {
// CHECK-NOT:     %[[TAGS]]
// CHECK-COUNT-1: scf.while
// CHECK-NOT:     scf.while
// CHECK:       memref.dealloc %[[TAGS]]
// CHECK:       memref.dealloc %[[DENSE]]
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

// All rows look up in the same vector.
// CHECK-LABEL: func.func @spmspv
// CHECK:       memref.alloc
// SERIAL:      scf.for
// SERIAL:      scf.for
// SERIAL:      scf.for
// PARALLEL:    scf.parallel
// CHECK-NOT:   memref.alloc(%
// CHECK:       memref.dealloc
func.func @spmspv(%B: tensor<?x?xf64,#CSR>, %C: tensor<?xf64,#SV>, %A: tensor<?xf64>) -> tensor<?xf64> {
  %0 = linalg.generic {indexing_maps=[affine_map<(i,j)->(i,j)>,affine_map<(i,j)->(j)>,affine_map<(i,j)->(i)>],iterator_types=["parallel","reduction"]}
  ins(%B,%C: tensor<?x?xf64,#CSR>,tensor<?xf64,#SV>) outs(%A: tensor<?xf64>) {
  ^bb0(%b: f64,%c: f64,%a: f64):
    %m = arith.mulf %b,%c: f64
    %s = arith.addf %a,%m: f64
    linalg.yield %s: f64 } -> tensor<?xf64>
  return %0: tensor<?xf64>
}
