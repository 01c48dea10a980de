// Bytecode is read, and printed as NVIDIA's disassembler prints it; what is damaged is refused with
// its place.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/tileir/reader.hpp"

#include "sim/tileir/number_text.hpp"
#include "sim/tileir/printer.hpp"
#include "tests/tileir/recorded_file.hpp"

#include <bit>
#include <functional>
#include <support/catch.hpp>

using namespace tilesim;
using namespace tilesim::tileir;
using bytes = std::vector<std::uint8_t>;

namespace {

/// What a damaged file is refused with; "": it is read.
std::string refusal(const bytes& b) {
  try {
    static_cast<void>(print(*read(b), {.places = true}));
    return {};
  } catch (const bad_bytecode& e) {
    CHECK(e.offset() <= b.size());
    return e.what();
  }
}

bool says(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

/// Where a piece of the file stands that stands there once.
std::size_t place_of(const bytes& b, const bytes& piece) {
  const auto at = std::search(b.begin(), b.end(), piece.begin(), piece.end());
  REQUIRE(at != b.end());
  return static_cast<std::size_t>(at - b.begin());
}

} // namespace

TEST_CASE("recorded bytecode is printed as the disassembler prints it", "[tileir]") {
  unsigned compared = 0;
  for (const std::string& name : test::recorded_names()) {
    const auto m = read(test::recorded(name));
    const bytes text = test::bytes_of_file(test::tileir_folder / "text" / (name + ".txt"));
    if (text.empty()) {
      CHECK(name == "unsigned_floor"); // the only one that NVIDIA's disassembler refuses
      continue;
    }
    INFO(name);
    CHECK(print(*m) == std::string(text.begin(), text.end()));
    ++compared;
  }
  CHECK(compared >= 30);
}

TEST_CASE("the four versions of one kernel are read", "[tileir]") {
  for (const unsigned minor : {1U, 2U, 3U, 4U}) {
    const auto m =
        read(test::recorded(minor == 4 ? "vector_add" : "vector_add_13." + std::to_string(minor)));
    CHECK(m->minor == minor);
    CHECK(m->entries.size() == 1);
    CHECK(m->entries[0].values.size() > 10);
  }
}

TEST_CASE("a file's end is found without its length", "[tileir]") {
  bytes b = test::recorded("softmax");
  const std::size_t size = b.size();
  b.insert(b.end(), 100, 0xEE);
  CHECK(length_of(b.data(), b.size()) == size);
  CHECK(length_of(b.data(), size - 1) == 0);
  CHECK(length_of(b.data() + 1, size) == 0);
}

TEST_CASE("locations name the source, inlined ones their callers", "[tileir]") {
  const auto python = read(test::recorded("matmul"));
  const entry& e = python->entries[0];
  const region& body = e.body;
  const auto at = std::find_if(body.operations.begin(), body.operations.end(), [](auto& o) {
    return o.what == opcode::for_;
  });
  REQUIRE(at != body.operations.end());
  const auto frames = python->frames(e.locations[at->number]);
  REQUIRE(frames.size() == 1);
  CHECK(frames[0].file == "tests/tileir/kernels.py");
  CHECK(frames[0].function == "matmul");
  CHECK(frames[0].line > 60);

  const auto cuda = read(test::recorded("cuda_saxpy"));
  const entry& saxpy = cuda->entries[0];
  const auto bid = std::find_if(saxpy.body.operations.begin(),
                                saxpy.body.operations.end(),
                                [](auto& o) { return o.what == opcode::get_tile_block_id; });
  const auto chain = cuda->frames(saxpy.locations[bid->number]);
  REQUIRE(chain.size() == 2);
  CHECK(chain[0].file == "include/crt/cuda_tile.h");
  CHECK(chain[1].file == "examples/saxpy.cu");
  CHECK(cuda->frames(saxpy.location).front().line == 15);
}

TEST_CASE("a value's number falls back at the end of a block", "[tileir]") {
  // The loop's results are numbered from where its block began. [functions: value numbers]
  const auto m = read(test::recorded("cuda_matmul"));
  const entry& e = m->entries[0];
  for (const operation& o : e.body.operations) {
    if (o.what == opcode::for_) {
      REQUIRE(o.results.size() == 5);
      CHECK(e.values[o.results[0]].type->text == "tile<32x32xf32>");
      CHECK(e.values[o.results[1]].type->text == "token");
      return;
    }
  }
  FAIL("there is no loop");
}

TEST_CASE("every prefix of a file is refused", "[tileir]") {
  for (const char* const name : {"vector_add", "vector_add_13.1", "control", "cuda_spin_lock"}) {
    const bytes b = test::recorded(name);
    for (std::size_t n = 0; n < b.size(); ++n) {
      INFO(name << ' ' << n);
      CHECK_FALSE(refusal({b.begin(), b.begin() + static_cast<std::ptrdiff_t>(n)}).empty());
    }
  }
}

TEST_CASE("every byte of a file may be anything", "[tileir]") {
  // Nothing but a refusal with its place, or another module: never a crash, never without end.
  const bytes b = test::recorded("cuda_spin_lock");
  unsigned read_anyway = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    for (const unsigned bits : {0x01U, 0x02U, 0x04U, 0x08U, 0x10U, 0x20U, 0x40U, 0x80U, 0xFFU}) {
      bytes other = b;
      other[i] = static_cast<std::uint8_t>(other[i] ^ bits);
      const std::string said = refusal(other);
      CHECK((said.empty() || says(said, "offset 0x")));
      read_anyway += said.empty() ? 1U : 0U;
    }
  }
  CHECK(read_anyway > 0);
}

