// Operations on memory: loads, stores, views, updates whose order does not matter.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/fuzz/kernel_maker.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tilesim::tools::fuzz {

/// Pointers to a tile's elements, row by row, for each block its own.
std::string kernel_maker::places(const std::string& buffer, const tile_type& type, bool of_block) {
  const tile_type index{i32, type.shape};
  return fmt::format("{} + {}ct::iota<{}>()",
                     buffer,
                     of_block ? fmt::format("block * {} + ", type.size()) : "",
                     text_of(index));
}

std::size_t
kernel_maker::add_buffer(std::size_t element, unsigned size, range within, bool output) {
  const std::size_t number = program_.buffers.size();
  program_.buffers.push_back(
      {fmt::format("{}{}", output ? "out" : "in", number), element, size, within, output});
  kernel_.buffers.push_back(number);
  return number;
}

bool kernel_maker::load() {
  tile_type type;
  type.element = i8 + random_.below(scalars.size() - 1);
  static const std::vector<std::vector<unsigned>> shapes{
      {8}, {16}, {64}, {256}, {4, 8}, {8, 8}, {2, 32}, {16, 16}, {2, 4, 8}, {1, 16}, {32, 1}};
  type.shape = random_.one_of(shapes);
  const scalar& s = type.of();
  const long double high = s.floating ? 8 : random_.one_of({9.0L, 30.0L, 100.0L});
  const range within{s.is_signed ? -high : 0, high};
  const bool of_block = random_.once_in(2);
  const std::size_t b =
      add_buffer(type.element, type.size() * (of_block ? kernel_.blocks : 1), within, false);
  const std::string from =
      random_.once_in(4) ? fmt::format("ct::assume_aligned<16>({})", name(b)) : name(b);
  return expression(type, within, {}, fmt::format("ct::load({})", places(from, type, of_block)));
}

bool kernel_maker::load_masked() {
  const auto m =
      pick([](const value& v) { return v.type.element == boolean && !v.type.shape.empty(); });
  if (!m) {
    return false;
  }
  tile_type type = at(*m).type;
  type.element = i8 + random_.below(scalars.size() - 1);
  const range within{type.of().is_signed ? -9.0L : 0.0L, 9};
  const std::size_t padding = constant(type, 0, 9);
  const std::size_t b = add_buffer(type.element, type.size(), within, false);
  return expression(type,
                    within,
                    {*m, padding},
                    fmt::format("ct::load_masked({}, {{0}}, {{1}})", places(name(b), type, false)));
}

/// What an earlier kernel has written.
bool kernel_maker::load_earlier() {
  std::vector<std::size_t> written;
  for (const kernel& k : program_.kernels) {
    // Others run beside this one: the default stream waits for all, and all for it.
    if (k.stream == kernel_.stream || k.stream == 0 || kernel_.stream == 0) {
      for (const std::size_t b : k.buffers) {
        if (program_.buffers[b].output) {
          written.push_back(b);
        }
      }
    }
  }
  if (written.empty()) {
    return false;
  }
  const std::size_t number = random_.one_of(written);
  if (std::ranges::find(kernel_.buffers, number) != kernel_.buffers.end()) {
    return false;
  }
  kernel_.buffers.push_back(number);
  const buffer& b = program_.buffers[number];
  unsigned size = 1;
  while (size * 2 <= std::min(b.size, 256U)) {
    size *= 2;
  }
  const tile_type type{b.element, {size}};
  // Updates add to what the host has put there: nothing is known of it.
  return expression(
      type, all_of(type.of()), {}, fmt::format("ct::load({})", places(b.name, type, false)));
}

/// Through memory of the block's own, turned round: what is read was written by other elements.
bool kernel_maker::there_and_back() {
  const auto a =
      pick([](const value& v) { return v.type.size() > 1 && v.type.element != boolean; });
  if (!a) {
    return false;
  }
  const tile_type type = at(*a).type;
  const std::size_t b = add_buffer(type.element, type.size() * kernel_.blocks, {}, true);
  const tile_type index{i32, type.shape};
  return expression(
      type,
      at(*a).within,
      {*a},
      fmt::format("ct::store({}, {{0}});\n  const auto {{r}} = ct::load({} + block * {} + ({} - "
                  "ct::iota<{}>()));",
                  places(name(b), type, true),
                  name(b),
                  type.size(),
                  type.size() - 1,
                  text_of(index)));
}

/// Loads a column, overwrites it, and uses what it was along the rows of a matrix.
bool kernel_maker::reload() {
  tile_type type;
  type.element = random_.one_of({i32, u32, i64, f32, f64});
  const bool deep = random_.once_in(3);
  const unsigned rows = random_.one_of({16U, 32U, 64U});
  type.shape = deep ? std::vector{4U, 16U, 1U} : std::vector{rows, 1U};
  const range within{0, 9};
  const std::size_t b = add_buffer(type.element, type.size() * kernel_.blocks, within, true);
  const std::string there = places(name(b), type, true);
  const std::size_t column = add(type, within, {}, fmt::format("ct::load({})", there));
  result({column},
         fmt::format("ct::store({}, {{0}} + ct::full<{}>(static_cast<{}>(1)));",
                     there,
                     text_of(type),
                     type.of().name));
  type.shape.back() = deep ? 16 : random_.one_of({8U, 16U});
  return expression(
      type, within, {column}, fmt::format("ct::broadcast<{}>({{0}})", text_of(type.shape)));
}

void kernel_maker::store(std::size_t v) {
  std::size_t stored = v;
  if (at(v).type.element == boolean) {
    tile_type type = at(v).type;
    type.element = u8;
    stored = add(type, {0, 1}, {v}, "ct::element_cast<unsigned char>({0})");
  }
  const tile_type type = at(stored).type;
  const std::size_t b = add_buffer(type.element, type.size() * kernel_.blocks, {}, true);
  const std::string there = places(name(b), type, true);
  const auto mask =
      pick([&](const value& m) { return m.type.element == boolean && m.type.shape == type.shape; });
  if (mask && random_.once_in(3)) {
    result({stored, *mask}, fmt::format("ct::store_masked({}, {{0}}, {{1}});", there));
  } else {
    result({stored}, fmt::format("ct::store({}, {{0}});", there));
  }
}

/// One block tells a value of few elements.
bool kernel_maker::print() {
  if (prints_ || std::ranges::any_of(program_.kernels, [](const kernel& k) { return k.prints; })) {
    return false; // what several kernels print comes in any order
  }
  const auto a = pick([](const value& v) { return v.type.size() <= 16 && !v.within.any; });
  if (!a) {
    return false;
  }
  prints_ = true;
  const tile_type type = at(*a).type;
  const char* form = "%d";
  std::string as = "int";
  if (is_float(at(*a))) {
    as = "double"; // each of its digits is determined
    form = random_.one_of({"%.9g", "%e", "%f", "%a", "%10.3f", "%+.17g"});
  } else if (type.of().bits == 64) {
    as = type.of().name;
    form = type.of().is_signed ? "%lld" : "%llu";
  } else if (type.element == u32) {
    as = "unsigned";
    form = random_.one_of({"%u", "%x", "%#o"});
  } else {
    form = random_.one_of({"%d", "%5d", "%+d", "%x"});
  }
  const std::size_t block = random_.below(kernel_.blocks);
  result({*a},
         fmt::format("if (block == {0})\n    printf(\"{{p}} k{1} block {0} {2}\\n\", "
                     "ct::element_cast<{3}>({{0}}));",
                     block,
                     number_,
                     form,
                     as));
  return true;
}

} // namespace tilesim::tools::fuzz
