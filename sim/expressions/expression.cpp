// Evaluation of expressions: names, memory, indices and slices; arithmetic is arithmetic.cpp's.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/expressions/expression.hpp"

#include "sim/expressions/arithmetic.hpp"
#include "sim/expressions/expression_parser.hpp"
#include "sim/ops/element_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace tilesim::sim::step {

namespace {

using node = expression::node;

// As many elements as the largest tile has.
constexpr std::int64_t most_elements = std::int64_t{1} << 24;

/// What one index selects of one dimension.
struct selection {
  std::int64_t begin = 0;
  std::int64_t count = 1;
  std::int64_t stride = 1;
  bool is_slice = false; ///< the dimension stays
};

class evaluation {
public:
  evaluation(std::string_view text, environment& names)
      : text_(text)
      , names_(names)
      , read_([&names](std::uintptr_t address, std::size_t bytes, void* to) {
        return names.read(address, bytes, to);
      }) {}

  /// The value with its elements read.
  value whole(const node& n) {
    value v = evaluate(n);
    fetch(v, n);
    return v;
  }

private:
  [[nodiscard]] std::string source(const node& n) const {
    return std::string(text_.substr(n.begin, n.end - n.begin));
  }

  /// A value that an operator may work on.
  value operand(const node& n) { return ready(evaluate(n), n); }

  value ready(value v, const node& n) {
    fetch(v, n);
    if (!v.missing.empty()) {
      throw expression_error(fmt::format("{} is {}", source(n), v.missing), n.column);
    }
    return v;
  }

  void read(std::uintptr_t address, std::size_t bytes, void* to, const node& n) {
    if (!names_.read(address, bytes, to)) {
      throw expression_error(fmt::format("{} cannot be read: {} {} at {:#x} {} not accessible",
                                         source(n),
                                         bytes,
                                         bytes == 1 ? "byte" : "bytes",
                                         address,
                                         bytes == 1 ? "is" : "are"),
                             n.column);
    }
  }

  void fetch(value& v, const node& n) {
    if (!v.is_unread()) {
      return;
    }
    if (v.count() > static_cast<std::size_t>(most_elements)) {
      throw expression_error(
          fmt::format("{} has {} elements, more than can be shown; take a slice, {}[0:16]",
                      source(n),
                      v.count(),
                      source(n)),
          n.column);
    }
    selection all;
    all.count = static_cast<std::int64_t>(v.count());
    all.is_slice = true;
    value flat = v;
    flat.shape = {v.count()};
    v.bytes = copy(flat, {all}, n);
  }

  // --------------------------------------------------------------------------------------
  // selecting

  /// Row-major distances between neighbours in each dimension, in elements.
  static std::vector<std::int64_t> distances(const value& v) {
    std::vector<std::int64_t> d(v.shape.size(), 1);
    for (std::size_t i = v.shape.size(); i > 1; --i) {
      d[i - 2] = d[i - 1] * static_cast<std::int64_t>(v.shape[i - 1]);
    }
    return d;
  }

