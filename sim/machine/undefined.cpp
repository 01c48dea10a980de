// Findings for what the reference leaves undefined.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/machine/undefined.hpp"

#include "sim/contract/counted.hpp"
#include "sim/core/context.hpp"
#include "sim/machine/machine_checks.hpp"
#include "sim/machine/origins.hpp"
#include "sim/naming/address_report.hpp"
#include "sim/ops/element_text.hpp"
#include "sim/ops/opcode_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace tilesim::sim {

namespace {

using machine::in;
using machine::opcode;
using machine::overflow;
using machine::rounding;
using machine::tile_type;
using ops::undefined_kind;

// The exact value of a 64-bit sum or product.
__extension__ using wide = __int128;

// ------------------------------------------------------------------------ elements and operands

/// Where the element i of a tile of type `whole` stands in an operand that broadcasts to it.
std::size_t broadcast_index(const tile_type& part, const tile_type& whole, std::size_t i) {
  if (part.count == 1 || part.count == whole.count) {
    return part.count == 1 ? 0 : i;
  }
  std::size_t index = 0;
  std::size_t stride = 1;
  for (unsigned d = 0; d < part.rank; ++d) { // from the last dimension, which they share
    const std::uint32_t extent = part.extents[part.rank - 1 - d];
    const std::uint32_t along = whole.extents[whole.rank - 1 - d];
    index += (extent == 1 ? 0 : i % along) * stride;
    stride *= extent;
    i /= along;
  }
  return index;
}

/// The operands as a person wrote them.
std::span<const in> written(const performed_operation& p) {
  return {p.modes.written.operands != nullptr ? p.modes.written.operands : p.operands, p.count};
}

const std::byte* cell(const in& tile, const tile_type& whole, std::size_t i) {
  return static_cast<const std::byte*>(tile.data) +
         (broadcast_index(*tile.type, whole, i) * size_of(tile.type->elem));
}

std::string text(const in& tile, const tile_type& whole, std::size_t i) {
  return ops::element_text(tile.type->elem, tile.type->is_unsigned, cell(tile, whole, i));
}

wide integer(const in& tile, const tile_type& whole, std::size_t i) {
  const unsigned bits = 8 * size_of(tile.type->elem);
  std::uint64_t value = 0;
  std::memcpy(&value, cell(tile, whole, i), bits / 8);
  if (tile.type->is_unsigned) {
    return value;
  }
  return static_cast<std::int64_t>(value << (64 - bits)) >> (64 - bits);
}

std::uintptr_t address(const in& tile, const tile_type& whole, std::size_t i) {
  std::uintptr_t value = 0;
  std::memcpy(&value, cell(tile, whole, i), sizeof value);
  return value;
}

// ------------------------------------------------------------------------------ what was written

/// The operator or function of an operation whose source is not known by another name.
const char* own_spelling(const performed_operation& p) {
  switch (p.op) {
  case opcode::addi:
  case opcode::offset:
    return "+";
  case opcode::subi:
  case opcode::negi:
    return "-";
  case opcode::muli:
    return "*";
  case opcode::divi:
    return p.modes.round == rounding::positive_inf   ? "ceildiv"
           : p.modes.round == rounding::negative_inf ? "floordiv"
                                                     : "/";
  case opcode::remi:
    return "%";
  case opcode::absi:
    return "abs";
  case opcode::shli:
    return "<<";
  case opcode::shri:
    return ">>";
  default:
    return opcode_name(p.op);
  }
}

std::string expression(const performed_operation& p, std::size_t i) {
  const std::string name =
      p.modes.written.spelling != nullptr ? p.modes.written.spelling : own_spelling(p);
  const std::span<const in> operands = written(p);
  const tile_type& whole = *p.result.type;
  const std::string first = text(operands[0], whole, i);
  const bool is_operator = std::isalpha(static_cast<unsigned char>(name.front())) == 0;
  if (operands.size() == 1) {
    return is_operator && first.front() != '-' ? name + first : fmt::format("{}({})", name, first);
  }
  const std::string second = text(operands[1], whole, i);
  return is_operator ? fmt::format("{} {} {}", first, name, second)
                     : fmt::format("{}({}, {})", name, first, second);
}

/// "i32", "u32": the type that a value does not fit.
std::string target(const tile_type& type, bool is_unsigned) {
  std::string name = tilesim::name(type.elem);
  if (is_unsigned && type.elem != element::i1) {
    name.front() = 'u';
  }
  return name;
}

// ------------------------------------------------------------------------- where operands come
// from

/// Which operands of an operation depend on unspecified values, by elements of its result. Looked
/// up when it is first asked, where something is found: that costs time.
class operand_origins {
public:
  operand_origins(const sim_thread& t, const performed_operation& p)
      : thread_(t)
      , operation_(p) {}

