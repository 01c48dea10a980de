// Entries and their operations. [Tile IR bytecode, functions, operations]
//
// Values are named by a number that counts up and, at the end of a block, falls back to what it was
// before it. Here each has a number of its own.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/tileir/constants.hpp"
#include "sim/tileir/layout.hpp"
#include "sim/tileir/tables.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tilesim::tileir {
namespace {

constexpr unsigned deepest = 128;

/// How many results and operands an operation has at least whose numbers the file says.
struct least {
  std::size_t results = 0;
  std::size_t operands = 0;
};

least least_of(opcode what) {
  switch (what) {
  case opcode::for_:
    return {.results = 0, .operands = 3};
  case opcode::extract:
    return {.results = 1, .operands = 1};
  case opcode::insert:
    return {.results = 1, .operands = 2};
  case opcode::load_view_tko:
    return {.results = 2};
  case opcode::reduce:
  case opcode::scan:
    return {.results = 1, .operands = 1};
  case opcode::make_tensor_view:
  case opcode::store_view_tko:
  case opcode::atomic_red_view_tko:
  case opcode::join_tokens:
    return {.results = 1};
  default:
    return {};
  }
}

void check_counts(const cursor& c, const operation& o) {
  const least wanted = least_of(o.what);
  if (o.results.size() < wanted.results || o.operands.size() < wanted.operands) {
    c.fail_at(o.offset,
              fmt::format("'{}' has {} results and {} operands, but takes {} and {} at least",
                          name(o.what),
                          o.results.size(),
                          o.operands.size(),
                          wanted.results,
                          wanted.operands));
  }
}

class body_reader {
public:
  body_reader(cursor c, const tables& t, entry& e)
      : cursor_(c)
      , tables_(t)
      , entry_(e) {}

  void read() {
    region& body = entry_.body;
    body.present = true;
    for (const type* input : entry_.type->inputs) {
      body.arguments.push_back(add_value(input));
    }
    while (!cursor_.done()) {
      body.operations.push_back(read_operation(0));
    }
    entry_.operations = next_operation_;
  }

private:
  value_id add_value(const type* t) {
    const auto id = static_cast<value_id>(entry_.values.size());
    entry_.values.push_back({t});
    visible_.push_back(id);
    return id;
  }

  value_id operand() { return visible_[cursor_.index(visible_.size(), "value")]; }

  bool has(const layout_field& f) const { return tables_.minor >= f.since; }

  /// The word of flags: one bit for each field that the file's version knows.
  void read_flags(const layout& l, operation& o) {
    std::vector<field> known;
    for (const layout_field& f : l.flags) {
      if (has(f)) {
        known.push_back(f.what);
      }
    }
    flags_.clear();
    if (known.empty()) {
      return;
    }
    const std::size_t begin = cursor_.offset();
    const std::uint64_t word = cursor_.varint("flags");
    if (word >> known.size() != 0) {
      cursor_.fail_at(begin, fmt::format("flags {:#x} of '{}'", word, name(l.what)));
    }
    for (std::size_t i = 0; i < known.size(); ++i) {
      if ((word >> i & 1U) != 0) {
        flags_.push_back(known[i]);
      }
    }
    o.flush_to_zero = flag(field::ftz);
    o.propagate_nan = flag(field::nan);
    o.is_unsigned = flag(field::unsigned_);
    o.saturating = flag(field::saturating);
    o.fast_acc = flag(field::fast_acc);
    o.global = flag(field::global);
  }

  [[nodiscard]] bool flag(field f) const {
    return std::find(flags_.begin(), flags_.end(), f) != flags_.end();
  }

  std::uint8_t enumerator(unsigned count, const char* what) {
    return static_cast<std::uint8_t>(cursor_.index(count, what));
  }

  void read_inbounds(operation& o) {
    const std::uint32_t count = cursor_.count("inbounds");
    for (std::uint32_t i = 0; i < count; ++i) {
      o.inbounds.push_back(cursor_.byte("inbounds") != 0);
    }
  }

  void read_identities(operation& o) {
    const std::uint32_t count = cursor_.count("identities", 2);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::size_t begin = cursor_.offset();
      o.attributes.push_back(read_attribute(cursor_, tables_));
      const auto kind = o.attributes.back().what;
      if (kind != attribute::kind::integer && kind != attribute::kind::floating) {
        cursor_.fail_at(begin, "an identity that is no number");
      }
    }
  }

  void read_predicate(operation& o) {
    const std::size_t begin = cursor_.offset();
    o.attributes.push_back(read_attribute(cursor_, tables_));
    const auto kind = o.attributes.back().what;
    if (kind != attribute::kind::div_by && kind != attribute::kind::same_elements &&
        kind != attribute::kind::bounded) {
      cursor_.fail_at(begin, "an assumption that is not known");
    }
  }

