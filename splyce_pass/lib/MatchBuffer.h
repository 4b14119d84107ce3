//===- MatchBuffer.h - Matches that wait --------------------------*- C++
//-*-===//
//
// What matches cannot be predicted, so that a branch on it costs more than most
// of what hangs on it. A lane with a buffer appends what matches, without a
// branch, and works off what waits when that is full, in the order of the
// scalar loop.
//
//===----------------------------------------------------------------------===//

#ifndef SPLYCE_LIB_MATCHBUFFER_H
#define SPLYCE_LIB_MATCHBUFFER_H

#include "Splyce/IntersectionLoop.h"

namespace mlir::splyce {

/// Arrays with an element each for every match that waits.
class MatchBuffer {
public:
  virtual ~MatchBuffer();

  /// Whether there is memory (i1); null if there always is.
  Value getAvailable() const { return available; }

  /// What a loop leaves behind: its state, the accumulators, and how many
  /// matches wait.
  struct Filled {
    SmallVector<Value> state, accumulators;
    Value count;
  };
  using Condition = llvm::function_ref<Value(ValueRange)>;
  using Body = llvm::function_ref<SmallVector<Value>(ValueRange, Value)>;
  /// Build a loop over `state` while `isInside` holds of it. `body` is given
  /// the state and the count, appends at most `kAppended` matches, and returns
  /// both. There is room for as many behind the loop.
  Filled buildLoop(ValueRange state, ValueRange accumulators,
                   Condition isInside, Body body);

  /// Append a match if `found` (index) is 1, not 0; return the count.
  Value append(ValueRange values, Value found, Value count);
  /// Append the lanes of vectors that a mask selects; return the count.
  Value appendLanes(ValueRange vectors, Value found, Value count);
  /// Update the accumulators by what waits.
  virtual SmallVector<Value> workOff(ValueRange accumulators, Value count) = 0;

protected:
  /// Allocate: on the stack, or on the heap in a loop that runs in parallel,
  /// since the stack allocations of that one do not lower to OpenMP.
  MatchBuffer(ImplicitLocOpBuilder &b, const IntersectionLoop &loop,
              TypeRange types);

  Value constant(int64_t value);

  /// Matches of an iteration that works off several; there is room for as many
  /// more.
  static constexpr int64_t kGroup = 8;

  ImplicitLocOpBuilder &b;
  const IntersectionLoop &loop;
  SmallVector<Value> arrays;

private:
  Value allocate(Block *frame, bool onStack, Type element);
  ValueRange fill(ValueRange state, Condition isInside, Body body);

  Value available;
};

} // namespace mlir::splyce

#endif // SPLYCE_LIB_MATCHBUFFER_H
