// Texts of the stepper.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/step/render.hpp"

#include "sim/contract/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <optional>
#include <set>

namespace tilesim::tools::step {
namespace {

constexpr auto bold = "\033[1m";
constexpr auto dim = "\033[2m";
constexpr auto red = "\033[31m";
constexpr auto plain = "\033[0m";
constexpr std::size_t value_column = 13; ///< of operands and results

std::string painted(const std::string& text, const char* how, const style& s) {
  return s.colour ? how + text + plain : text;
}

/// The indices along a dimension that are shown; a gap is where one is not the last one's
/// successor.
std::vector<std::size_t> shown_indices(std::size_t extent, std::size_t fold) {
  std::vector<std::size_t> shown;
  const bool folded = extent > 2 * fold;
  for (std::size_t i = 0; i < extent; ++i) {
    if (!folded || i < fold || i >= extent - fold) {
      shown.push_back(i);
    }
  }
  return shown;
}

class value_text {
public:
  value_text(const protocol::value& value, const style& s, const protocol::value* before)
      : texts_(value.texts)
      , shape_(value.shape)
      , style_(s) {
    if (before != nullptr && before->shape == value.shape) {
      before_ = before->texts;
    }
  }

  [[nodiscard]] std::string render(std::size_t indent) const {
    if (shape_.empty()) {
      return texts_.empty() ? "" : cell(0);
    }
    if (is_uniform()) {
      return " all " + cell(0);
    }
    // Rows, columns and their like need no lines and columns.
    if (std::ranges::count_if(shape_, [](std::size_t extent) { return extent != 1; }) <= 1) {
      return " " + row(0, *std::ranges::max_element(shape_), style_.fold, 0, indent);
    }
    return "\n" + slices(0, 0, indent + 2);
  }

private:
  /// Many elements of one value, none of which is worth a look.
  [[nodiscard]] bool is_uniform() const {
    std::size_t count = 1;
    for (const std::size_t extent : shape_) {
      count *= extent;
    }
    constexpr std::size_t many = 17;
    return texts_.size() == count && count >= many && before_.empty() &&
           std::ranges::all_of(texts_, [this](const auto& text) { return text == texts_[0]; });
  }

  /// As many columns at either end as fit, and as `fold` allows.
  [[nodiscard]] std::size_t
  columns_at_an_end(std::size_t columns, std::size_t width, std::size_t indent) const {
    const std::size_t room = style_.width > indent ? style_.width - indent : 0;
    if (columns <= 2 * style_.fold && columns * (width + 1) <= room + 1) {
      return style_.fold;
    }
    constexpr std::size_t gap = 2; // of "… "
    const std::size_t fit = room > gap ? (room - gap + 1) / (2 * (width + 1)) : 0;
    return std::max<std::size_t>(1, std::min(style_.fold, fit));
  }

  /// Rows beyond twice the fold leave half of it at either end: they are lines.
  [[nodiscard]] std::size_t rows_at_an_end(std::size_t rows) const {
    return rows > 2 * style_.fold ? std::max<std::size_t>(1, style_.fold / 2) : style_.fold;
  }

  [[nodiscard]] std::string cell(std::size_t i, std::size_t width = 0) const {
    if (i >= texts_.size()) {
      return fmt::format("{:>{}}", "…", width);
    }
    const bool is_mark = texts_[i] == "-" || texts_[i] == "?" || texts_[i].rfind('(', 0) == 0;
    const bool changed = i < before_.size() && before_[i] != texts_[i];
    const std::string text = fmt::format("{:>{}}", texts_[i], width);
    return changed ? painted(text, bold, style_) : is_mark ? painted(text, dim, style_) : text;
  }

  [[nodiscard]] std::size_t
  width_of(std::size_t first, std::size_t columns, std::size_t rows) const {
    std::size_t width = 1;
    for (std::size_t r : shown_indices(rows, rows_at_an_end(rows))) {
      for (std::size_t c : shown_indices(columns, style_.fold)) {
        const std::size_t i = first + (r * columns) + c;
        width = std::max(width, i < texts_.size() ? texts_[i].size() : 1);
      }
    }
    return width;
  }

  /// One dimension, `fold` at either end. With a width of 0, as many on a line as fit.
  [[nodiscard]] std::string row(std::size_t first,
                                std::size_t columns,
                                std::size_t fold,
                                std::size_t width,
                                std::size_t indent) const {
    std::string text;
    std::size_t used = indent;
    std::size_t expected = 0;
    for (std::size_t c : shown_indices(columns, fold)) {
      std::string gap = text.empty() ? "" : " ";
      if (c != expected) {
        gap += "… ";
      }
      expected = c + 1;
      const std::size_t here =
          std::max(width, first + c < texts_.size() ? texts_[first + c].size() : 1);
      if (width == 0 && used + here + gap.size() > style_.width && !text.empty()) {
        text += "\n" + std::string(indent, ' ');
        used = indent;
        gap = gap.size() > 1 ? "… " : "";
      }
      text += gap + cell(first + c, width);
      used += here + gap.size();
    }
    return text;
  }

