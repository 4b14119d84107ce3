//===- WorkspaceLane.cpp - A segment as a dense array ---------------------===//
//
// The segment that stays the same in the loop outside is scattered in front of
// it: values by coordinate, and a tag where there is one. In place of the
// two-finger loop each element of the other side looks up its coordinate. The
// tags are cleared behind the loop outside. With lane=auto that happens in one
// of two versions of the loop outside, and only where it is expected to pay. An
// empty segment leaves another, without any intersection. A version of all
// loops stays scalar: with lane=auto for small kernels, otherwise for a failed
// allocation.
//
//===----------------------------------------------------------------------===//

#include "WorkspaceLane.h"

#include "LoopVersions.h"
#include "WorkspaceCost.h"
#include "WorkspaceFilter.h"
#include "WorkspaceLookups.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"

using namespace mlir;
using namespace mlir::splyce;

namespace {

/// Builds the parts of the lane.
class WorkspaceLane {
public:
  WorkspaceLane(const IntersectionLoop &loop, const WorkspacePlan &plan,
                const LaneOptions &options)
      : loop(loop), plan(plan), options(options), own(loop.sides[plan.side]),
        b(scf::WhileOp(loop.loop).getLoc(), scf::WhileOp(loop.loop)),
        cost(b, loop, plan, options) {}

  WorkspaceVersions build();

private:
  bool isAuto() const { return options.lane == Lane::Auto; }
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value tag(bool present) {
    return arith::ConstantIntOp::create(b, b.getI8Type(), present);
  }
  void setInsertionPoint(Operation *op, bool after);
  void buildCount(Value from, Value to, llvm::function_ref<void(Value)> body);
  Value buildSize();
  Value orNone(Value allowed, Value size);
  Value buildAllocated();
  void allocate();
  void deallocate();
  scf::IfOp keepScalarVersion(Value condition);
  void skipEmpty();
  scf::WhileOp keepOtherVersion();
  void buildTags(bool present);
  void replaceLoop();

  const IntersectionLoop &loop;
  const WorkspacePlan &plan;
  const LaneOptions &options;
  const IntersectionSide &own;
  ImplicitLocOpBuilder b;
  WorkspaceCost cost;
  /// Whether there is a workspace.
  Value available;
  HoistedSegment segment;
  Workspace workspace;
};

} // namespace

void WorkspaceLane::setInsertionPoint(Operation *op, bool after) {
  if (after)
    b.setInsertionPointAfter(op);
  else
    b.setInsertionPoint(op);
}

/// Build a counting loop without carried values.
void WorkspaceLane::buildCount(Value from, Value to,
                               llvm::function_ref<void(Value)> body) {
  scf::ForOp::create(b, from, to, constant(1), ValueRange(),
                     [&](OpBuilder &, Location, Value i, ValueRange) {
                       body(i);
                       scf::YieldOp::create(b);
                     });
}

/// A bound of the coordinates of both sides.
Value WorkspaceLane::buildSize() {
  SmallVector<Value> sizes;
  auto kind = sparse_tensor::StorageSpecifierKindAttr::get(
      b.getContext(), sparse_tensor::StorageSpecifierKind::LvlSize);
  for (const StorageLevel &level : plan.levels)
    sizes.push_back(sparse_tensor::GetStorageSpecifierOp::create(
        b, level.specifier, kind, level.level));
  return arith::MaxUIOp::create(b, sizes[0], sizes[1]);
}

/// A size where there is to be a workspace, otherwise zero.
Value WorkspaceLane::orNone(Value allowed, Value size) {
  return arith::SelectOp::create(b, allowed, size, constant(0));
}

/// Whether no allocation has failed: `memref.alloc` has no way to say so.
Value WorkspaceLane::buildAllocated() {
  Value all;
  auto check = [&](Value array) {
    Value pointer = memref::ExtractAlignedPointerAsIndexOp::create(b, array);
    Value some = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, pointer,
                                       constant(0));
    all = all ? Value(arith::AndIOp::create(b, all, some)) : some;
  };
  check(workspace.tags);
  for (Value elements : workspace.elements)
    check(elements);
  return all;
}

/// Allocate the workspace without a tag; values are never read before they are
/// written, except where they are dropped.
void WorkspaceLane::allocate() {
  setInsertionPoint(plan.place, /*after=*/false);
  Value size = buildSize();
  if (isAuto()) {
    available = cost.buildMayPay(size);
    size = orNone(available, size);
  }
  auto allocateOf = [&](Type element) -> Value {
    return memref::AllocOp::create(
        b, MemRefType::get({ShapedType::kDynamic}, element), size);
  };
  workspace.tags = allocateOf(b.getI8Type());
  for (Value array : plan.arrays)
    workspace.elements.push_back(
        allocateOf(cast<MemRefType>(array.getType()).getElementType()));
  Value allocated = buildAllocated();
  available = available ? Value(arith::AndIOp::create(b, available, allocated))
                        : allocated;
  buildCount(constant(0), orNone(available, size), [&](Value i) {
    memref::StoreOp::create(b, tag(false), workspace.tags, i);
  });
}

