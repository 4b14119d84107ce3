//===- MatchBuffer.h - Addends that wait to be added ------------*- C++ -*-===//
//
// Where sums keep the order of the scalar loop, each addition waits for the one
// before, and how many a block needs cannot be predicted. A lane with a buffer
// appends what matches, without a branch, and adds up when that is full.
//
//===----------------------------------------------------------------------===//

#ifndef SPLYCE_LIB_MATCHBUFFER_H
#define SPLYCE_LIB_MATCHBUFFER_H

#include "ComputePhase.h"

namespace mlir::splyce {

/// An array for each sum, of the addends that are not yet added.
class MatchBuffer {
public:
  /// Whether vectors of n addends can be appended.
  static bool takesVectors(ArrayRef<Addend> addends, unsigned width);

  /// Allocate: on the stack, or on the heap in a loop that runs in parallel,
  /// since the stack allocations of that one do not lower to OpenMP.
  MatchBuffer(ImplicitLocOpBuilder &b, const IntersectionLoop &loop,
              ArrayRef<Addend> addends);

  /// Whether there is memory (i1); null if there always is.
  Value getAvailable() const { return available; }

  /// What a loop leaves behind: its state, the sums, and how many addends wait.
  struct Filled {
    SmallVector<Value> state, sums;
    Value count;
  };
  using Condition = llvm::function_ref<Value(ValueRange)>;
  using Body = llvm::function_ref<SmallVector<Value>(ValueRange, Value)>;
  /// Build a loop over `state` while `isInside` holds of it. `body` is given
  /// the state and the count, appends at most `kAppended` addends to each
  /// array, and returns both. There is room for as many behind the loop.
  Filled buildLoop(ValueRange state, ValueRange sums, Condition isInside,
                   Body body);

  /// Append an addend of each sum if `found` (index) is 1, not 0; return the
  /// count.
  Value append(ValueRange values, Value found, Value count);
  /// Append the lanes of vectors that a mask selects; return the count.
  Value appendLanes(ValueRange vectors, Value found, Value count);
  /// Add what waits to the sums.
  SmallVector<Value> addUp(ValueRange sums, Value count);

private:
  Value allocate(Block *frame, bool onStack, Type element);
  Value buildNeutral(unsigned k);
  ValueRange fill(ValueRange state, Condition isInside, Body body);
  Value constant(int64_t value);

  ImplicitLocOpBuilder &b;
  const IntersectionLoop &loop;
  SmallVector<Addend> addends;
  SmallVector<Value> arrays;
  Value available;
};

} // namespace mlir::splyce

#endif // SPLYCE_LIB_MATCHBUFFER_H
