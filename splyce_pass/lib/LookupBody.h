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
             const WorkspacePlan &plan, const Workspace &workspace)
      : b(b), loop(loop), plan(plan), workspace(workspace) {}

  Lookup buildLookup(Value cursor);
  /// The accumulators behind an element, as they were if it has no tag.
  SmallVector<Value> buildUpdates(const Lookup &lookup, ValueRange old);
  /// What an element adds to sums if it has a tag.
  SmallVector<Value> buildAddends(const Lookup &lookup,
                                  ArrayRef<Addend> addends);

private:
  void cloneOp(Operation *op, IRMapping &mapping, Value coordinate);
  SmallVector<Value> cloneBody(IRMapping &mapping, Value coordinate);

  ImplicitLocOpBuilder &b;
  const IntersectionLoop &loop;
  const WorkspacePlan &plan;
  const Workspace &workspace;
};

} // namespace mlir::splyce

#endif // SPLYCE_LIB_LOOKUPBODY_H
