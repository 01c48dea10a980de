// Finds launches: looks at every <<<, and at macros that hold one.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/rewrite/launches.hpp"

#include "tools/rewrite/scopes.hpp"

#include <algorithm>
#include <optional>

namespace tilesim::tools {
namespace {

/// Macros like #define CONFIG(grid) <<<grid, 1>>>. Of the definitions of a name, each is judged by
/// its own body; a use may be of any of them.
using config_macros = std::unordered_set<std::string_view>;

bool ends_with_chevrons(const token_view& t) {
  const auto n = t.size();
  return n > 3 && t.is_punct(n - 1, ">") && t.is_punct(n - 2, ">") && t.is_punct(n - 3, ">") &&
         t.touches_next(n - 2) && t.touches_next(n - 3);
}

bool is_configuration(const token_view& body) {
  return body.is(0, token_kind::launch) && body.size() > 4 && ends_with_chevrons(body);
}

/// Looks through one list of tokens: the file's, or those of one macro's body.
class launch_finder {
public:
  launch_finder(const lexed& source,
                const std::vector<token>& tokens,
                const macro_definition* macro,
                const config_macros& configs,
                found_launches& out)
      : source_(source)
      , t_(source, tokens)
      , macro_(macro)
      , config_macros_(configs)
      , out_(out) {}

  void find() {
    if (macro_ != nullptr && is_configuration(t_)) {
      const auto last = t_.size() - 1;
      out_.edits.push_back({{t_[0].begin, t_[0].end}, {}, text_place::macro_body});
      out_.edits.push_back({{t_[last - 2].begin, t_[last].end}, {}, text_place::macro_body});
      return;
    }
    scope_stack scopes(source_, t_);
    for (std::size_t i = 0; i < t_.size(); ++i) {
      scopes.enter(i);
      if (t_.is(i, token_kind::launch) && t_.spelling(i - 1) != "operator") {
        at_chevrons(i, scopes);
      } else if (t_.is(i, token_kind::identifier) && config_macros_.contains(t_.spelling(i))) {
        at_config_macro(i, scopes);
      }
    }
  }

private:
  void error(std::size_t i, std::string message) {
    out_.errors.push_back({source_.locate(t_[i].begin), std::move(message)});
  }

  void at_chevrons(std::size_t open, const scope_stack& scopes) {
    const auto begin = callee_begin(t_, open);
    if (!begin) {
      return error(open, "no kernel's name in front of '<<<'; write kernel<<<grid, block>>>(...)");
    }
    auto close = config_end(t_, open);
    if (!close && macro_ != nullptr && ends_with_chevrons(t_) && t_.size() - open > 4) {
      return add(*begin, open, {open + 1, t_.size() - 3}, {}, scopes);
    }
    if (!close) {
      return error(open,
                   "launch '<<<' without '>>>' and an argument list; "
                   "write kernel<<<grid, block>>>(...)");
    }
    if (*close == open + 1) {
      return error(open, "empty launch configuration; write at least the grid: <<<grid>>>");
    }
    add(*begin, open, {open + 1, *close}, *close + 3, scopes);
  }

  // kernel CONFIG(grid, block)(arguments), where #define CONFIG(g, b) <<<g, b>>>
  void at_config_macro(std::size_t i, const scope_stack& scopes) {
    auto behind = i + 1;
    // A name may be defined several times, with and without parameters: its use says which it is.
    if (source_.function_like_macros.contains(t_.spelling(i)) && t_.is_punct(behind, "(")) {
      if (const auto args = t_.matching_close(behind) + 1; t_.is_punct(args, "(")) {
        behind = args;
      }
    }
    const auto begin = callee_begin(t_, i);
    if (begin && t_.is_punct(behind, "(")) {
      add(*begin, i, {i, behind}, behind, scopes);
    }
  }

  // `config` counts tokens; `args_open` is none where a macro's use brings the arguments.
  void add(std::size_t begin,
           std::size_t open,
           span config,
           std::optional<std::size_t> args_open,
           const scope_stack& scopes) {
    launch found;
    found.callee = {t_[begin].begin, t_[open - 1].end};
    found.config = {t_[config.begin].begin, t_[config.end - 1].end};
    found.name = quoted_name(t_, begin, open);
    found.without_arguments = !args_open;
    found.end = t_[t_.size() - 1].end;
    if (args_open && !arguments(found, *args_open)) {
      return;
    }
    if (macro_ != nullptr) {
      in_macro_body(found, begin, open);
    } else if (const auto use = scopes.macro_use()) {
      found.place = text_place::macro_argument;
      const auto end = t_.matching_close(*use);
      found.resync = end < t_.size() ? t_[end].end : found.end;
    }
    out_.launches.push_back(std::move(found));
  }

  bool arguments(launch& found, std::size_t open) {
    const auto close = t_.matching_close(open);
    if (close == t_.size()) {
      error(open, "the launch's argument list is not closed; add ')'");
      return false;
    }
    found.arguments = {t_[open].begin, t_[close].end};
    found.end = t_[close].end;
    return true;
  }

  // A macro's parameter may stand for any kernel.
  [[nodiscard]] bool is_parameter(std::string_view name) const {
    return macro_ != nullptr &&
           std::ranges::find(macro_->parameters, name) != macro_->parameters.end();
  }

  void in_macro_body(launch& found, std::size_t begin, std::size_t open) const {
    found.place = text_place::macro_body;
    found.resync = macro_->end;
    if (open == begin + 1 && is_parameter(t_.spelling(begin))) {
      found.name.assign(1, '#').append(t_.spelling(begin));
    }
  }

  const lexed& source_;
  token_view t_;
  const macro_definition* macro_;
  const config_macros& config_macros_;
  found_launches& out_;
};

} // namespace

found_launches find_launches(const lexed& source) {
  found_launches out;
  config_macros configs;
  for (const auto& macro : source.macros) {
    const token_view body(source, macro.body);
    if (is_configuration(body)) {
      configs.insert(macro.name);
    }
  }
  launch_finder(source, source.tokens, nullptr, configs, out).find();
  for (const auto& macro : source.macros) {
    launch_finder(source, macro.body, &macro, configs, out).find();
  }
  std::ranges::sort(out.launches, {}, [](const launch& l) { return l.callee.begin; });
  return out;
}

} // namespace tilesim::tools
