// The types of a file. [Tile IR bytecode, types]
//
// An item may name items that come later, so each is read when it is first asked for.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/tileir/tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <map>

namespace tilesim::tileir {
namespace {

using kind = type::kind;

constexpr std::size_t most_elements = 16'777'216;
constexpr unsigned deepest = 8;

struct number_row {
  const char* name;
  unsigned bits;
  bool integer;
};
constexpr std::array numbers{
    number_row{"i1", 1, true},
    number_row{"i8", 8, true},
    number_row{"i16", 16, true},
    number_row{"i32", 32, true},
    number_row{"i64", 64, true},
    number_row{"f16", 16, false},
    number_row{"bf16", 16, false},
    number_row{"f32", 32, false},
    number_row{"tf32", 32, false},
    number_row{"f64", 64, false},
    number_row{"f8E4M3FN", 8, false},
    number_row{"f8E5M2", 8, false},
    number_row{"f8E8M0FNU", 8, false},
    number_row{"f4E2M1FN", 4, false},
    number_row{"i4", 4, true},
    number_row{"fnv8E5M3FNU", 8, false},
};

/// A type's tag in the file, and from which version on it stands there.
struct number_tag {
  std::uint64_t tag;
  number what;
  unsigned since;
};
constexpr std::array number_tags{
    number_tag{0, number::i1, 1},
    number_tag{1, number::i8, 1},
    number_tag{2, number::i16, 1},
    number_tag{3, number::i32, 1},
    number_tag{4, number::i64, 1},
    number_tag{5, number::f16, 1},
    number_tag{6, number::bf16, 1},
    number_tag{7, number::f32, 1},
    number_tag{8, number::tf32, 1},
    number_tag{9, number::f64, 1},
    number_tag{10, number::f8e4m3fn, 1},
    number_tag{11, number::f8e5m2, 1},
    number_tag{18, number::f8e8m0fnu, 2},
    number_tag{19, number::f4e2m1fn, 3},
    number_tag{22, number::i4, 3},
    number_tag{130, number::fnv8e5m3fnu, 4},
};

constexpr std::array padding_names{"zero", "neg_zero", "nan", "pos_inf", "neg_inf"};

/// "4x?x", in front of an element.
std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t d : shape) {
    text += d == dynamic ? "?x" : fmt::format("{}x", d);
  }
  return text;
}

std::string tile_text(const type& t) {
  return fmt::format("tile=({})", fmt::join(t.shape, "x"));
}

class types_reader {
public:
  types_reader(const std::vector<cursor>& items, tables& t)
      : items_(items)
      , tables_(t)
      , made_(items.size(), nullptr) {}

  void read_all() {
    for (std::uint32_t i = 0; i < items_.size(); ++i) {
      tables_.into.types.push_back(get(i, 0));
    }
  }

private:
  const type* get(std::uint32_t i, unsigned depth) {
    if (made_[i] != nullptr) {
      return made_[i];
    }
    cursor c = items_[i];
    if (depth > deepest) {
      c.fail("types that name each other too deep, or in a circle");
    }
    type made = read(c, depth);
    if (!c.done()) {
      c.fail(fmt::format("type {} has {} bytes too many", i, c.left()));
    }
    const auto [at, is_new] = by_text_.try_emplace(made.text, nullptr);
    if (is_new) {
      at->second = &tables_.into.storage.emplace_back(std::move(made));
    }
    return made_[i] = at->second;
  }

  const type* named(cursor& c, unsigned depth, const char* what) {
    return get(c.index(items_.size(), what), depth + 1);
  }

  const type*
  of_kind(cursor& c, unsigned depth, const char* what, std::initializer_list<kind> kinds) {
    const std::size_t begin = c.offset();
    const type* t = named(c, depth, what);
    for (const kind k : kinds) {
      if (t->is(k)) {
        return t;
      }
    }
    c.fail_at(begin, fmt::format("{} is {}", what, t->text));
  }

  void needs(const cursor& c, unsigned since) const {
    if (tables_.minor < since) {
      c.fail(fmt::format("a type of 13.{} in a file of 13.{}", since, tables_.minor));
    }
  }

  /// The word of flags of 13.4's pointers and tensor views: bit 0, an attribute follows.
  bool has_attribute(cursor& c) const {
    if (tables_.minor < 4) {
      return false;
    }
    return c.index(2, "flags of a type") == 1;
  }

