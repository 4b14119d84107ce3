//===- OverlapEstimate.cpp - How many segments meet -----------------------===//
//
// Ranges say how many segments overlap: (own range + theirs) / size. Of those
// some match: as many as if coordinates were uniform, and those that begin or
// end with the same one, as nearly all rows of an arrowhead matrix do.
//
//===----------------------------------------------------------------------===//

#include "OverlapEstimate.h"

#include "LookupBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::splyce;
using sparse_tensor::StorageSpecifierKind;

/// Segments that are looked at, once a call.
static constexpr int64_t kSamples = 16;
/// The elements of a segment that is not one of mostly empty ones.
static constexpr double kLong = 4;

void OverlapEstimate::begin(Value size) {
  // A division for each run would be seen in the time of short ones.
  perCoordinate = arith::DivFOp::create(b, number(1), size);
}

Value OverlapEstimate::buildOtherLength() {
  return other = buildAverage(plan.levels[1 - plan.side]);
}

/// The array that the segments of a side are found by, if it is there in front
/// of all loops and known to hold those of the level.
Value OverlapEstimate::findPositions(unsigned side) {
  Value start = scf::WhileOp(loop.loop).getInits()[loop.sides[side].arg];
  while (Operation *op = start.getDefiningOp()) {
    if (!isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
      break;
    start = op->getOperand(0);
  }
  auto load = start.getDefiningOp<memref::LoadOp>();
  auto isInside = [&](Value value) {
    return plan.place->isAncestor(value.getParentRegion()->getParentOp());
  };
  if (!load || isInside(load.getMemRef()) ||
      isInside(loop.sides[side].coordinates))
    return Value();
  const StorageLevel &level = plan.levels[side];
  auto size = findStorageSize(load.getMemRef());
  bool isLevels = size && size.getSpecifier() == level.specifier &&
                  size.getLevelAttr() == level.level &&
                  size.getSpecifierKind() == StorageSpecifierKind::PosMemSize;
  return isLevels ? load.getMemRef() : Value();
}

Value OverlapEstimate::loadPosition(Value positions, Value segment) {
  Value position = memref::LoadOp::create(b, positions, segment);
  if (position.getType().isIndex())
    return position;
  return arith::IndexCastUIOp::create(b, b.getIndexType(), position);
}

/// What is seen behind a sample that has an element: the sum of ranges, how
/// many ends are those of the sample before, and the ends of this one.
SmallVector<Value> OverlapEstimate::buildSample(unsigned side, Value start,
                                                Value end, ValueRange seen) {
  auto load = [&](Value cursor) {
    return loadIndex(b, loop.sides[side], cursor);
  };
  Value first = load(start);
  Value last = load(arith::SubIOp::create(b, end, index(1)));
  Value range = toNumber(arith::SubIOp::create(b, last, first));
  auto isSame = [&](Value lhs, Value rhs) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, lhs, rhs);
  };
  Value shared =
      arith::OrIOp::create(b, isSame(first, seen[2]), isSame(last, seen[3]));
  Value one = arith::SelectOp::create(b, shared, number(1), number(0));
  return {add(seen[0], range), add(seen[1], one), first, last};
}

OverlapEstimate::Ends OverlapEstimate::sample(unsigned side, Value wanted) {
  Value positions = findPositions(side);
  if (!positions)
    return Ends();
  Value segments = arith::SubIOp::create(
      b, getSize(plan.levels[side], StorageSpecifierKind::PosMemSize),
      index(1));
  Value some = arith::AndIOp::create(
      b, wanted,
      arith::CmpIOp::create(b, arith::CmpIPredicate::ne, segments, index(0)));
  Value samples = arith::SelectOp::create(b, some, index(kSamples), index(0));
  SmallVector<Value> none = {number(0), number(0), index(-1), index(-1)};
  auto seen = scf::ForOp::create(
      b, index(0), samples, index(1), none,
      [&](OpBuilder &, Location, Value i, ValueRange seen) {
        Value segment = arith::DivUIOp::create(
            b, arith::MulIOp::create(b, i, segments), index(kSamples));
        Value start = loadPosition(positions, segment);
        Value end = loadPosition(positions,
                                 arith::AddIOp::create(b, segment, index(1)));
        Value nonEmpty =
            arith::CmpIOp::create(b, arith::CmpIPredicate::ult, start, end);
        auto next = scf::IfOp::create(
            b, nonEmpty,
            [&](OpBuilder &, Location) {
              scf::YieldOp::create(b, buildSample(side, start, end, seen));
            },
            [&](OpBuilder &, Location) { scf::YieldOp::create(b, seen); });
        scf::YieldOp::create(b, next.getResults());
      });
  Value perSample = number(1.0 / kSamples);
  // Of fewer segments some were looked at twice.
  Value areDistinct = arith::CmpIOp::create(b, arith::CmpIPredicate::uge,
                                            segments, index(kSamples));
  Value perDistinct =
      arith::SelectOp::create(b, areDistinct, perSample, number(0));
  return {mul(seen.getResult(0), perSample),
          mul(seen.getResult(1), perDistinct)};
}

void OverlapEstimate::sampleOther(Value wanted) {
  otherEnds = sample(1 - plan.side, wanted);
}

void OverlapEstimate::sampleOwn(Value wanted) {
  Ends own = sample(plan.side, wanted);
  if (own.range && otherEnds.range)
    usualShare =
        least(mul(add(own.range, otherEnds.range), perCoordinate), number(1));
}

/// Of segments that are mostly empty some say nothing of the others; a short
/// one among them may be any, a long one is not what their average is.
Value OverlapEstimate::buildShare(const CoordinateRange &range, Value length) {
  Value span = arith::SubIOp::create(b, range.last, range.first);
  if (!span.getType().isIndex())
    span = arith::IndexCastUIOp::create(b, b.getIndexType(), span);
  Value both = toNumber(span);
  both = add(both, otherEnds.range ? otherEnds.range : both);
  Value share = least(mul(both, perCoordinate), number(1));
  Value isEmpty = isGreater(number(1), other);
  Value isShort = isGreater(number(kLong), length);
  Value isAny = arith::AndIOp::create(b, isEmpty, isShort);
  return arith::SelectOp::create(b, isAny, number(1), share);
}

/// As many as of uniform coordinates, and those that begin or end alike.
Value OverlapEstimate::buildMatched() {
  Value matches =
      mul(buildAverage(plan.levels[plan.side]), mul(other, perCoordinate));
  if (otherEnds.shared)
    matches = add(matches, otherEnds.shared);
  return least(matches, number(1));
}
