// RUN: splyce-opt %s --splyce="fp-order=source remarks=false" | FileCheck %s --check-prefixes=CHECK,SOURCE
// RUN: splyce-opt %s --splyce="fp-order=source vectorize=match,compute remarks=false" | FileCheck %s --check-prefixes=CHECK,SOURCE
// RUN: splyce-opt %s --splyce="fp-order=tree vectorize= remarks=false" | FileCheck %s --check-prefixes=CHECK,TREE
// RUN: splyce-opt %s --splyce="fp-order=tree remarks=false" | FileCheck %s --check-prefixes=CHECK,PRODUCT
// RUN: splyce-opt %s --splyce="fp-order=tree vectorize=match,compute remarks=false" | FileCheck %s --check-prefixes=CHECK,VTREE
// RUN: splyce-opt %s --splyce="fp-order=free vectorize=match,compute remarks=false" | FileCheck %s --check-prefixes=CHECK,FREE
// RUN: splyce-opt %s --splyce="fp-order=free remarks=false" | FileCheck %s --check-prefixes=CHECK,REASSOC

// No order may contract.
// CHECK-LABEL: func.func @dot
// CHECK-NOT:   contract
// CHECK-NOT:   fma

// Each addition is selected away as a whole: no neutral number is added.
// SOURCE:      do {
// SOURCE:        %[[S1:.*]] = arith.addf %[[S:.*]], %{{.*}} : f64
// SOURCE:        %[[N1:.*]] = arith.select %{{.*}}, %[[S1]], %[[S]] : f64
// SOURCE:        %[[S2:.*]] = arith.addf %[[N1]], %{{.*}} : f64
// SOURCE-NEXT:   arith.select %{{.*}}, %[[S2]], %[[N1]] : f64

// TREE:        arith.constant -0.000000e+00 : f64
// TREE:        arith.addf
// TREE:        arith.addf
// TREE:        %[[T:.*]] = arith.addf
// TREE:        arith.addf %{{.*}}, %[[T]] : f64
// TREE-NEXT:   scf.yield

// Phase 1 puts zeros where nothing matches, whose product is the neutral -0.0.
// PRODUCT:     %[[MINUS:.*]] = arith.constant dense<-0.000000e+00> : vector<4xf64>
// PRODUCT:     %[[OWN:.*]] = arith.select %[[FOUND:.*]], %{{.*}}, %[[MINUS]] : vector<4xi1>, vector<4xf64>
// PRODUCT:     vector.extract %[[OWN]][0] : f64 from vector<4xf64>
// PRODUCT:     %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<4xf64>
// PRODUCT:     arith.select %[[FOUND]], %{{.*}}, %[[ZERO]] : vector<4xi1>, vector<4xf64>
// PRODUCT-COUNT-4: arith.mulf %{{.*}} : f64
// PRODUCT-NOT: arith.select
// PRODUCT-COUNT-4: arith.addf %{{.*}} : f64
// PRODUCT-NEXT: scf.yield

// VTREE:       dense<-0.000000e+00> : vector<4xf64>
// VTREE:       arith.select %{{.*}} : vector<4xi1>, vector<4xf64>
// VTREE:       arith.addf %{{.*}} : vector<2xf64>
// VTREE:       arith.addf %{{.*}} : vector<1xf64>
// VTREE:       arith.addf %{{.*}} : f64
// VTREE-NEXT:  scf.yield

// FREE:        scf.while {{.*}} : (index, index, vector<4xf64>)
// FREE:        arith.addf %{{.*}} fastmath<reassoc> : vector<4xf64>
// FREE-NEXT:   scf.yield
// FREE:        arith.addf %{{.*}} fastmath<reassoc> : f64
// FREE:        scf.while
// FREE:        arith.addf %{{[^ ]*}}, %{{[^ ]*}} : f64

// REASSOC:     arith.addf %{{.*}} fastmath<reassoc> : f64
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
