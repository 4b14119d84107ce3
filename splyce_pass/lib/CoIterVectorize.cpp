//===- CoIterVectorize.cpp - A fast lane for two-finger loops -------------===//
//
// Finds the `scf.while` loops that intersect two compressed levels and puts a
// SIMD loop in front of each. It is not a general loop vectorizer: unions,
// intersections of three operands and loops with work of their own stay as they
// are.
//
//===----------------------------------------------------------------------===//

#include "CallInterface.h"
#include "InvariantSegment.h"
#include "JammedLane.h"
#include "LaneCounters.h"
#include "OutlinedLanes.h"
#include "SegmentGuard.h"
#include "SeveralSums.h"
#include "Splyce/FastLane.h"
#include "Splyce/IntersectionLoop.h"
#include "Splyce/Passes.h"
#include "UnrollLoop.h"
#include "WorkspaceLane.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/Debug.h"

#define DEBUG_TYPE "splyce"

namespace mlir::splyce {
#define GEN_PASS_DEF_COITERVECTORIZE
#include "Splyce/Passes.h.inc"
} // namespace mlir::splyce

using namespace mlir;
using namespace mlir::splyce;

/// Read the list of phases that use SIMD.
static LogicalResult parsePhases(StringRef text, LaneOptions &lane,
                                 Location loc) {
  lane.simdMatch = lane.simdCompute = lane.simdAdvance = false;
  SmallVector<StringRef> names;
  text.split(names, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef name : names) {
    if (name == "match")
      lane.simdMatch = true;
    else if (name == "compute")
      lane.simdCompute = true;
    else if (name == "advance")
      lane.simdAdvance = true;
    else
      return emitError(loc, "unknown phase '")
             << name << "' in option 'vectorize', expected match, compute or "
             << "advance";
  }
  return success();
}

/// The name of an order of additions, as the option spells it.
static StringRef nameOf(FPOrder order) {
  switch (order) {
  case FPOrder::Source:
    return "source";
  case FPOrder::Tree:
    return "tree";
  case FPOrder::Free:
    return "free";
  }
  llvm_unreachable("unknown order");
}

/// How vectors find matches, for a remark.
static StringRef describeIntersect(Intersect intersect) {
  switch (intersect) {
  case Intersect::Rotate:
    return ", rotate";
  case Intersect::Vp2Intersect:
    return ", vp2intersect";
  case Intersect::Permute:
    return ", permute";
  default:
    return "";
  }
}

/// The phases that use SIMD, for a remark.
static std::string describePhases(const LaneOptions &lane) {
  SmallVector<StringRef> names;
  if (lane.simdMatch)
    names.push_back("match");
  if (lane.simdCompute)
    names.push_back("compute");
  if (lane.simdAdvance)
    names.push_back("advance");
  return names.empty() ? "none" : llvm::join(names, ",");
}

namespace {

struct CoIterVectorize
    : public splyce::impl::CoIterVectorizeBase<CoIterVectorize> {
  using CoIterVectorizeBase::CoIterVectorizeBase;

  LogicalResult initialize(MLIRContext *context) override;
  void runOnOperation() override;

private:
  bool isTarget(scf::WhileOp loop);
  void processLoop(scf::WhileOp loop);
  LogicalResult rewrite(const IntersectionLoop &loop, std::string &reason);
  void buildPaper(const IntersectionLoop &loop);
  FastLane buildMasked(IntersectionLoop loop);
  FastLane buildMasked(const IntersectionLoop &loop,
                       const std::optional<HoistedSegment> &hoisted);
  FastLane buildJammed(IntersectionLoop loop);
  void rewriteMasked(const IntersectionLoop &loop);
  void buildWorkspace(const IntersectionLoop &loop, WorkspacePlan plan);
  void buildAuto(const IntersectionLoop &loop);
  void emitRewritten(Location loc, const FastLane &lane, StringRef name);

  LaneOptions lane;
};

} // namespace

