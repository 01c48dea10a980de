// In whose body a condition of __CUDA_ARCH__ stands, and what becomes of it.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/device_text.hpp"

#include <string>
#include <support/catch.hpp>

using namespace tilesim::tools;

namespace {

/// Is the condition in that text one of devices? `A` is the macro's name.
bool is_of_devices(std::string text) {
  const std::string macro = "__CUDA_ARCH__";
  const auto at = text.find('@');
  text.replace(at, 1, macro);
  const device_text made = with_device_conditions(text);
  const std::string renamed =
      text.substr(0, at) + std::string(device_arch_macro) + text.substr(at + macro.size());
  CHECK((made.text == renamed || made.text == text));
  CHECK(made.changed == (made.text == renamed));
  return made.changed;
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
  CHECK_FALSE(is_of_devices("__host__ __device__ int f() {\n#ifdef @\n  return 1;\n#endif\n}\n"));
  CHECK_FALSE(is_of_devices("__global__ void k() {}\nint main() {\n#ifdef @\n#endif\n}\n"));
  CHECK_FALSE(is_of_devices("#if @ >= 700\n#define N 7\n#endif\n__global__ void k() {}\n"));
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
  const device_text made = with_device_conditions(text);
  CHECK(made.text.find("#if TILESIM_CUDA_ARCH >= 700") != std::string::npos);
  CHECK(made.text.find("#if __CUDA_ARCH__\n") != std::string::npos);
}

TEST_CASE("a condition for host and device is told by its line", "[tools]") {
  const device_text made =
      with_device_conditions("\n__host__ __device__ int f() {\n"
                             "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ > 7\n"
                             "  return 1;\n"
                             "#else\n"
                             "  return 0;\n"
                             "#endif\n}\n");
  CHECK_FALSE(made.changed);
  CHECK(made.shared == std::vector<std::size_t>{3});
}

TEST_CASE("a source that does not ask is as it was", "[tools]") {
  const device_text made = with_device_conditions("int main() {}");
  CHECK(made.text == "int main() {}");
  CHECK_FALSE(made.changed);
  CHECK(with_device_conditions("").text.empty());
}