  static void skip_pointer_attribute(cursor& c) {
    if (c.varint("a pointer's attribute") != 0) {
      c.fail("a pointer's attribute that is not known");
    }
  }

  static std::vector<std::int64_t> tile_shape(cursor& c, unsigned bytes) {
    const std::size_t begin = c.offset();
    auto shape = read_numbers(c, bytes, "extents of a tile");
    std::uint64_t count = 1;
    for (const std::int64_t d : shape) {
      if (d <= 0 || (d & (d - 1)) != 0 || static_cast<std::uint64_t>(d) > most_elements) {
        c.fail_at(begin, fmt::format("extent {} of a tile is no power of two", d));
      }
      count *= static_cast<std::uint64_t>(d);
      if (count > most_elements) {
        c.fail_at(begin, fmt::format("a tile of more than {} elements", most_elements));
      }
    }
    return shape;
  }

  static std::vector<std::int64_t> extents(cursor& c, const char* what) {
    const std::size_t begin = c.offset();
    auto result = read_numbers(c, 8, what);
    for (const std::int64_t d : result) {
      if (d <= 0 && d != dynamic) {
        c.fail_at(begin, fmt::format("{} of {}", d, what));
      }
    }
    return result;
  }

  void read_view_tile(cursor& c, type& t, unsigned depth) {
    const std::size_t begin = c.offset();
    t.shape = tile_shape(c, 4);
    if (t.what == kind::strided_view) {
      t.strides = read_numbers(c, 4, "strides of a view");
      for (const std::int64_t s : t.strides) {
        if (s <= 0) {
          c.fail_at(begin, fmt::format("stride {} of a view", s));
        }
      }
    }
    t.element = of_kind(c, depth, "the tensor of a view", {kind::tensor_view});
    const std::size_t rank = t.element->shape.size();
    if (t.shape.size() != rank || rank == 0 ||
        (t.what == kind::strided_view && t.strides.size() != rank)) {
      c.fail_at(begin, "a view's tile and its tensor differ in rank");
    }
  }

  static void
  check_permutation(const cursor& c, const std::vector<std::int64_t>& map, std::size_t rank) {
    std::vector<bool> seen(rank, false);
    for (const std::int64_t d : map) {
      if (map.size() != rank || d < 0 || static_cast<std::size_t>(d) >= rank ||
          seen[static_cast<std::size_t>(d)]) {
        c.fail("dim_map is no permutation of the dimensions");
      }
      seen[static_cast<std::size_t>(d)] = true;
    }
    if (map.size() != rank) {
      c.fail("dim_map is no permutation of the dimensions");
    }
  }

  type view(cursor& c, kind what, unsigned depth) {
    type t;
    t.what = what;
    const bool flagged = tables_.minor >= 3;
    bool padded = flagged && c.index(2, "flags of a view") == 1;
    read_view_tile(c, t, depth);
    if (what == kind::gather_scatter_view) {
      t.sparse_dim = c.index(t.shape.size(), "the sparse dimension");
    } else {
      t.dim_map = read_numbers(c, 4, "dim_map");
      check_permutation(c, t.dim_map, t.shape.size());
    }
    if (!flagged) {
      padded = c.index(2, "whether a view has padding") == 1;
    }
    if (padded) {
      t.pad = static_cast<padding>(c.index(padding_names.size(), "a view's padding"));
    }
    t.text = view_text(t);
    return t;
  }

  static std::string view_text(const type& t) {
    const char* const name = t.what == kind::partition_view ? "partition_view"
                             : t.what == kind::strided_view ? "strided_view"
                                                            : "gather_scatter_view";
    std::string text = fmt::format("{}<{}, ", name, tile_text(t));
    if (t.what == kind::strided_view) {
      text += fmt::format("traversal_strides=[{}], ", fmt::join(t.strides, ","));
    }
    if (t.pad) {
      text +=
          fmt::format("padding_value = {}, ", padding_names.at(static_cast<std::size_t>(*t.pad)));
    }
    text += t.element->text;
    bool ordered = true;
    for (std::size_t i = 0; i < t.dim_map.size(); ++i) {
      ordered &= t.dim_map[i] == static_cast<std::int64_t>(i);
    }
    if (!ordered) {
      text += fmt::format(", dim_map=[{}]", fmt::join(t.dim_map, ", "));
    }
    if (t.what == kind::gather_scatter_view) {
      text += fmt::format(", sparse_dim={}", t.sparse_dim);
    }
    return text + ">";
  }

