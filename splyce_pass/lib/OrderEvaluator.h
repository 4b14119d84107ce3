//===- OrderEvaluator.h - What a loop does for an order ---------*- C++ -*-===//
//
// Evaluates the body of a two-finger loop symbolically under the assumption
// that the coordinate of side 0 is less than, equal to or greater than that of
// side 1. This makes the matcher independent of how the comparisons are written
// and of what canonicalization made of them.
//
//===----------------------------------------------------------------------===//

#ifndef SPLYCE_LIB_ORDEREVALUATOR_H
#define SPLYCE_LIB_ORDEREVALUATOR_H

#include "Splyce/IntersectionLoop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace mlir::splyce {

/// How the coordinate of side 0 stands to the coordinate of side 1.
enum class Order { Less, Equal, Greater };

/// A value under an assumed order: a constant, a coordinate, or base + offset.
struct Term {
  enum class Kind { Constant, Coordinate, Other };
  Kind kind = Kind::Other;
  Value base;
  int64_t offset = 0;
  unsigned side = 0;
  Extension extension = Extension::None;

  bool isConstant(int64_t value) const {
    return kind == Kind::Constant && offset == value;
  }
  bool isOther(Value value, int64_t expected) const {
    return kind == Kind::Other && base == value && offset == expected;
  }
};

/// What the comparisons say about the coordinates; shared by the three orders.
struct OrderingFacts {
  bool sawSigned = false;
  bool sawUnsigned = false;
  bool conflict = false;
  std::array<Extension, 2> extensions = {Extension::None, Extension::None};
};

class OrderEvaluator {
public:
  OrderEvaluator(const IntersectionLoop &loop, Order order,
                 OrderingFacts &facts)
      : loop(loop), order(order), facts(facts) {}

  /// Evaluate a value of the loop body; unknown operations stand for
  /// themselves.
  Term evaluate(Value value);

private:
  Term compute(Value value);
  Term computeLoad(memref::LoadOp load);
  Term computeCast(Operation *op);
  Term computeCompare(arith::CmpIOp op);
  Term computeExtremum(Operation *op, arith::CmpIPredicate lhsWins);
  Term computeLogic(Operation *op);
  Term computeAdd(arith::AddIOp op);
  Term computeSelect(arith::SelectOp op);
  Term computeBranch(OpResult result, scf::IfOp op);
  std::optional<Order> relate(const Term &lhs, const Term &rhs,
                              arith::CmpIPredicate predicate);
  void note(const Term &lhs, const Term &rhs, arith::CmpIPredicate predicate);

  const IntersectionLoop &loop;
  Order order;
  OrderingFacts &facts;
  llvm::DenseMap<Value, Term> known;
};

} // namespace mlir::splyce

#endif // SPLYCE_LIB_ORDEREVALUATOR_H
