// Reads and compares recordings.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu_backend/recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>

namespace tilesim::recording {
namespace {

constexpr std::string_view version_line = "tilesim-recording 1";

/// The lines of a recording, one after the other, and errors that name the line.
class line_reader {
public:
  line_reader(std::string_view text, const std::string& file)
      : rest_(text)
      , file_(file) {}

  [[nodiscard]] std::size_t number() const noexcept { return number_; }
  [[nodiscard]] bool at_end() const noexcept { return rest_.empty(); }
  [[nodiscard]] bool next_starts_with(char c) const noexcept {
    return !rest_.empty() && rest_.front() == c;
  }

  std::string_view next(std::string_view wanted) {
    ++number_;
    if (rest_.empty()) {
      fail(fmt::format("the recording ends where {} is expected; the program that wrote it was "
                       "stopped: record it again",
                       wanted));
    }
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return line;
  }

  [[noreturn]] void fail(const std::string& fact) const {
    throw malformed(fmt::format("{}:{}: error: {}", file_, number_, fact));
  }

private:
  std::string_view rest_;
  const std::string& file_;
  std::size_t number_ = 0;
};

/// Takes the text up to `until` off the front; nothing if there is no such end.
std::optional<std::string_view> take(std::string_view& text, std::string_view until) {
  const std::size_t end = text.find(until);
  if (end == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end + until.size());
  return word;
}

template <class T>
std::optional<T> number(std::string_view text, int base) {
  T value{};
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value, base);
  return error == std::errc{} && end == last && !text.empty() ? std::optional(value) : std::nullopt;
}

/// `key value`: the value.
std::string header_line(line_reader& lines, std::string_view key) {
  std::string_view line = lines.next(fmt::format("'{} …'", key));
  const auto found = take(line, " ");
  if (found != key) {
    lines.fail(fmt::format("expected '{} …', got '{}'", key, found.value_or(line)));
  }
  return std::string(line);
}

/// `TYPE COUNT HASH at FILE:LINE: LABEL`.
copy copy_line(line_reader& lines, std::string_view line) {
  const auto type_name = take(line, " ");
  const auto count = take(line, " ");
  const auto hash = take(line, " ");
  const auto at = take(line, " ");
  const auto where = take(line, ": ");
  if (!where || at != "at") {
    lines.fail("expected 'copy TYPE COUNT HASH at FILE:LINE: LABEL'");
  }
  const auto type = find_cell_type(*type_name);
  if (!type) {
    std::string known;
    for (const cell_type& t : cell_types) {
      known += fmt::format(" {}", t.name);
    }
    lines.fail(fmt::format("unknown type '{}'; known are{}", *type_name, known));
  }
  const auto cells = number<std::size_t>(*count, 10);
  const auto hashed = number<std::uint64_t>(*hash, 16);
  if (!cells) {
    lines.fail(fmt::format("the count is to be a whole number, not '{}'", *count));
  }
  if (!hashed || hash->size() != 16) {
    lines.fail(fmt::format("the hash is to be 16 hexadecimal digits, not '{}'", *hash));
  }
  return {std::string(line), std::string(*where), *type, *cells, *hashed, {}, lines.number(), 1};
}

/// ` every N`, before the values; false if the line is another one.
bool spread_line(const line_reader& lines, std::string_view line, copy& into) {
  constexpr std::string_view every = " every ";
  if (line.substr(0, every.size()) != every) {
    return false;
  }
  const auto distance = number<std::size_t>(line.substr(every.size()), 10);
  if (!distance || *distance == 0 || !into.values.empty()) {
    lines.fail(fmt::format("'every N' is to stand before the values, with N at least 1, not '{}'",
                           line.substr(1)));
  }
  into.every = *distance;
  return true;
}

void value_line(line_reader& lines, std::string_view line, copy& into) {
  if (spread_line(lines, line, into)) {
    return;
  }
  line.remove_prefix(1);
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::string_view word = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    const auto value = number<std::uint64_t>(word, 16);
    if (!value || word.size() != std::size_t{2} * into.type.size) {
      lines.fail(fmt::format("a {} is written with {} hexadecimal digits, not '{}'",
                             into.type.name,
                             2 * into.type.size,
                             word));
    }
    if (into.is_kept()) {
      lines.fail(fmt::format(
          "more values than the {} of the copy in line {}", into.values.size(), into.line));
    }
    into.values.push_back(*value);
  }
}

