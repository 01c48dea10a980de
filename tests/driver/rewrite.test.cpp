// Launches as text: what each form becomes, what is left alone, and what is refused.
//
// forms/forms.cu runs the same forms; here the exact text, places and messages are held.
// SPDX-License-Identifier: Apache-2.0
#include "tools/rewrite.hpp"

#include <string>
#include <string_view>
#include <support/catch.hpp>

using namespace tilesim::driver;

namespace {

// Without the linemarkers and blanks that keep places: one line to compare.
std::string flat(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    const auto line = std::string_view(text).substr(at, end - at);
    at = end + 1;
    if (line.starts_with("# "))
      continue;
    const auto first = line.find_first_not_of(' ');
    if (first != std::string_view::npos)
      out += line.substr(first);
  }
  return out;
}

std::string rewrite(std::string_view text) {
  const auto result = rewrite_launches(text);
  REQUIRE(result.errors.empty());
  return flat(result.text);
}

// The text around a launch at block scope.
std::string in_function(const std::string& statement) {
  const auto text = rewrite("void f() {" + statement + "}");
  REQUIRE(text.starts_with("void f() {"));
  return text.substr(10, text.size() - 11);
}

std::string launch_text(const std::string& config,
                        const std::string& name,
                        const std::string& arguments,
                        const std::string& kind = "unknown") {
  return "::tilesim::detail::launch(::tilesim::detail::configure(" + config +
         "), ::tilesim::kernel_kind::" + kind + ", \"" + name + "\", [=](auto... tilesim_a) { " +
         name + "(tilesim_a...); })(" + arguments + ")";
}

std::string error_of(const std::string& text) {
  const auto result = rewrite_launches("# 1 \"x.cu\"\n" + text);
  REQUIRE(result.errors.size() == 1);
  return result.errors[0];
}

} // namespace

TEST_CASE("a launch becomes a call with its configuration, name and arguments", "[driver]") {
  struct Row {
    std::string_view name, source, config, callee, arguments;
  };
  const auto row = GENERATE(values<Row>({
      // clang-format off
      {"grid only",              "k<<<g>>>(a);",                "g",         "k",            "a"},
      {"grid and block",         "k<<<g, b>>>(a);",             "g, b",      "k",            "a"},
      {"all four",               "k<<<g,b,s,t>>>(a, c);",       "g,b,s,t",   "k",            "a, c"},
      {"no arguments",           "k<<<g>>>();",                 "g",         "k",            ""},
      {"blanks",                 "k <<< g >>> ( a );",          "g",         "k",            "a"},
      {"comments",               "k/*<<<*/<<</*g*/g>>>/**/(a);", "g",        "k",            "a"},
      {"template arguments",     "k<T, 4><<<g>>>(a);",          "g",         "k<T, 4>",      "a"},
      {"nested template ends",   "k<A<B<C>>><<<g>>>(a);",       "g",         "k<A<B<C>>>",   "a"},
      {"touching the launch",    "k<4><<<g>>>(a);",             "g",         "k<4>",         "a"},
      {"qualified",              "a::b<T>::k<<<g>>>(a);",       "g",         "a::b<T>::k",   "a"},
      {"global",                 "::k<<<g>>>(a);",              "g",         "::k",          "a"},
      {"dependent",              "C::template k<T><<<g>>>(a);", "g",         "C::template k<T>", "a"},
      {"shift in parentheses",   "k<<<(n >> 3), 1>>>(a);",      "(n >> 3), 1", "k",          "a"},
      {"shift outside",          "k<<<n>>3, 1>>>(a);",          "n>>3, 1",   "k",            "a"},
      {"less than",              "k<<<a < b ? 1 : 2, 1>>>(a);", "a < b ? 1 : 2, 1", "k",     "a"},
      {"templates in the grid",  "k<<<f<A<B<C>>>(), 1>>>(a);",  "f<A<B<C>>>(), 1", "k",      "a"},
      {"template ends the grid", "k<<<g, v<A<B>>>>>(a);",       "g, v<A<B>>", "k",           "a"},
      {"braces",                 "k<<<{1, 2}, dim3{3}>>>(a);",  "{1, 2}, dim3{3}", "k",      "a"},
      {"digit separators",       "k<<<1'000>>>('\\'');",        "1'000",     "k",            "'\\''"},
      {"raw strings",            "k<<<1>>>(R\"x(\")>>>)x\");",  "1",         "k",            "R\"x(\")>>>)x\""},
      {"zeros that are none",    "k<<<1>>>(0.0, 0 + 1, f<0, 0>(1), 10, 0x1);", "1", "k",     "0.0, 0 + 1, f<0, 0>(1), 10, 0x1"},
      // clang-format on
  }));
  DYNAMIC_SECTION(row.name) {
    CHECK(in_function(std::string(row.source)) == launch_text(std::string(row.config),
                                                              std::string(row.callee),
                                                              std::string(row.arguments)) +
                                                      ";");
  }
}

