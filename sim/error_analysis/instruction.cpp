// Decoding: prefixes, VEX, one operand in registers or memory [Intel SDM, volume 2, chapter 2].
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/error_analysis/instruction.hpp"

#include <cstring>

namespace tilesim::sim::errors {

namespace {

enum class prefix : std::uint8_t { none, p66, f3, f2 };

class decoder {
public:
  explicit decoder(const registers& r)
      : registers_(r)
      , at_(reinterpret_cast<const std::uint8_t*>(r.next)) {}

  std::optional<instruction> decoded() noexcept {
    if (!prefixes()) {
      return {};
    }
    if (map_ == 1) {
      return of_first_map();
    }
    if (map_ == 2 && vex_) {
      return of_second_map();
    }
    if (map_ == 3 && opcode_ >= 0x08 && opcode_ <= 0x0b) { // round…: monotone, told as a conversion
      return operands(instruction::what::to_integer, opcode_ % 2 != 0, opcode_ < 0x0a);
    }
    return {};
  }

private:
  std::uint8_t next() noexcept { return *at_++; }

  /// False: it is none of those that compute in vector registers.
  bool prefixes() noexcept {
    for (;; ++at_) {
      switch (*at_) {
      case 0x66:
        prefix_ = prefix_ == prefix::none ? prefix::p66 : prefix_;
        continue;
      case 0xf3:
        prefix_ = prefix::f3;
        continue;
      case 0xf2:
        prefix_ = prefix::f2;
        continue;
      case 0x2e:
      case 0x36:
      case 0x3e:
      case 0x26:
        continue;
      case 0x64:
      case 0x65:
        segment_ = true;
        continue;
      default:
        break;
      }
      break;
    }
    if (*at_ == 0xc5 || *at_ == 0xc4) {
      return vex();
    }
    if ((*at_ & 0xf0U) == 0x40) {
      const std::uint8_t rex = next();
      reg_high_ = (rex & 4U) << 1U;
      index_high_ = (rex & 2U) << 2U;
      base_high_ = (rex & 1U) << 3U;
    }
    if (next() != 0x0f) {
      return false;
    }
    opcode_ = next();
    map_ = 1;
    if (opcode_ == 0x38 || opcode_ == 0x3a) {
      map_ = opcode_ == 0x38 ? 2 : 3;
      opcode_ = next();
    }
    return true;
  }

  bool vex() noexcept {
    constexpr std::array by_number{prefix::none, prefix::p66, prefix::f3, prefix::f2};
    const bool long_form = next() == 0xc4;
    unsigned bits = next();
    reg_high_ = (~bits & 0x80U) >> 4U;
    map_ = 1;
    if (long_form) {
      index_high_ = (~bits & 0x40U) >> 3U;
      base_high_ = (~bits & 0x20U) >> 2U;
      map_ = bits & 0x1fU;
      bits = next();
      wide_ = (bits & 0x80U) != 0;
    }
    other_ = (~bits >> 3U) & 0xfU;
    long_vector_ = (bits & 4U) != 0;
    prefix_ = by_number[bits & 3U];
    vex_ = true;
    opcode_ = next();
    return true;
  }

  [[nodiscard]] bool is_wide() const noexcept {
    return prefix_ == prefix::p66 || prefix_ == prefix::f2;
  }
  [[nodiscard]] bool is_scalar() const noexcept {
    return prefix_ == prefix::f3 || prefix_ == prefix::f2;
  }

  std::optional<instruction> of_first_map() noexcept {
    using what = instruction::what;
    switch (opcode_) {
    case 0x51: // sqrt
    case 0x58: // add
    case 0x59: // mul
    case 0x5c: // sub
    case 0x5d: // min
    case 0x5e: // div
    case 0x5f: // max
      return operands(what::computes, is_wide(), !is_scalar());
    case 0x52: // rsqrt
    case 0x53: // rcp
    case 0x7c: // hadd
    case 0x7d: // hsub
    case 0xd0: // addsub
      return operands(what::unknown, is_wide(), true);
    case 0x54: // and
    case 0x55: // andn
    case 0x56: // or
    case 0x57: // xor
      return operands(what::masks, is_wide(), true);
    case 0xdb: // pand
    case 0xdf: // pandn
    case 0xeb: // por
    case 0xef: // pxor
      return is_wide() ? operands(what::masks, false, true) : std::nullopt;
    case 0x5a: // float to double and back
      return operands(what::converts, is_wide(), !is_scalar());
    case 0x2e: // ucomis
    case 0x2f: // comis
      return operands(what::compares, is_wide(), false);
    case 0xc2: // cmp
      return operands(what::compares, is_wide(), !is_scalar());
    case 0x2c: // cvtt…2si
    case 0x2d: // cvt…2si
      return is_scalar() ? operands(what::to_integer, is_wide(), false) : std::nullopt;
    case 0x5b: // cvt(t)ps2dq; cvtdq2ps takes integers
      return prefix_ == prefix::none ? std::nullopt : operands(what::to_integer, false, true);
    case 0xe6: // cvt(t)pd2dq; cvtdq2pd takes integers
      return prefix_ == prefix::f3 ? std::nullopt : operands(what::to_integer, true, true);
    default:
      return {};
    }
  }

