//===- X86Lanes.cpp - Lanes moved by x86 instructions ---------------------===//

#include "X86Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::splyce;

unsigned mlir::splyce::bitsOf(Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

unsigned mlir::splyce::laneBits(unsigned bits, unsigned width) {
  return bits > 32 || width == 2 ? 64 : 32;
}

Value mlir::splyce::callIntrinsic(ImplicitLocOpBuilder &b, Type result,
                                  StringRef name, ValueRange operands) {
  auto scope = memref::AllocaScopeOp::create(b, TypeRange(result));
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&scope.getBodyRegion());
  Value value =
      LLVM::CallIntrinsicOp::create(b, result, b.getStringAttr(name), operands)
          .getResult(0);
  memref::AllocaScopeReturnOp::create(b, value);
  return scope.getResult(0);
}

bool mlir::splyce::canCompress(Type element, unsigned width) {
  unsigned bits = bitsOf(element);
  return bits <= 64 && laneBits(bits, width) * width <= 512;
}

/// Elements as the instructions take them, which are those of 32 and 64 bits:
/// others are integers in wider lanes.
static Value widenLanes(ImplicitLocOpBuilder &b, Value vector) {
  auto type = cast<VectorType>(vector.getType());
  Type element = type.getElementType();
  unsigned width = type.getNumElements();
  unsigned bits = bitsOf(element), wide = laneBits(bits, width);
  VectorType lanes = vectorOf(width, b.getIntegerType(wide));
  if (element.isIndex())
    return arith::IndexCastOp::create(b, lanes, vector);
  if (bits == wide)
    return vector;
  if (!element.isInteger())
    vector = arith::BitcastOp::create(
        b, vectorOf(width, b.getIntegerType(bits)), vector);
  return arith::ExtUIOp::create(b, lanes, vector);
}

/// The inverse of `widenLanes`.
static Value narrowLanes(ImplicitLocOpBuilder &b, Value lanes,
                         VectorType type) {
  Type element = type.getElementType();
  if (lanes.getType() == type)
    return lanes;
  if (element.isIndex())
    return arith::IndexCastOp::create(b, type, lanes);
  VectorType integers =
      vectorOf(type.getNumElements(), b.getIntegerType(bitsOf(element)));
  Value narrow = arith::TruncIOp::create(b, integers, lanes);
  if (integers == type)
    return narrow;
  return arith::BitcastOp::create(b, type, narrow);
}

Value mlir::splyce::compressLanes(ImplicitLocOpBuilder &b, Value vector,
                                  Value mask, Value fill) {
  Value lanes = widenLanes(b, vector);
  Value compressed =
      callIntrinsic(b, lanes.getType(), "llvm.experimental.vector.compress",
                    ValueRange{lanes, mask, widenLanes(b, fill)});
  return narrowLanes(b, compressed, cast<VectorType>(vector.getType()));
}

/// `llvm.x86.*` for a permutation of n lanes; none where there is none.
static StringRef permutationOf(unsigned bits, unsigned width, bool isFloat) {
  if (bits == 64 && width == 8)
    return isFloat ? "llvm.x86.avx512.permvar.df.512"
                   : "llvm.x86.avx512.permvar.di.512";
  if (bits == 32 && width == 16)
    return isFloat ? "llvm.x86.avx512.permvar.sf.512"
                   : "llvm.x86.avx512.permvar.si.512";
  if (bits == 32 && width == 8)
    return isFloat ? "llvm.x86.avx2.permps" : "llvm.x86.avx2.permd";
  return "";
}

bool mlir::splyce::canPermute(Type element, unsigned width) {
  unsigned bits = bitsOf(element);
  return bits <= 64 &&
         !permutationOf(laneBits(bits, width), width, false).empty();
}

Value mlir::splyce::permuteLanes(ImplicitLocOpBuilder &b, Value vector,
                                 Value numbers) {
  Value lanes = widenLanes(b, vector);
  auto type = cast<VectorType>(lanes.getType());
  unsigned width = type.getNumElements(), bits = bitsOf(type.getElementType());
  Type number = vectorOf(width, b.getIntegerType(bits));
  unsigned given = bitsOf(cast<VectorType>(numbers.getType()).getElementType());
  if (given > bits)
    numbers = arith::TruncIOp::create(b, number, numbers);
  else if (given < bits)
    numbers = arith::ExtUIOp::create(b, number, numbers);
  StringRef name =
      permutationOf(bits, width, isa<FloatType>(type.getElementType()));
  Value permuted = callIntrinsic(b, type, name, ValueRange{lanes, numbers});
  return narrowLanes(b, permuted, cast<VectorType>(vector.getType()));
}
