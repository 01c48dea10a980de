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

namespace tilesim::driver::step {
namespace {

using nlohmann::json;

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
    if (!folded || i < fold || i >= extent - fold)
      shown.push_back(i);
  }
  return shown;
}

std::string shape_text(const json& shape) {
  std::string text;
  for (const auto& extent : shape)
    text += fmt::format("{}{}", text.empty() ? "" : "x", extent.get<std::size_t>());
  return text;
}

class value_text {
public:
  value_text(const json& value, const style& s, const json* before)
      : texts_(value.at("texts").get<std::vector<std::string>>())
      , shape_(value.at("shape").get<std::vector<std::size_t>>())
      , style_(s) {
    if (before != nullptr && before->contains("texts") && before->at("shape") == value.at("shape"))
      before_ = before->at("texts").get<std::vector<std::string>>();
  }

  [[nodiscard]] std::string render(std::size_t indent) const {
    if (shape_.empty())
      return texts_.empty() ? "" : cell(0);
    if (is_uniform())
      return " all " + cell(0);
    // Rows, columns and their like need no lines and columns.
    if (std::ranges::count_if(shape_, [](std::size_t extent) { return extent != 1; }) <= 1)
      return " " + row(0, *std::ranges::max_element(shape_), style_.fold, 0, indent);
    return "\n" + slices(0, 0, indent + 2);
  }

private:
  /// Many elements of one value, none of which is worth a look.
  [[nodiscard]] bool is_uniform() const {
    std::size_t count = 1;
    for (const std::size_t extent : shape_)
      count *= extent;
    constexpr std::size_t many = 17;
    return texts_.size() == count && count >= many && before_.empty() &&
           std::ranges::all_of(texts_, [this](const auto& text) { return text == texts_[0]; });
  }

  /// As many columns at either end as fit, and as `fold` allows.
  [[nodiscard]] std::size_t
  columns_at_an_end(std::size_t columns, std::size_t width, std::size_t indent) const {
    const std::size_t room = style_.width > indent ? style_.width - indent : 0;
    if (columns <= 2 * style_.fold && columns * (width + 1) <= room + 1)
      return style_.fold;
    constexpr std::size_t gap = 2; // of "… "
    const std::size_t fit = room > gap ? (room - gap + 1) / (2 * (width + 1)) : 0;
    return std::max<std::size_t>(1, std::min(style_.fold, fit));
  }

  /// Rows beyond twice the fold leave half of it at either end: they are lines.
  [[nodiscard]] std::size_t rows_at_an_end(std::size_t rows) const {
    return rows > 2 * style_.fold ? std::max<std::size_t>(1, style_.fold / 2) : style_.fold;
  }

  [[nodiscard]] std::string cell(std::size_t i, std::size_t width = 0) const {
    if (i >= texts_.size())
      return fmt::format("{:>{}}", "…", width);
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
      if (c != expected)
        gap += "… ";
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
    for (std::size_t d = dimension + 1; d < shape_.size(); ++d)
      inner *= shape_[d];
    std::string text;
    std::size_t expected = 0;
    const bool rows = dimension + 2 == shape_.size();
    const std::size_t width = rows ? width_of(first, inner, extent) : 0;
    const std::size_t columns = width == 0 ? style_.fold : columns_at_an_end(inner, width, indent);
    for (std::size_t i : shown_indices(extent, rows_at_an_end(extent))) {
      if (i != expected)
        text += std::string(indent, ' ') + "…\n";
      expected = i + 1;
      if (rows)
        text += std::string(indent, ' ') + row(first + (i * inner), inner, columns, width, indent) +
                "\n";
      else
        text += fmt::format("{:{}}[{}]\n", "", indent, i) +
                slices(dimension + 1, first + (i * inner), indent + 2) + "\n";
    }
    if (!text.empty())
      text.pop_back();
    return text;
  }

  std::vector<std::string> texts_;
  std::vector<std::size_t> shape_;
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
  if (open == std::string::npos || text.empty() || text.back() != ']')
    return std::nullopt;
  indexed_place p{text.substr(0, open), 0};
  for (std::size_t i = open + 1; i + 1 < text.size(); ++i) {
    if (text[i] < '0' || text[i] > '9')
      return std::nullopt;
    p.index = (p.index * 10) + static_cast<std::uint64_t>(text[i] - '0');
  }
  return p;
}

std::string access_text(const json& m) {
  const bool reads = m.at("reads");
  const bool writes = m.at("writes");
  std::string text = reads && writes ? "updates" : reads ? "reads" : "writes";
  const std::string order = m.at("order");
  text += order == "weak" ? " (weak)" : fmt::format(" ({}, {} scope)", order, m.value("scope", ""));
  return text;
}

