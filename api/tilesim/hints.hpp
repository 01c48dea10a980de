// Optimization hints: `[[cutile::hint(arch, key=value)]]`, which never change what a program does.
//
// They are attributes, so a host compiler accepts and ignores them (with -Wno-attributes,
// silently): there is nothing to declare. The kinds and their values, for tools that read them from
// the source:
//
//   num_cta_in_cga             kernel             1, 2, 4, 8, 16
//   num_worker_warps_per_cta   kernel             4, 8
//   occupancy                  kernel             1 … 32
//   latency                    load or store      1 … 10
//   allow_tma                  view load, store   true, false
//
// [optimization hints]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once
