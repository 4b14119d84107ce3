// What the sparsifier makes of unions, three operands and two compressed shared
// levels. Only an innermost two-way intersection gets a lane.
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="explain=true" -o /dev/null 2>&1 | FileCheck %s

#SV = #sparse_tensor.encoding<{map = (i) -> (i : compressed), posWidth = 64, crdWidth = 64}>
#DCSR = #sparse_tensor.encoding<{map = (i, j) -> (i : compressed, j : compressed), posWidth = 64, crdWidth = 64}>

// CHECK: remark: not a two-way intersection: {{.*}}
// CHECK-NOT: vectorized
#vec = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
func.func @union(%B: tensor<?xf64, #SV>, %C: tensor<?xf64, #SV>, %A: tensor<f64>) -> tensor<f64> {
  %0 = linalg.generic {indexing_maps = [#vec, #vec, #none], iterator_types = ["reduction"]}
    ins(%B, %C : tensor<?xf64, #SV>, tensor<?xf64, #SV>) outs(%A : tensor<f64>) {
  ^bb0(%b: f64, %c: f64, %a: f64):
    %m = arith.addf %b, %c : f64
    %s = arith.addf %a, %m : f64
    linalg.yield %s : f64
  } -> tensor<f64>
  return %0 : tensor<f64>
}

// CHECK: remark: not a two-way intersection: {{.*}}
// CHECK-NOT: vectorized
func.func @three(%B: tensor<?xf64, #SV>, %C: tensor<?xf64, #SV>, %D: tensor<?xf64, #SV>, %A: tensor<f64>) -> tensor<f64> {
  %0 = linalg.generic {indexing_maps = [#vec, #vec, #vec, #none], iterator_types = ["reduction"]}
    ins(%B, %C, %D : tensor<?xf64, #SV>, tensor<?xf64, #SV>, tensor<?xf64, #SV>) outs(%A : tensor<f64>) {
  ^bb0(%b: f64, %c: f64, %d: f64, %a: f64):
    %m = arith.mulf %b, %c : f64
    %n = arith.mulf %m, %d : f64
    %s = arith.addf %a, %n : f64
    linalg.yield %s : f64
  } -> tensor<f64>
  return %0 : tensor<f64>
}

// CHECK-DAG: remark: vectorized two-finger loop
// CHECK-DAG: remark: not a two-way intersection: {{.*}}
#mat = affine_map<(i, j) -> (i, j)>
#sum = affine_map<(i, j) -> ()>
func.func @nested(%B: tensor<?x?xf64, #DCSR>, %C: tensor<?x?xf64, #DCSR>, %A: tensor<f64>) -> tensor<f64> {
  %0 = linalg.generic {indexing_maps = [#mat, #mat, #sum], iterator_types = ["reduction", "reduction"]}
    ins(%B, %C : tensor<?x?xf64, #DCSR>, tensor<?x?xf64, #DCSR>) outs(%A : tensor<f64>) {
  ^bb0(%b: f64, %c: f64, %a: f64):
    %m = arith.mulf %b, %c : f64
    %s = arith.addf %a, %m : f64
    linalg.yield %s : f64
  } -> tensor<f64>
  return %0 : tensor<f64>
}
