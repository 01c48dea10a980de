// Sums, read from a recording.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/gpu/recorded_sums.hpp"

#include "sim/contract/kernel_names.hpp"
#include "sim/contract/sum_table.hpp"
#include "tools/gpu/places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace tilesim::tools::gpu_tool {

namespace {

sim::sum_table table_of(const gpu::recording_file& from) {
  const auto text = sums_of(from);
  return text ? sim::sums_from_text(*text) : sim::sum_table{};
}

std::string place_text(const sim::sum_place& p) {
  const sim::text_position& at = p.at.front();
  return at.column == 0 ? fmt::format("{}:{}", p.file, at.line)
                        : fmt::format("{}:{}:{}", p.file, at.line, at.column);
}

const char* word(sim::compiled_sum::how h) {
  switch (h) {
  case sim::compiled_sum::how::fused:
    return "fused with a product";
  case sim::compiled_sum::how::open:
    return "of several, some fused";
  default:
    return "apart";
  }
}

} // namespace

std::optional<std::string> sums_of(const gpu::recording_file& from) {
  std::optional<std::string> text;
  for (const gpu::event& e : from.events()) {
    if (const auto* const sums = std::get_if<gpu::sums_event>(&e)) {
      const auto bytes = from.content(sums->content, sums->bytes);
      text = text.value_or("") +
             std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    } else if (std::holds_alternative<gpu::run_event>(e)) {
      break; // later runs are of the same program
    }
  }
  if (text) {
    try {
      static_cast<void>(sim::sums_from_text(*text));
    } catch (const sim::bad_sum_table& e) {
      throw gpu::bad_recording(fmt::format("{}: error: the table of sums, {}; record the program "
                                           "anew",
                                           from.path(),
                                           e.what()));
    }
  }
  return text;
}

std::string counted_sums(const gpu::recording_file& from) {
  const sim::sum_table table = table_of(from);
  const auto count = [&](sim::compiled_sum::how h) {
    return std::ranges::count(table, h, &sim::compiled_sum::is);
  };
  const auto open = count(sim::compiled_sum::how::open);
  return fmt::format("contraction: {} of {} sums {} fused with a product{}",
                     count(sim::compiled_sum::how::fused),
                     table.size(),
                     table.size() == 1 ? "is" : "are",
                     open == 0 ? "" : fmt::format("; of {} it is not known", open));
}

std::string listed_sums(const gpu::recording_file& from) {
  std::string text;
  for (const sim::compiled_sum& s : table_of(from)) {
    text += fmt::format("{}: {}, {}", place_text(s.frames.front()), s.element, word(s.is));
    for (std::size_t i = 1; i < s.frames.size(); ++i) {
      text += fmt::format(", called at {}", place_text(s.frames[i]));
    }
    text += fmt::format(", in {}\n", sim::demangled(s.kernel));
  }
  return text.empty() ? "contraction: the recording says nothing of it\n" : text;
}

} // namespace tilesim::tools::gpu_tool
