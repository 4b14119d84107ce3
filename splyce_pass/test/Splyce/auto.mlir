// The loop outside is there twice; which one runs is decided in front of it,
// and whether there is a workspace in front of all loops.
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=auto vector-width=8 fp-order=source remarks=false" | FileCheck %s --check-prefixes=CHECK,SERIAL
// RUN: splyce-opt %s --sparsification-and-bufferization=parallelization-strategy=dense-outer-loop --splyce="lane=auto vector-width=8 remarks=false" | FileCheck %s --check-prefixes=CHECK,PARALLEL
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=auto workspace-bytes=4096 cache-bytes=512 remarks=false" | FileCheck %s --check-prefix=LIMITS
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=auto vector-width=8 fp-order=source" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: splyce-opt %s --sparsification-and-bufferization --splyce="lane=auto fp-order=free" -o /dev/null 2>&1 | FileCheck %s --check-prefix=FREE

// One remark for both versions.
// REMARK: remark: vectorized two-finger loop: lane auto: workspace or masked, width 8, fp-order source{{$}}
// REMARK: remark: vectorized two-finger loop: lane auto: masked (no workspace: segment 0 changes in the loop outside, segment 1 changes in the loop outside), width 8, fp-order source{{$}}
// REMARK-NOT: remark
// FREE: remark: vectorized two-finger loop: lane auto: workspace or masked, width 4, fp-order free{{$}}

#CSR = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed), posWidth = 64, crdWidth = 64}>
#CSC = #sparse_tensor.encoding<{map = (i, j) -> (j : dense, i : compressed), posWidth = 64, crdWidth = 64}>

// The lanes have a function of their own, with the buffer of the sums.
// CHECK-LABEL: func.func private @spgemm_lanes(
// CHECK-SAME:  attributes {llvm.linkage = #llvm.linkage<internal>, passthrough = ["noinline"]}
// SERIAL:      memref.alloca()
// CHECK:       %[[SIZE:.*]] = arith.maxui
// CHECK:       sparse_tensor.storage_specifier.get %{{.*}} crd_mem_sz at 1
// CHECK:       sparse_tensor.storage_specifier.get %{{.*}} pos_mem_sz at 1
// CHECK:       %[[MAY:.*]] = arith.andi
// The ranges of some segments of the other side, and which ends they share.
// CHECK:       scf.for {{.*}} -> (f64, f64, index, index) {
// CHECK:       %[[WANTED:.*]] = arith.select %[[MAY]], %[[SIZE]], %c0
// CHECK:       %[[TAGS:.*]] = memref.alloc(%[[WANTED]]) : memref<?xi8>
// CHECK:       %[[DENSE:.*]] = memref.alloc(%[[WANTED]]) : memref<?xf64>
// An allocation that fails is no workspace.
// CHECK:       memref.extract_aligned_pointer_as_index %[[TAGS]]
// CHECK:       memref.extract_aligned_pointer_as_index %[[DENSE]]
// CHECK:       %[[AVAILABLE:.*]] = arith.andi %[[MAY]]
// CHECK:       %[[MADE:.*]] = arith.select %[[AVAILABLE]], %[[WANTED]], %c0
// CHECK:       scf.for %{{.*}} to %[[MADE]]
// SERIAL:      scf.for
// How many of the others overlap the segment, then what that saves.
// CHECK:       %[[EMPTY:.*]] = arith.cmpf ogt
// CHECK:       %[[SHORT:.*]] = arith.cmpf ogt
// CHECK:       %[[ANY:.*]] = arith.andi %[[EMPTY]], %[[SHORT]]
// CHECK:       arith.select %[[ANY]]
// More than a vector.
// CHECK:       %[[BLOCKS:.*]] = arith.cmpf ogt
// CHECK:       arith.select %[[BLOCKS]]
// CHECK:       %[[PAYS:.*]] = arith.cmpf ogt
// CHECK:       %[[USE:.*]] = arith.andi %[[AVAILABLE]], %[[PAYS]]
// CHECK:       scf.if %[[USE]] {
// CHECK:         memref.store %{{.*}}, %[[TAGS]]
// CHECK:         memref.load %[[TAGS]]
// CHECK-NOT:     maskedload
// CHECK:         memref.store %c0_i8{{.*}}, %[[TAGS]]
// CHECK:       } else {
// CHECK-NOT:     %[[TAGS]]{{\[}}
// CHECK:         scf.while
// CHECK:           vector.load {{.*}} vector<8xi64>
// CHECK:         scf.while
// CHECK:           vector.maskedload
// CHECK-NOT:     scf.while
// CHECK:       memref.dealloc %[[TAGS]]
// CHECK:       return

// The C interface takes the function in.
// CHECK-LABEL: func.func @spgemm(
// CHECK-SAME:  attributes {llvm.emit_c_interface, passthrough = ["alwaysinline"]}
// PARALLEL:    scf.parallel
// CHECK:       %[[MANY:.*]] = arith.cmpi uge, %{{.*}}, %c64
// SERIAL:      %[[LARGE:.*]] = scf.if %[[MANY]] -> (i1) {
// The other segments: how long they are, and what a run of the loop outside
// visits; the steps of a pair, and of the call.
// SERIAL:        %[[SHORTEST:.*]] = arith.constant 3.300000e+00 : f64
// SERIAL:        arith.cmpf uge, %{{.*}}, %[[SHORTEST]] : f64
// SERIAL:        %[[VISITS:.*]] = arith.constant 4.000000e+02 : f64
// SERIAL:        arith.cmpf uge, %{{.*}}, %[[VISITS]] : f64
// SERIAL:        %[[STEPS:.*]] = arith.cmpf uge, %{{.*}} : f64
// SERIAL:        %[[LONG:.*]] = arith.cmpf uge, %{{.*}} : f64
// SERIAL:        arith.ori %[[LONG]], %[[STEPS]]
// SERIAL:      } else {
// SERIAL:        scf.yield %[[MANY]]
// SERIAL:      scf.if %[[LARGE]] {
// CHECK:         func.call @spgemm_lanes(
// Small kernels are left to the scalar loops.
// CHECK-NEXT:  } else {
// CHECK-NOT:     memref.alloc
// CHECK:         scf.while
// CHECK-NOT:     vector
// CHECK:       return

// LIMITS-LABEL: func.func private @spgemm_lanes
// LIMITS-DAG:  arith.constant 5.120000e+02 : f64
// LIMITS-DAG:  arith.constant 8.192000e+03 : f64
// LIMITS-DAG:  arith.constant 4.096000e+03 : f64
func.func @spgemm(%B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #CSC>, %A: tensor<?x?xf64>) -> tensor<?x?xf64> attributes {llvm.emit_c_interface} {
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

// Both segments are those of the row: the masked lane alone.
// CHECK-LABEL: func.func @rows
// CHECK-NOT:   alwaysinline
// CHECK-NOT:   memref.alloc(
// SERIAL-COUNT-3: scf.while
// PARALLEL-COUNT-2: scf.while
// CHECK-NOT:   scf.while
func.func @rows(%B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #CSR>, %A: tensor<?xf64>) -> tensor<?xf64> {
  %0 = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]}
    ins(%B, %C : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) outs(%A : tensor<?xf64>) {
  ^bb0(%b: f64, %c: f64, %a: f64):
    %m = arith.mulf %b, %c : f64
    %s = arith.addf %a, %m : f64
    linalg.yield %s : f64
  } -> tensor<?xf64>
  return %0 : tensor<?xf64>
}
