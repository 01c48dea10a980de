// Pages that each thread opens and closes for itself, all of them at once and without a call of the
// system: by a protection key (pkeys(7)), where the processor and the system have such.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace tilesim::sim::keyed_pages {

/// Whether this machine has such.
[[nodiscard]] bool can_be() noexcept;

/// Makes these mapped pages some, to be read and written by who has them open. False: refused, as
/// where the process has as many mappings as the system permits.
[[nodiscard]] bool make(std::uintptr_t begin, std::size_t size) noexcept;

/// Opens and closes them for this thread; calls nest. One that begins has them as the thread that
/// began it.
void open() noexcept;
void close() noexcept;

/// The system closes them to a handler of a signal's: opens them again, if the code that was
/// interrupted had them open. For handlers of the library's own, at their beginning: the program's
/// are host code.
void reopen_in_handler() noexcept;

/// After code has been left for good: they are as they were where the thread's marks say so.
void follow_marks() noexcept;

} // namespace tilesim::sim::keyed_pages
