// Splits preprocessed text into tokens and directives.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/rewrite/lexer.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <iterator>

namespace tilesim::tools {
namespace {

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_identifier_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}
constexpr bool is_identifier(char c) {
  return is_identifier_start(c) || is_digit(c);
}
constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r';
}

// Operators that are one token, longest first. Those with a closing angle bracket of their own are
// here so that it is not taken for the end of template arguments.
constexpr std::array<std::string_view, 13> operators{
    "<=>", "->*", "...", "->", "::", "<=", ">=", "&&", "||", "<%", "%>", "<:", ":>"};

/// One pass over a piece of text; directives only where the caller asks for them.
class source_scanner {
public:
  source_scanner(std::string_view text, std::size_t begin, std::size_t end)
      : text_(text)
      , at_(begin)
      , end_(end) {}

  void file(lexed& out);
  void body(std::vector<token>& out) {
    while (next(out)) {
    }
  }

private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < end_ ? text_[at_ + ahead] : '\0';
  }
  [[nodiscard]] bool looking_at(std::string_view what) const {
    return text_.substr(at_, std::min(what.size(), end_ - at_)) == what;
  }
  void add(std::vector<token>& out, token_kind kind, std::size_t begin) const {
    out.push_back({kind, begin, at_});
  }

  /// Behind the universal character name at `at`, or `at` itself.
  [[nodiscard]] std::size_t behind_universal(std::size_t at) const;
  void identifier();
  bool launch();
  bool skip_space(bool stop_at_newline);
  bool next(std::vector<token>& out);
  void quoted(char quote);
  void raw_string();
  void number();
  [[nodiscard]] std::size_t directive_end() const;
  void directive(lexed& out);
  void define(lexed& out, std::size_t end);
  void skip_group(lexed& out);

  std::string_view text_;
  std::size_t at_;
  std::size_t end_;
};

// Skips blanks, spliced newlines and comments. True if a newline was crossed.
bool source_scanner::skip_space(bool stop_at_newline) {
  bool crossed = false;
  while (at_ < end_) {
    const char c = text_[at_];
    if (is_blank(c)) {
      ++at_;
    } else if (c == '\n') {
      if (stop_at_newline) {
        return crossed;
      }
      crossed = true;
      ++at_;
    } else if (c == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
      at_ += peek(1) == '\n' ? 2U : 3U;
    } else if (c == '/' && peek(1) == '/') {
      do {
        at_ = std::min(end_, text_.find('\n', at_ + 1));
      } while (at_ < end_ && text_[at_ - 1] == '\\');
    } else if (c == '/' && peek(1) == '*') {
      const auto close = text_.find("*/", at_ + 2);
      at_ = close == std::string_view::npos ? end_ : std::min(end_, close + 2);
    } else {
      break;
    }
  }
  return crossed;
}

void source_scanner::quoted(char quote) {
  ++at_;
  while (at_ < end_ && text_[at_] != quote && text_[at_] != '\n') {
    at_ += text_[at_] == '\\' && at_ + 1 < end_ ? 2U : 1U;
  }
  at_ = std::min(end_, at_ + (peek() == quote ? 1U : 0U));
}

// R"delimiter( ... )delimiter"; at_ stands on the quote.
void source_scanner::raw_string() {
  const auto open = text_.find('(', at_);
  if (open == std::string_view::npos || open - at_ > 17) {
    quoted('"');
    return;
  }
  std::string close = ")";
  close += text_.substr(at_ + 1, open - at_ - 1);
  close += '"';
  const auto found = text_.find(close, open);
  at_ = found == std::string_view::npos ? end_ : std::min(end_, found + close.size());
}

void source_scanner::number() {
  while (at_ < end_) {
    const char c = text_[at_];
    const bool exponent =
        (c == 'e' || c == 'E' || c == 'p' || c == 'P') && (peek(1) == '+' || peek(1) == '-');
    if (exponent || (c == '\'' && is_identifier(peek(1)))) {
      at_ += 2;
    } else if (is_identifier(c) || c == '.') {
      ++at_;
    } else {
      return;
    }
  }
}

// \u00f6 or \U000000f6
std::size_t source_scanner::behind_universal(std::size_t at) const {
  if (at + 1 >= end_ || text_[at] != '\\' || (text_[at + 1] != 'u' && text_[at + 1] != 'U')) {
    return at;
  }
  const auto end = at + (text_[at + 1] == 'u' ? 6U : 10U);
  if (end > end_) {
    return at;
  }
  for (auto i = at + 2; i < end; ++i) {
    if (std::isxdigit(static_cast<unsigned char>(text_[i])) == 0) {
      return at;
    }
  }
  return end;
}

