// As much of x86-64's encoding as an operand in memory takes.  [Intel 64 and IA-32 Architectures
// Software Developer's Manual, volume 2: 2.1 to 2.3]
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/execution/vector_operand.hpp"

#include "sim/execution/signal_place.hpp"

#include <algorithm>
#include <cstring>

namespace tilesim::sim {

namespace {

/// Reads an instruction from its beginning.
class reading {
public:
  explicit reading(std::span<const std::uint8_t> code)
      : code_(code) {}

  [[nodiscard]] bool is_over() const { return at_ >= code_.size(); }
  [[nodiscard]] std::size_t at() const { return at_; }
  [[nodiscard]] std::uint8_t peek() const { return is_over() ? 0 : code_[at_]; }
  std::uint8_t next() { return is_over() ? 0 : code_[at_++]; }
  /// A signed number of so many bytes.
  std::int64_t number(std::size_t bytes) {
    std::uint64_t n = 0;
    for (std::size_t i = 0; i < bytes; ++i) {
      n |= std::uint64_t{next()} << (8 * i);
    }
    const unsigned unused = 64 - (8 * static_cast<unsigned>(bytes));
    return static_cast<std::int64_t>(n << unused) >> unused;
  }

private:
  std::span<const std::uint8_t> code_;
  std::size_t at_ = 0;
};

/// What stands before the operation.
struct prefixes {
  unsigned index = 0; ///< 8: of the upper eight registers
  unsigned base = 0;
  bool wide = false; ///< 32 bytes
  bool vector = false;
};

prefixes read_prefixes(reading& r) {
  constexpr std::array<std::uint8_t, 9> legacy{
      0x66, 0xf2, 0xf3, 0x2e, 0x36, 0x3e, 0x26, 0x64, 0x65};
  prefixes p;
  while (std::ranges::find(legacy, r.peek()) != legacy.end() && !r.is_over()) {
    r.next();
  }
  if ((r.peek() & 0xf0U) == 0x40) { // REX
    const unsigned rex = r.next();
    p.index = (rex & 2U) << 2U;
    p.base = (rex & 1U) << 3U;
  }
  if (r.peek() == 0xc5) { // VEX of two bytes
    r.next();
    p.wide = (r.next() & 4U) != 0;
    p.vector = true;
  } else if (r.peek() == 0xc4) { // of three
    r.next();
    const unsigned first = ~unsigned{r.next()};
    p.index = first >> 3U & 8U;
    p.base = first >> 2U & 8U;
    p.wide = (r.next() & 4U) != 0;
    p.vector = true;
  } else if (r.peek() == 0x0f) {
    r.next();
    p.vector = true;
    if (r.peek() == 0x38 || r.peek() == 0x3a) {
      r.next();
    }
  }
  return p;
}

/// movaps, movapd, movntps, movntpd, movdqa, movntdq to memory.
bool stores(std::uint8_t operation) {
  return operation == 0x29 || operation == 0x2b || operation == 0x7f || operation == 0xe7;
}

} // namespace

std::optional<vector_operand>
operand_of(std::span<const std::uint8_t> code, std::uintptr_t at, const x86_registers& registers) {
  reading r(code);
  const prefixes p = read_prefixes(r);
  const std::uint8_t operation = r.next();
  const std::uint8_t form = r.next();
  const unsigned mode = form >> 6U;
  if (!p.vector || r.is_over() || mode == 3) {
    return {};
  }
  std::uint64_t address = 0;
  bool relative = false;
  unsigned base = form & 7U;
  bool without_base = false;
  if (base == 4) { // a base, and an index that is scaled
    const std::uint8_t scaled = r.next();
    const unsigned index = (scaled >> 3U & 7U) | p.index;
    base = scaled & 7U;
    address += index == 4 ? 0 : registers[index] << (scaled >> 6U);
    without_base = base == 5 && mode == 0;
  } else {
    relative = base == 5 && mode == 0;
  }
  if (!relative && !without_base) {
    address += registers[base | p.base];
  }
  if (mode == 1) {
    address += static_cast<std::uint64_t>(r.number(1));
  } else if (mode == 2 || relative || without_base) {
    address += static_cast<std::uint64_t>(r.number(4));
  }
  if (relative) { // to the next instruction; moves have nothing behind the operand
    address += at + r.at();
  }
  return vector_operand{
      .address = address, .bytes = p.wide ? 32U : 16U, .writes = stores(operation)};
}

std::optional<vector_operand> interrupted_operand(const void* raw) {
#if defined(__x86_64__)
  const auto& gregs = static_cast<const ucontext_t*>(raw)->uc_mcontext.gregs;
  x86_registers registers{};
  std::ranges::transform(x86_register_places, registers.begin(), [&](int r) {
    return static_cast<std::uint64_t>(gregs[r]);
  });
  constexpr std::size_t longest = 15;
  const std::uintptr_t pc = program_counter(raw);
  std::array<std::uint8_t, longest> code{};
  std::memcpy(code.data(), reinterpret_cast<const void*>(pc), code.size());
  return operand_of(code, pc, registers);
#else
  static_cast<void>(raw);
  return {};
#endif
}

} // namespace tilesim::sim
