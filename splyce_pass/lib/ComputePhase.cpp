//===- ComputePhase.cpp - Phase 2: combine what matches -------------------===//
//
// An element without a partner must not contribute. Its update is selected
// away, or its addend is replaced by -0.0, the only neutral number of addition.
//
//===----------------------------------------------------------------------===//

#include "ComputePhase.h"

#include "BodyAnalysis.h"
#include "VectorBody.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::splyce;

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

/// The addend of `accumulator + value` or `accumulator - value`.
static std::optional<Addend> matchAddend(Value update, Value accumulator) {
  if (auto add = update.getDefiningOp<arith::AddFOp>()) {
    if (add.getLhs() == accumulator)
      return Addend{add.getRhs(), false};
    if (add.getRhs() == accumulator)
      return Addend{add.getLhs(), false};
  }
  if (auto sub = update.getDefiningOp<arith::SubFOp>())
    if (sub.getLhs() == accumulator)
      return Addend{sub.getRhs(), true};
  return std::nullopt;
}

/// The addends, one for each accumulator, if all updates are sums of their own
/// accumulator and of nothing else that depends on one.
static SmallVector<Addend> matchAddends(const IntersectionLoop &loop) {
  llvm::SmallPtrSet<Operation *, 8> users = findAccumulatorUsers(loop);
  SmallVector<Addend> addends;
  for (auto [k, update] : llvm::enumerate(loop.updates)) {
    std::optional<Addend> addend = matchAddend(update, loop.getAccumulator(k));
    if (!addend || addend->value == loop.getAccumulator(k))
      return {};
    addends.push_back(*addend);
  }
  // Each accumulator has its addition as its only user.
  return users.size() == addends.size() ? addends : SmallVector<Addend>();
}

ComputePlan mlir::splyce::planCompute(const IntersectionLoop &loop,
                                      const LaneOptions &options) {
  ComputePlan plan;
  plan.guarded = !loop.speculatable;
  plan.simd = options.simdCompute && canVectorizeBody(loop);
  if (options.order != FPOrder::Source && (loop.speculatable || plan.simd))
    plan.addends = matchAddends(loop);
  if (options.order == FPOrder::Free && !plan.addends.empty()) {
    plan.flags = arith::FastMathFlags::reassoc;
    plan.vectorState = plan.simd && !plan.guarded;
  }
  return plan;
}

//===----------------------------------------------------------------------===//
// Scalar
//===----------------------------------------------------------------------===//

Value ComputePhase::add(ImplicitLocOpBuilder &b, Value lhs, Value rhs) const {
  return arith::AddFOp::create(b, lhs, rhs, plan.flags);
}

/// The number that an addition leaves everything as it is with.
static Value neutral(ImplicitLocOpBuilder &b, Type type) {
  Attribute zero = b.getFloatAttr(getElementTypeOrSelf(type), -0.0);
  if (auto vector = dyn_cast<VectorType>(type))
    zero = DenseElementsAttr::get(vector, zero);
  return arith::ConstantOp::create(b, cast<TypedAttr>(zero));
}

/// An addend where `found` is set, and the neutral number elsewhere.
static Value selectAddend(ImplicitLocOpBuilder &b, Value found, Value value,
                          bool isSubtracted) {
  if (isSubtracted)
    value = arith::NegFOp::create(b, value);
  return arith::SelectOp::create(b, found, value, neutral(b, value.getType()));
}

/// What each in-loop value is for one pair of the block.
static IRMapping mapPair(LaneBlock &block, Matches &matches, unsigned lane,
                         ValueRange state) {
  IRMapping mapping;
  mapping.map(block.loop.getCursor(0), block.getCursor(0, lane));
  mapping.map(block.loop.getCursor(1), matches.getPartnerCursor(lane));
  for (auto [k, value] : llvm::enumerate(state))
    mapping.map(block.loop.getAccumulator(k), value);
  return mapping;
}

SmallVector<Value> ComputePhase::cloneBody(LaneBlock &block, Matches &matches,
                                           unsigned lane, ValueRange state) {
  IRMapping mapping = mapPair(block, matches, lane, state);
  for (Operation *op : loop.body)
    block.b.clone(*op, mapping);
  SmallVector<Value> updated;
  for (Value update : loop.updates)
    updated.push_back(mapping.lookupOrDefault(update));
  return updated;
}

SmallVector<Value> ComputePhase::buildScalars(LaneBlock &block,
                                              Matches &matches,
                                              SmallVector<Value> state) {
  for (unsigned lane = 0; lane < block.width; ++lane)
    for (auto [old, updated] :
         llvm::zip(state, cloneBody(block, matches, lane, state)))
      old = arith::SelectOp::create(block.b, matches.getFound(lane), updated,
                                    old);
  return state;
}

