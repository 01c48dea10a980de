// Conditions of __CUDA_ARCH__: in whose body do they stand?
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/device_text.hpp"

#include "tools/cli/scanner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace tilesim::tools {

namespace {

constexpr std::string_view arch_macro = "__CUDA_ARCH__";
constexpr std::string_view blanks = " \t";

/// Is it one of <nv/target>, or one of its conditions? [targets.hpp]
bool is_of_targets(std::string_view word) {
  constexpr std::array<std::string_view, 3> beginnings{"IS_", "PROVIDES_SM_", "HAS_FEATURE_SM_"};
  constexpr std::array<std::string_view, 5> names{
      "IF_TARGET", "IF_ELSE_TARGET", "DISPATCH_TARGET", "ANY_TARGET", "NO_TARGET"};
  if (!word.starts_with("NV_")) {
    return false;
  }
  word.remove_prefix(3);
  return std::ranges::find(names, word) != names.end() ||
         std::ranges::any_of(beginnings,
                             [&](std::string_view begin) { return word.starts_with(begin); });
}

/// Calls f with each word of a text.
template <class F>
void each_word(std::string_view text, F f) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_name(text[end])) {
      ++end;
    }
    if (end != at) {
      f(text.substr(at, end - at));
    }
    at = std::max(end, at + 1);
  }
}

/// Behind the directive that begins at `from`, with the lines that it is continued by.
std::size_t end_of_directive(std::string_view text, std::size_t from) {
  std::size_t end = text.find('\n', from);
  while (end != std::string_view::npos && end != 0 && text[end - 1] == '\\') {
    end = text.find('\n', end + 1);
  }
  return std::min(end, text.size());
}

/// Calls f with where each #define of a text begins, the macro's name, and what is behind that.
template <class F>
void each_definition(std::string_view text, F f) {
  for (std::size_t at = text.find('#'); at != std::string_view::npos; at = text.find('#', at + 1)) {
    const std::size_t word = text.find_first_not_of(blanks, at + 1);
    if (word == std::string_view::npos || !text.substr(word).starts_with("define")) {
      continue;
    }
    const std::size_t name = text.find_first_not_of(blanks, word + 6);
    const std::size_t end = end_of_directive(text, at);
    if (name == std::string_view::npos || name == word + 6 || name >= end) {
      continue;
    }
    std::size_t behind = name;
    while (behind < end && is_name(text[behind])) {
      ++behind;
    }
    f(at, text.substr(name, behind - name), text.substr(behind, end - behind));
  }
}

unsigned bit_of_specifier(std::string_view word) {
  return word == "__device__"                                ? device_macros::device
         : word == "__host__"                                ? device_macros::host
         : word == "__global__" || word == "__tile_global__" ? device_macros::global
                                                             : 0U;
}

} // namespace

bool asks_for_target(std::string_view text) {
  return text.find(arch_macro) != std::string_view::npos ||
         text.find("NV_IF_") != std::string_view::npos ||
         text.find("NV_DISPATCH_TARGET") != std::string_view::npos;
}

std::string escaped_path(const std::string& path) {
  std::string text;
  for (const char c : path) {
    text += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
  }
  return text;
}

void device_macros::add(std::string_view text) {
  each_definition(text, [&](std::size_t, std::string_view name, std::string_view value) {
    each_word(value, [&](std::string_view word) {
      if (words_[std::string(name)].size() < 16) { // longer ones are none
        words_[std::string(name)].emplace(word);
      }
    });
  });
}

unsigned device_macros::of(std::string_view word) const {
  if (const unsigned own = bit_of_specifier(word); own != 0) {
    return own;
  }
  const auto definition = words_.find(word);
  if (definition == words_.end()) {
    return 0;
  }
  const auto [known, is_new] = known_.try_emplace(std::string(word), 0U); // 0 ends circles
  if (is_new) {
    unsigned all = 0;
    for (const std::string& part : definition->second) {
      all |= of(part);
    }
    known_[std::string(word)] = all;
    return all;
  }
  return known->second;
}

/// Goes through a source from its beginning, knowing in whose body it is.
struct arch_conditions::reading {
  explicit reading(arch_conditions& of, const device_macros& macros)
      : made(of)
      , specifiers(macros) {
    each_definition(
        made.source_.text, [&](std::size_t at, std::string_view name, std::string_view value) {
          definitions.emplace_back(at, name);
          each_word(value,
                    [&](std::string_view word) { made.uses_[std::string(word)].elsewhere = true; });
        });
  }

