// Compares two recordings of one program: `compare_recordings EXPECTED ACTUAL [--within
// LABEL=ULPS]`.
//
// Exit status: 0 they agree, 1 they differ, 64 the command line is wrong, 65 a file is no
// recording. SPDX-License-Identifier: Apache-2.0
#include "gpu_backend/recording.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdio>

namespace {

using namespace tilesim::recording;

enum exit_status : int { agrees = 0, differs = 1, wrong_usage = 64, no_recording = 65 };

/// `LABEL=ULPS`; nothing if it is not that.
std::optional<bound> parse_bound(const std::string& text, bool flushed) {
  const std::size_t equals = text.rfind('=');
  if (equals == 0 || equals == std::string::npos) {
    return std::nullopt;
  }
  std::uint64_t ulps = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data() + equals + 1, last, ulps);
  return error == std::errc{} && end == last
             ? std::optional(bound{text.substr(0, equals), ulps, flushed})
             : std::nullopt;
}

void print(const recording& expected, const recording& actual, const difference& d) {
  const copy& named = d.expected != nullptr ? *d.expected : *d.actual;
  const recording& in = d.expected != nullptr ? expected : actual;
  fmt::print("{}:{}: error: {} ({}): {}\n", in.file, named.line, named.label, named.where, d.fact);
}

int run(const std::string& expected_path,
        const std::string& actual_path,
        const std::vector<bound>& bounds) {
  const recording expected = read(expected_path);
  const recording actual = read(actual_path);
  const auto differences = compare(expected, actual, bounds);
  for (const difference& d : differences) {
    print(expected, actual, d);
  }
  if (expected.source != actual.source) {
    fmt::print("note: the recordings are of different texts: '{}' and '{}'\n",
               expected.source,
               actual.source);
  }
  fmt::print("{} of {} copies differ: {} ({}) and {} ({})\n",
             differences.size(),
             std::max(expected.copies.size(), actual.copies.size()),
             expected_path,
             expected.device,
             actual_path,
             actual.device);
  return differences.empty() ? agrees : differs;
}

} // namespace

int main(int argc, char** argv) {
  CLI::App app("Compares two recordings of one program, copy by copy.");
  std::string expected;
  std::string actual;
  std::vector<std::string> within;
  std::vector<std::string> within_flushed;
  app.add_option("EXPECTED", expected, "the recording to hold against")->required();
  app.add_option("ACTUAL", actual, "the other recording")->required();
  app.add_option("--within", within, "LABEL=ULPS: floating-point copies whose label contains LABEL")
      ->allow_extra_args(false);
  app.add_option("--within-flushed",
                 within_flushed,
                 "LABEL=ULPS: the same where subnormals are zeros; goes before --within")
      ->allow_extra_args(false);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? agrees : wrong_usage;
  }
  std::vector<bound> bounds;
  for (const auto& [texts, flushed] : {std::pair{&within_flushed, true}, {&within, false}}) {
    for (const std::string& text : *texts) {
      const auto parsed = parse_bound(text, flushed);
      if (!parsed) {
        fmt::print(stderr, "error: a bound is LABEL=ULPS, such as full=2, not '{}'\n", text);
        return wrong_usage;
      }
      bounds.push_back(*parsed);
    }
  }
  try {
    return run(expected, actual, bounds);
  } catch (const malformed& e) {
    fmt::print(stderr, "{}\n", e.what());
    return no_recording;
  }
}
