//===- OrderEvaluator.cpp - What a loop does for an order -----------------===//

#include "OrderEvaluator.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::splyce;

/// A term for a known number; i1 counts as 0 or 1.
static Term constant(int64_t value) {
  Term term;
  term.kind = Term::Kind::Constant;
  term.offset = value;
  return term;
}

/// A term for a value that is not looked into.
static Term opaque(Value value) {
  Term term;
  term.base = value;
  return term;
}

/// Whether `order` is what the predicate asks for.
static bool holds(arith::CmpIPredicate predicate, Order order) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return order == Order::Equal;
  case arith::CmpIPredicate::ne:
    return order != Order::Equal;
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::ult:
    return order == Order::Less;
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ule:
    return order != Order::Greater;
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::ugt:
    return order == Order::Greater;
  case arith::CmpIPredicate::sge:
  case arith::CmpIPredicate::uge:
    return order != Order::Less;
  }
  llvm_unreachable("unknown predicate");
}

/// The order seen from the other side.
static Order flip(Order order) {
  if (order == Order::Equal)
    return order;
  return order == Order::Less ? Order::Greater : Order::Less;
}

/// Whether the predicate only tells equal from different.
static bool isEquality(arith::CmpIPredicate predicate) {
  return predicate == arith::CmpIPredicate::eq ||
         predicate == arith::CmpIPredicate::ne;
}

/// Whether the predicate orders signed integers.
static bool isSigned(arith::CmpIPredicate predicate) {
  return predicate == arith::CmpIPredicate::slt ||
         predicate == arith::CmpIPredicate::sle ||
         predicate == arith::CmpIPredicate::sgt ||
         predicate == arith::CmpIPredicate::sge;
}

/// The width of an integer, and 64 for an index as in every lowering we use.
static unsigned widthOf(Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

Term OrderEvaluator::evaluate(Value value) {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  Term term = compute(value);
  known[value] = term;
  return term;
}

Term OrderEvaluator::compute(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number))) {
    if (number.getBitWidth() == 1)
      return constant(number.getZExtValue());
    if (auto small = number.trySExtValue())
      return constant(*small);
    return opaque(value);
  }
  Operation *op = value.getDefiningOp();
  if (!op || loop.isInvariant(value))
    return opaque(value);
  return llvm::TypeSwitch<Operation *, Term>(op)
      .Case<memref::LoadOp>([&](auto load) { return computeLoad(load); })
      .Case<arith::CmpIOp>([&](auto cmp) { return computeCompare(cmp); })
      .Case<arith::SelectOp>([&](auto select) { return computeSelect(select); })
      .Case<arith::AddIOp>([&](auto add) { return computeAdd(add); })
      .Case<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(
          [&](auto) { return computeLogic(op); })
      .Case<arith::ExtUIOp, arith::ExtSIOp, arith::IndexCastOp,
            arith::IndexCastUIOp>([&](auto) { return computeCast(op); })
      .Case<arith::MinUIOp>(
          [&](auto) { return computeExtremum(op, arith::CmpIPredicate::ule); })
      .Case<arith::MinSIOp>(
          [&](auto) { return computeExtremum(op, arith::CmpIPredicate::sle); })
      .Case<arith::MaxUIOp>(
          [&](auto) { return computeExtremum(op, arith::CmpIPredicate::uge); })
      .Case<arith::MaxSIOp>(
          [&](auto) { return computeExtremum(op, arith::CmpIPredicate::sge); })
      .Case<scf::IfOp>([&](auto branch) {
        return computeBranch(cast<OpResult>(value), branch);
      })
      .Default([&](Operation *) { return opaque(value); });
}

Term OrderEvaluator::computeLoad(memref::LoadOp load) {
  std::optional<unsigned> side = loop.getSideOfLoad(load);
  if (!side || load.getMemRef() != loop.sides[*side].coordinates)
    return opaque(load);
  Term term;
  term.kind = Term::Kind::Coordinate;
  term.side = *side;
  return term;
}

Term OrderEvaluator::computeCast(Operation *op) {
  Value source = op->getOperand(0), result = op->getResult(0);
  if (!source.getType().isIntOrIndex())
    return opaque(result);
  Term term = evaluate(source);
  unsigned from = widthOf(source.getType()), to = widthOf(result.getType());
  if (from > to || term.kind == Term::Kind::Other)
    return opaque(result);
  bool isZero = isa<arith::ExtUIOp, arith::IndexCastUIOp>(op);
  if (term.kind == Term::Kind::Constant)
    return from != 1 ? (isZero && term.offset < 0 ? opaque(result) : term)
                     : constant(isZero ? term.offset : -term.offset);
  if (from == to || term.extension == Extension::Zero)
    return term;
  if (isZero && term.extension == Extension::Sign)
    return opaque(result);
  term.extension = isZero ? Extension::Zero : Extension::Sign;
  return term;
}

