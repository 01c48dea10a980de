// Recordings: what is read, what is refused and in which words, what counts as a difference.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu_backend/recording.hpp"

#include "support/catch.hpp"

#include <fmt/format.h>

namespace {

using namespace tilesim::recording;

const std::string header = "tilesim-recording 1\n"
                           "source 0123456789abcdef a.cu\n"
                           "device NVIDIA H200, compute capability 9.0\n"
                           "driver 580.159.04, CUDA 13.0\n"
                           "compiler nvcc 13.4.92, host compiler 12.2.0\n"
                           "flags -fmad=false\n";

/// A copy's lines, with the right hash.
std::string copy_of(std::string_view type_name,
                    const std::vector<std::uint64_t>& values,
                    std::size_t kept = SIZE_MAX,
                    std::string_view label = "y.data()") {
  const cell_type type = *find_cell_type(type_name);
  cell_hash hash;
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    hash.add(type, values[i]);
    if (i < kept) {
      text += fmt::format("{}{:0{}x}", i % 16 == 0 ? "\n " : " ", values[i], 2 * type.size);
    }
  }
  return fmt::format(
      "copy {} {} {:016x} at a.cu:12: {}{}\n", type_name, values.size(), hash.value(), label, text);
}

recording recorded(const std::string& copies, int count) {
  return parse(header + copies + fmt::format("end {}\n", count), "a.rec");
}

std::string refusal(const std::string& text) {
  try {
    (void)parse(text, "a.rec");
  } catch (const malformed& e) {
    return e.what();
  }
  return "accepted";
}

std::vector<std::string> facts(const std::vector<difference>& differences) {
  std::vector<std::string> found;
  for (const difference& d : differences) {
    found.push_back(d.fact);
  }
  return found;
}

TEST_CASE("a recording's lines become data") {
  const recording r = recorded(copy_of("float", {0x3f800000, 0x7fffffff}) +
                                   copy_of("bool", {1, 0, 1}, 2, "name: with a colon"),
                               2);
  CHECK(r.source == "0123456789abcdef a.cu");
  CHECK(r.device == "NVIDIA H200, compute capability 9.0");
  CHECK(r.driver == "580.159.04, CUDA 13.0");
  CHECK(r.compiler == "nvcc 13.4.92, host compiler 12.2.0");
  CHECK(r.flags == "-fmad=false");
  REQUIRE(r.copies.size() == 2);
  CHECK(r.copies[0].label == "y.data()");
  CHECK(r.copies[0].where == "a.cu:12");
  CHECK(r.copies[0].type.name == "float");
  CHECK(r.copies[0].values == std::vector<std::uint64_t>{0x3f800000, 0x7fffffff});
  CHECK(r.copies[0].line == 7);
  CHECK(r.copies[1].label == "name: with a colon");
  CHECK(r.copies[1].count == 3);
  CHECK(r.copies[1].values == std::vector<std::uint64_t>{1, 0});
}

TEST_CASE("a copy of nothing and a recording without copies are recordings") {
  CHECK(recorded("", 0).copies.empty());
  CHECK(recorded(copy_of("int8", {}), 1).copies[0].count == 0);
}

TEST_CASE("what is no recording is refused with the line and the remedy") {
  struct row {
    std::string text, expected;
  };
  const std::string one = copy_of("int8", {1});
  const auto [text, expected] = GENERATE_COPY(values<row>({
      {"",
       "a.rec:1: error: the recording ends where the version is expected; the program that "
       "wrote it was stopped: record it again"},
      {"int main() {}\n",
       "a.rec:1: error: no recording: the first line is to be 'tilesim-recording 1'"},
      {"tilesim-recording 2\n",
       "a.rec:1: error: this is 'tilesim-recording 2', known is 'tilesim-recording 1'; record it "
       "again"},
      {"tilesim-recording 1\ndevice x\n", "a.rec:2: error: expected 'source …', got 'device'"},
      {header,
       "a.rec:7: error: the recording ends where 'copy …' or 'end N' is expected; the "
       "program that wrote it was stopped: record it again"},
      {header + one,
       "a.rec:9: error: the recording ends where 'copy …' or 'end N' is expected; "
       "the program that wrote it was stopped: record it again"},
      {header + one + "end 2\n",
       "a.rec:9: error: the recording holds 1 copies, and its end says '2'"},
      {header + "end 0\nend 0\n", "a.rec:8: error: text after the recording's end"},
      {header + "paste int8\n", "a.rec:7: error: expected 'copy …' or 'end N', got 'paste'"},
      {header + "copy int8 1\n",
       "a.rec:7: error: expected 'copy TYPE COUNT HASH at FILE:LINE: LABEL'"},
      {header + "copy int8 x 0123456789abcdef at a.cu:1: y\n",
       "a.rec:7: error: the count is to be a whole number, not 'x'"},
      {header + "copy int8 1 123 at a.cu:1: y\n",
       "a.rec:7: error: the hash is to be 16 hexadecimal digits, not '123'"},
      {header + "copy int8 1 0123456789abcdef at a.cu:1: y\n 123\n",
       "a.rec:8: error: a int8 is written with 2 hexadecimal digits, not '123'"},
      {header + "copy int8 1 0123456789abcdef at a.cu:1: y\n 0g\n",
       "a.rec:8: error: a int8 is written with 2 hexadecimal digits, not '0g'"},
      {header + "copy int8 1 0123456789abcdef at a.cu:1: y\n 01 02\n",
       "a.rec:8: error: more values than the 1 of the copy in line 7"},
      {header + "copy int8 1 0123456789abcdef at a.cu:1: y\n 01\nend 1\n",
       "a.rec:8: error: the values of the copy in line 7 have the hash af63bc4c8601b62c, not "
       "0123456789abcdef; the recording was changed by hand: record it again"},
  }));
  CHECK(refusal(text) == expected);
}

