// Candidate executions: where the bytes of a read come from.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/execution.hpp"

#include <algorithm>

namespace tilesim::memmodel {

execution::execution(std::size_t n)
    : events(n)
    , po(n)
    , rmw(n)
    , addr(n)
    , data(n)
    , ctrl(n)
    , api(n)
    , rf(n)
    , source(n)
    , co(n)
    , sc(n) {
  for (auto& bytes : source) {
    bytes.fill(no_event);
  }
}

void execution::read_byte_from(event_id read, std::uint32_t byte, event_id write) {
  source[read][byte] = write;
  rf.add(write, read);
}

void execution::read_from(event_id read, event_id write) {
  const byte_range& r = events[read].bytes;
  const byte_range& w = events[write].bytes;
  for (std::uint64_t a = std::max(r.address, w.address); a < std::min(r.end(), w.end()); ++a) {
    read_byte_from(read, static_cast<std::uint32_t>(a - r.address), write);
  }
}

void execution::forget_source(event_id read) {
  for (event_id& w : source[read]) {
    if (w != no_event) {
      rf.remove(w, read);
      w = no_event;
    }
  }
}

std::uint8_t execution::byte_of(event_id e, std::uint64_t address) const {
  return static_cast<std::uint8_t>(events[e].value >> (8 * (address - events[e].bytes.address)));
}

} // namespace tilesim::memmodel
