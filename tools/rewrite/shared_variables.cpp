// Reads declarations of variables as far as it goes without knowing what a name stands for: the
// name is the last identifier of its declarator, in front of an array's extents.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/rewrite/shared_variables.hpp"

#include "tools/rewrite/scopes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>

namespace tilesim::tools {
namespace {

using word_set = std::unordered_set<std::string_view>;

/// Macros that say __shared__ and no more than specifiers: #define SHARED static __shared__.
word_set specifier_macros(const lexed& source) {
  word_set known{"__shared__"};
  for (bool more = true; more;) {
    more = false;
    for (const auto& plain : source.plain_macros) {
      const auto text = source.text.substr(plain.begin, plain.end - plain.begin);
      if (known.contains(plain.name) || std::ranges::none_of(known, [&](std::string_view k) {
            return text.find(k) != std::string_view::npos;
          })) {
        continue;
      }
      const auto macro = lex_macro(source, plain);
      const token_view body(source, macro.body);
      bool names_it = false;
      bool only_specifiers = !macro.function_like;
      for (std::size_t i = 0; i < body.size(); ++i) {
        static const word_set specifiers{"static", "extern", "volatile", "const"};
        const auto word = body.spelling(i);
        names_it = names_it || known.contains(word);
        only_specifiers = only_specifiers && (known.contains(word) || specifiers.contains(word));
      }
      if (names_it && only_specifiers) {
        known.insert(macro.name);
        more = true;
      }
    }
  }
  return known;
}

bool takes_alignment(std::string_view word) {
  return word == "alignas" || word == "__align__" || word == "__builtin_align__";
}

/// Looks through one list of tokens: the file's, or those of one macro's body.
class shared_finder {
public:
  shared_finder(const lexed& source,
                const std::vector<token>& tokens,
                const macro_definition* macro,
                const word_set& keywords,
                std::set<std::string, std::less<>>& known_outside,
                shared_edits& out)
      : source_(source)
      , t_(source, tokens)
      , macro_(macro)
      , keywords_(keywords)
      , known_outside_(known_outside)
      , out_(out) {}

  void find() {
    scope_stack scopes(source_, t_);
    std::size_t behind = 0; // the last declaration that was read
    for (std::size_t i = 0; i < t_.size(); ++i) {
      scopes.enter(i);
      if (!t_.is(i, token_kind::identifier) || !keywords_.contains(t_.spelling(i)) || i < behind) {
        continue;
      }
      place_ = macro_ != nullptr    ? text_place::macro_body
               : scopes.macro_use() ? text_place::macro_argument
                                    : text_place::code;
      behind = std::max(behind, declaration(i, macro_ == nullptr && scopes.at_namespace_scope()));
    }
  }

private:
  void error(std::size_t i, std::string message) {
    out_.errors.push_back({source_.locate(t_[i].begin), std::move(message)});
  }
  void erase(std::size_t from, std::size_t to) { // tokens [from, to)
    out_.edits.push_back({{t_[from].begin, t_[to - 1].end}, {}, text_place::macro_body});
  }
  void put(std::size_t at, std::string text) {
    out_.edits.push_back({{at, at}, {{std::move(text)}}, text_place::macro_body});
  }
  [[nodiscard]] std::string text_of(std::size_t from, std::size_t to) const { // tokens [from, to)
    return std::string(source_.text.substr(t_[from].begin, t_[to - 1].end - t_[from].begin));
  }

