//===- SegmentGuard.cpp - Skip segments that cannot match -----------------===//
//
// Two sorted segments match nothing if the range of one lies behind that of the
// other. Whether a segment is empty cannot be predicted where segments are
// short, and whether two of them overlap can: emptiness and overlap are one
// branch, for which the coordinates of an empty segment are loaded from within
// the array, and its first one replaced by the largest number. A segment that
// stays the same in the loop outside keeps a branch of its own, on which LLVM
// unswitches that loop.
//
//===----------------------------------------------------------------------===//

#include "SegmentGuard.h"

#include "LaneBlock.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::splyce;

//===----------------------------------------------------------------------===//
// Moving the loop
//===----------------------------------------------------------------------===//

/// Whether the operations strictly between two of a block satisfy `test`.
static bool allBetween(Operation *from, Operation *to,
                       llvm::function_ref<bool(Operation *)> test) {
  Operation *op = from->getNextNode();
  for (; op && op != to; op = op->getNextNode())
    if (!test(op))
      return false;
  return op;
}

/// Whether an operation, with all in its regions, has no effect but loads.
static bool onlyReads(Operation *op) {
  auto found = op->walk([](Operation *inner) {
    bool reads = isa<memref::LoadOp>(inner) || isMemoryEffectFree(inner) ||
                 inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
    return reads ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !found.wasInterrupted();
}

std::optional<SumInMemory> mlir::splyce::findSum(const IntersectionLoop &loop) {
  scf::WhileOp scalar = loop.loop;
  if (loop.accumulators.size() != 1 || loop.store)
    return std::nullopt;
  Value init = scalar.getInits()[loop.accumulators.front()];
  Value result = scalar.getResult(loop.accumulators.front());
  auto load = init.getDefiningOp<memref::LoadOp>();
  if (!load || !init.hasOneUse() || !result.hasOneUse())
    return std::nullopt;
  auto store = dyn_cast<memref::StoreOp>(*result.user_begin());
  if (!store || store.getMemRef() != load.getMemRef() ||
      !llvm::equal(store.getIndices(), load.getIndices()) ||
      load->getBlock() != scalar->getBlock() ||
      store->getBlock() != scalar->getBlock())
    return std::nullopt;
  if (!allBetween(load, scalar, onlyReads) ||
      !allBetween(scalar, store, isMemoryEffectFree))
    return std::nullopt;
  return SumInMemory{load, store};
}

/// Move the loop under a test, with its sum.
static void moveWithSum(const IntersectionLoop &loop, SumInMemory sum,
                        Value condition) {
  scf::WhileOp scalar = loop.loop;
  ImplicitLocOpBuilder b(scalar.getLoc(), scalar);
  auto guard = scf::IfOp::create(
      b, condition, [&](OpBuilder &, Location) { scf::YieldOp::create(b); });
  Operation *end = guard.thenBlock()->getTerminator();
  for (Operation *op : {sum.load.getOperation(), scalar.getOperation(),
                        sum.store.getOperation()})
    op->moveBefore(end);
}

/// Move the loop under a test, but nothing with it.
static void moveAlone(const IntersectionLoop &loop, Value condition) {
  scf::WhileOp scalar = loop.loop;
  ImplicitLocOpBuilder b(scalar.getLoc(), scalar);
  SmallVector<Value> inits(scalar.getInits());
  auto guard = scf::IfOp::create(b, scalar.getResultTypes(), condition,
                                 /*withElseRegion=*/true);
  scalar->replaceAllUsesWith(guard.getResults());
  scalar->moveBefore(guard.thenBlock(), guard.thenBlock()->end());
  b.setInsertionPointToEnd(guard.thenBlock());
  scf::YieldOp::create(b, scalar.getResults());
  b.setInsertionPointToEnd(guard.elseBlock());
  scf::YieldOp::create(b, inits);
}

void mlir::splyce::moveUnder(const IntersectionLoop &loop, Value condition) {
  if (std::optional<SumInMemory> sum = findSum(loop))
    moveWithSum(loop, *sum, condition);
  else
    moveAlone(loop, condition);
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

Value mlir::splyce::buildNonEmpty(ImplicitLocOpBuilder &b,
                                  const IntersectionSide &side, Value start,
                                  Value end) {
  arith::CmpIPredicate less =
      side.signedBound ? arith::CmpIPredicate::slt : arith::CmpIPredicate::ult;
  return arith::CmpIOp::create(b, less, start, end);
}

/// Where the segment of a side begins.
static Value getStart(const IntersectionLoop &loop, unsigned side) {
  return scf::WhileOp(loop.loop).getInits()[loop.sides[side].arg];
}

/// Whether the segment of a side has an element (i1).
static Value buildHasSegment(ImplicitLocOpBuilder &b,
                             const IntersectionLoop &loop, unsigned side) {
  const IntersectionSide &operand = loop.sides[side];
  return buildNonEmpty(b, operand, getStart(loop, side), operand.end);
}

void mlir::splyce::guardNonEmpty(const IntersectionLoop &loop) {
  ImplicitLocOpBuilder b(scf::WhileOp(loop.loop).getLoc(), loop.loop);
  Value first = buildHasSegment(b, loop, 0);
  Value second = buildHasSegment(b, loop, 1);
  moveAlone(loop, arith::AndIOp::create(b, first, second));
}

/// Load a coordinate in the type that it is compared in.
static Value loadCoordinate(ImplicitLocOpBuilder &b,
                            const IntersectionLoop &loop, unsigned side,
                            Value cursor) {
  Value array = loop.sides[side].coordinates;
  return toComparable(b, loop, memref::LoadOp::create(b, array, cursor), side);
}

CoordinateRange mlir::splyce::loadRange(ImplicitLocOpBuilder &b,
                                        const IntersectionLoop &loop,
                                        unsigned side, Value start, Value end) {
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value last = arith::SubIOp::create(b, end, one);
  return {loadCoordinate(b, loop, side, start),
          loadCoordinate(b, loop, side, last)};
}

/// The number of elements of an array.
static Value sizeOf(ImplicitLocOpBuilder &b, Value array) {
  return memref::DimOp::create(b, array, arith::ConstantIndexOp::create(b, 0));
}

/// The largest number of a type, in the order of the loop.
static Value largest(ImplicitLocOpBuilder &b, const IntersectionLoop &loop,
                     Type type) {
  unsigned bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  APInt value = loop.signedOrder ? APInt::getSignedMaxValue(bits)
                                 : APInt::getAllOnes(bits);
  return arith::ConstantOp::create(b, b.getIntegerAttr(type, value));
}

Value mlir::splyce::buildHasElement(ImplicitLocOpBuilder &b,
                                    const IntersectionLoop &loop,
                                    unsigned side) {
  Value zero = arith::ConstantIndexOp::create(b, 0);
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne,
                               sizeOf(b, loop.sides[side].coordinates), zero);
}

Value mlir::splyce::buildLastCursor(ImplicitLocOpBuilder &b,
                                    const IntersectionLoop &loop,
                                    unsigned side) {
  const IntersectionSide &operand = loop.sides[side];
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value limit = arith::SubIOp::create(b, sizeOf(b, operand.coordinates), one);
  // One less than the end of an empty segment may wrap round.
  Value last = arith::SubIOp::create(b, operand.end, one);
  return arith::MinUIOp::create(b, last, limit);
}

CoordinateRange mlir::splyce::loadPossibleRange(ImplicitLocOpBuilder &b,
                                                const IntersectionLoop &loop,
                                                unsigned side) {
  Value last = buildLastCursor(b, loop, side);
  Value start = arith::MinUIOp::create(b, getStart(loop, side), last);
  CoordinateRange range = {loadCoordinate(b, loop, side, start),
                           loadCoordinate(b, loop, side, last)};
  Value behind = largest(b, loop, range.first.getType());
  range.first = arith::SelectOp::create(b, buildHasSegment(b, loop, side),
                                        range.first, behind);
  return range;
}

Value mlir::splyce::buildOverlap(ImplicitLocOpBuilder &b,
                                 const IntersectionLoop &loop,
                                 std::array<CoordinateRange, 2> ranges) {
  if (loop.signedOrder) {
    Value first = arith::MaxSIOp::create(b, ranges[0].first, ranges[1].first);
    Value last = arith::MinSIOp::create(b, ranges[0].last, ranges[1].last);
    return arith::CmpIOp::create(b, arith::CmpIPredicate::sle, first, last);
  }
  Value first = arith::MaxUIOp::create(b, ranges[0].first, ranges[1].first);
  Value last = arith::MinUIOp::create(b, ranges[0].last, ranges[1].last);
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ule, first, last);
}

//===----------------------------------------------------------------------===//
// Overlap
//===----------------------------------------------------------------------===//

/// Whether each iteration of the operation outside computes the same, if
/// nothing that it loads is stored to.
static bool isSameIn(Operation *outside, Value value) {
  if (!outside->isAncestor(value.getParentRegion()->getParentOp()))
    return true;
  Operation *op = value.getDefiningOp();
  return op && (isPure(op) || isa<memref::LoadOp>(op)) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return isSameIn(outside, operand);
         });
}

