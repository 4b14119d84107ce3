//===- ChooseIntersect.cpp - How the masked lane finds matches ------------===//
//
// What the target has is what MLIR and LLVM keep for each function: the
// attribute `target_features`, which becomes LLVM IR's "target-features".
//
//===----------------------------------------------------------------------===//

#include "Splyce/FastLane.h"
#include "VectorBody.h"
#include "Vp2Intersect.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::splyce;

/// Whether masked vectors may be intersected by the instruction.
static LogicalResult checkInstruction(const IntersectionLoop &loop,
                                      unsigned width, std::string &reason) {
  if (!canVectorizeBody(loop)) {
    reason = "the body has no form on vectors, which vp2intersect needs";
    return failure();
  }
  return checkVp2Intersect(loop, width, reason);
}

/// Whether the function around the loop says that the instruction exists.
static bool targetHasInstruction(const IntersectionLoop &loop) {
  auto features = LLVM::TargetFeaturesAttr::featuresAt(loop.loop);
  return features && features.contains("+avx512vp2intersect");
}

Intersect mlir::splyce::chooseIntersect(const IntersectionLoop &loop,
                                        Intersect wanted, unsigned width) {
  if (wanted != Intersect::Auto)
    return wanted;
  std::string reason;
  bool fits = targetHasInstruction(loop) &&
              succeeded(checkInstruction(loop, width, reason));
  return fits ? Intersect::Vp2Intersect : Intersect::Compare;
}

LogicalResult mlir::splyce::checkIntersect(const IntersectionLoop &loop,
                                           const LaneOptions &options,
                                           std::string &reason) {
  if (options.intersect != Intersect::Vp2Intersect)
    return success();
  return checkInstruction(loop, options.width, reason);
}
