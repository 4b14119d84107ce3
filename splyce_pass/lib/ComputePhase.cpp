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
  if (options.lane == Lane::Masked) {
    plan.vectorState = plan.simd && !plan.addends.empty();
    if (options.order == FPOrder::Source && plan.simd)
      plan.ordered = matchAddends(loop);
  }
  return plan;
}

//===----------------------------------------------------------------------===//
// Scalar
//===----------------------------------------------------------------------===//

Value ComputePhase::add(ImplicitLocOpBuilder &b, Value lhs, Value rhs) const {
  return arith::AddFOp::create(b, lhs, rhs, plan.flags);
}

/// A number, or a vector of it.
static Value constantOf(ImplicitLocOpBuilder &b, Type type, double number) {
  Attribute value = b.getFloatAttr(getElementTypeOrSelf(type), number);
  if (auto vector = dyn_cast<VectorType>(type))
    value = DenseElementsAttr::get(vector, value);
  return arith::ConstantOp::create(b, cast<TypedAttr>(value));
}

/// The number that an addition leaves everything as it is with.
static Value neutral(ImplicitLocOpBuilder &b, Type type) {
  return constantOf(b, type, -0.0);
}

/// An addend where `found` is set, and the neutral number elsewhere.
static Value selectAddend(ImplicitLocOpBuilder &b, Value found, Value value,
                          bool isSubtracted) {
  if (isSubtracted)
    value = arith::NegFOp::create(b, value);
  return arith::SelectOp::create(b, found, value, neutral(b, value.getType()));
}

/// The load of an operation of the body at a cursor.
static memref::LoadOp asSideLoad(Operation *op, const IntersectionLoop &loop) {
  auto load = dyn_cast_or_null<memref::LoadOp>(op);
  return load && loop.getSideOfLoad(load) ? load : memref::LoadOp();
}

/// What the body reads of one pair: elements where phase 1 has put them side by
/// side, and the cursors for whatever else looks at them.
IRMapping ComputePhase::mapPair(LaneBlock &block, Matches &matches,
                                unsigned lane) const {
  IRMapping mapping;
  for (Operation *op : loop.body) {
    memref::LoadOp load = asSideLoad(op, loop);
    if (load && matches.isSimd()) {
      mapping.map(load.getResult(), matches.getLoaded(load, lane));
      continue;
    }
    for (Value operand : op->getOperands()) {
      if (operand == loop.getCursor(0))
        mapping.map(operand, block.getCursor(0, lane));
      else if (operand == loop.getCursor(1))
        mapping.map(operand, matches.getPartnerCursor(lane));
    }
  }
  return mapping;
}

/// Repeat operations for one pair, except those that it is known for.
static void cloneFor(ImplicitLocOpBuilder &b, Operation *op,
                     IRMapping &mapping) {
  if (op->getNumResults() == 0 || !mapping.contains(op->getResult(0)))
    b.clone(*op, mapping);
}

