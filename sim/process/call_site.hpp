// Where a function of the library was called from.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The place in the code that called the function that this stands in: an exported one, so that it
/// is called and not inlined. Compilers may encode what a frame holds; this is the address itself.
#define TILESIM_SITE __builtin_extract_return_addr(__builtin_return_address(0))
