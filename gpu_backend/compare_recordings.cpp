// Compares two recordings of one program: `compare_recordings EXPECTED ACTUAL [--within LABEL=ULPS]
// [--near LABEL=ABSOLUTE,RELATIVE] [--any-order LABEL=OFFSETS]`.
//
// Exit status: 0 they agree, 1 they differ, 64 the command line is wrong, 65 a file is no
// recording.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu_backend/recording.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>
#include <utility>

namespace {

using namespace tilesim::recording;

enum exit_status : int { agrees = 0, differs = 1, wrong_usage = 64, no_recording = 65 };

/// The text before and after the last equals sign, if there are both.
std::optional<std::pair<std::string, std::string>> parts_of(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == text.size()) {
    return std::nullopt;
  }
  return std::pair(text.substr(0, equals), text.substr(equals + 1));
}

/// `LABEL=ULPS`; nothing if it is not that.
std::optional<bound> parse_bound(const std::string& text, bool flushed) {
  const auto parts = parts_of(text);
  if (!parts) {
    return std::nullopt;
  }
  std::uint64_t ulps = 0;
  const char* last = parts->second.data() + parts->second.size();
  const auto [end, error] = std::from_chars(parts->second.data(), last, ulps);
  return error == std::errc{} && end == last ? std::optional(bound{parts->first, ulps, flushed})
                                             : std::nullopt;
}

/// `LABEL=ABSOLUTE,RELATIVE`; nothing if it is not that.
std::optional<bound> parse_margin(const std::string& text) {
  const auto parts = parts_of(text);
  if (!parts) {
    return std::nullopt;
  }
  bound made{parts->first};
  const char* last = parts->second.data() + parts->second.size();
  const auto [comma, error] = std::from_chars(parts->second.data(), last, made.absolute);
  if (error != std::errc{} || comma == last || *comma != ',') {
    return std::nullopt;
  }
  const auto [end, second_error] = std::from_chars(comma + 1, last, made.relative);
  const bool good =
      second_error == std::errc{} && end == last && made.absolute >= 0 && made.relative >= 0;
  return good ? std::optional(std::move(made)) : std::nullopt;
}

/// `LABEL=OFFSETS`; nothing if it is not that.
std::optional<any_order> parse_order(const std::string& text) {
  const auto parts = parts_of(text);
  return parts ? std::optional(any_order{parts->first, parts->second}) : std::nullopt;
}

/// Parses every text with `parse`, or says what `wanted` is and returns false.
template <class T, class Parse>
bool parse_all(const std::vector<std::string>& texts,
               Parse parse,
               const char* wanted,
               std::vector<T>& into) {
  for (const std::string& text : texts) {
    auto parsed = parse(text);
    if (!parsed) {
      fmt::print(stderr, "error: {}, not '{}'\n", wanted, text);
      return false;
    }
    into.push_back(std::move(*parsed));
  }
  return true;
}

/// How much of its bound each copy uses that is compared within one.
void print_shares(const recording& expected,
                  const recording& actual,
                  const std::vector<bound>& bounds) {
  for (std::size_t i = 0; i < std::min(expected.copies.size(), actual.copies.size()); ++i) {
    const copy& e = expected.copies[i];
    if (const bound* allowed = bound_of(e, bounds)) {
      fmt::print("note: {} ({}): {:.3g} of its bound\n",
                 e.label,
                 e.where,
                 share_of_bound(e, actual.copies[i], *allowed));
    }
  }
}

void print(const recording& expected, const recording& actual, const difference& d) {
  const copy& named = d.expected != nullptr ? *d.expected : *d.actual;
  const recording& in = d.expected != nullptr ? expected : actual;
  fmt::print("{}:{}: error: {} ({}): {}\n", in.file, named.line, named.label, named.where, d.fact);
}

int run(const std::string& expected_path,
        const std::string& actual_path,
        const std::vector<bound>& bounds,
        const std::vector<any_order>& open) {
  const recording expected = in_canonical_order(read(expected_path), open);
  const recording actual = in_canonical_order(read(actual_path), open);
  const auto differences = compare(expected, actual, bounds);
  for (const difference& d : differences) {
    print(expected, actual, d);
  }
  if (differences.empty()) {
    print_shares(expected, actual, bounds);
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
  std::vector<std::string> near;
  std::vector<std::string> orders;
  app.add_option("EXPECTED", expected, "the recording to hold against")->required();
  app.add_option("ACTUAL", actual, "the other recording")->required();
  app.add_option("--within", within, "LABEL=ULPS: floating-point copies whose label contains LABEL")
      ->allow_extra_args(false);
  app.add_option("--within-flushed",
                 within_flushed,
                 "LABEL=ULPS: the same where subnormals are zeros; goes before --within")
      ->allow_extra_args(false);
  app.add_option("--near",
                 near,
                 "LABEL=ABSOLUTE,RELATIVE: the same, by ABSOLUTE + RELATIVE * |value|; goes last")
      ->allow_extra_args(false);
  app.add_option("--any-order",
                 orders,
                 "LABEL=OFFSETS: values in any order within the segments that copy OFFSETS names")
      ->allow_extra_args(false);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? agrees : wrong_usage;
  }
  std::vector<bound> bounds;
  std::vector<any_order> open;
  const auto steps = [](bool flushed) {
    return [flushed](const std::string& text) { return parse_bound(text, flushed); };
  };
  const char* const ulps = "a bound is LABEL=ULPS, such as full=2";
  if (!parse_all(within_flushed, steps(true), ulps, bounds) ||
      !parse_all(within, steps(false), ulps, bounds) ||
      !parse_all(
          near, parse_margin, "a margin is LABEL=ABSOLUTE,RELATIVE, such as y=1e-6,0", bounds) ||
      !parse_all(
          orders, parse_order, "an open order is LABEL=OFFSETS, such as list=starts", open)) {
    return wrong_usage;
  }
  try {
    return run(expected, actual, bounds, open);
  } catch (const malformed& e) {
    fmt::print(stderr, "{}\n", e.what());
    return no_recording;
  }
}