/// Who has written what no operation has.
const char* writer_before(const json& access) {
  return access.value("followed", false) ? "the host" : "the host, or by nobody";
}

/// Its units in the form that was asked for, or its bytes.
std::vector<std::string> memory_texts(const json& reply) {
  if (reply.contains("texts"))
    return reply.at("texts").get<std::vector<std::string>>();
  std::vector<std::string> texts;
  for (const auto& byte : reply.at("bytes"))
    texts.push_back(fmt::format("{:02x}", byte.get<unsigned>()));
  return texts;
}

} // namespace

const std::vector<std::string>& sources::load(const std::string& file) {
  const auto [it, is_new] = files_.try_emplace(file);
  if (is_new) {
    std::ifstream in(sim::bytes_of(file));
    std::string line;
    while (std::getline(in, line))
      it->second.push_back(line);
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

std::string
render_value(const json& value, const style& s, std::size_t indent, const json* before) {
  if (value.contains("missing"))
    return fmt::format("<{}>", value.at("missing").get<std::string>());
  if (value.contains("members")) {
    std::string text = "{";
    for (const auto& member : value.at("members"))
      text += fmt::format("{}{} = {}",
                          text.size() == 1 ? "" : ", ",
                          member.at("name").get<std::string>(),
                          render_value(member.at("value"), s, indent));
    return text + "}";
  }
  const json& shape = value.at("shape");
  if (shape.empty() && value.contains("unwritten"))
    return "<never written>";
  std::string elements = value_text(value, s, before).render(indent);
  if (shape.empty())
    return elements;
  return fmt::format("{}[{}]{}", value.at("kind").get<std::string>(), shape_text(shape), elements);
}

std::string render_marks(const std::vector<const json*>& values, std::size_t indent) {
  std::string text;
  const auto tell = [&](const char* kind, const char* sign, const char* meaning) {
    std::size_t n = 0;
    for (const json* v : values) {
      if (!v->at("shape").empty())
        n = std::max(n, v->value(kind, std::size_t{0}));
    }
    if (n != 0)
      text +=
          fmt::format("{:{}}{} {} element{} {}\n", "", indent, sign, n, n == 1 ? "" : "s", meaning);
  };
  tell("masked", "-  ", "masked out, not accessed");
  tell("padded", "( )", "masked out: the padding");
  tell("unspecified", "?  ", "unspecified");
  tell("unwritten", "?  ", "that nothing has written");
  return text;
}

std::string render_memory(const json& reply, std::size_t unit) {
  const auto unwritten = reply.at("unwritten").get<std::vector<std::size_t>>();
  const auto cells = memory_texts(reply);
  std::size_t width = 0;
  for (const auto& cell : cells)
    width = std::max(width, cell.size());
  const bool is_dump = !reply.contains("texts");
  const std::size_t columns = is_dump ? 16 : std::bit_floor(std::clamp(56 / (width + 2), 1UL, 8UL));
  const std::uint64_t address = reply.at("address");
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i % columns == 0)
      text += fmt::format("{}{:#x}:", i == 0 ? "" : "\n", address + (i * unit));
    const auto first = std::ranges::lower_bound(unwritten, i * unit);
    const bool is_unwritten = first != unwritten.end() && *first < (i + 1) * unit;
    text += fmt::format(
        "{}{:>{}}", is_dump && i % 4 != 0 ? " " : "  ", is_unwritten ? "??" : cells[i], width);
  }
  text += "\n";
  if (!unwritten.empty())
    text += "??: nothing has written there\n";
  return text;
}

std::string render_place(const json& frames) {
  if (frames.empty())
    return "an unknown place";
  return fmt::format("{}:{}",
                     frames.front().at("file").get<std::string>(),
                     frames.front().at("line").get<unsigned>());
}

std::string render_source(const json& frames, sources& files) {
  if (frames.empty())
    return "";
  const std::string file = frames.front().at("file");
  const unsigned line = frames.front().at("line");
  if (files.lines(file) == 0)
    return "";
  return fmt::format("{}\t{}", line, files.line(file, line));
}

