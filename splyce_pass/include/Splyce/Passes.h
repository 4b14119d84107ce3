//===- Passes.h - Passes of the splyce project ------------------*- C++ -*-===//

#ifndef SPLYCE_PASSES_H
#define SPLYCE_PASSES_H

#include "mlir/Pass/Pass.h"

#include <string>

namespace mlir::splyce {

/// How the additions of the fast lane are ordered.
enum class FPOrder {
  /// As in the scalar loop: the result has the same bits.
  Source,
  /// The products of a block are reduced as a tree, then added.
  Tree,
  /// As `Tree`, and the compiler may reassociate.
  Free,
};

/// What takes the place of the scalar loop, or is put in front of it.
enum class Lane {
  /// Blocks in front of the scalar loop, cursors moved by counting.
  Paper,
  /// Whole vectors, then masked ones; no scalar loop.
  Masked,
  /// One segment scattered into a dense array, in place of the scalar loop.
  Workspace,
  /// The workspace or the masked lane, as the operands ask for at run time.
  Auto,
};

/// How the vectors of the masked lane find matches.
enum class Intersect {
  /// `Vp2Intersect` where the target has the instruction, else `Permute`, else
  /// `Compare`.
  Auto,
  /// Each coordinate of one side is compared with all of the other.
  Compare,
  /// The vector of one side is compared with each rotation of the other.
  Rotate,
  /// As `Compare`, for the lane of the partner, which an x86 instruction then
  /// brings to its place.
  Permute,
  /// By the x86 instruction of that name; whole vectors of a lane alone by
  /// `Permute`, and by `Compare` where sums keep their order, as with
  /// `Permute`.
  Vp2Intersect,
};

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "Splyce/Passes.h.inc"

} // namespace mlir::splyce

#endif // SPLYCE_PASSES_H