TEST_CASE("an unknown type is refused with the known ones") {
  const std::string message = refusal(header + "copy quad 1 0123456789abcdef at a.cu:1: y\n");
  CHECK(message.find("a.rec:7: error: unknown type 'quad'; known are bool byte int8") == 0);
}

TEST_CASE("a file that is not there is refused") {
  CHECK_THROWS_WITH(read("/nonexistent/a.rec"), "/nonexistent/a.rec: error: cannot be read");
}

TEST_CASE("every NaN is one pattern, every true bool 1, every address null or not") {
  struct row {
    const char* type;
    std::uint64_t bits, expected;
  };
  const auto [type, bits, expected] = GENERATE(values<row>({
      {"float", 0xffc00001, 0x7fffffff},
      {"float", 0x7f800001, 0x7fffffff},
      {"float", 0xff800000, 0xff800000}, // an infinity stays
      {"double", 0xfff8000000000000, 0x7fffffffffffffff},
      {"double", 0x7ff0000000000000, 0x7ff0000000000000},
      {"half", 0xfe00, 0x7fff},
      {"half", 0x7c00, 0x7c00},
      {"bf16", 0xffc0, 0x7fff},
      {"tf32", 0x7fc00000, 0x7fffffff},
      {"e5m2", 0xfe, 0x7f},
      {"e5m2", 0x7c, 0x7c},
      {"e4m3", 0xff, 0x7f},
      {"e4m3", 0x7e, 0x7e}, // 448, not a NaN
      {"bool", 0x80, 1},
      {"bool", 0, 0},
      {"pointer", 0x7f0000000000, 1},
      {"pointer", 0, 0},
      {"int32", 0xffc00001, 0xffc00001},
  }));
  CAPTURE(type, bits);
  CHECK(normalised(*find_cell_type(type), bits) == expected);
}

TEST_CASE("the hash is FNV-1a of the cells' bytes, the lowest first") {
  cell_hash nothing;
  CHECK(nothing.value() == 0xcbf29ce484222325);
  cell_hash foobar; // the published value for "foobar"
  for (const char c : std::string("foobar")) {
    foobar.add(*find_cell_type("byte"), static_cast<unsigned char>(c));
  }
  CHECK(foobar.value() == 0x85944171f73967e8);
  cell_hash wide; // the same bytes as two cells of int16 and one of them again
  wide.add(*find_cell_type("int16"), 'f' | 'o' << 8);
  wide.add(*find_cell_type("int32"), 'o' | 'b' << 8 | 'a' << 16 | 'r' << 24);
  CHECK(wide.value() == foobar.value());
}

TEST_CASE("copies differ by label, type, count and value, and beyond the kept values by hash") {
  const std::string whole = copy_of("float", {0x3f800000, 0x40000000, 0x40400000});
  struct row {
    std::string expected, actual;
    std::vector<std::string> differences;
  };
  const auto [expected, actual, differences] = GENERATE_COPY(values<row>({
      {whole, whole, {}},
      {whole, copy_of("float", {0x3f800000, 0x40000000, 0x40400000}, 1), {}},
      {whole,
       copy_of("float", {0x3f800000, 0x40000001, 0x40400000}),
       {"element 1 is 40000001 (2.00000024), recorded was 40000000 (2)"}},
      {copy_of("float", {0x3f800000, 0x40000000, 0x40400000}, 1),
       copy_of("float", {0x3f800000, 0x40000000, 0x7fffffff}, 1),
       {"the hashes of 3 elements differ, 79327dc825d6ea34 and 1de40d89811fe258 as recorded, the "
        "first 1 agree; set TILESIM_RECORD_VALUES=all for both recordings to see which"}},
      {whole, copy_of("float", {0x3f800000}), {"the copy is of 1 float, recorded were 3 float"}},
      {whole,
       copy_of("uint32", {0x3f800000, 0x40000000, 0x40400000}),
       {"the copy is of 3 uint32, recorded were 3 float"}},
      {whole,
       copy_of("float", {0x3f800000, 0x40000000, 0x40400000}, 3, "z"),
       {"the copy is 'z', recorded was 'y.data()'"}},
      {copy_of("half", {0xc000}),
       copy_of("half", {0x7fff}),
       {"element 0 is 7fff (nan), recorded was c000 (-2)"}},
      {copy_of("e4m3", {0x01}),
       copy_of("e4m3", {0x7e}),
       {"element 0 is 7e (448), recorded was 01 (0.001953125)"}},
      {copy_of("int8", {0x80}), copy_of("int8", {0x7f}), {"element 0 is 7f, recorded was 80"}},
  }));
  const recording e = recorded(expected, 1);
  const recording a = recorded(actual, 1);
  CHECK(facts(compare(e, a, {})) == differences);
}