void OrderEvaluator::note(const Term &lhs, const Term &rhs,
                          arith::CmpIPredicate predicate) {
  for (const Term *term : {&lhs, &rhs}) {
    Extension &seen = facts.extensions[term->side];
    if (seen == Extension::None)
      seen = term->extension;
    else if (term->extension != Extension::None && term->extension != seen)
      facts.conflict = true;
  }
  if (isEquality(predicate))
    return;
  // Signed and unsigned order agree on zero-extended numbers.
  bool extended =
      lhs.extension == Extension::Zero && rhs.extension == Extension::Zero;
  bool &seen =
      isSigned(predicate) && !extended ? facts.sawSigned : facts.sawUnsigned;
  seen = true;
}

std::optional<Order> OrderEvaluator::relate(const Term &lhs, const Term &rhs,
                                            arith::CmpIPredicate predicate) {
  if (lhs.kind != rhs.kind)
    return std::nullopt;
  if (lhs.kind == Term::Kind::Coordinate) {
    note(lhs, rhs, predicate);
    if (lhs.side == rhs.side)
      return Order::Equal;
    return lhs.side == 0 ? order : flip(order);
  }
  if (lhs.base == rhs.base && lhs.offset == rhs.offset)
    return Order::Equal;
  if (lhs.kind == Term::Kind::Constant && isEquality(predicate))
    return Order::Less;
  return std::nullopt;
}

Term OrderEvaluator::computeCompare(arith::CmpIOp op) {
  if (!op.getLhs().getType().isIntOrIndex())
    return opaque(op);
  Term lhs = evaluate(op.getLhs()), rhs = evaluate(op.getRhs());
  std::optional<Order> relation = relate(lhs, rhs, op.getPredicate());
  return relation ? constant(holds(op.getPredicate(), *relation)) : opaque(op);
}

Term OrderEvaluator::computeExtremum(Operation *op,
                                     arith::CmpIPredicate lhsWins) {
  Term lhs = evaluate(op->getOperand(0)), rhs = evaluate(op->getOperand(1));
  if (lhs.kind != Term::Kind::Coordinate || rhs.kind != lhs.kind)
    return opaque(op->getResult(0));
  return holds(lhsWins, *relate(lhs, rhs, lhsWins)) ? lhs : rhs;
}

Term OrderEvaluator::computeLogic(Operation *op) {
  Value result = op->getResult(0);
  if (!result.getType().isInteger(1))
    return opaque(result);
  Term lhs = evaluate(op->getOperand(0)), rhs = evaluate(op->getOperand(1));
  if (lhs.kind != Term::Kind::Constant || rhs.kind != lhs.kind)
    return opaque(result);
  if (isa<arith::AndIOp>(op))
    return constant(lhs.offset & rhs.offset);
  if (isa<arith::OrIOp>(op))
    return constant(lhs.offset | rhs.offset);
  return constant(lhs.offset ^ rhs.offset);
}

Term OrderEvaluator::computeAdd(arith::AddIOp op) {
  Term lhs = evaluate(op.getLhs()), rhs = evaluate(op.getRhs());
  if (!op.getType().isIndex())
    return opaque(op);
  if (lhs.kind == Term::Kind::Constant)
    std::swap(lhs, rhs);
  if (rhs.kind != Term::Kind::Constant || lhs.kind == Term::Kind::Coordinate)
    return opaque(op);
  int64_t sum;
  if (llvm::AddOverflow(lhs.offset, rhs.offset, sum))
    return opaque(op);
  lhs.offset = sum;
  return lhs;
}

Term OrderEvaluator::computeSelect(arith::SelectOp op) {
  Term condition = evaluate(op.getCondition());
  if (condition.kind != Term::Kind::Constant)
    return opaque(op);
  return evaluate(condition.offset ? op.getTrueValue() : op.getFalseValue());
}

Term OrderEvaluator::computeBranch(OpResult result, scf::IfOp op) {
  Term condition = evaluate(op.getCondition());
  if (condition.kind != Term::Kind::Constant)
    return opaque(result);
  scf::YieldOp yield = condition.offset ? op.thenYield() : op.elseYield();
  return evaluate(yield.getOperand(result.getResultNumber()));
}