TEST_CASE("what is wrong is said with section and offset", "[tileir]") {
  const bytes good = test::recorded("vector_add");
  REQUIRE(refusal(good).empty());
  struct row {
    const char* what;
    std::function<void(bytes&)> change;
    const char* said;
  };
  const bytes end_of_entry{0x5c, 0x00, 0x00}; // return
  const row rows[] = {
      {"no file", [](bytes& b) { b.clear(); }, "section header, offset 0x0: a header of 8 bytes"},
      {"another file",
       [](bytes& b) { b[1] = 'E'; },
       "section header, offset 0x0: this is no Tile IR"},
      {"version 14.1",
       [](bytes& b) {
         b[8] = 14;
         b[9] = 1;
       },
       "offset 0x8: version 14.1 is not known"},
      {"version 13.0", [](bytes& b) { b[9] = 0; }, "version 13.0 is not known; 13.1 to 13.4 are"},
      {"version 13.5", [](bytes& b) { b[9] = 5; }, "version 13.5 is not known"},
      {"section 9", [](bytes& b) { b[12] = 0x89; }, "section list, offset 0xc: unknown section 9"},
      {"no sections",
       [](bytes& b) {
         b.resize(12);
         b.push_back(0);
       },
       "there is no section String"},
      {"more behind the end", [](bytes& b) { b.push_back(1); }, "bytes follow the section End"},
      {"no operation",
       [&](bytes& b) { b[place_of(b, end_of_entry)] = 0x24; },
       "unknown operation 0x24"},
      {"an operation of 13.4 in 13.3",
       [&](bytes& b) {
         b = test::recorded("vector_add_13.3");
         b[place_of(b, end_of_entry)] = 0x76;
       },
       "'insert' is of 13.4, in a file of 13.3"},
      {"a double of 66 bits",
       [&](bytes& b) {
         b = test::recorded("below_zero");
         const bytes infinity{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0xf0, 0xff, 0x03};
         const auto at = std::search(b.begin(), b.end(), infinity.begin(), infinity.end());
         REQUIRE(at != b.end());
         at[9] = 0x04;
       },
       "a number takes more than 65 bits"},
      {"no value",
       [&](bytes& b) { b[place_of(b, end_of_entry) + 2] = 0x01; },
       "1 operands, but 0 bytes are left"},
  };
  for (const row& r : rows) {
    bytes b = good;
    r.change(b);
    const std::string said = refusal(b);
    INFO(r.what);
    CAPTURE(said);
    CHECK(says(said, r.said));
  }
}

TEST_CASE("numbers are printed as the disassembler prints them", "[tileir]") {
  const auto f = [](float v) { return float_text(number::f32, std::bit_cast<std::uint32_t>(v)); };
  const auto d = [](double v) { return float_text(number::f64, std::bit_cast<std::uint64_t>(v)); };
  CHECK(f(0.0F) == "0.000000e+00");
  CHECK(f(-0.0F) == "-0.000000e+00");
  CHECK(f(1.5F) == "1.500000e+00");
  CHECK(f(1e-5F) == "9.99999974E-6");
  CHECK(f(0.1F) == "1.000000e-01");
  CHECK(f(1.44269502F) == "1.44269502");
  CHECK(f(-1e30F) == "-1.000000e+30");
  CHECK(f(16777216.0F) == "0x4B800000");
  CHECK(float_text(number::f32, 0xFF800000) == "0xFF800000");
  CHECK(float_text(number::f32, 0x7FC00000) == "0x7FC00000");
  CHECK(d(0.1) == "1.000000e-01");
  CHECK(d(1e-300) == "1.000000e-300");
  CHECK(float_text(number::f16, 0x3C00) == "1.000000e+00");
  CHECK(float_text(number::f16, 0x7C00) == "0x7C00");
  CHECK(float_text(number::bf16, 0x4049) == "3.140630e+00");
  CHECK(float_text(number::f8e4m3fn, 0x38) == "1.000000e+00");
  CHECK(float_text(number::f8e5m2, 0x3C) == "1.000000e+00");
  CHECK(float_text(number::f4e2m1fn, 0x7) == "6.000000e+00");
  CHECK(float_text(number::f8e8m0fnu, 128) == "2.000000e+00");
  CHECK(integer_text(number::i1, 1) == "true");
  CHECK(integer_text(number::i8, 0xFF) == "-1");
  CHECK(integer_text(number::i64, ~std::uint64_t{0}) == "-1");
}
