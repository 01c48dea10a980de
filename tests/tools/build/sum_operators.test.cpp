// From where NVIDIA's compiler says that a sum stands to its operator: every place was read from
// its Tile IR (nvcc 13.4).
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/sum_operators.hpp"

#include "support/catch.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

using namespace tilesim::tools;
using tilesim::sim::text_position;

/// A source, and what the preprocessor makes of it.
class text {
public:
  explicit text(const std::string& source, const std::string& preprocessed = {})
      : path_(std::filesystem::temp_directory_path() / fmt::format("sum-operators-{}.cu", getpid()))
      , operators_((std::ofstream(path_) << source,
                    fmt::format("# 1 \"{}\"\n{}",
                                path_.string(),
                                preprocessed.empty() ? source : preprocessed)),
                   {std::filesystem::weakly_canonical(path_).string()}) {}
  ~text() { std::filesystem::remove(path_); }
  text(const text&) = delete;
  text& operator=(const text&) = delete;

  /// "1:7,1:9 1:11,1:13": the sums that stand there, each with its places.
  [[nodiscard]] std::string from(unsigned line, unsigned column) const {
    std::vector<std::string> all;
    for (const auto& places : operators_.from(name(), {.line = line, .column = column})) {
      all.push_back(words(places));
    }
    return fmt::format("{}", fmt::join(all, " "));
  }
  [[nodiscard]] std::string call(unsigned line, unsigned column) const {
    return words(operators_.call(name(), {.line = line, .column = column}));
  }

private:
  [[nodiscard]] std::string name() const {
    return std::filesystem::weakly_canonical(path_).string();
  }
  static std::string words(const std::vector<text_position>& places) {
    std::vector<std::string> all;
    for (const text_position& p : places) {
      all.push_back(fmt::format("{}:{}", p.line, p.column));
    }
    return fmt::format("{}", fmt::join(all, ","));
  }

  std::filesystem::path path_;
  sum_operators operators_;
};

std::string from_start_of(const std::string& line) {
  return text(line + "\n").from(1, 1);
}

} // namespace

TEST_CASE("the sums of a chain begin where it begins") {
  CHECK(from_start_of("x * y + z;") == "1:7,1:9");
  CHECK(from_start_of("x + y * z - f(w) + v;") == "1:3,1:9 1:11,1:16 1:18,1:20");
  CHECK(from_start_of("x * y;").empty());
  CHECK(from_start_of("-x * (y - z) + -z;") == "1:14,1:17");
  CHECK(from_start_of("a[i + 1] + s.b->c;") == "1:10,1:17");
  CHECK(from_start_of("f<T, 3>(x + y) - z;") == "1:16,1:18");
  CHECK(from_start_of("ct::tile<F, ct::shape<4>>{} + z;") == "1:29,1:31");
  CHECK(from_start_of("i++ + ++j;") == "1:5,1:9");
}

TEST_CASE("a chain ends before what binds less") {
  CHECK(from_start_of("x + y < z + w;") == "1:3,1:5");
  CHECK(from_start_of("x + y ? z - w : v;") == "1:3,1:5");
  CHECK(from_start_of("x + y << 2;") == "1:3,1:5");
  CHECK(from_start_of("x += y + z;").empty());
  CHECK(from_start_of("x * y == z + w;").empty());
  CHECK(from_start_of("x < y;").empty());
}

TEST_CASE("of a sum with a literal the place is where its last operand begins") {
  const text t("f(x + 1.0f + z);\nf(1.5f + x * y);\nf((x + 2.5f) * y + 3.0f);\n");
  CHECK(t.from(1, 7) == "1:5,1:7");
  CHECK(t.from(1, 3) == "1:12,1:14,1:2"); // what is left at the beginning
  CHECK(t.from(2, 10) == "2:8,2:14,2:2");
  CHECK(t.from(2, 3).empty());
  CHECK(t.from(3, 8) == "3:6,3:8");
  CHECK(t.from(3, 20) == "3:18,3:20,3:2");
}

TEST_CASE("calls of add, sub and fma are sums") {
  CHECK(from_start_of("ct::add(ct::mul(x, y), z);") == "1:1,1:8");
  CHECK(from_start_of("ct::fma(x, y, z) * w + v;") == "1:1,1:8 1:22,1:24");
  CHECK(from_start_of("ct::mul(x, y) + z;") == "1:15,1:17");
  const text t("f(ct::add(z * z, 4.0f));\nf(ct::sub(7.0f, x) + 6.5f);\n");
  CHECK(t.from(1, 18) == "1:3,1:10,1:2");
  CHECK(t.from(2, 17) == "2:3,2:10");
  CHECK(t.from(2, 22) == "2:20,2:22,2:2");
}

TEST_CASE("what is an argument stands at the bracket of the call, too") {
  const text t("output(o, 0, x * y + z); g<T>(x - y, z);\nif (x + y) {}\n");
  CHECK(t.from(1, 14) == "1:20,1:22,1:7");
  CHECK(t.from(1, 31) == "1:33,1:35,1:30");
  CHECK(t.call(1, 1) == "1:1,1:7");
  CHECK(t.call(1, 14) == "1:0");
}

TEST_CASE("an expression goes over lines") {
  const text t("q =\n  p\n  + f(\n x)\n  - z;\n");
  CHECK(t.from(2, 3) == "3:3,4:3 5:3,5:5");
}

TEST_CASE("blanks and comments are not in preprocessed text; a macro has no columns") {
  const text t("  x  *   y /* of a sum */  +  z;\n  TWICE(x) + z;\n",
               "  x * y + z;\n  (2 * (x)) + z;\n");
  CHECK(t.from(1, 3) == "1:28,1:31");
  CHECK(t.from(2, 3) == "2:0,2:0");
}

TEST_CASE("places that are nowhere have no sums") {
  const text t("x + y;\n");
  CHECK(t.from(1, 2).empty());
  CHECK(t.from(7, 1).empty());
  CHECK(text("x + \n").from(1, 1) == "1:3,1:3");
  CHECK(text("f(x + y\n").from(1, 3) == "1:5,1:7");
  CHECK(text("x + a < b\n").from(1, 1) == "1:3,1:5");
}