  // One function in spite of its length: a table, a field a row.
  void read_attribute_field(const layout_field& f, operation& o) {
    switch (f.what) {
    case field::round:
      o.round = enumerator(8, "rounding");
      break;
    case field::wrap:
      o.wrap = enumerator(4, "overflow");
      break;
    case field::sign:
      o.sign = enumerator(2, "signedness");
      break;
    case field::sign_of_rhs:
      o.sign_of_rhs = enumerator(2, "signedness");
      break;
    case field::comparison:
      o.comparison = enumerator(6, "comparison");
      break;
    case field::ordering:
      o.ordering = enumerator(2, "ordering");
      break;
    case field::order:
      o.order = enumerator(5, "memory order");
      break;
    case field::scope:
      o.scope = enumerator(3, "memory scope");
      break;
    case field::mode:
      o.mode = enumerator(10, "mode of an atomic operation");
      break;
    case field::hints:
      o.hints = read_dictionary(cursor_, tables_, 0);
      break;
    case field::number:
      o.number_attribute = cursor_.varint("a number");
      break;
    case field::alignment:
      o.alignment = cursor_.varint("an alignment");
      break;
    case field::reverse:
      o.reverse = cursor_.byte("reverse") != 0;
      break;
    case field::constant:
      o.constant = cursor_.index(tables_.into.constants.size(), "constant");
      break;
    case field::text:
      o.text = tables_.string(cursor_, "string");
      break;
    case field::predicate:
      read_predicate(o);
      break;
    case field::permutation:
      o.permutation = read_numbers(cursor_, 4, "dimensions");
      break;
    case field::identities:
      read_identities(o);
      break;
    case field::inbounds:
      read_inbounds(o);
      break;
    default:
      cursor_.fail("an attribute that is not known");
    }
  }

  void read_attributes(const layout& l, operation& o) {
    if (!std::any_of(l.attributes.begin(), l.attributes.end(), [&](auto& f) {
          return f.what == field::round && has(f);
        })) {
      o.round = default_rounding(l.what);
    }
    for (const layout_field& f : l.attributes) {
      if (has(f) && (!f.optional || flag(f.what))) {
        read_attribute_field(f, o);
      }
    }
  }

  /// Of files in which an operation has no rounding yet.
  static std::uint8_t default_rounding(opcode what) {
    constexpr std::uint8_t full = 5;
    return what == opcode::exp || what == opcode::tanh ? full : 0;
  }

  part read_counted(operation& o) {
    const part p{.first = static_cast<std::uint32_t>(o.operands.size()),
                 .count = cursor_.count("operands")};
    for (std::uint32_t i = 0; i < p.count; ++i) {
      o.operands.push_back(operand());
    }
    return p;
  }

  void read_part(const layout_field& f, operation& o) {
    if (f.counted) {
      (f.what == field::strides ? o.strides : o.index) = read_counted(o);
      return;
    }
    const auto at = static_cast<std::uint32_t>(o.operands.size());
    o.operands.push_back(operand());
    if (f.what == field::mask) {
      o.mask = at;
    } else if (f.what == field::padding) {
      o.padding = at;
    } else if (f.what == field::token) {
      o.token = at;
    }
  }

  void read_operands(const layout& l, operation& o) {
    if (l.operands_counted) {
      read_counted(o);
      return;
    }
    if (l.operands) {
      for (unsigned i = 0; i < *l.operands; ++i) {
        o.operands.push_back(operand());
      }
      return;
    }
    for (const layout_field& f : l.parts) {
      if (!f.optional || flag(f.what)) {
        read_part(f, o);
      }
    }
  }

  region read_region(unsigned depth) {
    region r;
    const std::uint32_t blocks = cursor_.index(2, "blocks of a region");
    r.present = blocks == 1;
    if (!r.present) {
      return r;
    }
    const std::size_t outside = visible_.size();
    const std::uint32_t arguments = cursor_.count("arguments of a block");
    for (std::uint32_t i = 0; i < arguments; ++i) {
      r.arguments.push_back(add_value(tables_.type_of(cursor_, "an argument's type")));
    }
    const std::uint32_t count = cursor_.count("operations of a block");
    for (std::uint32_t i = 0; i < count; ++i) {
      r.operations.push_back(read_operation(depth + 1));
    }
    visible_.resize(outside);
    return r;
  }

  void read_regions(const layout& l, operation& o, unsigned depth) {
    if (l.regions == 0) {
      return;
    }
    const std::size_t begin = cursor_.offset();
    const std::uint32_t count = cursor_.count("regions");
    if (count != l.regions) {
      cursor_.fail_at(begin,
                      fmt::format("'{}' has {} regions, not {}", name(l.what), l.regions, count));
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      o.regions.push_back(read_region(depth));
    }
  }

