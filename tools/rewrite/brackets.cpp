// Matches brackets, and angle brackets as well as can be done without names.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/rewrite/brackets.hpp"

namespace tilesim::tools {

std::size_t token_view::matching_close(std::size_t i) const {
  std::string expected; // the brackets that are to come, the next one last
  for (; i < size(); ++i) {
    if (opens(i)) {
      expected += is_punct(i, "(") ? ')' : is_punct(i, "[") ? ']' : '}';
    } else if (closes(i)) {
      if (spelling(i).front() != expected.back()) {
        return size();
      }
      expected.pop_back();
      if (expected.empty()) {
        return i;
      }
    }
  }
  return size();
}

std::optional<std::size_t> token_view::matching_open(std::size_t i) const {
  std::size_t depth = 0;
  for (++i; i-- > 0;) {
    if (closes(i)) {
      ++depth;
    } else if (opens(i) && --depth == 0) {
      return i;
    }
  }
  return {};
}

std::optional<std::size_t> token_view::skip_template_arguments(std::size_t i) const {
  std::size_t depth = 0;
  for (; i < size(); ++i) {
    if (opens(i)) {
      i = matching_close(i);
    } else if (is_punct(i, "<")) {
      if (is_punct(i + 1, "<") && touches_next(i)) {
        ++i; // a shift
      } else {
        ++depth;
      }
    } else if (is_punct(i, ">")) {
      if (--depth == 0) {
        return i + 1;
      }
    } else if (closes(i) || is_punct(i, ";") || is(i, token_kind::launch)) {
      return {};
    }
  }
  return {};
}

std::optional<std::size_t> token_view::template_arguments_open(std::size_t i) const {
  std::size_t depth = 0;
  for (++i; i-- > 0;) {
    if (closes(i)) {
      const auto open = matching_open(i);
      if (!open) {
        return {};
      }
      i = *open;
    } else if (is_punct(i, ">")) {
      ++depth;
    } else if (is_punct(i, "<")) {
      if (i > 0 && is_punct(i - 1, "<") && touches_next(i - 1)) {
        --i; // a shift
        continue;
      }
      if (--depth == 0) {
        return i;
      }
    } else if (opens(i) || is_punct(i, ";")) {
      return {};
    }
  }
  return {};
}

} // namespace tilesim::tools
