//===- SeveralSums.cpp - Lookups that add to several sums -----------------===//
//
// One addition waits for another. Where sums may be reassociated, elements are
// added to several sums in turn, without a buffer; what has no tag is neutral.
//
//===----------------------------------------------------------------------===//

#include "SeveralSums.h"

#include "LaneBlock.h"

using namespace mlir;
using namespace mlir::splyce;

/// Sums of an accumulator. On Zen 5 an addition takes as long as the loads of
/// two to three lookups.
static constexpr int64_t kSums = 4;

bool mlir::splyce::hasSeveralSums(const IntersectionLoop &loop,
                                  const LaneOptions &options) {
  return options.order == FPOrder::Free && loop.speculatable &&
         !matchAddends(loop).empty();
}

namespace {

/// Builds the loops. They carry sets of a sum for each accumulator; behind all
/// sets is the count of matches, if there is one.
class SeveralSums {
public:
  SeveralSums(ImplicitLocOpBuilder &b, LookupBody &body,
              ArrayRef<Addend> addends)
      : b(b), body(body), addends(addends), size(addends.size()) {}

  SmallVector<Value> build(Value first, Value end, ValueRange carried);

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  void buildElement(Value cursor, MutableArrayRef<Value> sums, Value *count);
  SmallVector<Value> buildSteps(Value from, Value to, int64_t step,
                                int64_t sets, ValueRange carried);
  SmallVector<Value> addSets(ValueRange carried);
  Value addUp(ArrayRef<Value> sums);

  ImplicitLocOpBuilder &b;
  LookupBody &body;
  ArrayRef<Addend> addends;
  const size_t size;
};

} // namespace

/// Look one element up; update a set, and the count if there is one.
void SeveralSums::buildElement(Value cursor, MutableArrayRef<Value> sums,
                               Value *count) {
  Lookup lookup = body.buildLookup(cursor);
  llvm::copy(body.buildSums(lookup, addends, sums), sums.begin());
  if (count)
    *count = body.countMatch(*count, lookup);
}

/// Build a loop that looks `step` elements up in each iteration, which take
/// turns with the sets.
SmallVector<Value> SeveralSums::buildSteps(Value from, Value to, int64_t step,
                                           int64_t sets, ValueRange carried) {
  auto lookups = scf::ForOp::create(
      b, from, to, constant(step), carried,
      [&](OpBuilder &, Location, Value cursor, ValueRange args) {
        SmallVector<Value> state(args);
        MutableArrayRef<Value> all(state);
        Value *count = state.size() > sets * size ? &state.back() : nullptr;
        if (step > 1)
          body.buildPrefetch(cursor);
        for (int64_t i = 0; i < step; ++i) {
          Value at = i ? arith::AddIOp::create(b, cursor, constant(i)) : cursor;
          buildElement(at, all.slice((i % sets) * size, size), count);
        }
        scf::YieldOp::create(b, state);
      });
  return SmallVector<Value>(lookups.getResults());
}

/// Put sets that begin with the neutral number behind the accumulators.
SmallVector<Value> SeveralSums::addSets(ValueRange carried) {
  SmallVector<Value> state(carried.take_front(size));
  for (int64_t i = 1; i < kSums; ++i)
    for (Value sum : carried.take_front(size))
      state.push_back(
          arith::ConstantOp::create(b, b.getFloatAttr(sum.getType(), -0.0)));
  llvm::append_range(state, carried.drop_front(size));
  return state;
}

Value SeveralSums::addUp(ArrayRef<Value> sums) {
  return reduceHalves(sums, [&](Value lhs, Value rhs) -> Value {
    return arith::AddFOp::create(b, lhs, rhs);
  });
}

SmallVector<Value> SeveralSums::build(Value first, Value end,
                                      ValueRange carried) {
  Value length = arith::SubIOp::create(b, end, first);
  Value rest = arith::RemUIOp::create(b, length, constant(kLookupGroup));
  Value middle = arith::SubIOp::create(b, end, rest);
  SmallVector<Value> state =
      buildSteps(first, middle, kLookupGroup, kSums, addSets(carried));
  SmallVector<Value> last(state.begin(), state.begin() + size);
  llvm::append_range(last, ArrayRef(state).drop_front(kSums * size));
  last = buildSteps(middle, end, /*step=*/1, /*sets=*/1, last);
  for (size_t k = 0; k < size; ++k) {
    SmallVector<Value> sums = {last[k]};
    for (int64_t i = 1; i < kSums; ++i)
      sums.push_back(state[i * size + k]);
    last[k] = addUp(sums);
  }
  return last;
}

SmallVector<Value> mlir::splyce::buildSeveralSums(ImplicitLocOpBuilder &b,
                                                  LookupBody &body,
                                                  ArrayRef<Addend> addends,
                                                  Value first, Value end,
                                                  ValueRange carried) {
  return SeveralSums(b, body, addends).build(first, end, carried);
}
