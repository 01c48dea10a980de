// The fields of each event, named once: the writer and the reader go through them in this order.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu_backend/container/events.hpp"

#include <type_traits>

namespace tilesim::gpu {

template <class F>
struct field_visitor {
  F f;

  void operator()(auto& e) {
    using type = std::remove_cvref_t<decltype(e)>;
    if constexpr (std::is_same_v<type, machine_event>) {
      f(e.program), f(e.sources), f(e.source_hash), f(e.compiler), f(e.flags);
      f(e.device), f(e.capability), f(e.driver), f(e.runtime);
    } else if constexpr (std::is_same_v<type, run_event> || std::is_same_v<type, freed_event>) {
      f(e.number);
    } else if constexpr (std::is_same_v<type, memory_event>) {
      f(e.number), f(e.kind), f(e.address), f(e.bytes), f(e.name), f(e.place);
    } else if constexpr (std::is_same_v<type, host_write_event>) {
      f(e.memory), f(e.offset), f(e.bytes), f(e.hash), f(e.by);
    } else if constexpr (std::is_same_v<type, content_event>) {
      f(e.is), f(e.memory), f(e.offset), f(e.bytes), f(e.content), f(e.mask);
    } else if constexpr (std::is_same_v<type, launch_event>) {
      f(e.number), f(e.symbol), f(e.grid), f(e.block), f(e.cluster);
      f(e.shared_bytes), f(e.stream), f(e.by), f(e.place);
    } else if constexpr (std::is_same_v<type, observed_event>) {
      f(e.first), f(e.last);
    } else if constexpr (std::is_same_v<type, copy_event>) {
      f(e.memory), f(e.offset), f(e.bytes), f(e.hash), f(e.by), f(e.place);
    } else if constexpr (std::is_same_v<type, error_event>) {
      f(e.function), f(e.code), f(e.name);
    } else if constexpr (std::is_same_v<type, printed_event>) {
      f(e.bytes);
    } else if constexpr (std::is_same_v<type, end_event>) {
      f(e.by_signal), f(e.status);
    } else if constexpr (std::is_same_v<type, lines_event> || std::is_same_v<type, sums_event>) {
      f(e.content), f(e.bytes);
    } else if constexpr (std::is_same_v<type, pages_event>) {
      f(e.is), f(e.memory), f(e.offset), f(e.bytes), f(e.hashes);
    } else {
      static_assert(std::is_same_v<type, arguments_event>);
      f(e.launch), f(e.sizes), f(e.bytes);
    }
  }
};

/// Calls f for each field of an event, in the order of the file.
template <class E, class F>
void each_field(E& e, F&& f) {
  field_visitor<F&>{f}(e);
}

} // namespace tilesim::gpu
