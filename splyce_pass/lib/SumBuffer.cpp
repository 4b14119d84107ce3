//===- SumBuffer.cpp - Addends that wait to be added ----------------------===//
//
// A group is added in each iteration. Where there are fewer, the neutral number
// stands in for the rest: segments with few matches then take the same
// branches.
//
//===----------------------------------------------------------------------===//

#include "SumBuffer.h"

#include "X86Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::splyce;

bool SumBuffer::takesVectors(ArrayRef<Addend> addends, unsigned width) {
  return llvm::all_of(addends, [&](const Addend &addend) {
    return canCompress(addend.value.getType(), width);
  });
}

static SmallVector<Type> getTypes(ArrayRef<Addend> addends) {
  return llvm::map_to_vector(
      addends, [](const Addend &addend) { return addend.value.getType(); });
}

SumBuffer::SumBuffer(ImplicitLocOpBuilder &b, const IntersectionLoop &loop,
                     ArrayRef<Addend> addends)
    : MatchBuffer(b, loop, getTypes(addends)), addends(addends) {}

/// The number that the update of a sum leaves everything as it is with.
Value SumBuffer::buildNeutral(unsigned k) {
  auto type = VectorType::get({kGroup}, addends[k].value.getType());
  Attribute zero =
      b.getFloatAttr(type.getElementType(), addends[k].getNeutral());
  return arith::ConstantOp::create(b, DenseElementsAttr::get(type, zero));
}

SmallVector<Value> SumBuffer::workOff(ValueRange sums, Value count) {
  for (auto [k, array] : llvm::enumerate(arrays))
    vector::StoreOp::create(b, buildNeutral(k), array, count);
  Value end = arith::MaxUIOp::create(b, count, constant(1));
  auto groups = scf::ForOp::create(
      b, constant(0), end, constant(kGroup), sums,
      [&](OpBuilder &, Location, Value first, ValueRange carried) {
        SmallVector<Value> state(carried);
        for (int64_t i = 0; i < kGroup; ++i) {
          Value at = arith::AddIOp::create(b, first, constant(i));
          for (auto [k, array] : llvm::enumerate(arrays))
            state[k] = repeatSum(b, loop, k, addends[k], state[k],
                                 memref::LoadOp::create(b, array, at));
        }
        scf::YieldOp::create(b, state);
      });
  return SmallVector<Value>(groups.getResults());
}
