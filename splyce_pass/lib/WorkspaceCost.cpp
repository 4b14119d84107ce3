//===- WorkspaceCost.cpp - Whether a workspace pays -----------------------===//
//
// A pair of segments with m and n elements whose ranges overlap takes (m + n)
// steps of the masked lane, or n lookups; a lookup takes as long as the
// workspace is far away. Other pairs are skipped, by the masked lane sooner.
// How many overlap is estimated from the range of the own segment and those of
// some of the others. Once for all pairs of a run of the loop outside m
// elements are scattered and cleared. Lengths are averages of their level where
// they are not known yet.
//
// The constants are nanoseconds on a Zen 5 with f64, fitted to SpGEMM on 41
// real matrices and uniform ones; what is decided depends on their ratios only,
// and where it is close either choice is good.
//
//===----------------------------------------------------------------------===//

#include "WorkspaceCost.h"

#include "LookupBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"

using namespace mlir;
using namespace mlir::splyce;

/// An element that the masked lane leaves behind, with sums a lane or in order.
static constexpr double kStep = 0.33, kOrderedStep = 0.45;
/// What an overlapping pair costs the masked lane more than the lookups, by
/// vp2intersect and otherwise, and what any pair costs it less.
static constexpr double kOverlapping[] = {1.75, 3.05}, kPair = 1.4;
/// What an overlapping pair of which both have more than a vector costs the
/// masked lane more still: it leaves two loops, and not in the same iteration.
static constexpr double kBlocks = 8;
/// A lookup, for several sums or in order, and scattering and clearing an
/// element: within `cache-bytes`, within `kOuterCaches` times that, and in
/// memory.
static constexpr double kLookup[] = {0.33, 1, 5};
static constexpr double kOrderedLookup[] = {0.65, 1.1, 5};
static constexpr double kScatter[] = {1.5, 5, 20};
static constexpr double kOuterCaches = 16;
/// A byte of a fresh workspace: the pages that the kernel hands out for it, and
/// clearing its tags.
static constexpr double kClear = 0.06;
/// Two calls of malloc, of free, and looking at `kSamples` segments.
static constexpr double kAllocate = 100;
/// Coordinates of both levels below which allocating takes longer than the
/// whole scalar kernel.
static constexpr int64_t kTinyOperands = 64;
/// Steps of the scalar loops of a call that the branch predictor remembers from
/// the call before, and those of a pair of segments with which no lane is then
/// faster.
static constexpr double kFewSteps = 4096, kShortPair = 12;
/// The elements of the other segment below which the scalar loop is as fast as
/// any lane, if they are not mostly empty: with vp2intersect and otherwise.
static constexpr double kShortest[] = {2, 3.3};
/// Segments of the other side whose ranges are looked at, once a call.
static constexpr int64_t kSamples = 16;
/// The elements of a segment that is not one of mostly empty ones.
static constexpr double kLong = 4;
/// Steps of the scalar loops of a run of the loop outside that are done before
/// anything is decided about it: where all loops have known bounds, and where
/// they do not, as in SpMTTKRP, whose steps take longer.
static constexpr double kShortRun[] = {400, 300};
/// The two loops that scatter and clear, whatever they do.
static constexpr double kRun = 25;

Value WorkspaceCost::number(double value) {
  return arith::ConstantOp::create(b, b.getF64FloatAttr(value));
}

Value WorkspaceCost::toNumber(Value index) {
  Value word = arith::IndexCastOp::create(b, b.getI64Type(), index);
  return arith::SIToFPOp::create(b, b.getF64Type(), word);
}

Value WorkspaceCost::add(Value lhs, Value rhs) {
  return arith::AddFOp::create(b, lhs, rhs);
}

Value WorkspaceCost::mul(Value lhs, Value rhs) {
  return arith::MulFOp::create(b, lhs, rhs);
}

/// False as well where an estimate is not a number, as for a level without
/// segments.
Value WorkspaceCost::isGreater(Value lhs, Value rhs) {
  return arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, lhs, rhs);
}

/// True as well where an estimate is not a number.
Value WorkspaceCost::isFrom(Value value, double least) {
  return arith::CmpFOp::create(b, arith::CmpFPredicate::UGE, value,
                               number(least));
}