std::string render_places(const json& places, std::size_t most) {
  std::vector<std::pair<std::string, std::string>> pieces; // text of a run of places
  std::string text;
  std::size_t written = 0;
  std::size_t left_out = 0;
  std::optional<indexed_place> first;
  std::uint64_t last = 0;
  const auto finish = [&] {
    if (!first)
      return;
    const std::string piece = first->index == last
                                  ? fmt::format("{}[{}]", first->name, last)
                                  : fmt::format("{}[{}:{}]", first->name, first->index, last + 1);
    if (written < most)
      text += (text.empty() ? "" : ", ") + piece;
    else
      ++left_out;
    ++written;
    first.reset();
  };
  std::set<std::string> seen;
  std::size_t twice = 0;
  for (const auto& p : places) {
    if (p.is_null()) {
      finish();
      continue;
    }
    const std::string place = p;
    twice += seen.insert(place).second ? 0U : 1U;
    const auto parsed = parse_place(place);
    if (!parsed) {
      finish();
      if (written < most)
        text += (text.empty() ? "" : ", ") + place;
      else
        ++left_out;
      ++written;
      continue;
    }
    if (first && parsed->name == first->name && parsed->index == last + 1) {
      last = parsed->index;
      continue;
    }
    finish();
    first = parsed;
    last = parsed->index;
  }
  finish();
  if (text.empty())
    return "nothing: every element is masked out";
  if (left_out != 0)
    text += fmt::format(" and {} more", left_out);
  if (twice != 0)
    text += fmt::format(
        " ({} element{} at a place that another one has)", twice, twice == 1 ? "" : "s");
  return text;
}

std::vector<std::uint64_t> sources_of(const json& operation) {
  std::set<std::uint64_t> numbers;
  for (const auto& m : operation.at("memory")) {
    for (const auto& source : m.value("sources", json::array())) {
      if (!source.is_null())
        numbers.insert(source.get<std::uint64_t>());
    }
  }
  return {numbers.begin(), numbers.end()};
}

std::string render_operation(const json& operation,
                             const json* before,
                             const std::map<std::uint64_t, std::string>& writers,
                             const style& s) {
  std::string name = operation.at("operation");
  if (const std::string spelling = operation.value("spelling", ""); !spelling.empty())
    name += fmt::format(" ({})", spelling);
  std::string text = fmt::format("#{} {}  at {}\n",
                                 operation.at("number").get<std::uint64_t>(),
                                 painted(name, bold, s),
                                 render_place(operation.at("frames")));
  std::size_t number = 0;
  std::vector<const json*> shown;
  for (const auto& operand : operation.at("operands")) {
    ++number;
    const std::string role = operand.value("role", fmt::format("operand {}", number));
    text += fmt::format("  {:<10} {}\n", role + ":", render_value(operand, s, value_column));
    shown.push_back(&operand);
  }
  if (operation.contains("before"))
    text += fmt::format("  {:<10} {} -> {}\n",
                        "value:",
                        render_value(operation.at("before"), s, value_column),
                        render_value(operation.at("after"), s, value_column));
  if (operation.contains("result")) {
    const json& result = operation.at("result");
    const json* const last =
        before != nullptr && before->contains("result") ? &before->at("result") : nullptr;
    text += fmt::format("  {:<10} {}\n", "result:", render_value(result, s, value_column, last));
    shown.push_back(&result);
  }
  text += render_marks(shown, 2);
  for (const auto& access : operation.at("memory")) {
    text += fmt::format("  {} {}\n", access_text(access), render_places(access.at("places")));
    if (!access.contains("sources"))
      continue;
    // Which places were written by whom.
    std::map<std::uint64_t, json> by_writer;
    json by_nobody = json::array();
    for (std::size_t i = 0; i < access.at("sources").size(); ++i) {
      const json& place = access.at("places")[i];
      if (access.at("unwritten")[i].get<bool>())
        by_nobody.push_back(place);
      else if (!access.at("sources")[i].is_null())
        by_writer[access.at("sources")[i].get<std::uint64_t>()].push_back(place);
    }
    if (!by_nobody.empty())
      text += fmt::format("    {} never written\n", render_places(by_nobody, 4));
    std::size_t told = 0;
    for (const auto& [writer, places] : by_writer) {
      if (++told > 4) {
        text += fmt::format("    and from {} more operations\n", by_writer.size() - 4);
        break;
      }
      const auto known = writers.find(writer);
      text += fmt::format("    {} written by {}\n",
                          render_places(places, 4),
                          writer == 0              ? writer_before(access)
                          : known != writers.end() ? known->second
                                                   : fmt::format("#{}", writer));
    }
  }
  return text;
}

std::string render_finding(const json& finding, const style& s) {
  const bool error = finding.value("level", "") == "error";
  std::string text = fmt::format("{}: {}: {} [{}]\n",
                                 render_place(finding.at("where")),
                                 painted(error ? "error" : "note", error ? red : bold, s),
                                 finding.at("message").get<std::string>(),
                                 finding.at("code").get<std::string>());
  for (const auto& detail : finding.at("details"))
    text += fmt::format("  {}\n", detail.get<std::string>());
  if (const std::string remedy = finding.value("remedy", ""); !remedy.empty())
    text += fmt::format("  to fix: {}\n", remedy);
  return text;
}

} // namespace tilesim::driver::step
