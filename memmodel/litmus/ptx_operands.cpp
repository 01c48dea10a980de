// Operands of PTX instructions: registers, numbers, vectors, addresses.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/litmus/ptx_reader_impl.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tilesim::memmodel::litmus {

std::uint32_t ptx_reader::location_named(std::string_view name) {
  const auto found = std::ranges::find(test_.locations, name, &location::name);
  if (found != test_.locations.end()) {
    return static_cast<std::uint32_t>(found - test_.locations.begin());
  }
  // As in the published tests: a variable that the initial values leave out is zero.
  location l;
  l.name = name;
  l.initial = {0};
  test_.locations.push_back(std::move(l));
  return static_cast<std::uint32_t>(test_.locations.size() - 1);
}

bool ptx_reader::is_register(std::string_view name) {
  return name.size() > 1 && name.front() == 'r' &&
         std::ranges::all_of(name.substr(1), [](char c) { return c >= '0' && c <= '9'; });
}

bool ptx_reader::at_register() const {
  return in_.at("%") || (in_.peek().what == token::kind::word && is_register(in_.peek().text));
}

std::uint32_t ptx_reader::reg() {
  in_.accept("%");
  if (in_.peek().what != token::kind::word) {
    in_.fail("a register as 'r0'");
  }
  return register_named(*thread_, in_.take().text);
}

operand ptx_reader::register_or_number(std::string_view what) {
  operand o;
  if (at_register()) {
    o.reg = reg();
  } else if (in_.at_number()) {
    o.constants = {in_.number("a number")};
  } else {
    in_.fail(fmt::format("{}: a register or a number", what));
  }
  return o;
}

operand ptx_reader::value_operand(std::string_view what, std::uint32_t n) {
  if (n == 1) {
    return register_or_number(what);
  }
  operand o;
  in_.expect("{", fmt::format("and {} values", n));
  for (std::uint32_t i = 0; i < n; ++i) {
    if (i != 0) {
      in_.expect(",", fmt::format("between the {} values", n));
    }
    o.list.push_back(register_or_number(what));
  }
  in_.expect("}", fmt::format("behind the {} values", n));
  return o;
}

void ptx_reader::address(instruction& i, const modifiers& m) {
  const bool bracketed = in_.accept("[");
  std::optional<element_type> type = m.type;
  i.address.index.constants = {0};
  if (bracketed && at_register()) {
    i.address.pointer = reg();
  } else {
    const token name = in_.word("a variable");
    if (is_register(name.text)) {
      cursor::fail(name.at,
                   fmt::format("expected a variable, found register '{0}'; its target is '[{0}]'",
                               name.text));
    }
    i.address.location = location_named(name.text);
    const location& l = test_.locations[i.address.location];
    if (!type) {
      type = l.type;
    }
    if (in_.accept("[")) {
      const position at = in_.peek().at;
      const value e = in_.number("an element");
      if (e < 0 || static_cast<std::size_t>(e) >= l.initial.size()) {
        cursor::fail(at,
                     fmt::format("'{}' has no element {}; it has {}", l.name, e, l.initial.size()));
      }
      i.address.offset = static_cast<std::uint32_t>(e) * l.type.size;
      in_.expect("]", "behind the element");
    }
  }
  i.type = type.value_or(element_type{});
  if (in_.accept("+")) {
    const position at = in_.peek().at;
    const value bytes = in_.number("an offset in bytes");
    if (bytes < 0 || bytes > 4096) {
      cursor::fail(at, fmt::format("an offset of {} bytes; 0 to 4096 are possible", bytes));
    }
    i.address.offset += static_cast<std::uint32_t>(bytes);
  }
  if (bracketed) {
    in_.expect("]", "behind the address");
  }
  i.address.stride = i.type.size;
  for (std::uint32_t e = 1; e < m.elements(); ++e) {
    i.address.index.constants.push_back(static_cast<value>(e));
  }
  aligned(i, m);
}

void ptx_reader::aligned(const instruction& i, const modifiers& m) const {
  if (!i.address.pointer && i.address.offset % (i.type.size * m.elements()) != 0) {
    cursor::fail(in_.peek().at,
                 fmt::format("an access of {} bytes at offset {} is not aligned",
                             i.type.size * m.elements(),
                             i.address.offset));
  }
}

} // namespace tilesim::memmodel::litmus
