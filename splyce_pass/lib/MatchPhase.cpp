//===- MatchPhase.cpp - Phase 1: which pairs match ------------------------===//
//
// Compares all n x n pairs of a block: one coordinate of side 1 with all of
// side 0 at once in the SIMD form, or all of side 0 with all of side 1, rotated
// by each number of lanes. That form also puts the elements of side 1
// where their partners of side 0 are: scalar code behind it takes pairs from
// two vectors, and needs no position in a general register. Where the target
// permutes lanes, what is selected is the number of the lane that matches: a
// mask is used at once, of which eight do not fit into AVX-512's registers.
//
//===----------------------------------------------------------------------===//

#include "MatchPhase.h"

#include "Vp2Intersect.h"
#include "X86Lanes.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::splyce;

/// Compare two scalars or two vectors for equality.
static Value equal(ImplicitLocOpBuilder &b, Value lhs, Value rhs) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, lhs, rhs);
}

Matches::Matches(LaneBlock &block, bool simd, Intersect intersect)
    : block(block), simd(simd), intersect(intersect) {}

void Matches::compareScalars() {
  ImplicitLocOpBuilder &b = block.b;
  for (unsigned i = 0; i < block.width; ++i) {
    SmallVector<Value> pairs;
    Value own = block.getCoordinate(0, i);
    for (unsigned j = 0; j < block.width; ++j)
      pairs.push_back(equal(b, own, block.getCoordinate(1, j)));
    Value partner = block.getCursor(1, block.width - 1);
    for (unsigned j = block.width - 1; j-- > 0;)
      partner =
          arith::SelectOp::create(b, pairs[j], block.getCursor(1, j), partner);
    found.push_back(anyOf(b, pairs));
    partners.push_back(partner);
  }
}

void Matches::extractColumns() {
  ImplicitLocOpBuilder &b = block.b;
  getFoundVector();
  Value positions = getPartnerLanes();
  for (Value position : extractLanes(b, positions)) {
    Value partner = arith::AddIOp::create(b, block.getCursor(1, 0), position);
    // A lane that repeats the last element has a cursor behind the segment.
    if (block.getMask(1))
      partner = arith::MinUIOp::create(b, partner, block.getLastCursor(1));
    partners.push_back(partner);
  }
}

Value Matches::getPartnerLanes() {
  ImplicitLocOpBuilder &b = block.b;
  if (partnerLanes)
    return arith::IndexCastUIOp::create(
        b, vectorOf(block.width, b.getIndexType()), partnerLanes);
  SmallVector<Value> lanes;
  for (unsigned j = 0; j < block.width; ++j)
    lanes.push_back(
        arith::ConstantOp::create(b, b.getIndexVectorAttr(getArrangement(j))));
  return selectColumns(lanes);
}

SmallVector<int64_t> Matches::getArrangement(int64_t number) const {
  SmallVector<int64_t> lanes(block.width, number);
  if (intersect == Intersect::Rotate)
    for (auto [i, lane] : llvm::enumerate(lanes))
      lane = (number + i) % block.width;
  return lanes;
}

SmallVector<Value> Matches::arrange(Value vector) {
  SmallVector<Value> arrangements;
  for (unsigned j = 0; j < block.width; ++j)
    arrangements.push_back(
        vector::ShuffleOp::create(block.b, vector, vector, getArrangement(j)));
  return arrangements;
}

void Matches::compareColumns() {
  Value own = block.getCoordinates(0);
  // A lane of a loaded vector folds into the comparison as a broadcast from
  // memory; a scalar that phase 3 uses too would come from a general register.
  for (Value other : arrange(block.getCoordinates(1)))
    columns.push_back(equal(block.b, own, other));
  foundVector = anyOf(block.b, columns);
}

void Matches::findPartnerLanes() {
  ImplicitLocOpBuilder &b = block.b;
  Value own = block.getCoordinates(0), others = block.getCoordinates(1);
  Type element = cast<VectorType>(others.getType()).getElementType();
  VectorType numbers = vectorOf(
      block.width, b.getIntegerType(laneBits(bitsOf(element), block.width)));
  auto numbered = [&](int64_t number) -> Value {
    Attribute value = b.getIntegerAttr(numbers.getElementType(), number);
    return arith::ConstantOp::create(b, DenseElementsAttr::get(numbers, value));
  };
  partnerLanes = numbered(0);
  for (auto [j, other] : llvm::enumerate(arrange(others)))
    if (j > 0)
      partnerLanes = arith::SelectOp::create(b, equal(b, own, other),
                                             numbered(j), partnerLanes);
  foundVector = equal(b, own, permuteLanes(b, others, partnerLanes));
}

void Matches::intersectVectors() {
  if (!matched[0])
    matched = buildVp2Intersect(block);
}

