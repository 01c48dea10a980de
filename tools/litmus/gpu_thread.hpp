// A thread of a PTX litmus test as inline PTX.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/litmus/program.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace tilesim::driver {

/// "acq_rel", as PTX has it.
[[nodiscard]] std::string_view order_word(memmodel::memory_order o);

/// How many elements an access has.
[[nodiscard]] std::size_t elements(const memmodel::litmus::instruction& i);

/// The text of an `asm` statement, less its operands. These are the thread's registers, then the
/// number of backward branches that are left, then the addresses of all variables.
[[nodiscard]] std::string thread_statement(const memmodel::litmus::test& t,
                                           const memmodel::litmus::thread& p);

} // namespace tilesim::driver
