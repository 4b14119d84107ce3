//===- WorkspaceFilter.cpp - Skip segments that find nothing --------------===//
//
// A short segment looks all of its elements up before its loop, without a
// branch; a longer one is compared by its range.
//
//===----------------------------------------------------------------------===//

#include "WorkspaceFilter.h"

#include "LaneBlock.h"

#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"

using namespace mlir;
using namespace mlir::splyce;

/// Elements that are all looked up before the loop. How many a short segment
/// has cannot be predicted, and that none of them matches can.
static constexpr int64_t kShort = 8;
/// The same where segments have one element or less on average.
static constexpr int64_t kTiny = 2;

/// Look the first elements of the other segment up, and its last one again
/// where it has fewer: whether one has a tag.
static Value buildAnyTag(ImplicitLocOpBuilder &b, const IntersectionLoop &loop,
                         const WorkspacePlan &plan, const Workspace &workspace,
                         int64_t count) {
  const IntersectionSide &other = loop.sides[1 - plan.side];
  Value first = scf::WhileOp(loop.loop).getInits()[other.arg];
  Value last = buildLastCursor(b, loop, 1 - plan.side);
  SmallVector<Value> tags;
  for (int64_t i = 0; i < count; ++i) {
    Value offset = arith::ConstantIndexOp::create(b, i);
    Value cursor = arith::AddIOp::create(b, first, offset);
    cursor = arith::MinUIOp::create(b, cursor, last);
    tags.push_back(
        memref::LoadOp::create(b, workspace.tags, loadIndex(b, other, cursor)));
  }
  Value none = arith::ConstantIntOp::create(b, b.getI8Type(), 0);
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, anyOf(b, tags),
                               none);
}

/// Whether the segments of a level have one element or less on average.
static Value buildIsScarce(ImplicitLocOpBuilder &b, const StorageLevel &level) {
  auto get = [&](sparse_tensor::StorageSpecifierKind kind) -> Value {
    return sparse_tensor::GetStorageSpecifierOp::create(
        b, level.specifier,
        sparse_tensor::StorageSpecifierKindAttr::get(b.getContext(), kind),
        level.level);
  };
  return arith::CmpIOp::create(
      b, arith::CmpIPredicate::ult,
      get(sparse_tensor::StorageSpecifierKind::CrdMemSize),
      get(sparse_tensor::StorageSpecifierKind::PosMemSize));
}

Value mlir::splyce::buildMayMatch(ImplicitLocOpBuilder &b,
                                  const IntersectionLoop &loop,
                                  const WorkspacePlan &plan,
                                  const Workspace &workspace,
                                  CoordinateRange range) {
  unsigned side = 1 - plan.side;
  Value first = scf::WhileOp(loop.loop).getInits()[loop.sides[side].arg];
  Value length = arith::SubIOp::create(b, loop.sides[side].end, first);
  auto isUpTo = [&](int64_t count) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ule, length,
                                 arith::ConstantIndexOp::create(b, count));
  };
  auto choose = [&](Value condition, llvm::function_ref<Value()> yes,
                    llvm::function_ref<Value()> no) -> Value {
    auto choice = scf::IfOp::create(
        b, condition,
        [&](OpBuilder &, Location) { scf::YieldOp::create(b, yes()); },
        [&](OpBuilder &, Location) { scf::YieldOp::create(b, no()); });
    return choice.getResult(0);
  };
  auto overlaps = [&] {
    CoordinateRange possible = loadPossibleRange(b, loop, side);
    return buildOverlap(b, loop, {range, possible});
  };
  auto anyOfFirst = [&](int64_t count) {
    return buildAnyTag(b, loop, plan, workspace, count);
  };
  Value isScarce = buildIsScarce(b, plan.levels[side]);
  Value isTiny = arith::AndIOp::create(b, isScarce, isUpTo(kTiny));
  return choose(
      isTiny, [&] { return anyOfFirst(kTiny); },
      [&] {
        return choose(
            isUpTo(kShort), [&] { return anyOfFirst(kShort); }, overlaps);
      });
}
