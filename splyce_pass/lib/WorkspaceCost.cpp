//===- WorkspaceCost.cpp - Whether a workspace pays -----------------------===//
//
// A pair of segments with m and n elements whose ranges overlap takes (m + n)
// steps of the masked lane, or n lookups; a lookup takes as long as the
// workspace is far away. Other pairs are skipped, by the masked lane sooner.
// Once for all pairs of a run of the loop outside m elements are scattered and
// cleared. Lengths are averages of their level where they are not known yet.
//
// The constants are nanoseconds on a Zen 5 with f64, fitted to SpGEMM on 41
// real matrices and uniform ones, and to SpMTTKRP on 61; what is decided
// depends on their ratios only, and where it is close either choice is good.
//
//===----------------------------------------------------------------------===//

#include "WorkspaceCost.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::splyce;

/// An element that the masked lane leaves behind, with sums a lane or in order.
static constexpr double kStep = 0.33, kOrderedStep = 0.45;
/// What any pair costs the masked lane less than the lookups.
static constexpr double kPair = 1.4;
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
/// Two calls of malloc, of free, and looking at some segments.
static constexpr double kAllocate = 100;
/// Coordinates of both levels below which allocating takes longer than the
/// whole scalar kernel.
static constexpr int64_t kTinyOperands = 64;
/// The average of the other segments above which few of them are so short that
/// a filter looks them up in front of the loop (`WorkspaceFilter.cpp`).
static constexpr double kUnfiltered = 12;
/// Steps of the scalar loops of a call that the branch predictor remembers from
/// the call before, and those of a pair of segments with which no lane is then
/// faster.
static constexpr double kFewSteps = 4096, kShortPair = 12;

/// What depends on the order in which the loop outside visits the segments of
/// the other side.
struct WorkspaceCost::VisitCosts {
  /// What an overlapping pair costs the masked lane more than the lookups: by
  /// vp2intersect and otherwise.
  double overlapping[2];
  /// What a pair of which both have more than a vector costs it more still: it
  /// leaves two loops, and not in the same iteration.
  double blocks;
  /// What a pair that matches costs the lookups more, where a branch on that is
  /// in front of the loop.
  double match;
  /// The two loops that scatter and clear, whatever they do, and how much an
  /// element is of what it takes alone.
  double run, scatter;
  /// The elements of the other segment below which the scalar loop is as fast
  /// as any lane, if they are not mostly empty: by vp2intersect and otherwise.
  double shortest[2];
  /// Steps of the scalar loops of a run of the loop outside that are done
  /// before anything is decided about it.
  double shortRun;
};

const WorkspaceCost::VisitCosts &WorkspaceCost::getVisits() const {
  // All segments in turn, the same for the next own one: the branch predictor
  // learns which of them overlap and match.
  static constexpr VisitCosts kInTurn = {/*overlapping=*/{1.75, 3.05},
                                         /*blocks=*/8,
                                         /*match=*/0,
                                         /*run=*/25,
                                         /*scatter=*/1,
                                         /*shortest=*/{2, 3.3},
                                         /*shortRun=*/400};
  // Those at the coordinates of another operand, as in SpMTTKRP: what matches
  // is not learnt, and runs are short, so that one scatters while the branches
  // of the one before are not settled.
  static constexpr VisitCosts kByCoordinates = {/*overlapping=*/{5, 6.3},
                                                /*blocks=*/0,
                                                /*match=*/16,
                                                /*run=*/0,
                                                /*scatter=*/0.5,
                                                /*shortest=*/{0, 0},
                                                /*shortRun=*/300};
  return isKnown(plan.outer) ? kInTurn : kByCoordinates;
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
        const VisitCosts &costs = getVisits();
        Value length = buildAverage(plan.levels[1 - plan.side]);
        Value fits = arith::OrIOp::create(
            b, isGreater(number(1), length),
            isFrom(length, costs.shortest[hasNoInstruction()]));
        // The loop outside may not know yet how often it runs; it is over the
        // segments of the other side.
        Value run =
            mul(buildSegments(plan.levels[1 - plan.side]), buildSteps());
        Value isLong = arith::OrIOp::create(b, isGreater(number(1), length),
                                            isFrom(run, costs.shortRun));
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
  overlap.begin(elements);
  Value bytes = mul(elements, number(width));
  scatter = mul(buildByDistance(bytes, kScatter), number(getVisits().scatter));
  bool severalSums = options.order == FPOrder::Free;
  Value lookup = buildByDistance(bytes, severalSums ? kLookup : kOrderedLookup);
  Value faster = arith::SubFOp::create(b, number(getStep()), lookup);
  Value other = overlap.buildOtherLength();
  savedByOther = add(mul(other, faster),
                     number(getVisits().overlapping[hasNoInstruction()]));
  savedByBlocks =
      arith::SelectOp::create(b, isGreater(other, number(options.width)),
                              number(getVisits().blocks), number(0));
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
  overlap.sampleOther(pays);
  if (double match = getVisits().match) {
    overlap.sampleOwn(pays);
    Value missed = arith::SelectOp::create(
        b, isGreater(other, number(kUnfiltered)), number(0), number(-match));
    savedByOther = add(savedByOther, mul(overlap.buildMatched(), missed));
    if (Value share = overlap.getUsualShare()) {
      savedByElement = mul(share, number(getStep()));
      savedByPair = add(mul(share, savedByOther), number(-kPair));
    }
  }
  return pays;
}

Value WorkspaceCost::buildPays(const HoistedSegment &segment) {
  Value length = toNumber(arith::SubIOp::create(b, segment.end, segment.start));
  // Where runs are short, one share for all costs them less than a better one:
  // the branch on the decision is then mostly the same.
  Value saving =
      savedByPair
          ? add(mul(length, savedByElement), savedByPair)
          : buildSaving(length, overlap.buildShare(segment.range, length));
  Value saved = mul(buildTrips(plan.outer), saving);
  Value spent = mul(length, scatter);
  if (double run = getVisits().run)
    spent = add(spent, number(run));
  return isGreater(saved, spent);
}