SmallVector<Value> ComputePhase::cloneBody(LaneBlock &block, Matches &matches,
                                           unsigned lane, ValueRange state) {
  IRMapping mapping = mapPair(block, matches, lane);
  for (auto [k, value] : llvm::enumerate(state))
    mapping.map(loop.getAccumulator(k), value);
  for (Operation *op : loop.body)
    cloneFor(block.b, op, mapping);
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

/// The addends of a product of one element of each side. Phase 1 replaces what
/// matches nothing by zeros whose product is the neutral number.
static SmallVector<Value> buildProducts(LaneBlock &block, Matches &matches,
                                        const Addend &addend) {
  ImplicitLocOpBuilder &b = block.b;
  auto product = addend.value.getDefiningOp<arith::MulFOp>();
  std::array<SmallVector<Value>, 2> factors;
  for (auto [number, operand] : llvm::enumerate(product->getOperands())) {
    auto load = operand.getDefiningOp<memref::LoadOp>();
    Value elements = matches.getLoadedVector(load, /*zeroUnmatched=*/true);
    if (*block.loop.getSideOfLoad(load) == 0) {
      Value zero =
          constantOf(b, elements.getType(), addend.isSubtracted ? 0.0 : -0.0);
      elements =
          arith::SelectOp::create(b, matches.getFoundVector(), elements, zero);
    }
    factors[number] = extractLanes(b, elements);
  }
  SmallVector<Value> terms;
  for (auto [lhs, rhs] : llvm::zip(factors[0], factors[1])) {
    IRMapping mapping;
    mapping.map(product->getOperands(), ValueRange{lhs, rhs});
    Value term = b.clone(*product, mapping)->getResult(0);
    terms.push_back(addend.isSubtracted ? arith::NegFOp::create(b, term)
                                        : term);
  }
  return terms;
}

/// Whether a value is the product of one element of each side.
static bool isPairProduct(Value value, const IntersectionLoop &loop) {
  auto product = value.getDefiningOp<arith::MulFOp>();
  if (!product)
    return false;
  auto lhs = asSideLoad(product.getLhs().getDefiningOp(), loop);
  auto rhs = asSideLoad(product.getRhs().getDefiningOp(), loop);
  return lhs && rhs && loop.getSideOfLoad(lhs) != loop.getSideOfLoad(rhs);
}

SmallVector<Value> ComputePhase::buildTerms(LaneBlock &block, Matches &matches,
                                            const Addend &addend) const {
  if (matches.isSimd() && isPairProduct(addend.value, loop))
    return buildProducts(block, matches, addend);
  ImplicitLocOpBuilder &b = block.b;
  llvm::SmallPtrSet<Operation *, 8> users = findAccumulatorUsers(loop);
  SmallVector<Value> terms;
  for (unsigned lane = 0; lane < block.width; ++lane) {
    IRMapping mapping = mapPair(block, matches, lane);
    for (Operation *op : loop.body)
      if (!users.contains(op))
        cloneFor(b, op, mapping);
    terms.push_back(selectAddend(b, matches.getFound(lane),
                                 mapping.lookupOrDefault(addend.value),
                                 addend.isSubtracted));
  }
  return terms;
}

SmallVector<Value> ComputePhase::buildScalarSums(LaneBlock &block,
                                                 Matches &matches,
                                                 ValueRange state) {
  ImplicitLocOpBuilder &b = block.b;
  SmallVector<Value> sums;
  for (auto [old, addend] : llvm::zip(state, plan.addends)) {
    SmallVector<Value> terms = buildTerms(block, matches, addend);
    sums.push_back(add(b, old, reduceHalves(terms, [&](Value lhs, Value rhs) {
                         return add(b, lhs, rhs);
                       })));
  }
  return sums;
}

/// Run the body of each matched pair in order, each under a branch of its own.
SmallVector<Value> ComputePhase::buildPairs(LaneBlock &block, Matches &matches,
                                            SmallVector<Value> state) {
  ImplicitLocOpBuilder &b = block.b;
  // What the pairs share must be built outside their branches.
  mapPair(block, matches, 0);
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

/// Add the terms of a block as in source order. What does not match is neutral:
/// up to one match has only one order, and its sum needs one addition in the
/// chain from block to block.
SmallVector<Value> ComputePhase::buildOrderedSums(LaneBlock &block,
                                                  VectorBody &body,
                                                  Matches &matches,
                                                  ValueRange state) {
  ImplicitLocOpBuilder &b = block.b;
  SmallVector<Value> terms;
  for (const Addend &addend : plan.ordered)
    terms.push_back(selectAddend(b, matches.getFoundVector(),
                                 body.getVector(addend.value),
                                 addend.isSubtracted));
  auto buildSums = [&](llvm::function_ref<Value(Value, Value)> addVector) {
    SmallVector<Value> sums;
    for (auto [old, vector] : llvm::zip(state, terms))
      sums.push_back(addVector(old, vector));
    scf::YieldOp::create(b, sums);
  };
  Value one = arith::ConstantIntOp::create(b, b.getI64Type(), 1);
  Value several =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ugt,
                            matches.buildCount(/*fromVector=*/true), one);
  auto branch = scf::IfOp::create(
      b, several,
      [&](OpBuilder &, Location) {
        buildSums([&](Value sum, Value vector) {
          for (Value term : extractLanes(b, vector))
            sum = add(b, sum, term);
          return sum;
        });
      },
      [&](OpBuilder &, Location) {
        buildSums([&](Value sum, Value vector) {
          return add(b, sum, sumLanes(b, vector, plan.flags));
        });
      });
  return SmallVector<Value>(branch.getResults());
}

/// The addends of a product of one element of each side whose matches are in
/// front: behind them it is that of -0.0 and one, which is neutral. A mask of
/// as many lanes as match would wait for the number of them.
static Value buildFilledProduct(LaneBlock &block, Matches &matches,
                                const Addend &addend) {
  ImplicitLocOpBuilder &b = block.b;
  auto product = addend.value.getDefiningOp<arith::MulFOp>();
  VectorType type = vectorOf(block.width, product.getType());
  IRMapping mapping;
  for (Value operand : product->getOperands()) {
    auto load = operand.getDefiningOp<memref::LoadOp>();
    double other = addend.isSubtracted ? -1.0 : 1.0;
    double fill = *block.loop.getSideOfLoad(load) == 0 ? -0.0 : other;
    mapping.map(operand,
                matches.getMatchedVector(load, constantOf(b, type, fill)));
  }
  Value terms = b.clone(*product, mapping)->getResult(0);
  terms.setType(type);
  return addend.isSubtracted ? arith::NegFOp::create(b, terms) : terms;
}

SmallVector<Value> ComputePhase::buildVectors(LaneBlock &block,
                                              Matches &matches,
                                              ValueRange state) {
  ImplicitLocOpBuilder &b = block.b;
  VectorBody body(block, matches);
  body.build();
  if (!plan.ordered.empty())
    return buildOrderedSums(block, body, matches, state);
  if (plan.addends.empty())
    return body.buildOrdered(state);
  SmallVector<Value> sums;
  for (auto [old, addend] : llvm::zip(state, plan.addends)) {
    bool isFilled = matches.areInFront() && isPairProduct(addend.value, loop);
    Value terms = isFilled ? buildFilledProduct(block, matches, addend)
                           : selectAddend(b, matches.getFoundVector(),
                                          body.getVector(addend.value),
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
