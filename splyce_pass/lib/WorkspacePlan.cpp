//===- WorkspacePlan.cpp - Whether a workspace is legal -------------------===//

#include "WorkspacePlan.h"

#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"

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
  LogicalResult findLevel(unsigned side);
  LogicalResult planSide(const OuterLoop &outer, unsigned side);
  LogicalResult collectArrays();
  void findPlace();

  const IntersectionLoop &loop;
  std::string &reason;
  WorkspacePlan plan_;
};

} // namespace

sparse_tensor::GetStorageSpecifierOp
mlir::splyce::findStorageSize(Value array) {
  auto view = array.getDefiningOp<memref::SubViewOp>();
  if (!view || view.getType().getRank() != 1 ||
      !isConstantIntValue(view.getMixedOffsets().front(), 0) ||
      !isConstantIntValue(view.getMixedStrides().front(), 1))
    return {};
  auto size = dyn_cast<Value>(view.getMixedSizes().front());
  return size ? size.getDefiningOp<sparse_tensor::GetStorageSpecifierOp>()
              : sparse_tensor::GetStorageSpecifierOp();
}

/// The coordinates must be all those of a level, cut to the size that the
/// storage specifier gives: what bounds them is the size of that level.
LogicalResult Planner::findLevel(unsigned side) {
  auto get = findStorageSize(loop.sides[side].coordinates);
  if (!get ||
      get.getSpecifierKind() != sparse_tensor::StorageSpecifierKind::CrdMemSize)
    return fail("the level that holds the coordinates is not known");
  if (get.getSpecifier().getType().getEncoding().isSlice())
    return fail("the coordinates are those of a slice");
  plan_.levels[side] = {get.getSpecifier(), get.getLevelAttr()};
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

LogicalResult Planner::planSide(const OuterLoop &outer, unsigned side) {
  auto segment = findInvariantSegment(loop, outer, side, reason);
  if (failed(segment))
    return failure();
  static_cast<InvariantSegment &>(plan_) = *segment;
  plan_.arrays.clear();
  if (failed(collectArrays()))
    return failure();
  return checkUnchanged(outer, plan_.arrays, reason);
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
  FailureOr<OuterLoop> outer = findOuterLoop(loop, reason);
  if (failed(outer) || failed(findLevel(0)) || failed(findLevel(1)))
    return failure();
  std::string text;
  for (unsigned side : {0, 1}) {
    if (succeeded(planSide(*outer, side))) {
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
