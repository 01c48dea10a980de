// The parser of expressions: precedence climbing over the tokens of expression_tokens.cpp.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/expressions/expression_parser.hpp"

#include "sim/expressions/arithmetic.hpp"
#include "sim/expressions/expression_tokens.hpp"
#include "sim/expressions/operators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace tilesim::sim::step {

namespace {

using node = expression_node;
using node_ptr = std::unique_ptr<node>;

// ------------------------------------------------------------------------------------------- types

struct named_type {
  std::string_view name;
  element kind;
  bool is_unsigned;
};

// Types of one word. Those of several ("unsigned long") are put together from their words.
constexpr std::array<named_type, 17> one_word_types = {{
    {"bool", element::i1, true},
    {"float", element::f32, false},
    {"double", element::f64, false},
    {"int8_t", element::i8, false},
    {"int16_t", element::i16, false},
    {"int32_t", element::i32, false},
    {"int64_t", element::i64, false},
    {"uint8_t", element::i8, true},
    {"uint16_t", element::i16, true},
    {"uint32_t", element::i32, true},
    {"uint64_t", element::i64, true},
    {"size_t", element::i64, true},
    {"__half", element::f16, false},
    {"__nv_bfloat16", element::bf16, false},
    {"__nv_tf32", element::tf32, false},
    {"__nv_fp8_e4m3", element::f8e4m3, false},
    {"__nv_fp8_e5m2", element::f8e5m2, false},
}};

std::string_view without_std(std::string_view name) {
  for (const std::string_view prefix : {"::std::", "std::"}) {
    if (name.substr(0, prefix.size()) == prefix) {
      return name.substr(prefix.size());
    }
  }
  return name;
}

bool is_integer_word(std::string_view word) {
  constexpr std::array<std::string_view, 6> words = {
      "signed", "unsigned", "char", "short", "int", "long"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

const named_type* find_type(std::string_view name) {
  const auto* const found = std::find_if(one_word_types.begin(),
                                         one_word_types.end(),
                                         [&](const named_type& t) { return t.name == name; });
  return found != one_word_types.end() ? found : nullptr;
}

/// "unsigned", "long" and their company.
value_type integer_type(const std::vector<std::string_view>& words) {
  const auto has = [&](std::string_view w) {
    return std::find(words.begin(), words.end(), w) != words.end();
  };
  const bool is_unsigned = has("unsigned");
  if (has("char")) {
    value_type t = basic_type(element::i8, is_unsigned);
    if (!is_unsigned && !has("signed")) {
      t.spelling = "char";
    }
    return t;
  }
  return basic_type(has("short")  ? element::i16
                    : has("long") ? element::i64
                                  : element::i32,
                    is_unsigned);
}

// ------------------------------------------------------------------------------------------ parser

// More than anybody writes, far from the end of a stack when the tree is walked.
constexpr int deepest = 128;
constexpr int most_nodes = 1000;

class parser {
public:
  explicit parser(std::string_view text)
      : tokens_(tokens_of(text)) {}

  node_ptr whole() {
    node_ptr n = binary(1);
    if (now().kind != token_kind::end) {
      expected("an operator or the end");
    }
    return n;
  }

private:
  [[nodiscard]] const token& now() const { return tokens_[at_]; }
  [[nodiscard]] bool sees(std::string_view symbol) const {
    return now().kind == token_kind::symbol && now().text == symbol;
  }
  bool accept(std::string_view symbol) {
    const bool is = sees(symbol);
    at_ += is ? 1 : 0;
    return is;
  }
  void require(std::string_view symbol) {
    if (!accept(symbol)) {
      expected(fmt::format("'{}'", symbol));
    }
  }
  [[noreturn]] void expected(std::string_view what) const {
    const token& t = now();
    if (t.kind == token_kind::symbol &&
        std::find(mutations.begin(), mutations.end(), t.text) != mutations.end()) {
      throw expression_error(t.text == "="
                                 ? "expressions change nothing; '==' compares"
                                 : fmt::format("expressions change nothing, '{}' would", t.text),
                             t.column);
    }
    throw expression_error(t.kind == token_kind::end
                               ? fmt::format("expected {} here", what)
                               : fmt::format("expected {}, not '{}'", what, t.text),
                           t.column);
  }
  [[nodiscard]] std::size_t end_of_last() const {
    return at_ == 0 ? 0 : tokens_[at_ - 1].column + tokens_[at_ - 1].text.size();
  }

  node_ptr make(node::kind what, std::size_t column, std::size_t begin) {
    if (++nodes_ > most_nodes) {
      throw expression_error("the expression is too long", column);
    }
    auto n = std::make_unique<node>();
    n->what = what;
    n->column = column;
    n->begin = begin;
    n->end = end_of_last();
    return n;
  }

  node_ptr binary(int lowest) {
    node_ptr left = unary();
    for (;;) {
      const auto* const row =
          std::find_if(binary_rows.begin(), binary_rows.end(), [&](const binary_row& r) {
            return sees(r.symbol) && r.precedence >= lowest;
          });
      if (row == binary_rows.end()) {
        return left;
      }
      const std::size_t column = now().column;
      ++at_;
      node_ptr right = binary(row->precedence + 1);
      node_ptr n = make(node::kind::binary, column, left->begin);
      n->binary = row->op;
      n->operands.push_back(std::move(left));
      n->operands.push_back(std::move(right));
      left = std::move(n);
    }
  }

  node_ptr unary() {
    if (++depth_ > deepest) {
      throw expression_error("the expression is nested too deeply", now().column);
    }
    node_ptr n = unary_here();
    --depth_;
    return n;
  }

  node_ptr unary_here() {
    const std::size_t column = now().column;
    for (const unary_row& row : unary_rows) {
      if (accept(row.symbol)) {
        node_ptr operand = unary();
        node_ptr n = make(node::kind::unary, column, column);
        n->unary = row.op;
        n->operands.push_back(std::move(operand));
        return n;
      }
    }
    if (node_ptr n = cast()) {
      n->operands.push_back(unary());
      n->column = n->begin = column;
      n->end = end_of_last();
      return n;
    }
    return postfix(primary());
  }

  /// `(type)`, without its operand; nothing, and no token taken, if it is none.
  node_ptr cast() {
    const std::size_t start = at_;
    if (accept("(")) {
      if (auto type = type_name()) {
        while (accept("*")) {
          type = pointer_to(*type);
        }
        require(")");
        node_ptr n = make(node::kind::cast, 0, 0);
        n->target = std::move(*type);
        return n;
      }
    }
    at_ = start;
    return cast_to_named();
  }

  /// What can be nothing but a cast to a type of the program's: `(name)x`, `(name*)x`. Which type
  /// that is, and whether there is one, the environment knows.
  node_ptr cast_to_named() {
    std::size_t i = at_ + 1; // there is an end behind the last token
    if (!sees("(") || tokens_[i].kind != token_kind::name) {
      return nullptr;
    }
    while (tokens_[i].kind == token_kind::name) {
      ++i;
    }
    const token& type = tokens_[i - 1]; // behind const, struct and the like
    std::size_t stars = 0;
    for (; tokens_[i].text == "*"; ++i) {
      ++stars;
    }
    if (tokens_[i].kind != token_kind::symbol || tokens_[i].text != ")") {
      return nullptr;
    }
    const token& next = tokens_[i + 1];
    if (stars == 0 && next.kind != token_kind::name && next.kind != token_kind::number &&
        next.kind != token_kind::character && next.text != "(" && next.text != "~" &&
        next.text != "!") {
      return nullptr; // `(a) - b`, `(a)[1]`
    }
    node_ptr n = make(node::kind::cast, 0, 0);
    n->name = type.text;
    n->stars = stars;
    n->type_column = type.column;
    at_ = i + 1;
    return n;
  }

  std::optional<value_type> type_name() {
    std::vector<std::string_view> integer_words;
    std::optional<value_type> type;
    for (; now().kind == token_kind::name; ++at_) {
      const std::string_view word = without_std(now().text);
      if (word == "const" || word == "volatile") {
        continue;
      }
      if (is_integer_word(word)) {
        integer_words.push_back(word);
      } else if (const named_type* t = type ? nullptr : find_type(word)) {
        type = basic_type(t->kind, t->is_unsigned);
      } else {
        break;
      }
    }
    return integer_words.empty() ? type : integer_type(integer_words);
  }

  node_ptr primary() {
    const token t = now();
    switch (t.kind) {
    case token_kind::number:
    case token_kind::character: {
      ++at_;
      node_ptr n = make(node::kind::literal, t.column, t.column);
      n->constant = t.kind == token_kind::number ? number_literal(t) : character_literal(t);
      return n;
    }
    case token_kind::name:
      ++at_;
      return named(t);
    case token_kind::symbol:
      if (accept("(")) {
        node_ptr inside = binary(1);
        require(")");
        inside->begin = t.column;
        inside->end = end_of_last();
        return inside;
      }
      break;
    case token_kind::end:
      break;
    }
    expected("a name or a number");
  }

  node_ptr named(const token& t) {
    if (t.text == "true" || t.text == "false") {
      node_ptr n = make(node::kind::literal, t.column, t.column);
      n->constant = make_bool(t.text == "true");
      return n;
    }
    if (t.text == "nullptr") {
      node_ptr n = make(node::kind::literal, t.column, t.column);
      value_type type;
      type.kind = element::ptr;
      type.spelling = "std::nullptr_t";
      n->constant = make_pointer(0, type);
      return n;
    }
    if (!sees("(")) {
      node_ptr n = make(node::kind::name, t.column, t.column);
      n->name = t.text;
      return n;
    }
    if (!is_function(t.text)) {
      throw expression_error(
          fmt::format("'{}' cannot be called: there are sum, min, max, any, all, size and isnan",
                      t.text),
          t.column);
    }
    return call(t);
  }

  node_ptr call(const token& t) {
    require("(");
    std::vector<node_ptr> arguments;
    if (!sees(")")) {
      do {
        arguments.push_back(binary(1));
      } while (accept(","));
    }
    require(")");
    if (arguments.size() != 1) {
      throw expression_error(
          fmt::format("'{}' takes one argument, not {}", t.text, arguments.size()), t.column);
    }
    node_ptr n = make(node::kind::call, t.column, t.column);
    n->name = t.text;
    n->operands = std::move(arguments);
    return n;
  }

  node_ptr postfix(node_ptr n) {
    for (;;) {
      const std::size_t column = now().column;
      if (accept("[")) {
        n = subscripted(std::move(n), column);
      } else if (sees(".") || sees("->")) {
        const auto what = sees("->") ? node::kind::arrow : node::kind::member;
        ++at_;
        if (now().kind != token_kind::name) {
          expected("a member's name");
        }
        const token t = now();
        ++at_;
        node_ptr whole = make(what, t.column, n->begin);
        whole->name = t.text;
        whole->operands.push_back(std::move(n));
        n = std::move(whole);
      } else {
        return n;
      }
    }
  }

  node_ptr subscripted(node_ptr n, std::size_t column) {
    std::vector<subscript> indices;
    do {
      indices.push_back(one_subscript());
    } while (accept(","));
    require("]");
    node_ptr whole = make(node::kind::index, column, n->begin);
    whole->operands.push_back(std::move(n));
    whole->indices = std::move(indices);
    return whole;
  }

  subscript one_subscript() {
    subscript s;
    s.column = now().column;
    if (!sees(":")) {
      s.begin = binary(1);
    }
    if (accept(":")) {
      s.is_slice = true;
      s.end = slice_part();
      if (accept(":")) {
        s.stride = slice_part();
      }
    }
    return s;
  }

  node_ptr slice_part() { return sees(":") || sees(",") || sees("]") ? nullptr : binary(1); }

  std::vector<token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
  int nodes_ = 0;
};

} // namespace

std::unique_ptr<expression_node> parse_expression(std::string_view text) {
  return parser(text).whole();
}

} // namespace tilesim::sim::step