TEST_CASE("a callee that is an expression is evaluated once, at the launch", "[driver]") {
  const std::string callee = GENERATE(
      "o.fp", "o.p->fp", "(*fp)", "(&k)", "t[i][2]", "pick<T>(1)(2)", "S{}.fp", "this->fp");
  CHECK(in_function(callee + "<<<1>>>(a);") ==
        "::tilesim::detail::launch(::tilesim::detail::configure(1), "
        "::tilesim::kernel_kind::unknown, \"" +
            callee + "\", [=, tilesim_k = " + callee +
            "](auto... tilesim_a) { tilesim_k(tilesim_a...); })(a);");
}

TEST_CASE("a callee that names a kernel is left to overload resolution", "[driver]") {
  const std::string callee = GENERATE("(k)", "o.k", "p->k", "(&k)", "S{}.k", "decltype(o)::k");
  CHECK(rewrite("__tile_global__ void k(int);\nvoid f() {" + callee + "<<<1>>>(a); }") ==
        "__tile_global__ void k(int);void f() {" + launch_text("1", callee, "a", "tile") + "; }");
}

TEST_CASE("what is no launch is left as it is", "[driver]") {
  const auto* text = GENERATE("a << b; std::cout << x << y;",
                              "operator<<<int>(a, b); x >>= 3;",
                              "\"k<<<1>>>(a)\"; 'k'; // k<<<1>>>(a)",
                              "/* k<<<1>>>(a) */ R\"(k<<<1>>>(a))\";",
                              "std::vector<std::vector<std::vector<int>>>(3);",
                              "if (a < b && c > (d)) { x <<= 1; }");
  CHECK(in_function(text) == text);
}

TEST_CASE("the callee starts where the expression does", "[driver]") {
  struct Row {
    std::string_view before, callee;
  };
  const auto row = GENERATE(values<Row>({{"return ", "k"},
                                         {"return ", "::k"},
                                         {"if (a) ", "k"},
                                         {"if (a) ", "::k"},
                                         {"else ", "k"},
                                         {"(void)", "k"},
                                         {"a, ", "k"},
                                         {"a ? ", "k"},
                                         {"label: ", "k"},
                                         {"x = b > ", "k"},
                                         {"{ ", "k"}}));
  const std::string before(row.before);
  const std::string callee(row.callee);
  CHECK(in_function(before + callee + "<<<1>>>(a);") ==
        before + launch_text("1", callee, "a") + ";");
}

TEST_CASE("launches nest in configurations, arguments and lambdas", "[driver]") {
  CHECK(in_function("k<<<(j<<<1>>>(a), 2)>>>([] { i<<<3>>>(b); });") ==
        launch_text("(" + launch_text("1", "j", "a") + ", 2)",
                    "k",
                    "[] { " + launch_text("3", "i", "b") + "; }") +
            ";");
}

