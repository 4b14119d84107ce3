//===- SumBuffer.h - Addends that wait to be added ----------------*- C++
//-*-===//
//
// Where sums keep the order of the scalar loop, each addition waits for the one
// before, and how many a block needs cannot be predicted.
//
//===----------------------------------------------------------------------===//

#ifndef SPLYCE_LIB_SUMBUFFER_H
#define SPLYCE_LIB_SUMBUFFER_H

#include "ComputePhase.h"
#include "MatchBuffer.h"

namespace mlir::splyce {

/// An array for each sum, of the addends that are not yet added.
class SumBuffer : public MatchBuffer {
public:
  /// Whether vectors of n addends can be appended.
  static bool takesVectors(ArrayRef<Addend> addends, unsigned width);

  SumBuffer(ImplicitLocOpBuilder &b, const IntersectionLoop &loop,
            ArrayRef<Addend> addends);

  SmallVector<Value> workOff(ValueRange sums, Value count) override;

private:
  Value buildNeutral(unsigned k);

  SmallVector<Addend> addends;
};

} // namespace mlir::splyce

#endif // SPLYCE_LIB_SUMBUFFER_H