  /// The last two dimensions as a matrix, one for each index of those before.
  [[nodiscard]] std::string
  slices(std::size_t dimension, std::size_t first, std::size_t indent) const {
    const std::size_t extent = shape_[dimension];
    std::size_t inner = 1;
    for (std::size_t d = dimension + 1; d < shape_.size(); ++d) {
      inner *= shape_[d];
    }
    std::string text;
    std::size_t expected = 0;
    const bool rows = dimension + 2 == shape_.size();
    const std::size_t width = rows ? width_of(first, inner, extent) : 0;
    const std::size_t fold = width == 0 ? style_.fold : columns_at_an_end(inner, width, indent);
    for (std::size_t i : shown_indices(extent, rows_at_an_end(extent))) {
      if (i != expected) {
        text += std::string(indent, ' ') + "…\n";
      }
      expected = i + 1;
      if (rows) {
        text +=
            std::string(indent, ' ') + row(first + (i * inner), inner, fold, width, indent) + "\n";
      } else {
        text += fmt::format("{:{}}[{}]\n", "", indent, i) +
                slices(dimension + 1, first + (i * inner), indent + 2) + "\n";
      }
    }
    if (!text.empty()) {
      text.pop_back();
    }
    return text;
  }

  const std::vector<std::string>& texts_;
  const std::vector<std::size_t>& shape_;
  std::vector<std::string> before_; ///< empty: nothing to compare with
  const style& style_;
};

/// "bins[12]" in its parts.
struct indexed_place {
  std::string name;
  std::uint64_t index = 0;
};

std::optional<indexed_place> parse_place(const std::string& text) {
  const std::size_t open = text.rfind('[');
  if (open == std::string::npos || text.empty() || text.back() != ']') {
    return std::nullopt;
  }
  indexed_place p{text.substr(0, open), 0};
  for (std::size_t i = open + 1; i + 1 < text.size(); ++i) {
    if (text[i] < '0' || text[i] > '9') {
      return std::nullopt;
    }
    p.index = (p.index * 10) + static_cast<std::uint64_t>(text[i] - '0');
  }
  return p;
}

std::string access_text(const protocol::access& m) {
  const std::string text = m.reads && m.writes ? "updates" : m.reads ? "reads" : "writes";
  return m.order == "weak" ? text + " (weak)"
                           : fmt::format("{} ({}, {} scope)", text, m.order, m.scope);
}

/// Who has written what no operation has.
const char* writer_before(const protocol::access& access) {
  return access.followed ? "the host" : "the host, or by nobody";
}

/// Its units in the form that was asked for, or its bytes.
std::vector<std::string> memory_texts(const protocol::memory_piece& piece) {
  if (piece.texts) {
    return *piece.texts;
  }
  std::vector<std::string> texts;
  for (const unsigned byte : piece.bytes) {
    texts.push_back(fmt::format("{:02x}", byte));
  }
  return texts;
}

} // namespace

std::string shape_text(const std::vector<std::size_t>& shape, std::size_t from) {
  std::string text;
  for (std::size_t d = from; d < shape.size(); ++d) {
    text += fmt::format("{}{}", text.empty() ? "" : "x", shape[d]);
  }
  return text;
}

const std::vector<std::string>& sources::load(const std::string& file) {
  const auto [it, is_new] = files_.try_emplace(file);
  if (is_new) {
    std::ifstream in(sim::bytes_of(file));
    std::string line;
    while (std::getline(in, line)) {
      if (line.ends_with('\r')) {
        line.pop_back();
      }
      it->second.push_back(sim::printable_text(line));
    }
  }
  return it->second;
}

const std::string& sources::line(const std::string& file, std::size_t number) {
  static const std::string none;
  const auto& all = load(file);
  return number >= 1 && number <= all.size() ? all[number - 1] : none;
}

std::size_t sources::lines(const std::string& file) {
  return load(file).size();
}

std::string render_value(const protocol::value& value,
                         const style& s,
                         std::size_t indent,
                         const protocol::value* before) {
  if (!value.missing.empty()) {
    return fmt::format("<{}>", value.missing);
  }
  if (!value.members.empty()) {
    std::string text = "{";
    for (const auto& member : value.members) {
      text += fmt::format("{}{} = {}",
                          text.size() == 1 ? "" : ", ",
                          member.name,
                          render_value(member.value, s, indent));
    }
    return text + "}";
  }
  if (value.shape.empty() && value.unwritten != 0) {
    return "<never written>";
  }
  std::string elements = value_text(value, s, before).render(indent);
  if (value.shape.empty()) {
    return elements;
  }
  return fmt::format("{}[{}]{}", value.kind, shape_text(value.shape), elements);
}

std::string render_marks(const std::vector<const protocol::value*>& values, std::size_t indent) {
  std::string text;
  const auto tell = [&](std::size_t protocol::value::*mark, const char* sign, const char* meaning) {
    std::size_t n = 0;
    for (const protocol::value* v : values) {
      if (!v->shape.empty()) {
        n = std::max(n, v->*mark);
      }
    }
    if (n != 0) {
      text +=
          fmt::format("{:{}}{} {} element{} {}\n", "", indent, sign, n, n == 1 ? "" : "s", meaning);
    }
  };
  tell(&protocol::value::masked, "-  ", "masked out, not accessed");
  tell(&protocol::value::padded, "( )", "masked out: the padding");
  tell(&protocol::value::unspecified, "?  ", "unspecified");
  tell(&protocol::value::unwritten, "?  ", "that nothing has written");
  return text;
}

std::string render_memory(const protocol::memory_piece& piece, std::size_t unit) {
  const auto& unwritten = piece.unwritten;
  const auto cells = memory_texts(piece);
  std::size_t width = 0;
  for (const auto& cell : cells) {
    width = std::max(width, cell.size());
  }
  const bool is_dump = !piece.texts;
  const std::size_t columns = is_dump ? 16 : std::bit_floor(std::clamp(56 / (width + 2), 1UL, 8UL));
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i % columns == 0) {
      text += fmt::format("{}{:#x}:", i == 0 ? "" : "\n", piece.address + (i * unit));
    }
    const auto first = std::ranges::lower_bound(unwritten, i * unit);
    const bool is_unwritten = first != unwritten.end() && *first < (i + 1) * unit;
    text += fmt::format(
        "{}{:>{}}", is_dump && i % 4 != 0 ? " " : "  ", is_unwritten ? "??" : cells[i], width);
  }
  text += "\n";
  if (!unwritten.empty()) {
    text += "??: nothing has written there\n";
  }
  return text;
}

