#!/usr/bin/env bash
# Formats our sources with clang-format 14; --check only says what it would change.
# api/ is laid out by hand: clang-format 14 mangles the constraints of its declarations. Programs and
# probes keep the includes in the order that they test.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
cd "$(dirname "$0")/../.."
mode=(-i)
[ "${1:-}" = --check ] && mode=(--dry-run --Werror)
tool=$(command -v clang-format-14 || command -v clang-format)
git ls-files 'memmodel/*.[ch]pp' 'sim/*.[ch]pp' 'gpu_backend/*.[ch]pp' 'tools/*.[ch]pp' 'bench/*.cpp' 'tests/*.test.cpp' 'tests/support/*.hpp' 'tests/clauses/*.hpp' 'tests/litmus/*.[ch]pp' 'tests/memmodel/*.[ch]pp' 'tests/sim/*.hpp' 'tests/gpu/*.hpp' |
  xargs "$tool" "${mode[@]}"
