// Expressions of the stepper: C++'s operators, slices, pointers, and what each error says and
// where.
//
// One file in spite of its length: tables, an expression a row, over one environment of names.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/expressions/expression.hpp"

#include "sim/expressions/arithmetic.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <map>
#include <numeric>
#include <support/catch.hpp>

using namespace tilesim;
using namespace tilesim::sim::step;

namespace {

template <class T, std::size_t N>
value of_elements(value_type type,
                  std::vector<std::size_t> shape,
                  const std::array<T, N>& elements) {
  value v;
  v.type = std::move(type);
  v.shape = std::move(shape);
  v.bytes.resize(sizeof elements);
  std::memcpy(v.bytes.data(), elements.data(), sizeof elements);
  return v;
}

template <class T>
value one(value_type type, T x) {
  return of_elements<T, 1>(std::move(type), {}, {x});
}

/// A value that lies in memory and has not been read.
template <class T, std::size_t N>
value unread(value_type type, std::vector<std::size_t> shape, const std::array<T, N>& elements) {
  value v;
  v.type = std::move(type);
  v.shape = std::move(shape);
  v.address = reinterpret_cast<std::uintptr_t>(elements.data());
  return v;
}

value_type type(element kind, bool is_unsigned = false) {
  return basic_type(kind, is_unsigned);
}

/// A program's names, and memory of which only these arrays may be read.
class names : public environment {
public:
  names() {
    std::iota(bins.begin(), bins.end(), 0);
    std::iota(matrix.begin(), matrix.end(), 0.F);
    const auto int_pointer = pointer_to(type(element::i32));
    all["n"] = one(type(element::i32), 5);
    all["u"] = one(type(element::i32, true), 7U);
    all["long_one"] = one(type(element::i64), std::int64_t{1} << 40);
    all["c"] = one(type(element::i8), static_cast<signed char>(-3));
    all["x"] = one(type(element::f32), 2.5F);
    all["d"] = one(type(element::f64), 0.1);
    all["h"] = one(type(element::f16), std::uint16_t{0x3e00});   // 1.5
    all["bf"] = one(type(element::bf16), std::uint16_t{0x4040}); // 3
    all["e4"] = one(type(element::f8e4m3), std::uint8_t{0x38});  // 1
    all["e5"] = one(type(element::f8e5m2), std::uint8_t{0x40});  // 2
    all["tf"] = one(type(element::tf32), 0.5F);
    all["$block"] = one(type(element::i32), 3);
    all["app::limit"] = one(type(element::i32), 100);
    all["t"] = of_elements<float, 4>(type(element::f32), {4}, {0, 1, 0, -2});
    all["m"] = of_elements<int, 6>(type(element::i32), {2, 3}, {1, 2, 3, 4, 5, 6});
    all["r0"] = of_elements<int, 1>(type(element::i32), {1}, {9});
    all["nans"] = of_elements<float, 3>(
        type(element::f32), {3}, {1, std::numeric_limits<float>::quiet_NaN(), 0});
    all["bins"] = unread(type(element::i32), {16}, bins);
    all["matrix"] = unread(type(element::f32), {4, 8}, matrix);
    all["huge"] = unread(type(element::i32), {std::size_t{1} << 30}, bins);
    all["p"] = make_pointer(address(bins.data()), int_pointer);
    all["end"] = make_pointer(address(bins.data() + 16), int_pointer);
    all["v"] = make_pointer(address(bins.data()), type(element::ptr));
    all["ptrs"] =
        of_elements<std::uint64_t, 2>(int_pointer, {2}, {address(&bins[2]), address(&bins[9])});
    all["gone"].missing = "optimised out";
    all["plain"] = one({.kind = element::i64, .is_unsigned = true}, std::uint64_t{9});
    all["s"] = structure(1);
    all["structs"].members = {{"[0]", structure(10)}, {"[1]", structure(20)}};
    auto points_to = std::make_shared<pointed_type>();
    points_to->bytes = 8;
    points_to->make = [](std::uintptr_t at, const memory_reader&) {
      return structure(static_cast<int>(at));
    };
    value sp = make_pointer(1000, pointer_to(type(element::i32)));
    sp.type.spelling = "point*";
    sp.type.pointee.reset();
    sp.type.points_to = points_to;
    all["sp"] = sp;
  }

