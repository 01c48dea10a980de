// Control flow: loops, branches, and what stands in them; memory that loops walk over.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/fuzz/kernel_maker.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tilesim::tools::fuzz {

namespace {

/// `text` with {a} and {b} replaced.
std::string put(std::string text, const std::string& a, const std::string& b) {
  for (const auto& [mark, word] :
       {std::pair<std::string, const std::string&>{"{a}", a}, {"{b}", b}}) {
    for (auto at = text.find(mark); at != std::string::npos;
         at = text.find(mark, at + word.size())) {
      text.replace(at, mark.size(), word);
    }
  }
  return text;
}

} // namespace

/// One of `names` (all of the type), or an expression of them, which is defined whatever they are:
/// integers get no operation that might overflow, and floats become anything.
std::string kernel_maker::step(const tile_type& type,
                               std::initializer_list<const char*> names,
                               unsigned depth) {
  if (depth == 0) {
    return random_.one_of(names);
  }
  const std::string a = step(type, names, depth - 1);
  const std::string b = step(type, names, static_cast<unsigned>(random_.below(depth)));
  if (type.of().floating) {
    return put(random_.one_of({"({a} + {b})",
                               "({a} - {b})",
                               "({a} * {b})",
                               "({a} / {b})",
                               "ct::max({a}, {b})",
                               "ct::min({a}, {b})",
                               "ct::fma({a}, {b}, {a})",
                               "ct::select({a} < {b}, {b}, {a})",
                               "-ct::abs({a})"}),
               a,
               b);
  }
  if (!extremes_of(type)) {
    return put(
        random_.one_of({"({a} ^ {b})", "({a} | {b})", "({a} & {b})", "({a} >> 1)", "~{a}"}), a, b);
  }
  return put(random_.one_of({"({a} ^ {b})",
                             "({a} | {b})",
                             "({a} & {b})",
                             "ct::max({a}, {b})",
                             "ct::min({a}, {b})",
                             "ct::select({a} < {b}, {b}, {a})",
                             "({a} >> 1)",
                             "~{a}"}),
             a,
             b);
}

/// {r} starts as {0}, and changes as the lines behind it say. Nothing is known of it then but its
/// type.
bool kernel_maker::changing(std::size_t a, std::size_t b, const std::string& lines) {
  return expression(at(a).type, all_of(at(a).type.of()), {a, b}, "auto {r} = {0};\n  " + lines);
}

bool kernel_maker::counted_loop() {
  const auto a = pick_numbers();
  if (!a) {
    return false;
  }
  const std::size_t b = like(*a);
  // Draws stand in statements of their own: compilers evaluate arguments in different orders.
  std::string count = fmt::format("{}", 1 + random_.below(4));
  count += random_.one_of({"", " + block % 2"});
  const std::string end = random_.one_of(
      {"", "    if (i == block)\n      continue;\n", "    if (i + block > 3)\n      break;\n"});
  const std::string once = step(at(*a).type, {"{r}", "{0}", "{1}"}, 2);
  switch (random_.below(3)) {
  case 0: {
    const char* const stride = random_.one_of({"", ", 2"});
    return changing(
        *a,
        b,
        fmt::format("for (const int i : ct::irange(0, {}{})) {{\n{}    {{r}} = {};\n  }}",
                    count,
                    stride,
                    end,
                    once));
  }
  case 1: // one in the other
    return changing(*a,
                    b,
                    fmt::format("for (int j = 0; j < 2; ++j) {{\n    for (int i = 0; i < {}; ++i)\n"
                                "      {{r}} = {};\n    {{r}} = {};\n  }}",
                                count,
                                once,
                                step(at(*a).type, {"{r}", "{1}"}, 1)));
  default:
    return changing(
        *a,
        b,
        fmt::format("for (int i = 0; i < {}; ++i) {{\n{}    {{r}} = {};\n  }}", count, end, once));
  }
}

/// How often it goes round depends on a count that is halved, or on the elements themselves.
bool kernel_maker::waiting_loop() {
  const auto a = pick_numbers();
  if (!a) {
    return false;
  }
  const std::size_t b = like(*a);
  const std::string once = step(at(*a).type, {"{r}", "{0}", "{1}"}, 1);
  const std::size_t rounds = 2 + random_.below(12);
  if (random_.once_in(2)) {
    return changing(
        *a,
        b,
        fmt::format("for (int n = {} + block; n > 0; n /= 2)\n    {{r}} = {};", rounds, once));
  }
  return changing(
      *a,
      b,
      fmt::format("int n{{r}} = 0;\n  do {{\n    {{r}} = {};\n    ++n{{r}};\n  }} while "
                  "(n{{r}} < {} && static_cast<bool>(ct::any_of<0>("
                  "ct::reshape<shape<{}>>({{r}} < {{1}}))));",
                  once,
                  rounds / 2,
                  at(*a).type.size()));
}

/// Two values that a loop hands on together.
bool kernel_maker::carried_pair() {
  const auto a = pick_numbers();
  if (!a) {
    return false;
  }
  const std::size_t b = like(*a);
  const std::size_t rounds = 2 + random_.below(3);
  return changing(
      *a,
      b,
      fmt::format("auto s{{r}} = {{1}};\n  for (int i = 0; i < {} - block % 2; ++i) {{\n"
                  "    const auto t = {};\n    s{{r}} = {{r}};\n    {{r}} = t;\n  }}",
                  rounds,
                  step(at(*a).type, {"{r}", "s{r}", "{0}"}, 2)));
}

