//===- LookupBody.h - What an element does with a workspace -----*- C++ -*-===//

#ifndef SPLYCE_LIB_LOOKUPBODY_H
#define SPLYCE_LIB_LOOKUPBODY_H

#include "ComputePhase.h"
#include "WorkspacePlan.h"

namespace mlir::splyce {

/// A segment as a dense array.
struct Workspace {
  /// Where there is an element (i8).
  Value tags;
  /// Its elements of each array of the plan.
  SmallVector<Value> elements;
};

/// Elements of an iteration that looks up a group: a cache line of coordinates
/// or values is fetched once.
inline constexpr int64_t kLookupGroup = 8;

/// A coordinate of the other side as an index, and its tag (i8).
struct Lookup {
  Value cursor, coordinate, tag;
};

/// A coordinate of a side at a cursor as an index.
Value loadIndex(ImplicitLocOpBuilder &b, const IntersectionSide &side,
                Value cursor);

/// Repeats the body of the scalar loop for an element of the other side.
class LookupBody {
public:
  LookupBody(ImplicitLocOpBuilder &b, const IntersectionLoop &loop,
             const WorkspacePlan &plan, const Workspace &workspace);

  Lookup buildLookup(Value cursor);
  /// Fetch what the other side has further on, also behind the segment: where
  /// the operand is larger than the caches the next segments stand there.
  void buildPrefetch(Value cursor);
  /// A count of matches (i64) behind an element.
  Value countMatch(Value matches, const Lookup &lookup);
  /// The accumulators behind an element, as they were if it has no tag.
  SmallVector<Value> buildUpdates(const Lookup &lookup, ValueRange old);
  /// The accumulators behind an element that has a tag.
  SmallVector<Value> buildMatched(Value cursor, ValueRange old);
  /// What an element adds to sums if it has a tag.
  SmallVector<Value> buildAddends(const Lookup &lookup,
                                  ArrayRef<Addend> addends);
  /// The sums behind an element. What has no tag adds the neutral number:
  /// unlike a selected sum, this adds nothing to the chain of additions.
  SmallVector<Value> buildSums(const Lookup &lookup, ArrayRef<Addend> addends,
                               ValueRange old);

private:
  Value isFound(const Lookup &lookup);
  void cloneOp(Operation *op, IRMapping &mapping, Value coordinate);
  SmallVector<Value> buildBody(Value cursor, Value coordinate, ValueRange old);

  ImplicitLocOpBuilder &b;
  const IntersectionLoop &loop;
  const WorkspacePlan &plan;
  const Workspace &workspace;
  /// What the body reads at the cursor of the other side.
  SmallVector<Value> otherArrays;
};

} // namespace mlir::splyce

#endif // SPLYCE_LIB_LOOKUPBODY_H