std::string render_place(const protocol::frames& frames) {
  if (frames.empty()) {
    return "an unknown place";
  }
  return fmt::format("{}:{}", frames.front().file, frames.front().line);
}

std::string render_source(const protocol::frames& frames, sources& files) {
  if (frames.empty() || files.lines(frames.front().file) == 0) {
    return "";
  }
  const source_frame& f = frames.front();
  return fmt::format("{}\t{}", f.line, files.line(f.file, f.line));
}

namespace {

/// Consecutive places put together, up to so many.
class place_list {
public:
  explicit place_list(std::size_t most)
      : most_(most) {}

  /// A place; nothing: what comes behind it is not its successor's.
  void add(const std::optional<std::string>& place) {
    const auto parsed = place ? parse_place(*place) : std::nullopt;
    if (parsed && first_ && parsed->name == first_->name && parsed->index == last_ + 1) {
      last_ = parsed->index;
      return;
    }
    finish();
    if (parsed) {
      first_ = parsed;
      last_ = parsed->index;
    } else if (place) {
      add_piece(*place);
    }
  }

  [[nodiscard]] std::string text() {
    finish();
    return text_ + (left_out_ != 0 ? fmt::format(" and {} more", left_out_) : "");
  }

private:
  void add_piece(const std::string& piece) {
    if (written_++ < most_) {
      text_ += (text_.empty() ? "" : ", ") + piece;
    } else {
      ++left_out_;
    }
  }

  void finish() {
    if (first_) {
      add_piece(first_->index == last_
                    ? fmt::format("{}[{}]", first_->name, last_)
                    : fmt::format("{}[{}:{}]", first_->name, first_->index, last_ + 1));
    }
    first_.reset();
  }

  std::size_t most_;
  std::string text_;
  std::size_t written_ = 0;
  std::size_t left_out_ = 0;
  std::optional<indexed_place> first_;
  std::uint64_t last_ = 0;
};

} // namespace

std::string render_places(const std::vector<std::optional<std::string>>& places, std::size_t most) {
  place_list list(most);
  std::set<std::string> seen;
  std::size_t twice = 0;
  for (const auto& p : places) {
    list.add(p);
    twice += p && !seen.insert(*p).second ? 1U : 0U;
  }
  std::string text = list.text();
  if (text.empty()) {
    return "nothing: every element is masked out";
  }
  if (twice != 0) {
    text += fmt::format(
        " ({} element{} at a place that another one has)", twice, twice == 1 ? "" : "s");
  }
  return text;
}

