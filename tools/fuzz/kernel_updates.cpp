// Atomic operations whose results do not depend on an order.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/fuzz/kernel_maker.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tilesim::tools::fuzz {

namespace {

bool of_word(const value& v) {
  const std::size_t e = v.type.element;
  return e == i32 || e == u32 || e == i64 || e == u64;
}

/// May it be added to a few small numbers without an overflow?
bool small(const value& v) {
  return !v.within.any && std::max(-v.within.low, v.within.high) < 1e6L;
}

} // namespace

/// "<ct::memory_order::relaxed, ct::thread_scope::device>"; where several blocks meet, none of a
/// block.
std::string kernel_maker::order_and_scope(std::initializer_list<const char*> orders, bool own) {
  const char* const order = random_.one_of(orders);
  const char* const scope = own ? random_.one_of({"", "block", "device", "system"})
                                : random_.one_of({"", "device", "system"});
  return fmt::format(
      "<ct::memory_order::{}{}{}>", order, *scope == 0 ? "" : ", ct::thread_scope::", scope);
}

/// All blocks update the same elements; what they were is not looked at, so that the order in which
/// they do it does not show.
bool kernel_maker::update() {
  const auto a = pick([](const value& v) { return of_word(v) && small(v); });
  if (!a) {
    return false;
  }
  const tile_type type = at(*a).type;
  const std::size_t b = add_buffer(type.element, type.size(), {}, true);
  const char* const how = random_.one_of({"add", "sub", "max", "min", "or", "xor", "and"});
  const std::string modes = order_and_scope({"relaxed", "acquire", "release", "acq_rel"}, false);
  const auto mask =
      pick([&](const value& v) { return v.type.element == boolean && v.type.shape == type.shape; });
  if (mask && random_.once_in(2)) {
    result(
        {*a, *mask},
        fmt::format(
            "ct::atomic_{}_masked{}({}, {{0}}, {{1}});", how, modes, places(name(b), type, false)));
  } else {
    result({*a},
           fmt::format("ct::atomic_{}{}({}, {{0}});", how, modes, places(name(b), type, false)));
  }
  return true;
}

/// A block updates memory of its own: what was there before is one value.
bool kernel_maker::own_update() {
  const auto a = pick([](const value& v) {
    const std::size_t e = v.type.element;
    return (of_word(v) || e >= f16) && small(v);
  });
  if (!a) {
    return false;
  }
  const tile_type type = at(*a).type;
  const bool narrow = type.element == f16 || type.element == bf16; // those have sums alone
  const bool floating = type.of().floating;
  const char* const how =
      narrow     ? random_.one_of({"add", "sub"})
      : floating ? random_.one_of({"add", "sub", "xchg"})
                 : random_.one_of({"add", "sub", "xchg", "max", "min", "or", "xor", "and"});
  const range before{type.of().is_signed ? -9.0L : 0.0L, 9};
  const std::size_t b = add_buffer(type.element, type.size() * kernel_.blocks, before, true);
  const std::string modes = order_and_scope({"relaxed", "acquire", "release", "acq_rel"}, true);
  return expression(
      type,
      before,
      {*a},
      fmt::format("ct::atomic_{}{}({}, {{0}})", how, modes, places(name(b), type, true)));
}

/// In memory of its own a block replaces the elements that are a certain number.
bool kernel_maker::compare_exchange() {
  const auto a = pick(
      [](const value& v) { return of_word(v) || v.type.element == f32 || v.type.element == f64; });
  if (!a) {
    return false;
  }
  const tile_type type = at(*a).type;
  const range before{0, 3};
  const std::size_t b = add_buffer(type.element, type.size() * kernel_.blocks, before, true);
  const std::size_t compared = constant(type, 0, 3);
  const std::string modes = order_and_scope({"relaxed", "acquire", "release", "acq_rel"}, true);
  const auto mask =
      pick([&](const value& v) { return v.type.element == boolean && v.type.shape == type.shape; });
  const std::string there = places(name(b), type, true);
  if (mask && random_.once_in(2)) {
    // A masked-out element of the result is what was compared with.
    return expression(
        type,
        before,
        {*a, compared, *mask},
        fmt::format("ct::atomic_compare_exchange_masked{}({}, {{1}}, {{0}}, {{2}})", modes, there));
  }
  return expression(type,
                    before,
                    {*a, compared},
                    fmt::format("ct::atomic_compare_exchange{}({}, {{1}}, {{0}})", modes, there));
}

/// A counter that all blocks raise by compare-exchange until they succeed.
bool kernel_maker::counter() {
  const std::size_t element = random_.one_of({i32, u32, i64, u64});
  const std::size_t b = add_buffer(element, 2, {}, true);
  const std::string modes = order_and_scope({"relaxed", "acquire", "release", "acq_rel"}, false);
  const std::string look = order_and_scope({"relaxed", "acquire"}, false);
  const std::size_t by = 1 + random_.below(9);
  const char* const type = scalars[element].name;
  const std::string first = wishes_.scalar ? fmt::format("ct::atomic_load{}({} + 1)", look, name(b))
                                           : fmt::format("static_cast<{}>(0)", type);
  result({},
         fmt::format("{{\n    auto was = {0};\n    while (true) {{\n"
                     "      const auto is = ct::atomic_compare_exchange{2}({1} + 1, was, was + "
                     "static_cast<{3}>({4}));\n"
                     "      if (is == was)\n        break;\n      was = is;\n    }}\n  }}",
                     first,
                     name(b),
                     modes,
                     type,
                     by));
  return true;
}

/// Written and read again by atomic operations of one element each.
bool kernel_maker::atomic_copy() {
  const auto a = pick([](const value& v) { return is_number(v) && !v.type.shape.empty(); });
  if (!a) {
    return false;
  }
  const tile_type type = at(*a).type;
  const std::size_t b = add_buffer(type.element, type.size() * kernel_.blocks, {}, true);
  const std::string write = order_and_scope({"relaxed", "release"}, true);
  const std::string read = order_and_scope({"relaxed", "acquire"}, true);
  const std::string there = places(name(b), type, true);
  return expression(
      type,
      at(*a).within,
      {*a},
      fmt::format("ct::atomic_store{0}({1}, {{0}});\n  const auto {{r}} = ct::atomic_load{2}({1});",
                  write,
                  there,
                  read));
}

} // namespace tilesim::tools::fuzz
