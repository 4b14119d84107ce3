#!/bin/sh
# Say in one line everything that `make setup` needs and this machine lacks; `make setup` calls it first.
#
#   scripts/check-needs.sh [PYTHON]     CC and CXX as for a run
#
# Nothing but the shell itself is used: a bare machine has nothing else.
set -u

python=${1:-python3}
lacks=''
packages=''

lack() { # WHAT PACKAGES, which may be empty
  lacks="$lacks${lacks:+, }$1"
  if [ -n "$2" ]; then packages="$packages${packages:+ }$2"; fi
}

ask() { "$python" -c "$1" 2> /dev/null; }

check_python() {
  if ! command -v "$python" > /dev/null; then
    lack "Python 3.11 to 3.14 with venv ($python is no program)" "python3-venv python3-dev"
    return
  fi
  version=$(ask 'import sys; print("%d.%d" % sys.version_info[:2])') || version='no Python'
  case $version in
    3.11 | 3.12 | 3.13 | 3.14) ;;
    # requirements.lock: numpy has no wheel for less, contourpy none for more.
    *)
      lack "Python 3.11 to 3.14 ($python is $version; name another with make PYTHON=...)" ''
      return
      ;;
  esac
  ask 'import ensurepip, venv' || lack "venv of Python $version" "${python##*/}-venv"
  # One package of the lock, immutables, has no wheel for 3.14 and is compiled.
  if [ "$version" = 3.14 ]; then
    ask 'import pathlib, sysconfig; (pathlib.Path(sysconfig.get_path("include")) / "Python.h").stat()' ||
      lack "the headers of Python $version" "${python##*/}-dev"
  fi
}

first() { # PROGRAM...: print the first that there is
  for program; do
    if [ -n "$program" ] && command -v "$program" > /dev/null; then
      echo "$program"
      return
    fi
  done
  return 1
}

compiles() { # COMPILER LANGUAGE HEADER: one without its library's headers is there, and of no use
  echo "#include <$3>
int main() { return 0; }" | "$1" -x "$2" -o /dev/null - 2> /dev/null
}

check_compilers() {
  cxx=$(first ${CXX:-c++ g++ clang++}) || cxx=''
  cc=$(first "${CC:-}" cc gcc clang) || cc=''
  if [ -z "$cxx$cc" ]; then
    lack "C and C++ compilers" g++
    return
  fi
  if [ -z "$cxx" ]; then
    lack "a C++ compiler${CXX:+ (CXX=$CXX is no program)}" g++
  elif ! compiles "$cxx" c++ vector; then
    lack "a C++ compiler that works ($cxx cannot compile #include <vector>)" g++
  fi
  if [ -z "$cc" ]; then
    lack "a C compiler" gcc
  elif ! compiles "$cc" c stdio.h; then
    lack "a C compiler that works ($cc cannot compile #include <stdio.h>)" libc6-dev
  fi
}

check_python
check_compilers
if [ -n "$lacks" ]; then
  echo "error: missing: $lacks${packages:+; on Debian or Ubuntu: sudo apt install $packages}" >&2
  exit 1
fi
