//===- UnrollLoop.cpp - Two iterations of the loop outside ----------------===//

#include "UnrollLoop.h"

#include "BodyAnalysis.h"
#include "InvariantSegment.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::splyce;

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Whether the loop outside does nothing to memory but with the sum.
static bool onlyStores(Operation *outer, SumInMemory sum) {
  Value root = getRoot(sum.store.getMemRef());
  auto found = outer->walk([&](Operation *op) {
    auto load = dyn_cast<memref::LoadOp>(op);
    bool reads = load && load != sum.load && getRoot(load.getMemRef()) == root;
    bool writes = isa<memref::StoreOp>(op) && op != sum.store;
    return reads || writes ? WalkResult::interrupt() : WalkResult::advance();
  });
  return !found.wasInterrupted();
}

LogicalResult mlir::splyce::checkUnroll(const IntersectionLoop &loop,
                                        std::string &reason) {
  auto fail = [&](const char *text) {
    reason = text;
    return failure();
  };
  scf::WhileOp scalar = loop.loop;
  FailureOr<OuterLoop> found = findOuterLoop(loop, reason);
  if (failed(found))
    return failure();
  auto outer = dyn_cast<scf::ForOp>(found->op);
  if (!outer)
    return fail("the loop outside runs in parallel");
  if (outer.getNumResults())
    return fail("the loop outside carries a value");
  for (Operation &op : *outer.getBody())
    if (op.getNumRegions() && &op != scalar)
      return fail("the loop outside has more control flow");
  std::optional<SumInMemory> sum = findSum(loop);
  if (!sum)
    return fail("no sum is loaded in front of it and stored behind it");
  if (!onlyStores(outer, *sum))
    return fail("the loop outside stores or reads where its iterations may "
                "depend on each other");
  return success();
}

//===----------------------------------------------------------------------===//
// Unrolling
//===----------------------------------------------------------------------===//

/// The bound up to which iterations come in pairs.
static Value buildMiddle(ImplicitLocOpBuilder &b, scf::ForOp outer) {
  Value lower = outer.getLowerBound(), upper = outer.getUpperBound();
  Value step = outer.getStep();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b,
                                     b.getIntegerAttr(step.getType(), value));
  };
  arith::CmpIPredicate less = outer.getUnsignedCmp()
                                  ? arith::CmpIPredicate::ult
                                  : arith::CmpIPredicate::slt;
  Value runs = arith::CmpIOp::create(b, less, lower, upper);
  Value span = arith::SelectOp::create(
      b, runs, arith::SubIOp::create(b, upper, lower), constant(0));
  Value trips = arith::CeilDivUIOp::create(b, span, step);
  Value paired = arith::AndIOp::create(b, trips, constant(-2));
  return arith::AddIOp::create(b, lower,
                               arith::MulIOp::create(b, paired, step));
}

/// Repeat what the loop does up to its sum for the next iteration in front of
/// it, and what it does from there on at its end; return the two-finger loop.
static scf::WhileOp repeatBody(ImplicitLocOpBuilder &b, scf::ForOp outer,
                               Value step, memref::LoadOp sum,
                               scf::WhileOp scalar) {
  IRMapping mapping;
  SmallVector<Operation *> ops;
  for (Operation &op : outer.getBody()->without_terminator())
    ops.push_back(&op);
  b.setInsertionPointToStart(outer.getBody());
  Value counter = outer.getInductionVar();
  mapping.map(counter, arith::AddIOp::create(b, counter, step));
  b.setInsertionPoint(sum);
  for (Operation *op : ops) {
    if (op == sum)
      b.setInsertionPoint(outer.getBody()->getTerminator());
    b.clone(*op, mapping);
  }
  return cast<scf::WhileOp>(mapping.lookup(scalar.getOperation()));
}

UnrolledLoop mlir::splyce::unrollOuter(const IntersectionLoop &loop) {
  scf::WhileOp scalar = loop.loop;
  auto outer = cast<scf::ForOp>(scalar->getParentOp());
  memref::LoadOp sum = findSum(loop)->load;
  // Nothing between them stores.
  sum->moveBefore(scalar);
  ImplicitLocOpBuilder b(outer.getLoc(), outer);
  Value middle = buildMiddle(b, outer);
  Value step = outer.getStep();
  Value twice = arith::AddIOp::create(b, step, step);
  b.setInsertionPointAfter(outer);
  IRMapping mapping;
  auto rest = cast<scf::ForOp>(b.clone(*outer, mapping));
  rest.getLowerBoundMutable().assign(middle);
  outer.getUpperBoundMutable().assign(middle);
  outer.getStepMutable().assign(twice);
  return {{scalar, repeatBody(b, outer, step, sum, scalar)},
          cast<scf::WhileOp>(mapping.lookup(scalar.getOperation()))};
}
