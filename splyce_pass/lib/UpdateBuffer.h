//===- UpdateBuffer.h - Elements whose updates wait ---------------*- C++
//-*-===//
//
// A body that reads or writes elsewhere than at the cursors runs for matches
// only.
//
//===----------------------------------------------------------------------===//

#ifndef SPLYCE_LIB_UPDATEBUFFER_H
#define SPLYCE_LIB_UPDATEBUFFER_H

#include "LookupBody.h"
#include "MatchBuffer.h"

namespace mlir::splyce {

/// An array of the cursors of the elements that have a tag and for which the
/// body has not yet run.
class UpdateBuffer : public MatchBuffer {
public:
  UpdateBuffer(ImplicitLocOpBuilder &b, const IntersectionLoop &loop,
               LookupBody &body)
      : MatchBuffer(b, loop, Type(b.getIndexType())), body(body) {}

  SmallVector<Value> workOff(ValueRange accumulators, Value count) override;

private:
  LookupBody &body;
};

} // namespace mlir::splyce

#endif // SPLYCE_LIB_UPDATEBUFFER_H