TEST_CASE("a copy that only one recording has is a difference") {
  const std::string one = copy_of("int8", {1});
  const recording less = recorded(one, 1);
  const recording more = recorded(one + one, 2);
  CHECK(facts(compare(more, less, {})) ==
        std::vector<std::string>{"recorded, and not copied this time"});
  CHECK(facts(compare(less, more, {})) ==
        std::vector<std::string>{"copied, and not in the recording"});
}

TEST_CASE("within a bound values may differ by as many steps, for the labels that it names") {
  const recording e = recorded(copy_of("float", {0x3f800000, 0x7f800000}, 2, "div full"), 1);
  const recording near = recorded(copy_of("float", {0x3f800002, 0x7f7ffffe}, 2, "div full"), 1);
  CHECK(compare(e, near, {{"full", 2}}).empty());
  CHECK(facts(compare(e, near, {{"full", 1}})) ==
        std::vector<std::string>{"element 0 is 3f800002 (1.00000024), recorded was 3f800000 (1): 2 "
                                 "ulp apart, the bound is 1 ulp"});
  CHECK(facts(compare(e, near, {{"sqrt", 2}})).size() == 1);
  const recording nan = recorded(copy_of("float", {0x7fffffff, 0x7f800000}, 2, "div full"), 1);
  CHECK(compare(e, nan, {{"full", 1000}}).size() == 1);
  CHECK(compare(nan, nan, {{"full", 0}}).empty());
}

TEST_CASE("within a bound all values must have been kept") {
  const recording whole = recorded(copy_of("float", {1, 2}, 2, "full"), 1);
  const recording part = recorded(copy_of("float", {1, 2}, 1, "full"), 1);
  CHECK_THROWS_WITH(
      compare(whole, part, {{"full", 2}}),
      "a.rec:7: error: 'full' is to be compared within a bound, but 1 of its 2 values "
      "were kept; record it with TILESIM_RECORD_VALUES=all, or spread:N");
}

namespace {

/// A copy of five floats of which every second one is kept.
std::string spread_copy(std::string_view values, std::string_view hash = "0123456789abcdef") {
  return fmt::format("copy float 5 {} at a.cu:12: y.data()\n every 2\n{}\n", hash, values);
}

} // namespace

TEST_CASE("values may be spread over a copy, and are compared where they stand") {
  const recording e = recorded(spread_copy(" 3f800000 40000000 40400000"), 1);
  CHECK(e.copies[0].every == 2);
  CHECK(e.copies[0].is_kept());
  const recording a = recorded(spread_copy(" 3f800000 40000002 40400000", "0000000000000000"), 1);
  CHECK(facts(compare(e, a, {})) ==
        std::vector<std::string>{"element 2 is 40000002 (2.00000048), recorded was 40000000 (2)"});
  CHECK(compare(e, a, {{"y", 2}}).empty());
  CHECK(facts(compare(e, a, {{"y", 1}})) ==
        std::vector<std::string>{"element 2 is 40000002 (2.00000048), recorded was 40000000 (2): 2 "
                                 "ulp apart, the bound is 1 ulp"});
  CHECK(refusal(header + spread_copy(" 3f800000 40000000 40400000 40800000")) ==
        "a.rec:9: error: more values than the 3 of the copy in line 7");
  CHECK(
      refusal(header + "copy float 5 0123456789abcdef at a.cu:1: y\n every 0\n") ==
      "a.rec:8: error: 'every N' is to stand before the values, with N at least 1, not 'every 0'");
  const recording all =
      recorded(copy_of("float", {0x3f800000, 0x3f800000, 0x40000000, 0x3f800000, 0x40400000}), 1);
  CHECK(facts(compare(e, all, {})).size() == 1); // by the hash
  CHECK_THROWS_WITH(
      compare(e, all, {{"y", 2}}),
      "a.rec:7: error: 'y.data()' is to be compared within a bound, but every 2 th value was kept, "
      "and every 1 th in a.rec; record both with the same TILESIM_RECORD_VALUES");
}

