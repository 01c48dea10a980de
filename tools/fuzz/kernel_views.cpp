// Views of memory: partitions, strided ones, gathered and scattered rows, in every layout.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/fuzz/kernel_maker.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tilesim::tools::fuzz {

namespace {

unsigned rounded_up(unsigned n, unsigned to) {
  return (n + to - 1) / to * to;
}

std::string comma_separated(const std::vector<std::string>& all) {
  return fmt::format("{}", fmt::join(all, ", "));
}

} // namespace

/// Extents as constants of the program, of the type, or both.
std::string kernel_maker::extents_text(const std::vector<unsigned>& dims) {
  const std::size_t how = random_.below(3);
  std::vector<std::string> all;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    const bool fixed = how == 1 ? d + 1 == dims.size() : how == 2;
    all.push_back(fixed ? fmt::format("ct::integral_constant<{}>{{}}", dims[d])
                        : fmt::format("{}", dims[d]));
  }
  return fmt::format("ct::extents{{{}}}", comma_separated(all));
}

/// A span over a buffer of its own, whose name stands for {buffer}.
kernel_maker::span_text kernel_maker::span(const std::vector<unsigned>& dims) {
  unsigned size = 1;
  for (const unsigned d : dims) {
    size *= d;
  }
  const std::string e = extents_text(dims);
  if (dims.size() != 2) {
    return {fmt::format("ct::tensor_span{{{{buffer}}, {}{}}}",
                        e,
                        random_.one_of({"", ", ct::layout_right{}", ", ct::layout_left{}"})),
            size};
  }
  const unsigned rows = dims[0];
  const unsigned columns = dims[1];
  const auto more = static_cast<unsigned>(random_.below(4));
  const auto strided = [&](unsigned down, unsigned across) {
    return span_text{fmt::format("ct::tensor_span{{{{buffer}}, ct::layout_strided_mapping{{{}, "
                                 "ct::strides{{{}, {}}}}}}}",
                                 e,
                                 down,
                                 across),
                     ((rows - 1) * down) + ((columns - 1) * across) + 1};
  };
  const unsigned multiple = random_.one_of({4U, 8U, 32U});
  switch (random_.below(7)) {
  case 0:
    return {fmt::format("ct::tensor_span{{{{buffer}}, {}, ct::layout_left{{}}}}", e), size};
  case 1:
    return strided(columns + more, 1);
  case 2:
    return strided(1, rows + more);
  case 3: // columns far apart, rows between them
    return strided(2, (2 * rows) + 1);
  case 4:
    return {fmt::format("ct::tensor_span{{{{buffer}}, ct::layout_right_padded_mapping{{{}, {}}}}}",
                        e,
                        multiple),
            rows * rounded_up(columns, multiple)};
  case 5:
    return {fmt::format("ct::tensor_span{{{{buffer}}, ct::layout_left_padded_mapping{{{}, {}}}}}",
                        e,
                        multiple),
            rounded_up(rows, multiple) * columns};
  default:
    return {fmt::format("ct::tensor_span{{{{buffer}}, {}}}", e), size};
  }
}

/// The span's text with the name of a new buffer of its size.
std::string kernel_maker::with_buffer(const span_text& s,
                                      std::size_t element,
                                      const range& within,
                                      bool output) {
  const std::string mark = "{buffer}";
  std::string text = s.text;
  text.replace(text.find(mark), mark.size(), name(add_buffer(element, s.size, within, output)));
  return text;
}

/// Strides of the tiles of a strided view, each at least the tile's extent plus `apart`.
std::vector<unsigned> kernel_maker::strides_of(const std::vector<unsigned>& shape, bool apart) {
  std::vector<unsigned> strides;
  strides.reserve(shape.size());
  for (const unsigned e : shape) {
    strides.push_back(apart ? e + static_cast<unsigned>(random_.below(3))
                            : 1 + static_cast<unsigned>(random_.below(e + 2)));
  }
  return strides;
}

/// A view of tiles `shape` over the span: a partition view where the strides are the shape's.
std::string kernel_maker::tiles_of(const std::string& span,
                                   const std::vector<unsigned>& shape,
                                   const std::vector<unsigned>& strides) {
  if (strides == shape && !random_.once_in(3)) {
    return fmt::format("ct::partition_view{{{}, {}{{}}}}", span, text_of(shape));
  }
  std::vector<std::string> all;
  all.reserve(strides.size());
  for (const unsigned s : strides) {
    all.push_back(fmt::format("ct::integral_constant<{}>{{}}", s));
  }
  return fmt::format("ct::strided_view{{{}, {}{{}}, ct::strides{{{}}}}}",
                     span,
                     text_of(shape),
                     comma_separated(all));
}

