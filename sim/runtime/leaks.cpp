// Memory that the program ends without giving back.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/runtime/leaks.hpp"

#include "sim/core/context.hpp"
#include "sim/naming/buffer_names.hpp"
#include "sim/runtime/for_library.hpp"
#include "sim/runtime/state.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <map>
#include <utility>

namespace tilesim::sim {

namespace {

struct leaked {
  const allocation* first = nullptr;
  std::size_t count = 0;
  std::size_t bytes = 0;
};

finding_text text(context& c, const leaked& l) {
  const bool of_heap =
      runtime_state::of(c).heap.live.contains(reinterpret_cast<const void*>(l.first->begin));
  const char* const function = of_heap ? "free or delete it in a kernel"
                               : l.first->kind == memory_kind::pinned ? "cudaFreeHost"
                                                                      : "cudaFree";
  finding_text f;
  f.kind = finding_kind::leak;
  f.message = l.count == 1
                  ? fmt::format("{}: {} bytes are never freed", name(l.first->kind), l.bytes)
                  : fmt::format("{}: {} allocations, {} bytes in all, are never freed",
                                name(l.first->kind),
                                l.count,
                                l.bytes);
  f.severity = c.opts.leaks ? finding::level::defect : finding::level::note;
  const std::string buffer = buffer_text(c, nullptr, *l.first);
  f.details = {fmt::format("{} allocation #{}{}",
                           l.count == 1 ? "it is" : "the first is",
                           l.first->id,
                           buffer.empty() ? "" : ", " + buffer)};
  f.remedy = fmt::format("{} before the program ends", function);
  f.memory = {.address = l.first->begin, .bytes = l.first->size};
  return f;
}

} // namespace

void report_leaks(context& c) {
  for_library::release_deferred();
  std::map<unsigned, leaked> by_place; // in the order of the allocations
  std::map<std::pair<const void*, memory_kind>, unsigned> first;
  const auto& conditions = runtime_state::of(c).graphs.conditions;
  for (const allocation* a : c.mem.live()) {
    if (a->kind == memory_kind::registered || a->kind == memory_kind::lent) {
      continue; // the program's own
    }
    if (conditions.contains(reinterpret_cast<const void*>(a->begin))) {
      continue; // a graph's, and gone with it
    }
    leaked& l = by_place[first.try_emplace({a->site, a->kind}, a->id).first->second];
    l.first = l.first == nullptr || a->id < l.first->id ? a : l.first;
    ++l.count;
    l.bytes += a->size;
  }
  for (const auto& [id, l] : by_place) {
    const std::size_t number = c.found.add(l.first->site, text(c, l));
    for (std::size_t more = 1; more < l.count; ++more) {
      c.found.again(number);
    }
  }
}

} // namespace tilesim::sim