/// Check the options once, before any loop is looked at.
LogicalResult CoIterVectorize::initialize(MLIRContext *context) {
  Location loc = UnknownLoc::get(context);
  lane.width = vectorWidth;
  lane.order = fpOrder;
  lane.count = countLanes;
  if (!llvm::is_contained({2u, 4u, 8u, 16u}, lane.width))
    return emitError(loc, "option 'vector-width' must be 2, 4, 8 or 16, found ")
           << lane.width;
  lane.lane = laneKind;
  lane.workspaceBytes = workspaceBytes;
  lane.cacheBytes = cacheBytes;
  bool hasMasked = lane.lane == Lane::Masked || lane.lane == Lane::Auto;
  if (!hasMasked && intersect.hasValue())
    return emitError(loc, "option 'intersect' is for lane=masked and "
                          "lane=auto, remove it");
  lane.jam = unrollAndJam;
  if (lane.jam != 1 && lane.jam != 2)
    return emitError(loc, "option 'unroll-and-jam' must be 1 or 2, found ")
           << lane.jam;
  if (unrollAndJam.hasValue() && lane.lane != Lane::Masked)
    return emitError(loc, "option 'unroll-and-jam' is for lane=masked, remove "
                          "it");
  if (lane.jam != 1 && lane.count)
    return emitError(loc, "options 'unroll-and-jam' and 'count-lanes' exclude "
                          "each other, remove one");
  if (lane.lane != Lane::Auto &&
      (workspaceBytes.hasValue() || cacheBytes.hasValue()))
    return emitError(loc, "options 'workspace-bytes' and 'cache-bytes' are for "
                          "lane=auto, remove them");
  if (lane.workspaceBytes < 0 || lane.cacheBytes < 0)
    return emitError(loc, "options 'workspace-bytes' and 'cache-bytes' must "
                          "not be negative");
  if (lane.lane == Lane::Paper)
    return parsePhases(vectorize, lane, loc);
  if (vectorize.hasValue())
    return emitError(loc, "option 'vectorize' is for lane=paper, remove it");
  if (lane.lane == Lane::Workspace && vectorWidth.hasValue())
    return emitError(loc, "option 'vector-width' is not for lane=workspace, "
                          "remove it");
  lane.simdMatch = lane.simdCompute = true;
  return success();
}

/// Whether the loop is in a function that the user asked for.
bool CoIterVectorize::isTarget(scf::WhileOp loop) {
  if (targetFunction.empty())
    return true;
  for (Operation *op = loop; op; op = op->getParentOp())
    if (isa<FunctionOpInterface>(op))
      return SymbolTable::getSymbolName(op) == targetFunction;
  return false;
}

void CoIterVectorize::emitRewritten(Location loc, const FastLane &fast,
                                    StringRef name) {
  if (!remarks)
    return;
  InFlightDiagnostic remark = emitRemark(loc, "vectorized two-finger loop: ");
  if (!name.empty())
    remark << "lane " << name;
  if (lane.lane != Lane::Workspace)
    remark << (name.empty() ? "" : ", ") << "width " << lane.width;
  if (lane.lane == Lane::Paper)
    remark << ", phases " << describePhases(lane);
  remark << describeIntersect(lane.intersect) << ", fp-order "
         << nameOf(lane.order);
  if (fast.keepsOrder && lane.order != FPOrder::Source)
    remark << " (kept in source order)";
  if (fast.scalarCompute && lane.simdCompute)
    remark << " (compute stays scalar: the body has no form on vectors)";
}

void CoIterVectorize::buildPaper(const IntersectionLoop &loop) {
  scf::WhileOp epilogue = loop.loop;
  guardNonEmpty(loop);
  ImplicitLocOpBuilder b(epilogue.getLoc(), epilogue);
  SmallVector<Value> start(epilogue.getInits());
  FastLane fast = buildFastLane(b, loop, lane);
  epilogue.getInitsMutable().assign(fast.results);
  epilogue->setAttr(kEpilogueAttr, b.getUnitAttr());
  if (lane.count)
    buildCounters(b, loop, fast, start);
  emitRewritten(epilogue.getLoc(), fast, "");
}

/// Build the masked lane, also as a part of another.
FastLane CoIterVectorize::buildMasked(IntersectionLoop loop) {
  std::optional<HoistedSegment> hoisted = hoistAnySegment(loop);
  return buildMasked(loop, hoisted);
}

FastLane
CoIterVectorize::buildMasked(const IntersectionLoop &loop,
                             const std::optional<HoistedSegment> &hoisted) {
  scf::WhileOp scalar = loop.loop;
  LaneOptions masked = lane;
  masked.lane = Lane::Masked;
  masked.jam = 1;
  guardOverlap(loop, hoisted);
  ImplicitLocOpBuilder b(scalar.getLoc(), scalar);
  FastLane fast = buildMaskedLane(b, loop, masked);
  if (lane.count)
    buildMaskedCounters(b, loop, fast, scalar.getInits());
  scalar->replaceAllUsesWith(fast.results);
  scalar->erase();
  return fast;
}

/// A loop that is known to be an intersection, as a copy of one is.
static IntersectionLoop matchCopy(scf::WhileOp copy) {
  std::string reason;
  FailureOr<IntersectionLoop> same = matchIntersectionLoop(copy, reason);
  assert(succeeded(same) && "a copy of an intersection is one");
  return *same;
}

