//===- Addends.cpp - Updates that are sums --------------------------------===//

#include "Addends.h"

#include "BodyAnalysis.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::splyce;

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

SmallVector<Addend> mlir::splyce::matchAddends(const IntersectionLoop &loop) {
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

Value mlir::splyce::repeatSum(ImplicitLocOpBuilder &b,
                              const IntersectionLoop &loop, unsigned k,
                              const Addend &addend, Value sum, Value value) {
  IRMapping mapping;
  mapping.map(loop.getAccumulator(k), sum);
  mapping.map(addend.value, value);
  return b.clone(*loop.updates[k].getDefiningOp(), mapping)->getResult(0);
}