  type tensor_view(cursor& c, unsigned depth) {
    type t;
    t.what = kind::tensor_view;
    const bool attributed = has_attribute(c);
    t.element = of_kind(c, depth, "the element of a tensor view", {kind::number});
    const std::size_t begin = c.offset();
    t.shape = extents(c, "extents of a tensor view");
    t.strides = extents(c, "strides of a tensor view");
    if (t.shape.size() != t.strides.size() || t.shape.size() > 32) {
      c.fail_at(begin, "a tensor view has as many strides as extents, at most 32");
    }
    if (attributed) {
      skip_pointer_attribute(c);
    }
    t.text = fmt::format("tensor_view<{}{}", shape_text(t.shape), t.element->text);
    if (!t.shape.empty()) {
      std::vector<std::string> words;
      for (const std::int64_t s : t.strides) {
        words.push_back(s == dynamic ? "?" : fmt::format("{}", s));
      }
      t.text += fmt::format(", strides=[{}]", fmt::join(words, ","));
    }
    t.text += ">";
    return t;
  }

  type function(cursor& c, unsigned depth) {
    type t;
    t.what = kind::function;
    std::vector<std::string> words;
    const std::uint32_t count = c.count("parameters");
    for (std::uint32_t i = 0; i < count; ++i) {
      t.inputs.push_back(of_kind(c, depth, "a parameter", {kind::tile}));
      if (!t.inputs.back()->shape.empty()) {
        c.fail("a parameter is a tile with dimensions");
      }
      words.push_back(t.inputs.back()->text);
    }
    if (c.varint("results of a function") != 0) {
      c.fail("an entry has results");
    }
    t.text = fmt::format("({}) -> ()", fmt::join(words, ", "));
    return t;
  }

  type read(cursor& c, unsigned depth) {
    const std::size_t begin = c.offset();
    const std::uint64_t tag = c.varint("a type");
    for (const number_tag& row : number_tags) {
      if (row.tag == tag) {
        needs(c, row.since);
        type t;
        t.what = kind::number;
        t.num = row.what;
        t.text = name(row.what);
        return t;
      }
    }
    type t;
    switch (tag) {
    case 12: {
      t.what = kind::pointer;
      const bool attributed = has_attribute(c);
      t.element = of_kind(c, depth, "what a pointer points to", {kind::number, kind::pointer});
      if (attributed) {
        skip_pointer_attribute(c);
      }
      t.text = fmt::format("ptr<{}>", t.element->text);
      return t;
    }
    case 13:
      t.what = kind::tile;
      t.element = of_kind(c, depth, "the element of a tile", {kind::number, kind::pointer});
      t.shape = tile_shape(c, 8);
      if (t.shape.size() > 32) {
        c.fail("a tile of more than 32 dimensions");
      }
      t.text = fmt::format("tile<{}{}>", shape_text(t.shape), t.element->text);
      return t;
    case 14:
      return tensor_view(c, depth);
    case 15:
      return view(c, kind::partition_view, depth);
    case 16:
      return function(c, depth);
    case 17:
      t.what = kind::token;
      t.text = "token";
      return t;
    case 20:
      needs(c, 3);
      return view(c, kind::gather_scatter_view, depth);
    case 21:
      needs(c, 3);
      return view(c, kind::strided_view, depth);
    default:
      c.fail_at(begin, fmt::format("unknown type {}", tag));
    }
  }

  const std::vector<cursor>& items_;
  tables& tables_;
  std::vector<const type*> made_;
  std::map<std::string, const type*> by_text_;
};

} // namespace

const char* name(number n) noexcept {
  return numbers.at(static_cast<std::size_t>(n)).name;
}

unsigned bits(number n) noexcept {
  return numbers.at(static_cast<std::size_t>(n)).bits;
}

bool is_integer(number n) noexcept {
  return numbers.at(static_cast<std::size_t>(n)).integer;
}

std::size_t type::count() const noexcept {
  std::size_t n = 1;
  for (const std::int64_t d : shape) {
    n *= static_cast<std::size_t>(d);
  }
  return n;
}

void read_types(const std::vector<cursor>& items, tables& t) {
  types_reader(items, t).read_all();
}

} // namespace tilesim::tileir