  /// Where the declaration begins that has a specifier at `i`.
  [[nodiscard]] std::size_t begin_of(std::size_t i) const {
    while (i > 0) {
      const auto last = i - 1;
      if (t_.is_punct(last, ")") || t_.is_punct(last, "]")) {
        const auto open = t_.matching_open(last);
        if (!open) {
          return i;
        }
        const auto word = *open > 0 ? t_.spelling(*open - 1) : std::string_view{};
        const bool attribute = takes_alignment(word) || word == "__attribute__" ||
                               word == "decltype" || word == "typeof" || word == "__typeof__" ||
                               t_.is_punct(*open, "[");
        if (!attribute) {
          return i;
        }
        i = *open;
      } else if (t_.is_punct(last, ";") || t_.opens(last) || t_.closes(last) ||
                 t_.is_punct(last, ":") || t_.is_punct(last, ",") ||
                 t_.is(last, token_kind::string)) {
        return i;
      } else {
        --i;
      }
    }
    return i;
  }

  /// Behind it: its semicolon, or the end of the macro that leaves it out.
  [[nodiscard]] std::optional<std::size_t> end_of(std::size_t i) const {
    for (; i < t_.size(); ++i) {
      if (t_.is_punct(i, ";")) {
        return i;
      }
      if (t_.opens(i)) {
        i = t_.matching_close(i);
      } else if (t_.closes(i)) {
        break;
      }
    }
    return macro_ != nullptr || place_ == text_place::macro_argument
               ? std::optional(std::min(i, t_.size()))
               : std::nullopt;
  }

  /// Behind the declaration that token `i` is the specifier of.
  std::size_t declaration(std::size_t i, bool outside) {
    const auto begin = begin_of(i);
    const auto end = end_of(begin);
    if (macro_ != nullptr && keywords_.contains(macro_->name)) {
      specifiers(0, t_.size(), false); // it is read where it is used
      return t_.size();
    }
    if (!end || *end <= i) {
      error(i, "this __shared__ declaration cannot be read; write it as 'T name[extent];'");
      return i + 1;
    }
    const bool dynamic = specifiers(begin, *end, outside);
    declared_at_ = t_[i].begin;
    bool any = false;
    std::size_t from = begin;
    std::vector<std::string> names;
    for (std::size_t at = begin; at <= *end; ++at) {
      if (at < *end && t_.opens(at)) {
        at = t_.matching_close(at);
        continue;
      }
      if (at < *end && t_.is_punct(at, "<")) {
        if (const auto behind = t_.skip_template_arguments(at)) {
          at = *behind - 1;
          continue;
        }
      }
      if (at == *end || t_.is_punct(at, ",")) {
        const auto name = declarator(from, at, dynamic, outside);
        if (!name) {
          if (!has_initialiser_) {
            error(i, "this __shared__ declaration cannot be read; write it as 'T name[extent];'");
          }
          return *end;
        }
        names.push_back(*name);
        any = true;
        from = at + 1;
      }
    }
    if (outside && any) {
      define_outside(*end, names, dynamic);
    } else if (!outside) {
      for (const std::string& name : names) {
        capture(*end, name);
      }
    }
    return *end;
  }

  /// Takes out what a reference does not have; notes alignments. True if it is extern.
  bool specifiers(std::size_t begin, std::size_t end, bool outside) {
    bool is_extern = false;
    alignment_.clear();
    has_initialiser_ = false;
    for (std::size_t i = begin; i < end; ++i) {
      const auto word = t_.spelling(i);
      if (takes_alignment(word) && t_.is_punct(i + 1, "(")) {
        const auto close = t_.matching_close(i + 1);
        if (close < end) {
          alignment_ += (alignment_.empty() ? "" : " | ") +
                        std::string("::tilesim::detail::alignment<") + text_of(i + 2, close) +
                        ">()";
          erase(i, close + 1);
          i = close;
        }
      } else if (t_.is_punct(i, "{")) {
        i = t_.matching_close(i);
      } else if (word == "static" || word == "extern" || word == "thread_local" ||
                 keywords_.contains(word)) {
        is_extern = is_extern || word == "extern";
        const bool is_macro = keywords_.contains(word) && word != "__shared__"; // it may say more
        if (outside && keywords_.contains(word)) {
          out_.edits.push_back({{t_[i].begin, is_macro ? t_[i].begin : t_[i].end},
                                {{is_macro ? "extern " : "extern"}},
                                text_place::macro_body});
        } else if (!is_macro) {
          erase(i, i + 1);
        }
      }
    }
    return is_extern;
  }

