// Operators that add, in preprocessed text: from the place that NVIDIA's compiler gives a sum to
// where its operator stands, which is what debugging information of other compilers says.
//
// That place is where the expression begins: `a * b + c - d` begins at a, and so do the product and
// both sums. But if an operand is a literal, it is where the right operand, or the last argument,
// begins: at 1.0f of `a + 1.0f`, at a of `1.0f + a`. (Tried with nvcc 13.4: docs/hardware.md.)
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/sum_table.hpp"
#include "tools/rewrite/lexer.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilesim::tools {

class sum_operators {
public:
  /// `text`: a source behind nvcc's preprocessor. `files`: those that are asked for, by their whole
  /// path.
  sum_operators(std::string_view text, const std::set<std::string>& files);

  /// Where the sums stand that have this place, in the order in which they are computed: a call of
  /// add, sub or fma, and the operators + and - that take what is left of them. Each with the
  /// operator, and the last token of its right operand, which is where g++ sees it; where it is an
  /// argument by value, at the bracket of that call.
  [[nodiscard]] std::vector<std::vector<sim::text_position>> from(const std::string& file,
                                                                  sim::text_position begin) const;

  /// Where a call may stand that begins here: there, and at its bracket. Column 0 unless it is one.
  [[nodiscard]] std::vector<sim::text_position> call(const std::string& file,
                                                     sim::text_position begin) const;

  /// Files whose text it is, by their whole paths, but for the system's.
  [[nodiscard]] const std::set<std::string>& own_files() const { return own_files_; }

private:
  using tokens_of_line = std::map<unsigned, std::vector<std::size_t>>;

  [[nodiscard]] std::string_view spelling(std::size_t token) const;
  [[nodiscard]] bool touches_next(std::size_t token) const;
  /// The first of the expression's tokens; their number, if there is none.
  [[nodiscard]] std::size_t first_token(const std::string& file, sim::text_position begin) const;
  [[nodiscard]] std::size_t behind_bracket(std::size_t open) const;
  [[nodiscard]] std::size_t behind_template(std::size_t angle) const;
  /// The opening bracket of a call whose name begins here, and the name; else 0.
  [[nodiscard]] std::pair<std::size_t, std::string_view> called(std::size_t token) const;
  /// Behind the operand that goes on here.
  [[nodiscard]] std::size_t behind_operand(std::size_t token) const;
  /// An operator, from where its right operand begins.
  [[nodiscard]] std::vector<sim::text_position> of_right_operand(std::size_t token) const;
  /// A call of add, sub or fma whose last argument begins here, if one of its arguments is a
  /// literal; else nothing.
  [[nodiscard]] std::vector<sim::text_position> of_last_argument(std::size_t token) const;
  /// What ends before `end` is an argument, of which `token` is a part: the bracket of the call.
  void
  add_enclosing_call(std::size_t token, std::size_t end, std::vector<sim::text_position>& to) const;
  [[nodiscard]] std::size_t enclosing_bracket(std::size_t token) const;
  [[nodiscard]] bool ends_operand(std::size_t token) const;
  /// The operators of a chain that begins here, but for those with a literal.
  void add_chain(std::size_t first, std::vector<std::vector<sim::text_position>>& to) const;
  /// Behind the operand of a + or - that begins here: products of operands, with their signs.
  [[nodiscard]] std::size_t behind_product(std::size_t token) const;
  /// A number, and nothing else, from here to there.
  [[nodiscard]] bool is_literal(std::size_t token, std::size_t end) const;
  [[nodiscard]] sim::text_position position(std::size_t token) const;
  [[nodiscard]] const std::map<std::size_t, std::size_t>& source_columns(const std::string& file,
                                                                         unsigned line) const;

  std::string text_;
  std::set<std::string> own_files_;
  lexed lexed_;
  std::map<std::string, tokens_of_line> lines_;
  /// Of lines that are in the source as the preprocessor gives them: columns there, by token.
  mutable std::map<std::pair<std::string, unsigned>, std::map<std::size_t, std::size_t>> columns_;
  mutable std::map<std::string, std::vector<std::string>> sources_;
};

} // namespace tilesim::tools
