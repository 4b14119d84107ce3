//===- MatchBuffer.cpp - Matches that wait --------------------------------===//

#include "MatchBuffer.h"

#include "X86Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::splyce;

/// Matches with which the buffer counts as full: 2 KB of f64 stay in the first
/// cache, and working them off in between is rare.
static constexpr int64_t kCapacity = 256;
/// The most that a body appends to a buffer that is not full, and the most that
/// is appended behind the loop.
static constexpr int64_t kAppended = 16;
MatchBuffer::~MatchBuffer() = default;

Value MatchBuffer::constant(int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The block around an operation that runs once in a frame: the first one of a
/// function, or that of a loop that runs in parallel.
static Block *findFrame(Operation *op) {
  Operation *parent = op->getParentOp();
  if (isa<FunctionOpInterface>(parent))
    return &op->getParentRegion()->front();
  return isa<scf::ForOp, scf::IfOp, scf::WhileOp>(parent) ? findFrame(parent)
                                                          : op->getBlock();
}

Value MatchBuffer::allocate(Block *frame, bool onStack, Type element) {
  auto type = MemRefType::get({kCapacity + 2 * kAppended + kGroup}, element);
  if (onStack)
    return memref::AllocaOp::create(b, type);
  Value array = memref::AllocOp::create(b, type);
  Value pointer = memref::ExtractAlignedPointerAsIndexOp::create(b, array);
  Value some =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ne, pointer, constant(0));
  available =
      available ? Value(arith::AndIOp::create(b, available, some)) : some;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(frame->getTerminator());
  memref::DeallocOp::create(b, array);
  return array;
}

MatchBuffer::MatchBuffer(ImplicitLocOpBuilder &b, const IntersectionLoop &loop,
                         TypeRange types)
    : b(b), loop(loop) {
  Block *frame = findFrame(loop.loop);
  bool onStack = isa<FunctionOpInterface>(frame->getParentOp());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(frame);
  for (Type type : types)
    arrays.push_back(allocate(frame, onStack, type));
}

//===----------------------------------------------------------------------===//
// Appending
//===----------------------------------------------------------------------===//

Value MatchBuffer::append(ValueRange values, Value found, Value count) {
  for (auto [array, value] : llvm::zip(arrays, values))
    memref::StoreOp::create(b, value, array, count);
  return arith::AddIOp::create(b, count, found);
}

Value MatchBuffer::appendLanes(ValueRange vectors, Value found, Value count) {
  // A compressing store is microcode on Zen 4.
  for (auto [array, vector] : llvm::zip(arrays, vectors)) {
    Value anything = LLVM::PoisonOp::create(b, vector.getType());
    Value lanes = compressLanes(b, vector, found, anything);
    vector::StoreOp::create(b, lanes, array, count);
  }
  Value number =
      arith::IndexCastOp::create(b, b.getIndexType(), countLanes(b, found));
  return arith::AddIOp::create(b, count, number);
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

/// Build a loop that runs until the buffer is full, or nothing is left; return
/// the state and the count.
ValueRange MatchBuffer::fill(ValueRange state, Condition isInside, Body body) {
  SmallVector<Value> inits(state);
  inits.push_back(constant(0));
  auto loop = scf::WhileOp::create(
      b, TypeRange(ValueRange(inits)), inits,
      [&](OpBuilder &, Location, ValueRange args) {
        Value hasRoom = arith::CmpIOp::create(b, arith::CmpIPredicate::ult,
                                              args.back(), constant(kCapacity));
        Value goesOn =
            arith::AndIOp::create(b, isInside(args.drop_back()), hasRoom);
        scf::ConditionOp::create(b, goesOn, args);
      },
      [&](OpBuilder &, Location, ValueRange args) {
        scf::YieldOp::create(b, body(args.drop_back(), args.back()));
      });
  return loop.getResults();
}

MatchBuffer::Filled MatchBuffer::buildLoop(ValueRange state,
                                           ValueRange accumulators,
                                           Condition isInside, Body body) {
  size_t size = state.size();
  SmallVector<Value> inits(state);
  llvm::append_range(inits, accumulators);
  SmallVector<Type> types;
  llvm::append_range(types, ValueRange(inits).getTypes());
  types.push_back(b.getIndexType());
  auto outside = scf::WhileOp::create(
      b, types, inits,
      [&](OpBuilder &, Location, ValueRange args) {
        ValueRange filled = fill(args.take_front(size), isInside, body);
        SmallVector<Value> next(filled.drop_back());
        llvm::append_range(next, args.drop_front(size));
        next.push_back(filled.back());
        scf::ConditionOp::create(b, isInside(filled.drop_back()), next);
      },
      [&](OpBuilder &, Location, ValueRange args) {
        SmallVector<Value> next(args.take_front(size));
        llvm::append_range(
            next, workOff(args.slice(size, accumulators.size()), args.back()));
        scf::YieldOp::create(b, next);
      });
  ValueRange last = outside.getResults();
  return {SmallVector<Value>(last.take_front(size)),
          SmallVector<Value>(last.slice(size, accumulators.size())),
          last.back()};
}