  const type* token_type() {
    for (const type* t : tables_.into.types) {
      if (t->is(type::kind::token)) {
        return t;
      }
    }
    type t;
    t.what = type::kind::token;
    t.text = "token";
    return tables_.into.types.emplace_back(&tables_.into.storage.emplace_back(std::move(t)));
  }

  void check_constant(const operation& o, const type& t) const {
    if (!t.is(type::kind::tile) || !t.element->is(type::kind::number)) {
      cursor_.fail_at(o.offset, fmt::format("a constant of type {}", t.text));
    }
    const auto& bytes = tables_.into.constants[o.constant];
    if (!elements(bytes, t.element->num, t.count()).fit()) {
      cursor_.fail_at(o.offset, fmt::format("a constant of {} bytes for {}", bytes.size(), t.text));
    }
  }

  operation read_operation(unsigned depth) {
    operation o;
    o.offset = cursor_.offset();
    if (depth > deepest) {
      cursor_.fail("regions within regions too deep");
    }
    const std::uint64_t code = cursor_.varint("an operation");
    const layout* l = find_layout(code);
    if (l == nullptr) {
      cursor_.fail_at(o.offset, fmt::format("unknown operation {:#x}", code));
    }
    if (l->since > tables_.minor) {
      cursor_.fail_at(
          o.offset,
          fmt::format(
              "'{}' is of 13.{}, in a file of 13.{}", name(l->what), l->since, tables_.minor));
    }
    o.what = l->what;
    o.number = next_operation_++;
    std::vector<const type*> results;
    const std::uint32_t count = l->results ? *l->results : cursor_.count("results");
    for (std::uint32_t i = 0; i < count; ++i) {
      results.push_back(tables_.type_of(cursor_, "a result's type"));
    }
    read_flags(*l, o);
    read_attributes(*l, o);
    read_operands(*l, o);
    read_regions(*l, o, depth);
    for (const type* t : results) {
      o.results.push_back(add_value(t));
    }
    if (o.what == opcode::print_tko && results.empty()) {
      // A print of 13.1 has a token in the text, which no operand can name.
      o.results.push_back(add_value(token_type()));
      visible_.pop_back();
    }
    check_counts(cursor_, o);
    if (o.what == opcode::constant) {
      check_constant(o, *results.front());
    }
    return o;
  }

  cursor cursor_;
  const tables& tables_;
  entry& entry_;
  std::vector<value_id> visible_;
  std::vector<field> flags_;
  std::uint32_t next_operation_ = 0;
};

/// Gives an entry its row of locations.
void locate(const cursor& c, entry& e, std::uint64_t row, const debug_rows& rows) {
  e.locations.assign(e.operations, 0);
  if (row == 0) {
    return;
  }
  if (row > rows.begins.size()) {
    c.fail(
        fmt::format("locations {} of '{}', but there are {}", row - 1, e.name, rows.begins.size()));
  }
  const std::size_t begin = rows.begins[row - 1];
  if (rows.indices.size() - begin < std::size_t{1} + e.operations) {
    c.fail(fmt::format("'{}' has {} operations, but locations of {} only",
                       e.name,
                       e.operations,
                       rows.indices.size() - begin));
  }
  e.location = rows.indices[begin];
  for (std::uint32_t i = 0; i < e.operations; ++i) {
    e.locations[i] = rows.indices[begin + 1 + i];
  }
}

} // namespace

void read_entries(cursor c, tables& t, const debug_rows& rows) {
  const std::uint32_t count = c.count("entries", 5);
  for (std::uint32_t i = 0; i < count; ++i) {
    entry e;
    e.name = t.string(c, "an entry's name");
    const std::size_t begin = c.offset();
    e.type = t.type_of(c, "an entry's type");
    if (!e.type->is(type::kind::function)) {
      c.fail_at(begin, fmt::format("'{}' has type {}", e.name, e.type->text));
    }
    const unsigned flags = c.byte("an entry's flags");
    if ((flags & ~7U) != 0) {
      c.fail(fmt::format("flags {:#x} of '{}'", flags, e.name));
    }
    const std::uint64_t row = c.varint("an entry's locations");
    if ((flags & 6U) == 6U) {
      e.hints = read_attribute(c, t);
    }
    const std::uint64_t length = c.varint("an entry's length");
    if (length > c.left()) {
      c.fail(fmt::format("'{}' of {} bytes, but {} are left", e.name, length, c.left()));
    }
    body_reader(c.part(length, "an entry"), t, e).read();
    locate(c, e, row, rows);
    t.into.entries.push_back(std::move(e));
  }
}

} // namespace tilesim::tileir
