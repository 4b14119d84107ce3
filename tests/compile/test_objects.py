"""Counting instructions in a disassembly."""

from splyce_bench.compile.objects import object_facts

TEXT = """
0000000000000000 <kernel>:
       0:\tvpcmpeqq\t%zmm1, %zmm0, %k1
       6:\tkmovb\t%k1, %eax
       a:\tkmovw\t%k2, -0x8(%rsp)
      10:\tvpextrq\t$0x1, %xmm3, %rcx
      16:\tvmovq\t%xmm4, %rax
      1b:\tvmovq\t%rax, %xmm4
      20:\tvmulsd\t%xmm1, %xmm2, %xmm3
      24:\tvfmadd231sd\t%xmm1, %xmm2, %xmm3
      28:\tjne\t0x0 <kernel>
      2a:\tjmp\t0x40 <kernel+0x40>
      2c:\tcallq\t0x31 <kernel+0x31>
\t\t000000000000002d:  R_X86_64_PLT32\t__kmpc_fork_call-0x4
      31:\tretq
"""


def test_counts():
    assert object_facts(TEXT) == {
        "instructions": 12,
        "branches": 1,
        "packed": 4,
        "mask_moves": 2,
        "mask_spills": 1,
        "vector_to_scalar_moves": 2,
        "fma": 1,
        "openmp_calls": 1,
    }
