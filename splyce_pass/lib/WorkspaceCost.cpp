//===- WorkspaceCost.cpp - Whether a workspace pays -----------------------===//
//
// A pair of segments with m and n elements takes (m + n) steps of the masked
// lane, or n lookups; a lookup takes as long as the workspace is far away. Once
// for all pairs of a run of the loop outside m elements are scattered and
// cleared. Lengths are averages of their level where they are not known yet.
//
// The constants are nanoseconds on a Zen 5 with f64; what is decided depends on
// their ratios only, and where it is close either choice is good.
//
//===----------------------------------------------------------------------===//

#include "WorkspaceCost.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"

using namespace mlir;
using namespace mlir::splyce;

/// An element that the masked lane leaves behind, with sums a lane or in order.
static constexpr double kStep = 0.5, kOrderedStep = 0.65;
/// What a pair of segments costs the masked lane more than the lookups.
static constexpr double kPair = 5;
/// A lookup, and scattering and clearing an element: within `cache-bytes`,
/// within `kOuterCaches` times that, and in memory.
static constexpr double kLookup[] = {0.5, 1, 5};
static constexpr double kScatter[] = {2.5, 5, 20};
static constexpr double kOuterCaches = 16;
/// A byte of a fresh workspace: the pages that the kernel hands out for it, and
/// clearing its tags.
static constexpr double kClear = 0.06;
/// Coordinates of both levels below which allocating takes longer than the
/// whole scalar kernel.
static constexpr int64_t kTinyOperands = 64;
/// Steps of the scalar loops of a call that the branch predictor remembers from
/// the call before, and those of a pair of segments with which no lane is then
/// faster.
static constexpr double kFewSteps = 4096, kShortPair = 12;
/// The two loops that scatter and clear, whatever they do.
static constexpr double kRun = 20;

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

/// The average length of the segments of a level.
Value WorkspaceCost::buildAverage(const StorageLevel &level) {
  auto get = [&](sparse_tensor::StorageSpecifierKind kind) {
    return toNumber(sparse_tensor::GetStorageSpecifierOp::create(
        b, level.specifier,
        sparse_tensor::StorageSpecifierKindAttr::get(b.getContext(), kind),
        level.level));
  };
  Value elements = get(sparse_tensor::StorageSpecifierKind::CrdMemSize);
  Value positions = get(sparse_tensor::StorageSpecifierKind::PosMemSize);
  return arith::DivFOp::create(b, elements, add(positions, number(-1)));
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

/// How many pairs of segments there are at least, of what is known at the
/// place: other loops run once at least.
Value WorkspaceCost::buildKnownTrips() {
  Value trips = number(1);
  for (Operation *loop : getLoops())
    if (isKnown(loop))
      trips = mul(trips, buildTrips(loop));
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

/// What a pair of segments saves, given the length of the own one.
Value WorkspaceCost::buildSaving(Value length) {
  bool inOrder = options.order == FPOrder::Source;
  Value steps = mul(length, number(inOrder ? kOrderedStep : kStep));
  return add(steps, savedByOther);
}

/// Whether the coordinates of both levels are so many that allocating repays.
Value WorkspaceCost::buildHasMany() {
  Value stored;
  for (const StorageLevel &level : plan.levels) {
    Value size = sparse_tensor::GetStorageSpecifierOp::create(
        b, level.specifier,
        sparse_tensor::StorageSpecifierKindAttr::get(
            b.getContext(), sparse_tensor::StorageSpecifierKind::CrdMemSize),
        level.level);
    stored = stored ? Value(arith::AddIOp::create(b, stored, size)) : size;
  }
  Value limit = arith::ConstantIndexOp::create(b, kTinyOperands);
  return arith::CmpIOp::create(b, arith::CmpIPredicate::uge, stored, limit);
}

Value WorkspaceCost::buildIsLarge() {
  Value many = buildHasMany();
  if (!llvm::all_of(getLoops(), [&](Operation *loop) { return isKnown(loop); }))
    return many;
  auto isFrom = [&](Value value, double least) -> Value {
    return arith::CmpFOp::create(b, arith::CmpFPredicate::UGE, value,
                                 number(least));
  };
  auto large = scf::IfOp::create(
      b, many,
      [&](OpBuilder &, Location) {
        Value steps =
            add(buildAverage(plan.levels[0]), buildAverage(plan.levels[1]));
        Value all = mul(buildKnownTrips(), steps);
        Value isLong = isFrom(steps, kShortPair);
        Value isMany = isFrom(all, kFewSteps);
        Value either = arith::OrIOp::create(b, isLong, isMany);
        scf::YieldOp::create(b, either);
      },
      [&](OpBuilder &, Location) { scf::YieldOp::create(b, many); });
  return large.getResult(0);
}

Value WorkspaceCost::buildMayPay(Value size) {
  unsigned width = 1;
  for (Value array : plan.arrays)
    width += bytesOf(cast<MemRefType>(array.getType()).getElementType());
  Value elements = toNumber(size);
  Value bytes = mul(elements, number(width));
  scatter = buildByDistance(bytes, kScatter);
  bool inOrder = options.order == FPOrder::Source;
  Value lookup = buildByDistance(bytes, kLookup);
  Value faster =
      arith::SubFOp::create(b, number(inOrder ? kOrderedStep : kStep), lookup);
  Value other = buildAverage(plan.levels[1 - plan.side]);
  savedByOther = add(mul(other, faster), number(kPair));
  Value saved =
      mul(buildKnownTrips(), buildSaving(buildAverage(plan.levels[plan.side])));
  Value repays = isGreater(saved, mul(bytes, number(kClear)));
  Value limit = number(static_cast<double>(options.workspaceBytes));
  Value fits =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OLE, bytes, limit);
  return arith::AndIOp::create(b, repays, fits);
}

Value WorkspaceCost::buildPays(Value length) {
  Value elements = toNumber(length);
  Value saved = mul(buildTrips(plan.outer), buildSaving(elements));
  Value spent = add(mul(elements, scatter), number(kRun));
  return isGreater(saved, spent);
}