/// A hash that all values are there to check.
void check_hash(const line_reader& lines, const copy& c) {
  cell_hash hash;
  for (const std::uint64_t value : c.values) {
    hash.add(c.type, value);
  }
  if (c.values.size() == c.count && hash.value() != c.hash) {
    lines.fail(fmt::format("the values of the copy in line {} have the hash {:016x}, not {:016x}; "
                           "the recording was changed by hand: record it again",
                           c.line,
                           hash.value(),
                           c.hash));
  }
}

/// Values in their order on the number line: the lesser number is the lesser value.
std::uint64_t rank_of(const cell_type& type, std::uint64_t bits, bool flushed) noexcept {
  const std::uint64_t magnitude = bits & magnitude_mask(type);
  const std::uint64_t zero = std::uint64_t{1} << 63;
  const std::uint64_t subnormals = flushed ? (std::uint64_t{1} << type.fraction_bits) - 1 : 0;
  const std::uint64_t steps = magnitude > subnormals ? magnitude - subnormals : 0;
  return magnitude != bits ? zero - steps : zero + steps;
}

/// The value of a floating-point cell.
double value_of(const cell_type& type, std::uint64_t bits) noexcept {
  const std::uint64_t unit = std::uint64_t{1} << type.fraction_bits;
  const auto exponent = static_cast<int>((bits & magnitude_mask(type)) >> type.fraction_bits);
  const int bias = (1 << (type.exponent_bits - 1)) - 1;
  const auto significand = static_cast<double>((bits & (unit - 1)) | (exponent != 0 ? unit : 0U));
  double magnitude =
      std::ldexp(significand, std::max(exponent, 1) - bias - static_cast<int>(type.fraction_bits));
  if (type.has_infinity && (bits & magnitude_mask(type)) == top_pattern(type)) {
    magnitude = std::numeric_limits<double>::infinity();
  }
  return (bits >> (type.exponent_bits + type.fraction_bits)) != 0 ? -magnitude : magnitude;
}

/// What differs between two copies of one place; nothing if they agree.
std::optional<std::string> compare_exact(const copy& expected, const copy& actual) {
  if (expected.hash == actual.hash) {
    return std::nullopt;
  }
  const bool same = expected.every == actual.every;
  const std::size_t kept = same ? std::min(expected.values.size(), actual.values.size()) : 0;
  for (std::size_t i = 0; i < kept; ++i) {
    if (expected.values[i] != actual.values[i]) {
      return fmt::format("element {} is {}, recorded was {}",
                         i * expected.every,
                         cell_text(actual.type, actual.values[i]),
                         cell_text(expected.type, expected.values[i]));
    }
  }
  return fmt::format("the hashes of {} elements differ, {:016x} and {:016x} as recorded, the first "
                     "{} agree; set TILESIM_RECORD_VALUES=all for both recordings to see which",
                     actual.count,
                     actual.hash,
                     expected.hash,
                     kept);
}

/// How far apart two values are, as a share of the bound; above 1: too far.
double share(const copy& c, std::uint64_t expected, std::uint64_t actual, const bound& allowed) {
  const std::uint64_t apart = ulps_between(c.type, expected, actual, allowed.flushed);
  if (apart == 0) {
    return 0;
  }
  const double infinite = std::numeric_limits<double>::infinity();
  const double by_ulps =
      allowed.ulps != 0 ? static_cast<double>(apart) / static_cast<double>(allowed.ulps) : infinite;
  const double value = value_of(c.type, expected);
  const double difference = std::fabs(value_of(c.type, actual) - value);
  const double margin = allowed.absolute + (allowed.relative * std::fabs(value));
  const bool numbers = !is_nan(c.type, expected) && !is_nan(c.type, actual);
  return std::min(by_ulps, numbers && difference <= margin ? difference / margin : infinite);
}

