// A fuzz target for the readers of litmus tests: any text is either read or refused with a place in
// it.
//
// With clang's libFuzzer (TILESIM_FUZZ, see tests/README.md) it looks for texts by coverage.
// Without, `litmus_fuzz_smoke` below gives it mutations of the project's own tests, drawn from a
// seed. SPDX-License-Identifier: Apache-2.0
#include "memmodel/litmus/reader.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

using namespace tilesim::memmodel::litmus;

[[noreturn]] void broken(const char* what) {
  std::fprintf(stderr, "litmus_fuzz: %s\n", what);
  std::abort();
}

/// A test that was read is one that the enumerator can take: nothing names what is not there.
void check(const test& t) {
  for (const thread& p : t.threads) {
    if (p.registers.size() != p.widths.size() || p.registers.size() != p.initial.size())
      broken("registers without widths or values");
    for (const instruction& i : p.code) {
      if (i.op == opcode::branch && i.target > p.code.size())
        broken("a branch out of the thread");
      if (i.address.location >= std::max<std::size_t>(t.locations.size(), 1))
        broken("an access to no variable");
      if (i.type.size != 1 && i.type.size != 2 && i.type.size != 4 && i.type.size != 8)
        broken("an access of no size");
      for (const std::uint32_t r : i.dst)
        if (r >= p.registers.size())
          broken("a result in no register");
    }
  }
  for (const observable& o : t.shown)
    if (o.thread ? o.index >= t.threads.at(*o.thread).registers.size()
                 : o.index >= t.locations.size())
      broken("nothing of that name to show");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    check(read_test(text));
  } catch (const syntax_error& e) {
    const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
    if (e.message.empty() || e.at.line == 0 || e.at.column == 0 || e.at.line > lines)
      broken("an error without a word or a place");
  }
  return 0;
}
