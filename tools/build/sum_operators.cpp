// Expressions are scanned forward, from their first token: as much of the grammar as is needed to
// find the operators of one level of precedence.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/sum_operators.hpp"

#include "tools/cli/files.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace tilesim::tools {

namespace {

using sim::text_position;

/// The file that a linemarker names, by its whole path.
std::string whole_path(std::string_view quoted) {
  std::string name;
  for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
    if (quoted[i] == '\\' && i + 2 < quoted.size()) {
      ++i;
    }
    name += quoted[i];
  }
  std::error_code error;
  const auto path = std::filesystem::weakly_canonical(name, error);
  return error ? name : path.string();
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, text) != words.end();
}

bool opens(std::string_view text) {
  return is_one_of(text, {"(", "[", "{"});
}

} // namespace

sum_operators::sum_operators(std::string_view text, const std::set<std::string>& files)
    : text_(text)
    , lexed_(lex(text_)) {
  std::map<std::string_view, std::string> paths; // by linemarker
  for (std::size_t m = 0; m < lexed_.markers.size(); ++m) {
    const line_marker& marker = lexed_.markers[m];
    const auto [path, is_new] = paths.try_emplace(marker.file);
    if (is_new) {
      path->second = whole_path(marker.file);
    }
    if (!marker.system && marker.file.size() > 2 && marker.file[1] != '<') {
      own_files_.insert(path->second);
    }
    if (!files.contains(path->second)) {
      continue;
    }
    const std::size_t end =
        m + 1 < lexed_.markers.size() ? lexed_.markers[m + 1].offset : lexed_.text.size();
    tokens_of_line& lines = lines_[path->second];
    for (auto t = std::ranges::lower_bound(lexed_.tokens, marker.offset, {}, &token::begin);
         t != lexed_.tokens.end() && t->begin < end;
         ++t) {
      lines[static_cast<unsigned>(lexed_.locate(t->begin).line)].push_back(
          static_cast<std::size_t>(t - lexed_.tokens.begin()));
    }
  }
}

std::string_view sum_operators::spelling(std::size_t token) const {
  return token < lexed_.tokens.size() ? lexed_.spelling(lexed_.tokens[token]) : std::string_view();
}

bool sum_operators::touches_next(std::size_t token) const {
  return token + 1 < lexed_.tokens.size() &&
         lexed_.tokens[token].end == lexed_.tokens[token + 1].begin;
}

std::size_t sum_operators::first_token(const std::string& file, text_position begin) const {
  const auto lines = lines_.find(file);
  if (lines != lines_.end()) {
    if (const auto line = lines->second.find(begin.line); line != lines->second.end()) {
      for (const std::size_t t : line->second) {
        if (lexed_.locate(lexed_.tokens[t].begin).column == begin.column) {
          return t;
        }
      }
    }
  }
  return lexed_.tokens.size();
}

std::size_t sum_operators::behind_bracket(std::size_t open) const {
  int depth = 0;
  for (std::size_t t = open; t < lexed_.tokens.size(); ++t) {
    const std::string_view s = spelling(t);
    depth += opens(s) ? 1 : is_one_of(s, {")", "]", "}"}) ? -1 : 0;
    if (depth == 0) {
      return t + 1;
    }
  }
  return lexed_.tokens.size();
}

// Whether `<` begins template arguments only names say. Taken for such if it is closed before the
// statement ends and a name, a call or an object's list stands behind.
std::size_t sum_operators::behind_template(std::size_t angle) const {
  int depth = 0;
  for (std::size_t t = angle; t < lexed_.tokens.size(); ++t) {
    const std::string_view s = spelling(t);
    if (is_one_of(s, {"(", "[", "{"})) {
      t = behind_bracket(t) - 1;
    } else if (s == "<") {
      ++depth;
    } else if (s == ">" || s == ">>") {
      depth -= static_cast<int>(s.size());
      if (depth <= 0) {
        return is_one_of(spelling(t + 1), {"(", "{", "::"}) ? t + 1 : angle;
      }
    } else if (is_one_of(s, {";", ")", "]", "}", "?"})) {
      break;
    }
  }
  return angle;
}