  [[nodiscard]] bool of(std::size_t element) {
    look_up();
    return std::ranges::any_of(*dependent_, [&](const auto& o) { return concerns(o, element); });
  }

  void tell(finding_text& text, std::size_t element) {
    look_up();
    constexpr std::array names{"the left operand", "the right operand", "the third operand"};
    for (const dependent_operand& o : *dependent_) {
      if (concerns(o, element)) {
        const char* const name = operation_.count == 1 ? "the operand" : names.at(o.number);
        tell_origin(text, fmt::format("{} depends", name), o.how);
      }
    }
  }

private:
  struct dependent_operand {
    unsigned number;
    const tile_type* type;
    dependence how;
  };

  void look_up() {
    if (dependent_) {
      return;
    }
    dependent_.emplace();
    for (unsigned k = 0; k < operation_.count; ++k) {
      // What the program wrote may be a tile of another type than what the machine is given.
      for (const in& operand : {operation_.operands[k], written(operation_)[k]}) {
        if (dependence d = dependence_of(thread_, operand); d.any()) {
          dependent_->push_back({k, operand.type, std::move(d)});
          break;
        }
      }
    }
  }
  [[nodiscard]] bool concerns(const dependent_operand& o, std::size_t element) const {
    return o.how.of(broadcast_index(*o.type, *operation_.result.type, element));
  }