/// A part of an array that need not divide into tiles: what lies outside is padding.
bool kernel_maker::load_view() {
  tile_type type;
  type.element = i8 + random_.below(scalars.size() - 1);
  static const std::vector<std::vector<unsigned>> shapes{
      {4, 8}, {4, 8}, {16, 16}, {2, 32}, {16}, {64}, {2, 4, 8}};
  type.shape = random_.one_of(shapes);
  const std::size_t rank = type.shape.size();
  const std::vector<unsigned> strides =
      random_.once_in(2) ? type.shape : strides_of(type.shape, false);
  std::vector<unsigned> extents;
  std::vector<std::string> index;
  bool outside = false;
  for (std::size_t d = 0; d < rank; ++d) {
    const auto tiles = static_cast<unsigned>(1 + random_.below(3));
    const auto at = static_cast<unsigned>(random_.below(tiles));
    const auto cut = static_cast<unsigned>(random_.below(type.shape[d]));
    const bool by_block = d == 0 && random_.once_in(2);
    extents.push_back(((tiles - 1) * strides[d]) + type.shape[d] - cut);
    outside |= cut != 0;
    index.push_back(by_block ? fmt::format("block % {}", tiles) : fmt::format("{}", at));
  }
  range within{type.of().is_signed ? -9.0L : 0.0L, 9};
  const std::string array = with_buffer(span(extents), type.element, within, false);
  const std::string view = tiles_of(array, type.shape, strides);
  if (!outside && !random_.once_in(3)) {
    return expression(type, within, {}, fmt::format("{}.load({})", view, comma_separated(index)));
  }
  std::string padding;
  if (is_float_element(type.element) && random_.once_in(2)) {
    const char* const which =
        random_.one_of({"negative_zero", "positive_inf", "negative_inf", "nan"});
    padding = fmt::format("<ct::view_padding::{}>", which);
    within = all_of(type.of());
  }
  return expression(
      type, within, {}, fmt::format("{}.load_masked{}({})", view, padding, comma_separated(index)));
}

/// Each block writes a tile of its own through a view, and may read it again.
bool kernel_maker::store_view() {
  const auto a = pick([](const value& v) {
    return is_number(v) && !v.type.shape.empty() && v.type.shape.size() <= 3;
  });
  if (!a) {
    return false;
  }
  const tile_type type = at(*a).type;
  const std::vector<unsigned> strides =
      random_.once_in(2) ? type.shape : strides_of(type.shape, true);
  std::vector<unsigned> extents;
  std::vector<std::string> index;
  bool outside = false;
  for (std::size_t d = 0; d < type.shape.size(); ++d) {
    const unsigned tiles = d == 0 ? kernel_.blocks : static_cast<unsigned>(1 + random_.below(2));
    const unsigned cut =
        random_.once_in(2) ? static_cast<unsigned>(random_.below(type.shape[d])) : 0;
    extents.push_back(((tiles - 1) * strides[d]) + type.shape[d] - cut);
    outside |= cut != 0;
    index.push_back(d == 0 ? "block" : fmt::format("{}", tiles - 1));
  }
  const std::string array = with_buffer(span(extents), type.element, {}, true);
  const std::string view = tiles_of(array, type.shape, strides);
  const std::string masked = outside || random_.once_in(3) ? "_masked" : "";
  const std::string there = comma_separated(index);
  std::string store = fmt::format("store{}({{0}}, {})", masked, there);
  if (random_.once_in(4)) {
    const char* const order = random_.one_of({"relaxed", "release"});
    const char* const scope =
        random_.one_of({"", ", ct::thread_scope::block", ", ct::thread_scope::device"});
    store = fmt::format(
        "atomic_store{}<ct::memory_order::{}{}>({{0}}, {})", masked, order, scope, there);
  }
  if (random_.once_in(2)) {
    result({*a}, fmt::format("{}.{};", view, store));
    return true;
  }
  std::string load = fmt::format("load{}({})", masked, there);
  if (random_.once_in(4)) {
    const char* const order = random_.one_of({"relaxed", "acquire"});
    load = fmt::format("atomic_load{}<{}ct::memory_order::{}>({})",
                       masked,
                       masked.empty() ? "" : "ct::view_padding::zero, ",
                       order,
                       there);
  }
  return expression(
      type,
      both(at(*a).within, {0, 0}),
      {*a},
      fmt::format("const auto w{{r}} = {};\n  w{{r}}.{};\n  const auto {{r}} = w{{r}}.{};",
                  view,
                  store,
                  load));
}