bool kernel_maker::branch() {
  const auto a = pick_numbers();
  if (!a) {
    return false;
  }
  const std::size_t b = like(*a);
  const range within = both(at(*a).within, at(b).within);
  const auto decides = pick([](const value& v) { return v.type.size() == 1 && is_integer(v); });
  if (!decides || random_.once_in(2)) {
    return expression(at(*a).type,
                      within,
                      {*a, b},
                      fmt::format("auto {{r}} = {{0}};\n  if (block % 2 == {})\n    {{r}} = {{1}};",
                                  random_.below(2)));
  }
  return expression(
      at(*a).type,
      within,
      {*a, b, *decides},
      fmt::format("auto {{r}} = {{0}};\n  if (static_cast<{}>(ct::reshape<shape<>>({{2}})) > 3)\n"
                  "    {{r}} = {{1}};",
                  at(*decides).type.of().name));
}

/// switch, conditions in one another, a function with two ways out, an array of tiles or a
/// condition in its place.
bool kernel_maker::choice() {
  const auto a = pick_numbers();
  if (!a) {
    return false;
  }
  const tile_type type = at(*a).type;
  const std::size_t b = like(*a);
  const std::string one = step(type, {"{r}", "{0}", "{1}"}, 1);
  const std::string two = step(type, {"{r}", "{0}", "{1}"}, 2);
  const std::string three = step(type, {"{r}", "{0}", "{1}"}, 1);
  const std::size_t which = random_.below(2);
  switch (random_.below(4)) {
  case 0:
    return changing(*a,
                    b,
                    fmt::format("switch (block % 3) {{\n  case 0:\n    {{r}} = {};\n{}  case 1:\n"
                                "    {{r}} = {};\n    break;\n  default:\n    {{r}} = {};\n  }}",
                                one,
                                which == 0 ? "" : "    break;\n",
                                two,
                                three));
  case 1:
    return changing(
        *a,
        b,
        fmt::format("if (block > 0) {{\n    {{r}} = {};\n    if (static_cast<bool>(ct::all_of<0>("
                    "ct::reshape<shape<{}>>({{r}} == {{0}}))))\n      {{r}} = {};\n"
                    "  }} else if (ct::num_blocks().x > 2) {{\n    {{r}} = {};\n  }}",
                    one,
                    type.size(),
                    two,
                    three));
  case 2:
    return expression(type,
                      all_of(type.of()),
                      {*a, b},
                      fmt::format("const auto {{r}} = [&](auto x) {{\n    if (block % 2 == {})\n"
                                  "      return x;\n    return {};\n  }}({{0}});",
                                  which,
                                  step(type, {"x", "{1}"}, 2)));
  default:
    if (!wishes_.array) {
      return expression(type,
                        both(at(*a).within, at(b).within),
                        {*a, b},
                        fmt::format("auto {{r}} = {{0}};\n  if ((block + {}) % 3 == 1)\n"
                                    "    {{r}} = {{1}};",
                                    which));
    }
    return expression(type,
                      both(at(*a).within, at(b).within),
                      {*a, b},
                      fmt::format("const {} a{{r}}[] = {{{{0}}, {{1}}, {{0}}}};\n"
                                  "  const auto {{r}} = a{{r}}[(block + {}) % 3];",
                                  text_of(type),
                                  which));
  }
}

/// A loop over rows of memory: what it gathers is one value.
bool kernel_maker::loading_loop() {
  const auto a = pick([](const value& v) { return is_number(v) && !v.type.shape.empty(); });
  if (!a) {
    return false;
  }
  const tile_type type = at(*a).type;
  const std::size_t rounds = 2 + random_.below(4);
  const char* const first = random_.one_of({"0", "block % 2"});
  const char* const stride = random_.one_of({"1", "2"});
  const std::size_t b = add_buffer(type.element,
                                   static_cast<unsigned>(type.size() * rounds),
                                   {type.of().is_signed ? -9.0L : 0.0L, 9},
                                   false);
  const tile_type index{i32, type.shape};
  const std::string head =
      wishes_.carry
          ? fmt::format("for (int i = {}; i < {}; i += {})", first, rounds, stride)
          : fmt::format("for (const int i : ct::irange({}, {}, {}))", first, rounds, stride);
  return changing(*a,
                  *a,
                  fmt::format("{} {{\n    const auto x = "
                              "ct::load({} + i * {} + ct::iota<{}>());\n    {{r}} = {};\n  }}",
                              head,
                              name(b),
                              type.size(),
                              text_of(index),
                              step(type, {"{r}", "x"}, 2)));
}

/// Tiles of memory that the blocks share out among themselves, one after another.
bool kernel_maker::storing_loop() {
  const auto a = pick(
      [](const value& v) { return is_number(v) && !v.type.shape.empty() && v.type.size() <= 256; });
  if (!a) {
    return false;
  }
  const tile_type type = at(*a).type;
  const std::size_t tiles = kernel_.blocks + random_.below(5);
  const std::size_t b =
      add_buffer(type.element, static_cast<unsigned>(type.size() * tiles), {}, true);
  const tile_type index{i32, type.shape};
  result({*a},
         fmt::format("for (int i = block; i < {0}; i += static_cast<int>(ct::num_blocks().x))\n"
                     "    ct::store({1} + i * {2} + ct::iota<{3}>(), i % 2 == 0 ? {{0}} : {4});",
                     tiles,
                     name(b),
                     type.size(),
                     text_of(index),
                     step(type, {"{0}"}, 1)));
  return true;
}

/// What stands behind it some blocks do not do.
bool kernel_maker::early_end() {
  if (kernel_.blocks < 2 || ended_early_) {
    return false;
  }
  ended_early_ = true;
  result({}, fmt::format("if (block == {})\n    return;", random_.below(kernel_.blocks)));
  return true;
}

} // namespace tilesim::tools::fuzz
