// Keeps the stack of open brackets.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/rewrite/scopes.hpp"

#include <algorithm>

namespace tilesim::tools {

// Each branch of a conditional starts from what was open at its #if.
void scope_stack::follow_conditionals(std::size_t offset) {
  const auto& all = source_.conditionals;
  for (; next_conditional_ < all.size() && all[next_conditional_].offset < offset;
       ++next_conditional_) {
    switch (all[next_conditional_].what) {
    case conditional::part::open:
      at_if_.push_back(open_);
      break;
    case conditional::part::branch:
      if (!at_if_.empty()) {
        open_ = at_if_.back();
      }
      break;
    case conditional::part::close:
      if (!at_if_.empty()) {
        at_if_.pop_back();
      }
      break;
    }
  }
}

void scope_stack::enter(std::size_t i) {
  const auto& token = t_[i];
  if (next_conditional_ < source_.conditionals.size()) {
    follow_conditionals(token.begin);
  }
  if (token.kind != token_kind::punct) {
    return;
  }
  if (t_.opens(i)) {
    const char what = source_.text[token.begin];
    open_.push_back({i, what, what == '{' && opens_namespace(i)});
  } else if (t_.closes(i) && !open_.empty()) {
    // A brace closes what is open inside it, whether or not that was balanced.
    if (t_.is_punct(i, "}")) {
      while (open_.size() > 1 && open_.back().what != '{') {
        open_.pop_back();
      }
    }
    open_.pop_back();
  }
}

// namespace [attributes] name [attributes] {  or  extern "C" {
bool scope_stack::opens_namespace(std::size_t brace) const {
  if (brace > 1 && t_.is(brace - 1, token_kind::string) && t_.spelling(brace - 2) == "extern") {
    return true;
  }
  constexpr std::size_t far_enough = 40;
  const auto stop = brace > far_enough ? brace - far_enough : 0;
  for (auto i = brace; i-- > stop;) {
    if (t_.spelling(i) == "namespace") {
      return true;
    }
    if (t_.is_punct(i, ")") || t_.is_punct(i, "]")) {
      const auto open = t_.matching_open(i);
      if (!open || *open < stop) {
        return false;
      }
      i = *open;
    } else if (!t_.is(i, token_kind::identifier) && !t_.is_punct(i, "::")) {
      return false;
    }
  }
  return false;
}

bool scope_stack::at_namespace_scope() const {
  return std::ranges::all_of(open_,
                             [](const bracket& b) { return b.what != '{' || b.is_namespace; });
}

std::optional<std::size_t> scope_stack::macro_use() const {
  for (const auto& b : open_) {
    if (b.what == '(' && b.index > 0 && t_.is(b.index - 1, token_kind::identifier) &&
        source_.function_like_macros.contains(t_.spelling(b.index - 1))) {
      return b.index;
    }
  }
  return {};
}

} // namespace tilesim::tools