std::vector<std::uint64_t> sources_of(const protocol::operation& operation) {
  std::set<std::uint64_t> numbers;
  for (const auto& m : operation.memory) {
    for (const auto& source : m.sources) {
      if (source) {
        numbers.insert(*source);
      }
    }
    for (const auto& passed : m.passed) {
      if (passed) {
        numbers.insert(*passed);
      }
    }
  }
  return {numbers.begin(), numbers.end()};
}

namespace {

std::string writer_text(std::uint64_t writer, const std::map<std::uint64_t, std::string>& writers) {
  const auto known = writers.find(writer);
  return known != writers.end() ? known->second : fmt::format("#{}", writer);
}

/// Which reads took an older write, and what they passed over.
std::string stale_text(const protocol::access& access,
                       const std::map<std::uint64_t, std::string>& writers) {
  std::map<std::uint64_t, std::vector<std::optional<std::string>>> by_passed;
  for (std::size_t i = 0; i < access.passed.size(); ++i) {
    if (access.passed[i]) {
      by_passed[*access.passed[i]].push_back(access.places[i]);
    }
  }
  std::string text;
  for (const auto& [passed, places] : by_passed) {
    text +=
        fmt::format("    {} stale: passes over what was written by {}\n",
                    render_places(places, 4),
                    passed == 0 ? "an operation that is not known" : writer_text(passed, writers));
  }
  return text;
}

/// Which places were written by whom.
std::string sources_text(const protocol::access& access,
                         const std::map<std::uint64_t, std::string>& writers) {
  constexpr std::size_t most = 4;
  std::map<std::uint64_t, std::vector<std::optional<std::string>>> by_writer;
  std::vector<std::optional<std::string>> by_nobody;
  for (std::size_t i = 0; i < access.sources.size(); ++i) {
    if (access.unwritten[i]) {
      by_nobody.push_back(access.places[i]);
    } else if (access.sources[i]) {
      by_writer[*access.sources[i]].push_back(access.places[i]);
    }
  }
  std::string text;
  if (!by_nobody.empty()) {
    text += fmt::format("    {} never written\n", render_places(by_nobody, most));
  }
  std::size_t told = 0;
  for (const auto& [writer, places] : by_writer) {
    if (++told > most) {
      text += fmt::format("    and from {} more operations\n", by_writer.size() - most);
      break;
    }
    text += fmt::format("    {} written by {}\n",
                        render_places(places, most),
                        writer == 0 ? writer_before(access) : writer_text(writer, writers));
  }
  return text + stale_text(access, writers);
}

} // namespace

std::string render_operation(const protocol::operation& operation,
                             const protocol::operation* before,
                             const std::map<std::uint64_t, std::string>& writers,
                             const style& s) {
  const std::string& spelling = operation.spelling;
  std::string text = fmt::format(
      "#{} {}  at {}\n",
      operation.number,
      painted(operation.name + (spelling.empty() ? "" : " (" + spelling + ")"), bold, s),
      render_place(operation.frames));
  std::size_t number = 0;
  std::vector<const protocol::value*> shown;
  for (const auto& operand : operation.operands) {
    ++number;
    const std::string role =
        operand.role.empty() ? fmt::format("operand {}", number) : operand.role;
    text += fmt::format("  {:<10} {}\n", role + ":", render_value(operand, s, value_column));
    shown.push_back(&operand);
  }
  if (operation.before && operation.after) {
    text += fmt::format("  {:<10} {} -> {}\n",
                        "value:",
                        render_value(*operation.before, s, value_column),
                        render_value(*operation.after, s, value_column));
  }
  if (operation.result) {
    const protocol::value* const last =
        before != nullptr && before->result ? &*before->result : nullptr;
    text += fmt::format(
        "  {:<10} {}\n", "result:", render_value(*operation.result, s, value_column, last));
    shown.push_back(&*operation.result);
  }
  text += render_marks(shown, 2);
  for (const auto& access : operation.memory) {
    text += fmt::format("  {} {}\n{}",
                        access_text(access),
                        render_places(access.places),
                        sources_text(access, writers));
  }
  return text;
}

std::string render_finding(const protocol::finding& finding, const style& s) {
  const bool error = finding.level == "error";
  std::string text = fmt::format("{}: {}: {} [{}]\n",
                                 render_place(finding.where),
                                 painted(error ? "error" : "note", error ? red : bold, s),
                                 finding.message,
                                 finding.code);
  for (const auto& detail : finding.details) {
    text += fmt::format("  {}\n", detail);
  }
  if (!finding.remedy.empty()) {
    text += fmt::format("  to fix: {}\n", finding.remedy);
  }
  return text;
}

} // namespace tilesim::tools::step
