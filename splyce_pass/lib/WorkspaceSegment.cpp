//===- WorkspaceSegment.cpp - The segment in front of its loop ------------===//

#include "WorkspaceSegment.h"

#include "LaneBlock.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::splyce;

/// Whether the loop outside has an iteration: only then may be loaded what is
/// loaded in it.
static Value buildRuns(ImplicitLocOpBuilder &b, const WorkspacePlan &plan) {
  SmallVector<Value> lower, upper;
  arith::CmpIPredicate less = arith::CmpIPredicate::slt;
  if (auto outer = dyn_cast<scf::ForOp>(plan.outer)) {
    lower.push_back(outer.getLowerBound());
    upper.push_back(outer.getUpperBound());
    if (outer.getUnsignedCmp())
      less = arith::CmpIPredicate::ult;
  } else {
    llvm::append_range(lower,
                       cast<scf::ParallelOp>(plan.outer).getLowerBound());
    llvm::append_range(upper,
                       cast<scf::ParallelOp>(plan.outer).getUpperBound());
  }
  Value runs;
  for (auto [from, to] : llvm::zip(lower, upper)) {
    Value some = arith::CmpIOp::create(b, less, from, to);
    runs = runs ? Value(arith::AndIOp::create(b, runs, some)) : some;
  }
  return runs;
}

OwnSegment mlir::splyce::buildSegment(ImplicitLocOpBuilder &b,
                                      const IntersectionLoop &loop,
                                      const WorkspacePlan &plan) {
  b.setInsertionPoint(plan.outer);
  const IntersectionSide &own = loop.sides[plan.side];
  auto constant = [&](Type type) -> Value {
    return arith::ConstantOp::create(b, b.getZeroAttr(type));
  };
  Value init = scf::WhileOp(loop.loop).getInits()[own.arg];
  auto bounds = scf::IfOp::create(
      b, buildRuns(b, plan),
      [&](OpBuilder &, Location) {
        IRMapping mapping;
        for (Operation *op : plan.segment)
          b.clone(*op, mapping);
        SmallVector<Value> found = {mapping.lookupOrDefault(init),
                                    mapping.lookupOrDefault(own.end)};
        scf::YieldOp::create(b, found);
      },
      [&](OpBuilder &, Location) {
        Value zero = constant(b.getIndexType());
        scf::YieldOp::create(b, ValueRange{zero, zero});
      });
  OwnSegment segment;
  segment.start = bounds.getResult(0);
  segment.end = bounds.getResult(1);
  segment.nonEmpty = buildNonEmpty(b, own, segment.start, segment.end);
  auto coordinates = scf::IfOp::create(
      b, segment.nonEmpty,
      [&](OpBuilder &, Location) {
        CoordinateRange found =
            loadRange(b, loop, plan.side, segment.start, segment.end);
        scf::YieldOp::create(b, ValueRange{found.first, found.last});
      },
      [&](OpBuilder &, Location) {
        Value zero = constant(getComparedType(loop));
        scf::YieldOp::create(b, ValueRange{zero, zero});
      });
  segment.range = {coordinates.getResult(0), coordinates.getResult(1)};
  return segment;
}