std::pair<std::size_t, std::string_view> sum_operators::called(std::size_t token) const {
  std::string_view name;
  for (std::size_t t = token; t < lexed_.tokens.size();) {
    if (spelling(t) == "::" || spelling(t) == "." || spelling(t) == "->") {
      ++t;
    } else if (lexed_.tokens[t].kind == token_kind::identifier) {
      name = spelling(t++);
    } else if (spelling(t) == "<" && behind_template(t) != t) {
      t = behind_template(t);
    } else {
      return {spelling(t) == "(" && !name.empty() ? t : 0, name};
    }
  }
  return {0, name};
}

std::size_t sum_operators::behind_operand(std::size_t token) const {
  if (opens(spelling(token))) {
    return behind_bracket(token);
  }
  if (spelling(token) == "<") {
    return std::max(behind_template(token), token + 1);
  }
  return token + 1;
}

// Columns in the source: the preprocessor leaves out comments and blanks, and puts in what macros
// stand for. Where a line has the same tokens, each is where its twin is.
const std::map<std::size_t, std::size_t>& sum_operators::source_columns(const std::string& file,
                                                                        unsigned line) const {
  const auto [known, is_new] = columns_.try_emplace({file, line});
  if (!is_new) {
    return known->second;
  }
  const auto [source, is_new_source] = sources_.try_emplace(file);
  if (is_new_source) {
    const std::string all = read_file(file).value_or("");
    for (std::size_t at = 0; at < all.size();) {
      const std::size_t end = std::min(all.find('\n', at), all.size());
      source->second.push_back(all.substr(at, end - at));
      at = end + 1;
    }
  }
  if (line == 0 || line > source->second.size()) {
    return known->second;
  }
  const std::string& text = source->second[line - 1];
  const lexed own = lex(text);
  const auto lines = lines_.find(file);
  const auto found = lines->second.find(line);
  if (found == lines->second.end() || found->second.size() != own.tokens.size()) {
    return known->second;
  }
  for (std::size_t i = 0; i < own.tokens.size(); ++i) {
    if (own.spelling(own.tokens[i]) != spelling(found->second[i])) {
      known->second.clear();
      return known->second;
    }
    known->second[found->second[i]] = own.tokens[i].begin + 1;
  }
  return known->second;
}

text_position sum_operators::position(std::size_t token) const {
  const location at = lexed_.locate(lexed_.tokens[token].begin);
  const auto& columns = source_columns(whole_path(at.file), static_cast<unsigned>(at.line));
  const auto found = columns.find(token);
  return {.line = static_cast<unsigned>(at.line),
          .column = found == columns.end() ? 0 : static_cast<unsigned>(found->second)};
}

std::vector<text_position> sum_operators::call(const std::string& file, text_position begin) const {
  const std::size_t first = first_token(file, begin);
  const std::size_t bracket = called(first).first;
  if (bracket == 0) {
    return {{.line = begin.line, .column = 0}};
  }
  std::vector<text_position> at{position(first), position(bracket)};
  add_enclosing_call(first, behind_bracket(bracket), at);
  return at;
}

std::size_t sum_operators::enclosing_bracket(std::size_t token) const {
  for (int depth = 0; token > 0 && depth >= 0;) {
    --token;
    depth += is_one_of(spelling(token), {")", "]", "}"}) ? 1 : opens(spelling(token)) ? -1 : 0;
  }
  return token;
}

void sum_operators::add_enclosing_call(std::size_t token,
                                       std::size_t end,
                                       std::vector<text_position>& to) const {
  const std::size_t open = enclosing_bracket(token);
  if (open > 0 && spelling(open) == "(" && is_one_of(spelling(end), {",", ")"}) &&
      (spelling(open - 1) == ">" || lexed_.tokens[open - 1].kind == token_kind::identifier)) {
    to.push_back(position(open));
  }
}

bool sum_operators::is_literal(std::size_t token, std::size_t end) const {
  if (token < end && is_one_of(spelling(token), {"-", "+"})) {
    ++token;
  }
  return token + 1 == end && lexed_.tokens[token].kind == token_kind::number;
}

