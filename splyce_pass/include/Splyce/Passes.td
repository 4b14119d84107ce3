//===- Passes.td - Passes of the splyce project ------------*- tablegen -*-===//

#ifndef SPLYCE_PASSES
#define SPLYCE_PASSES

include "mlir/Pass/PassBase.td"

def CoIterVectorize : Pass<"splyce"> {
  let summary = "Make two-finger loops faster by SIMD or a dense workspace";
  let description = [{
    The sparsifier intersects two compressed levels by a two-finger loop, an
    `scf.while` that looks at one coordinate of each operand and advances the
    cursor of the smaller one. Its branches depend on the data and are
    mispredicted. This pass puts a loop in front that takes a block of
    `vector-width` coordinates of each operand at a time, in three phases:

    1. match: compare all pairs of the block;
    2. compute: combine the values of the pairs that match;
    3. advance: move each cursor past its coordinates that are not greater than
       the smaller of the two last coordinates.

    The scalar loop is left as it is and finishes what is shorter than a block.

    Before:

    ```mlir
    %r:3 = scf.while (%p = %p0, %q = %q0, %s = %s0) ... {
      %0 = arith.cmpi ult, %p, %pEnd : index
      %1 = arith.cmpi ult, %q, %qEnd : index
      %2 = arith.andi %0, %1 : i1
      scf.condition(%2) %p, %q, %s : index, index, f64
    } do {
      ...  // s += a[p] * b[q] where the coordinates are equal
    }
    ```

    After:

    ```mlir
    %f:3 = scf.while (%p = %p0, %q = %q0, %s = %s0) ... {
      // p + n <= pEnd and q + n <= qEnd, written so that it cannot overflow.
      %0 = arith.cmpi ult, %p, %pLimit : index
      %1 = arith.cmpi ult, %q, %qLimit : index
      ...
    } do {
      ...  // n x n coordinates without a branch
    }
    %r:3 = scf.while (%p = %f#0, %q = %f#1, %s = %f#2) ... // as before
    ```

    A loop is recognised by what it does under each of the three orders of the
    two coordinates, not by the shape of its operations. What the pass takes for
    granted is what the unique compressed levels of `sparse_tensor` give: the
    coordinates of a segment are strictly increasing, and an array indexed by a
    cursor has an element for each coordinate.

    An element without a partner never contributes: an infinity or a NaN stored
    there does not reach the result, and neither does a zero of another sign.
    The pass emits neither fused operations nor the `contract` flag.

    This is `lane=paper`. The other lanes take the place of the scalar loop; they
    need that nothing uses its last cursors. They first compare the ranges of
    the two segments, and skip those that have no coordinate in common: where
    the sum of the loop is loaded in front of it and stored behind it, and used
    nowhere else, that load and that store are skipped as well.

    `lane=masked` compares whole vectors and then leaves behind the one whose
    last coordinate is smaller, or both: no coordinate is counted. Where a
    segment has less than a vector left, a second loop does the same under
    masks. Sums are kept in vectors and reduced once a segment; under
    `fp-order=source` what matches waits in a buffer until it is added in order,
    so that no addition holds up the search for matches. With `intersect=rotate`
    a vector is compared with the rotations of the other instead of with copies of
    each of its coordinates. With `intersect=permute` the comparisons select the
    number of the lane that matches, and one instruction brings what is in that
    lane to its partner; the code then needs AVX-512 (AVX2 for 8 elements of 32
    bits). With `intersect=vp2intersect` one instruction finds
    all matches of two vectors, masked ones or those of jammed lanes, which are
    put in front; the code then needs a processor with AVX512-VP2INTERSECT.
    `intersect=auto` takes it, or else `permute`, if the function says that the
    target has it and the loop allows it:

    ```mlir
    func.func @f(...) attributes {
      target_features = #llvm.target_features<["+avx512vp2intersect"]>
    }
    ```

    With `unroll-and-jam=2` the loop outside, an `scf.for`, takes two iterations
    at a time, and while both intersections have something left one loop walks
    them side by side: a lane waits for its cursor, and two cursors do not wait
    for each other. What is left of either is a masked lane alone, an odd
    iteration too, and but with `intersect=vp2intersect` sums have the same bits.
    Legal is that where the loop outside stores nothing but the sum, which nothing
    else in it reads, and where sums are kept in vectors: not with
    `fp-order=source`.

    ```mlir
    scf.for %j = %lower to %middle step %twice {
      %b:6 = scf.while (%p0, %q0, %s0, %p1, %q1, %s1) ... // both have a vector
      %m:6 = scf.while ... // both have something left
      ...  // out[j] += what is left of the first, and its sum
      ...  // out[j + step] += ... of the second
    }
    scf.for %j = %middle to %upper step %step ... // an odd iteration
    ```

    `lane=workspace` is for a segment that is the same in each iteration of the
    `scf.for` or `scf.parallel` directly outside, by what computes it and since
    that loop stores to none of its arrays. In front of the loop outside the
    segment is scattered into a dense array, with a tag where there is an
    element; its size comes from the storage specifiers of both operands, which
    is why the pass must run before they are lowered. The elements of the other
    segment look their coordinates up in order. Sums wait in a buffer too, and
    have the bits of the scalar loop; under `fp-order=free` there are four of
    them in turn, and no buffer. For a body that stores to the output, the
    cursors of what matches wait. Behind the loop outside the tags are cleared.
    The array is allocated outside all sequential loops, so that each iteration
    of a parallel loop has its own. Where there is no memory for it, a copy of
    all loops runs that is left as it is.

    Before:

    ```mlir
    scf.for %j = ... {
      %p0 = memref.load %pos[%i]
      %pEnd = memref.load %pos[%i1]
      %r:3 = scf.while (%p = %p0, %q = %q0, %s = %s0) ...
    }
    ```

    After:

    ```mlir
    %p0 = memref.load %pos[%i]
    %pEnd = memref.load %pos[%i1]
    scf.for %p = %p0 to %pEnd ... {
      // tags[crd[p]] = 1, dense[crd[p]] = a[p]
    }
    scf.for %j = ... {
      %n = scf.for %q = %q0 to %qEnd ... iter_args(%n = %c0) {
        // buffer[n] = dense[jrd[q]] * b[q], n += tags[jrd[q]]
      }
      scf.for %k = %c0 to %n ... iter_args(%s = %s0) {
        // s += buffer[k]
      }
    }
    scf.for %p = %p0 to %pEnd ... {
      // tags[crd[p]] = 0
    }
    ```

    `lane=auto` decides between the two at run time. In front of all loops it
    estimates from the storage specifiers and the bounds of the loops whether a
    workspace can repay its allocation, and allocates none otherwise, or where
    it would be larger than `workspace-bytes`; an allocation that fails is no
    workspace. The loop outside is there twice, and each run of it takes the
    workspace if its number of iterations repays scattering the segment:

    ```mlir
    %use = ... // available && trips * (saved by a pair) > length * (scatter)
    scf.if %use {
      ...  // scatter; the loop outside with lookups; clear
    } else {
      ...  // the loop outside with the masked lane
    }
    ```

    Small kernels run a copy of all loops that is left as it is. If the pass
    runs on the module, the lanes are moved into a private function behind that
    decision, which leaves the registers to the copy; a copy over many arrays is
    moved too.
    Where a workspace is not legal `lane=auto` is the masked lane alone.

    A body that may not be speculated (it stores to the matched coordinate, or
    reads memory there) runs under a branch for each matched pair, or, when
    phase 2 is vectorized and the addresses allow it, as a masked gather and
    scatter under one branch for each block.
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::sparse_tensor::SparseTensorDialect",
    "::mlir::vector::VectorDialect"
  ];
  let options = [
    Option<"laneKind", "lane", "::mlir::splyce::Lane",
           /*default=*/"::mlir::splyce::Lane::Paper",
           "Which lane to build",
           [{::llvm::cl::values(
             clEnumValN(::mlir::splyce::Lane::Paper, "paper",
                        "the paper's, in front of the scalar loop"),
             clEnumValN(::mlir::splyce::Lane::Masked, "masked",
                        "whole vectors, then masked ones, in place of it"),
             clEnumValN(::mlir::splyce::Lane::Workspace, "workspace",
                        "a segment as a dense array, in place of it"),
             clEnumValN(::mlir::splyce::Lane::Auto, "auto",
                        "workspace or masked, decided at run time"))}]>,
    Option<"vectorize", "vectorize", "std::string", /*default=*/"\"match\"",
           "Comma-separated phases that use SIMD: any of match, compute, "
           "advance, or nothing; the others are unrolled scalar code. For "
           "lane=paper">,
    Option<"vectorWidth", "vector-width", "unsigned", /*default=*/"4",
           "Coordinates of each operand in a block: 2, 4, 8 or 16; not for "
           "lane=workspace">,
    Option<"fpOrder", "fp-order", "::mlir::splyce::FPOrder",
           /*default=*/"::mlir::splyce::FPOrder::Tree",
           "Order of the additions. Updates that are not additions keep the "
           "order of the scalar loop",
           [{::llvm::cl::values(
             clEnumValN(::mlir::splyce::FPOrder::Source, "source",
                        "as the scalar loop, bit for bit"),
             clEnumValN(::mlir::splyce::FPOrder::Tree, "tree",
                        "a tree for each block, then the accumulator; for "
                        "lane=masked one sum a lane, then a tree"),
             clEnumValN(::mlir::splyce::FPOrder::Free, "free",
                        "as tree, and reassociation is allowed"))}]>,
    Option<"intersect", "intersect", "::mlir::splyce::Intersect",
           /*default=*/"::mlir::splyce::Intersect::Auto",
           "How the vectors of lane=masked and lane=auto find matches",
           [{::llvm::cl::values(
             clEnumValN(::mlir::splyce::Intersect::Auto, "auto",
                        "vp2intersect or else permute where the "
                        "target_features of the function have them, else "
                        "compare"),
             clEnumValN(::mlir::splyce::Intersect::Compare, "compare",
                        "each coordinate of one side with all of the other"),
             clEnumValN(::mlir::splyce::Intersect::Rotate, "rotate",
                        "the vector of one side with all rotations of the "
                        "other"),
             clEnumValN(::mlir::splyce::Intersect::Permute, "permute",
                        "as compare, and partners brought to their places by "
                        "one instruction of AVX-512, which the target must "
                        "have"),
             clEnumValN(::mlir::splyce::Intersect::Vp2Intersect, "vp2intersect",
                        "by the x86 instruction, which the target must have; "
                        "whole vectors of a lane alone as permute"))}]>,
    Option<"unrollAndJam", "unroll-and-jam", "unsigned", /*default=*/"1",
           "Iterations of the loop outside that lane=masked takes at a time, 1 "
           "or 2: while the intersections of both have something left, they "
           "run in one loop">,
    Option<"workspaceBytes", "workspace-bytes", "int64_t",
           /*default=*/"int64_t(1) << 28",
           "The largest workspace that lane=auto allocates, in bytes; with "
           "several threads each may have one. 0 for none">,
    Option<"cacheBytes", "cache-bytes", "int64_t", /*default=*/"1 << 20",
           "The second-level cache of the target, in bytes: lane=auto takes "
           "lookups in a larger workspace for slower">,
    Option<"targetFunction", "target-function", "std::string",
           /*default=*/"\"\"",
           "Rewrite only the loops of this function; empty for all functions">,
    Option<"countLanes", "count-lanes", "bool", /*default=*/"false",
           "Count into the globals splyce_fast_elements, "
           "splyce_epilogue_elements and splyce_matches (i64). The updates are "
           "atomic but slow: instrumented kernels are for serial runs and not "
           "for timing. Needs the pass on a module">,
    Option<"remarks", "remarks", "bool", /*default=*/"true",
           "Emit a remark on each rewritten loop">,
    Option<"explain", "explain", "bool", /*default=*/"false",
           "Emit a remark with the reason on each scf.while that is left alone">
  ];
  let statistics = [
    Statistic<"loopsRewritten", "loops-rewritten",
              "Number of two-finger loops that got a lane">,
    Statistic<"loopsNotMatched", "loops-not-matched",
              "Number of scf.while loops left alone">
  ];
}

#endif // SPLYCE_PASSES
