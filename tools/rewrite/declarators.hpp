// Reading the declaration of a function: its parameters, its template parameters, its name.
//
// kernel_bodies.cpp asks about kernels.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/rewrite/brackets.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tilesim::tools {

/// A parameter of a function or of a template.
struct parameter_name {
  std::size_t at = 0; ///< the token that is the name; of one without, the last token of its type
  bool named = false;
  bool pack = false;
};

/// The parameters of a function, whose parentheses are the tokens `open` and `close`. None if one
/// of them cannot be read.
[[nodiscard]] std::optional<std::vector<parameter_name>>
function_parameters(const token_view& t, std::size_t open, std::size_t close);

/// The arguments that name a template's specialisation inside of it, "<T, N, Ts...>": of the
/// template parameters in angle brackets, of which `open` is the first one.
[[nodiscard]] std::optional<std::string> own_template_arguments(const token_view& t,
                                                                std::size_t open);

/// A function's declaration, from one of its specifiers on.
struct declarator {
  std::size_t name = 0;     ///< the token that names it; 0 if a macro does
  std::size_t name_end = 0; ///< behind its template arguments, if it has any
  std::size_t open = 0;     ///< the parentheses of its parameters; 0 if a macro has them
  std::size_t close = 0;
  std::optional<std::size_t> body; ///< the brace that opens it
  bool unfinished = false;         ///< the tokens end in the middle of it: a macro's use goes on
};

/// Reads on from token `i`, behind a specifier. None if no function is declared there.
[[nodiscard]] std::optional<declarator> read_declarator(const token_view& t, std::size_t i);

/// Where the declaration begins of which token `i` is a specifier.
[[nodiscard]] std::size_t declaration_begin(const token_view& t, std::size_t i);

} // namespace tilesim::tools