  static value structure(int x) {
    value s;
    s.type.spelling = "point";
    s.members = {{"x", one(type(element::i32), x)}, {"y", one(type(element::f32), 0.5F)}};
    return s;
  }

  static std::uintptr_t address(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

  std::optional<named_type> type_named(std::string_view name) override {
    const auto alias = [&](element kind, bool is_unsigned) {
      named_type t{type(kind, is_unsigned), nullptr, std::string(name)};
      t.element->spelling = name;
      return t;
    };
    if (name == "pair") {
      return named_type{std::nullopt, all["sp"].type.points_to, "pair"};
    }
    return name == "myint"       ? std::optional(alias(element::i32, false))
           : name == "app::word" ? std::optional(alias(element::i16, true))
                                 : std::nullopt;
  }

  std::optional<value> lookup(std::string_view name) override {
    const auto it = all.find(std::string(name));
    return it != all.end() ? std::optional(it->second) : std::nullopt;
  }

  bool read(std::uintptr_t at, std::size_t bytes, void* to) override {
    bytes_read += bytes;
    if (!inside(bins, at, bytes) && !inside(matrix, at, bytes)) {
      return false;
    }
    std::memcpy(to, reinterpret_cast<const void*>(at), bytes);
    return true;
  }

  std::map<std::string, value> all;
  std::array<int, 16> bins{};
  std::array<float, 32> matrix{};
  std::size_t bytes_read = 0;

private:
  template <class Array>
  static bool inside(const Array& a, std::uintptr_t at, std::size_t bytes) {
    const std::uintptr_t low = address(a.data());
    return at >= low && bytes <= sizeof a && at - low <= sizeof a - bytes;
  }
};

/// "int 5", "float[2x3] 1 2 3 4 5 6".
std::string shown(const value& v) {
  return fmt::format("{}{} {}",
                     v.type.spelling,
                     v.shape.empty() ? "" : fmt::format("[{}]", fmt::join(v.shape, "x")),
                     fmt::join(element_texts(v, 1000), " "));
}

struct row {
  const char* text;
  const char* result;
};

struct error_row {
  const char* text;
  std::size_t column;
  const char* message;
};

} // namespace

TEST_CASE("literals have the types that C++ gives them") {
  names env;
  const auto r = GENERATE(values<row>({
      {"42", "int 42"},
      {"0", "int 0"},
      {"017", "int 15"},
      {"0x1F", "int 31"},
      {"0b101", "int 5"},
      {"1'000'000", "int 1000000"},
      {"42u", "unsigned int 42"},
      {"42L", "long 42"},
      {"42ull", "unsigned long 42"},
      {"2147483648", "long 2147483648"},
      {"0xffffffff", "unsigned int 4294967295"},
      {"0xffffffffffffffff", "unsigned long 18446744073709551615"},
      {"18446744073709551615", "unsigned long 18446744073709551615"},
      {"1.5", "double 1.5"},
      {".5", "double 0.5"},
      {"1e3", "double 1000"},
      {"2.5e-1f", "float 0.25"},
      {"0x1p-2", "double 0.25"},
      {"'a'", "char 97"},
      {"'\\n'", "char 10"},
      {"'\\x41'", "char 65"},
      {"'\\''", "char 39"},
      {"true", "bool true"},
      {"false", "bool false"},
      {"nullptr == 0", "bool true"},
  }));
  CAPTURE(r.text);
  CHECK(shown(expression(r.text).evaluate(env)) == r.result);
}

TEST_CASE("operators compute as in C++") {
  names env;
  const auto r = GENERATE(values<row>({
      {"-n", "int -5"},
      {"+c", "int -3"},
      {"!n", "bool false"},
      {"!0.0", "bool true"},
      {"~n", "int -6"},
      {"-u", "unsigned int 4294967289"},
      {"n * 3", "int 15"},
      {"n / 2", "int 2"},
      {"-n / 2", "int -2"},
      {"n % 3", "int 2"},
      {"-n % 3", "int -2"},
      {"n / 2.0", "double 2.5"},
      {"x / 2", "float 1.25"},
      {"1.0 / 0", "double inf"},
      {"n + u", "unsigned int 12"},
      {"n - u", "unsigned int 4294967294"},
      {"n + long_one", "long 1099511627781"},
      {"x + d", "double 2.6"},
      {"c + c", "int -6"},
      {"2147483647 + 1", "int -2147483648"},
      {"(-2147483647 - 1) / -1", "int -2147483648"},
      {"(-2147483647 - 1) % -1", "int 0"},
      {"n << 2", "int 20"},
      {"-8 >> 1", "int -4"},
      {"0x80000000 >> 31", "unsigned int 1"},
      {"1L << 40", "long 1099511627776"},
      {"n < 6", "bool true"},
      {"n <= 5", "bool true"},
      {"n > 5", "bool false"},
      {"n >= 5", "bool true"},
      {"n == 5.0", "bool true"},
      {"n != 5", "bool false"},
      {"-1 < u", "bool false"},
      {"6 & 3", "int 2"},
      {"6 ^ 3", "int 5"},
      {"6 | 3", "int 7"},
      {"n && 0", "bool false"},
      {"n || 0", "bool true"},
      {"0 || 0.0", "bool false"},
      {"n - -1", "int 6"},
      {"h + 1", "double 2.5"},
      {"bf * e5", "double 6"},
      {"e4 + tf", "double 1.5"},
      {"h == 1.5", "bool true"},
  }));
  CAPTURE(r.text);
  CHECK(shown(expression(r.text).evaluate(env)) == r.result);
}

TEST_CASE("operators bind as in C++") {
  names env;
  const auto r = GENERATE(values<row>({
      {"1 + 2 * 3", "int 7"},      {"(1 + 2) * 3", "int 9"},      {"10 - 4 - 3", "int 3"},
      {"100 / 10 / 5", "int 2"},   {"1 + 1 << 2", "int 8"},       {"1 << 2 < 5", "bool true"},
      {"1 < 2 == 1", "bool true"}, {"1 == 1 & 3", "int 1"},       {"7 & 3 == 3", "int 1"},
      {"1 | 2 ^ 3 & 1", "int 3"},  {"1 || 0 && 0", "bool true"},  {"0 && 0 | 1", "bool false"},
      {"-2 * 3", "int -6"},        {"!n == 0", "bool true"},      {"-(n)", "int -5"},
      {"- - n", "int 5"},          {"*p + 1", "int 1"},           {"*(p + 1)", "int 1"},
      {"-p[3]", "int -3"},         {"*&n + 0 || 1", "bool true"},
  }));
  CAPTURE(r.text);
  if (std::string(r.text).find("*&n") == 0) {
    env.all["n"].address = names::address(&env.bins[5]);
  }
  CHECK(shown(expression(r.text).evaluate(env)) == r.result);
}

TEST_CASE("the right side of && and || is looked at only if it decides") {
  names env;
  CHECK(shown(expression("0 && unknown").evaluate(env)) == "bool false");
  CHECK(shown(expression("1 || 1 / 0").evaluate(env)) == "bool true");
  CHECK_THROWS_AS(expression("1 && unknown").evaluate(env), expression_error);
}

TEST_CASE("names") {
  names env;
  const auto r = GENERATE(values<row>({
      {"n", "int 5"},
      {"$block", "int 3"},
      {"$block + 1", "int 4"},
      {"plain", "unsigned long 9"},
      {"app::limit", "int 100"},
      {"h", "__half 1.5"},
      {"bf", "__nv_bfloat16 3"},
      {"e4", "__nv_fp8_e4m3 1"},
      {"c", "signed char -3"},
      {"t", "float[4] 0 1 0 -2"},
      {"m", "int[2x3] 1 2 3 4 5 6"},
      {"s.x", "int 1"},
      {"s.y * 2", "float 1"},
      {"structs[1].x", "int 20"},
      {"size(structs)", "unsigned long 2"},
  }));
  CAPTURE(r.text);
  CHECK(shown(expression(r.text).evaluate(env)) == r.result);
}

TEST_CASE("a variable that is missing is an answer, a struct too") {
  names env;
  CHECK(expression("gone").evaluate(env).missing == "optimised out");
  CHECK(expression("s").evaluate(env).members.size() == 2);
}

TEST_CASE("indices and slices are half open and may have a stride") {
  names env;
  const auto r = GENERATE(values<row>({
      {"t[1]", "float 1"},
      {"t[n - 2]", "float -2"},
      {"t[0:2]", "float[2] 0 1"},
      {"t[1:]", "float[3] 1 0 -2"},
      {"t[:2]", "float[2] 0 1"},
      {"t[:]", "float[4] 0 1 0 -2"},
      {"t[0:4:2]", "float[2] 0 0"},
      {"t[0:4:3]", "float[2] 0 -2"},
      {"t[::2]", "float[2] 0 0"},
      {"t[1:4][2]", "float -2"},
      {"m[1,2]", "int 6"},
      {"m[1][2]", "int 6"},
      {"m[1]", "int[3] 4 5 6"},
      {"m[:, 1]", "int[2] 2 5"},
      {"m[0:2, 1:3]", "int[2x2] 2 3 5 6"},
      {"m[0:1]", "int[1x3] 1 2 3"},
      {"m[1, 0:3:2]", "int[2] 4 6"},
      {"bins[3]", "int 3"},
      {"bins[2:6]", "int[4] 2 3 4 5"},
      {"bins[1:16:5]", "int[3] 1 6 11"},
      {"bins[0:16:4][1:3]", "int[2] 4 8"},
      {"matrix[3, 7]", "float 31"},
      {"matrix[0:4, 3]", "float[4] 3 11 19 27"},
      {"matrix[1:3, 6:8]", "float[2x2] 14 15 22 23"},
      {"matrix[2][1:3]", "float[2] 17 18"},
      {"huge[15]", "int 15"},
      {"size(huge)", "unsigned long 1073741824"},
  }));
  CAPTURE(r.text);
  CHECK(shown(expression(r.text).evaluate(env)) == r.result);
}

TEST_CASE("the name of a buffer is a pointer where C++ needs one, and its elements elsewhere") {
  names env;
  env.all["buffer"] = env.all["bins"];
  env.all["buffer"].decays = true;
  env.all["parts[1]"] = env.all["buffer"];
  env.all["parts[1]"].type.spelling.clear();
  env.all["other"] = env.all["matrix"];
  env.all["other"].decays = true;
  const auto r = GENERATE(values<row>({
      {"*(buffer + 3)", "int 3"},
      {"buffer + 3 == &buffer[3]", "bool true"},
      {"(1 + buffer) - buffer", "long 1"},
      {"buffer[3] + 1", "int 4"},
      {"buffer[0:3] + 1", "int[3] 1 2 3"},
      {"sum(buffer * 2)", "long 240"},
      {"any(buffer == 15)", "bool true"},
      {"*(parts[1] + 3)", "int 3"},
      {"parts[1] + 1 == &buffer[1]", "bool true"},
      {"parts[1][2:4] + 1", "int[2] 3 4"},
      {"parts[1][2] + 1", "int 3"},
      {"buffer[0:3][1] + 1", "int 2"},
      {"buffer == p", "bool true"},
      {"end != buffer", "bool true"},
      {"end > buffer", "bool true"},
      {"parts[1] == buffer", "bool true"},
      {"buffer == other", "bool false"},
      {"sum(buffer[0:4] == 2)", "long 1"},
      {"sum(buffer < 4)", "long 4"},
      {"*(float*)other", "float 0"},
      {"((float*)other)[9]", "float 9"},
      {"(int*)parts[1] + 2 == &buffer[2]", "bool true"},
      {"(char*)buffer + 4 == &buffer[1]", "bool true"},
      {"((long)buffer)[2]", "long 2"},
      {"size(buffer)", "unsigned long 16"},
  }));
  CAPTURE(r.text);
  CHECK(shown(expression(r.text).evaluate(env)) == r.result);
}

TEST_CASE("a slice of a buffer reads the slice alone") {
  names env;
  CHECK(expression("huge[4:6]").evaluate(env).count() == 2);
  CHECK(env.bytes_read == 2 * sizeof(int));
}

TEST_CASE("elements, slices and rows know where they lie") {
  names env;
  struct place_row {
    const char* text;
    std::ptrdiff_t element; ///< of the array; -1: no place
    std::int64_t stride;
  };
  const auto r = GENERATE(values<place_row>({
      {"bins[3]", 3, 1},
      {"bins[2:6]", 2, 1},
      {"bins[1:16:5]", 1, 5},
      {"bins[0:16:4][1:3]", 4, 4},
      {"p[2:4]", 2, 1},
      {"*(p + 5)", 5, 1},
      {"bins + 0", -1, 1},
  }));
  CAPTURE(r.text);
  const value v = expression(r.text).evaluate(env);
  CHECK(v.address.has_value() == (r.element >= 0));
  if (v.address) {
    CHECK(*v.address == names::address(env.bins.data() + r.element));
    CHECK(v.stride == r.stride);
  }
  const value column = expression("matrix[0:4, 3]").evaluate(env);
  CHECK(*column.address == names::address(&env.matrix[3]));
  CHECK(column.stride == 8);
  CHECK_FALSE(expression("matrix[1:3, 6:8]").evaluate(env).address.has_value());
  CHECK(expression("matrix[1:3]").evaluate(env).stride == 1);
}

TEST_CASE("pointers") {
  names env;
  const auto r = GENERATE(values<row>({
      {"p[4]", "int 4"},
      {"end[-1]", "int 15"},
      {"*p", "int 0"},
      {"p[0:4]", "int[4] 0 1 2 3"},
      {"p[0:8:3]", "int[3] 0 3 6"},
      {"(p + 4)[-2:2]", "int[4] 2 3 4 5"},
      {"end - p", "long 16"},
      {"end - 1 == p + 15", "bool true"},
      {"end + 9223372036854775807 == end - 1", "bool true"}, // addresses wrap
      {"end - (-9223372036854775807 - 1) == end", "bool true"},
      {"p == v", "bool true"},
      {"p != nullptr", "bool true"},
      {"p && 1", "bool true"},
      {"*&bins[3]", "int 3"},
      {"&bins[3] - p", "long 3"},
      {"(&bins)[2]", "int 2"},
      {"*bins", "int 0"},
      {"((int*)v)[2]", "int 2"},
      {"((unsigned char*)p)[4:8]", "unsigned char[4] 1 0 0 0"},
      {"*(int*)((unsigned long)p + 8)", "int 2"},
      {"*ptrs", "int[2] 2 9"},
      {"*(ptrs + 1)", "int[2] 3 10"},
      {"*ptrs[1]", "int 9"},
      {"ptrs[0] < ptrs[1]", "bool true"},
      {"sp->x", "int 1000"},
      {"(*sp).x", "int 1000"},
      {"sp[2].x", "int 1016"},
      {"(sp + 1)->x", "int 1008"},
      {"(1 + sp)->y", "float 0.5"},
  }));
  CAPTURE(r.text);
  CHECK(shown(expression(r.text).evaluate(env)) == r.result);
}

TEST_CASE("operators go element by element") {
  names env;
  const auto r = GENERATE(values<row>({
      {"t == 0", "bool[4] true false true false"},
      {"0 < t", "bool[4] false true false false"},
      {"t * 2", "float[4] 0 2 0 -4"},
      {"t + t", "float[4] 0 2 0 -4"},
      {"m % 2", "int[2x3] 1 0 1 0 1 0"},
      {"m + m", "int[2x3] 2 4 6 8 10 12"},
      {"t + r0", "float[4] 9 10 9 7"},
      {"1 << m[0]", "int[3] 2 4 8"},
      {"-t", "float[4] -0 -1 -0 2"},
      {"!t", "bool[4] true false true false"},
      {"~m[0]", "int[3] -2 -3 -4"},
      {"t == 0 && bins[0:4] > 1", "bool[4] false false true false"},
      {"t != 0 || bins[0:4] > 2", "bool[4] false true false true"},
      {"1 && t", "bool[4] false true false true"},
      {"(int)t", "int[4] 0 1 0 -2"},
      {"sum(t)", "double -1"},
      {"sum(m)", "long 21"},
      {"sum(t == 0)", "long 2"},
      {"sum(m[:, 0])", "long 5"},
      {"min(t)", "float -2"},
      {"max(m)", "int 6"},
      {"max(nans)", "float nan"},
      {"any(t == 1)", "bool true"},
      {"any(t == 7)", "bool false"},
      {"all(m > 0)", "bool true"},
      {"all(m > 1)", "bool false"},
      {"size(m)", "unsigned long 6"},
      {"isnan(nans)", "bool[3] false true false"},
      {"isnan(m[0])", "bool[3] false false false"},
      {"any(isnan(nans))", "bool true"},
      {"min(h)", "__half 1.5"},
  }));
  CAPTURE(r.text);
  CHECK(shown(expression(r.text).evaluate(env)) == r.result);
}

TEST_CASE("casts convert as C++ does, and saturate where C++ says nothing") {
  names env;
  const auto r = GENERATE(values<row>({
      {"(float)n / 2", "float 2.5"},
      {"(int)2.9", "int 2"},
      {"(int)-2.9", "int -2"},
      {"(unsigned char)300", "unsigned char 44"},
      {"(char)-1", "char -1"},
      {"(unsigned)-1", "unsigned int 4294967295"},
      {"(long long)n", "long 5"},
      {"(unsigned long int)n", "unsigned long 5"},
      {"(const short)70000", "short 4464"},
      {"(std::int64_t)n", "long 5"},
      {"(uint8_t)257", "unsigned char 1"},
      {"(size_t)n", "unsigned long 5"},
      {"(bool)0.5", "bool true"},
      {"(double)x", "double 2.5"},
      {"(__half)0.1", "__half 0.1"},
      {"(__nv_bfloat16)1.01", "__nv_bfloat16 1.01"},
      {"(__nv_fp8_e4m3)1000", "__nv_fp8_e4m3 448"},
      {"(__nv_fp8_e5m2)3", "__nv_fp8_e5m2 3"},
      {"(int)1e30", "int 2147483647"},
      {"(int)-1e30", "int -2147483648"},
      {"(unsigned)-1.0", "unsigned int 0"},
      {"(int)nans[1]", "int 0"},
      {"(n) - 1", "int 4"},
      {"(float*)0x10 == (int*)16", "bool true"},
  }));
  CAPTURE(r.text);
  CHECK(shown(expression(r.text).evaluate(env)) == r.result);
}

TEST_CASE("casts to the program's own types take them from the environment") {
  names env;
  const auto r = GENERATE(values<row>({
      {"(myint)2.9", "myint 2"},
      {"(myint)(-x)", "myint -2"},
      {"(const myint)(n + 1)", "myint 6"},
      {"(app::word)(-1)", "app::word 65535"},
      {"(app::word)~0", "app::word 65535"},
      {"((myint*)v)[3]", "myint 3"},
      {"*(app::word*)p", "app::word 0"},
      {"((struct pair*)100)->x", "int 100"},
      {"((pair*)100)[2].x", "int 116"},
      {"(myint)n * 2", "int 10"},
      {"(n) * 2", "int 10"},
      {"(n) - 1", "int 4"},
      {"(n)", "int 5"},
      {"(myint*)0x10 == (float*)16", "bool true"},
      {"(pair**)p == p", "bool true"},
  }));
  CAPTURE(r.text);
  CHECK(shown(expression(r.text).evaluate(env)) == r.result);
}

#define NO_TYPE "' here: write what it stands for, as int or unsigned long"

TEST_CASE("casts to what is no type, or no number, are told with the type's column") {
  names env;
  const auto r = GENERATE(values<error_row>({
      {"(mint)n", 1, "the debug information has no type 'mint" NO_TYPE},
      {"*(mint*)p", 2, "the debug information has no type 'mint" NO_TYPE},
      {"(const ns::pair *)p", 7, "the debug information has no type 'ns::pair" NO_TYPE},
      {"(myint)-x",
       1,
       "'myint' is a type: in a cast, put what follows in parentheses, as in (myint)(-1)"},
      {"(n)(p)", 1, "the debug information has no type 'n" NO_TYPE},
      {"(pair)n",
       1,
       "'pair' is no number, which casts make: cast to a pointer to it, as in (pair*)p"},
      {"(myint*)x", 0, "float cannot become myint*"},
  }));
  CAPTURE(r.text);
  try {
    static_cast<void>(expression(r.text).evaluate(env));
    FAIL("no error");
  } catch (const expression_error& e) {
    CHECK(e.what() == std::string(r.message));
    CHECK(e.column() == r.column);
  }
}

TEST_CASE("what is no expression is told with its column") {
  const auto r = GENERATE(values<error_row>({
      {"", 0, "expected a name or a number here"},
      {"1 +", 3, "expected a name or a number here"},
      {"1 2", 2, "expected an operator or the end, not '2'"},
      {"(1", 2, "expected ')' here"},
      {"(1]", 2, "expected ')', not ']'"},
      {"a[1", 3, "expected ']' here"},
      {"a[]", 2, "expected a name or a number, not ']'"},
      {"(a b)", 3, "expected ')', not 'b'"},
      {"(a *)", 5, "expected a name or a number here"},
      {"a.", 2, "expected a member's name here"},
      {"a->5", 3, "expected a member's name, not '5'"},
      {"n = 3", 2, "expressions change nothing; '==' compares"},
      {"n += 3", 2, "expressions change nothing, '+=' would"},
      {"++n", 0, "expressions change nothing, '++' would"},
      {"a @ b", 2, "'@' is no part of an expression"},
      {"a ? b : c", 2, "'?:' is not supported"},
      {"\"text\"", 0, "strings are not supported"},
      {"'ab'", 0, "'ab' is no single character"},
      {"'a", 0, "the character has no closing '"},
      {"12ab", 0, "'12ab' is no number"},
      {"1.2.3", 0, "'1.2.3' is no number"},
      {"08", 0, "'08' is no number"},
      {"0x", 0, "'0x' is no number"},
      {"18446744073709551616", 0, "18446744073709551616 does not fit in 64 bits"},
      {"f(1)", 0, "'f' cannot be called: there are sum, min, max, any, all, size and isnan"},
      {"1 + sum(a, b)", 4, "'sum' takes one argument, not 2"},
      {"min()", 0, "'min' takes one argument, not 0"},
      {"(int n", 5, "expected ')', not 'n'"},
  }));
  CAPTURE(r.text);
  try {
    expression e(r.text);
    FAIL("no error");
  } catch (const expression_error& e) {
    CHECK(e.what() == std::string(r.message));
    CHECK(e.column() == r.column);
  }
}

TEST_CASE("what cannot be evaluated is told with its column") {
  names env;
  const auto r = GENERATE(values<error_row>({
      {"1 + foo", 4, "no variable or buffer is named 'foo'"},
      {"$foo", 0, "there is no '$foo'"},
      {"$1", 0, "values that were printed are not kept; print the expression again"},
      {"2 * $", 4, "values that were printed are not kept; print the expression again"},
      {"bins[16]", 5, "index 16 is outside bins, which has 16 elements"},
      {"bins[-1]", 5, "index -1 is outside bins, which has 16 elements"},
      {"r0[1]", 3, "index 1 is outside r0, which has 1 element"},
      {"m[0, 3]", 5, "index 3 is outside dimension 1 of m, which has 3 elements"},
      {"m[0][3]", 5, "index 3 is outside m[0], which has 3 elements"},
      {"m[0,0,0]", 6, "m has 2 dimensions, and here are 3 indices"},
      {"t[0,0]", 4, "t has 1 dimension, and here are 2 indices"},
      {"n[0]", 1, "n is one int and takes no index"},
      {"t[0.5]", 2, "an index is one integer, and 0.5 is double"},
      {"t[t == 0]", 4, "an index is one integer, and t == 0 is 4 elements"},
      {"bins[0:20]", 5, "the slice 0:20 is outside bins, which has 16 elements"},
      {"bins[5:3]", 5, "the slice 5:3 is empty; its end is the first index left out"},
      {"bins[-4:8]", 5, "-4 in a slice of bins: indices count from 0, not from the end"},
      {"bins[0:-1]", 5, "-1 in a slice of bins: indices count from 0, not from the end"},
      {"bins[0:8:0]", 5, "the stride of a slice is 1 or more, not 0"},
      {"bins[8:0:-1]", 5, "the stride of a slice is 1 or more, not -1"},
      {"p[0:]", 2, "a slice of p, a pointer, needs an end: p[0:16]"},
      {"p[0,1]", 4, "p is a pointer and takes one index, not 2"},
      {"p[-9223372036854775807:4]",
       2,
       "the slice -9223372036854775807:4 is longer than 16777216 elements"},
      {"p[0:1000000000]", 2, "the slice 0:1000000000 is longer than 16777216 elements"},
      {"huge", 0, "huge has 1073741824 elements, more than can be shown; take a slice, huge[0:16]"},
      {"*n", 0, "'*' takes a pointer, and n is int"},
      {"*v", 1, "what v, a 'void*', points to has no type to show; cast it, as in (float*)v"},
      {"v + 1", 2, "'+' on a 'void*' needs to know what it points to; cast it"},
      {"*(int*)8", 0, "*(int*)8 cannot be read: 4 bytes at 0x8 are not accessible"},
      {"((int*)8)[0:2]", 9, "((int*)8)[0:2] cannot be read: 8 bytes at 0x8 are not accessible"},
      {"&n", 0, "n has no address"},
      {"&(n + 1)", 0, "(n + 1) has no address"},
      {"1 / 0", 2, "division by zero"},
      {"m % 0", 2, "division by zero"},
      {"x % 2", 2, "'%' takes integers, not float and int"},
      {"n & d", 2, "'&' takes integers, not int and double"},
      {"x << 1", 2, "'<<' takes integers, not float and int"},
      {"1 << 32", 2, "a shift of 32 bits takes 0 to 31, not 32"},
      {"1 >> -1", 2, "a shift of 32 bits takes 0 to 31, not -1"},
      {"~x", 0, "'~' takes integers, not float"},
      {"-p", 0, "'-' takes numbers, not int*"},
      {"p + p", 2, "'+' takes numbers, not int* and int*"},
      {"p * 2", 2, "'*' takes numbers, not int* and int"},
      {"1 - p", 2, "'-' takes numbers, not int and int*"},
      {"p < 1.5", 2, "'<' takes two pointers or two numbers, not int* and double"},
      {"(float)p", 0, "int* cannot become float"},
      {"sum(ptrs)", 0, "'sum' takes numbers, not int*"},
      {"t + m",
       2,
       "'+' takes equal shapes, or a single number on one side: one is 4, the other 2x3"},
      {"t == t[0:2]",
       2,
       "'==' takes equal shapes, or a single number on one side: one is 4, the other 2"},
      {"s + 1", 2, "'+' takes numbers, not 'point'"},
      {"s[0]", 1, "s is a struct and takes no index; its members are x, y"},
      {"s.z", 2, "s has no member 'z'; it has x, y"},
      {"n.x", 2, "n has no members"},
      {"sp.x", 3, "sp is a pointer, use '->'"},
      {"s->x", 3, "'->' takes a pointer; s is none, use '.'"},
      {"sp->z", 4, "*sp has no member 'z'; it has x, y"},
      {"p->x", 3, "*p has no members"},
      {"structs[2]", 8, "index 2 is outside structs, which has 2 elements"},
      {"structs[0:1]", 7, "structs is an array of structs and takes one index"},
      {"sp[0:2]", 3, "sp points to more than single elements and takes an index, not a slice"},
      {"size(gone)", 5, "gone is optimised out"},
      {"(float*)gone", 8, "gone is optimised out"},
      {"gone == p", 0, "gone is optimised out"},
      {"gone + 1", 0, "gone is optimised out"},
      {"gone[0]", 0, "gone is optimised out"},
      {"&gone", 1, "gone is optimised out"},
  }));
  CAPTURE(r.text);
  try {
    const value v = expression(r.text).evaluate(env);
    FAIL("no error: " << shown(v));
  } catch (const expression_error& e) {
    CHECK(e.what() == std::string(r.message));
    CHECK(e.column() == r.column);
  }
}

TEST_CASE("text of any length and depth is an expression or an error, no crash") {
  CHECK_THROWS_AS(expression(std::string(100'000, '(')), expression_error);
  CHECK_THROWS_AS(expression(std::string(100'000, '-') + "1"), expression_error);
  std::string terms = "1";
  for (int i = 0; i < 100'000; ++i) {
    terms += "+1";
  }
  CHECK_THROWS_AS(expression(terms), expression_error);
  names env;
  CHECK(shown(expression(terms.substr(0, 801)).evaluate(env)) == "int 401");
}

TEST_CASE("conditions") {
  names env;
  CHECK(is_true(expression("n == 5").evaluate(env)));
  CHECK(is_true(expression("0.5").evaluate(env)));
  CHECK_FALSE(is_true(expression("t[0]").evaluate(env)));
  CHECK(is_true(expression("p").evaluate(env)));
  const auto r = GENERATE(values<row>({
      {"t == 0", "a condition is one number, not 4 elements; any(...) and all(...) make one"},
      {"s", "a condition is one number, not a struct"},
      {"gone", "a condition needs a value, and this is optimised out"},
  }));
  try {
    static_cast<void>(is_true(expression(r.text).evaluate(env)));
    FAIL("no error");
  } catch (const expression_error& e) {
    CHECK(e.what() == std::string(r.result));
  }
}

TEST_CASE("an expression keeps its text and may be moved") {
  names env;
  expression e("n + 1");
  expression moved = std::move(e);
  CHECK(moved.text() == "n + 1");
  CHECK(shown(moved.evaluate(env)) == "int 6");
}

TEST_CASE("texts of elements stop at the limit") {
  names env;
  const value v = expression("bins").evaluate(env);
  CHECK(element_texts(v, 3) == std::vector<std::string>{"0", "1", "2"});
  CHECK(element_texts(v, 100).size() == 16);
}