TEST_CASE("a literal zero may be a null pointer", "[driver]") {
  const auto* zero = GENERATE("0", "NULL", "0L", "0x0", "00", "0b0", "0ull", "(0)", "((0))", "0'0");
  CHECK(in_function(std::string("k<<<1>>>(a, ") + zero + ");") ==
        "::tilesim::detail::launch(::tilesim::detail::configure(1), "
        "::tilesim::kernel_kind::unknown, \"k\", [=](auto... tilesim_a) { "
        "if constexpr (requires { k(::tilesim::detail::plain(tilesim_a)...); }) "
        "{ k(::tilesim::detail::plain(tilesim_a)...); } "
        "else { k(::tilesim::detail::as_null(tilesim_a)...); } })"
        "(a, ::tilesim::detail::literal_zero{});");
}

TEST_CASE("the kind is the one that the kernel was declared with", "[driver]") {
  struct Row {
    std::string_view name, declarations, kind;
  };
  const auto row = GENERATE(values<Row>({
      // clang-format off
      {"tile",                 "__tile_global__ void k(int);",                           "tile"},
      {"simt",                 "__global__ void k(int);",                                "simt"},
      {"specifier last",       "static void __tile_global__ k(int);",                    "tile"},
      {"launch bounds",        "__global__ void __launch_bounds__(256, 2) k(int);",      "simt"},
      {"attributes",           "__tile_global__ [[gnu::noinline]] void k(int);",         "tile"},
      {"template",             "template <class T> __tile_global__ void k(T);",          "tile"},
      {"specialisation",       "template <> __tile_global__ void k<int>(int);",          "tile"},
      {"returning a template", "__tile_global__ auto k(int) -> A<B>;",                   "tile"},
      {"by a macro",           "#define KERNEL static __tile_global__ void\nKERNEL k(int);", "tile"},
      {"declared later",       "void g(); __global__ void k(int);",                      "simt"},
      {"overloads of both",    "__global__ void k(int); __tile_global__ void k(long);",  "unknown"},
      {"not declared",         "void k(int);",                                           "unknown"},
      {"another's parameter",  "__global__ void other(int k);",                          "unknown"},
      // clang-format on
  }));
  DYNAMIC_SECTION(row.name) {
    const auto text = rewrite(std::string(row.declarations) + "\nvoid f() { k<<<1>>>(a); }");
    CHECK(text.find("kernel_kind::" + std::string(row.kind)) != std::string::npos);
  }
}

TEST_CASE("outside functions the lambda captures nothing", "[driver]") {
  struct Row {
    std::string_view name, source, capture;
  };
  const auto row = GENERATE(values<Row>({
      // clang-format off
      {"static initialiser", "int x = (k<<<1>>>(a), 1);",                       "[]("},
      {"in a namespace",     "namespace a::b { int x = (k<<<1>>>(a), 1); }",    "[]("},
      {"extern C",           "extern \"C\" { int x = (k<<<1>>>(a), 1); }",      "[]("},
      {"attributed namespace", "namespace [[x]] a M(y) { int x = (k<<<1>>>(a), 1); }", "[]("},
      {"function",           "namespace a { void f() { k<<<1>>>(a); } }",       "[=]("},
      {"lambda",             "auto f = [] { k<<<1>>>(a); };",                   "[=]("},
      {"behind a function",  "void f() { g({1}); } int x = (k<<<1>>>(a), 1);",  "[]("},
      {"branches",           "#ifdef A\nvoid f() {\n#else\nvoid g() {\n#endif\n} int x = (k<<<1>>>(a), 1);", "[]("},
      // clang-format on
  }));
  DYNAMIC_SECTION(row.name) {
    CHECK(rewrite(row.source).find(row.capture) != std::string::npos);
  }
}

