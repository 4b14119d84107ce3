//===- LaneCounters.cpp - Instrumented kernels ----------------------------===//
//
// Adds up how many elements each lane consumes. The sums are updated once for
// each segment, except that the unmodified scalar loop adds each of its
// matches.
//
//===----------------------------------------------------------------------===//

#include "LaneCounters.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::splyce;

static constexpr StringLiteral kFastElements = "splyce_fast_elements";
static constexpr StringLiteral kEpilogueElements = "splyce_epilogue_elements";
static constexpr StringLiteral kMatches = "splyce_matches";

/// The type of a counter.
static MemRefType counterType(Builder &b) {
  return MemRefType::get({}, b.getI64Type());
}

/// Declare one counter, zero at the start.
static LogicalResult declareCounter(ImplicitLocOpBuilder &b, Operation *module,
                                    StringRef name) {
  MemRefType type = counterType(b);
  if (Operation *taken = SymbolTable::lookupSymbolIn(module, name)) {
    auto global = dyn_cast<memref::GlobalOp>(taken);
    if (global && global.getType() == type && !global.getConstant())
      return success();
    return taken->emitOpError("takes the name of a lane counter");
  }
  auto zero = DenseElementsAttr::get(RankedTensorType::get({}, b.getI64Type()),
                                     b.getI64IntegerAttr(0));
  memref::GlobalOp::create(b, name, b.getStringAttr("public"), type, zero,
                           /*constant=*/false, /*alignment=*/IntegerAttr());
  return success();
}

LogicalResult mlir::splyce::declareCounters(Operation *module) {
  ImplicitLocOpBuilder b(module->getLoc(), module->getContext());
  b.setInsertionPointToStart(&module->getRegion(0).front());
  for (StringRef name : {kFastElements, kEpilogueElements, kMatches})
    if (failed(declareCounter(b, module, name)))
      return failure();
  return success();
}

/// Add a number (i64) to a counter.
static void addTo(ImplicitLocOpBuilder &b, StringRef name, Value number) {
  Value counter = memref::GetGlobalOp::create(b, counterType(b), name);
  memref::AtomicRMWOp::create(b, arith::AtomicRMWKind::addi, number, counter,
                              ValueRange());
}

/// The elements of both sides between two states of the loop (i64).
static Value buildDistance(ImplicitLocOpBuilder &b,
                           const IntersectionLoop &loop, ValueRange from,
                           ValueRange to) {
  SmallVector<Value> steps;
  for (const IntersectionSide &side : loop.sides)
    steps.push_back(arith::SubIOp::create(b, to[side.arg], from[side.arg]));
  Value sum = arith::AddIOp::create(b, steps[0], steps[1]);
  return arith::IndexCastOp::create(b, b.getI64Type(), sum);
}

void mlir::splyce::buildCounters(ImplicitLocOpBuilder &b,
                                 const IntersectionLoop &loop,
                                 const FastLane &lane, ValueRange laneStart) {
  scf::WhileOp epilogue = loop.loop;
  b.setInsertionPoint(epilogue);
  addTo(b, kFastElements, buildDistance(b, loop, laneStart, lane.results));
  addTo(b, kMatches, lane.matches);
  b.setInsertionPointToStart(loop.matchedBlock);
  addTo(b, kMatches, arith::ConstantIntOp::create(b, b.getI64Type(), 1));
  b.setInsertionPointAfter(epilogue);
  addTo(b, kEpilogueElements,
        buildDistance(b, loop, lane.results, epilogue.getResults()));
}

void mlir::splyce::buildMaskedCounters(ImplicitLocOpBuilder &b,
                                       const IntersectionLoop &loop,
                                       const FastLane &lane,
                                       ValueRange laneStart) {
  addTo(b, kFastElements, buildDistance(b, loop, laneStart, lane.unmasked));
  addTo(b, kEpilogueElements,
        buildDistance(b, loop, lane.unmasked, lane.results));
  addTo(b, kMatches, lane.matches);
}

void mlir::splyce::buildWorkspaceCounters(ImplicitLocOpBuilder &b, Value from,
                                          Value to, Value matches) {
  Value elements = arith::SubIOp::create(b, to, from);
  addTo(b, kFastElements,
        arith::IndexCastOp::create(b, b.getI64Type(), elements));
  addTo(b, kMatches, matches);
}
