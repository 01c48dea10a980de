// In whose body a condition of __CUDA_ARCH__ stands, and what becomes of it.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/device_text.hpp"

#include <string>
#include <support/catch.hpp>
#include <utility>

using namespace tilesim::tools;

namespace {

constexpr auto file = "#line 1 \"a.cu\"\n";

/// A file of a program that has no others.
struct alone {
  explicit alone(std::string source)
      : kept(std::move(source))
      , of(kept, macros_in(kept)) {
    of.add_uses(uses);
  }
  static device_macros macros_in(const std::string& text) {
    device_macros all;
    all.add(text);
    return all;
  }
  [[nodiscard]] bool changed() const { return !of.changes_nothing(uses); }
  [[nodiscard]] std::string text() const { return of.renamed("a.cu", uses); }

  const std::string kept;
  arch_conditions of;
  uses_by_name uses;
};

/// Is the condition in that text one of devices? `@` is the macro's name.
bool is_of_devices(std::string text) {
  const std::string macro = "__CUDA_ARCH__";
  const auto at = text.find('@');
  text.replace(at, 1, macro);
  const alone made(text);
  const std::string renamed =
      text.substr(0, at) + std::string(device_arch_macro) + text.substr(at + macro.size());
  CHECK((made.text() == file + renamed || made.text() == file + text));
  CHECK(made.changed() == (made.text() == file + renamed));
  return made.changed();
}

} // namespace

TEST_CASE("conditions in bodies of device functions are of devices", "[tools]") {
  CHECK(is_of_devices("__global__ void k() {\n#if @ >= 700\n  f();\n#endif\n}\n"));
  CHECK(is_of_devices("__device__ int f() {\n#ifdef @\n  return 1;\n#endif\n}\n"));
  CHECK(is_of_devices("template <class T> __global__ void k(T* p) {\n  if (p) {\n#if "
                      "defined(@)\n#endif\n  }\n}\n"));
  CHECK(is_of_devices(
      "namespace n { struct s { __device__ void f() const {\n#if @\n#endif\n} }; }\n"));
  CHECK(is_of_devices("extern \"C\" __global__ void k(struct s a) {\n  int x = @;\n}\n"));
  CHECK(is_of_devices("__global__ void k() {\n#if 1 && \\\n    @ > 2\n#endif\n}\n"));
  CHECK(is_of_devices("__tile_global__ void k() {\n#if @ >= 900\n#endif\n}\n"));
  CHECK(is_of_devices("__global__ void k() {\n  f([] {\n#if @\n#endif\n  });\n}\n"));
}

TEST_CASE("conditions of others are not", "[tools]") {
  CHECK_FALSE(is_of_devices("void f() {\n#if @ >= 700\n  f();\n#endif\n}\n"));
  CHECK_FALSE(is_of_devices("__global__ void k() {}\nint main() {\n#ifdef @\n#endif\n}\n"));
  CHECK_FALSE(is_of_devices("__global__ void k() {\n  f(\"@\");\n}\n"));
  CHECK_FALSE(is_of_devices("__global__ void k() {\n  // @\n}\n"));
  CHECK_FALSE(is_of_devices("__global__ void k();\nvoid f() {\n#if @\n#endif\n}\n"));
  CHECK_FALSE(is_of_devices("__device__ int table[] = {1, 2};\nint x =\n#if @\n1;\n#endif\n"));
  CHECK_FALSE(is_of_devices("int x;\n"
                            "#if @\n"
                            "int y;\n"
                            "#endif\n"));
}

TEST_CASE("conditions around functions are of devices where all of these are", "[tools]") {
  CHECK(is_of_devices(
      "#if @ >= 700\n__device__ void f() {}\n#else\n__device__ void f() { g(); }\n#endif\n"));
  CHECK(is_of_devices(
      "#if @ < 600\ntemplate <class T>\n__device__ T f(T x) {\n  return x;\n}\n#endif\n"));
  CHECK_FALSE(is_of_devices("#if @ < 600\n__device__ void f() {}\nvoid g() {}\n#endif\n"));
  CHECK_FALSE(is_of_devices(
      "#if @ < 600\n__device__ void f() {}\n__host__ __device__ void g() {}\n#endif\n"));
}

TEST_CASE("braces that a condition opens twice are open once", "[tools]") {
  const std::string text = "__global__ void k() {\n"
                           "#if __CUDA_ARCH__ >= 700\n"
                           "  if (a) {\n"
                           "#else\n"
                           "  if (b) {\n"
                           "#endif\n"
                           "  }\n"
                           "}\n"
                           "void f() {\n"
                           "#if __CUDA_ARCH__\n"
                           "#endif\n"
                           "}\n";
  const std::string made = alone(text).text();
  CHECK(made.find("#if TILESIM_CUDA_ARCH >= 700") != std::string::npos);
  CHECK(made.find("#if __CUDA_ARCH__\n") != std::string::npos);
}