TEST_CASE("a macro's body stays on its line", "[driver]") {
  const auto result = rewrite_launches("# 1 \"x.cu\"\n"
                                       "#define LAUNCH(kernel, n) kernel<<<n, \\\n"
                                       "                                   1>>>(n)\n"
                                       "int after;\n");
  CHECK(result.text ==
        "# 1 \"x.cu\"\n"
        "#define LAUNCH(kernel, n) ::tilesim::detail::launch(::tilesim::detail::configure(n, \\\n"
        "                                   1), ::tilesim::kernel_kind::unknown, #kernel, "
        "[=](auto... tilesim_a) { kernel(tilesim_a...); })(n)\n"
        "\n# 3 \"x.cu\"\n"
        "int after;\n");
}

TEST_CASE("macros may cut a launch in two", "[driver]") {
  CHECK(rewrite("#define CONFIG(g, b) <<< g, b >>>\nvoid f() { k CONFIG(1, 2)(a); }") ==
        "#define CONFIG(g, b)  g, b void f() { " + launch_text("CONFIG(1, 2)", "k", "a") + "; }");
  CHECK(rewrite("#define ONE <<<1>>>\nvoid f() { k<T> ONE (a); ONE; }") ==
        "#define ONE 1void f() { " + launch_text("ONE", "k<T>", "a") + "; ONE; }");
  CHECK(rewrite("#define LAUNCH k<<<1>>>\nvoid f() { LAUNCH(a); }") ==
        "#define LAUNCH " +
            launch_text("1", "k", "").substr(0, launch_text("1", "k", "").size() - 2) +
            "void f() { LAUNCH(a); }");
}

TEST_CASE("what the user wrote keeps its file, line and column", "[driver]") {
  const std::string source = "# 7 \"dir/x.cu\"\n"
                             "void f() {\n"
                             "  here(); k<<<grid,\n"
                             "    block>>>(first, 0,\n"
                             "    third); behind();\n"
                             "}\n";
  const auto result = rewrite_launches(source);
  const auto original = lex(source);
  const auto generated = lex(result.text);
  for (const auto* word : {"here", "grid", "block", "first", "third", "behind"}) {
    CAPTURE(word);
    const auto want = original.locate(original.text.find(word));
    const auto have = generated.locate(generated.text.find(word));
    CHECK(have.file == want.file);
    CHECK(have.line == want.line);
    CHECK(have.column == want.column);
    CHECK_FALSE(have.system);
  }
  // Every copy of the callee, too.
  std::size_t copies = 0;
  for (auto at = result.text.find("\n          k("); at != std::string::npos;
       at = result.text.find("\n          k(", at + 1)) {
    ++copies;
    CHECK(generated.locate(at + 11).line == 8);
    CHECK(generated.locate(at + 11).column == 11);
  }
  CHECK(copies == 3); // a literal zero: the question, and two answers
}

TEST_CASE("inside a macro's arguments no directive is added under -pedantic", "[driver]") {
  const std::string source = "# 1 \"x.cu\"\n"
                             "#define CHECK(x) x\n"
                             "void f() { CHECK(k<<<1>>>(a)); behind(); }\n";
  rewrite_options options;
  options.pedantic = true;
  const auto result = rewrite_launches(source, options);
  const auto open = result.text.find("CHECK(::");
  const auto close = result.text.find("; behind");
  REQUIRE(open != std::string::npos);
  const auto between = result.text.substr(open, close - open);
  CHECK(between.find('#') == between.find("# 2"));
  CHECK(between.find("# 2") > between.find("})(a)"));
  const auto generated = lex(result.text);
  CHECK(generated.locate(generated.text.find("behind")).column == 32);
  CHECK(generated.locate(generated.text.find("behind")).line == 2);
}

TEST_CASE("headers of the system folder are marked as such", "[driver]") {
  rewrite_options options;
  options.system_folder = "/api/";
  CHECK(rewrite_launches("# 1 \"/api/a.h\" 1\nint a;\n# 2 \"x.cu\" 2\n", options).text ==
        "# 1 \"/api/a.h\" 1 3\nint a;\n# 2 \"x.cu\" 2\n");
}

