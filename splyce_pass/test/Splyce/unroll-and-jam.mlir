// The masked lanes of two iterations of the loop outside run in one loop while
// both have something left.
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=masked unroll-and-jam=2 remarks=false" | FileCheck %s
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=masked unroll-and-jam=2 fp-order=free remarks=false" | FileCheck %s
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=masked unroll-and-jam=2 vector-width=8" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=masked unroll-and-jam=1 remarks=false" | FileCheck %s --check-prefix=ALONE

// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=masked intersect=vp2intersect unroll-and-jam=2 remarks=false" | FileCheck %s --check-prefix=VP2

// REMARK: remark: vectorized two-finger loop: lane masked, unroll-and-jam 2, width 8, fp-order tree{{$}}

#CSR = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed), posWidth = 64, crdWidth = 64}>
#CSC = #sparse_tensor.encoding<{map = (i, j) -> (j : dense, i : compressed), posWidth = 64, crdWidth = 64}>

// CHECK-LABEL: func.func @spgemm
// CHECK:       scf.for
// The row of B and its range are found in front of the loop over columns.
// CHECK:         %[[ROW:.*]]:2 = scf.if %{{.*}} -> (index, index)
// CHECK:         %[[SOME:.*]] = arith.cmpi ult, %[[ROW]]#0, %[[ROW]]#1
// CHECK:         scf.if %[[SOME]] -> (i64, i64)
// Iterations come in pairs up to here.
// CHECK:         arith.ceildivui
// CHECK:         %[[PAIRED:.*]] = arith.andi %{{.*}}, %c-2
// CHECK:         %[[STEPS:.*]] = arith.muli %[[PAIRED]]
// CHECK:         %[[MIDDLE:.*]] = arith.addi %{{.*}}, %[[STEPS]]
// CHECK:         %[[TWICE:.*]] = arith.addi %[[STEP:.*]], %[[STEP]]
// CHECK:         scf.for %[[J:.*]] = %{{.*}} to %[[MIDDLE]] step %[[TWICE]]
// CHECK:           %[[NEXT:.*]] = arith.addi %[[J]], %[[STEP]]
// CHECK:           scf.if
// CHECK:             %[[FIRST:.*]] = arith.cmpi ule
// CHECK:             %[[SECOND:.*]] = arith.cmpi ule
// CHECK:             %[[EITHER:.*]] = arith.ori %[[FIRST]], %[[SECOND]]
// CHECK:             scf.if %[[EITHER]]
// Whole vectors of both, then masked ones of both.
// CHECK:               %[[WHOLE:.*]]:6 = scf.while {{.*}} : (index, index, vector<[[N:4|8]]xf64>, index, index, vector<[[N]]xf64>)
// CHECK-COUNT-4:         arith.cmpi ult
// CHECK:                 scf.condition
// CHECK-NOT:             maskedload
// CHECK:                 scf.yield
// CHECK:               %[[BOTH:.*]]:6 = scf.while (%{{.*}} = %[[WHOLE]]#0, {{.*}} = %[[WHOLE]]#5)
// CHECK:                 maskedload
// CHECK:                 scf.yield
// What is left of each, with its sum.
// CHECK:               scf.if %[[FIRST]] {
// CHECK:                 memref.load %arg8[%{{.*}}, %[[J]]]
// CHECK:                 scf.while (%{{.*}} = %[[BOTH]]#0, %{{.*}} = %[[BOTH]]#1, %{{.*}} = %[[BOTH]]#2)
// CHECK:                 scf.while
// CHECK:                 memref.store %{{.*}}, %arg8[%{{.*}}, %[[J]]]
// CHECK:               scf.if %[[SECOND]] {
// CHECK:                 memref.load %arg8[%{{.*}}, %[[NEXT]]]
// CHECK:                 scf.while (%{{.*}} = %[[BOTH]]#3, %{{.*}} = %[[BOTH]]#4, %{{.*}} = %[[BOTH]]#5)
// CHECK:                 scf.while
// CHECK:                 memref.store %{{.*}}, %arg8[%{{.*}}, %[[NEXT]]]
// The last iteration of an odd number.
// CHECK:         scf.for %{{.*}} = %[[MIDDLE]] to %{{.*}} step %[[STEP]]
// CHECK-NOT:       :6 = scf.while
// CHECK:           scf.while
// CHECK:           scf.while
// CHECK-NOT:       scf.while

// Whole vectors of two lanes are intersected by the instruction too.
// VP2-LABEL:   func.func @spgemm
// VP2:         :6 = scf.while
// VP2-COUNT-2:   "llvm.x86.avx512.vp2intersect.q.256"
// VP2:         :6 = scf.while
// VP2-COUNT-2:   "llvm.x86.avx512.vp2intersect.q.256"

// ALONE-LABEL: func.func @spgemm
// ALONE-NOT:   :6 = scf.while
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
