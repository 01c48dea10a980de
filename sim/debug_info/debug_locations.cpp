// DWARF location expressions: a small stack machine.
//
// What it does not know (values of registers at a function's entry, thread-local storage) makes the
// variable "optimised out", as a debugger calls what it cannot find.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/debug_info/debug_locations.hpp"

#include <algorithm>
#include <cstring>
#include <dwarf.h>
#include <optional>

namespace tilesim::sim::step {

namespace {

constexpr const char* optimised_out = "optimised out";

/// Thrown inside this file alone: the expression needs what is not there.
struct nowhere {};

using word = std::uint64_t;

class evaluation {
public:
  evaluation(const frame_place& at, const memory_reader& read, Dwarf_Attribute& attribute)
      : at_(at)
      , read_(read)
      , attribute_(attribute) {}

  /// The object that the expression describes.
  object_bytes object(Dwarf_Op* ops, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      if (ops[i].atom == DW_OP_piece) {
        piece(ops[i].number);
      } else {
        perform(ops[i]);
      }
    }
    return has_pieces_ ? pieces_ : current();
  }

  /// The address of a frame base: an expression's result, or what the one register holds.
  word frame_base(Dwarf_Op* ops, std::size_t count) {
    const object_bytes o = object(ops, count);
    if (o.address) {
      return *o.address;
    }
    word w = 0;
    std::memcpy(&w, o.bytes.data(), std::min(sizeof w, o.bytes.size()));
    return w;
  }

private:
  // What the operations since the last piece describe.
  [[nodiscard]] object_bytes current() const {
    if (has_bytes_) {
      return {std::nullopt, bytes_};
    }
    if (stack_.empty()) {
      throw nowhere{};
    }
    if (is_value_) {
      return {std::nullopt, as_bytes(stack_.back())};
    }
    return {stack_.back(), {}};
  }

  void piece(std::size_t size) {
    object_bytes part = current(); // an empty piece has been optimised out
    std::vector<std::uint8_t> bytes(size);
    if (part.address) {
      if (!read_(*part.address, size, bytes.data())) {
        throw nowhere{};
      }
    } else if (part.bytes.size() >= size) {
      std::copy_n(part.bytes.begin(), size, bytes.begin());
    } else {
      throw nowhere{};
    }
    pieces_.bytes.insert(pieces_.bytes.end(), bytes.begin(), bytes.end());
    has_pieces_ = true;
    stack_.clear();
    bytes_.clear();
    has_bytes_ = false;
    is_value_ = false;
  }

  static std::vector<std::uint8_t> as_bytes(word w) {
    std::vector<std::uint8_t> bytes(sizeof w);
    std::memcpy(bytes.data(), &w, sizeof w);
    return bytes;
  }

  word pop() {
    if (stack_.empty()) {
      throw nowhere{};
    }
    const word w = stack_.back();
    stack_.pop_back();
    return w;
  }
  void push(word w) { stack_.push_back(w); }

  [[nodiscard]] word of_register(word number) const {
    for (const auto& [n, held] : at_.frame->registers) {
      if (n == static_cast<int>(number)) {
        return held;
      }
    }
    throw nowhere{}; // a register that calls do not preserve
  }

  word memory(word address, std::size_t size) {
    word w = 0;
    if (size > sizeof w || !read_(address, size, &w)) {
      throw nowhere{};
    }
    return w;
  }

  word base_of_frame() {
    Dwarf_Attribute attribute;
    Dwarf_Die function = at_.function;
    Dwarf_Op* ops = nullptr;
    std::size_t count = 0;
    if (dwarf_attr_integrate(&function, DW_AT_frame_base, &attribute) == nullptr ||
        dwarf_getlocation_addr(&attribute, at_.pc, &ops, &count, 1) != 1) {
      throw nowhere{};
    }
    return evaluation(at_, read_, attribute).frame_base(ops, count);
  }

  /// Of DW_OP_addr and its indexed kin.
  word address_operand(Dwarf_Op& op) {
    Dwarf_Attribute indirect;
    Dwarf_Addr address = op.number;
    if (op.atom != DW_OP_addr && (dwarf_getlocation_attr(&attribute_, &op, &indirect) != 0 ||
                                  dwarf_formaddr(&indirect, &address) != 0)) {
      throw nowhere{};
    }
    return address + at_.bias;
  }

  void in_register(word number) {
    bytes_ = as_bytes(of_register(number));
    has_bytes_ = true;
  }

  void implicit_value(Dwarf_Op& op) {
    Dwarf_Block block;
    if (dwarf_getlocation_implicit_value(&attribute_, &op, &block) != 0) {
      throw nowhere{};
    }
    bytes_.assign(block.data, block.data + block.length);
    has_bytes_ = true;
  }

