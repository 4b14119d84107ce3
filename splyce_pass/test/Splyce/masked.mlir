// Two loops take the place of the scalar one: whole vectors, then masked ones.
// RUN: splyce-opt %s --splyce="lane=masked" 2>/dev/null | FileCheck %s --check-prefixes=CHECK,VECTOR
// RUN: splyce-opt %s --splyce="lane=masked fp-order=free" 2>/dev/null | FileCheck %s --check-prefixes=CHECK,VECTOR
// RUN: splyce-opt %s --splyce="lane=masked fp-order=source" 2>/dev/null | FileCheck %s --check-prefixes=CHECK,SOURCE
// RUN: splyce-opt %s --splyce="lane=masked fp-order=source vector-width=16" 2>/dev/null | FileCheck %s --check-prefix=WIDE
// RUN: splyce-opt %s --splyce="lane=masked count-lanes=true" 2>/dev/null | FileCheck %s --check-prefix=COUNT
// RUN: splyce-opt %s --splyce="lane=masked vector-width=8" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %if asserts %{ splyce-opt %s --splyce="lane=masked remarks=false" --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=STATISTICS %}
// RUN: splyce-opt %s --splyce="lane=masked remarks=false" --splyce="explain=true" -o /dev/null 2>&1 | FileCheck %s --check-prefix=TWICE

// REMARK: remark: vectorized two-finger loop: lane masked, width 8, fp-order tree{{$}}
// STATISTICS: (S) 1 loops-rewritten
// TWICE-NOT: vectorized

// CHECK-LABEL:   func.func @dot
// SOURCE-NEXT:   %[[BUFFER:.*]] = memref.alloca() : memref<296xf64>
// CHECK:         scf.if
// Whole vectors, left behind as a whole.
// VECTOR:          %[[WHOLE:.*]]:3 = scf.while {{.*}} : (index, index, vector<4xf64>)
// SOURCE:          scf.if %{{.*}} -> (index, index, f64) {
// SOURCE:          %[[WHOLE:.*]]:3 = scf.if %{{.*}} -> (index, index, f64) {
// SOURCE:            scf.while {{.*}} : (index, index, f64) -> (index, index, f64, index)
// SOURCE:            scf.while {{.*}} : (index, index, index)
// SOURCE:              arith.cmpi ult, %{{.*}}, %c256
// CHECK:           do {
// CHECK-NOT:         scf.if
// CHECK:             %[[A:.*]] = memref.load
// CHECK:             %[[B:.*]] = memref.load
// CHECK:             %[[ADONE:.*]] = arith.cmpi ule, %[[A]], %[[B]] : i64
// CHECK:             arith.select %[[ADONE]], %c4{{.*}}, %c0{{.*}} : index
// CHECK:             %[[BDONE:.*]] = arith.cmpi ule, %[[B]], %[[A]] : i64
// CHECK:             arith.select %[[BDONE]], %c4{{.*}}, %c0{{.*}} : index
// CHECK-NOT:         maskedload
// CHECK-COUNT-4:     arith.cmpi eq, %{{.*}} : vector<4xi64>
// VECTOR:            arith.mulf %{{.*}} : vector<4xf64>
// VECTOR:            dense<-0.000000e+00>
// VECTOR:            arith.addf %{{.*}} : vector<4xf64>
// VECTOR:            scf.yield
// Matches wait in a buffer.
// SOURCE:            %[[PRODUCTS:.*]] = arith.mulf %{{.*}} : vector<4xf64>
// SOURCE:            llvm.call_intrinsic "llvm.experimental.vector.compress"
// SOURCE:            vector.store %{{.*}}, %[[BUFFER]]
// SOURCE-NOT:        arith.addf
// Once where it is full, and once behind the loop.
// SOURCE:            vector.store %{{.*}}, %[[BUFFER]]{{.*}} vector<8xf64>
// SOURCE:            scf.for {{.*}} -> (f64)
// SOURCE-COUNT-8:      arith.addf %{{.*}} : f64
// SOURCE-NOT:        arith.addf
// SOURCE:            vector.store %{{.*}}, %[[BUFFER]]{{.*}} vector<8xf64>
// SOURCE:            scf.for {{.*}} -> (f64)
// SOURCE-COUNT-8:      arith.addf %{{.*}} : f64
// SOURCE-NOT:        arith.addf
// SOURCE:          } else {
// What is left of either segment: no load passes its end.
// CHECK:           scf.while (%{{.*}} = %[[WHOLE]]#0, %{{.*}} = %[[WHOLE]]#1, %{{.*}} = %[[WHOLE]]#2)
// CHECK:           do {
// CHECK-NOT:         scf.if
// CHECK-NOT:         vector.load
// CHECK:             arith.minui
// CHECK:             vector.create_mask
// CHECK:             arith.minui
// CHECK:             vector.create_mask
// CHECK:             vector.maskedload %arg0
// CHECK:             vector.maskedload %arg1
// CHECK-COUNT-4:     arith.cmpi eq, %{{.*}} : vector<4xi64>
// CHECK:             arith.andi %{{.*}} : vector<4xi1>
// One match has one order; several are added one after the other.
// SOURCE:            %[[SEVERAL:.*]] = arith.cmpi ugt
// SOURCE:            scf.if %[[SEVERAL]]
// SOURCE-COUNT-4:      arith.addf %{{.*}} : f64
// SOURCE:            } else {
// SOURCE:              arith.addf %{{.*}} : vector<2xf64>
// SOURCE:              arith.addf %{{.*}} : vector<1xf64>
// SOURCE:              arith.addf %{{.*}} : f64
// SOURCE-NOT:        arith.addf
// CHECK:             scf.yield
// VECTOR:          arith.addf %{{.*}} : vector<2xf64>
// VECTOR:          arith.addf %{{.*}} : vector<1xf64>
// VECTOR:          arith.addf %{{.*}} : f64
// CHECK-NOT:     scf.while

// LLVM does not compress 1024 bits: each block has its branch.
// WIDE-LABEL:  func.func @dot
// WIDE-NOT:    memref<296xf64>
// WIDE-COUNT-2: arith.cmpi ugt, %{{.*}} : i64
// WIDE-NOT:    memref<296xf64>

// COUNT-LABEL: func.func @dot
// COUNT-COUNT-2: scf.while
// COUNT:       memref.get_global @splyce_fast_elements
// COUNT:       memref.get_global @splyce_epilogue_elements
// COUNT:       memref.get_global @splyce_matches
// COUNT-NOT:   memref.get_global
func.func @dot(%ia: memref<?xi64>, %jb: memref<?xi64>, %a: memref<?xf64>, %b: memref<?xf64>, %pEnd: index, %qEnd: index, %s0: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.while (%p = %c0, %q = %c0, %s = %s0) : (index, index, f64) -> (index, index, f64) {
    %0 = arith.cmpi ult, %p, %pEnd : index
    %1 = arith.cmpi ult, %q, %qEnd : index
    %2 = arith.andi %0, %1 : i1
    scf.condition(%2) %p, %q, %s : index, index, f64
  } do {
  ^bb0(%p: index, %q: index, %s: f64):
    %i0 = memref.load %ia[%p] : memref<?xi64>
    %i1 = arith.index_cast %i0 : i64 to index
    %j0 = memref.load %jb[%q] : memref<?xi64>
    %j1 = arith.index_cast %j0 : i64 to index
    %lt = arith.cmpi ult, %j1, %i1 : index
    %min = arith.select %lt, %j1, %i1 : index
    %ea = arith.cmpi eq, %i1, %min : index
    %eb = arith.cmpi eq, %j1, %min : index
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
  return %r#2 : f64
}