OverlapTest::OverlapTest(const IntersectionLoop &loop,
                         const std::optional<HoistedSegment> &hoisted)
    : loop(loop), hoisted(hoisted) {
  Operation *outside = scf::WhileOp(loop.loop)->getParentOp();
  for (unsigned side : {0, 1})
    isSame[side] = isSameIn(outside, getStart(loop, side)) &&
                   isSameIn(outside, loop.sides[side].end);
}

Value OverlapTest::buildMayLoad(ImplicitLocOpBuilder &b) const {
  std::array<Value, 2> tests;
  for (unsigned side : {0, 1}) {
    if (hoisted && hoisted->side == side)
      tests[side] = hoisted->nonEmpty;
    else
      tests[side] = isSame[side] ? buildHasSegment(b, loop, side)
                                 : buildHasElement(b, loop, side);
  }
  return arith::AndIOp::create(b, tests[0], tests[1]);
}

Value OverlapTest::build(ImplicitLocOpBuilder &b) const {
  std::array<CoordinateRange, 2> ranges;
  for (unsigned side : {0, 1}) {
    if (hoisted && hoisted->side == side)
      ranges[side] = hoisted->range;
    else if (isSame[side])
      ranges[side] =
          loadRange(b, loop, side, getStart(loop, side), loop.sides[side].end);
    else
      ranges[side] = loadPossibleRange(b, loop, side);
  }
  return buildOverlap(b, loop, ranges);
}

void mlir::splyce::guardOverlap(const IntersectionLoop &loop,
                                const std::optional<HoistedSegment> &hoisted) {
  OverlapTest test(loop, hoisted);
  ImplicitLocOpBuilder b(scf::WhileOp(loop.loop).getLoc(), loop.loop);
  moveUnder(loop, test.buildMayLoad(b));
  b.setInsertionPoint(loop.loop);
  moveUnder(loop, test.build(b));
}
