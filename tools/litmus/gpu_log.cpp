// Reads logs of litmus tests on a GPU.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/litmus/gpu_log.hpp"

#include "sim/contract/json_text.hpp"
#include "tools/cli/failure.hpp"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <set>

namespace tilesim::tools {
namespace {

constexpr std::uint64_t log_version = 1;

class log_reader {
public:
  explicit log_reader(const std::string& file)
      : file_(file) {}

  gpu_log read(std::string_view text) {
    bool ended = false;
    while (!text.empty()) {
      ++line_;
      const auto end = text.find('\n');
      if (end == std::string_view::npos) {
        fail("the log is cut short within this line; run the program again");
      }
      if (ended) {
        fail("there is a line behind the last one");
      }
      ended = take(text.substr(0, end));
      text.remove_prefix(end + 1);
    }
    if (!ended) {
      ++line_;
      fail(fmt::format("the log is cut short: it has {} of {} tests and no last line; run the "
                       "program again",
                       log_.tests.size(),
                       expected_));
    }
    return std::move(log_);
  }

private:
  using json = nlohmann::json;

  /// Returns whether it is the last line.
  bool take(std::string_view text) {
    const json j = sim::parse_json(text);
    if (!j.is_object()) {
      fail("no JSON object; a log has one in each line");
    }
    if (line_ == 1) {
      header(j);
      return false;
    }
    if (j.contains("end")) {
      if (number(j, "end") != log_.tests.size() || log_.tests.size() != expected_) {
        fail(fmt::format(
            "it has {} tests, and its first line says {}", log_.tests.size(), expected_));
      }
      return true;
    }
    test(j);
    return false;
  }

  void header(const json& j) {
    if (!j.contains("tilesim_litmus_log")) {
      fail("no log of litmus tests: 'tilesim_litmus_log' is missing");
    }
    if (const auto version = number(j, "tilesim_litmus_log"); version != log_version) {
      fail(fmt::format("a log of version {}; this tilesim reads version {}", version, log_version));
    }
    log_.device = word(j, "device");
    log_.seed = number(j, "seed");
    expected_ = number(j, "tests");
    log_.knobs = j.contains("knobs") ? sim::json_text(j["knobs"]) : "[]";
  }

  void test(const json& j) {
    logged_test t;
    t.line = line_;
    t.name = word(j, "test");
    if (j.contains("mutant") && !j["mutant"].is_null()) {
      t.mutant = word(j, "mutant");
    }
    if (!tests_.insert({t.name, t.mutant}).second) {
      fail(fmt::format("test '{}' stands twice", t.mutant ? t.name + " ~ " + *t.mutant : t.name));
    }
    const std::string hash = word(j, "xxh64");
    const auto [end, error] = std::from_chars(hash.data(), hash.data() + hash.size(), t.hash, 16);
    if (error != std::errc() || end != hash.data() + hash.size()) {
      fail(fmt::format("'xxh64': expected a hexadecimal number, found '{}'", hash));
    }
    if (!j.contains("outcomes") || !j["outcomes"].is_array()) {
      fail("'outcomes': expected a list");
    }
    std::set<std::string> seen;
    std::uint64_t sum = 0;
    for (const json& o : j["outcomes"]) {
      if (!o.is_object()) {
        fail("'outcomes': expected an object with 'state' and 'count'");
      }
      t.outcomes.emplace_back(word(o, "state"), number(o, "count"));
      sum += t.outcomes.back().second;
      if (!seen.insert(t.outcomes.back().first).second) {
        fail(fmt::format("outcome '{}' stands twice", t.outcomes.back().first));
      }
    }
    t.total = number(j, "total");
    if (t.total != sum) {
      fail(fmt::format("'total' is {}, and its outcomes were counted {} times", t.total, sum));
    }
    t.cut = j.contains("cut") ? number(j, "cut") : 0;
    t.lost = j.contains("lost") ? number(j, "lost") : 0;
    log_.tests.push_back(std::move(t));
  }

  std::uint64_t number(const json& j, const char* key) const {
    if (!j.contains(key) || !j[key].is_number_unsigned()) {
      fail(fmt::format("'{}': expected a whole number", key));
    }
    return j[key].get<std::uint64_t>();
  }

  std::string word(const json& j, const char* key) const {
    if (!j.contains(key) || !j[key].is_string()) {
      fail(fmt::format("'{}': expected a string", key));
    }
    return j[key].get<std::string>();
  }

  [[noreturn]] void fail(const std::string& what) const { fail_at(file_, line_, what); }

  const std::string& file_;
  std::uint32_t line_ = 0;
  std::uint64_t expected_ = 0;
  std::set<std::pair<std::string, std::optional<std::string>>> tests_;
  gpu_log log_;
};

} // namespace

gpu_log read_gpu_log(const std::string& file, std::string_view text) {
  return log_reader(file).read(text);
}

} // namespace tilesim::tools