  const sim_thread& thread_;
  const performed_operation& operation_;
  std::optional<std::vector<dependent_operand>> dependent_;
};

// ---------------------------------------------------------------------------------- the findings

finding_kind finding_of(undefined_kind kind) {
  switch (kind) {
  case undefined_kind::nothing:
  case undefined_kind::signed_overflow:
    break;
  case undefined_kind::unsigned_overflow:
    return finding_kind::unsigned_overflow;
  case undefined_kind::division_by_zero:
    return finding_kind::division_by_zero;
  case undefined_kind::unrepresentable_quotient:
    return finding_kind::unrepresentable_quotient;
  case undefined_kind::shift_count:
    return finding_kind::shift_out_of_range;
  case undefined_kind::unrepresentable_integer:
    return finding_kind::conversion_out_of_range;
  }
  return finding_kind::signed_overflow;
}

finding_text explain(undefined_kind kind, const performed_operation& p, std::size_t i) {
  const tile_type& type = *p.result.type;
  const unsigned width = type.elem == element::i1 ? 1 : 8 * size_of(type.elem);
  switch (kind) {
  case undefined_kind::nothing:
  case undefined_kind::signed_overflow:
    break;
  case undefined_kind::unsigned_overflow:
    return {.message = fmt::format(
                "unsigned overflow: {} does not fit {}", expression(p, i), target(type, true)),
            .remedy = "drop no_unsigned_wrap where the result may wrap"};
  case undefined_kind::division_by_zero:
    return {.message = fmt::format("division by zero: {}", expression(p, i)),
            .remedy = "give the divisors that are zero another value first: "
                      "select(d == 0, ones, d)"};
  case undefined_kind::unrepresentable_quotient:
    return {.message = fmt::format("unrepresentable quotient: {}{} does not fit {}",
                                   expression(p, i),
                                   p.op == opcode::remi ? ", whose quotient" : "",
                                   target(type, false)),
            .remedy = "divide in a wider type, or treat a divisor of -1 by itself"};
  case undefined_kind::shift_count: {
    const std::string name = target(type, type.is_unsigned);
    return {.message = fmt::format("shift count out of range: {}, where {} {} takes 0 to {}",
                                   expression(p, i),
                                   name.front() == 'i' ? "an" : "a",
                                   name,
                                   width - 1),
            .remedy = fmt::format("mask the count (n & {}), or select the result for larger ones",
                                  width - 1)};
  }
  case undefined_kind::unrepresentable_integer:
    return {.message = fmt::format("conversion out of range: {} does not fit {}",
                                   text(written(p)[0], type, i),
                                   target(type, type.is_unsigned)),
            .remedy = "bring the values into the type's range first, with max and min; "
                      "select a value for NaN"};
  }
  return {.message = fmt::format(
              "signed overflow: {} does not fit {}", expression(p, i), target(type, false)),
          .remedy = "use an unsigned type where wrapping is meant, or a wider one"};
}

/// The kinds that an operation may leave undefined: the reasons need not be asked for others.
reported_kinds possible(const performed_operation& p) {
  reported_kinds all;
  const auto add = [&](finding_kind kind) { all.set(static_cast<std::size_t>(kind)); };
  switch (p.op) {
  case opcode::divi:
  case opcode::remi:
    add(finding_kind::division_by_zero);
    add(finding_kind::unrepresentable_quotient);
    break;
  case opcode::shli:
  case opcode::shri:
    add(finding_kind::shift_out_of_range);
    break;
  case opcode::ftoi:
  case opcode::trunci:
    add(finding_kind::conversion_out_of_range);
    break;
  default:
    if (p.modes.wrap != overflow::no_unsigned_wrap) {
      add(finding_kind::signed_overflow);
    }
    if (p.modes.wrap == overflow::no_unsigned_wrap || p.modes.wrap == overflow::no_wrap) {
      add(finding_kind::unsigned_overflow);
    }
  }
  return all;
}

/// The one kind of a set of one.
finding_kind only(const reported_kinds& kinds) {
  std::size_t k = 0;
  while (!kinds[k]) {
    ++k;
  }
  return static_cast<finding_kind>(k);
}

/// Elements of one call: how many, and the first of them. One whose operands the program has
/// specified comes before those that depend on an unspecified value: it is wrong in any case.
struct occurrence {
  undefined_kind kind{};
  std::size_t first = 0;
  std::size_t count = 0;
  bool unspecified = false; ///< the first one depends