SmallVector<Value> ComputePhase::buildScalarSums(LaneBlock &block,
                                                 Matches &matches,
                                                 ValueRange state) {
  ImplicitLocOpBuilder &b = block.b;
  llvm::SmallPtrSet<Operation *, 8> users = findAccumulatorUsers(loop);
  SmallVector<SmallVector<Value>> terms(state.size());
  for (unsigned lane = 0; lane < block.width; ++lane) {
    IRMapping mapping = mapPair(block, matches, lane, state);
    for (Operation *op : loop.body)
      if (!users.contains(op))
        b.clone(*op, mapping);
    for (auto [term, addend] : llvm::zip(terms, plan.addends))
      term.push_back(selectAddend(b, matches.getFound(lane),
                                  mapping.lookupOrDefault(addend.value),
                                  addend.isSubtracted));
  }
  SmallVector<Value> sums;
  for (auto [old, term] : llvm::zip(state, terms))
    sums.push_back(add(b, old, reducePairwise(term, [&](Value lhs, Value rhs) {
                         return add(b, lhs, rhs);
                       })));
  return sums;
}

/// Run the body of each matched pair in order, each under a branch of its own.
SmallVector<Value> ComputePhase::buildPairs(LaneBlock &block, Matches &matches,
                                            SmallVector<Value> state) {
  ImplicitLocOpBuilder &b = block.b;
  for (unsigned lane = 0; lane < block.width; ++lane) {
    auto branch = scf::IfOp::create(
        b, matches.getFound(lane),
        [&](OpBuilder &, Location) {
          scf::YieldOp::create(b, cloneBody(block, matches, lane, state));
        },
        [&](OpBuilder &, Location) { scf::YieldOp::create(b, state); });
    state.assign(branch.result_begin(), branch.result_end());
  }
  return state;
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

/// Add the two halves of a vector until one number is left.
static Value sumLanes(ImplicitLocOpBuilder &b, Value vector,
                      arith::FastMathFlags flags) {
  int64_t width = cast<VectorType>(vector.getType()).getNumElements();
  for (int64_t half = width / 2; half > 0; half /= 2) {
    auto low = llvm::to_vector(llvm::seq<int64_t>(0, half));
    auto high = llvm::to_vector(llvm::seq<int64_t>(half, 2 * half));
    Value lhs = vector::ShuffleOp::create(b, vector, vector, low);
    Value rhs = vector::ShuffleOp::create(b, vector, vector, high);
    vector = arith::AddFOp::create(b, lhs, rhs, flags);
  }
  return vector::ExtractOp::create(b, vector, 0);
}

SmallVector<Value> ComputePhase::buildVectors(LaneBlock &block,
                                              Matches &matches,
                                              ValueRange state) {
  ImplicitLocOpBuilder &b = block.b;
  VectorBody body(block, matches);
  body.build();
  if (plan.addends.empty())
    return body.buildOrdered(state);
  SmallVector<Value> sums;
  for (auto [old, addend] : llvm::zip(state, plan.addends)) {
    Value terms =
        selectAddend(b, matches.getFoundVector(), body.getVector(addend.value),
                     addend.isSubtracted);
    if (!plan.vectorState)
      terms = sumLanes(b, terms, plan.flags);
    sums.push_back(add(b, old, terms));
  }
  return sums;
}

//===----------------------------------------------------------------------===//
// The phase
//===----------------------------------------------------------------------===//

SmallVector<Value> ComputePhase::begin(ImplicitLocOpBuilder &b,
                                       ValueRange accumulators,
                                       unsigned width) {
  if (!plan.vectorState)
    return SmallVector<Value>(accumulators);
  SmallVector<Value> state;
  for (Value accumulator : accumulators)
    state.push_back(neutral(b, vectorOf(width, accumulator.getType())));
  return state;
}

SmallVector<Value> ComputePhase::buildPlain(LaneBlock &block, Matches &matches,
                                            ValueRange state) {
  if (plan.simd)
    return buildVectors(block, matches, state);
  if (plan.guarded)
    return buildPairs(block, matches, SmallVector<Value>(state));
  if (!plan.addends.empty())
    return buildScalarSums(block, matches, state);
  return buildScalars(block, matches, SmallVector<Value>(state));
}

SmallVector<Value> ComputePhase::build(LaneBlock &block, Matches &matches,
                                       ValueRange state) {
  if (!plan.guarded)
    return buildPlain(block, matches, state);
  // What the phases share must be built outside the branch.
  ImplicitLocOpBuilder &b = block.b;
  block.getCoordinates(0);
  Value any = matches.buildAny(plan.simd);
  auto branch = scf::IfOp::create(
      b, any,
      [&](OpBuilder &, Location) {
        scf::YieldOp::create(b, buildPlain(block, matches, state));
      },
      [&](OpBuilder &, Location) { scf::YieldOp::create(b, state); });
  return SmallVector<Value>(branch.getResults());
}

SmallVector<Value> ComputePhase::finish(ImplicitLocOpBuilder &b,
                                        ValueRange accumulators,
                                        ValueRange state) {
  if (!plan.vectorState)
    return SmallVector<Value>(state);
  SmallVector<Value> sums;
  for (auto [accumulator, terms] : llvm::zip(accumulators, state))
    sums.push_back(add(b, accumulator, sumLanes(b, terms, plan.flags)));
  return sums;
}
