// Launches as text: what each form becomes, what is left alone, and what is refused.
//
// forms/forms.cu runs the same forms; here the exact text, places and messages are held.
// SPDX-License-Identifier: Apache-2.0
#include "tools/rewrite/rewrite.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <support/catch.hpp>

using namespace tilesim::tools;

namespace {

// Without the linemarkers and blanks that keep places: one line to compare.
std::string flat(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    const auto line = std::string_view(text).substr(at, end - at);
    at = end + 1;
    if (line.starts_with("# ")) {
      continue;
    }
    const auto first = line.find_first_not_of(' ');
    if (first != std::string_view::npos) {
      out += line.substr(first);
    }
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

std::string
launch_text(const std::string& config, const std::string& name, const std::string& arguments) {
  return "(::tilesim::detail::launching(::tilesim::detail::configure(" + config + "), \"" + name +
         "\") ? void() : " + name + "(" + arguments + "))";
}

std::string error_of(const std::string& text) {
  const auto result = rewrite_launches("# 1 \"x.cu\"\n" + text);
  REQUIRE(result.errors.size() == 1);
  return result.errors[0];
}

} // namespace

TEST_CASE("a launch becomes a call with its configuration, name and arguments", "[tools]") {
  struct Row {
    std::string_view name, source, config, callee, arguments;
  };
  const auto row = GENERATE(values<Row>({
      // clang-format off
      {"grid only",              "k<<<g>>>(a);",                "g",         "k",            "a"},
      {"grid and block",         "k<<<g, b>>>(a);",             "g, b",      "k",            "a"},
      {"all four",               "k<<<g,b,s,t>>>(a, c);",       "g,b,s,t",   "k",            "a, c"},
      {"no arguments",           "k<<<g>>>();",                 "g",         "k",            ""},
      {"blanks",                 "k <<< g >>> ( a );",          "g",         "k",            " a "},
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

TEST_CASE("a callee may be any expression", "[tools]") {
  const std::string callee = GENERATE("o.fp",
                                      "o.p->fp",
                                      "(*fp)",
                                      "(&k)",
                                      "t[i][2]",
                                      "pick<T>(1)(2)",
                                      "S{}.fp",
                                      "this->fp",
                                      "(k)",
                                      "o.k",
                                      "decltype(o)::k",
                                      "this->k<4>",
                                      "gr\\u00f6");
  const auto text = in_function(callee + "<<<1>>>(a);");
  const auto name = callee.starts_with("gr") ? "gr\\\\u00f6" : callee;
  CHECK(text == "(::tilesim::detail::launching(::tilesim::detail::configure(1), \"" + name +
                    "\") ? void() : " + callee + "(a));");
}

TEST_CASE("lines may be spliced inside of a launch's tokens", "[tools]") {
  CHECK(in_function("k<\\\n<\\\n<1>\\\n>>(a);") == launch_text("1", "k", "a") + ";");
  CHECK(in_function("k\\\nk<<<1>>>(a);") == "(::tilesim::detail::launching(::tilesim::detail::"
                                            "configure(1), \"kk\") ? void() : k\\k(a));");
}

TEST_CASE("what is no launch is left as it is", "[tools]") {
  const auto* text = GENERATE("a << b; std::cout << x << y;",
                              "operator<<<int>(a, b); x >>= 3;",
                              "\"k<<<1>>>(a)\"; 'k'; // k<<<1>>>(a)",
                              "/* k<<<1>>>(a) */ R\"(k<<<1>>>(a))\";",
                              "std::vector<std::vector<std::vector<int>>>(3);",
                              "if (a < b && c > (d)) { x <<= 1; }");
  CHECK(in_function(text) == text);
}

TEST_CASE("the callee starts where the expression does", "[tools]") {
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

TEST_CASE("launches nest in configurations, arguments and lambdas", "[tools]") {
  CHECK(in_function("k<<<(j<<<1>>>(a), 2)>>>([] { i<<<3>>>(b); });") ==
        launch_text("(" + launch_text("1", "j", "a") + ", 2)",
                    "k",
                    "[] { " + launch_text("3", "i", "b") + "; }") +
            ";");
}

TEST_CASE("a kernel's body begins by binding its parameters", "[tools]") {
  struct Row {
    std::string_view name, source, kind, self, types, values;
  };
  const auto row = GENERATE(values<Row>({
      // clang-format off
      {"tile",                 "__tile_global__ void k(int a) {}",                       "tile", "k", "decltype(a)", ", a"},
      {"simt",                 "__global__ void k(int a, const T* __restrict__ b) {}",   "simt", "k", "decltype(a), decltype(b)", ", a, b"},
      {"nothing",              "__tile_global__ void k() {}",                            "tile", "k", "", ""},
      {"void",                 "__tile_global__ void k(void) {}",                        "tile", "k", "", ""},
      {"specifier last",       "static void __tile_global__ k(int a) {}",                "tile", "k", "decltype(a)", ", a"},
      {"launch bounds",        "__global__ void __launch_bounds__(256, 2) k(int a) {}",  "simt", "k", "decltype(a)", ", a"},
      {"a macro's bounds",     "__global__ BOUNDS(256) void k(int a) {}",                "simt", "k", "decltype(a)", ", a"},
      {"attributes",           "__tile_global__ [[gnu::noinline]] void k(int a) {}",     "tile", "k", "decltype(a)", ", a"},
      {"default arguments",    "__global__ void k(T<1, 2> a = {1, 2}, int b = f(1, 2)) {}", "simt", "k", "decltype(a), decltype(b)", ", a, b"},
      {"arrays, functions",    "__tile_global__ void k(int a[4], void (*f)(int), T (&r)[2]) {}", "tile", "k", "decltype(a), decltype(f), decltype(r)", ", a, f, r"},
      {"template",             "template <class T> __tile_global__ void k(T a) {}",      "tile", "k<T>", "decltype(a)", ", a"},
      {"template of all",      "template <int N, auto V, template <class> class C, class... Ts> __tile_global__ void k(Ts... a) {}", "tile", "k<N, V, C, Ts...>", "decltype(a)...", ", a..."},
      {"nameless default",     "template <class T, class = void> __tile_global__ void k(T a) {}", "tile", "k<T>", "decltype(a)", ", a"},
      {"requires",             "template <class T> requires requires(T t) { t + 1; } __tile_global__ void k(T a) {}", "tile", "k<T>", "decltype(a)", ", a"},
      {"specialisation",       "template <> __tile_global__ void k<int>(int a) {}",      "tile", "k<int>", "decltype(a)", ", a"},
      {"in a class",           "struct S { static __tile_global__ void k(int a) {} };",  "tile", "k", "decltype(a)", ", a"},
      {"qualified",            "__tile_global__ void ns::k(int a) {}",                   "tile", "ns::k", "decltype(a)", ", a"},
      {"by a macro",           "#define KERNEL static __tile_global__ void\nKERNEL k(int a) {}", "tile", "k", "decltype(a)", ", a"},
      {"by a macro's macro",   "#define G __global__\n#define KERNEL static G void\nKERNEL k(int a) {}", "simt", "k", "decltype(a)", ", a"},
      {"in a macro",           "#define K(name) __tile_global__ void name##_k(int a) {}\n", "tile", "name##_k", "decltype(a)", ", a"},
      {"digraphs",             "__tile_global__ void k(int a) <% %>",                    "tile", "k", "decltype(a)", ", a"},
      // clang-format on
  }));
  DYNAMIC_SECTION(row.name) {
    const auto text = rewrite(std::string(row.source));
    std::string types;
    for (const char c : std::string(row.types)) {
      types += c == 'd' && (types.empty() || types.back() == ' ')
                   ? "::tilesim::detail::parameter_type<d"
               : c == ')' ? ")>"
                          : std::string(1, c);
    }
    const std::string bind = "if (!::tilesim::detail::enter_kernel()) return "
                             "::tilesim::detail::bind_kernel<::tilesim::kernel_kind::" +
                             std::string(row.kind) + ">(__func__, static_cast<void (*)(" + types +
                             ")>(&" + std::string(row.self) + ")" + std::string(row.values) + ");";
    CAPTURE(text);
    CHECK(text.find(bind) != std::string::npos);
    CHECK(text.find(bind) == text.rfind("if (!::tilesim"));
  }
}

TEST_CASE("a parameter without a name is given one", "[tools]") {
  CHECK(rewrite("__global__ void k(int, const T&, Ts...) {}")
            .starts_with(
                "__global__ void k(int tilesim_p18, const T& tilesim_p30, Ts... tilesim_p35) {"));
}

TEST_CASE("a kernel whose parameters cannot be read becomes a lambda", "[tools]") {
  const auto* head =
      GENERATE("#define P int a, int b\n__global__ void k(P)",
               "__global__ void k(PARAMETER(int, a))",
               "#define KERNEL(name) __global__ void name\nKERNEL(k)(int a)",
               "#define KERNEL(name, ...) __global__ void name(__VA_ARGS__)\nKERNEL(k, int a)",
               "#define KERNEL template <class T> __global__ void\nKERNEL k(T a)",
               "struct S { friend __global__ void k(S a)");
  CAPTURE(head);
  const auto text = rewrite(std::string(head) + " { f(a); }");
  CHECK(text.ends_with("{::tilesim::detail::run_or_bind<::tilesim::kernel_kind::simt>("
                       "__func__, [=]() mutable -> void {f(a); }); }"));
}

TEST_CASE("what is no kernel's body is left as it is", "[tools]") {
  const std::string text =
      GENERATE("__global__ void k(int a);",
               "template __global__ void k<int>(int a);",
               "#define K __global__ void k(int a)\nK; void f() {}",
               "#define K(name) __global__ void name(int a)\nK(k) struct S {};",
               "void f() {}");
  CAPTURE(text);
  CHECK(rewrite(text) == flat(text));
}

TEST_CASE("specifiers that are still there are taken out", "[tools]") {
  rewrite_options options;
  options.erase_specifiers = true;
  CHECK(rewrite_launches("static __global__ void k(int a);", options).text ==
        "static  void k(int a);");
}

TEST_CASE("each definition of a macro is read by itself", "[tools]") {
  CHECK(rewrite("#define C <<<1, 1>>>\n#undef C\n#define C(k, a) k<<<1, 1>>>(a)\n") ==
        "#define C 1, 1#undef C#define C(k, a) (::tilesim::detail::launching(::tilesim::detail::"
        "configure(1, 1), #k) ? void() : k(a))");
  // The use between the two is of the one without parameters.
  CHECK(rewrite(
            "#define C <<<1, 1>>>\nvoid f() { k C (p); }\n#undef C\n#define C(k, a) k<<<1>>>(a)\n")
            .starts_with("#define C 1, 1void f() { " + launch_text("C", "k", "p") + "; }"));
  CHECK(rewrite("#define C <<<1, 1>>>\n#define C /* not <<<1, 1>>> */\nvoid f() {}") ==
        "#define C 1, 1#define C /* not <<<1, 1>>> */void f() {}");
  CHECK(rewrite_launches("#define C()<<<g>>>\n#define C<<<").text.starts_with("#define C()g"));
}

TEST_CASE("the longest function is known", "[tools]") {
  CHECK(rewrite_launches("void f() { a; if (b) { c; } }\nvoid g() { d; }\nstruct s { int e; int f; "
                         "int g; int h; };")
            .longest_body == 2);
  CHECK(rewrite_launches("# 1 \"x.h\" 3\nvoid f() { a; }\n").longest_body == 0);
}

TEST_CASE("a function is as long as its macros are when they are expanded", "[tools]") {
  const auto length = [](std::string_view source) { return rewrite_launches(source).longest_body; };
  CHECK(length("void f() { a = b + c + d + e; }") == 3);
  CHECK(length("void f() { g(g(g(g(a)))); }") == 4);
  CHECK(length("void f() { tile<int, shape<8>> a; }") == 1);
  CHECK(length("void f() const { a; b; }") == 2);
  CHECK(length("#define A x;\n#define B A A A\n#define C B B B B\nvoid f() { C C }") == 24);
  CHECK(length("#define R(n, s) s s s s\nvoid f() { R(a, R(b, x; y;)) }") == 32);
  CHECK(length("#define F(x) x\nvoid f() { F; F(a; F(b;)) F( }") == 3);
  CHECK(length("#define A A; B;\n#define B A; B;\nvoid f() { A }") == 4);
  std::string doubled = "#define M0 x;\n";
  for (int i = 1; i < 100; ++i) {
    doubled += fmt::format("#define M{} M{} M{}\n", i, i - 1, i - 1);
  }
  CHECK(length(doubled + "void f() { M99 }") == 1'000'000);
}

TEST_CASE("a long line does not grow with its length for each launch", "[tools]") {
  std::string source = "# 1 \"x.cu\"\nvoid f() {";
  for (int i = 0; i < 4000; ++i) {
    source += "k<<<1,1>>>(p);";
  }
  const auto result = rewrite_launches(source + "}\n");
  CHECK(result.launches == 4000);
  CHECK(result.text.size() < 4000 * 500);
}

TEST_CASE("a macro's body stays on its line", "[tools]") {
  const auto result = rewrite_launches("# 1 \"x.cu\"\n"
                                       "#define LAUNCH(kernel, n) kernel<<<n, \\\n"
                                       "                                   1>>>(n)\n"
                                       "int after;\n");
  CHECK(
      result.text ==
      "# 1 \"x.cu\"\n"
      "#define LAUNCH(kernel, n) (::tilesim::detail::launching(::tilesim::detail::configure(n, \\\n"
      "                                   1), #kernel) ? void() : kernel(n))\n"
      "\n# 3 \"x.cu\"\n"
      "int after;\n");
}

TEST_CASE("macros may cut a launch in two", "[tools]") {
  CHECK(rewrite("#define CONFIG(g, b) <<< g, b >>>\nvoid f() { k CONFIG(1, 2)(a); }") ==
        "#define CONFIG(g, b)  g, b void f() { " + launch_text("CONFIG(1, 2)", "k", "a") + "; }");
  CHECK(rewrite("#define ONE <<<1>>>\nvoid f() { k<T> ONE (a); ONE; }") ==
        "#define ONE 1void f() { " + launch_text("ONE", "k<T>", "a") + "; ONE; }");
  CHECK(rewrite("#define LAUNCH k<<<1>>>\nvoid f() { LAUNCH(a); }") ==
        "#define LAUNCH " +
            launch_text("1", "k", "").substr(1, launch_text("1", "k", "").size() - 4) +
            "void f() { LAUNCH(a); }");
}

TEST_CASE("what the user wrote keeps its file, line and column", "[tools]") {
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
  // The callee, too.
  std::size_t copies = 0;
  for (auto at = result.text.find("\n          k\n"); at != std::string::npos;
       at = result.text.find("\n          k\n", at + 1)) {
    ++copies;
    CHECK(generated.locate(at + 11).line == 8);
    CHECK(generated.locate(at + 11).column == 11);
  }
  CHECK(copies == 1);
}

TEST_CASE("inside a macro's arguments no directive is added under -pedantic", "[tools]") {
  const std::string source = "# 1 \"x.cu\"\n"
                             "#define CHECK(x) x\n"
                             "void f() { CHECK(k<<<1>>>(a)); behind(); }\n";
  rewrite_options options;
  options.pedantic = true;
  const auto result = rewrite_launches(source, options);
  const auto open = result.text.find("CHECK((::");
  const auto close = result.text.find("; behind");
  REQUIRE(open != std::string::npos);
  const auto between = result.text.substr(open, close - open);
  CHECK(between.find('#') == between.find("# 2"));
  CHECK(between.find("# 2") > between.find("k(a)"));
  const auto generated = lex(result.text);
  CHECK(generated.locate(generated.text.find("behind")).column == 32);
  CHECK(generated.locate(generated.text.find("behind")).line == 2);
}

TEST_CASE("headers of the system folder are marked as such", "[tools]") {
  rewrite_options options;
  options.system_folder = "/api/";
  CHECK(rewrite_launches("# 1 \"/api/a.h\" 1\nint a;\n# 2 \"x.cu\" 2\n", options).text ==
        "# 1 \"/api/a.h\" 1 3\nint a;\n# 2 \"x.cu\" 2\n");
}

TEST_CASE("launches that cannot be read are refused with a place and a remedy", "[tools]") {
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

TEST_CASE("text that is skipped may hold anything", "[tools]") {
  rewrite_options options;
  options.lenient = true;
  const std::string source = "#if 0\ndon't k<<<1\n#if 1\n#endif\n#else\nint x;\n#endif\nk<<<;\n";
  const auto result = rewrite_launches(source, options);
  CHECK(result.errors.empty());
  CHECK(result.text == source);
}

TEST_CASE("no text makes the rewriter fail", "[tools]") {
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

// Compiled and run by tests/simt/declarations.cu.
TEST_CASE("shared variables become references", "[tools]") {
  const std::string place = " = ::tilesim::detail::shared<1, false>([] { return ";
  CHECK(rewrite("void f() { __shared__ T s[4], *p; }") ==
        "void f() {  T (&s)[4]" + place + "\"s\"; }), * &p" + place + "\"p\"; }); }");
  CHECK(
      rewrite("void f() { extern __shared__ alignas(f(16)) T s[]; }") ==
      "void f() {    T (&s)[] = ::tilesim::detail::shared<(::tilesim::detail::alignment<f(16)>()), "
      "true>([] { return \"s\"; }); }");
  CHECK(rewrite("void f() { __shared__ struct { int a, b; } s[2]; }") ==
        "void f() {  struct { int a, b; } (&s)[2]" + place + "\"s\"; }); }");
  CHECK(rewrite("void f() { static __shared__ A<int, B<C>> s; int __shared__ (*t)(int, int); }") ==
        "void f() {   A<int, B<C>>  &s" + place + "\"s\"; }); int  (* &t)(int, int)" + place +
            "\"t\"; }); }");
  CHECK(rewrite("__shared__ int s; int t;") ==
        "extern int  &s __asm__(\"tilesim_shared_s_0\"); static void* tilesim_shared_s_0_pointer "
        "__asm__(\"tilesim_shared_s_0\"); static ::tilesim::detail::shared_slot "
        "tilesim_shared_s_0_slot(&tilesim_shared_s_0_pointer, "
        "::tilesim::detail::describe_outside<decltype(s), 1, false>(\"s\")); int t;");
  // Those that are extern are one, however often they are declared.
  const auto twice = rewrite("extern __shared__ int d[]; extern __shared__ int d[];");
  CHECK(twice.find("static void* tilesim_shared_d_pointer") ==
        twice.rfind("static void* tilesim_shared_d_pointer"));
  // Macros: specifiers, whole declarations, and those that use others.
  CHECK(rewrite("#define S static __shared__ volatile\nvoid f() { S int a[2]; }") ==
        "#define S   volatilevoid f() { S int (&a)[2]" + place + "\"a\"; }); }");
  CHECK(rewrite("#define D(T, n) __shared__ T n##_s[4]\n") ==
        "#define D(T, n)  T (&n##_s)[4]" + place + "#n \"_s\"; })");
}

// What has static storage needs no capture, a reference does.
TEST_CASE("lambdas capture shared variables by reference", "[tools]") {
  const auto lambda = [](const std::string& text) {
    const auto all = rewrite("void f() { __shared__ int s; " + text + " }");
    return all.substr(all.find("; }); ") + 6);
  };
  CHECK(lambda("auto g = [=] { return s; };") == "auto g = [=, &s] { return s; }; }");
  CHECK(lambda("auto g = [](int i) { return s[i]; };") ==
        "auto g = [&s](int i) { return s[i]; }; }");
  CHECK(lambda("auto g = [a] { return s; };") == "auto g = [a, &s] { return s; }; }");
  for (const std::string stays : {"auto g = [&] { return s; };",
                                  "auto g = [=] { return t + x.s; };",
                                  "auto g = [&s] { return s; };",
                                  "a[s] = b(s)[s];"}) {
    CHECK(lambda(stays) == stays + " }");
  }
}

TEST_CASE("kernels that cannot be are refused", "[tools]") {
  CHECK(error_of("__global__ int k(int n) { return n; }") ==
        "x.cu:1:16: error: a kernel's return type must be void");
  CHECK(error_of("template <class T> __global__ T* k(T* n) { return n; }") ==
        "x.cu:1:34: error: a kernel's return type must be void");
  CHECK(error_of("__global__ void k(int n, ...) { }") ==
        "x.cu:1:26: error: a kernel has no variable arguments; name each parameter");
  CHECK(error_of("__global__ void k(...) { }") ==
        "x.cu:1:19: error: a kernel has no variable arguments; name each parameter");
  for (const auto* const text :
       {"template <class... T> __global__ void k(T...) { }",
        "template <class... T> __global__ void k(T*..., int) { }",
        "__global__ auto k(int n) -> void { }",
        "#define KERNEL(name) __global__ int name(int n) { return n; }\n"}) {
    CHECK(rewrite_launches(text).errors.empty());
  }
}

TEST_CASE("shared variables that cannot be are refused", "[tools]") {
  const auto error = [](std::string_view text) {
    const auto result = rewrite_launches(text);
    REQUIRE(result.errors.size() == 1);
    return result.errors.front();
  };
  CHECK(error("# 1 \"x.cu\"\nvoid f() { __shared__ int s = 3; }") ==
        "x.cu:1:29: error: a __shared__ variable takes no initialiser: what it holds at first is "
        "undefined");
  CHECK(error("# 1 \"x.cu\"\nvoid f() { __shared__ (s) }") ==
        "x.cu:1:12: error: this __shared__ declaration cannot be read; write it as 'T "
        "name[extent];'");
}

// PTX becomes a call that ends the run; the host's own assembly stays.
TEST_CASE("inline PTX is told from the host's assembly", "[tools]") {
  CHECK(rewrite("asm volatile(\"mov.u32 %0, %%laneid;\" : \"=r\"(x));") ==
        "::tilesim::detail::run_ptx(\"mov.u32 %0, %%laneid;\", ::tilesim::detail::ptx_out(x));");
  CHECK(rewrite("__asm__(\"bar.sync \" \"0;\");") ==
        "::tilesim::detail::run_ptx(\"bar.sync \" \"0;\");");
  CHECK(
      rewrite(
          "asm(\"add.u32 %0, %1, %2;\" : \"+r\"(x.y) : \"r\"(f(a, b)), \"n\"(3) : \"memory\");") ==
      "::tilesim::detail::run_ptx(\"add.u32 %0, %1, %2;\", ::tilesim::detail::ptx_both(x.y), "
      "::tilesim::detail::ptx_in(f(a, b)), ::tilesim::detail::ptx_in(3));");
  CHECK(rewrite("\n#define LOAD(m) asm(\"ld.\" #m \".u32 %0, [%1];\" : \"=r\"(x) : \"l\"(p))\n") ==
        "#define LOAD(m) ::tilesim::detail::run_ptx(\"ld.\" #m \".u32 %0, [%1];\", "
        "::tilesim::detail::ptx_out(x), ::tilesim::detail::ptx_in(p))");
  // Hints say nothing.  [PTX: prefetch, prefetchu]
  CHECK(rewrite("asm volatile(\"prefetch.global.L2 [%0];\" : : \"l\"(p) : \"memory\");") ==
        "static_cast<void>(0);");
  CHECK(rewrite("asm(\" prefetchu.L1 [%0];\\n\" :: \"l\"(p));") == "static_cast<void>(0);");
  CHECK(rewrite("asm(\"prefetch.global.L2 [%0]; bar.sync 0;\" :: \"l\"(p));") ==
        "::tilesim::detail::run_ptx(\"prefetch.global.L2 [%0]; bar.sync 0;\", "
        "::tilesim::detail::ptx_in(p));");
  for (const char* own : {"asm volatile(\"pause\" ::: \"memory\");",
                          "asm(\"nop; nop\");",
                          "asm volatile(\".byte 0x90;\");",
                          "extern int a asm(\"b.c\");",
                          "__asm__ __volatile__(\"b.ne 1b\\n\");"}) {
    CHECK(rewrite(own) == own);
  }
}

// [extents] NVIDIA's front end deduces through the alias; the standard does not.
TEST_CASE("ct::shape deduces as ct::extents does", "[tools]") {
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

TEST_CASE("a macro that pastes a kernel's name launches it", "[tools]") {
  const auto text = rewrite("#define LAUNCH(name, T, ...) name##_##T<<<1, 1>>>(__VA_ARGS__)\n");
  CHECK(text.find("? void() : name##_##T(__VA_ARGS__))") != std::string::npos);
  CHECK(text.find("#define LAUNCH(name, T, ...) (::tilesim::detail::launching(") == 0);
}