  void note(std::size_t element, operand_origins& origins, undefined_kind why = {}) {
    const bool depends = (count == 0 || unspecified) && origins.of(element);
    if (count == 0 || (unspecified && !depends)) {
      kind = why;
      first = element;
      unspecified = depends;
    }
    ++count;
  }
};

/// Adds a finding of an element, and says how many more of its call there are, and which of its
/// operands are unspecified.
void add(sim_thread& t,
         finding_text text,
         const tile_type& type,
         const occurrence& bad,
         operand_origins& origins) {
  text.details.insert(text.details.begin(), whereabouts(t, type, bad.first));
  if (bad.count > 1) {
    text.details.push_back(more_elements(bad.count - 1));
  }
  if (bad.unspecified) {
    origins.tell(text, bad.first);
  }
  t.owner->found.add(t.site, std::move(text));
}

// --------------------------------------------------------------------------------------- pointers

/// True if C++ may subtract and order the two: both into one allocation or to its end. Of memory
/// that the registry does not know, a kernel's own variables, nothing is said.
bool into_one_array(context& c, std::uintptr_t a, std::uintptr_t b) {
  if (a == b) {
    return true;
  }
  if (a == 0 || b == 0) {
    return false;
  }
  const auto at = [&](std::uintptr_t p) { return c.mem.find(reinterpret_cast<const void*>(p)); };
  const allocation* const inside = at(a);
  const allocation* const ends = at(a - 1);
  if (inside != nullptr || ends != nullptr) {
    return (inside != nullptr && inside->contains(b, 0)) ||
           (ends != nullptr && ends->contains(b, 0));
  }
  return !c.mem.in_arena(a) && !c.mem.in_arena(b) && at(b) == nullptr && at(b - 1) == nullptr;
}

const char* symbol(machine::predicate p) {
  switch (p) {
  case machine::predicate::less_than:
    return "<";
  case machine::predicate::less_than_or_equal:
    return "<=";
  case machine::predicate::greater_than:
    return ">";
  default:
    return ">=";
  }
}

/// The first element for which `wrong`, as a finding.
template <class Wrong, class Explain>
void report_pointers(sim_thread& t,
                     const performed_operation& p,
                     const Wrong& wrong,
                     const Explain& explain) {
  const std::span<const in> operands = written(p);
  const tile_type& whole = *p.result.type;
  operand_origins origins(t, p);
  occurrence bad;
  for (std::size_t i = 0; i < whole.count; ++i) {
    if (wrong(address(operands[0], whole, i), address(operands[1], whole, i))) {
      bad.note(i, origins);
    }
  }
  if (bad.count == 0) {
    return;
  }
  const std::uintptr_t a = address(operands[0], whole, bad.first);
  const std::uintptr_t b = address(operands[1], whole, bad.first);
  finding_text text = explain(a, b);
  text.details.push_back(fmt::format("the left one is {}", describe_address(*t.owner, a)));
  text.details.push_back(fmt::format("the right one is {}", describe_address(*t.owner, b)));
  add(t, std::move(text), whole, bad, origins);
}

void check_difference(sim_thread& t, const performed_operation& p) {
  context& c = *t.owner;
  const unsigned size = written(p)[0].type->pointee_size;
  report_pointers(
      t,
      p,
      [&](std::uintptr_t a, std::uintptr_t b) {
        return (a - b) % size != 0 || !into_one_array(c, a, b);
      },
      [&](std::uintptr_t a, std::uintptr_t b) {
        finding_text text{.kind = finding_kind::pointer_difference};
        if (into_one_array(c, a, b)) {
          text.message = fmt::format(
              "invalid pointer difference: {} bytes apart, which is not a multiple of {}",
              a > b ? a - b : b - a,
              size);
          text.remedy = "subtract pointers that are whole elements apart";
        } else {
          text.message = "invalid pointer difference: the pointers are not into one allocation";
          text.remedy = "subtract pointers into one allocation, or keep indices instead";
        }
        return text;
      });
}

void note_order(sim_thread& t, const performed_operation& p) {
  context& c = *t.owner;
  report_pointers(
      t,
      p,
      [&](std::uintptr_t a, std::uintptr_t b) { return !into_one_array(c, a, b); },
      [&](std::uintptr_t, std::uintptr_t) {
        return finding_text{
            .kind = finding_kind::pointer_order,
            .message = fmt::format(
                "unspecified pointer order: {} of pointers that are not into one allocation",
                symbol(p.modes.pred)),
            .remedy = "order pointers into one allocation, or compare indices",
            .severity = finding::level::note};
      });
}

} // namespace

