//===- X86Lanes.h - Lanes moved by x86 instructions -------------*- C++ -*-===//
//
// What no dialect has an operation for, where the lanes of the result depend
// on data.
//
//===----------------------------------------------------------------------===//

#ifndef SPLYCE_LIB_X86LANES_H
#define SPLYCE_LIB_X86LANES_H

#include "LaneBlock.h"

namespace mlir::splyce {

/// The bits of an element.
unsigned bitsOf(Type type);
/// The bits of the lane that an element of so many bits needs.
unsigned laneBits(unsigned bits, unsigned width);

/// Call an intrinsic, in a scope of its own: `llvm.call_intrinsic` states no
/// effects and is taken for a stack allocation, so that directly in a parallel
/// loop the scope that `convert-scf-to-openmp` makes would stay around all of
/// the body, and not lower. LLVM removes this one.
Value callIntrinsic(ImplicitLocOpBuilder &b, Type result, StringRef name,
                    ValueRange operands);

/// Whether LLVM can compress vectors of n elements of a type.
bool canCompress(Type element, unsigned width);

/// The lanes of a vector that a mask selects, in front; the rest is that of
/// `fill`. Without an instruction for it LLVM 22 has code only for a fill that
/// is poison.
Value compressLanes(ImplicitLocOpBuilder &b, Value vector, Value mask,
                    Value fill);

/// Whether one instruction of AVX-512 permutes vectors of n elements of a type.
bool canPermute(Type element, unsigned width);

/// For each number the lane of the vector that it names; `numbers` is a vector
/// of integers.
Value permuteLanes(ImplicitLocOpBuilder &b, Value vector, Value numbers);

} // namespace mlir::splyce

#endif // SPLYCE_LIB_X86LANES_H