std::optional<std::string>
compare_within(const copy& expected, const copy& actual, const bound& allowed) {
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    const std::uint64_t e = expected.values[i];
    const std::uint64_t a = actual.values[i];
    if (share(expected, e, a, allowed) <= 1) {
      continue;
    }
    const std::string margin =
        allowed.absolute == 0 && allowed.relative == 0
            ? fmt::format("{} ulp", allowed.ulps)
            : fmt::format("{:.3g} and {:.3g} of the value", allowed.absolute, allowed.relative);
    return fmt::format("element {} is {}, recorded was {}: {} ulp apart, the bound is {}",
                       i * expected.every,
                       cell_text(actual.type, a),
                       cell_text(expected.type, e),
                       ulps_between(expected.type, e, a, allowed.flushed),
                       margin);
  }
  return std::nullopt;
}

std::optional<std::string> compare_copies(const recording& in_expected,
                                          const copy& expected,
                                          const recording& in_actual,
                                          const copy& actual,
                                          const std::vector<bound>& bounds) {
  if (expected.label != actual.label) {
    return fmt::format("the copy is '{}', recorded was '{}'", actual.label, expected.label);
  }
  if (expected.type.name != actual.type.name || expected.count != actual.count) {
    return fmt::format("the copy is of {} {}, recorded were {} {}",
                       actual.count,
                       actual.type.name,
                       expected.count,
                       expected.type.name);
  }
  const bound* allowed = bound_of(expected, bounds);
  if (allowed == nullptr) {
    return compare_exact(expected, actual);
  }
  for (const auto& [in, c] : {std::pair{&in_expected, &expected}, {&in_actual, &actual}}) {
    if (!c->is_kept()) {
      throw malformed(fmt::format("{}:{}: error: '{}' is to be compared within a bound, but {} of "
                                  "its {} values were kept; record it with "
                                  "TILESIM_RECORD_VALUES=all, or spread:N",
                                  in->file,
                                  c->line,
                                  c->label,
                                  c->values.size(),
                                  c->count));
    }
  }
  if (expected.every != actual.every) {
    throw malformed(fmt::format("{}:{}: error: '{}' is to be compared within a bound, but every {} "
                                "th value was kept, and every {} th in {}; record both with the "
                                "same TILESIM_RECORD_VALUES",
                                in_expected.file,
                                expected.line,
                                expected.label,
                                expected.every,
                                actual.every,
                                in_actual.file));
  }
  return compare_within(expected, actual, *allowed);
}

/// Where the segments begin and end that `open` speaks of.
std::vector<std::size_t> segment_ends(const recording& r, const any_order& open, std::size_t end) {
  const auto found = std::find_if(r.copies.begin(), r.copies.end(), [&](const copy& c) {
    return c.label.find(open.offsets) != std::string::npos;
  });
  if (found == r.copies.end() || !found->is_kept() || found->every != 1) {
    throw malformed(fmt::format("{}: error: there is no copy '{}' with all its values, which is to "
                                "say where the segments of '{}' begin",
                                r.file,
                                open.offsets,
                                open.label));
  }
  std::vector<std::size_t> ends(found->values.begin(), found->values.end());
  if (!std::is_sorted(ends.begin(), ends.end()) || (!ends.empty() && ends.back() > end)) {
    throw malformed(fmt::format("{}:{}: error: '{}' are no offsets into the {} values of '{}'",
                                r.file,
                                found->line,
                                found->label,
                                end,
                                open.label));
  }
  return ends;
}

void sort_segments(const recording& r, const any_order& open, copy& c) {
  if (!c.is_kept() || c.every != 1) {
    throw malformed(
        fmt::format("{}:{}: error: '{}' is to be compared in any order, but {} of its {} "
                    "values were kept; record it with TILESIM_RECORD_VALUES=all",
                    r.file,
                    c.line,
                    c.label,
                    c.values.size(),
                    c.count));
  }
  const std::vector<std::size_t> ends = segment_ends(r, open, c.count);
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    std::sort(c.values.begin() + static_cast<std::ptrdiff_t>(ends[i]),
              c.values.begin() + static_cast<std::ptrdiff_t>(ends[i + 1]));
  }
  cell_hash hash;
  for (const std::uint64_t value : c.values) {
    hash.add(c.type, value);
  }
  c.hash = hash.value();
}

} // namespace

