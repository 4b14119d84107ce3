//===- EstimateBuilder.cpp - Numbers that a kernel estimates with ---------===//

#include "EstimateBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::splyce;
using sparse_tensor::StorageSpecifierKind;

Value EstimateBuilder::number(double value) {
  return arith::ConstantOp::create(b, b.getF64FloatAttr(value));
}

Value EstimateBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

Value EstimateBuilder::toNumber(Value index) {
  Value word = arith::IndexCastOp::create(b, b.getI64Type(), index);
  return arith::SIToFPOp::create(b, b.getF64Type(), word);
}

Value EstimateBuilder::add(Value lhs, Value rhs) {
  return arith::AddFOp::create(b, lhs, rhs);
}

Value EstimateBuilder::mul(Value lhs, Value rhs) {
  return arith::MulFOp::create(b, lhs, rhs);
}

Value EstimateBuilder::least(Value lhs, Value rhs) {
  return arith::MinNumFOp::create(b, lhs, rhs);
}

Value EstimateBuilder::isGreater(Value lhs, Value rhs) {
  return arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, lhs, rhs);
}

Value EstimateBuilder::isFrom(Value value, double least) {
  return arith::CmpFOp::create(b, arith::CmpFPredicate::UGE, value,
                               number(least));
}

Value EstimateBuilder::getSize(const StorageLevel &level,
                               StorageSpecifierKind kind) {
  return sparse_tensor::GetStorageSpecifierOp::create(
      b, level.specifier,
      sparse_tensor::StorageSpecifierKindAttr::get(b.getContext(), kind),
      level.level);
}

Value EstimateBuilder::buildSegments(const StorageLevel &level) {
  return add(toNumber(getSize(level, StorageSpecifierKind::PosMemSize)),
             number(-1));
}

Value EstimateBuilder::buildAverage(const StorageLevel &level) {
  Value elements = toNumber(getSize(level, StorageSpecifierKind::CrdMemSize));
  return arith::DivFOp::create(b, elements, buildSegments(level));
}