// Lines may be spliced inside a name.
void source_scanner::identifier() {
  while (at_ < end_) {
    if (is_identifier(text_[at_])) {
      ++at_;
      continue;
    }
    const auto behind = behind_universal(at_);
    const auto spliced = std::min(end_, behind_splices(text_, at_));
    if (behind != at_) {
      at_ = behind;
    } else if (spliced != at_ && spliced < end_ && is_identifier(text_[spliced])) {
      at_ = spliced;
    } else {
      return;
    }
  }
}

// <<<, with lines spliced anywhere in it.
bool source_scanner::launch() {
  auto at = at_;
  for (int n = 0; n < 3; ++n) {
    at = n == 0 ? at : behind_splices(text_, at);
    if (at >= end_ || text_[at] != '<') {
      return false;
    }
    ++at;
  }
  at_ = at;
  return true;
}

bool source_scanner::next(std::vector<token>& out) {
  skip_space(false);
  if (at_ >= end_) {
    return false;
  }
  const auto begin = at_;
  const char c = text_[at_];
  if (is_identifier_start(c) || behind_universal(at_) != at_) {
    identifier();
    const auto word = text_.substr(begin, at_ - begin);
    const bool prefix = word == "L" || word == "u" || word == "U" || word == "u8";
    if (peek() == '"' && word.size() <= 3 && word.back() == 'R') {
      raw_string();
      add(out, token_kind::string, begin);
    } else if (prefix && (peek() == '"' || peek() == '\'')) {
      const bool is_string = peek() == '"';
      quoted(peek());
      add(out, is_string ? token_kind::string : token_kind::character, begin);
    } else {
      add(out, token_kind::identifier, begin);
    }
  } else if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
    number();
    add(out, token_kind::number, begin);
  } else if (c == '"' || c == '\'') {
    quoted(c);
    add(out, c == '"' ? token_kind::string : token_kind::character, begin);
  } else if (launch()) {
    add(out, token_kind::launch, begin);
  } else {
    const auto* op =
        std::find_if(operators.begin(), operators.end(), [&](auto o) { return looking_at(o); });
    at_ += op == operators.end() ? 1U : op->size();
    if (op != operators.end() && *op == "<:" && peek() == ':' && peek(1) != ':' && peek(1) != '>') {
      --at_; // <:: is < and ::
    }
    add(out, token_kind::punct, begin);
  }
  return true;
}

// The offset behind the newline that ends the directive at at_.
std::size_t source_scanner::directive_end() const {
  source_scanner rest(text_, at_, end_);
  while (rest.at_ < end_) {
    const auto stop = text_.find_first_of("\n\\/\"'", rest.at_);
    rest.at_ = std::min(end_, stop);
    if (rest.at_ >= end_) {
      break;
    }
    const char c = text_[rest.at_];
    if (c == '\n') {
      return rest.at_ + 1;
    }
    if (c == '"' || c == '\'') {
      rest.quoted(c);
    } else {
      const auto before = rest.at_;
      rest.skip_space(true);
      rest.at_ += rest.at_ == before ? 1 : 0;
    }
  }
  return end_;
}

void source_scanner::define(lexed& out, std::size_t end) {
  source_scanner line(text_, at_, end);
  line.skip_space(true);
  const auto begin = line.at_;
  while (line.at_ < end && is_identifier(text_[line.at_])) {
    ++line.at_;
  }
  macro_definition macro;
  macro.name = text_.substr(begin, line.at_ - begin);
  macro.function_like = line.peek() == '(';
  macro.end = end;
  if (macro.function_like) {
    out.function_like_macros.insert(macro.name);
  }
  const auto rest = text_.substr(line.at_, end - line.at_);
  if (!macro.function_like && rest.find(',') != std::string_view::npos) {
    out.list_macros.insert(macro.name);
  }
  const plain_macro plain{macro.name, line.at_, end};
  // A splice inside <<< leaves two of them together, or one at a line's end.
  if (rest.find("<<") != std::string_view::npos || rest.find("<\\") != std::string_view::npos ||
      rest.find("global__") != std::string_view::npos) {
    out.macros.push_back(lex_macro(out, plain));
  } else {
    out.plain_macros.push_back(plain);
  }
}

} // namespace

std::size_t behind_splices(std::string_view text, std::size_t at) {
  while (at + 1 < text.size() && text[at] == '\\') {
    if (text[at + 1] == '\n') {
      at += 2;
    } else if (text[at + 1] == '\r' && at + 2 < text.size() && text[at + 2] == '\n') {
      at += 3;
    } else {
      break;
    }
  }
  return at;
}

std::string_view without_digraph(std::string_view spelling) {
  if (spelling.size() != 2) {
    return spelling;
  }
  return spelling == "<%"   ? "{"
         : spelling == "%>" ? "}"
         : spelling == "<:" ? "["
         : spelling == ":>" ? "]"
                            : spelling;
}

