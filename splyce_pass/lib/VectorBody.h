//===- VectorBody.h - The body on vectors -----------------------*- C++ -*-===//

#ifndef SPLYCE_LIB_VECTORBODY_H
#define SPLYCE_LIB_VECTORBODY_H

#include "MatchPhase.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::splyce {

/// Whether the body can run on vectors, with masked gathers and scatters.
bool canVectorizeBody(const IntersectionLoop &loop);

/// Repeats the operations of the body on the n elements of a block at once.
/// What depends on an accumulator is repeated lane by lane, in order.
class VectorBody {
public:
  VectorBody(LaneBlock &block, Matches &matches);

  /// Build the store of the body, if it has one.
  void build();
  /// A value of the body as a vector.
  Value getVector(Value value);
  /// The accumulators after the matches of the block, in source order.
  SmallVector<Value> buildOrdered(ValueRange accumulators);

private:
  Value lookup(Value value);
  void buildOp(Operation *op);
  Value buildLoad(memref::LoadOp load);
  void buildStore(memref::StoreOp store);
  SmallVector<Value> buildLane(unsigned lane, ValueRange accumulators);
  Value getLane(Value value, unsigned lane);

  LaneBlock &block;
  const IntersectionLoop &loop;
  Matches &matches;
  IRMapping mapping;
  llvm::SmallPtrSet<Operation *, 8> dependent;
  llvm::SmallDenseMap<Value, SmallVector<Value>> lanes;
};

} // namespace mlir::splyce

#endif // SPLYCE_LIB_VECTORBODY_H