  /// Fused: 96 to 9F, A6 to AF, B6 to BF, by the order of the operands.
  std::optional<instruction> of_second_map() noexcept {
    const unsigned low = opcode_ & 0xfU;
    const unsigned high = opcode_ >> 4U;
    if (high < 9 || high > 0xb || low < 6) {
      return {};
    }
    if (low < 8) {
      return operands(instruction::what::unknown, wide_, true);
    }
    auto i = operands(instruction::what::computes, wide_, low % 2 == 0);
    i->fused = true;
    i->negates_product = low >= 0xc;
    i->subtracts = low == 0xa || low == 0xb || low >= 0xe;
    const auto first = vector(reg_);
    const auto second = vector(other_);
    const auto last = i->right;
    i->left = high == 0xb ? second : first;
    i->right = high == 0xa ? second : last;
    i->third = high == 9 ? second : high == 0xa ? last : first;
    return i;
  }

  [[nodiscard]] std::array<std::uint64_t, 2> vector(unsigned number) const noexcept {
    std::array<std::uint64_t, 2> bits{};
    std::memcpy(bits.data(), registers_.vector[number].data(), sizeof bits);
    return bits;
  }

  std::optional<instruction> operands(instruction::what what, bool wide, bool packed) noexcept {
    instruction i{.is = long_vector_ && packed ? instruction::what::unknown : what,
                  .opcode = opcode_,
                  .wide = wide,
                  .unary = opcode_ == 0x51 && map_ == 1};
    i.lanes = !packed ? 1 : wide ? 2 : 4;
    const std::size_t bytes = std::size_t{wide ? 8U : 4U} * i.lanes;
    const std::uint8_t modrm = next();
    reg_ = (modrm >> 3U & 7U) | reg_high_;
    i.left = vector(vex_ ? other_ : reg_);
    if ((modrm & 0xc0U) == 0xc0) {
      i.right = vector((modrm & 7U) | base_high_);
    } else if (!segment_) {
      std::memcpy(i.right.data(), reinterpret_cast<const void*>(address(modrm)), bytes);
    } else {
      i.is = instruction::what::unknown;
    }
    return i;
  }

  std::uintptr_t address(std::uint8_t modrm) noexcept {
    const unsigned mod = modrm >> 6U;
    const unsigned rm = modrm & 7U;
    std::uintptr_t sum = 0;
    bool relative = false;
    if (rm == 4) {
      const std::uint8_t sib = next();
      const unsigned index = (sib >> 3U & 7U) | index_high_;
      const unsigned base = sib & 7U;
      if (index != 4) {
        sum += registers_.general[index] << (sib >> 6U);
      }
      if (base == 5 && mod == 0) {
        return sum + static_cast<std::uintptr_t>(displacement(4));
      }
      sum += registers_.general[base | base_high_];
    } else if (rm == 5 && mod == 0) {
      relative = true;
    } else {
      sum += registers_.general[rm | base_high_];
    }
    const unsigned bytes = relative || mod == 2 ? 4 : mod;
    sum += static_cast<std::uintptr_t>(displacement(bytes));
    if (relative) {
      const bool immediate = map_ == 3 || (map_ == 1 && opcode_ == 0xc2);
      sum += reinterpret_cast<std::uintptr_t>(at_) + (immediate ? 1U : 0U);
    }
    return sum;
  }

  std::int64_t displacement(unsigned bytes) noexcept {
    if (bytes == 0) {
      return 0;
    }
    if (bytes == 1) {
      return static_cast<std::int8_t>(next());
    }
    std::int32_t value = 0;
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return value;
  }

  const registers& registers_;
  const std::uint8_t* at_;
  prefix prefix_ = prefix::none;
  bool segment_ = false;
  bool vex_ = false;
  bool wide_ = false; ///< VEX.W
  bool long_vector_ = false;
  unsigned reg_high_ = 0, index_high_ = 0, base_high_ = 0;
  unsigned reg_ = 0;
  unsigned other_ = 0;
  unsigned map_ = 0;
  std::uint8_t opcode_ = 0;
};

} // namespace

std::optional<instruction> decode(const registers& at) noexcept {
  return decoder(at).decoded();
}

} // namespace tilesim::sim::errors