  void perform(Dwarf_Op& op) {
    const unsigned atom = op.atom;
    if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31) {
      push(atom - DW_OP_lit0);
    } else if (atom >= DW_OP_reg0 && atom <= DW_OP_reg31) {
      in_register(atom - DW_OP_reg0);
    } else if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31) {
      push(of_register(atom - DW_OP_breg0) + op.number);
    } else if (!place(op) && !stack_operation(op)) {
      arithmetic(op);
    }
  }

  /// What speaks of the program. False for all others.
  bool place(Dwarf_Op& op) {
    switch (op.atom) {
    case DW_OP_addr:
    case DW_OP_addrx:
    case DW_OP_GNU_addr_index:
      push(address_operand(op));
      return true;
    case DW_OP_fbreg:
      push(base_of_frame() + op.number);
      return true;
    case DW_OP_call_frame_cfa:
      push(at_.frame->cfa);
      return true;
    case DW_OP_regx:
      in_register(op.number);
      return true;
    case DW_OP_bregx:
      push(of_register(op.number) + op.number2);
      return true;
    case DW_OP_deref:
      push(memory(pop(), sizeof(word)));
      return true;
    case DW_OP_deref_size:
      push(memory(pop(), op.number));
      return true;
    case DW_OP_stack_value:
      is_value_ = true;
      return true;
    case DW_OP_implicit_value:
      implicit_value(op);
      return true;
    default:
      return false;
    }
  }

  bool stack_operation(const Dwarf_Op& op) {
    switch (op.atom) {
    case DW_OP_const1u:
    case DW_OP_const1s:
    case DW_OP_const2u:
    case DW_OP_const2s:
    case DW_OP_const4u:
    case DW_OP_const4s:
    case DW_OP_const8u:
    case DW_OP_const8s:
    case DW_OP_constu:
    case DW_OP_consts:
      push(op.number); // libdw has extended the sign
      return true;
    case DW_OP_dup: {
      const word a = pop();
      push(a);
      push(a);
      return true;
    }
    case DW_OP_drop:
      pop();
      return true;
    case DW_OP_over:
    case DW_OP_pick: {
      const word depth = op.atom == DW_OP_over ? 1 : op.number;
      if (depth >= stack_.size()) {
        throw nowhere{};
      }
      push(stack_[stack_.size() - 1 - depth]);
      return true;
    }
    case DW_OP_swap: {
      const word a = pop();
      const word b = pop();
      push(a);
      push(b);
      return true;
    }
    case DW_OP_nop:
      return true;
    default:
      return false;
    }
  }

  void arithmetic(const Dwarf_Op& op) {
    const word b = pop();
    switch (op.atom) {
    case DW_OP_plus_uconst:
      return push(b + op.number);
    case DW_OP_neg:
      return push(word{0} - b);
    case DW_OP_not:
      return push(~b);
    default:
      break;
    }
    const word a = pop();
    const auto sa = static_cast<std::int64_t>(a);
    const auto sb = static_cast<std::int64_t>(b);
    switch (op.atom) {
    case DW_OP_plus:
      return push(a + b);
    case DW_OP_minus:
      return push(a - b);
    case DW_OP_mul:
      return push(a * b);
    case DW_OP_and:
      return push(a & b);
    case DW_OP_or:
      return push(a | b);
    case DW_OP_xor:
      return push(a ^ b);
    case DW_OP_shl:
      return push(b < 64 ? a << b : 0);
    case DW_OP_shr:
      return push(b < 64 ? a >> b : 0);
    case DW_OP_shra:
      return push(static_cast<word>(sa >> std::min<word>(b, 63)));
    case DW_OP_eq:
      return push(a == b ? 1 : 0);
    case DW_OP_ne:
      return push(a != b ? 1 : 0);
    case DW_OP_lt:
      return push(sa < sb ? 1 : 0);
    case DW_OP_le:
      return push(sa <= sb ? 1 : 0);
    case DW_OP_gt:
      return push(sa > sb ? 1 : 0);
    case DW_OP_ge:
      return push(sa >= sb ? 1 : 0);
    default:
      throw nowhere{};
    }
  }

  const frame_place& at_;
  const memory_reader& read_;
  Dwarf_Attribute& attribute_;
  std::vector<word> stack_ = {};
  std::vector<std::uint8_t> bytes_ = {};
  bool has_bytes_ = false;
  bool is_value_ = false;
  object_bytes pieces_ = {};
  bool has_pieces_ = false;
};

/// DW_AT_const_value: a number or a block.
object_bytes constant(Dwarf_Attribute& attribute) {
  Dwarf_Block block;
  if (dwarf_formblock(&attribute, &block) == 0) {
    return {std::nullopt, std::vector<std::uint8_t>(block.data, block.data + block.length)};
  }
  Dwarf_Sword number = 0;
  if (dwarf_formsdata(&attribute, &number) != 0) {
    return {};
  }
  std::vector<std::uint8_t> bytes(sizeof number);
  std::memcpy(bytes.data(), &number, sizeof number);
  return {std::nullopt, std::move(bytes)};
}

} // namespace

object_bytes
locate(Dwarf_Die variable, const frame_place& at, const memory_reader& read, std::string& missing) {
  missing.clear();
  Dwarf_Attribute attribute;
  if (dwarf_attr_integrate(&variable, DW_AT_const_value, &attribute) != nullptr) {
    return constant(attribute);
  }
  Dwarf_Op* ops = nullptr;
  std::size_t count = 0;
  if (dwarf_attr_integrate(&variable, DW_AT_location, &attribute) == nullptr ||
      dwarf_getlocation_addr(&attribute, at.pc, &ops, &count, 1) != 1 || count == 0) {
    missing = optimised_out;
    return {};
  }
  try {
    return evaluation(at, read, attribute).object(ops, count);
  } catch (const nowhere&) {
    missing = optimised_out;
    return {};
  }
}

} // namespace tilesim::sim::step