macro_definition lex_macro(const lexed& source, const plain_macro& plain) {
  const auto text = source.text;
  macro_definition macro;
  macro.name = plain.name;
  macro.function_like = plain.begin < plain.end && text[plain.begin] == '(';
  macro.end = plain.end;
  std::vector<token> tokens;
  source_scanner(text, plain.begin, plain.end).body(tokens);
  auto first = tokens.begin();
  if (macro.function_like) {
    const auto close = std::find_if(tokens.begin(), tokens.end(), [&](const token& t) {
      return text[t.begin] == ')' && t.kind == token_kind::punct;
    });
    for (; first != close; ++first) {
      if (first->kind == token_kind::identifier) {
        macro.parameters.push_back(source.spelling(*first));
      }
    }
    first += first != tokens.end() ? 1 : 0;
  }
  macro.body.assign(first, tokens.end());
  return macro;
}

namespace {

// Skips what an #if 0 leaves out: up to its #endif, or into its other branch.
void source_scanner::skip_group(lexed& out) {
  std::size_t depth = 1;
  while (at_ < end_) {
    const auto begin = at_;
    while (is_blank(peek())) {
      ++at_;
    }
    const bool is_directive = peek() == '#';
    ++at_;
    while (is_directive && is_blank(peek())) {
      ++at_;
    }
    const auto word = text_.substr(std::min(at_, end_), 2);
    at_ = std::min(end_, text_.find('\n', begin)) + 1;
    if (!is_directive) {
      continue;
    }
    depth += word == "if" ? 1U : 0U;
    depth -= word == "en" ? 1U : 0U;
    if (depth == 0) {
      return;
    }
    if (depth == 1 && word == "el") {
      out.conditionals.push_back({begin, conditional::part::open});
      return;
    }
  }
  at_ = end_;
}

// at_ stands on the # (or %:) that begins a line.
void source_scanner::directive(lexed& out) {
  const auto begin = at_;
  const auto end = directive_end();
  at_ += peek() == '#' ? 1U : 2U;
  skip_space(true);
  const auto word_begin = at_;
  while (at_ < end && is_identifier(text_[at_])) {
    ++at_;
  }
  auto word = text_.substr(word_begin, at_ - word_begin);
  if (word == "line") {
    skip_space(true);
    const auto number_begin = at_;
    number();
    word = text_.substr(number_begin, at_ - number_begin);
  }
  std::size_t line = 0;
  if (!word.empty() && is_digit(word.front()) &&
      std::from_chars(word.data(), word.data() + word.size(), line).ec == std::errc{}) {
    skip_space(true);
    const auto name_begin = at_;
    if (peek() == '"') {
      quoted('"');
    }
    const auto name = text_.substr(name_begin, at_ - name_begin);
    const auto flags = text_.substr(at_, end - at_);
    const bool same_file = name.empty() && !out.markers.empty();
    out.markers.push_back(
        {end,
         line,
         same_file ? out.markers.back().file : name,
         same_file ? out.markers.back().system : flags.find('3') != std::string_view::npos});
  } else if (word == "define") {
    define(out, end);
  } else if (word == "if" && (skip_space(true), looking_at("0")) && !is_identifier(peek(1))) {
    at_ = end;
    skip_group(out);
    return;
  } else if (word == "if" || word == "ifdef" || word == "ifndef") {
    out.conditionals.push_back({begin, conditional::part::open});
  } else if (word == "else" || word == "elif") {
    out.conditionals.push_back({begin, conditional::part::branch});
  } else if (word == "endif") {
    out.conditionals.push_back({begin, conditional::part::close});
  }
  at_ = end;
}

void source_scanner::file(lexed& out) {
  bool line_start = true;
  while (at_ < end_) {
    line_start = skip_space(false) || line_start;
    if (line_start && (peek() == '#' || looking_at("%:"))) {
      directive(out);
      continue; // a directive ends behind its newline
    }
    line_start = false;
    next(out.tokens);
  }
}

} // namespace

lexed lex(std::string_view text) {
  lexed out;
  out.text = text;
  out.tokens.reserve(text.size() / 6);
  for (auto at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
    out.newlines.push_back(at);
  }
  source_scanner(text, 0, text.size()).file(out);
  return out;
}

location lexed::locate(std::size_t offset) const {
  auto marker = std::upper_bound(
      markers.begin(), markers.end(), offset, [](auto o, const auto& m) { return o < m.offset; });
  const auto line_of = [&](std::size_t o) { return std::ranges::lower_bound(newlines, o); };
  const auto line = line_of(offset);
  const auto column = line == newlines.begin() ? offset + 1 : offset - *std::prev(line);
  if (marker == markers.begin()) {
    return {"\"\"", 1 + static_cast<std::size_t>(line - newlines.begin()), column, false};
  }
  --marker;
  const auto lines = static_cast<std::size_t>(line - line_of(marker->offset));
  return {marker->file, marker->line + lines, column, marker->system};
}

} // namespace tilesim::tools
