// Which calls are statements of their own, by their text.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/watch/dropped_results.hpp"

#include <string>
#include <support/catch.hpp>
#include <vector>

using namespace tilesim::sim;

namespace {

/// Of the call that `@` stands before: g++ tells the column of the parenthesis, clang++ that of the
/// name.
bool is_one(calls which, std::string text) {
  const auto at = text.find('@');
  text.erase(at, 1);
  std::vector<std::string> lines(1);
  unsigned line = 1;
  unsigned column = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i == at) {
      line = static_cast<unsigned>(lines.size());
      column = static_cast<unsigned>(lines.back().size()) + 1;
    }
    if (text[i] == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += text[i];
    }
  }
  const auto open = lines[line - 1].find('(', column - 1);
  const bool by_name = is_dropped(which, lines, line, column);
  CHECK(by_name == is_dropped(which, lines, line, static_cast<unsigned>(open) + 1));
  return by_name;
}

} // namespace

TEST_CASE("what a statement of its own gives nobody takes", "[sim]") {
  for (const char* const text :
       {"{ @atomicAdd(p, 1); }",
        "  x = 1;\n  @atomicAdd(\n    p + f(i),\n    1);",
        "if (i < 3) @atomicMax_block(p, i);",
        "if (i < 3) {} else @atomicSub(p, 1u);",
        "for (int k = 0; k < 3; ++k)\n  @atomicXor_system(p, k);",
        "(void)x; (void)@atomicOr(p, 1);",
        "; r.@fetch_add(1, cuda::memory_order_relaxed);",
        "; q->count.@fetch_sub(1);",
        "; cuda::atomic_ref<int, cuda::thread_scope_device>(p[8]).@fetch_min(i);",
        "case 3: @atomicAnd(p, 1);",
        "; // n = \n@atomicAdd(p, 1);"}) {
    INFO(text);
    CHECK(is_one(calls::updates, text));
    CHECK_FALSE(is_one(calls::exchanges, text));
  }
  CHECK(is_one(calls::exchanges, "{ @atomicExch(p, 1); }"));
  CHECK(is_one(calls::exchanges, "{ a[3].@exchange(1); }"));
}

TEST_CASE("and of others it is taken, or may be", "[sim]") {
  for (const char* const text : {"; int t = @atomicAdd(p, 1);",
                                 "; t = @atomicAdd(p, 1);",
                                 "; return @atomicAdd(p, 1);",
                                 "; m[@atomicAdd(p, 1)] = 3;",
                                 "; if (@atomicAdd(p, 1) == 3) {}",
                                 "; f(@atomicAdd(p, 1));",
                                 "; @atomicAdd(p, 1) + 1;",
                                 "; int t\n  = @atomicAdd(p, 1);",
                                 "; c ? @atomicAdd(p, 1) : 0;",
                                 "; t = c ? 0 : @atomicAdd(p, 1);",
                                 "; int t = r.@fetch_add(1);",
                                 "; while (r.@fetch_add(1) < 3);",
                                 "; @my_add(p, 1);",
                                 "; COUNT(p"}) {
    INFO(text);
    std::string with = text;
    if (with.find('@') == std::string::npos) {
      with.insert(2, "@");
    }
    CHECK_FALSE(is_one(calls::updates, with));
  }
}
