// RUN: not splyce-opt %s --splyce="vector-width=3" 2>&1 | FileCheck %s --check-prefix=WIDTH
// RUN: not splyce-opt %s --splyce="vectorize=match,gather" 2>&1 | FileCheck %s --check-prefix=PHASE
// RUN: not splyce-opt %s --splyce="fp-order=fast" 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not splyce-opt %s --splyce="lane=fast" 2>&1 | FileCheck %s --check-prefix=LANE
// RUN: not splyce-opt %s --splyce="lane=masked vectorize=match" 2>&1 | FileCheck %s --check-prefix=PHASES
// RUN: not splyce-opt %s --splyce="lane=workspace vector-width=4" 2>&1 | FileCheck %s --check-prefix=NOWIDTH
// RUN: not splyce-opt %s --splyce="intersect=compare" 2>&1 | FileCheck %s --check-prefix=INTERSECT
// RUN: not splyce-opt %s --splyce="lane=workspace intersect=auto" 2>&1 | FileCheck %s --check-prefix=INTERSECT
// RUN: not splyce-opt %s --splyce="lane=masked intersect=merge" 2>&1 | FileCheck %s --check-prefix=MERGE
// RUN: not splyce-opt %s --splyce="lane=masked workspace-bytes=1" 2>&1 | FileCheck %s --check-prefix=BYTES
// RUN: not splyce-opt %s --splyce="lane=auto cache-bytes=-1" 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not splyce-opt %s --splyce="lane=auto workspace-bytes=many" 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not splyce-opt %s --splyce="lane=auto vectorize=match" 2>&1 | FileCheck %s --check-prefix=PHASES
// RUN: not splyce-opt %s --splyce="lane=masked unroll-and-jam=3" 2>&1 | FileCheck %s --check-prefix=JAM
// RUN: not splyce-opt %s --splyce="lane=auto unroll-and-jam=2" 2>&1 | FileCheck %s --check-prefix=NOJAM
// RUN: not splyce-opt %s --splyce="lane=masked unroll-and-jam=2 count-lanes=true" 2>&1 | FileCheck %s --check-prefix=NOCOUNT
// RUN: not splyce-opt %s --pass-pipeline="builtin.module(func.func(splyce{count-lanes=true}))" 2>&1 | FileCheck %s --check-prefix=COUNT

// WIDTH: error: option 'vector-width' must be 2, 4, 8 or 16, found 3
// PHASE: error: unknown phase 'gather' in option 'vectorize', expected match, compute or advance
// ORDER: fast
// LANE: fast
// PHASES: error: option 'vectorize' is for lane=paper, remove it
// NOWIDTH: error: option 'vector-width' is not for lane=workspace, remove it
// INTERSECT: error: option 'intersect' is for lane=masked and lane=auto, remove it
// MERGE: merge
// BYTES: error: options 'workspace-bytes' and 'cache-bytes' are for lane=auto, remove them
// NEGATIVE: error: options 'workspace-bytes' and 'cache-bytes' must not be negative
// NUMBER: many
// JAM: error: option 'unroll-and-jam' must be 1 or 2, found 3
// NOJAM: error: option 'unroll-and-jam' is for lane=masked, remove it
// NOCOUNT: error: options 'unroll-and-jam' and 'count-lanes' exclude each other, remove one
// COUNT: error: option 'count-lanes' needs the pass on a module
func.func @empty() {
  return
}
