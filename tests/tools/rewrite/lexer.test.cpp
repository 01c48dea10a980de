// Tokens and places.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/rewrite/lexer.hpp"

#include <string>
#include <support/catch.hpp>
#include <vector>

using namespace tilesim::tools;

namespace {

std::vector<std::string> tokens_of(const std::string& text) {
  const auto source = lex(text);
  std::vector<std::string> words;
  for (const auto& t : source.tokens) {
    words.emplace_back(source.spelling(t));
  }
  return words;
}

using words = std::vector<std::string>;

} // namespace

TEST_CASE("tokens", "[tools]") {
  CHECK(tokens_of("a->b::c<<<1>>>(d)") ==
        words{"a", "->", "b", "::", "c", "<<<", "1", ">", ">", ">", "(", "d", ")"});
  CHECK(tokens_of("1'000 0x1p-3 .5f 1.e+5 1..2") ==
        words{"1'000", "0x1p-3", ".5f", "1.e+5", "1..2"});
  CHECK(tokens_of("u8\"a\" L'b' R\"(c)\" LR\"x()\")x\" \"\\\"\"") ==
        words{"u8\"a\"", "L'b'", "R\"(c)\"", "LR\"x()\")x\"", "\"\\\"\""});
  CHECK(tokens_of("a // b \\\n c\nd /* \n */ e") == words{"a", "d", "e"});
  CHECK(tokens_of("a <= b >= c <=> d && e") ==
        words{"a", "<=", "b", ">=", "c", "<=>", "d", "&&", "e"});
}

TEST_CASE("an unterminated literal ends with its line", "[tools]") {
  CHECK(tokens_of("a 'b\nc \"d\ne") == words{"a", "'b", "c", "\"d", "e"});
}

TEST_CASE("directives are no tokens", "[tools]") {
  CHECK(tokens_of("a\n# define b \\\n c\n  #pragma d\ne") == words{"a", "e"});
  CHECK(tokens_of("#if 0\nit's\n#if 1\n#endif\n#elif 1\na\n#endif\nb") == words{"a", "b"});
  CHECK(tokens_of("#error it's \"this\n a") == words{"a"});
}

TEST_CASE("macros whose bodies matter are kept", "[tools]") {
  const auto source = lex("#define A(x, y) x<<<y>>>()\n#define B __tile_global__ void\n"
                          "#define C(x) x\n");
  REQUIRE(source.macros.size() == 2);
  CHECK(source.macros[0].name == "A");
  CHECK(source.macros[0].function_like);
  CHECK(source.macros[0].parameters == std::vector<std::string_view>{"x", "y"});
  CHECK(source.macros[1].name == "B");
  CHECK_FALSE(source.macros[1].function_like);
  CHECK(source.function_like_macros.contains("C"));
}

TEST_CASE("places follow linemarkers", "[tools]") {
  const auto source =
      lex("a\n# 10 \"x.cu\" 1\nb\n see\n#line 20 \"y.cu\"\nd\n# 5 \"z.h\" 1 3\ne\n");
  const auto at = [&](const char* word) { return source.locate(source.text.find(word)); };
  CHECK(at("b").line == 10);
  CHECK(at("b").file == "\"x.cu\"");
  CHECK(at("see").line == 11);
  CHECK(at("see").column == 2);
  CHECK(source.locate(source.text.find("\nd") + 1).line == 20);
  CHECK(source.locate(source.text.find("\nd") + 1).file == "\"y.cu\"");
  CHECK(source.locate(source.text.rfind("e")).system);
}