TEST_CASE("a kernel of this object is named by its type", "[driver]") {
  CHECK(in_function("this->k<4><<<1>>>(a);")
            .find("{ ::std::remove_cvref_t<decltype(*this)>::k<4>(tilesim_a...); }") !=
        std::string::npos);
}

TEST_CASE("launches that cannot be read are refused with a place and a remedy", "[driver]") {
  CHECK(error_of("void f() {\n  k<<<1, 1>>>;\n}") ==
        "x.cu:2:4: error: launch '<<<' without '>>>' and an argument list; write "
        "kernel<<<grid, block>>>(...)");
  CHECK(error_of("void f() { k<<<>>>(1); }") ==
        "x.cu:1:13: error: empty launch configuration; write at least the grid: <<<grid>>>");
  CHECK(error_of("void f() { = <<<1>>>(1); }") ==
        "x.cu:1:14: error: no kernel's name in front of '<<<'; write kernel<<<grid, block>>>(...)");
  CHECK(error_of("void f() { k<<<1>>>(1; }") ==
        "x.cu:1:20: error: the launch's argument list is not closed; add ')'");
}

TEST_CASE("text that is skipped may hold anything", "[driver]") {
  rewrite_options options;
  options.lenient = true;
  const std::string source = "#if 0\ndon't k<<<1\n#if 1\n#endif\n#else\nint x;\n#endif\nk<<<;\n";
  const auto result = rewrite_launches(source, options);
  CHECK(result.errors.empty());
  CHECK(result.text == source);
}

TEST_CASE("no text makes the rewriter fail", "[driver]") {
  // Every prefix of a text with everything in it, and each with its first bytes missing.
  const std::string source =
      "# 1 \"x\"\n#define M(a) a<<<1>>>(a)\n#if X\nnamespace a { template "
      "<class T> void f() { k<A<B>><<<(1 >> 2), g<C<D>>()>>>(0, R\"x(<<<)x\", "
      "'\\'', \"\\\"\", 1'0, [&] { j<<<1>>>(); }); /* */ }\n#else\n}\n#endif";
  for (std::size_t i = 0; i < source.size(); ++i) {
    CHECK_NOTHROW(rewrite_launches(source.substr(0, i)));
    CHECK_NOTHROW(rewrite_launches(source.substr(i)));
    CHECK_NOTHROW(rewrite_launches(source.substr(i, 1)));
  }
}

// [extents] NVIDIA's front end deduces through the alias; the standard does not.
TEST_CASE("ct::shape deduces as ct::extents does", "[driver]") {
  CHECK(rewrite("namespace ct = ::cuda::tiles; auto s = ct::shape{4_ic, n};") ==
        "namespace ct = ::cuda::tiles; auto s = ct::extents{4_ic, n};");
  CHECK(rewrite("auto s = cuda::tiles::shape(4_ic);") == "auto s = cuda::tiles::extents(4_ic);");
  // What names its arguments, or another shape, stays.
  CHECK(rewrite("namespace ct = cuda::tiles; ct::shape<4> s{}; my::shape{1};") ==
        "namespace ct = cuda::tiles; ct::shape<4> s{}; my::shape{1};");
  // Columns stay.
  const auto text = rewrite_launches("# 1 \"x.cu\"\nint a = tiles::shape{1} + b;\n").text;
  CHECK(text ==
        "# 1 \"x.cu\"\nint a = tiles::extents\n# 1 \"x.cu\"\n                    {1} + b;\n");
}

TEST_CASE("a macro that pastes a kernel's name launches it", "[driver]") {
  const auto text = rewrite("#define LAUNCH(name, T, ...) name##_##T<<<1, 1>>>(__VA_ARGS__)\n");
  CHECK(text.find("{ name##_##T(tilesim_a...); }") != std::string::npos);
  CHECK(text.find("#define LAUNCH(name, T, ...) ::tilesim::detail::launch(") == 0);
}
