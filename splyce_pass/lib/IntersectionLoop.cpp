//===- IntersectionLoop.cpp - Recognise the two-finger loop ---------------===//
//
// The loop condition is matched by its operations; the body is matched by what
// it does when the coordinate of one side is less than, equal to or greater
// than that of the other.
//
//===----------------------------------------------------------------------===//

#include "Splyce/IntersectionLoop.h"

#include "BodyAnalysis.h"
#include "OrderEvaluator.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::splyce;

Value IntersectionLoop::getCursor(unsigned side) const {
  return scf::WhileOp(loop).getAfterArguments()[sides[side].arg];
}

Value IntersectionLoop::getAccumulator(unsigned k) const {
  return scf::WhileOp(loop).getAfterArguments()[accumulators[k]];
}

bool IntersectionLoop::isInvariant(Value value) const {
  return !loop->isAncestor(value.getParentRegion()->getParentOp());
}

std::optional<unsigned>
IntersectionLoop::getSideOfLoad(memref::LoadOp load) const {
  auto type = cast<MemRefType>(load.getMemRef().getType());
  if (type.getRank() != 1 || !isInvariant(load.getMemRef()) ||
      !type.isLastDimUnitStride() ||
      !VectorType::isValidElementType(type.getElementType()))
    return std::nullopt;
  for (unsigned side : {0, 1})
    if (load.getIndices().front() == getCursor(side))
      return side;
  return std::nullopt;
}

bool IntersectionLoop::isMatchedCoordinate(Value value) const {
  OrderingFacts ignored;
  OrderEvaluator evaluator(*this, Order::Equal, ignored);
  return evaluator.evaluate(value).kind == Term::Kind::Coordinate;
}

namespace {

/// Fills in an IntersectionLoop step by step and keeps the reason of a failure.
class Matcher {
public:
  Matcher(scf::WhileOp loop, std::string &reason) : reason(reason) {
    result.loop = loop;
  }

  FailureOr<IntersectionLoop> match() {
    if (failed(matchCondition()) || failed(matchEffects()) ||
        failed(matchCoordinates()) || failed(matchOrders()) ||
        failed(matchOrdering()) || failed(analyzeBody(result, reason)))
      return failure();
    return result;
  }

private:
  LogicalResult fail(const Twine &text) {
    reason = text.str();
    return failure();
  }
  LogicalResult matchCondition();
  LogicalResult matchBound(Value condition, IntersectionSide &side);
  LogicalResult matchEffects();
  LogicalResult matchCoordinates();
  LogicalResult matchCoordinates(IntersectionSide &side);
  LogicalResult matchOrders();
  LogicalResult matchSteps(OrderEvaluator &evaluator, Order order);
  LogicalResult matchBranch(std::array<OrderEvaluator *, 3> evaluators);
  LogicalResult matchOrdering();

  IntersectionLoop result;
  OrderingFacts facts;
  scf::IfOp branch;
  std::string &reason;
};

} // namespace

/// Match `cursor < end`, either way round.
LogicalResult Matcher::matchBound(Value condition, IntersectionSide &side) {
  auto cmp = condition.getDefiningOp<arith::CmpIOp>();
  if (!cmp || !cmp.getLhs().getType().isIndex())
    return fail("the loop condition is not the conjunction of two bounds");
  using Predicate = arith::CmpIPredicate;
  Predicate predicate = cmp.getPredicate();
  bool isLess = predicate == Predicate::ult || predicate == Predicate::slt;
  bool isGreater = predicate == Predicate::ugt || predicate == Predicate::sgt;
  if (!isLess && !isGreater)
    return fail("a bound of the loop condition is not a strict comparison");
  Value cursor = isLess ? cmp.getLhs() : cmp.getRhs();
  side.end = isLess ? cmp.getRhs() : cmp.getLhs();
  side.signedBound = predicate == Predicate::slt || predicate == Predicate::sgt;
  auto argument = dyn_cast<BlockArgument>(cursor);
  if (!argument || argument.getOwner() != result.loop.getBeforeBody())
    return fail("a bound of the loop condition does not compare a cursor");
  if (!result.isInvariant(side.end))
    return fail("a segment end changes in the loop");
  side.arg = argument.getArgNumber();
  return success();
}

LogicalResult Matcher::matchCondition() {
  scf::ConditionOp condition = result.loop.getConditionOp();
  Block *before = result.loop.getBeforeBody();
  if (!llvm::equal(condition.getArgs(), before->getArguments()))
    return fail(
        "the loop condition does not forward its arguments as they are");
  if (!llvm::all_of(before->without_terminator(),
                    [](Operation &op) { return isPure(&op); }))
    return fail("the loop condition has a side effect");
  auto both = condition.getCondition().getDefiningOp<arith::AndIOp>();
  if (!both)
    return fail("the loop condition is not the conjunction of two bounds");
  if (failed(matchBound(both.getLhs(), result.sides[0])) ||
      failed(matchBound(both.getRhs(), result.sides[1])))
    return failure();
  if (result.sides[0].arg == result.sides[1].arg)
    return fail("both bounds compare the same cursor");
  if (result.sides[0].arg > result.sides[1].arg)
    std::swap(result.sides[0], result.sides[1]);
  for (unsigned arg = 0; arg < before->getNumArguments(); ++arg)
    if (arg != result.sides[0].arg && arg != result.sides[1].arg)
      result.accumulators.push_back(arg);
  return success();
}