/// All blocks update the same tile, or each one of its own; no one looks at what was there.
bool kernel_maker::update_view() {
  const auto a = pick([](const value& v) {
    const std::size_t e = v.type.element;
    return (e == i32 || e == u32 || e == i64 || e == u64 || e == f32 || e == f64) &&
           !v.type.shape.empty() && v.type.shape.size() <= 3 && !v.within.any &&
           std::max(-v.within.low, v.within.high) < 1e6L;
  });
  if (!a) {
    return false;
  }
  const tile_type type = at(*a).type;
  const bool floating = type.of().floating; // whose sums depend on the order
  const bool own = floating || random_.once_in(2);
  const char* const how =
      floating ? "add" : random_.one_of({"add", "sub", "max", "min", "or", "xor", "and"});
  const char* const scope = own ? random_.one_of({"block", "device"}) : "device";
  std::vector<unsigned> extents = type.shape;
  extents.front() *= own ? kernel_.blocks : 1;
  std::vector<std::string> index(type.shape.size(), "0");
  index.front() = own ? "block" : "0";
  const range before{type.of().is_signed ? -9.0L : 0.0L, 9};
  const std::string array = with_buffer(span(extents), type.element, before, true);
  const std::string view = tiles_of(array, type.shape, type.shape);
  result({*a},
         fmt::format(
             "{}.atomic_{}({{0}}, ct::memory_order_relaxed_t{{}}, ct::thread_scope_{}_t{{}}, {});",
             view,
             how,
             scope,
             comma_separated(index)));
  return true;
}

/// Rows, or columns, in an order that a value gives.
bool kernel_maker::gather() {
  const unsigned along = random_.one_of({4U, 8U, 16U});
  const unsigned across = random_.one_of({1U, 8U, 16U});
  const std::size_t dimension = random_.below(2);
  const auto range_of = static_cast<unsigned>(2 + random_.below(14));
  const auto start = static_cast<unsigned>(random_.below(4));
  tile_type type;
  type.element = i8 + random_.below(scalars.size() - 1);
  type.shape = dimension == 0 ? std::vector{along, across} : std::vector{across, along};
  const bool outside = random_.once_in(3) && across > 1;
  const unsigned cut = outside ? 1 + static_cast<unsigned>(random_.below(across - 1)) : 0;
  const unsigned whole = start + across - cut;
  const range within{type.of().is_signed ? -9.0L : 0.0L, 9};
  const std::vector<unsigned> dims =
      dimension == 0 ? std::vector{range_of, whole} : std::vector{whole, range_of};
  const std::string view =
      fmt::format("ct::gather_scatter_view{{{}, {}{{}}, ct::integral_constant<{}>{{}}}}",
                  with_buffer(span(dims), type.element, within, false),
                  text_of(type.shape),
                  dimension);
  const auto where = pick(
      [&](const value& v) { return is_integer(v) && v.type.size() == along && v.within.low >= 0; });
  tile_type index{where ? at(*where).type.element : static_cast<std::size_t>(i32), {along}};
  const std::string from = where ? fmt::format("ct::reshape<{}>({{0}})", text_of(index.shape))
                                 : fmt::format("(ct::iota<{}>() * 5 + block)", text_of(index));
  const std::string rows = fmt::format(
      "{} % ct::full<{}>(static_cast<{}>({}))", from, text_of(index), index.of().name, range_of);
  const std::string places =
      dimension == 0 ? fmt::format("{}, {}", rows, start) : fmt::format("{}, {}", start, rows);
  return expression(type,
                    within,
                    where ? uses{*where} : uses{},
                    fmt::format("{}.load{}({})", view, outside ? "_masked" : "", places));
}

/// Each block writes rows, or columns, of its own, in an order that leaves out none.
bool kernel_maker::scatter() {
  const auto a = pick([](const value& v) { return is_number(v) && v.type.shape.size() == 2; });
  if (!a) {
    return false;
  }
  const tile_type type = at(*a).type;
  const std::size_t dimension = random_.below(2);
  const unsigned along = type.shape[dimension];
  const unsigned across = type.shape[1 - dimension];
  const auto start = static_cast<unsigned>(random_.below(3));
  const unsigned cut = random_.once_in(2) ? static_cast<unsigned>(random_.below(along)) : 0;
  const unsigned here = (along * kernel_.blocks) - cut;
  const std::vector<unsigned> dims =
      dimension == 0 ? std::vector{here, start + across} : std::vector{start + across, here};
  const std::string view =
      fmt::format("ct::gather_scatter_view{{{}, {}{{}}, ct::integral_constant<{}>{{}}}}",
                  with_buffer(span(dims), type.element, {}, true),
                  text_of(type.shape),
                  dimension);
  const unsigned factor = random_.one_of({1U, 3U, 5U, 7U}); // odd: every place once
  const std::size_t shift = random_.below(along);
  const tile_type index{i32, {along}};
  const std::string rows = fmt::format(
      "(ct::iota<{}>() * {} + {}) % {} + block * {}", text_of(index), factor, shift, along, along);
  const std::string places =
      dimension == 0 ? fmt::format("{}, {}", rows, start) : fmt::format("{}, {}", start, rows);
  const std::string masked = cut != 0 || random_.once_in(3) ? "_masked" : "";
  result({*a}, fmt::format("{}.store{}({{0}}, {});", view, masked, places));
  return true;
}

} // namespace tilesim::tools::fuzz
