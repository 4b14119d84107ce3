// Segments without a common range of coordinates are skipped, and with them the
// load and the store of the sum; the paper's lane stays as it is.
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=masked remarks=false" | FileCheck %s --check-prefixes=CHECK,MASKED
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=workspace remarks=false" | FileCheck %s --check-prefixes=CHECK,WORKSPACE
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="remarks=false" | FileCheck %s --check-prefix=PAPER

#CSR = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed), posWidth = 64, crdWidth = 64}>
#CSC = #sparse_tensor.encoding<{map = (i, j) -> (j : dense, i : compressed), posWidth = 64, crdWidth = 64}>

// A column that may be empty shares its branch with the test of the ranges: its
// coordinates are loaded from within the array. B's row keeps its own branch,
// outside of the loop over the columns where there is a workspace.
// CHECK-LABEL: func.func @spgemm
// WORKSPACE:   %[[RANGE:.*]]:2 = scf.if %{{.*}} -> (i64, i64)
// WORKSPACE-COUNT-2: memref.load
// WORKSPACE:     scf.yield
// CHECK:       memref.dim
// CHECK:       %[[ELEMENT:.*]] = arith.cmpi ne
// MASKED:      %[[ROW:.*]] = arith.andi %{{.*}}, %[[ELEMENT]]
// MASKED:      scf.if %[[ROW]] {
// WORKSPACE:   scf.if %[[ELEMENT]] {
// A short column looks all of its coordinates up instead, and a shorter one
// fewer of them where most are.
// WORKSPACE:     %[[SCARCE:.*]] = arith.cmpi ult
// WORKSPACE:     %[[TINY:.*]] = arith.andi %[[SCARCE]]
// WORKSPACE:     %[[MAY:.*]] = scf.if %[[TINY]] -> (i1) {
// WORKSPACE-COUNT-2: memref.load {{.*}} : memref<?xi8>
// WORKSPACE-NOT:   memref.load {{.*}} : memref<?xi8>
// WORKSPACE:     } else {
// WORKSPACE:       %[[SHORT:.*]] = arith.cmpi ule
// WORKSPACE:       scf.if %[[SHORT]] -> (i1) {
// WORKSPACE-COUNT-8: memref.load {{.*}} : memref<?xi8>
// WORKSPACE:       } else {
// CHECK:         arith.minui
// CHECK:         arith.minui
// CHECK:         memref.load
// CHECK:         memref.load
// CHECK:         %[[SOME:.*]] = arith.cmpi ult
// CHECK:         arith.select %[[SOME]], %{{.*}}, %c-1
// CHECK:         %[[FIRST:.*]] = arith.maxui
// CHECK:         %[[LAST:.*]] = arith.minui
// CHECK:         %[[OVERLAP:.*]] = arith.cmpi ule, %[[FIRST]], %[[LAST]]
// MASKED:        scf.if %[[OVERLAP]] {
// WORKSPACE:       scf.yield %[[OVERLAP]] : i1
// WORKSPACE:     scf.if %[[MAY]] {
// CHECK:           memref.load %{{.*}} : memref<?x?xf64>
// MASKED:          scf.while
// MASKED:          scf.while
// WORKSPACE:       scf.for
// CHECK:           memref.store %{{.*}} : memref<?x?xf64>
// An empty row stores what it has loaded.
// WORKSPACE:     %[[KEPT:.*]] = memref.load %{{.*}} : memref<?x?xf64>
// WORKSPACE:     memref.store %[[KEPT]], %{{.*}} : memref<?x?xf64>
// WORKSPACE:     splyce_epilogue
// WORKSPACE:     memref.store %{{.*}} : memref<?x?xf64>
// CHECK-NOT:     memref.store %{{.*}} : memref<?x?xf64>

// PAPER-LABEL: func.func @spgemm
// PAPER-NOT:   arith.minui
// PAPER:       memref.load %{{.*}} : memref<?x?xf64>
// PAPER:       scf.if
// PAPER:       } else {
// PAPER:       memref.store %{{.*}} : memref<?x?xf64>
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

// Another use of the sum, or of what it was: memory must be read either way.
// CHECK-LABEL: func.func @used
// MASKED:      memref.load %arg8
// MASKED:      %[[SUM:.*]]:3 = scf.if
// MASKED:      memref.store %[[SUM]]#2, %arg8
// MASKED:      memref.store %[[SUM]]#2, %arg9
func.func @used(%ia: memref<?xi64>, %jb: memref<?xi64>, %a: memref<?xf64>, %b: memref<?xf64>, %pEnd: index, %qEnd: index, %p0: index, %q0: index, %out: memref<f64>, %copy: memref<f64>) {
  %c1 = arith.constant 1 : index
  %s0 = memref.load %out[] : memref<f64>
  %r:3 = scf.while (%p = %p0, %q = %q0, %s = %s0) : (index, index, f64) -> (index, index, f64) {
    %0 = arith.cmpi ult, %p, %pEnd : index
    %1 = arith.cmpi ult, %q, %qEnd : index
    %2 = arith.andi %0, %1 : i1
    scf.condition(%2) %p, %q, %s : index, index, f64
  } do {
  ^bb0(%p: index, %q: index, %s: f64):
    %i0 = memref.load %ia[%p] : memref<?xi64>
    %j0 = memref.load %jb[%q] : memref<?xi64>
    %lt = arith.cmpi ult, %j0, %i0 : i64
    %min = arith.select %lt, %j0, %i0 : i64
    %ea = arith.cmpi eq, %i0, %min : i64
    %eb = arith.cmpi eq, %j0, %min : i64
    %e = arith.andi %ea, %eb : i1
    %n = scf.if %e -> (f64) {
      %x = memref.load %a[%p] : memref<?xf64>
      %y = memref.load %b[%q] : memref<?xf64>
      %m = arith.mulf %x, %y : f64
      %t = arith.addf %s, %m : f64
      scf.yield %t : f64
    } else {
      scf.yield %s : f64
    }
    %p1 = arith.addi %p, %c1 : index
    %pn = arith.select %ea, %p1, %p : index
    %q1 = arith.addi %q, %c1 : index
    %qn = arith.select %eb, %q1, %q : index
    scf.yield %pn, %qn, %n : index, index, f64
  }
  memref.store %r#2, %out[] : memref<f64>
  memref.store %r#2, %copy[] : memref<f64>
  return
}