  /// The name that the declarator in the tokens [from, to) declares. One function in spite of its
  /// length: what each form ends with decides the next one.
  std::optional<std::string>
  declarator(std::size_t from, std::size_t to, bool dynamic, bool outside) {
    auto last = to;
    for (std::size_t i = from; i < to; ++i) { // an initialiser is told where it stands, by its type
      if (t_.opens(i)) {
        i = t_.matching_close(i);
      } else if (t_.is_punct(i, "=")) {
        error(i, "a __shared__ variable takes no initialiser: what it holds at first is undefined");
        has_initialiser_ = true;
        return {};
      }
    }
    bool is_array = false;
    while (last > from + 1 && t_.is_punct(last - 1, "]")) {
      const auto open = t_.matching_open(last - 1);
      if (!open || *open <= from) {
        return {};
      }
      last = *open;
      is_array = true;
    }
    if (last == from) {
      return {};
    }
    auto name = last - 1;
    bool in_parentheses = false;
    if (t_.is_punct(name, ")")) { // T (*name)(int), T (&name)
      auto open = t_.matching_open(name);
      if (open && *open > from && t_.is_punct(*open - 1, ")")) {
        name = *open - 1;
        open = t_.matching_open(name);
      }
      if (!open || *open < from || name == *open + 1) {
        return {};
      }
      --name;
      in_parentheses = true;
    }
    if (!t_.is(name, token_kind::identifier)) {
      return {};
    }
    auto first = name;
    while (first > from + 2 && t_.spelling(first - 1) == "#" && t_.spelling(first - 2) == "#") {
      first -= 3; // a##b
    }
    const std::string text = text_of(first, name + 1);
    const bool wrap = is_array && !in_parentheses;
    put(t_[first].begin, wrap ? "(&" : " &");
    if (wrap) {
      put(t_[name].end, ")");
    }
    const auto behind = t_[to - 1].end;
    if (outside) {
      put(behind, " __asm__(\"" + symbol_of(text, dynamic) + "\")");
    } else {
      put(behind,
          " = ::tilesim::detail::shared<" +
              (alignment_.empty() ? std::string("1") : '(' + alignment_ + ')') +
              (dynamic ? ", true" : ", false") + ">([] { return " + quoted(first, name) + "; })");
    }
    return text;
  }

  /// The name in the tokens [first, last] as a string literal; a macro's parameters as they are
  /// written where it is used.
  [[nodiscard]] std::string quoted(std::size_t first, std::size_t last) const {
    std::string text;
    for (std::size_t i = first; i <= last; ++i) {
      const auto word = t_.spelling(i);
      if (!t_.is(i, token_kind::identifier)) {
        continue; // ##
      }
      const bool parameter =
          macro_ != nullptr && macro_->function_like &&
          std::ranges::find(macro_->parameters, word) != macro_->parameters.end();
      text += (text.empty() ? "" : " ") +
              (parameter ? '#' + std::string(word) : '"' + std::string(word) + '"');
    }
    return text;
  }

  /// All that are extern are one array: one name, one pointer.
  [[nodiscard]] std::string symbol_of(const std::string& name, bool dynamic) const {
    return "tilesim_shared_" + name + (dynamic ? "" : '_' + std::to_string(declared_at_));
  }

  /// The pointers behind references at namespace scope, once each.
  void define_outside(std::size_t end, const std::vector<std::string>& names, bool dynamic) {
    std::string text;
    for (const std::string& name : names) {
      const auto symbol = symbol_of(name, dynamic);
      if (!known_outside_.insert(symbol).second) {
        continue;
      }
      text += fmt::format(" static void* {0}_pointer __asm__(\"{0}\");"
                          " static ::tilesim::detail::shared_slot {0}_slot(&{0}_pointer, "
                          "::tilesim::detail::describe_outside<decltype({1}), {2}, {3}>(\"{1}\"));",
                          symbol,
                          name,
                          alignment_.empty() ? "1" : '(' + alignment_ + ')',
                          dynamic);
    }
    if (end < t_.size()) {
      put(t_[end].end, text);
    }
  }