/// Build the masked lanes of two iterations of the loop outside in one loop.
FastLane CoIterVectorize::buildJammed(IntersectionLoop loop) {
  std::optional<HoistedSegment> hoisted = hoistAnySegment(loop);
  UnrolledLoop unrolled = unrollOuter(loop);
  std::array<IntersectionLoop, 2> pair = {loop, matchCopy(unrolled.pair[1])};
  buildMasked(matchCopy(unrolled.rest), hoisted);
  return buildJammedLane(pair, hoisted, lane);
}

/// Build the masked lane, of two iterations at a time if wanted and legal.
void CoIterVectorize::rewriteMasked(const IntersectionLoop &loop) {
  Location loc = scf::WhileOp(loop.loop).getLoc();
  std::string reason;
  if (lane.jam == 1)
    emitRewritten(loc, buildMasked(loop), "masked");
  else if (succeeded(checkJam(loop, lane, reason)))
    emitRewritten(loc, buildJammed(loop), "masked, unroll-and-jam 2");
  else
    emitRewritten(loc, buildMasked(loop),
                  "masked (not jammed: " + reason + ")");
}

void CoIterVectorize::buildWorkspace(const IntersectionLoop &loop,
                                     WorkspacePlan plan) {
  FastLane inOrder;
  inOrder.keepsOrder =
      !loop.accumulators.empty() && !hasSeveralSums(loop, lane);
  emitRewritten(scf::WhileOp(loop.loop).getLoc(), inOrder, "workspace");
  buildWorkspaceLane(loop, std::move(plan), lane);
}

/// Build both lanes where a workspace is legal, otherwise the masked one.
void CoIterVectorize::buildAuto(const IntersectionLoop &loop) {
  Location loc = scf::WhileOp(loop.loop).getLoc();
  inlineIntoInterface(loop.loop);
  std::string reason;
  FailureOr<WorkspacePlan> plan = planWorkspace(loop, reason);
  if (failed(plan)) {
    FastLane fast = buildMasked(loop);
    emitRewritten(loc, fast, "auto: masked (no workspace: " + reason + ")");
    return;
  }
  WorkspaceVersions versions = buildWorkspaceLane(loop, *plan, lane);
  emitRewritten(loc, buildMasked(matchCopy(versions.without)),
                "auto: workspace or masked");
  if (versions.lanes)
    outlineLanes(versions.lanes, getOperation());
}

/// Build the lane that the user asked for, if it is legal.
LogicalResult CoIterVectorize::rewrite(const IntersectionLoop &loop,
                                       std::string &reason) {
  if (lane.lane == Lane::Paper) {
    buildPaper(loop);
    return success();
  }
  if (failed(checkReplaceable(loop, reason)))
    return failure();
  if (lane.lane == Lane::Workspace) {
    FailureOr<WorkspacePlan> plan = planWorkspace(loop, reason);
    if (failed(plan))
      return failure();
    buildWorkspace(loop, *plan);
    return success();
  }
  lane.intersect = chooseIntersect(loop, intersect, lane.width);
  if (failed(checkIntersect(loop, lane, reason)))
    return failure();
  if (lane.lane == Lane::Auto)
    buildAuto(loop);
  else
    rewriteMasked(loop);
  return success();
}

void CoIterVectorize::processLoop(scf::WhileOp loop) {
  std::string reason;
  FailureOr<IntersectionLoop> match = matchIntersectionLoop(loop, reason);
  if (succeeded(match) && succeeded(rewrite(*match, reason))) {
    ++loopsRewritten;
    return;
  }
  ++loopsNotMatched;
  StringRef what = succeeded(match) ? "no place for the lane: "
                                    : "not a two-way intersection: ";
  LLVM_DEBUG(llvm::dbgs() << "[splyce] " << what << reason << " at "
                          << loop.getLoc() << "\n");
  if (explain)
    emitRemark(loop.getLoc(), what) << reason;
}

void CoIterVectorize::runOnOperation() {
  SmallVector<scf::WhileOp> loops;
  getOperation()->walk([&](scf::WhileOp loop) {
    if (isTarget(loop))
      loops.push_back(loop);
  });
  if (lane.count) {
    if (!isa<ModuleOp>(getOperation())) {
      getOperation()->emitError(
          "option 'count-lanes' needs the pass on a module");
      return signalPassFailure();
    }
    if (failed(declareCounters(getOperation())))
      return signalPassFailure();
  }
  for (scf::WhileOp loop : loops)
    processLoop(loop);
}
