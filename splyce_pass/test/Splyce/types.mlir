// Narrow coordinates are compared as they are, unsigned; index coordinates too.
// RUN: splyce-opt %s --splyce="vectorize=match,compute,advance remarks=false" | FileCheck %s

// CHECK-LABEL: func.func @crd_i8
// CHECK:       arith.cmpi ule, %{{.*}} : vector<4xi8>
// CHECK:       arith.cmpi eq, %{{.*}} : vector<4xi8>
func.func @crd_i8(%ia: memref<?xi8>, %jb: memref<?xi8>, %a: memref<?xf64>, %b: memref<?xf64>, %pEnd: index, %qEnd: index, %s0: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.while (%p = %c0, %q = %c0, %s = %s0) : (index, index, f64) -> (index, index, f64) {
    %0 = arith.cmpi ult, %p, %pEnd : index
    %1 = arith.cmpi ult, %q, %qEnd : index
    %2 = arith.andi %0, %1 : i1
    scf.condition(%2) %p, %q, %s : index, index, f64
  } do {
  ^bb0(%p: index, %q: index, %s: f64):
    %i0 = memref.load %ia[%p] : memref<?xi8>
    %i1 = arith.extui %i0 : i8 to i64
    %i2 = arith.index_cast %i1 : i64 to index
    %j0 = memref.load %jb[%q] : memref<?xi8>
    %j1 = arith.extui %j0 : i8 to i64
    %j2 = arith.index_cast %j1 : i64 to index
    %lt = arith.cmpi ult, %j2, %i2 : index
    %min = arith.select %lt, %j2, %i2 : index
    %ea = arith.cmpi eq, %i2, %min : index
    %eb = arith.cmpi eq, %j2, %min : index
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

// CHECK-LABEL: func.func @crd_i16
// CHECK:       arith.cmpi ule, %{{.*}} : vector<4xi16>
// CHECK:       arith.cmpi eq, %{{.*}} : vector<4xi16>
func.func @crd_i16(%ia: memref<?xi16>, %jb: memref<?xi16>, %a: memref<?xf64>, %b: memref<?xf64>, %pEnd: index, %qEnd: index, %s0: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.while (%p = %c0, %q = %c0, %s = %s0) : (index, index, f64) -> (index, index, f64) {
    %0 = arith.cmpi ult, %p, %pEnd : index
    %1 = arith.cmpi ult, %q, %qEnd : index
    %2 = arith.andi %0, %1 : i1
    scf.condition(%2) %p, %q, %s : index, index, f64
  } do {
  ^bb0(%p: index, %q: index, %s: f64):
    %i0 = memref.load %ia[%p] : memref<?xi16>
    %i1 = arith.extui %i0 : i16 to i64
    %i2 = arith.index_cast %i1 : i64 to index
    %j0 = memref.load %jb[%q] : memref<?xi16>
    %j1 = arith.extui %j0 : i16 to i64
    %j2 = arith.index_cast %j1 : i64 to index
    %lt = arith.cmpi ult, %j2, %i2 : index
    %min = arith.select %lt, %j2, %i2 : index
    %ea = arith.cmpi eq, %i2, %min : index
    %eb = arith.cmpi eq, %j2, %min : index
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

// CHECK-LABEL: func.func @crd_i32
// CHECK:       arith.cmpi ule, %{{.*}} : vector<4xi32>
// CHECK:       arith.cmpi eq, %{{.*}} : vector<4xi32>
func.func @crd_i32(%ia: memref<?xi32>, %jb: memref<?xi32>, %a: memref<?xf64>, %b: memref<?xf64>, %pEnd: index, %qEnd: index, %s0: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.while (%p = %c0, %q = %c0, %s = %s0) : (index, index, f64) -> (index, index, f64) {
    %0 = arith.cmpi ult, %p, %pEnd : index
    %1 = arith.cmpi ult, %q, %qEnd : index
    %2 = arith.andi %0, %1 : i1
    scf.condition(%2) %p, %q, %s : index, index, f64
  } do {
  ^bb0(%p: index, %q: index, %s: f64):
    %i0 = memref.load %ia[%p] : memref<?xi32>
    %i1 = arith.extui %i0 : i32 to i64
    %i2 = arith.index_cast %i1 : i64 to index
    %j0 = memref.load %jb[%q] : memref<?xi32>
    %j1 = arith.extui %j0 : i32 to i64
    %j2 = arith.index_cast %j1 : i64 to index
    %lt = arith.cmpi ult, %j2, %i2 : index
    %min = arith.select %lt, %j2, %i2 : index
    %ea = arith.cmpi eq, %i2, %min : index
    %eb = arith.cmpi eq, %j2, %min : index
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

// CHECK-LABEL: func.func @crd_index
// CHECK:       arith.cmpi ule, %{{.*}} : vector<4xindex>
// CHECK:       arith.cmpi eq, %{{.*}} : vector<4xindex>
func.func @crd_index(%ia: memref<?xindex>, %jb: memref<?xindex>, %a: memref<?xf64>, %b: memref<?xf64>, %pEnd: index, %qEnd: index, %s0: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.while (%p = %c0, %q = %c0, %s = %s0) : (index, index, f64) -> (index, index, f64) {
    %0 = arith.cmpi ult, %p, %pEnd : index
    %1 = arith.cmpi ult, %q, %qEnd : index
    %2 = arith.andi %0, %1 : i1
    scf.condition(%2) %p, %q, %s : index, index, f64
  } do {
  ^bb0(%p: index, %q: index, %s: f64):
    %i0 = memref.load %ia[%p] : memref<?xindex>
    %j0 = memref.load %jb[%q] : memref<?xindex>
    %lt = arith.cmpi ult, %j0, %i0 : index
    %min = arith.select %lt, %j0, %i0 : index
    %ea = arith.cmpi eq, %i0, %min : index
    %eb = arith.cmpi eq, %j0, %min : index
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

// CHECK-LABEL: func.func @index_castui
// CHECK:       arith.cmpi ule, %{{.*}} : vector<4xi32>
func.func @index_castui(%ia: memref<?xi32>, %jb: memref<?xi32>, %a: memref<?xf64>, %b: memref<?xf64>, %pEnd: index, %qEnd: index, %s0: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.while (%p = %c0, %q = %c0, %s = %s0) : (index, index, f64) -> (index, index, f64) {
    %0 = arith.cmpi ult, %p, %pEnd : index
    %1 = arith.cmpi ult, %q, %qEnd : index
    %2 = arith.andi %0, %1 : i1
    scf.condition(%2) %p, %q, %s : index, index, f64
  } do {
  ^bb0(%p: index, %q: index, %s: f64):
    %i0 = memref.load %ia[%p] : memref<?xi32>
    %i1 = arith.index_castui %i0 : i32 to index
    %j0 = memref.load %jb[%q] : memref<?xi32>
    %j1 = arith.index_castui %j0 : i32 to index
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

// Sign-extended numbers that are ordered as signed ones stay signed.
// CHECK-LABEL: func.func @signed
// CHECK:       arith.cmpi sle, %{{.*}} : vector<4xi32>
func.func @signed(%ia: memref<?xi32>, %jb: memref<?xi32>, %a: memref<?xf64>, %b: memref<?xf64>, %pEnd: index, %qEnd: index, %s0: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.while (%p = %c0, %q = %c0, %s = %s0) : (index, index, f64) -> (index, index, f64) {
    %0 = arith.cmpi ult, %p, %pEnd : index
    %1 = arith.cmpi ult, %q, %qEnd : index
    %2 = arith.andi %0, %1 : i1
    scf.condition(%2) %p, %q, %s : index, index, f64
  } do {
  ^bb0(%p: index, %q: index, %s: f64):
    %i0 = memref.load %ia[%p] : memref<?xi32>
    %i1 = arith.index_cast %i0 : i32 to index
    %j0 = memref.load %jb[%q] : memref<?xi32>
    %j1 = arith.index_cast %j0 : i32 to index
    %lt = arith.cmpi slt, %j1, %i1 : index
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

// CHECK-LABEL: func.func @f32
// CHECK:       arith.mulf %{{.*}} : vector<4xf32>
func.func @f32(%ia: memref<?xi64>, %jb: memref<?xi64>, %a: memref<?xf32>, %b: memref<?xf32>, %pEnd: index, %qEnd: index, %s0: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.while (%p = %c0, %q = %c0, %s = %s0) : (index, index, f32) -> (index, index, f32) {
    %0 = arith.cmpi ult, %p, %pEnd : index
    %1 = arith.cmpi ult, %q, %qEnd : index
    %2 = arith.andi %0, %1 : i1
    scf.condition(%2) %p, %q, %s : index, index, f32
  } do {
  ^bb0(%p: index, %q: index, %s: f32):
    %i0 = memref.load %ia[%p] : memref<?xi64>
    %i1 = arith.index_cast %i0 : i64 to index
    %j0 = memref.load %jb[%q] : memref<?xi64>
    %j1 = arith.index_cast %j0 : i64 to index
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