const bound* bound_of(const copy& c, const std::vector<bound>& bounds) {
  const auto found = std::find_if(bounds.begin(), bounds.end(), [&](const bound& b) {
    return c.label.find(b.label) != std::string::npos;
  });
  return found != bounds.end() && c.type.kind == cell_class::floating ? &*found : nullptr;
}

double share_of_bound(const copy& expected, const copy& actual, const bound& allowed) {
  double greatest = 0;
  for (std::size_t i = 0; i < std::min(expected.values.size(), actual.values.size()); ++i) {
    greatest = std::max(greatest, share(expected, expected.values[i], actual.values[i], allowed));
  }
  return greatest;
}

recording in_canonical_order(recording r, const std::vector<any_order>& open) {
  for (const any_order& o : open) {
    for (copy& c : r.copies) {
      if (c.label.find(o.label) != std::string::npos) {
        sort_segments(r, o, c);
      }
    }
  }
  return r;
}

recording parse(std::string_view text, std::string file) {
  recording r;
  r.file = std::move(file);
  line_reader lines(text, r.file);
  const std::string_view first = lines.next("the version");
  if (first != version_line) {
    lines.fail(
        first.substr(0, first.find(' ')) == "tilesim-recording"
            ? fmt::format("this is '{}', known is '{}'; record it again", first, version_line)
            : fmt::format("no recording: the first line is to be '{}'", version_line));
  }
  r.source = header_line(lines, "source");
  r.device = header_line(lines, "device");
  r.driver = header_line(lines, "driver");
  r.compiler = header_line(lines, "compiler");
  r.flags = header_line(lines, "flags");
  for (;;) {
    std::string_view line = lines.next("'copy …' or 'end N'");
    const auto key = take(line, " ");
    if (key == "end") {
      if (number<std::size_t>(line, 10) != r.copies.size()) {
        lines.fail(fmt::format(
            "the recording holds {} copies, and its end says '{}'", r.copies.size(), line));
      }
      break;
    }
    if (key != "copy") {
      lines.fail(fmt::format("expected 'copy …' or 'end N', got '{}'", key.value_or(line)));
    }
    r.copies.push_back(copy_line(lines, line));
    while (lines.next_starts_with(' ')) {
      value_line(lines, lines.next("values"), r.copies.back());
    }
    check_hash(lines, r.copies.back());
  }
  if (!lines.at_end()) {
    (void)lines.next("nothing");
    lines.fail("text after the recording's end");
  }
  return r;
}

recording read(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) {
    throw malformed(fmt::format("{}: error: cannot be read", path));
  }
  return parse(text, path);
}

std::uint64_t
ulps_between(const cell_type& type, std::uint64_t a, std::uint64_t b, bool flushed) noexcept {
  if (is_nan(type, a) || is_nan(type, b)) {
    return is_nan(type, a) && is_nan(type, b) ? 0 : UINT64_MAX;
  }
  const std::uint64_t x = rank_of(type, a, flushed);
  const std::uint64_t y = rank_of(type, b, flushed);
  return x > y ? x - y : y - x;
}

std::string cell_text(const cell_type& type, std::uint64_t bits) {
  std::string hex = fmt::format("{:0{}x}", bits, 2 * type.size);
  if (type.kind != cell_class::floating) {
    return hex;
  }
  return is_nan(type, bits) ? hex + " (nan)"
                            : fmt::format("{} ({:.9g})", hex, value_of(type, bits));
}

std::vector<difference>
compare(const recording& expected, const recording& actual, const std::vector<bound>& bounds) {
  std::vector<difference> found;
  const std::size_t both = std::min(expected.copies.size(), actual.copies.size());
  for (std::size_t i = 0; i < both; ++i) {
    const copy& e = expected.copies[i];
    const copy& a = actual.copies[i];
    if (auto fact = compare_copies(expected, e, actual, a, bounds)) {
      found.push_back({&e, &a, std::move(*fact)});
    }
  }
  for (std::size_t i = both; i < expected.copies.size(); ++i) {
    found.push_back({&expected.copies[i], nullptr, "recorded, and not copied this time"});
  }
  for (std::size_t i = both; i < actual.copies.size(); ++i) {
    found.push_back({nullptr, &actual.copies[i], "copied, and not in the recording"});
  }
  return found;
}

} // namespace tilesim::recording
