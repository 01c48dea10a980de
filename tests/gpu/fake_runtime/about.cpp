// What `tilesim gpu build` would say of a program.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu_backend/recorder/about.hpp"

namespace tilesim::gpu::about {

const char* const sources = "scenarios.cpp";
const unsigned long long source_hash = 0x1234;
const char* const compiler = "nvcc 13.4.92";
const char* const flags = "-fmad=false";
#ifdef FAKE_RUNS
const unsigned runs = FAKE_RUNS;
#else
const unsigned runs = 1;
#endif
#ifdef FAKE_FULL
const bool full = true;
#else
const bool full = false;
#endif
const char* const sums = "tilesim-sums 1\nfile scenarios.cpp\nkernel _Z1kPf\n"
                         "sum 0 f32 fused 0,7:12,7:14\nsum 0 f32 apart 0,8:12\n";

} // namespace tilesim::gpu::about
