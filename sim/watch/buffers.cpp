// Allocations as a debugger's user names them: by the variables that hold them.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/watch/buffers.hpp"

#include "sim/contract/counted.hpp"
#include "sim/core/context.hpp"
#include "sim/naming/buffer_names.hpp"
#include "sim/naming/shared_report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tilesim::sim::step {

std::size_t buffer::count() const noexcept {
  return memory->size / (element ? size_of(element->kind) : 1);
}

void buffers::refresh() const {
  buffer_names& names = names_of(context_);
  const std::uint64_t version = names.version();
  if (version == version_) {
    return;
  }
  version_ = version;
  by_id_.clear();
  by_name_.clear();
  for (const auto& [id, a] : names.all()) {
    const buffer_name& known = names.of(*a);
    buffer& b = by_id_[a->id];
    b.name = known.text.empty() ? fmt::format("buffer#{}", a->id) : known.text;
    b.memory = a;
    b.element = known.element.type;
    b.object_bytes = known.element.type ? 0 : known.element.bytes;
    if (const auto seen = accessed_.find(a->id); !b.element && seen != accessed_.end()) {
      b.element = seen->second;
    }
    by_name_[b.name] = a->id;
  }
}

void buffers::accessed(std::uintptr_t address, element kind, bool is_unsigned) {
  const allocation* a = context_.mem.find(reinterpret_cast<const void*>(address));
  if (a == nullptr || accessed_.contains(a->id)) {
    return;
  }
  refresh();
  const value_type type{.kind = kind, .is_unsigned = is_unsigned, .pointee = {}, .spelling = {}};
  accessed_[a->id] = type;
  // Memory that a driver's caller has asked for has no name: tables of lists of arrays.
  if (const auto named = by_id_.find(a->id); named != by_id_.end() && !named->second.element) {
    named->second.element = type;
  }
}

const buffer* buffers::find(std::string_view name) const {
  refresh();
  const auto it = by_name_.find(name);
  return it == by_name_.end() ? nullptr : &by_id_.at(it->second);
}

const buffer* buffers::holding(std::uintptr_t address) const {
  refresh();
  const allocation* a = context_.mem.find(reinterpret_cast<const void*>(address));
  const auto it = a == nullptr ? by_id_.end() : by_id_.find(a->id);
  return it == by_id_.end() ? nullptr : &it->second;
}

std::optional<value_type> buffers::element_at(std::uintptr_t address) const {
  if (const buffer* const b = holding(address)) {
    return b->element;
  }
  const shared_object* const o = context_.shared.find(address);
  if (o == nullptr) {
    return std::nullopt;
  }
  // Never destroyed: the stepper stays to the very end.
  static const auto& known = *new const std::map<std::string, element, std::less<>>{
      {"float", element::f32},
      {"double", element::f64},
      {"__half", element::f16},
      {"__nv_bfloat16", element::bf16},
      {"signed char", element::i8},
      {"short", element::i16},
      {"int", element::i32},
      {"long", element::i64},
      {"long long", element::i64},
      {"long long int", element::i64},
      {"long int", element::i64},
  };
  const auto found = known.find(shared_element_type(*o));
  return found == known.end()
             ? std::nullopt
             : std::optional<value_type>({.kind = found->second, .spelling = found->first});
}

std::vector<const buffer*> buffers::all() const {
  refresh();
  std::vector<const buffer*> list;
  for (const auto& [id, b] : by_id_) {
    list.push_back(&b);
  }
  return list;
}

std::string buffers::parts_of(std::string_view name) const {
  constexpr std::size_t most = 8;
  refresh();
  std::string list;
  std::size_t count = 0;
  for (const auto& [id, b] : by_id_) {
    const std::string_view whole = b.name;
    if (whole.size() > name.size() + 1 && whole.starts_with(name) &&
        (whole[name.size()] == '[' || whole[name.size()] == '.' || whole[name.size()] == '-')) {
      list += ++count > most ? "" : fmt::format("{}{}", count == 1 ? "" : ", ", whole);
    }
  }
  return count > most ? fmt::format("{}, and {} more", list, count - most) : list;
}

std::string buffers::describe(std::uintptr_t address) const {
  const buffer* b = holding(address);
  if (b == nullptr) {
    return context_.shared.find(address) != nullptr
               ? describe_shared_element(context_.shared, address)
               : fmt::format("{:#x}", address);
  }
  const std::size_t size =
      b->element ? size_of(b->element->kind) : std::max<std::size_t>(b->object_bytes, 1);
  const std::size_t offset = address - b->memory->begin;
  std::string text = fmt::format("{}[{}]", b->name, offset / size);
  if (offset % size != 0) {
    text += " + " + counted(offset % size, "byte");
  }
  return text;
}

} // namespace tilesim::sim::step