/// Give the workspace back, whichever version of the loops has run.
void WorkspaceLane::deallocate() {
  setInsertionPoint(isAuto() ? plan.place : plan.place->getParentOp(),
                    /*after=*/true);
  memref::DeallocOp::create(b, workspace.tags);
  for (Value elements : workspace.elements)
    memref::DeallocOp::create(b, elements);
}

/// Leave a copy of all loops as it is, for where a condition does not hold.
scf::IfOp WorkspaceLane::keepScalarVersion(Value condition) {
  Operation *scalar =
      buildVersions(plan.place, condition, scf::WhileOp(loop.loop));
  scalar->setAttr(kEpilogueAttr, b.getUnitAttr());
  return cast<scf::IfOp>(plan.place->getParentOp());
}

/// Where the segment is empty, leave the loop outside without the two-finger
/// loop: LLVM removes what is then left of it.
void WorkspaceLane::skipEmpty() {
  auto skipped = cast<scf::WhileOp>(
      buildVersions(plan.outer, segment.nonEmpty, scf::WhileOp(loop.loop)));
  skipped.replaceAllUsesWith(skipped.getInits());
  skipped.erase();
}

/// Put the loop outside under a test that a workspace pays, and a copy of it
/// under the contrary; return the two-finger loop of the copy.
scf::WhileOp WorkspaceLane::keepOtherVersion() {
  setInsertionPoint(plan.outer, /*after=*/false);
  Value use = arith::AndIOp::create(b, available, cost.buildPays(segment));
  return cast<scf::WhileOp>(
      buildVersions(plan.outer, use, scf::WhileOp(loop.loop)));
}

/// Scatter the segment, or take its tags away.
void WorkspaceLane::buildTags(bool present) {
  buildCount(segment.start, segment.end, [&](Value p) {
    Value coordinate = loadIndex(b, own, p);
    memref::StoreOp::create(b, tag(present), workspace.tags, coordinate);
    if (!present)
      return;
    for (auto [array, elements] : llvm::zip(plan.arrays, workspace.elements)) {
      Value element = memref::LoadOp::create(b, array, p);
      memref::StoreOp::create(b, element, elements, coordinate);
    }
  });
}

/// Put the loop over the other side in place of the two-finger loop.
void WorkspaceLane::replaceLoop() {
  scf::WhileOp scalar = loop.loop;
  setInsertionPoint(scalar, /*after=*/false);
  moveUnder(loop, buildHasElement(b, loop, 1 - plan.side));
  setInsertionPoint(scalar, /*after=*/false);
  moveUnder(loop, buildMayMatch(b, loop, plan, workspace, segment.range));
  setInsertionPoint(scalar, /*after=*/false);
  SmallVector<Value> last = buildLookups(b, loop, plan, options, workspace);
  for (auto [arg, value] : llvm::zip(loop.accumulators, last))
    scalar.getResult(arg).replaceAllUsesWith(value);
  // What is left are cursors that nobody uses.
  for (const IntersectionSide &side : loop.sides)
    scalar.getResult(side.arg).replaceAllUsesWith(scalar.getInits()[side.arg]);
  scalar->erase();
}

WorkspaceVersions WorkspaceLane::build() {
  WorkspaceVersions versions;
  setInsertionPoint(plan.place, /*after=*/false);
  // Counters would not see the scalar version.
  if (isAuto() && !options.count)
    versions.lanes = keepScalarVersion(cost.buildIsLarge());
  allocate();
  if (!isAuto())
    keepScalarVersion(available);
  deallocate();
  segment = hoistSegment(b, loop, plan);
  skipEmpty();
  if (isAuto())
    versions.without = keepOtherVersion();
  setInsertionPoint(plan.outer, /*after=*/false);
  buildTags(/*present=*/true);
  setInsertionPoint(plan.outer, /*after=*/true);
  buildTags(/*present=*/false);
  replaceLoop();
  return versions;
}

WorkspaceVersions mlir::splyce::buildWorkspaceLane(const IntersectionLoop &loop,
                                                   WorkspacePlan plan,
                                                   const LaneOptions &options) {
  return WorkspaceLane(loop, plan, options).build();
}