/// Outside the branch there are only loads and pure operations.
LogicalResult Matcher::matchEffects() {
  for (Operation &op : result.loop.getAfterBody()->without_terminator()) {
    if (auto found = dyn_cast<scf::IfOp>(op)) {
      if (branch)
        return fail("the body has more than one branch");
      branch = found;
      continue;
    }
    if (op.getNumRegions() != 0)
      return fail("the body has an inner '" + op.getName().getStringRef() +
                  "'");
    if (!isa<memref::LoadOp>(op) && !isMemoryEffectFree(&op))
      return fail("'" + op.getName().getStringRef() + "' has a side effect");
  }
  if (!branch)
    return fail("the body has no branch");
  return success();
}

/// Find the one integer array that is read at the cursor in every iteration.
LogicalResult Matcher::matchCoordinates(IntersectionSide &side) {
  unsigned number = &side - result.sides.data();
  for (auto load : result.loop.getAfterBody()->getOps<memref::LoadOp>()) {
    if (result.getSideOfLoad(load) != number || !load.getType().isIntOrIndex())
      continue;
    if (side.coordinates && side.coordinates != load.getMemRef())
      return fail("two integer arrays are read at one cursor");
    side.coordinates = load.getMemRef();
  }
  if (!side.coordinates)
    return fail("no contiguous coordinates are read at a cursor");
  if (!side.getCoordinateType().isIndex() &&
      side.getCoordinateType().getIntOrFloatBitWidth() > 64)
    return fail("coordinates are wider than 64 bits");
  return success();
}

LogicalResult Matcher::matchCoordinates() {
  return success(succeeded(matchCoordinates(result.sides[0])) &&
                 succeeded(matchCoordinates(result.sides[1])));
}

/// Check how the loop-carried values change under one order.
LogicalResult Matcher::matchSteps(OrderEvaluator &evaluator, Order order) {
  scf::YieldOp yield = result.loop.getYieldOp();
  std::array<int64_t, 2> steps = {order != Order::Greater,
                                  order != Order::Less};
  for (unsigned side : {0, 1}) {
    Term next = evaluator.evaluate(yield.getOperand(result.sides[side].arg));
    if (!next.isOther(result.getCursor(side), steps[side]))
      return fail("a cursor does not advance as in an intersection");
  }
  for (auto [k, arg] : llvm::enumerate(result.accumulators)) {
    Term next = evaluator.evaluate(yield.getOperand(arg));
    if (order == Order::Equal)
      result.updates.push_back(next.base);
    else if (!next.isOther(result.getAccumulator(k), 0))
      return fail("a loop-carried value changes where coordinates differ");
    if (order == Order::Equal &&
        (next.kind != Term::Kind::Other || next.offset))
      return fail("the update of a loop-carried value is not understood");
  }
  return success();
}

/// The branch must run one block on equal coordinates, and nothing otherwise.
LogicalResult Matcher::matchBranch(std::array<OrderEvaluator *, 3> evaluators) {
  SmallVector<Term, 3> taken;
  for (OrderEvaluator *evaluator : evaluators)
    taken.push_back(evaluator->evaluate(branch.getCondition()));
  bool isThen = taken[0].isConstant(0) && taken[1].isConstant(1) &&
                taken[2].isConstant(0);
  bool isElse = taken[0].isConstant(1) && taken[1].isConstant(0) &&
                taken[2].isConstant(1);
  if (!isThen && !isElse)
    return fail("the branch does not test for equal coordinates");
  result.matchedBlock = isThen ? branch.thenBlock() : branch.elseBlock();
  Block *other = isThen ? branch.elseBlock() : branch.thenBlock();
  if (!result.matchedBlock)
    return fail("the branch is empty on equal coordinates");
  if (other && !other->without_terminator().empty())
    return fail("the branch also works where coordinates differ");
  return success();
}

LogicalResult Matcher::matchOrders() {
  OrderEvaluator less(result, Order::Less, facts);
  OrderEvaluator equal(result, Order::Equal, facts);
  OrderEvaluator greater(result, Order::Greater, facts);
  if (failed(matchBranch({&less, &equal, &greater})) ||
      failed(matchSteps(less, Order::Less)) ||
      failed(matchSteps(equal, Order::Equal)) ||
      failed(matchSteps(greater, Order::Greater)))
    return failure();
  return success();
}

LogicalResult Matcher::matchOrdering() {
  if (facts.conflict || (facts.sawSigned && facts.sawUnsigned))
    return fail("coordinates are compared in more than one way");
  result.signedOrder = facts.sawSigned;
  for (unsigned side : {0, 1})
    result.sides[side].extension = facts.extensions[side];
  return success();
}

FailureOr<IntersectionLoop>
mlir::splyce::matchIntersectionLoop(scf::WhileOp loop, std::string &reason) {
  if (loop->hasAttr(kEpilogueAttr)) {
    reason = "it already has a fast lane";
    return failure();
  }
  return Matcher(loop, reason).match();
}
