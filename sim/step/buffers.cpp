// Naming allocations after the source line that makes them.
//
// `cudaMalloc(&bins, …)` names bins; where that stands in a helper, `auto x = make(…)` or
// `device_array<int> x(…)` in its caller names x.
// SPDX-License-Identifier: Apache-2.0
#include "sim/step/buffers.hpp"

#include "sim/context.hpp"
#include "sim/source_site.hpp"
#include "sim/step/locals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <regex>

namespace tilesim::sim::step {

namespace {

constexpr std::size_t frames_looked_at = 4;

/// A line of a source file, with the one behind it if the statement goes on there.
std::string source_statement(const source_frame& f) {
  std::ifstream file(f.file);
  std::string line;
  for (unsigned n = 1; n <= f.line && std::getline(file, line); ++n) {
  }
  return line;
}

/// The variable that an allocating call on this line fills.
std::string filled_name(const std::string& line) {
  static const std::regex by_address(
      R"(Alloc\w*\s*(?:<[^<>]*>)?\s*\((?:[^&;]*\))?\s*&\s*([A-Za-z_]\w*))");
  std::smatch m;
  if (std::regex_search(line, m, by_address)) {
    return m[1];
  }
  static const std::regex any_address(R"(\(\s*(?:\([^()]*\)\s*)?&\s*([A-Za-z_]\w*))");
  return std::regex_search(line, m, any_address) ? m[1].str() : std::string{};
}

/// The variable that this line initialises or assigns.
std::string initialised_name(const std::string& line) {
  static const std::regex assigned(R"(([A-Za-z_]\w*)\s*=[^=])");
  static const std::regex constructed(R"([\w>]\s*[ *&]\s*([A-Za-z_]\w*)\s*[({])");
  std::smatch m;
  if (std::regex_search(line, m, assigned)) {
    return m[1];
  }
  return std::regex_search(line, m, constructed) ? m[1].str() : std::string{};
}

/// The name, and the return address into the function whose variable it is.
std::pair<std::string, const void*> name_by_source(const void* site) {
  std::string name;
  const void* scope = site;
  std::size_t looked_at = 0;
  for (const frame_registers& frame : walk_frames(site)) {
    const std::vector<source_frame> places = resolve(frame.pc);
    if (places.empty() || looked_at++ == frames_looked_at) {
      break;
    }
    const std::string line = source_statement(places.front());
    std::string here = looked_at == 1 ? filled_name(line) : initialised_name(line);
    if (here.empty() && looked_at > 1) {
      break;
    }
    if (!here.empty() && here != "return") {
      name = std::move(here);
      scope = frame.pc;
    }
    const std::string& function = places.front().function;
    if (function == "main") {
      break;
    }
  }
  return {name, scope};
}

} // namespace

std::size_t buffer::count() const noexcept {
  return memory->size / (element ? size_of(element->kind) : 1);
}

void buffers::allocated(const allocation& a) {
  auto [name, scope] = name_by_source(a.site);
  if (name.empty()) {
    name = "buffer";
  }
  unsigned same = 1;
  for (const auto& [id, b] : by_id_) {
    same += b.name == name || b.name.rfind(name + "#", 0) == 0 ? 1U : 0U;
  }
  std::optional<value_type> type;
  if (const auto declared = declared_type(scope, name); declared && declared->pointee) {
    type = value_type{.kind = declared->pointee->first,
                      .is_unsigned = declared->pointee->second,
                      .pointee = {},
                      .spelling = {}};
  }
  by_id_[a.id] = {.name = same == 1 ? name : fmt::format("{}#{}", name, same),
                  .memory = &a,
                  .place = place(a.site),
                  .element = type};
}

void buffers::accessed(std::uintptr_t address, element kind, bool is_unsigned) {
  const allocation* a = context_.mem.find(reinterpret_cast<const void*>(address));
  if (a == nullptr) {
    return;
  }
  const auto it = by_id_.find(a->id);
  if (it != by_id_.end() && !it->second.element) {
    it->second.element =
        value_type{.kind = kind, .is_unsigned = is_unsigned, .pointee = {}, .spelling = {}};
  }
}

const buffer* buffers::find(std::string_view name) const {
  const auto it = std::find_if(
      by_id_.begin(), by_id_.end(), [&](const auto& entry) { return entry.second.name == name; });
  return it == by_id_.end() ? nullptr : &it->second;
}

const buffer* buffers::holding(std::uintptr_t address) const {
  const allocation* a = context_.mem.find(reinterpret_cast<const void*>(address));
  const auto it = a == nullptr ? by_id_.end() : by_id_.find(a->id);
  return it == by_id_.end() ? nullptr : &it->second;
}

std::vector<const buffer*> buffers::all() const {
  std::vector<const buffer*> list;
  for (const auto& [id, b] : by_id_) {
    list.push_back(&b);
  }
  return list;
}

std::string buffers::describe(std::uintptr_t address) const {
  const buffer* b = holding(address);
  if (b == nullptr) {
    return fmt::format("{:#x}", address);
  }
  const std::size_t size = b->element ? size_of(b->element->kind) : 1;
  const std::size_t offset = address - b->memory->begin;
  std::string text = fmt::format("{}[{}]", b->name, offset / size);
  if (offset % size != 0) {
    text += fmt::format(" + {} byte{}", offset % size, offset % size == 1 ? "" : "s");
  }
  return text;
}

} // namespace tilesim::sim::step
