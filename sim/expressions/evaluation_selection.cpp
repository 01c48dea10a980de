// Evaluation of expressions: indices, slices, pointers, and the memory behind them.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/expressions/evaluation.hpp"

#include <fmt/format.h>

#include <cstring>

namespace tilesim::sim::step {

// --------------------------------------------------------------------------------------- selecting

std::vector<std::int64_t> evaluation::distances(const value& v) {
  std::vector<std::int64_t> d(v.shape.size(), 1);
  for (std::size_t i = v.shape.size(); i > 1; --i) {
    d[i - 2] = d[i - 1] * static_cast<std::int64_t>(v.shape[i - 1]);
  }
  return d;
}

std::vector<std::uint8_t>
evaluation::copy(const value& v, const std::vector<selection>& picked, const node& n) {
  const std::vector<std::int64_t> distance = distances(v);
  const std::size_t size = size_of(v.type.kind);
  std::size_t total = 1;
  for (const selection& s : picked) {
    total *= static_cast<std::size_t>(s.count);
  }
  std::vector<std::uint8_t> bytes(total * size);
  const bool in_memory = v.is_unread();
  const bool contiguous = picked.back().stride == 1 && (!in_memory || v.stride == 1);
  const auto run = contiguous ? static_cast<std::size_t>(picked.back().count) : 1;
  std::vector<std::int64_t> at(picked.size(), 0);
  for (std::size_t done = 0; done < total; done += run) {
    std::int64_t from = 0;
    for (std::size_t d = 0; d < picked.size(); ++d) {
      from += (picked[d].begin + at[d] * picked[d].stride) * distance[d];
    }
    std::uint8_t* const to = bytes.data() + done * size;
    if (in_memory) {
      read(*v.address + static_cast<std::uintptr_t>(from * v.stride) * size, run * size, to, n);
    } else {
      std::memcpy(to, v.bytes.data() + static_cast<std::size_t>(from) * size, run * size);
    }
    at.back() += static_cast<std::int64_t>(run);
    for (std::size_t d = picked.size(); d-- > 1 && at[d] == picked[d].count;) {
      at[d] = 0;
      ++at[d - 1];
    }
  }
  return bytes;
}

void evaluation::place(value& result, const value& from, const std::vector<selection>& picked) {
  if (!from.address) {
    return;
  }
  const std::vector<std::int64_t> distance = distances(from);
  std::int64_t first = 0;
  std::int64_t step = 0;    // 0: not known yet
  std::int64_t covered = 1; // elements of the result in the dimensions passed
  for (std::size_t d = picked.size(); d-- > 0;) {
    first += picked[d].begin * distance[d];
    if (picked[d].count == 1) {
      continue;
    }
    const std::int64_t own = picked[d].stride * distance[d];
    step = step == 0 ? own : step;
    if (own != step * covered) {
      return;
    }
    covered *= picked[d].count;
  }
  result.address =
      *from.address + static_cast<std::uintptr_t>(first * from.stride) * size_of(from.type.kind);
  result.stride = step == 0 ? 1 : step * from.stride;
}

value evaluation::select(const value& v, const std::vector<selection>& picked, const node& n) {
  value result;
  result.type = v.type;
  for (const selection& s : picked) {
    if (s.is_slice) {
      result.shape.push_back(static_cast<std::size_t>(s.count));
    }
  }
  result.bytes = copy(v, picked, n);
  place(result, v, picked);
  return result;
}

// ----------------------------------------------------------------------------------------- indices

std::int64_t evaluation::integer(const node& n) {
  const value v = operand(n);
  const auto i = as_index(v);
  if (!i) {
    throw expression_error(
        fmt::format("an index is one integer, and {} is {}",
                    source(n),
                    v.shape.empty() ? v.type.spelling : fmt::format("{} elements", v.count())),
        n.column);
  }
  return *i;
}

selection evaluation::selected(const subscript& s,
                               std::optional<std::int64_t> extent,
                               const std::string& where) {
  selection r;
  r.begin = s.begin != nullptr ? integer(*s.begin) : 0;
  if (!s.is_slice) {
    if (extent && (r.begin < 0 || r.begin >= *extent)) {
      throw expression_error(fmt::format("index {} is outside {}, which has {} element{}",
                                         r.begin,
                                         where,
                                         *extent,
                                         *extent == 1 ? "" : "s"),
                             s.column);
    }
    return r;
  }
  if (s.end == nullptr && !extent) {
    throw expression_error(
        fmt::format("a slice of {}, a pointer, needs an end: {}[0:16]", where, where), s.column);
  }
  const std::int64_t end = s.end != nullptr ? integer(*s.end) : *extent;
  r.stride = s.stride != nullptr ? integer(*s.stride) : 1;
  r.is_slice = true;
  check_slice(s, r, end, extent, where);
  r.count = (end - r.begin - 1) / r.stride + 1;
  return r;
}

void evaluation::check_slice(const subscript& s,
                             const selection& r,
                             std::int64_t end,
                             std::optional<std::int64_t> extent,
                             const std::string& where) {
  const auto refuse = [&](const std::string& why) { throw expression_error(why, s.column); };
  if (r.stride < 1) {
    refuse(fmt::format("the stride of a slice is 1 or more, not {}", r.stride));
  }
  if (extent && (r.begin < 0 || end < 0)) {
    refuse(fmt::format("{} in a slice of {}: indices count from 0, not from the end",
                       r.begin < 0 ? r.begin : end,
                       where));
  }
  if (end <= r.begin) {
    refuse(
        fmt::format("the slice {}:{} is empty; its end is the first index left out", r.begin, end));
  }
  if (extent && end > *extent) {
    refuse(fmt::format("the slice {}:{} is outside {}, which has {} element{}",
                       r.begin,
                       end,
                       where,
                       *extent,
                       *extent == 1 ? "" : "s"));
  }
  std::int64_t length = 0; // of two ends that anybody may have typed
  if (__builtin_sub_overflow(end, r.begin, &length) || length > most_elements) {
    refuse(fmt::format("the slice {}:{} is longer than {} elements", r.begin, end, most_elements));
  }
}

std::optional<value> evaluation::named_by_path(const node& n) {
  const node* root = &n;
  while (root->what == node::kind::index || root->what == node::kind::member ||
         root->what == node::kind::arrow) {
    root = root->operands.front().get();
  }
  if (root->what != node::kind::name || names_.lookup(root->name)) {
    return std::nullopt;
  }
  std::string text = source(n);
  std::erase_if(text, [](char c) { return c == ' '; });
  auto v = names_.lookup(text);
  if (v) {
    spell_type(*v);
  }
  return v;
}

value evaluation::indexed(const node& n) {
  if (auto buffer = named_by_path(n)) {
    return std::move(*buffer);
  }
  const node& what = *n.operands.front();
  value base = evaluate(what);
  if (!base.missing.empty()) {
    throw expression_error(fmt::format("{} is {}", source(what), base.missing), what.column);
  }
  if (!base.members.empty()) {
    return indexed_structs(n, base);
  }
  if (base.shape.empty()) {
    if (base.type.kind != element::ptr) {
      throw expression_error(
          fmt::format("{} is one {} and takes no index", source(what), base.type.spelling),
          n.column);
    }
    fetch(base, what);
    return behind_pointer(n, base);
  }
  return indexed_elements(n, base);
}

value evaluation::indexed_elements(const node& n, const value& base) {
  const node& what = *n.operands.front();
  const std::size_t rank = base.shape.size();
  if (n.indices.size() > rank) {
    throw expression_error(fmt::format("{} has {} dimension{}, and here are {} indices",
                                       source(what),
                                       rank,
                                       rank == 1 ? "" : "s",
                                       n.indices.size()),
                           n.indices[rank].column);
  }
  std::vector<selection> picked;
  for (std::size_t d = 0; d < rank; ++d) {
    const auto extent = static_cast<std::int64_t>(base.shape[d]);
    const std::string where =
        rank == 1 ? source(what) : fmt::format("dimension {} of {}", d, source(what));
    if (d < n.indices.size()) {
      picked.push_back(selected(n.indices[d], extent, where));
    } else {
      picked.push_back({.begin = 0, .count = extent, .stride = 1, .is_slice = true});
    }
  }
  return select(base, picked, n);
}

value evaluation::indexed_structs(const node& n, const value& base) {
  const node& what = *n.operands.front();
  if (base.members.front().first != "[0]") {
    throw expression_error(fmt::format("{} is a struct and takes no index; its members are {}",
                                       source(what),
                                       member_names(base)),
                           n.column);
  }
  if (n.indices.size() != 1 || n.indices.front().is_slice) {
    throw expression_error(
        fmt::format("{} is an array of structs and takes one index", source(what)), n.column);
  }
  const selection s =
      selected(n.indices.front(), static_cast<std::int64_t>(base.members.size()), source(what));
  return base.members[static_cast<std::size_t>(s.begin)].second;
}

// ---------------------------------------------------------------------------------------- pointers

std::uintptr_t evaluation::address_in(const value& pointer, std::size_t i) {
  std::uintptr_t address = 0;
  std::memcpy(&address, pointer.bytes.data() + i * sizeof address, sizeof address);
  return address;
}

value evaluation::pointed_element(const value& pointer, const node& n) {
  if (!pointer.type.pointee) {
    throw expression_error(fmt::format("what {}, a '{}', points to has no type to show; cast it, "
                                       "as in (float*){}",
                                       source(n),
                                       pointer.type.spelling,
                                       source(n)),
                           n.column);
  }
  value v;
  v.type = basic_type(pointer.type.pointee->first, pointer.type.pointee->second);
  std::string& s = v.type.spelling;
  if (!pointer.type.spelling.empty() && pointer.type.spelling.back() == '*') {
    s = pointer.type.spelling.substr(0, pointer.type.spelling.size() - 1);
    s.erase(s.find_last_not_of(' ') + 1);
  }
  return v;
}

value evaluation::behind_pointer(const node& n, const value& pointer) {
  const node& what = *n.operands.front();
  if (n.indices.size() != 1) {
    throw expression_error(
        fmt::format("{} is a pointer and takes one index, not {}", source(what), n.indices.size()),
        n.indices[1].column);
  }
  const selection s = selected(n.indices.front(), std::nullopt, source(what));
  if (pointer.type.points_to != nullptr) {
    if (s.is_slice) {
      throw expression_error(
          fmt::format("{} points to more than single elements and takes an index, not a slice",
                      source(what)),
          n.indices.front().column);
    }
    return made_at(*pointer.type.points_to, address_in(pointer), s.begin);
  }
  value v = pointed_element(pointer, what);
  const std::size_t size = size_of(v.type.kind);
  v.address = address_in(pointer) + static_cast<std::uintptr_t>(s.begin) * size;
  v.stride = s.stride;
  if (s.is_slice) {
    v.shape = {static_cast<std::size_t>(s.count)};
  }
  fetch(v, n);
  return v;
}

value evaluation::made_at(const pointed_type& type, std::uintptr_t address, std::int64_t index) {
  return type.make(address + static_cast<std::uintptr_t>(index) * type.bytes, read_);
}

value evaluation::dereferenced(const node& n) {
  const node& what = *n.operands.front();
  const value pointer = operand(what);
  if (!pointer.members.empty() || pointer.type.kind != element::ptr) {
    if (pointer.address && pointer.shape.size() == 1) {
      return first_of(pointer); // an array is where its first element is
    }
    throw expression_error(
        fmt::format("'*' takes a pointer, and {} is {}", source(what), pointer.type.spelling),
        n.column);
  }
  if (pointer.shape.empty() && pointer.type.points_to != nullptr) {
    return made_at(*pointer.type.points_to, address_in(pointer), 0);
  }
  value v = pointed_element(pointer, what);
  if (pointer.shape.empty()) {
    v.address = address_in(pointer);
    fetch(v, n);
    return v;
  }
  // A tile of pointers: what each of them points to.
  const std::size_t size = size_of(v.type.kind);
  v.shape = pointer.shape;
  v.bytes.resize(v.count() * size);
  for (std::size_t i = 0; i < v.count(); ++i) {
    read(address_in(pointer, i), size, v.bytes.data() + i * size, n);
  }
  return v;
}

value evaluation::first_of(const value& v) {
  value first;
  first.type = v.type;
  first.address = v.address;
  first.bytes.assign(v.bytes.begin(),
                     v.bytes.begin() + static_cast<std::ptrdiff_t>(size_of(v.type.kind)));
  return first;
}

value evaluation::address_of(const node& n) {
  const node& what = *n.operands.front();
  const value v = evaluate(what);
  if (!v.missing.empty()) {
    throw expression_error(fmt::format("{} is {}", source(what), v.missing), what.column);
  }
  if (!v.address) {
    throw expression_error(fmt::format("{} has no address", source(what)), n.column);
  }
  value_type type = pointer_to(v.type);
  if (!v.members.empty()) {
    type.pointee.reset();
  } else if (v.type.kind == element::ptr && v.shape.empty()) {
    type.points_to = pointed_pointer(v.type);
  }
  return make_pointer(*v.address, std::move(type));
}

std::shared_ptr<const pointed_type> evaluation::pointed_pointer(const value_type& pointer) {
  auto t = std::make_shared<pointed_type>();
  t->bytes = sizeof(std::uintptr_t);
  t->make = [pointer](std::uintptr_t address, const memory_reader& read) {
    value v;
    v.type = pointer;
    v.address = address;
    v.bytes.resize(sizeof address);
    if (!read(address, v.bytes.size(), v.bytes.data())) {
      v.bytes.clear();
      v.missing = fmt::format("not accessible at {:#x}", address);
    }
    return v;
  };
  return t;
}

} // namespace tilesim::sim::step
