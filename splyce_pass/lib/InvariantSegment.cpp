//===- InvariantSegment.cpp - A segment shared by iterations --------------===//

#include "InvariantSegment.h"

#include "BodyAnalysis.h"
#include "LaneBlock.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::splyce;

//===----------------------------------------------------------------------===//
// Whether there is one
//===----------------------------------------------------------------------===//

/// Set the reason of a failure.
static LogicalResult fail(std::string &reason, const Twine &text) {
  reason = text.str();
  return failure();
}

/// Whether a value is made outside of a loop.
static bool isOutside(const OuterLoop &outer, Value value) {
  return !outer.op->isAncestor(value.getParentRegion()->getParentOp());
}

/// Collect the buffers that the loop stores to.
static LogicalResult collectWrites(OuterLoop &outer, std::string &reason) {
  auto result = outer.op->walk([&](Operation *op) {
    if (auto store = dyn_cast<memref::StoreOp>(op)) {
      outer.written.insert(getRoot(store.getMemRef()));
      return WalkResult::advance();
    }
    if (isa<memref::LoadOp>(op) || isMemoryEffectFree(op) ||
        op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
      return WalkResult::advance();
    (void)fail(reason, "'" + op->getName().getStringRef() +
                           "' in the loop outside has a side effect");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

FailureOr<OuterLoop> mlir::splyce::findOuterLoop(const IntersectionLoop &loop,
                                                 std::string &reason) {
  OuterLoop outer;
  outer.op = scf::WhileOp(loop.loop)->getParentOp();
  if (!isa<scf::ForOp, scf::ParallelOp>(outer.op))
    return fail(reason, "no loop is directly outside");
  if (failed(collectWrites(outer, reason)))
    return failure();
  return outer;
}

LogicalResult mlir::splyce::checkUnchanged(const OuterLoop &outer,
                                           ArrayRef<Value> arrays,
                                           std::string &reason) {
  for (Value array : arrays)
    if (!isOutside(outer, array))
      return fail(reason, "has an array that is made in the loop outside");
  for (Value array : arrays)
    if (outer.written.contains(getRoot(array)))
      return fail(reason, "is in a buffer that the loop outside stores to");
  return success();
}

/// Collect what computes a value in the loop outside, if each iteration
/// computes the same.
static LogicalResult
collectProducers(Value value, const OuterLoop &outer, Block *block,
                 llvm::SmallSetVector<Operation *, 16> &producers) {
  if (isOutside(outer, value))
    return success();
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != block ||
      (!isPure(op) && !isa<memref::LoadOp>(op)))
    return failure();
  for (Value operand : op->getOperands())
    if (failed(collectProducers(operand, outer, block, producers)))
      return failure();
  producers.insert(op);
  return success();
}

FailureOr<InvariantSegment>
mlir::splyce::findInvariantSegment(const IntersectionLoop &loop,
                                   const OuterLoop &outer, unsigned side,
                                   std::string &reason) {
  scf::WhileOp scalar = loop.loop;
  const IntersectionSide &operand = loop.sides[side];
  llvm::SmallSetVector<Operation *, 16> producers;
  for (Value bound : {scalar.getInits()[operand.arg], operand.end})
    if (failed(collectProducers(bound, outer, scalar->getBlock(), producers)))
      return fail(reason, "changes in the loop outside");
  SmallVector<Value> read = {operand.coordinates};
  for (Operation *op : producers)
    if (auto load = dyn_cast<memref::LoadOp>(op))
      read.push_back(load.getMemRef());
  if (failed(checkUnchanged(outer, read, reason)))
    return failure();
  return InvariantSegment{side, outer.op, llvm::to_vector(producers)};
}

//===----------------------------------------------------------------------===//
// In front of the loop outside
//===----------------------------------------------------------------------===//

/// Whether a loop has an iteration: only then may be loaded what is loaded in
/// it.
static Value buildRuns(ImplicitLocOpBuilder &b, Operation *op) {
  SmallVector<Value> lower, upper;
  arith::CmpIPredicate less = arith::CmpIPredicate::slt;
  if (auto outer = dyn_cast<scf::ForOp>(op)) {
    lower.push_back(outer.getLowerBound());
    upper.push_back(outer.getUpperBound());
    if (outer.getUnsignedCmp())
      less = arith::CmpIPredicate::ult;
  } else {
    llvm::append_range(lower, cast<scf::ParallelOp>(op).getLowerBound());
    llvm::append_range(upper, cast<scf::ParallelOp>(op).getUpperBound());
  }
  Value runs;
  for (auto [from, to] : llvm::zip(lower, upper)) {
    Value some = arith::CmpIOp::create(b, less, from, to);
    runs = runs ? Value(arith::AndIOp::create(b, runs, some)) : some;
  }
  return runs;
}

/// Build what gives two values under a condition, and twice a constant
/// otherwise.
static std::array<Value, 2>
buildPairIf(ImplicitLocOpBuilder &b, Value condition, Type type,
            llvm::function_ref<std::array<Value, 2>()> build) {
  auto pair = scf::IfOp::create(
      b, condition,
      [&](OpBuilder &, Location) { scf::YieldOp::create(b, build()); },
      [&](OpBuilder &, Location) {
        Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
        scf::YieldOp::create(b, ValueRange{zero, zero});
      });
  return {pair.getResult(0), pair.getResult(1)};
}

HoistedSegment mlir::splyce::hoistSegment(ImplicitLocOpBuilder &b,
                                          const IntersectionLoop &loop,
                                          const InvariantSegment &segment) {
  const IntersectionSide &operand = loop.sides[segment.side];
  Value init = scf::WhileOp(loop.loop).getInits()[operand.arg];
  b.setInsertionPoint(segment.outer);
  auto bounds = buildPairIf(b, buildRuns(b, segment.outer), b.getIndexType(),
                            [&]() -> std::array<Value, 2> {
                              IRMapping mapping;
                              for (Operation *op : segment.producers)
                                b.clone(*op, mapping);
                              return {mapping.lookupOrDefault(init),
                                      mapping.lookupOrDefault(operand.end)};
                            });
  HoistedSegment hoisted;
  hoisted.side = segment.side;
  hoisted.start = bounds[0];
  hoisted.end = bounds[1];
  hoisted.nonEmpty = buildNonEmpty(b, operand, hoisted.start, hoisted.end);
  auto range = buildPairIf(b, hoisted.nonEmpty, getComparedType(loop),
                           [&]() -> std::array<Value, 2> {
                             CoordinateRange found =
                                 loadRange(b, loop, segment.side, hoisted.start,
                                           hoisted.end);
                             return {found.first, found.last};
                           });
  hoisted.range = {range[0], range[1]};
  return hoisted;
}

/// Let the two-finger loop begin and end with a segment.
static void useSegment(IntersectionLoop &loop, const HoistedSegment &segment) {
  scf::WhileOp scalar = loop.loop;
  IntersectionSide &operand = loop.sides[segment.side];
  scalar.getInitsMutable()[operand.arg].assign(segment.start);
  scalar->walk(
      [&](Operation *op) { op->replaceUsesOfWith(operand.end, segment.end); });
  operand.end = segment.end;
}

std::optional<HoistedSegment>
mlir::splyce::hoistAnySegment(IntersectionLoop &loop) {
  std::string ignored;
  FailureOr<OuterLoop> outer = findOuterLoop(loop, ignored);
  if (failed(outer))
    return std::nullopt;
  for (unsigned side : {0, 1}) {
    auto segment = findInvariantSegment(loop, *outer, side, ignored);
    if (failed(segment))
      continue;
    ImplicitLocOpBuilder b(scf::WhileOp(loop.loop).getLoc(), segment->outer);
    HoistedSegment hoisted = hoistSegment(b, loop, *segment);
    useSegment(loop, hoisted);
    return hoisted;
  }
  return std::nullopt;
}