  /// The bytes of the selected elements; of memory in pieces as long as they are contiguous.
  std::vector<std::uint8_t>
  copy(const value& v, const std::vector<selection>& picked, const node& n) {
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

  /// Sets the place of what is selected, if its elements lie at equal distances.
  static void place(value& result, const value& from, const std::vector<selection>& picked) {
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

  value select(const value& v, const std::vector<selection>& picked, const node& n) {
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

  // ----------------------------------------------------------------------------------------
  // indices

  std::int64_t integer(const node& n) {
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

  /// `extent` is the dimension's; nothing for a pointer, which has no end. `where` names what is
  /// indexed.
  selection
  selected(const subscript& s, std::optional<std::int64_t> extent, const std::string& where) {
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

  static void check_slice(const subscript& s,
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
      refuse(fmt::format(
          "the slice {}:{} is empty; its end is the first index left out", r.begin, end));
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
      refuse(
          fmt::format("the slice {}:{} is longer than {} elements", r.begin, end, most_elements));
    }
  }

  /// "parts[3]" and "s.data" may be names of buffers, where no variable has the first of their
  /// names.
  std::optional<value> named_by_path(const node& n) {
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

  value indexed(const node& n) {
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

  value indexed_elements(const node& n, const value& base) {
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

  value indexed_structs(const node& n, const value& base) {
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

  // ---------------------------------------------------------------------------------------
  // pointers

  static std::uintptr_t address_in(const value& pointer, std::size_t i = 0) {
    std::uintptr_t address = 0;
    std::memcpy(&address, pointer.bytes.data() + i * sizeof address, sizeof address);
    return address;
  }

  /// What the pointer points to, without an address: one element. For pointers to elements.
  value pointed_element(const value& pointer, const node& n) {
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

  value behind_pointer(const node& n, const value& pointer) {
    const node& what = *n.operands.front();
    if (n.indices.size() != 1) {
      throw expression_error(fmt::format("{} is a pointer and takes one index, not {}",
                                         source(what),
                                         n.indices.size()),
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

  value made_at(const pointed_type& type, std::uintptr_t address, std::int64_t index) {
    return type.make(address + static_cast<std::uintptr_t>(index) * type.bytes, read_);
  }

  value dereferenced(const node& n) {
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

  static value first_of(const value& v) {
    value first;
    first.type = v.type;
    first.address = v.address;
    first.bytes.assign(v.bytes.begin(),
                       v.bytes.begin() + static_cast<std::ptrdiff_t>(size_of(v.type.kind)));
    return first;
  }

  value address_of(const node& n) {
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

  /// So that `*&p` is p with all that is known of its type.
  static std::shared_ptr<const pointed_type> pointed_pointer(const value_type& pointer) {
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

  // ----------------------------------------------------------------------------------------
  // members

  static std::string member_names(const value& v) {
    std::string names;
    for (const auto& [name, unused] : v.members) {
      names += (names.empty() ? "" : ", ") + name;
    }
    return names;
  }

  value member(const node& n) {
    if (auto buffer = named_by_path(n)) {
      return std::move(*buffer);
    }
    const node& what = *n.operands.front();
    value v = operand(what);
    if (n.what == node::kind::arrow) {
      if (v.type.kind != element::ptr || !v.members.empty() || !v.shape.empty()) {
        throw expression_error(
            fmt::format("'->' takes a pointer; {} is none, use '.'", source(what)), n.column);
      }
      if (v.type.points_to != nullptr) {
        v = made_at(*v.type.points_to, address_in(v), 0);
      } else {
        v = value{};
      }
      if (!v.missing.empty()) {
        throw expression_error(fmt::format("*{} is {}", source(what), v.missing), n.column);
      }
    }
    if (v.members.empty() || v.members.front().first == "[0]") {
      const bool is_pointer = n.what == node::kind::member && v.type.points_to != nullptr;
      throw expression_error(
          is_pointer ? fmt::format("{} is a pointer, use '->'", source(what))
                     : fmt::format("{} has no members",
                                   n.what == node::kind::arrow ? "*" + source(what) : source(what)),
          n.column);
    }
    for (auto& [name, of] : v.members) {
      if (name == n.name) {
        return std::move(of);
      }
    }
    throw expression_error(
        fmt::format("{} has no member '{}'; it has {}",
                    n.what == node::kind::arrow ? "*" + source(what) : source(what),
                    n.name,
                    member_names(v)),
        n.column);
  }

  // ------------------------------------------------------------------------------------------
  // nodes

  static void spell_type(value& v) {
    if (v.type.spelling.empty() && v.members.empty()) {
      v.type.spelling = basic_type(v.type.kind, v.type.is_unsigned).spelling;
    }
  }

  /// "$", "$$", "$3": in gdb, values that were printed.
  static bool is_printed_value(std::string_view name) {
    return name.starts_with('$') && name.find_first_not_of("$0123456789") == std::string_view::npos;
  }

  value looked_up(const node& n) {
    auto v = names_.lookup(n.name);
    if (!v && is_printed_value(n.name)) {
      throw expression_error("values that were printed are not kept; print the expression again",
                             n.column);
    }
    if (!v) {
      const std::string instead = names_.similar(n.name);
      throw expression_error(n.name[0] == '$'
                                 ? fmt::format("there is no '{}'", n.name)
                                 : fmt::format("no variable or buffer is named '{}'{}{}",
                                               n.name,
                                               instead.empty() ? "" : "; there are ",
                                               instead),
                             n.column);
    }
    spell_type(*v);
    return std::move(*v);
  }

  value unary(const node& n) {
    switch (n.unary) {
    case unary_operator::dereference:
      return dereferenced(n);
    case unary_operator::address_of:
      return address_of(n);
    default:
      return apply_unary(n.unary, operand(*n.operands.front()), n.column);
    }
  }

  /// A buffer's name as the pointer that it is in C++; all others as they are.
  static value decayed(value v) {
    return v.decays ? make_pointer(*v.address, pointer_to(v.type)) : std::move(v);
  }

  static bool is_pointer(const value& v) {
    return v.decays || (v.type.kind == element::ptr && v.shape.empty() && v.members.empty());
  }

  static bool is_comparison(binary_operator op) {
    return op >= binary_operator::less && op <= binary_operator::not_equal;
  }

  /// The name of a buffer is a pointer in + and -, and in front of another pointer.
  value of_addresses(const node& n) {
    value a = evaluate(*n.operands[0]);
    value b = evaluate(*n.operands[1]);
    if (!is_comparison(n.binary) || (is_pointer(a) && is_pointer(b))) {
      a = decayed(std::move(a));
      b = decayed(std::move(b));
    }
    a = ready(std::move(a), *n.operands[0]);
    return apply_binary(n.binary, a, ready(std::move(b), *n.operands[1]), n.column);
  }

  value cast(const node& n) {
    value v = evaluate(*n.operands.front());
    if (n.target.kind == element::ptr) {
      v = decayed(std::move(v));
    }
    return apply_cast(n.target, ready(std::move(v), *n.operands.front()), n.column);
  }

  value binary(const node& n) {
    if (n.binary == binary_operator::add || n.binary == binary_operator::subtract ||
        is_comparison(n.binary)) {
      return of_addresses(n);
    }
    const value a = operand(*n.operands[0]);
    const bool is_and = n.binary == binary_operator::logical_and;
    if ((is_and || n.binary == binary_operator::logical_or) && a.shape.empty() &&
        a.members.empty() && is_true(a) != is_and) {
      return make_bool(!is_and); // decided: the right side is not looked at
    }
    return apply_binary(n.binary, a, operand(*n.operands[1]), n.column);
  }

  value call(const node& n) {
    const node& of = *n.operands.front();
    if (n.name == "size") { // needs no element
      const value v = evaluate(of);
      if (!v.missing.empty()) {
        throw expression_error(fmt::format("{} is {}", source(of), v.missing), of.column);
      }
      if (!v.members.empty() && v.members.front().first == "[0]") {
        return make_integer(static_cast<std::int64_t>(v.members.size()), element::i64, true);
      }
      return apply_function(n.name, v, n.column);
    }
    return apply_function(n.name, operand(of), n.column);
  }

  value evaluate(const node& n) {
    switch (n.what) {
    case node::kind::literal:
      return n.constant;
    case node::kind::name:
      return looked_up(n);
    case node::kind::unary:
      return unary(n);
    case node::kind::binary:
      return binary(n);
    case node::kind::index:
      return indexed(n);
    case node::kind::member:
    case node::kind::arrow:
      return member(n);
    case node::kind::cast:
      return cast(n);
    case node::kind::call:
      return call(n);
    }
    return {};
  }

  std::string_view text_;
  environment& names_;
  memory_reader read_;
};

} // namespace

expression::expression(std::string text)
    : text_(std::move(text))
    , root_(parse_expression(text_)) {}

expression::~expression() = default;
expression::expression(expression&&) noexcept = default;
expression& expression::operator=(expression&&) noexcept = default;

value expression::evaluate(environment& names) const {
  value v = evaluation(text_, names).whole(*root_);
  names.annotate(v);
  return v;
}

bool is_true(const value& v) {
  if (!v.missing.empty()) {
    throw expression_error(fmt::format("a condition needs a value, and this is {}", v.missing), 0);
  }
  if (!v.members.empty()) {
    throw expression_error("a condition is one number, not a struct", 0);
  }
  if (v.count() != 1) {
    throw expression_error(
        fmt::format("a condition is one number, not {} elements; any(...) and all(...) make one",
                    v.count()),
        0);
  }
  return apply_cast(basic_type(element::i1, true), v, 0).bytes.front() != 0;
}

std::vector<std::string> element_texts(const value& v, std::size_t most) {
  std::vector<std::string> texts;
  const std::size_t size = size_of(v.type.kind);
  const std::size_t n = std::min(most, v.bytes.size() / size);
  texts.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    texts.push_back(ops::element_text(v.type.kind, v.type.is_unsigned, v.bytes.data() + i * size));
  }
  return texts;
}

} // namespace tilesim::sim::step
