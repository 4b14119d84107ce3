// Under fp-order=free a workspace adds to four sums in turn, without a buffer,
// and reduces them once a segment.
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=workspace fp-order=free remarks=false" | FileCheck %s
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=workspace fp-order=free count-lanes=true remarks=false" | FileCheck %s --check-prefix=COUNT
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=workspace fp-order=free" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK-COUNT-2: remark: vectorized two-finger loop: lane workspace, fp-order free{{$}}
// REMARK: remark: vectorized two-finger loop: lane workspace, fp-order free (kept in source order)

#CSR = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed), posWidth = 64, crdWidth = 64}>
#SV = #sparse_tensor.encoding<{map = (i) -> (i : compressed), posWidth = 64, crdWidth = 64}>

// CHECK-LABEL: func.func @spmspv
// CHECK-NOT:   memref.alloca
// CHECK:       %[[OLD:.*]] = memref.load %arg8[{{.*}}] : memref<?xf64>
// CHECK:       arith.remui %{{.*}}, %c8
// CHECK-COUNT-3: arith.constant -0.000000e+00 : f64
// CHECK:       %[[SUMS:.*]]:4 = scf.for {{.*}} step %c8{{.*}} iter_args(%{{.*}} = %[[OLD]], {{.*}} -> (f64, f64, f64, f64)
// CHECK-COUNT-2:  memref.prefetch
// CHECK:          %[[FOUND:.*]] = arith.cmpi ne, %{{.*}} : i8
// CHECK:          %[[PRODUCT:.*]] = arith.mulf
// CHECK:          %[[NEUTRAL:.*]] = arith.constant -0.000000e+00 : f64
// CHECK:          %[[ADDEND:.*]] = arith.select %[[FOUND]], %[[PRODUCT]], %[[NEUTRAL]]
// CHECK:          arith.addf %{{.*}}, %[[ADDEND]]
// CHECK-COUNT-7:  arith.addf %{{.*}} : f64
// CHECK:          scf.yield
// CHECK:       %[[REST:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[SUMS]]#0) -> (f64)
// CHECK:          arith.addf
// CHECK:       %[[EVEN:.*]] = arith.addf %[[REST]], %[[SUMS]]#2
// CHECK:       %[[ODD:.*]] = arith.addf %[[SUMS]]#1, %[[SUMS]]#3
// CHECK:       arith.addf %[[EVEN]], %[[ODD]]
// CHECK:       memref.dealloc

// COUNT-LABEL: func.func @spmspv
// COUNT:       scf.for {{.*}} -> (f64, f64, f64, f64, i64)
// COUNT-COUNT-8: arith.extui %{{.*}} : i8 to i64
// COUNT:       scf.for {{.*}} -> (f64, i64)
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

// Zero is what a difference is left as it is by; the sums are added.
// CHECK-LABEL: func.func @difference
// CHECK-COUNT-3: arith.constant -0.000000e+00 : f64
// CHECK:       %[[SUMS:.*]]:4 = scf.for {{.*}} step %c8
// CHECK:         %[[NEUTRAL:.*]] = arith.constant 0.000000e+00 : f64
// CHECK:         %[[ADDEND:.*]] = arith.select %{{.*}}, %{{.*}}, %[[NEUTRAL]]
// CHECK:         arith.subf %{{.*}}, %[[ADDEND]]
// CHECK:       %[[REST:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[SUMS]]#0) -> (f64)
// CHECK:       arith.addf %[[REST]], %[[SUMS]]#2
// CHECK:       memref.dealloc
func.func @difference(%B: tensor<?x?xf64,#CSR>, %C: tensor<?xf64,#SV>, %A: tensor<?xf64>) -> tensor<?xf64> {
  %0 = linalg.generic {indexing_maps=[affine_map<(i,j)->(i,j)>,affine_map<(i,j)->(j)>,affine_map<(i,j)->(i)>],iterator_types=["parallel","reduction"]}
  ins(%B,%C: tensor<?x?xf64,#CSR>,tensor<?xf64,#SV>) outs(%A: tensor<?xf64>) {
  ^bb0(%b: f64,%c: f64,%a: f64):
    %m = arith.mulf %b,%c: f64
    %s = arith.subf %a,%m: f64
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
