// Comparisons select the lane that matches, and one instruction brings what is
// in it to its partner.
// RUN: splyce-opt %s --splyce="lane=masked intersect=permute vector-width=8" 2>/dev/null | FileCheck %s
// RUN: splyce-opt %s --splyce="lane=masked intersect=permute vector-width=8" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: splyce-opt %s --splyce="lane=masked intersect=permute vector-width=16 explain=true" 2>/dev/null | FileCheck %s --check-prefix=WIDE
// RUN: splyce-opt %s --splyce="lane=masked intersect=permute vector-width=16 explain=true" -o /dev/null 2>&1 | FileCheck %s --check-prefix=TOOWIDE
// RUN: splyce-opt %s --splyce="lane=masked intersect=permute vector-width=4 explain=true" -o /dev/null 2>&1 | FileCheck %s --check-prefix=TOOSHORT
// RUN: splyce-opt %s --splyce="lane=masked intersect=permute vector-width=8 fp-order=source" 2>/dev/null | FileCheck %s --check-prefix=ORDERED

// REMARK-COUNT-3: remark: vectorized two-finger loop: lane masked, width 8, permute, fp-order tree
// TOOWIDE-COUNT-2: remark: no place for the lane: permute takes 8 or 16 elements in 512 bits, or 8 of 32 bits
// TOOWIDE: remark: vectorized two-finger loop: lane masked, width 16, permute, fp-order tree{{$}}
// TOOSHORT-COUNT-3: remark: no place for the lane: permute takes 8 or 16 elements in 512 bits, or 8 of 32 bits

// Whole vectors whose sums are kept in order are compared as they are.
// ORDERED-LABEL: func.func @dot
// ORDERED-NOT:   permvar
// ORDERED:       llvm.experimental.vector.compress
// ORDERED:       vector.maskedload
// ORDERED:       llvm.x86.avx512.permvar.df.512

// CHECK-LABEL: func.func @dot
// CHECK:       scf.while
// CHECK:       %[[OWN:.*]] = vector.load %arg0
// CHECK:       %[[OTHER:.*]] = vector.load %arg1
// CHECK:       %[[ZERO:.*]] = arith.constant dense<0> : vector<8xi64>
// CHECK:       %[[ONE:.*]] = arith.constant dense<1> : vector<8xi64>
// CHECK:       %[[EQUAL:.*]] = arith.cmpi eq, %[[OWN]], %{{.*}} : vector<8xi64>
// CHECK:       arith.select %[[EQUAL]], %[[ONE]], %[[ZERO]]
// CHECK-COUNT-5: arith.select {{.*}} : vector<8xi1>, vector<8xi64>
// CHECK:       %[[LANES:.*]] = arith.select {{.*}} : vector<8xi1>, vector<8xi64>
// CHECK:       llvm.call_intrinsic "llvm.x86.avx512.permvar.di.512"(%[[OTHER]], %[[LANES]])
// One comparison more says which elements have a partner at all.
// CHECK:       arith.cmpi eq, %[[OWN]], %{{.*}} : vector<8xi64>
// CHECK-NOT:   arith.cmpi eq
// CHECK:       %[[Y:.*]] = vector.load %arg3
// CHECK:       llvm.call_intrinsic "llvm.x86.avx512.permvar.df.512"(%[[Y]], %[[LANES]])
// CHECK:       scf.while
// CHECK:       vector.maskedload %arg1
// CHECK-COUNT-8: arith.cmpi eq
// CHECK:       vector.maskedload %arg3
// CHECK:       llvm.call_intrinsic "llvm.x86.avx512.permvar.df.512"
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


// A body that looks at the cursor of a partner has the lane as a number.
// CHECK-LABEL: func.func @position
// CHECK:       arith.index_castui %{{.*}} : vector<8xi64> to vector<8xindex>
func.func @position(%ia: memref<?xi64>, %jb: memref<?xi64>, %a: memref<?xf64>, %b: memref<?xf64>, %pEnd: index, %qEnd: index, %s0: f64) -> f64 {
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
      %k = arith.index_cast %q : index to i64
      %z = arith.uitofp %k : i64 to f64
      %xy = arith.mulf %x, %y : f64
      %m = arith.mulf %xy, %z : f64
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

// CHECK-LABEL: func.func @narrow
// CHECK:       llvm.call_intrinsic "llvm.x86.avx2.permd"
// CHECK:       llvm.call_intrinsic "llvm.x86.avx2.permps"
// WIDE-NOT:    llvm.call_intrinsic
// WIDE-LABEL:  func.func @narrow
// WIDE:        llvm.call_intrinsic "llvm.x86.avx512.permvar.si.512"
// WIDE:        llvm.call_intrinsic "llvm.x86.avx512.permvar.sf.512"
func.func @narrow(%ia: memref<?xi32>, %jb: memref<?xi32>, %a: memref<?xf32>, %b: memref<?xf32>, %pEnd: index, %qEnd: index, %s0: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.while (%p = %c0, %q = %c0, %s = %s0) : (index, index, f32) -> (index, index, f32) {
    %0 = arith.cmpi ult, %p, %pEnd : index
    %1 = arith.cmpi ult, %q, %qEnd : index
    %2 = arith.andi %0, %1 : i1
    scf.condition(%2) %p, %q, %s : index, index, f32
  } do {
  ^bb0(%p: index, %q: index, %s: f32):
    %i0 = memref.load %ia[%p] : memref<?xi32>
    %i1 = arith.index_castui %i0 : i32 to index
    %j0 = memref.load %jb[%q] : memref<?xi32>
    %j1 = arith.index_castui %j0 : i32 to index
    %lt = arith.cmpi ult, %j1, %i1 : index
    %min = arith.select %lt, %j1, %i1 : index
    %ea = arith.cmpi eq, %i1, %min : index
    %eb = arith.cmpi eq, %j1, %min : index
    %e = arith.andi %ea, %eb : i1
    %n = scf.if %e -> (f32) {
      %x = memref.load %a[%p] : memref<?xf32>
      %y = memref.load %b[%q] : memref<?xf32>
      %m = arith.mulf %x, %y : f32
      %t = arith.addf %s, %m : f32
      scf.yield %t : f32
    } else {
      scf.yield %s : f32
    }
    %p1 = arith.addi %p, %c1 : index
    %pn = arith.select %ea, %p1, %p : index
    %q1 = arith.addi %q, %c1 : index
    %qn = arith.select %eb, %q1, %q : index
    scf.yield %pn, %qn, %n : index, index, f32
  }
  return %r#2 : f32
}
