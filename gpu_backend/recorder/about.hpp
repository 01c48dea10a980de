// What `tilesim gpu build` says of the program that it builds: it defines these in a source of its
// own.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilesim::gpu::about {

extern const char* const sources;
extern const unsigned long long source_hash;
extern const char* const compiler;
extern const char* const flags;
extern const unsigned runs; ///< --runs
extern const bool full;     ///< --full
/// Which sums are fused with a product, as a recording has it; empty: none may be, or nobody knows.
extern const char* const sums;

} // namespace tilesim::gpu::about
