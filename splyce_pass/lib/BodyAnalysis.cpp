//===- BodyAnalysis.cpp - What runs on equal coordinates ------------------===//
//
// Collects the operations that a matched pair needs and decides whether they
// may also run for pairs that do not match.
//
//===----------------------------------------------------------------------===//

#include "BodyAnalysis.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::splyce;

/// Set the reason and fail.
static LogicalResult fail(std::string &reason, const Twine &text) {
  reason = text.str();
  return failure();
}

Value mlir::splyce::getRoot(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

/// Collect the operations of the loop body that `op` depends on, and itself.
static void collect(Operation *op, const IntersectionLoop &loop,
                    llvm::SmallSetVector<Operation *, 16> &slice) {
  if (slice.contains(op))
    return;
  for (Value operand : op->getOperands())
    if (Operation *producer = operand.getDefiningOp())
      if (!loop.isInvariant(operand))
        collect(producer, loop, slice);
  slice.insert(op);
}

/// Gather what the matched block and the updates need, producers first.
static SmallVector<Operation *> collectBody(const IntersectionLoop &loop) {
  llvm::SmallSetVector<Operation *, 16> slice;
  for (Operation &op : loop.matchedBlock->without_terminator())
    collect(&op, loop, slice);
  for (Value update : loop.updates)
    if (Operation *producer = update.getDefiningOp())
      if (!loop.isInvariant(update))
        collect(producer, loop, slice);
  return llvm::to_vector(slice);
}

/// Whether an operation looks at a cursor itself.
static bool usesCursor(Operation *op, const IntersectionLoop &loop) {
  return llvm::is_contained(op->getOperands(), loop.getCursor(0)) ||
         llvm::is_contained(op->getOperands(), loop.getCursor(1));
}

bool mlir::splyce::isScalarOp(Operation *op, const IntersectionLoop &loop) {
  auto isScalar = [](Type type) {
    return VectorType::isValidElementType(type);
  };
  bool isElementwise = OpTrait::hasElementwiseMappableTraits(op) ||
                       op->hasTrait<OpTrait::ConstantLike>();
  return isElementwise && isPure(op) && op->getNumResults() == 1 &&
         llvm::all_of(op->getOperandTypes(), isScalar) &&
         llvm::all_of(op->getResultTypes(), isScalar) && !usesCursor(op, loop);
}

llvm::SmallPtrSet<Operation *, 8>
mlir::splyce::findAccumulatorUsers(const IntersectionLoop &loop) {
  llvm::SmallPtrSet<Operation *, 8> users;
  auto isDependent = [&](Value operand) {
    if (Operation *producer = operand.getDefiningOp())
      return users.contains(producer);
    for (unsigned k = 0; k < loop.accumulators.size(); ++k)
      if (operand == loop.getAccumulator(k))
        return true;
    return false;
  };
  for (Operation *op : loop.body)
    if (llvm::any_of(op->getOperands(), isDependent))
      users.insert(op);
  return users;
}

/// Whether an operation may run for a pair of the block that does not match.
static bool mayRunUnmatched(Operation *op, const IntersectionLoop &loop) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return loop.getSideOfLoad(load).has_value();
  return isScalarOp(op, loop);
}

/// Accept a store only at the matched coordinate.
static LogicalResult checkStore(memref::StoreOp store, IntersectionLoop &loop,
                                std::string &reason) {
  if (loop.store)
    return fail(reason, "more than one store on equal coordinates");
  if (!loop.isInvariant(store.getMemRef()))
    return fail(reason, "stores to a buffer that changes in the loop");
  unsigned coordinates = 0;
  for (Value index : store.getIndices()) {
    if (loop.isInvariant(index))
      continue;
    if (!loop.isMatchedCoordinate(index))
      return fail(reason, "stores elsewhere than at the matched coordinate");
    ++coordinates;
  }
  if (coordinates != 1)
    return fail(reason, "stores elsewhere than at the matched coordinate");
  loop.store = store;
  return success();
}

/// Whether two indices are the same value, or both the matched coordinate.
static bool isSameIndex(Value lhs, Value rhs, const IntersectionLoop &loop) {
  return lhs == rhs ||
         (!loop.isInvariant(lhs) && !loop.isInvariant(rhs) &&
          loop.isMatchedCoordinate(lhs) && loop.isMatchedCoordinate(rhs));
}

/// Check a load against the store: the same element, or another buffer.
static LogicalResult checkLoad(memref::LoadOp load,
                               const IntersectionLoop &loop,
                               std::string &reason) {
  memref::StoreOp store = loop.store;
  if (!store || getRoot(load.getMemRef()) != getRoot(store.getMemRef()))
    return success();
  bool isSame = load.getMemRef() == store.getMemRef();
  for (auto [lhs, rhs] : llvm::zip(load.getIndices(), store.getIndices()))
    isSame = isSame && isSameIndex(lhs, rhs, loop);
  if (!isSame)
    return fail(reason, "loads from the buffer that it stores to");
  return success();
}

/// The store must leave the coordinates alone: a block reads them beforehand.
static LogicalResult checkCoordinates(const IntersectionLoop &loop,
                                      std::string &reason) {
  memref::StoreOp store = loop.store;
  if (!store)
    return success();
  for (const IntersectionSide &side : loop.sides)
    if (getRoot(side.coordinates) == getRoot(store.getMemRef()))
      return fail(reason, "stores to a coordinate array");
  return success();
}

/// Reject what a lane cannot repeat for each pair.
static LogicalResult checkOp(Operation *op, IntersectionLoop &loop,
                             std::string &reason) {
  if (op->getNumRegions() != 0)
    return fail(reason, "'" + op->getName().getStringRef() +
                            "' in the body has a region");
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return checkStore(store, loop, reason);
  if (isa<memref::LoadOp>(op) || isMemoryEffectFree(op))
    return success();
  return fail(reason,
              "'" + op->getName().getStringRef() + "' has a side effect");
}

LogicalResult mlir::splyce::analyzeBody(IntersectionLoop &loop,
                                        std::string &reason) {
  loop.body = collectBody(loop);
  for (Operation *op : loop.body) {
    if (failed(checkOp(op, loop, reason)))
      return failure();
    loop.speculatable = loop.speculatable && mayRunUnmatched(op, loop);
  }
  for (Operation *op : loop.body)
    if (auto load = dyn_cast<memref::LoadOp>(op))
      if (failed(checkLoad(load, loop, reason)))
        return failure();
  return checkCoordinates(loop, reason);
}