void report_undefined(sim_thread& t, const performed_operation& p, ops::undefined_reason why) {
  const reported_kinds asked = possible(p) & t.owner->opts.reported;
  if (asked.none()) {
    return;
  }
  // A loop that overflows for ever is told once, and counted: no element is looked at again.
  if (asked.count() == 1 && t.owner->found.repeated(t.site, only(asked))) {
    return;
  }
  std::array<occurrence, finding_kinds> seen{};
  operand_origins origins(t, p);
  const tile_type& whole = *p.result.type;
  for (std::size_t i = 0; i < whole.count; ++i) {
    const undefined_kind kind = why(cell(p.operands[0], whole, i),
                                    p.count > 1 ? cell(p.operands[1], whole, i) : nullptr,
                                    p.count > 2 ? cell(p.operands[2], whole, i) : nullptr);
    if (kind != undefined_kind::nothing) {
      seen[static_cast<std::size_t>(finding_of(kind))].note(i, origins, kind);
    }
  }
  for (std::size_t k = 0; k < seen.size(); ++k) {
    if (seen[k].count != 0 && asked[k]) {
      finding_text text = explain(seen[k].kind, p, seen[k].first);
      text.kind = static_cast<finding_kind>(k);
      add(t, std::move(text), whole, seen[k], origins);
    }
  }
}

void check_written_pointers(sim_thread& t, const performed_operation& p) {
  if (p.count != 2 || p.modes.written.operands[1].type->elem != element::ptr) {
    return;
  }
  const options& o = t.owner->opts;
  if (p.op == opcode::divi && o.reports(finding_kind::pointer_difference)) {
    check_difference(t, p);
  } else if (p.op == opcode::cmpi && p.modes.pred != machine::predicate::equal &&
             p.modes.pred != machine::predicate::not_equal &&
             o.reports(finding_kind::pointer_order)) {
    note_order(t, p);
  }
}

void note_pointers_out_of_range(sim_thread& t, const performed_operation& p) {
  context& c = *t.owner;
  const std::span<const in> operands = written(p);
  const tile_type& whole = *p.result.type;
  const unsigned size = operands[0].type->pointee_size;
  const char* const sign = p.modes.written.spelling != nullptr ? p.modes.written.spelling : "+";
  operand_origins origins(t, p);
  occurrence bad;
  const allocation* near = nullptr;
  const auto target = [&](std::size_t i) {
    const wide bytes = integer(operands[1], whole, i) * size;
    return wide{address(operands[0], whole, i)} + (*sign == '-' ? -bytes : bytes);
  };
  for (std::size_t i = 0; i < whole.count; ++i) {
    const std::uintptr_t from = address(operands[0], whole, i);
    const wide to = target(i);
    if (to == wide{from}) {
      continue;
    }
    if (near == nullptr || !near->contains(from, 0)) {
      near = c.mem.find(reinterpret_cast<const void*>(from));
      // The end of one allocation may be the beginning of nothing.
      near =
          near == nullptr && from != 0 ? c.mem.find(reinterpret_cast<const void*>(from - 1)) : near;
    }
    const bool fits = near != nullptr ? to >= wide{near->begin} && to <= wide{near->end()}
                                      : from != 0 && to >= 0 && to <= wide{UINTPTR_MAX};
    if (!fits) {
      bad.note(i, origins);
    }
  }
  if (bad.count == 0) {
    return;
  }
  const std::uintptr_t from = address(operands[0], whole, bad.first);
  const wide to = target(bad.first);
  std::string where = "leaves its allocation";
  if (from == 0) {
    where = "starts from a null pointer";
  } else if (to < 0 || to > wide{UINTPTR_MAX}) {
    where = "leaves the address space";
  }
  add(t,
      {.kind = finding_kind::pointer_out_of_range,
       .message = fmt::format(
           "pointer out of range: p {} {} {}", sign, text(operands[1], whole, bad.first), where),
       .details = {fmt::format(
           "p is {}, to elements of {}", describe_address(c, from), counted(size, "byte"))},
       .remedy = "form only pointers into an allocation or to its end, even where a mask keeps "
                 "them from being used",
       .severity = finding::level::note},
      whole,
      bad,
      origins);
}

} // namespace tilesim::sim