  // --- Lambdas.

  /// Of the block that the declaration at `from` stands in: lambdas that name the variable.
  void capture(std::size_t from, const std::string& name) {
    if (place_ != text_place::code) {
      return;
    }
    std::size_t depth = 0;
    for (std::size_t i = from; i < t_.size(); ++i) {
      if (t_.is_punct(i, "{")) {
        ++depth;
      } else if (t_.is_punct(i, "}")) {
        if (depth == 0) {
          return;
        }
        --depth;
      } else if (t_.is_punct(i, "[")) {
        lambda(i, name);
      }
    }
  }

  void lambda(std::size_t open, const std::string& name) {
    const bool subscript =
        open > 0 && (t_.is(open - 1, token_kind::identifier) ? t_.spelling(open - 1) != "return"
                                                             : t_.closes(open - 1));
    const auto close = t_.matching_close(open);
    if (subscript || t_.is_punct(open + 1, "[") || t_.is_punct(open - 1, "[") ||
        close == t_.size()) {
      return;
    }
    if (t_.is_punct(open + 1, "&") && (open + 2 == close || t_.is_punct(open + 2, ","))) {
      return; // by reference, all of them
    }
    for (auto i = open + 1; i < close; ++i) {
      if (t_.spelling(i) == name) {
        return;
      }
    }
    auto body = close + 1;
    while (body < t_.size() && !t_.is_punct(body, "{")) {
      if (t_.is_punct(body, ";") || t_.closes(body)) {
        return;
      }
      body = t_.opens(body) ? t_.matching_close(body) + 1 : body + 1;
    }
    const auto end = body < t_.size() ? t_.matching_close(body) : body;
    for (auto i = body; i < end; ++i) {
      if (t_.spelling(i) == name && !t_.is_punct(i - 1, ".") && !t_.is_punct(i - 1, "->")) {
        put(t_[close].begin, (close == open + 1 ? "&" : ", &") + name);
        return;
      }
    }
  }

  const lexed& source_;
  token_view t_;
  const macro_definition* macro_;
  const word_set& keywords_;
  std::set<std::string, std::less<>>& known_outside_;
  shared_edits& out_;
  text_place place_{};
  std::string alignment_;       ///< what the declaration asks for; empty: nothing
  std::size_t declared_at_ = 0; ///< offset of the declaration
  bool has_initialiser_ = false;
};

} // namespace

shared_edits find_shared_variables(const lexed& source) {
  shared_edits out;
  if (source.text.find("__shared__") == std::string_view::npos) {
    return out;
  }
  const auto keywords = specifier_macros(source);
  std::set<std::string, std::less<>> known_outside;
  shared_finder(source, source.tokens, nullptr, keywords, known_outside, out).find();
  const auto look_into = [&](const macro_definition& macro) {
    if (macro.name != "__shared__" && std::ranges::any_of(macro.body, [&](const token& t) {
          return t.kind == token_kind::identifier && keywords.contains(source.spelling(t));
        })) {
      shared_finder(source, macro.body, &macro, keywords, known_outside, out).find();
    }
  };
  for (const auto& plain : source.plain_macros) {
    const auto text = source.text.substr(plain.begin, plain.end - plain.begin);
    if (std::ranges::any_of(keywords, [text](std::string_view k) {
          return text.find(k) != std::string_view::npos;
        })) {
      look_into(lex_macro(source, plain));
    }
  }
  for (const auto& macro : source.macros) { // those that hold a launch, or declare a kernel
    look_into(macro);
  }
  return out;
}

} // namespace tilesim::tools