  /// Braces that are open, and the words since the last of them, or since a semicolon.
  struct state {
    std::vector<body> open;
    std::vector<std::string_view> head;
    std::array<std::string_view, 4> last; ///< tokens, the last one first
    bool initialises = false;             ///< a constructor's members
    bool is_deduced = false;              ///< the type of the function whose head or body it is
  };

  /// From an #if to its #endif.
  struct condition {
    state before; ///< which every branch begins with
    std::size_t begin = 0;
    std::vector<std::size_t> names; ///< outside of functions: where it asks for the architecture
    bool of_devices = false;        ///< holds a function for devices alone,
    bool of_hosts = false;          ///< and one that is for others
    bool branch_has_both = false;   ///< a function for host and device
    std::size_t with_both = 0;      ///< branches that have
  };

  arch_conditions& made;
  const device_macros& specifiers;
  state now;
  std::vector<condition> conditions; ///< those that are open
  std::vector<std::pair<std::size_t, std::string_view>> definitions;
  std::size_t looked_at = 0; ///< for includes
  /// Of the last body for host and device: the conditions that were open where it begins, the
  /// names of closures in it, and whether a branch that is open has closed it.
  std::size_t around = 0;
  std::set<std::string_view> closures;
  bool is_closed = false;

  /// Includes up to a place.
  void take_includes(std::size_t until) {
    constexpr std::string_view directive = "include";
    const std::string_view text = made.source_.text;
    for (; looked_at < until; ++looked_at) {
      if (text[looked_at] != '#' || (here() != body::device && here() != body::shared)) {
        continue;
      }
      const std::size_t word = text.find_first_not_of(blanks, looked_at + 1);
      if (word == std::string_view::npos || !text.substr(word).starts_with(directive)) {
        continue;
      }
      const std::size_t begin = text.find_first_of("\"<\n", word);
      const std::size_t end =
          begin == std::string_view::npos ? begin : text.find_first_of("\">\n", begin + 1);
      if (end != std::string_view::npos && text[begin] != '\n') {
        made.included_.push_back({.line = made.source_.locate(looked_at).line,
                                  .name = std::string(text.substr(begin + 1, end - begin - 1))});
      }
    }
  }

  void read() {
    const lexed& source = made.source_;
    std::size_t next = 0;
    for (const token& t : source.tokens) {
      take_includes(t.begin);
      for (; next < source.conditionals.size() && source.conditionals[next].offset < t.begin;
           ++next) {
        take(source.conditionals[next]);
      }
      take(t);
    }
    for (; next < source.conditionals.size(); ++next) {
      take(source.conditionals[next]);
    }
    take_includes(source.text.size());
    std::erase_if(made.twofold_, [](const twofold& f) { return f.names.empty() || f.end == 0; });
  }

  [[nodiscard]] body here() const { return now.open.empty() ? body::none : now.open.back(); }

  void take(const token& t) {
    const std::string_view text = without_digraph(made.source_.spelling(t));
    if (t.kind == token_kind::identifier) {
      identifier_uses& uses = made.uses_[std::string(text)];
      (here() == body::device ? uses.in_device_code : uses.elsewhere) = true;
      uses.in_both = uses.in_both || here() == body::shared;
    }
    if (here() == body::shared) {
      look_for_one_body(text);
    } else if (is_closed) {
      made.twofold_.back().keeps_one = reason::closed;
    }
    const bool asks = text == arch_macro || is_of_targets(text);
    if (asks && here() == body::device) {
      made.names_.push_back(t.begin);
    } else if (asks && here() == body::shared) {
      made.twofold_.back().names.push_back(t.begin);
    } else if (t.kind == token_kind::identifier) {
      now.head.push_back(text);
    } else if (text == "{") {
      open(t);
    } else if (text == "}") {
      close(t);
    } else if (text == ";") {
      end_head();
      now.initialises = false;
    } else if (text == ":" && here() == body::none && !now.head.empty() && now.last[0] == ")") {
      now.initialises = true;
    }
    if (here() == body::none && (text == "auto" || text == "->")) {
      now.is_deduced =
          text == "auto" && (now.last[0] != "(" || now.last[1] == "decltype") && now.last[0] != ",";
    }
    now.last = {text, now.last[0], now.last[1], now.last[2]};
  }

  void end_head() {
    now.head.clear();
    now.is_deduced = now.is_deduced && here() == body::shared;
  }

