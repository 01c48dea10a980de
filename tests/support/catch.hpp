// Catch2 3 or 2.13, whichever the system brings: the difference stays here.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#  include <catch2/catch_all.hpp>
#else
#  include <catch2/catch.hpp>
#endif