/// The size of an array of a level (index).
Value WorkspaceCost::getSize(const StorageLevel &level,
                             sparse_tensor::StorageSpecifierKind kind) {
  return sparse_tensor::GetStorageSpecifierOp::create(
      b, level.specifier,
      sparse_tensor::StorageSpecifierKindAttr::get(b.getContext(), kind),
      level.level);
}

/// The number of segments of a level.
Value WorkspaceCost::buildSegments(const StorageLevel &level) {
  return add(
      toNumber(getSize(level, sparse_tensor::StorageSpecifierKind::PosMemSize)),
      number(-1));
}

/// The average length of the segments of a level.
Value WorkspaceCost::buildAverage(const StorageLevel &level) {
  Value elements =
      toNumber(getSize(level, sparse_tensor::StorageSpecifierKind::CrdMemSize));
  return arith::DivFOp::create(b, elements, buildSegments(level));
}

/// The elements of both segments of an average pair.
Value WorkspaceCost::buildSteps() {
  return add(buildAverage(plan.levels[0]), buildAverage(plan.levels[1]));
}

/// The bounds and steps of a loop.
static SmallVector<std::array<Value, 3>> getBounds(Operation *op) {
  SmallVector<std::array<Value, 3>> bounds;
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    bounds.push_back(
        {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
    return bounds;
  }
  auto loop = cast<scf::ParallelOp>(op);
  for (auto [from, to, step] :
       llvm::zip(loop.getLowerBound(), loop.getUpperBound(), loop.getStep()))
    bounds.push_back({from, to, step});
  return bounds;
}

/// How often a loop runs; not above zero if it does not.
Value WorkspaceCost::buildTrips(Operation *op) {
  Value trips;
  for (auto [from, to, step] : getBounds(op)) {
    Value distance = toNumber(arith::SubIOp::create(b, to, from));
    Value some = arith::MaxNumFOp::create(
        b, arith::DivFOp::create(b, distance, toNumber(step)), number(0));
    trips = trips ? mul(trips, some) : some;
  }
  return trips;
}

/// The loops from the place of the workspace to the one outside.
SmallVector<Operation *> WorkspaceCost::getLoops() const {
  SmallVector<Operation *> loops = {plan.outer};
  while (loops.back() != plan.place)
    loops.push_back(loops.back()->getParentOp());
  return loops;
}

/// Whether the bounds of a loop are not computed on the way to it.
bool WorkspaceCost::isKnown(Operation *loop) const {
  auto isKnownBound = [&](Value bound) {
    return !plan.place->isAncestor(bound.getParentRegion()->getParentOp());
  };
  return llvm::all_of(getBounds(loop), [&](ArrayRef<Value> bounds) {
    return llvm::all_of(bounds, isKnownBound);
  });
}

bool WorkspaceCost::knowsLoops() const {
  return llvm::all_of(getLoops(),
                      [&](Operation *loop) { return isKnown(loop); });
}

/// How many pairs of segments there are, of what is known at the place. The
/// loop outside visits the segments of the other side; other loops run once at
/// least.
Value WorkspaceCost::buildKnownTrips() {
  Value trips = number(1);
  for (Operation *loop : getLoops())
    if (isKnown(loop))
      trips = mul(trips, buildTrips(loop));
    else if (loop == plan.outer)
      trips = mul(trips, buildSegments(plan.levels[1 - plan.side]));
  return trips;
}

/// The bytes of an element in memory.
static unsigned bytesOf(Type type) {
  return type.isIndex() ? 8 : llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}

/// A cost that depends on where the workspace is.
Value WorkspaceCost::buildByDistance(Value bytes, ArrayRef<double> costs) {
  double cache = options.cacheBytes;
  Value beyond =
      arith::SelectOp::create(b, isGreater(bytes, number(kOuterCaches * cache)),
                              number(costs[2]), number(costs[1]));
  return arith::SelectOp::create(b, isGreater(bytes, number(cache)), beyond,
                                 number(costs[0]));
}

double WorkspaceCost::getStep() const {
  return options.order == FPOrder::Source ? kOrderedStep : kStep;
}

/// What a pair of segments saves, given the length of the own one and how many
/// of the pairs overlap.
Value WorkspaceCost::buildSaving(Value length, Value share) {
  Value overlapping = add(mul(length, number(getStep())), savedByOther);
  overlapping =
      add(overlapping,
          arith::SelectOp::create(b, isGreater(length, number(options.width)),
                                  savedByBlocks, number(0)));
  return add(mul(share, overlapping), number(-kPair));
}

/// The array that the segments of the other side are found by, if it is there
/// in front of all loops and known to hold those of the level.
Value WorkspaceCost::findPositions() {
  const IntersectionSide &side = loop.sides[1 - plan.side];
  Value start = scf::WhileOp(loop.loop).getInits()[side.arg];
  while (Operation *op = start.getDefiningOp()) {
    if (!isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
      break;
    start = op->getOperand(0);
  }
  auto load = start.getDefiningOp<memref::LoadOp>();
  auto isInside = [&](Value value) {
    return plan.place->isAncestor(value.getParentRegion()->getParentOp());
  };
  if (!load || isInside(load.getMemRef()) || isInside(side.coordinates))
    return Value();
  const StorageLevel &level = plan.levels[1 - plan.side];
  auto size = findStorageSize(load.getMemRef());
  bool isLevels = size && size.getSpecifier() == level.specifier &&
                  size.getLevelAttr() == level.level &&
                  size.getSpecifierKind() ==
                      sparse_tensor::StorageSpecifierKind::PosMemSize;
  return isLevels ? load.getMemRef() : Value();
}

/// The range of an average segment of the other side, none if it is empty, from
/// some that are spread over the level; not looked at unless it is wanted.
Value WorkspaceCost::buildOtherRange(Value positions, Value wanted) {
  const IntersectionSide &side = loop.sides[1 - plan.side];
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  auto loadPosition = [&](Value segment) {
    Value position = memref::LoadOp::create(b, positions, segment);
    return position.getType().isIndex()
               ? position
               : arith::IndexCastUIOp::create(b, b.getIndexType(), position)
                     .getResult();
  };
  Value segments = arith::SubIOp::create(
      b,
      getSize(plan.levels[1 - plan.side],
              sparse_tensor::StorageSpecifierKind::PosMemSize),
      index(1));
  Value some = arith::AndIOp::create(
      b, wanted,
      arith::CmpIOp::create(b, arith::CmpIPredicate::ne, segments, index(0)));
  Value samples = arith::SelectOp::create(b, some, index(kSamples), index(0));
  auto total = scf::ForOp::create(
      b, index(0), samples, index(1), ValueRange(number(0)),
      [&](OpBuilder &, Location, Value i, ValueRange sum) {
        Value segment = arith::DivUIOp::create(
            b, arith::MulIOp::create(b, i, segments), index(kSamples));
        Value start = loadPosition(segment);
        Value end = loadPosition(arith::AddIOp::create(b, segment, index(1)));
        Value nonEmpty =
            arith::CmpIOp::create(b, arith::CmpIPredicate::ult, start, end);
        auto next = scf::IfOp::create(
            b, nonEmpty,
            [&](OpBuilder &, Location) {
              Value last = arith::SubIOp::create(b, end, index(1));
              Value span = arith::SubIOp::create(b, loadIndex(b, side, last),
                                                 loadIndex(b, side, start));
              scf::YieldOp::create(b, add(sum[0], toNumber(span)));
            },
            [&](OpBuilder &, Location) { scf::YieldOp::create(b, sum); });
        scf::YieldOp::create(b, next.getResults());
      });
  return mul(total.getResult(0), number(1.0 / kSamples));
}

/// How many of the other segments overlap the own one. Of segments that are
/// mostly empty some say nothing of the others; a short one among them may be
/// any, a long one is not what their average is.
Value WorkspaceCost::buildShare(const CoordinateRange &range, Value length) {
  Value span = arith::SubIOp::create(b, range.last, range.first);
  if (!span.getType().isIndex())
    span = arith::IndexCastUIOp::create(b, b.getIndexType(), span);
  Value both = toNumber(span);
  both = add(both, otherRange ? otherRange : both);
  Value share =
      arith::MinNumFOp::create(b, mul(both, sharePerElement), number(1));
  Value isEmpty = isGreater(number(1), other);
  Value isShort = isGreater(number(kLong), length);
  Value isAny = arith::AndIOp::create(b, isEmpty, isShort);
  return arith::SelectOp::create(b, isAny, number(1), share);
}

/// Whether the coordinates of both levels are so many that allocating repays.
Value WorkspaceCost::buildHasMany() {
  Value stored;
  for (const StorageLevel &level : plan.levels) {
    Value size =
        getSize(level, sparse_tensor::StorageSpecifierKind::CrdMemSize);
    stored = stored ? Value(arith::AddIOp::create(b, stored, size)) : size;
  }
  Value limit = arith::ConstantIndexOp::create(b, kTinyOperands);
  return arith::CmpIOp::create(b, arith::CmpIPredicate::uge, stored, limit);
}

/// Whether the scalar loops of a call, where their number is known, are more
/// than the branch predictor remembers, or long enough for a lane even so.
Value WorkspaceCost::buildIsNew() {
  if (!knowsLoops())
    return arith::ConstantIntOp::create(b, b.getI1Type(), 1);
  Value steps = buildSteps();
  return arith::OrIOp::create(b, isFrom(steps, kShortPair),
                              isFrom(mul(buildKnownTrips(), steps), kFewSteps));
}

Value WorkspaceCost::buildIsLarge() {
  Value many = buildHasMany();
  auto large = scf::IfOp::create(
      b, many,
      [&](OpBuilder &, Location) {
        Value length = buildAverage(plan.levels[1 - plan.side]);
        Value fits =
            arith::OrIOp::create(b, isGreater(number(1), length),
                                 isFrom(length, kShortest[hasNoInstruction()]));
        // The loop outside may not know yet how often it runs; it is over the
        // segments of the other side.
        Value run =
            mul(buildSegments(plan.levels[1 - plan.side]), buildSteps());
        Value isLong =
            arith::OrIOp::create(b, isGreater(number(1), length),
                                 isFrom(run, kShortRun[!knowsLoops()]));
        fits = arith::AndIOp::create(b, fits, isLong);
        // The instruction needs no set-up, and its lane is never much slower.
        if (hasNoInstruction())
          fits = arith::AndIOp::create(b, fits, buildIsNew());
        scf::YieldOp::create(b, fits);
      },
      [&](OpBuilder &, Location) { scf::YieldOp::create(b, many); });
  return large.getResult(0);
}

Value WorkspaceCost::buildMayPay(Value size) {
  unsigned width = 1;
  for (Value array : plan.arrays)
    width += bytesOf(cast<MemRefType>(array.getType()).getElementType());
  Value elements = toNumber(size);
  // A division for each run would be seen in the time of short ones.
  sharePerElement = arith::DivFOp::create(b, number(1), elements);
  Value bytes = mul(elements, number(width));
  scatter = buildByDistance(bytes, kScatter);
  bool severalSums = options.order == FPOrder::Free;
  Value lookup = buildByDistance(bytes, severalSums ? kLookup : kOrderedLookup);
  Value faster = arith::SubFOp::create(b, number(getStep()), lookup);
  other = buildAverage(plan.levels[1 - plan.side]);
  savedByOther =
      add(mul(other, faster), number(kOverlapping[hasNoInstruction()]));
  savedByBlocks = arith::SelectOp::create(
      b, isGreater(other, number(options.width)), number(kBlocks), number(0));
  Value saved =
      mul(buildKnownTrips(), buildSaving(buildAverage(plan.levels[plan.side]),
                                         /*share=*/number(1)));
  Value repays =
      isGreater(saved, add(mul(bytes, number(kClear)), number(kAllocate)));
  Value limit = number(static_cast<double>(options.workspaceBytes));
  Value fits =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OLE, bytes, limit);
  Value pays = arith::AndIOp::create(b, repays, fits);
  if (!hasNoInstruction())
    pays = arith::AndIOp::create(b, pays, buildIsNew());
  if (Value positions = findPositions())
    otherRange = buildOtherRange(positions, pays);
  return pays;
}

Value WorkspaceCost::buildPays(const HoistedSegment &segment) {
  Value length = toNumber(arith::SubIOp::create(b, segment.end, segment.start));
  Value share = buildShare(segment.range, length);
  Value saved = mul(buildTrips(plan.outer), buildSaving(length, share));
  Value spent = add(mul(length, scatter), number(kRun));
  return isGreater(saved, spent);
}