  /// Is there something at this token that a body for host and device cannot be twice for?
  void look_for_one_body(std::string_view text) {
    twofold& f = made.twofold_.back();
    if (text == "goto") {
      f.keeps_one = reason::labels;
    }
    const auto& [last, before, name, type] = now.last;
    if (last == "[" && text != "[" && before == "=" && type == "auto") {
      closures.insert(name);
    }
    const bool gives = (last == "[" && text != "[" && before == "return") ||
                       (text == ";" && before == "return" && closures.contains(last));
    if (now.is_deduced && gives) {
      f.keeps_one = reason::closure;
    }
  }

  /// `member{` behind a colon or a comma: the braces hold its value, and the body is to come.
  [[nodiscard]] bool begins_a_member() const {
    return now.initialises && (now.last[1] == ":" || now.last[1] == ",");
  }

  void open(const token& t) {
    if (here() == body::none && begins_a_member()) {
      now.open.push_back(body::none);
      return;
    }
    const body of = here() == body::none ? of_head() : here();
    for (condition& c : conditions) {
      c.of_devices = c.of_devices || of == body::device;
      c.of_hosts = c.of_hosts || of == body::shared || of == body::host;
      if (of == body::shared && !c.branch_has_both) {
        c.branch_has_both = true;
        ++c.with_both;
      }
    }
    if (of == body::shared && here() == body::none) {
      made.twofold_.push_back({.begin = t.end, .end = 0, .names = {}});
      around = conditions.size();
      closures.clear();
      is_closed = false;
    }
    now.open.push_back(of);
    end_head();
    now.initialises = false;
  }

  void close(const token& t) {
    if (now.open.empty()) {
      return;
    }
    const body of = now.open.back();
    now.open.pop_back();
    if (of == body::shared && here() == body::none) {
      made.twofold_.back().end = t.begin;
      is_closed = conditions.size() > around;
    }
    if (!now.initialises) {
      end_head();
    }
  }

  /// Whose body begins behind those words, outside of functions.
  [[nodiscard]] body of_head() const {
    unsigned all = 0;
    for (const std::string_view word : now.head) {
      all |= specifiers.of(word);
    }
    if ((all & device_macros::global) != 0) {
      return body::device;
    }
    if ((all & device_macros::device) != 0) {
      return (all & device_macros::host) != 0 ? body::shared : body::device;
    }
    const auto has = [&](std::string_view word) {
      return std::ranges::find(now.head, word) != now.head.end();
    };
    const bool holds_functions = now.head.empty() || has("namespace") || has("extern") ||
                                 has("class") || has("struct") || has("union");
    return holds_functions ? body::none : body::host;
  }

  void take(const conditional& c) {
    if (c.what == conditional::part::open) {
      conditions.push_back({.before = now, .begin = c.offset, .names = {}});
    }
    if (conditions.empty()) {
      return;
    }
    condition& whole = conditions.back();
    if (c.what == conditional::part::branch) {
      now = whole.before;
      whole.branch_has_both = false;
    }
    if (c.what == conditional::part::close && is_closed && conditions.size() == around + 1) {
      twofold& f = made.twofold_.back();
      f.end = end_of_directive(made.source_.text, c.offset);
      f.closes = true;
      if (here() == body::shared) {
        f.keeps_one = reason::closed;
      }
      is_closed = false;
    }
    ask(c.offset, whole);
    if (c.what == conditional::part::close) {
      end(whole, c.offset);
      conditions.pop_back();
    }
  }

  void end(const condition& whole, std::size_t at) {
    if (!whole.names.empty() && whole.with_both > 1) {
      made.choosing_.push_back(whole.names.front());
    }
    if (whole.names.empty() || whole.of_hosts) {
      return;
    }
    if (whole.of_devices) { // functions that there are for some devices: which, this device decides
      made.names_.insert(made.names_.end(), whole.names.begin(), whole.names.end());
      return;
    }
    deciding d{.names = whole.names, .macros = {}};
    for (const auto& [place, name] : definitions) {
      if (place > whole.begin && place < at) {
        d.macros.emplace_back(name);
      }
    }
    if (!d.macros.empty()) {
      made.deciding_.push_back(std::move(d));
    }
  }