void Matches::countMatches() {
  ImplicitLocOpBuilder &b = block.b;
  intersectVectors();
  Value count = arith::IndexCastOp::create(b, b.getIndexType(),
                                           countLanes(b, matched[0]));
  foundVector = vector::CreateMaskOp::create(
      b, vectorOf(block.width, b.getI1Type()), count);
}

Value Matches::selectColumns(ArrayRef<Value> arrangements) {
  ImplicitLocOpBuilder &b = block.b;
  auto toVector = [&](Value value) {
    return isa<VectorType>(value.getType()) ? value
                                            : splat(b, block.width, value);
  };
  Value selected = toVector(arrangements.front());
  for (unsigned j = 1; j < block.width; ++j)
    selected = arith::SelectOp::create(b, columns[j], toVector(arrangements[j]),
                                       selected);
  return selected;
}

Value Matches::getFound(unsigned lane) {
  if (found.empty() && simd)
    found = extractLanes(block.b, getFoundVector());
  else if (found.empty())
    compareScalars();
  return found[lane];
}

Value Matches::getPartnerCursor(unsigned lane) {
  if (partners.empty())
    simd ? extractColumns() : compareScalars();
  return partners[lane];
}

Value Matches::buildAny(bool fromVector) {
  if (fromVector)
    return anyLane(block.b, getFoundVector());
  getFound(0);
  return anyOf(block.b, found);
}

Value Matches::buildCount(bool fromVector) {
  if (fromVector)
    return countLanes(block.b, getFoundVector());
  getFound(0);
  return countOf(block.b, found);
}

Value Matches::getFoundVector() {
  if (foundVector)
    return foundVector;
  ImplicitLocOpBuilder &b = block.b;
  if (areInFront()) {
    countMatches();
    return foundVector;
  }
  if (simd) {
    intersect == Intersect::Permute ? findPartnerLanes() : compareColumns();
    if (Value mask = block.getMask(0))
      foundVector = arith::AndIOp::create(b, foundVector, mask);
    return foundVector;
  }
  if (found.empty())
    compareScalars();
  return foundVector = vector::FromElementsOp::create(
             b, vectorOf(block.width, b.getI1Type()), found);
}

static Value zeroOf(ImplicitLocOpBuilder &b, Type type) {
  return arith::ConstantOp::create(b, b.getZeroAttr(type));
}

Value Matches::getCoordinates() {
  Value coordinates = block.getCoordinates(0);
  if (!areInFront())
    return coordinates;
  intersectVectors();
  return compressLanes(block.b, coordinates, matched[0],
                       zeroOf(block.b, coordinates.getType()));
}

Value Matches::getMatchedVector(memref::LoadOp load, Value fill) {
  intersectVectors();
  unsigned side = *block.loop.getSideOfLoad(load);
  return compressLanes(block.b, block.loadVector(load.getMemRef(), side),
                       matched[side], fill);
}

Value Matches::getLoadedVector(memref::LoadOp load, bool zeroUnmatched) {
  if (areInFront())
    return getMatchedVector(
        load, zeroOf(block.b, vectorOf(block.width, load.getType())));
  return *block.loop.getSideOfLoad(load) == 0
             ? block.loadVector(load.getMemRef(), 0)
             : getPartners(load.getMemRef(), zeroUnmatched);
}

Value Matches::getLoaded(memref::LoadOp load, unsigned lane) {
  SmallVector<Value> &lanes = loaded[load];
  if (lanes.empty())
    lanes = extractLanes(block.b, getLoadedVector(load));
  return lanes[lane];
}

Value Matches::getPartners(Value array, bool zeroUnmatched) {
  ImplicitLocOpBuilder &b = block.b;
  Value selected = selectPartners(array);
  if (!zeroUnmatched || !simd)
    return selected;
  // Beginning with zero would make each load wait for its mask: where the
  // operand does not fit into the cache that costs 1.6x.
  Value zero = arith::ConstantOp::create(
      b, b.getZeroAttr(cast<VectorType>(selected.getType())));
  return arith::SelectOp::create(b, getFoundVector(), selected, zero);
}

Value Matches::selectPartners(Value array) {
  ImplicitLocOpBuilder &b = block.b;
  getFoundVector();
  if (partnerLanes)
    return permuteLanes(b, block.loadVector(array, 1), partnerLanes);
  if (block.getMask(1) || intersect == Intersect::Rotate)
    return selectColumns(arrange(block.loadVector(array, 1)));
  SmallVector<Value> elements;
  for (unsigned j = 0; j < block.width; ++j)
    elements.push_back(memref::LoadOp::create(
        b, array, simd ? block.getCursor(1, j) : partners[j]));
  if (!simd)
    return vector::FromElementsOp::create(
        b, vectorOf(block.width, elements.front().getType()), elements);
  return selectColumns(elements);
}
