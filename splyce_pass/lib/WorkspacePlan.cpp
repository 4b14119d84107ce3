//===- WorkspacePlan.cpp - Whether a workspace is legal -------------------===//

#include "WorkspacePlan.h"

#include "BodyAnalysis.h"

#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::splyce;

namespace {

/// Fills in a WorkspacePlan for one side and keeps the reason of a failure.
class Planner {
public:
  Planner(const IntersectionLoop &loop, std::string &reason)
      : loop(loop), reason(reason) {}

  FailureOr<WorkspacePlan> plan();

private:
  LogicalResult fail(const Twine &text) {
    reason = text.str();
    return failure();
  }
  bool isOutside(Value value) const {
    return !plan_.outer->isAncestor(value.getParentRegion()->getParentOp());
  }
  LogicalResult findOuter();
  LogicalResult findLevel(unsigned side);
  LogicalResult collectWrites();
  LogicalResult planSide(unsigned side);
  LogicalResult collectSegment(Value value);
  LogicalResult collectArrays();
  LogicalResult checkWrites();
  void findPlace();

  const IntersectionLoop &loop;
  std::string &reason;
  WorkspacePlan plan_;
  llvm::SmallDenseSet<Value> written;
  llvm::SmallSetVector<Operation *, 16> segment;
};

} // namespace

/// The two-finger loop must run in every iteration of the loop outside.
LogicalResult Planner::findOuter() {
  plan_.outer = loop.loop->getParentOp();
  if (!isa<scf::ForOp, scf::ParallelOp>(plan_.outer))
    return fail("no loop is directly outside");
  return success();
}

/// The coordinates must be all those of a level, cut to the size that the
/// storage specifier gives: what bounds them is the size of that level.
LogicalResult Planner::findLevel(unsigned side) {
  auto view = loop.sides[side].coordinates.getDefiningOp<memref::SubViewOp>();
  if (!view || view.getType().getRank() != 1 ||
      !isConstantIntValue(view.getMixedOffsets().front(), 0) ||
      !isConstantIntValue(view.getMixedStrides().front(), 1))
    return fail("the level that holds the coordinates is not known");
  auto size = dyn_cast<Value>(view.getMixedSizes().front());
  auto get = size ? size.getDefiningOp<sparse_tensor::GetStorageSpecifierOp>()
                  : sparse_tensor::GetStorageSpecifierOp();
  if (!get ||
      get.getSpecifierKind() != sparse_tensor::StorageSpecifierKind::CrdMemSize)
    return fail("the level that holds the coordinates is not known");
  if (get.getSpecifier().getType().getEncoding().isSlice())
    return fail("the coordinates are those of a slice");
  plan_.levels[side] = {get.getSpecifier(), get.getLevelAttr()};
  return success();
}

/// Collect the buffers that the loop outside stores to.
LogicalResult Planner::collectWrites() {
  auto result = plan_.outer->walk([&](Operation *op) {
    if (auto store = dyn_cast<memref::StoreOp>(op)) {
      written.insert(getRoot(store.getMemRef()));
      return WalkResult::advance();
    }
    if (isa<memref::LoadOp>(op) || isMemoryEffectFree(op) ||
        op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
      return WalkResult::advance();
    (void)fail("'" + op->getName().getStringRef() +
               "' in the loop outside has a side effect");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Collect what computes a value in the loop outside, if each iteration
/// computes the same.
LogicalResult Planner::collectSegment(Value value) {
  if (isOutside(value))
    return success();
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != loop.loop->getBlock() ||
      (!isPure(op) && !isa<memref::LoadOp>(op)))
    return fail("changes in the loop outside");
  for (Value operand : op->getOperands())
    if (failed(collectSegment(operand)))
      return failure();
  segment.insert(op);
  return success();
}

/// Collect the arrays of the side; nothing else may look at its cursor, which
/// there is none of in a workspace.
LogicalResult Planner::collectArrays() {
  const IntersectionSide &side = loop.sides[plan_.side];
  for (Operation *op : loop.body) {
    if (!llvm::is_contained(op->getOperands(), loop.getCursor(plan_.side)))
      continue;
    auto load = dyn_cast<memref::LoadOp>(op);
    if (!load || loop.getSideOfLoad(load) != plan_.side)
      return fail("has a cursor that is used elsewhere than in a load");
    if (load.getMemRef() != side.coordinates &&
        !llvm::is_contained(plan_.arrays, load.getMemRef()))
      plan_.arrays.push_back(load.getMemRef());
  }
  return success();
}

/// The segment must stay the same in memory too.
LogicalResult Planner::checkWrites() {
  SmallVector<Value> read = plan_.arrays;
  read.push_back(loop.sides[plan_.side].coordinates);
  for (Value array : read)
    if (!isOutside(array))
      return fail("has an array that is made in the loop outside");
  for (Operation *op : segment)
    if (auto load = dyn_cast<memref::LoadOp>(op))
      read.push_back(load.getMemRef());
  for (Value array : read)
    if (written.contains(getRoot(array)))
      return fail("is in a buffer that the loop outside stores to");
  return success();
}

LogicalResult Planner::planSide(unsigned side) {
  const IntersectionSide &operand = loop.sides[side];
  plan_.side = side;
  plan_.arrays.clear();
  segment.clear();
  if (failed(collectSegment(scf::WhileOp(loop.loop).getInits()[operand.arg])) ||
      failed(collectSegment(operand.end)) || failed(collectArrays()) ||
      failed(checkWrites()))
    return failure();
  plan_.segment = llvm::to_vector(segment);
  return success();
}

/// Iterations in parallel must not share what each of them scatters into.
void Planner::findPlace() {
  plan_.place = plan_.outer;
  auto isKnownAt = [&](Operation *op) {
    return llvm::all_of(plan_.levels, [&](StorageLevel level) {
      return !op->isAncestor(level.specifier.getParentRegion()->getParentOp());
    });
  };
  while (isa<scf::ForOp>(plan_.place->getParentOp()) &&
         isKnownAt(plan_.place->getParentOp()))
    plan_.place = plan_.place->getParentOp();
}

FailureOr<WorkspacePlan> Planner::plan() {
  if (failed(findOuter()) || failed(findLevel(0)) || failed(findLevel(1)) ||
      failed(collectWrites()))
    return failure();
  std::string text;
  for (unsigned side : {0, 1}) {
    if (succeeded(planSide(side))) {
      findPlace();
      return plan_;
    }
    text += (side ? ", segment " : "segment ") + std::to_string(side) + " " +
            reason;
  }
  return fail(text);
}

FailureOr<WorkspacePlan>
mlir::splyce::planWorkspace(const IntersectionLoop &loop, std::string &reason) {
  return Planner(loop, reason).plan();
}
