// How long the functions of a text are: tokens are counted, macros by what stands in them.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/rewrite/body_length.hpp"

#include "tools/rewrite/brackets.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tilesim::tools {
namespace {

struct length {
  std::size_t statements = 0;
  std::size_t operators = 0;
  std::size_t calls = 0;

  [[nodiscard]] std::size_t most() const { return std::max({statements, operators, calls}); }

  /// Macros of macros grow beyond every number: nobody asks for more than this.
  void add(const length& other, std::size_t times) {
    static constexpr std::size_t enough = 1'000'000;
    const auto sum = [times](std::size_t& mine, std::size_t theirs) {
      mine = std::min(enough, mine + (theirs * std::min(enough, times)));
    };
    sum(statements, other.statements);
    sum(operators, other.operators);
    sum(calls, other.calls);
  }
};

class body_lengths {
public:
  explicit body_lengths(const lexed& source)
      : source_(source) {
    for (const auto& plain : source.plain_macros) {
      plain_[plain.name] = &plain;
    }
  }

  /// Of the tokens from `i` up to `end`.
  length of(const token_view& t, std::size_t i, std::size_t end) {
    length sum;
    for (; i < end; ++i) {
      i = add_token(t, i, end, sum);
    }
    return sum;
  }

private:
  struct macro {
    length own;
    std::vector<std::size_t> uses; ///< of each parameter
    bool function_like = false;
    bool being_measured = false; ///< it is not expanded inside itself [cpp.rescan]
  };

  /// The last token that it took.
  std::size_t add_token(const token_view& t, std::size_t i, std::size_t end, length& sum) {
    if (t.is(i, token_kind::identifier)) {
      const auto found = plain_.find(t.spelling(i));
      return found == plain_.end() ? i : add_use(t, i, end, measured(*found->second), sum);
    }
    if (!t.is(i, token_kind::punct)) {
      return i;
    }
    // Not < and >, which are brackets more often.
    static constexpr std::array<std::string_view, 9> operators{
        "+", "-", "*", "/", "%", "&", "|", "^", "<<"};
    const auto spelling = t.spelling(i);
    sum.statements += spelling == ";" ? 1U : 0U;
    sum.calls += spelling == "(" ? 1U : 0U;
    sum.operators += std::ranges::find(operators, spelling) != operators.end() ? 1U : 0U;
    return i;
  }

  std::size_t
  add_use(const token_view& t, std::size_t i, std::size_t end, const macro& used, length& sum) {
    if (used.being_measured || (used.function_like && !t.is_punct(i + 1, "("))) {
      return i;
    }
    sum.add(used.own, 1);
    if (!used.function_like) {
      return i;
    }
    const auto close = std::min(t.matching_close(i + 1), end);
    auto begin = i + 2;
    std::size_t parameter = 0;
    for (auto at = begin; at <= close && begin < end; ++at) {
      if (at < close && t.opens(at)) {
        at = std::min(t.matching_close(at), close - 1);
        continue;
      }
      if (at < close && !t.is_punct(at, ",")) {
        continue;
      }
      if (parameter < used.uses.size() && used.uses[parameter] > 0) {
        sum.add(of(t, begin, at), used.uses[parameter]);
      }
      begin = at + 1;
      ++parameter;
    }
    return std::min(close, end - 1);
  }

  const macro& measured(const plain_macro& plain) {
    const auto [place, is_new] = macros_.try_emplace(&plain);
    if (!is_new) {
      return place->second;
    }
    macro& result = place->second; // which stays where it is when others come
    result.being_measured = true;
    const auto lexed = lex_macro(source_, plain);
    result.function_like = lexed.function_like;
    for (const auto& parameter : lexed.parameters) {
      result.uses.push_back(static_cast<std::size_t>(std::ranges::count_if(
          lexed.body, [&](const token& t) { return source_.spelling(t) == parameter; })));
    }
    result.own = of(token_view(source_, lexed.body), 0, lexed.body.size());
    result.being_measured = false;
    return result;
  }

  const lexed& source_;
  std::unordered_map<std::string_view, const plain_macro*> plain_;
  std::unordered_map<const plain_macro*, macro> macros_;
};

} // namespace

// Between the braces of a function, or of what else is no namespace.
std::size_t longest_body(const lexed& source) {
  const token_view t(source, source.tokens);
  body_lengths lengths(source);
  std::size_t longest = 0;
  for (std::size_t i = 1; i < t.size(); ++i) {
    const auto before = t.spelling(i - 1);
    if (!t.is_punct(i, "{") || !(before == ")" || before == "const" || before == "noexcept") ||
        source.locate(t[i].begin).system) {
      continue;
    }
    const auto close = t.matching_close(i);
    longest = std::max(longest, lengths.of(t, i, close).most());
    i = close;
  }
  return longest;
}

} // namespace tilesim::tools
