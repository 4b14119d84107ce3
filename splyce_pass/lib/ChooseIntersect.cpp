//===- ChooseIntersect.cpp - How the masked lane finds matches ------------===//
//
// What the target has is what MLIR and LLVM keep for each function: the
// attribute `target_features`, which becomes LLVM IR's "target-features".
//
//===----------------------------------------------------------------------===//

#include "Splyce/FastLane.h"
#include "VectorBody.h"
#include "Vp2Intersect.h"
#include "X86Lanes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::splyce;

/// Whether masked vectors may be intersected by the instruction.
static LogicalResult checkVp2(const IntersectionLoop &loop, unsigned width,
                              std::string &reason) {
  if (!canVectorizeBody(loop)) {
    reason = "the body has no form on vectors, which vp2intersect needs";
    return failure();
  }
  return checkVp2Intersect(loop, width, reason);
}

bool mlir::splyce::canPermute(const IntersectionLoop &loop, unsigned width) {
  return canPermute(getComparedType(loop), width) &&
         llvm::all_of(loop.body, [&](Operation *op) {
           auto load = dyn_cast<memref::LoadOp>(op);
           return !load || loop.getSideOfLoad(load) != 1u ||
                  canPermute(load.getType(), width);
         });
}

static LogicalResult checkPermute(const IntersectionLoop &loop, unsigned width,
                                  std::string &reason) {
  if (canPermute(loop, width))
    return success();
  reason = "permute takes 8 or 16 elements in 512 bits, or 8 of 32 bits";
  return failure();
}

/// Whether the function around the loop says that the target has a feature.
static bool targetHas(const IntersectionLoop &loop, StringRef feature) {
  auto features = LLVM::TargetFeaturesAttr::featuresAt(loop.loop);
  return features && features.contains(feature);
}

Intersect mlir::splyce::chooseIntersect(const IntersectionLoop &loop,
                                        Intersect wanted, unsigned width) {
  if (wanted != Intersect::Auto)
    return wanted;
  std::string reason;
  if (targetHas(loop, "+avx512vp2intersect") &&
      succeeded(checkVp2(loop, width, reason)))
    return Intersect::Vp2Intersect;
  if (targetHas(loop, "+avx512f") && canPermute(loop, width))
    return Intersect::Permute;
  return Intersect::Compare;
}

LogicalResult mlir::splyce::checkIntersect(const IntersectionLoop &loop,
                                           const LaneOptions &options,
                                           std::string &reason) {
  if (options.intersect == Intersect::Vp2Intersect)
    return checkVp2(loop, options.width, reason);
  if (options.intersect == Intersect::Permute)
    return checkPermute(loop, options.width, reason);
  return success();
}
