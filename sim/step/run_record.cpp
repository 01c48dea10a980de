// Who has written last.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/step/run_record.hpp"

#include <algorithm>

namespace tilesim::sim::step {

run_record::run_record(context& c)
    : in(c)
    , known(c)
    , operations(0) // the stepper says how much before anything runs
    , written(definedness_of(c).known()) {}

std::optional<std::uint32_t> run_record::last_writer(const value& v) const {
  if (!v.address || (in.mem.find(reinterpret_cast<const void*>(*v.address)) == nullptr &&
                     !in.shared.holds(*v.address))) {
    return std::nullopt;
  }
  std::uint32_t writer = 0;
  const std::size_t size = size_of(v.type.kind);
  for (std::size_t i = 0; i < v.count(); ++i) {
    const std::uintptr_t cell =
        *v.address + (static_cast<std::uintptr_t>(static_cast<std::int64_t>(i) * v.stride) * size);
    for (std::size_t b = 0; b < size; ++b) {
      writer = std::max(writer, writers.of(cell + b));
    }
  }
  return writer;
}

} // namespace tilesim::sim::step