TEST_CASE("a function for host and device has a body for each", "[tools]") {
  const std::string body = "\n#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ > 7\n  return 1;\n#else\n"
                           "  return 0;\n#endif\n";
  const alone made("\n__host__ __device__ int f() {" + body + "}\n");
  CHECK(made.changed());
  CHECK(made.text() ==
        file +
            std::string("\n__host__ __device__ int f() {if (::tilesim::detail::in_device_code()) {"
                        "\n#if defined(TILESIM_CUDA_ARCH) && TILESIM_CUDA_ARCH > 7\n  return 1;\n"
                        "#else\n  return 0;\n#endif\n} else {\n#line 2 \"a.cu\"\n") +
            body + "}}\n");
  CHECK(made.of.for_the_host(made.uses).empty());
}

TEST_CASE("one that jumps keeps one, and is told by its line", "[tools]") {
  const alone made(
      "__host__ __device__ int f() {\n#ifdef __CUDA_ARCH__\n  goto a;\n#endif\na: return "
      "0;\n}\n");
  CHECK_FALSE(made.changed());
  const auto told = made.of.for_the_host(made.uses);
  REQUIRE(told.size() == 1);
  CHECK(told[0].line == 2);
  CHECK(told[0].why == arch_conditions::reason::labels);
}

TEST_CASE("one that each branch closes is closed twice", "[tools]") {
  const std::string body = "\n#ifdef __CUDA_ARCH__\n  return 1;\n}\n#else\n  return 0;\n}\n#endif";
  const std::string of_device =
      "\n#ifdef TILESIM_CUDA_ARCH\n  return 1;\n}\n#else\n  return 0;\n}\n#endif";
  const alone made("__host__ __device__ int f() {" + body + " // f\nvoid g() {}\n");
  CHECK(made.text() == std::string(file) +
                           "__host__ __device__ int f() {if (::tilesim::detail::in_device_code"
                           "()) {" +
                           of_device + " // f\n else {\n#line 1 \"a.cu\"\n" + body +
                           " // f\n#line 8 \"a.cu\"\n}\nvoid g() {}\n");
  CHECK(made.of.for_the_host(made.uses).empty());
  const alone more("__host__ __device__ int f() {\n#ifdef __CUDA_ARCH__\n  return 1;\n}\n#else\n"
                   "  return 0;\n}\nvoid g() {}\n#endif\n");
  CHECK_FALSE(more.changed());
  const auto told = more.of.for_the_host(more.uses);
  REQUIRE(told.size() == 1);
  CHECK(told[0].line == 2);
  CHECK(told[0].why == arch_conditions::reason::closed);
}

TEST_CASE("one that returns a closure keeps one", "[tools]") {
  const auto keeps_one = [](const std::string& head, const std::string& body) {
    const alone made("__host__ __device__ " + head + " {\n#ifdef __CUDA_ARCH__\n  g();\n#endif\n" +
                     body + "}\n");
    const auto told = made.of.for_the_host(made.uses);
    return !made.changed() && told.size() == 1 && told[0].why == arch_conditions::reason::closure;
  };
  CHECK(keeps_one("auto f()", "return [] { return 1; };"));
  CHECK(keeps_one("decltype(auto) f(int x)", "auto c = [=] { return x; };\nreturn c;"));
  CHECK_FALSE(keeps_one("auto f()", "auto c = [] { return 1; };\nreturn c();"));
  CHECK_FALSE(keeps_one("auto f() -> int (*)()", "return [] { return 1; };"));
  CHECK_FALSE(keeps_one("fn f(auto x, auto y)", "return [] { return 1; };"));
  CHECK_FALSE(keeps_one("auto f()", "return a[0];"));
}

TEST_CASE("a condition between functions for host and device is the host's, and told", "[tools]") {
  const alone made("#ifdef __CUDA_ARCH__\n__host__ __device__ int f() { return 1; }\n#else\n"
                   "__host__ __device__ int f() { return 0; }\n#endif\n");
  CHECK_FALSE(made.changed());
  const auto told = made.of.for_the_host(made.uses);
  REQUIRE(told.size() == 1);
  CHECK(told[0].line == 1);
  CHECK(told[0].why == arch_conditions::reason::functions);
  const alone one("#ifdef __CUDA_ARCH__\n__host__ __device__ int f() { return 1; }\n#endif\n");
  CHECK(one.of.for_the_host(one.uses).empty());
}

