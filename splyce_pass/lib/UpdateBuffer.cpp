//===- UpdateBuffer.cpp - Elements whose updates wait ---------------------===//

#include "UpdateBuffer.h"

using namespace mlir;
using namespace mlir::splyce;

SmallVector<Value> UpdateBuffer::workOff(ValueRange accumulators, Value count) {
  auto updates = scf::ForOp::create(
      b, constant(0), count, constant(1), accumulators,
      [&](OpBuilder &, Location, Value i, ValueRange carried) {
        Value cursor = memref::LoadOp::create(b, arrays.front(), i);
        scf::YieldOp::create(b, body.buildMatched(cursor, carried));
      });
  return SmallVector<Value>(updates.getResults());
}