TEST_CASE("a margin is absolute, and relative to what was recorded") {
  const recording e = recorded(copy_of("float", {0x3f800000, 0xc0000000, 0x00000000}), 1); // 1 -2 0
  const recording a = recorded(copy_of("float", {0x3f800001, 0xc0000002, 0x34000000}), 1);
  const double unit = 0x1p-23; // off by: one, four, one of it
  const auto near = [](double absolute, double relative) {
    return std::vector<bound>{{"y", 0, false, absolute, relative}};
  };
  CHECK(compare(e, a, near(4 * unit, 0)).empty());
  CHECK(compare(e, a, near(unit, 2 * unit)).empty());
  CHECK_FALSE(compare(e, a, near(3 * unit, 0)).empty());
  CHECK_FALSE(compare(e, a, near(0, 1)).empty()); // nothing is near zero then
  CHECK(facts(compare(e, a, near(unit, unit))) ==
        std::vector<std::string>{"element 1 is c0000002 (-2.00000048), recorded was c0000000 (-2): "
                                 "2 ulp apart, the bound is 1.19e-07 and 1.19e-07 of the value"});
  CHECK(share_of_bound(e.copies[0], a.copies[0], near(8 * unit, 0)[0]) == 0.5);
  CHECK(share_of_bound(e.copies[0], e.copies[0], near(8 * unit, 0)[0]) == 0);
  const recording nan = recorded(copy_of("float", {0x7fffffff, 0xc0000000, 0x00000000}), 1);
  const recording infinite = recorded(copy_of("float", {0x7f800000, 0xc0000000, 0x00000000}), 1);
  CHECK_FALSE(compare(e, nan, near(1e30, 1)).empty());
  CHECK_FALSE(compare(e, infinite, near(1e30, 1)).empty());
}

TEST_CASE("an open order counts within segments only") {
  const auto lists = [](std::vector<std::uint64_t> values, std::size_t kept = SIZE_MAX) {
    return recorded(
        copy_of("int32", {0, 2, 5}, 3, "start") + copy_of("int32", values, kept, "list"), 2);
  };
  const std::vector<any_order> open{{"list", "start"}};
  const recording e = in_canonical_order(lists({7, 3, 1, 9, 5, 4}), open);
  CHECK(compare(e, in_canonical_order(lists({3, 7, 9, 5, 1, 4}), open), {}).empty());
  CHECK_FALSE(compare(e, in_canonical_order(lists({3, 1, 9, 5, 7, 4}), open), {}).empty());
  CHECK_FALSE(compare(e, in_canonical_order(lists({7, 3, 1, 9, 4, 5}), open), {}).empty());
  CHECK_FALSE(compare(e, lists({3, 7, 9, 5, 1, 4}), {}).empty());
  CHECK_THROWS_WITH(in_canonical_order(lists({7, 3, 1, 9, 5, 4}, 2), open),
                    "a.rec:9: error: 'list' is to be compared in any order, but 2 of its 6 values "
                    "were kept; record it with TILESIM_RECORD_VALUES=all");
  CHECK_THROWS_WITH(in_canonical_order(lists({7, 3}), open),
                    "a.rec:7: error: 'start' are no offsets into the 2 values of 'list'");
  CHECK_THROWS_WITH(in_canonical_order(e, {{"list", "begin"}}),
                    "a.rec: error: there is no copy 'begin' with all its values, which is to say "
                    "where the segments of 'list' begin");
}

TEST_CASE("steps between values count across zero, and both zeros are one") {
  const cell_type type = *find_cell_type("float");
  CHECK(ulps_between(type, 0x00000000, 0x80000000) == 0);
  CHECK(ulps_between(type, 0x00000001, 0x80000001) == 2);
  CHECK(ulps_between(type, 0x3f800000, 0x3f7fffff) == 1);
  CHECK(ulps_between(type, 0x7f7fffff, 0x7f800000) == 1);
  CHECK(ulps_between(type, 0x7fffffff, 0x7fffffff) == 0);
  CHECK(ulps_between(type, 0x7fffffff, 0x3f800000) == UINT64_MAX);
  CHECK(ulps_between(type, 0x00000000, 0x00800000) == 0x00800000);
  CHECK(ulps_between(type, 0x00000000, 0x00800000, true) == 1);
  CHECK(ulps_between(type, 0x807fffff, 0x00800001, true) == 2);
  CHECK(ulps_between(*find_cell_type("double"), 0, UINT64_C(0xbff0000000000000)) ==
        UINT64_C(0x3ff0000000000000));
}

} // namespace
