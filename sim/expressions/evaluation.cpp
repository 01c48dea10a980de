// Evaluation of expressions: names, members, operators; arithmetic is arithmetic.cpp's.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/expressions/evaluation.hpp"

#include <fmt/format.h>

namespace tilesim::sim::step {

value evaluation::whole(const node& n) {
  value v = evaluate(n);
  fetch(v, n);
  return v;
}

std::string evaluation::source(const node& n) const {
  return std::string(text_.substr(n.begin, n.end - n.begin));
}

value evaluation::ready(value v, const node& n) {
  fetch(v, n);
  if (!v.missing.empty()) {
    throw expression_error(fmt::format("{} is {}", source(n), v.missing), n.column);
  }
  return v;
}

void evaluation::read(std::uintptr_t address, std::size_t bytes, void* to, const node& n) {
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

void evaluation::fetch(value& v, const node& n) {
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

// ----------------------------------------------------------------------------------------- members

std::string evaluation::member_names(const value& v) {
  std::string names;
  for (const auto& [name, unused] : v.members) {
    names += (names.empty() ? "" : ", ") + name;
  }
  return names;
}

value evaluation::member(const node& n) {
  if (auto buffer = named_by_path(n)) {
    return std::move(*buffer);
  }
  const node& what = *n.operands.front();
  value v = operand(what);
  if (n.what == node::kind::arrow) {
    if (v.type.kind != element::ptr || !v.members.empty() || !v.shape.empty()) {
      throw expression_error(fmt::format("'->' takes a pointer; {} is none, use '.'", source(what)),
                             n.column);
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

// ------------------------------------------------------------------------------------------- nodes

void evaluation::spell_type(value& v) {
  if (v.type.spelling.empty() && v.members.empty()) {
    v.type.spelling = basic_type(v.type.kind, v.type.is_unsigned).spelling;
  }
}

bool evaluation::is_printed_value(std::string_view name) {
  return name.starts_with('$') && name.find_first_not_of("$0123456789") == std::string_view::npos;
}

value evaluation::looked_up(const node& n) {
  auto v = names_.lookup(n.name);
  if (!v && is_printed_value(n.name)) {
    throw expression_error("values that were printed are not kept; print the expression again",
                           n.column);
  }
  if (!v && names_.type_named(n.name)) { // `(type)-x`, which is a difference if it is a variable
    throw expression_error(
        fmt::format("'{}' is a type: in a cast, put what follows in parentheses, as in ({})(-1)",
                    n.name,
                    n.name),
        n.column);
  }
  if (!v) {
    const std::string instead = names_.similar(n.name);
    throw expression_error(n.name[0] == '$' ? fmt::format("there is no '{}'", n.name)
                                            : fmt::format("no variable or buffer is named '{}'{}{}",
                                                          n.name,
                                                          instead.empty() ? "" : "; there are ",
                                                          instead),
                           n.column);
  }
  spell_type(*v);
  return std::move(*v);
}

value evaluation::unary(const node& n) {
  switch (n.unary) {
  case unary_operator::dereference:
    return dereferenced(n);
  case unary_operator::address_of:
    return address_of(n);
  default:
    return apply_unary(n.unary, operand(*n.operands.front()), n.column);
  }
}

value evaluation::decayed(value v) {
  return v.decays ? make_pointer(*v.address, pointer_to(v.type)) : std::move(v);
}

bool evaluation::is_pointer(const value& v) {
  return v.decays || (v.type.kind == element::ptr && v.shape.empty() && v.members.empty());
}

bool evaluation::is_comparison(binary_operator op) {
  return op >= binary_operator::less && op <= binary_operator::not_equal;
}

value evaluation::of_addresses(const node& n) {
  value a = evaluate(*n.operands[0]);
  value b = evaluate(*n.operands[1]);
  if (!is_comparison(n.binary) || (is_pointer(a) && is_pointer(b))) {
    a = decayed(std::move(a));
    b = decayed(std::move(b));
  }
  a = ready(std::move(a), *n.operands[0]);
  return apply_binary(n.binary, a, ready(std::move(b), *n.operands[1]), n.column);
}

/// The program's type that a cast names.
value_type evaluation::type_of_cast(const node& n) {
  auto named = names_.type_named(n.name);
  if (!named) {
    throw expression_error(
        fmt::format("the debug information has no type '{}' here: write what it stands for, as int "
                    "or unsigned long",
                    n.name),
        n.type_column);
  }
  if (!named->element && n.stars == 0) {
    throw expression_error(
        fmt::format("'{0}' is no number, which casts make: cast to a pointer to it, as in ({0}*)p",
                    named->spelling),
        n.type_column);
  }
  value_type type = named->element.value_or(value_type{});
  for (std::size_t level = 0; level < n.stars; ++level) {
    value_type to = pointer_to(type);
    if (level == 0 && !named->element) {
      to.pointee.reset();
      to.points_to = std::move(named->points_to);
      to.spelling = named->spelling + "*";
    } else if (type.kind == element::ptr) {
      to.points_to = pointed_pointer(type);
    }
    type = std::move(to);
  }
  return type;
}

value evaluation::cast(const node& n) {
  const value_type to = n.name.empty() ? n.target : type_of_cast(n);
  value v = evaluate(*n.operands.front());
  if (to.kind == element::ptr) {
    v = decayed(std::move(v));
  }
  return apply_cast(to, ready(std::move(v), *n.operands.front()), n.column);
}

value evaluation::binary(const node& n) {
  if (n.binary == binary_operator::add || n.binary == binary_operator::subtract ||
      is_comparison(n.binary)) {
    return of_addresses(n);
  }
  const value a = operand(*n.operands[0]);
  const bool is_and = n.binary == binary_operator::logical_and;
  if ((is_and || n.binary == binary_operator::logical_or) && a.shape.empty() && a.members.empty() &&
      is_true(a) != is_and) {
    return make_bool(!is_and); // decided: the right side is not looked at
  }
  return apply_binary(n.binary, a, operand(*n.operands[1]), n.column);
}

value evaluation::call(const node& n) {
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

value evaluation::evaluate(const node& n) {
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

} // namespace tilesim::sim::step