  /// What the directive at that place asks for.
  void ask(std::size_t from, condition& whole) {
    const std::string_view line =
        made.source_.text.substr(0, end_of_directive(made.source_.text, from));
    for (auto at = line.find(arch_macro, from); at != std::string_view::npos;
         at = line.find(arch_macro, at + arch_macro.size())) {
      if (here() == body::device) {
        made.names_.push_back(at);
      } else if (here() == body::none) {
        whole.names.push_back(at);
      } else if (here() == body::shared) {
        made.twofold_.back().names.push_back(at);
      }
    }
  }
};

arch_conditions::arch_conditions(std::string_view text, const device_macros& macros)
    : source_(lex(text)) {
  reading(*this, macros).read();
  std::ranges::sort(names_);
}

void arch_conditions::add_uses(uses_by_name& to) const {
  for (const auto& [name, here] : uses_) {
    identifier_uses& all = to[name];
    all.in_device_code = all.in_device_code || here.in_device_code;
    all.elsewhere = all.elsewhere || here.elsewhere;
    all.in_both = all.in_both || here.in_both;
  }
}

bool arch_conditions::is_of_devices(const deciding& d, const uses_by_name& uses) {
  return std::ranges::all_of(d.macros, [&](const std::string& macro) {
    const auto used = uses.find(macro);
    return used == uses.end() || !used->second.elsewhere;
  });
}

bool arch_conditions::changes_nothing(const uses_by_name& uses) const {
  return names_.empty() && std::ranges::all_of(twofold_, &twofold::is_one) &&
         std::ranges::none_of(deciding_, [&](const deciding& d) { return is_of_devices(d, uses); });
}

void arch_conditions::copy(std::string& to,
                           std::size_t from,
                           std::size_t until,
                           const std::vector<std::size_t>& names) const {
  for (auto at = std::ranges::lower_bound(names, from); at != names.end() && *at < until; ++at) {
    to += source_.text.substr(from, *at - from);
    const bool arch = source_.text.substr(*at).starts_with(arch_macro);
    to += arch ? device_arch_macro : "TILESIM_";
    from = *at + (arch ? arch_macro.size() : 0);
  }
  to += source_.text.substr(from, until - from);
}

std::string arch_conditions::renamed(const std::string& path, const uses_by_name& uses) const {
  const std::string file = escaped_path(path);
  std::string text = fmt::format("#line 1 \"{}\"\n", file);
  std::vector<std::size_t> names = names_;
  for (const deciding& d : deciding_) {
    if (is_of_devices(d, uses)) {
      names.insert(names.end(), d.names.begin(), d.names.end());
    }
  }
  std::ranges::sort(names);
  std::size_t done = 0;
  for (const twofold& f : twofold_) {
    if (f.is_one()) {
      continue;
    }
    copy(text, done, f.begin, names);
    text += "if (::tilesim::detail::in_device_code()) {";
    copy(text, f.begin, f.end, f.names);
    text += fmt::format(
        "{} else {{\n#line {} \"{}\"\n", f.closes ? '\n' : '}', source_.locate(f.begin).line, file);
    text += source_.text.substr(f.begin, f.end - f.begin);
    if (f.closes) { // the branch that is compiled has closed the second one, too
      text += fmt::format("\n#line {} \"{}\"\n", source_.locate(f.end).line, file);
    }
    text += '}';
    done = f.end;
  }
  copy(text, done, source_.text.size(), names);
  return text;
}

std::vector<arch_conditions::untold> arch_conditions::for_the_host(const uses_by_name& uses) const {
  std::vector<untold> all;
  for (const twofold& f : twofold_) {
    for (const std::size_t at : f.names) {
      if (f.is_one()) {
        all.push_back({.line = source_.locate(at).line, .why = f.keeps_one});
      }
    }
  }
  for (const std::size_t at : choosing_) {
    all.push_back({.line = source_.locate(at).line, .why = reason::functions});
  }
  for (const deciding& d : deciding_) {
    if (is_of_devices(d, uses)) {
      continue;
    }
    const auto used = std::ranges::find_if(d.macros, [&](const std::string& macro) {
      const auto at = uses.find(macro);
      return at != uses.end() && (at->second.in_device_code || at->second.in_both);
    });
    if (used != d.macros.end()) {
      all.push_back(
          {.line = source_.locate(d.names.front()).line, .why = reason::macro, .macro = *used});
    }
  }
  const auto same_line = [](const untold& a, const untold& b) { return a.line == b.line; };
  all.erase(std::unique(all.begin(), all.end(), same_line), all.end());
  return all;
}

} // namespace tilesim::tools
