// Under fp-order=free a workspace adds to four sums in turn, and reduces them
// once a segment; under tree and source it keeps the order of the scalar loop.
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=workspace fp-order=free remarks=false" | FileCheck %s --check-prefixes=CHECK,FREE
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=workspace fp-order=tree remarks=false" | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=workspace fp-order=free" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: remark: vectorized two-finger loop: lane workspace, fp-order free{{$}}
// REMARK: remark: vectorized two-finger loop: lane workspace, fp-order free (kept in source order)

#CSR = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed), posWidth = 64, crdWidth = 64}>
#SV = #sparse_tensor.encoding<{map = (i) -> (i : compressed), posWidth = 64, crdWidth = 64}>

// CHECK-LABEL: func.func @spmspv
// FREE:        %[[OLD:.*]] = memref.load {{.*}} memref<?xf64>
// FREE-COUNT-3: arith.constant -0.000000e+00 : f64
// FREE:        arith.remui
// FREE:        %[[SUMS:.*]]:4 = scf.for {{.*}} step %c8{{.*}} -> (f64, f64, f64, f64)
// FREE-COUNT-2:  memref.prefetch
// FREE-COUNT-8:  arith.addf %{{.*}} : f64
// FREE:          scf.yield
// FREE:        %[[REST:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[SUMS]]#0) -> (f64)
// FREE:          arith.addf
// FREE:        %[[EVEN:.*]] = arith.addf %[[REST]], %[[SUMS]]#2
// FREE:        %[[ODD:.*]] = arith.addf %[[SUMS]]#1, %[[SUMS]]#3
// FREE:        arith.addf %[[EVEN]], %[[ODD]]
// ONE:         %[[SUM:.*]] = scf.for {{.*}} step %c8{{.*}} -> (f64)
// ONE-COUNT-8:   arith.addf
// ONE:         scf.for {{.*}} iter_args(%{{.*}} = %[[SUM]]) -> (f64)
// ONE:           arith.addf
// ONE-NOT:     arith.addf
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

// What is no sum of floating-point numbers has one accumulator.
// CHECK-LABEL: func.func @integers
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