TEST_CASE("macros may stand for the specifiers", "[tools]") {
  CHECK(is_of_devices(
      "#define DEVICE __device__ __forceinline__\nDEVICE int f() {\n#if @\n#endif\n}\n"));
  CHECK(is_of_devices("#define A __global__\n#define B A\nB void k() {\n#if @\n#endif\n}\n"));
  CHECK_FALSE(is_of_devices("#define A(x) B\n#define B A\nB void k() {\n#if @\n#endif\n}\n"));
  const alone both(
      "#ifdef __CUDACC__\n#define BOTH __host__ __device__\n#else\n#define BOTH\n#endif\n"
      "BOTH int f() {\n#ifdef __CUDA_ARCH__\n  return 1;\n#endif\n  return 0;\n}\n");
  CHECK(both.text().find("in_device_code") != std::string::npos);
}

TEST_CASE("a constructor's body lies behind what initialises its members", "[tools]") {
  CHECK(is_of_devices(
      "struct s { int a, b; __device__ s(int x) : a{x}, b{1} {\n#if @\n#endif\n} };\n"));
  CHECK(is_of_devices(
      "struct s { int a; __device__ s(int x) noexcept : a(x) {\n#if @\n#endif\n} };\n"));
  CHECK_FALSE(is_of_devices(
      "struct s { int a; __device__ s() : a{1} {} void f() {\n#if @\n#endif\n} };\n"));
  const alone both("struct s { int a; __host__ __device__ s() : a{1} {\n#if __CUDA_ARCH__\na = "
                   "2;\n#endif\n} };\n");
  CHECK(both.text().find(": a{1} {if (::tilesim::detail::in_device_code()) {\n") !=
        std::string::npos);
}

TEST_CASE("macros that only device code has are the device's", "[tools]") {
  CHECK(is_of_devices(
      "#if @ >= 700\n#define N 7\n#else\n#define N 1\n#endif\n__global__ void k() { f(N); }\n"));
  CHECK(is_of_devices("#if @ >= 700\n#define N 7\n#endif\n__global__ void k() {}\n"));
  CHECK_FALSE(
      is_of_devices("#if @ >= 700\n#define N 7\n#endif\n__global__ void k() {}\nint n = N;\n"));
  CHECK_FALSE(is_of_devices("#if @ >= 700\n#define N 7\n#endif\n#define M (N)\n"));
  CHECK_FALSE(is_of_devices("#if @ >= 700\n#define N 7\nint x;\nvoid f() {}\n#endif\n"));
  const alone both("#ifdef __CUDA_ARCH__\n#define N 7\n#else\n#define N 1\n#endif\n"
                   "__global__ void k() { f(N); }\nvoid h() { f(N); }\n");
  CHECK_FALSE(both.changed());
  const auto told = both.of.for_the_host(both.uses);
  REQUIRE(told.size() == 1);
  CHECK(told[0].line == 1);
  CHECK(told[0].why == arch_conditions::reason::macro);
  CHECK(told[0].macro == "N");
}

TEST_CASE("the conditions of <nv/target> are of devices in their code", "[tools]") {
  const alone device(
      "__device__ void f() { NV_IF_ELSE_TARGET(NV_PROVIDES_SM_90, (g();), (h();)) }\n");
  CHECK(device.text() ==
        file + std::string(
                   "__device__ void f() { TILESIM_NV_IF_ELSE_TARGET(TILESIM_NV_PROVIDES_SM_90, "
                   "(g();), (h();)) }\n"));
  CHECK_FALSE(alone("void f() { NV_IF_TARGET(NV_IS_HOST, (g();)) }\n").changed());
  const alone both(
      "__host__ __device__ int f() { NV_IF_TARGET(NV_IS_DEVICE, (return 1;)) return 0; }\n");
  CHECK(both.text() ==
        file + std::string(
                   "__host__ __device__ int f() {if (::tilesim::detail::in_device_code()) { "
                   "TILESIM_NV_IF_TARGET(TILESIM_NV_IS_DEVICE, (return 1;)) return 0; } else {\n"
                   "#line 1 \"a.cu\"\n NV_IF_TARGET(NV_IS_DEVICE, (return 1;)) return 0; }}\n"));
}

TEST_CASE("a source that does not ask is as it was", "[tools]") {
  const alone made("int main() {}");
  CHECK(made.text() == file + std::string("int main() {}"));
  CHECK_FALSE(made.changed());
  CHECK_FALSE(alone("").changed());
}