bool sum_operators::ends_operand(std::size_t token) const {
  const token_kind kind = lexed_.tokens[token].kind;
  return kind == token_kind::punct ? is_one_of(spelling(token), {")", "]", "}", ">"})
                                   : spelling(token) != "return";
}

std::size_t sum_operators::behind_product(std::size_t t) const {
  bool behind = false; // an operand
  while (t < lexed_.tokens.size()) {
    const std::string_view s = spelling(t);
    const bool sign = s == "+" || s == "-";
    const bool multiplies =
        is_one_of(s, {"*", "/", "%"}) && !(touches_next(t) && spelling(t + 1) == "=");
    const bool prefixed = !behind && (sign || is_one_of(s, {"!", "~", "&"}));
    if (sign && touches_next(t) && spelling(t + 1) == s) { // ++ or --
      t += 2;
    } else if (multiplies || prefixed || is_one_of(s, {".", "->", "::"})) {
      behind = false;
      ++t;
    } else if (lexed_.tokens[t].kind != token_kind::punct || opens(s) ||
               (s == "<" && behind_template(t) != t)) {
      t = behind_operand(t);
      behind = true;
    } else {
      break;
    }
  }
  return t;
}

void sum_operators::add_chain(std::size_t first,
                              std::vector<std::vector<text_position>>& to) const {
  std::size_t left = first;
  std::size_t t = behind_product(first);
  while (is_one_of(spelling(t), {"+", "-"}) && !(touches_next(t) && spelling(t + 1) == "=")) {
    const std::size_t end = behind_product(t + 1);
    if (!is_literal(left, t) && !is_literal(t + 1, end)) {
      to.push_back({position(t), position(end - 1)});
      add_enclosing_call(first, end, to.back());
    }
    left = lexed_.tokens.size(); // a sum by now, and no literal
    t = end;
  }
}

std::vector<text_position> sum_operators::of_right_operand(std::size_t token) const {
  const std::size_t end = behind_product(token);
  std::vector<text_position> at{position(token - 1), position(end - 1)};
  add_enclosing_call(token, end, at);
  return at;
}

std::vector<text_position> sum_operators::of_last_argument(std::size_t token) const {
  const std::size_t open = enclosing_bracket(token);
  if (open == 0 || !is_one_of(spelling(open - 1), {"add", "sub", "fma"})) {
    return {};
  }
  bool some = false;
  std::size_t last = open + 1;
  for (std::size_t t = open + 1, end = behind_bracket(open) - 1; t < end;) {
    std::size_t behind = t;
    while (behind < end && spelling(behind) != ",") {
      behind = behind_operand(behind);
    }
    some |= is_literal(t, behind);
    last = t;
    t = behind + 1;
  }
  std::size_t name = open - 1;
  while (name > 1 && spelling(name - 1) == "::" &&
         lexed_.tokens[name - 2].kind == token_kind::identifier) {
    name -= 2;
  }
  if (!some || last != token) {
    return {};
  }
  std::vector<text_position> at{position(name), position(open)};
  add_enclosing_call(name, behind_bracket(open), at);
  return at;
}

std::vector<std::vector<text_position>> sum_operators::from(const std::string& file,
                                                            text_position begin) const {
  std::vector<std::vector<text_position>> found;
  const std::size_t first = first_token(file, begin);
  if (first == lexed_.tokens.size()) {
    return found;
  }
  if (first > 1 && is_one_of(spelling(first - 1), {"+", "-"}) && ends_operand(first - 2)) {
    found.push_back(of_right_operand(first));
    return found;
  }
  if (const auto [bracket, name] = called(first);
      bracket != 0 && is_one_of(name, {"add", "sub", "fma"})) {
    found.push_back({position(first), position(bracket)});
    add_enclosing_call(first, behind_bracket(bracket), found.back());
  }
  add_chain(first, found);
  if (auto call = of_last_argument(first); !call.empty()) {
    found.push_back(std::move(call));
  }
  return found;
}

} // namespace tilesim::tools
