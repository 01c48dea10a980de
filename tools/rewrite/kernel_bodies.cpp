// Kernels' bodies: what each begins with.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/rewrite/kernel_bodies.hpp"

#include "tools/rewrite/declarators.hpp"
#include "tools/rewrite/scopes.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_set>

namespace tilesim::tools {
namespace {

/// Macros that begin a kernel's declaration: #define KERNEL static __tile_global__ void.
struct specifier {
  std::string_view kind;    ///< an enumerator of tilesim::kernel_kind
  bool is_template = false; ///< the macro holds a template's head
  bool function_like = false;
  bool has_parameters = false; ///< and so only the body is missing
};
using specifiers = std::map<std::string_view, specifier>;

bool is_word_of_cuda(std::string_view word) {
  return word == "__tile_global__" || word == "__global__";
}

bool names_kernel(const lexed& source, const macro_definition& macro, const specifiers& known) {
  return std::ranges::any_of(macro.body, [&](const token& t) {
    return t.kind == token_kind::identifier && known.contains(source.spelling(t));
  });
}

/// A macro is a specifier if what it holds is no whole declaration. Those that use others are found
/// in further rounds.
specifiers find_specifiers(const lexed& source, std::vector<macro_definition>& macros) {
  specifiers known{{"__tile_global__", {"tile"}}, {"__global__", {"simt"}}};
  const auto look_at = [&](const macro_definition& macro) {
    const token_view body(source, macro.body);
    for (std::size_t i = 0; i < body.size(); ++i) {
      const auto found = known.find(body.spelling(i));
      if (found == known.end() || !body.is(i, token_kind::identifier)) {
        continue;
      }
      const auto declared = read_declarator(body, i + 1);
      if (!declared || !declared->unfinished) {
        continue;
      }
      const bool in_template =
          found->second.is_template || std::ranges::any_of(macro.body, [&](const token& t) {
            return source.spelling(t) == "template";
          });
      return known
          .try_emplace(
              macro.name,
              specifier{.kind = found->second.kind,
                        .is_template = in_template,
                        .function_like = macro.function_like,
                        .has_parameters = found->second.has_parameters || declared->close != 0})
          .second;
    }
    return false;
  };
  for (const auto& macro : macros) {
    if (!is_word_of_cuda(macro.name)) {
      look_at(macro);
    }
  }
  for (bool more = known.size() > 2; more;) {
    more = false;
    for (const auto& plain : source.plain_macros) {
      if (known.contains(plain.name)) {
        continue;
      }
      const auto text = source.text.substr(plain.begin, plain.end - plain.begin);
      if (std::ranges::none_of(
              known, [&](const auto& k) { return text.find(k.first) != std::string_view::npos; })) {
        continue;
      }
      auto macro = lex_macro(source, plain);
      if (!names_kernel(source, macro, known)) {
        continue;
      }
      more = look_at(macro) || more;
      macros.push_back(std::move(macro));
    }
  }
  return known;
}

/// What a parameter must not be, by the name of a template in api/tilesim/launch.hpp.
struct rule {
  std::string_view kind; ///< of the kernels that it holds for; empty: all
  std::string_view broken;
  std::string_view message;
};
constexpr std::array<rule, 2> rules{
    rule{
        "tile",
        "unsupported_parameter",
        "unsupported type for a __tile_global__ function's parameter (must be a scalar integral or "
        "floating point type, a reference type, or a pointer type other than to a member)"},
    rule{"simt",
         "unique_parameter",
         "a kernel's parameter of a class that can be neither copied nor moved is not supported: "
         "each thread has its own"},
};

/// Looks through one list of tokens: the file's, or those of one macro's body.
class finder {
public:
  finder(const lexed& source,
         const std::vector<token>& tokens,
         const macro_definition* macro,
         const specifiers& known,
         bool erase,
         std::vector<edit>& out,
         std::vector<rewrite_error>& errors)
      : source_(source)
      , t_(source, tokens)
      , macro_(macro)
      , known_(known)
      , erase_(erase)
      , out_(out)
      , errors_(errors) {}

  void find() {
    scope_stack scopes(source_, t_);
    for (std::size_t i = 0; i < t_.size(); ++i) {
      scopes.enter(i);
      if (!t_.is(i, token_kind::identifier)) {
        continue;
      }
      const auto found = known_.find(t_.spelling(i));
      if (found == known_.end()) {
        continue;
      }
      place_ = macro_ != nullptr    ? text_place::macro_body
               : scopes.macro_use() ? text_place::macro_argument
                                    : text_place::code;
      if (erase_ && is_word_of_cuda(found->first)) {
        out_.push_back({{t_[i].begin, t_[i].end}, {}, text_place::macro_body});
      }
      auto next = i + 1;
      if (found->second.function_like && t_.is_punct(next, "(")) {
        next = t_.matching_close(next) + 1;
      }
      if (found->second.has_parameters && !t_.is_punct(next, "{") &&
          t_.spelling(next) != "noexcept") {
        continue;
      }
      const auto d = read_declarator(t_, next);
      if (d && d->body && bodies_.insert(*d->body).second && is_kernel(*d)) {
        body(i, found->second, *d);
      }
    }
  }

private:
  /// An error, and an assertion for where the text may be none of the program's: clang++ leaves the
  /// groups of #if that it skips.
  bool refuse(const declarator& d, std::size_t at, const std::string& message) {
    errors_.push_back({source_.locate(t_[at].begin), message});
    out_.push_back({{t_[*d.body].begin, t_[*d.body].end},
                    {{"{"}, {"static_assert(false", t_[at].begin}, {", \"" + message + "\");"}},
                    place_});
    return false;
  }

  /// Nothing is said of a type that has a name of the program's own, nor of what a macro holds,
  /// which nobody may use.
  bool is_kernel(const declarator& d) {
    static const std::unordered_set<std::string_view> types{
        "int", "unsigned", "signed", "long", "short", "char", "bool", "float", "double", "*", "&"};
    if (macro_ != nullptr || d.name == 0 || d.close < 2) {
      return true;
    }
    if (types.contains(t_.spelling(d.name - 1))) {
      return refuse(d, d.name, "a kernel's return type must be void");
    }
    const auto last = d.close - 1;
    if (t_.spelling(last) == "..." && (last == d.open + 1 || t_.is_punct(last - 1, ","))) {
      return refuse(d, last, "a kernel has no variable arguments; name each parameter");
    }
    return true;
  }

  void body(std::size_t i, const specifier& kind, const declarator& d) {
    if (!kind.is_template && d.name != 0) {
      if (auto self = own_name(i, d)) {
        if (auto parameters = function_parameters(t_, d.open, d.close);
            parameters &&
            std::ranges::all_of(*parameters, [&](const auto& p) { return readable(p); })) {
          return bind(kind, d, *self, *parameters);
        }
      }
    }
    const auto close = t_.matching_close(*d.body);
    if (close == t_.size()) {
      return;
    }
    edit begin{{t_[*d.body].begin, t_[*d.body].end}, {}, place_};
    begin.by.push_back({"{"});
    begin.by.push_back({" ::tilesim::detail::run_or_bind<::tilesim::kernel_kind::" +
                            std::string(kind.kind) + ">(__func__, [=]() mutable -> void {",
                        t_[*d.body].begin,
                        true});
    out_.push_back(std::move(begin));
    out_.push_back({{t_[close].begin, t_[close].end}, {{"}); }"}}, place_});
  }

  // A parameter that stands for a macro's text may be several.
  // g++ finds no address of a template whose pack of parameters is declared with __restrict__.
  [[nodiscard]] bool readable(const parameter_name& p) const {
    const auto word = t_.spelling(p.at);
    for (std::size_t back = 1; p.pack && back <= 4 && back < p.at; ++back) {
      if (t_.spelling(p.at - back).starts_with("__restrict")) {
        return false;
      }
    }
    if (source_.list_macros.contains(word) || word == "__VA_ARGS__") {
      return false;
    }
    return p.named || macro_ == nullptr ||
           std::ranges::find(macro_->parameters, word) == macro_->parameters.end();
  }

  // What the kernel is called in its own body, where a template's name alone may not say which
  // specialisation is meant.
  [[nodiscard]] std::optional<std::string> own_name(std::size_t i, const declarator& d) const {
    const auto first = declaration_begin(t_, i);
    std::optional<std::size_t> head;
    for (auto at = first; at < d.name; ++at) {
      if (t_.spelling(at) == "friend") {
        return {}; // its name is not visible
      }
      if (t_.spelling(at) != "template" || !t_.is_punct(at + 1, "<")) {
        continue;
      }
      if (head) {
        return {}; // a member template's
      }
      head = at + 1;
      at = t_.skip_template_arguments(at + 1).value_or(at + 2) - 1;
    }
    auto begin = d.name;
    while (begin > first + 1 && t_.is_punct(begin - 1, "::")) {
      begin -= t_.is(begin - 2, token_kind::identifier) ? 2U : 1U;
      if (t_.is_punct(begin, "::")) {
        break;
      }
    }
    while (begin > 2 && t_.spelling(begin - 1) == "#" && t_.spelling(begin - 2) == "#") {
      begin -= 3; // a##b
    }
    auto end = d.name_end;
    for (; t_.spelling(end) == "#" && t_.spelling(end + 1) == "#"; end += 3) {
    }
    std::string name(source_.text.substr(t_[begin].begin, t_[end - 1].end - t_[begin].begin));
    if (!head || t_.is_punct(*head + 1, ">")) {
      return name;
    }
    const auto arguments = own_template_arguments(t_, *head);
    return arguments ? std::optional(name + *arguments) : std::nullopt;
  }

  void bind(const specifier& kind,
            const declarator& d,
            const std::string& self,
            const std::vector<parameter_name>& parameters) {
    edit begin{{t_[*d.body].begin, t_[*d.body].end}, {}, place_};
    begin.by.push_back({"{"});
    std::string types;
    std::string values;
    for (const auto& p : parameters) {
      const auto name = name_of(p);
      const auto dots = std::string(p.pack ? "..." : "");
      for (const auto& r : rules) {
        if (r.kind == kind.kind) {
          check(begin, r, name, p);
        }
      }
      types.append(types.empty() ? "" : ", ")
          .append("::tilesim::detail::parameter_type<decltype(")
          .append(name)
          .append(")>")
          .append(dots);
      values.append(", ").append(name).append(dots);
    }
    begin.by.push_back({" if (!::tilesim::detail::enter_kernel()) return ::tilesim::detail::"
                        "bind_kernel<::tilesim::kernel_kind::" +
                            std::string(kind.kind) + ">(__func__, static_cast<void (*)(" + types +
                            ")>(&" + self + ")" + values + ");",
                        t_[*d.body].begin,
                        true});
    out_.push_back(std::move(begin));
  }

  // The condition stands where the parameter does: so does the compiler's message.
  void check(edit& to, const rule& r, const std::string& name, const parameter_name& p) const {
    const auto broken = "::tilesim::detail::" + std::string(r.broken) + "<decltype(" + name + ")>";
    to.by.push_back({" static_assert("});
    to.by.push_back({p.pack ? "!(" + broken + " || ...)" : '!' + broken, t_[p.at].begin});
    to.by.push_back({", \"" + std::string(r.message) + "\");"});
  }

  // Its own, or one that it is given.
  std::string name_of(const parameter_name& p) {
    if (p.named) {
      return std::string(t_.spelling(p.at));
    }
    auto name = "tilesim_p" + std::to_string(t_[p.at].begin);
    out_.push_back(
        {{t_[p.at].begin, t_[p.at].end}, {{std::string(t_.spelling(p.at)) + ' ' + name}}, place_});
    return name;
  }

  const lexed& source_;
  token_view t_;
  const macro_definition* macro_;
  const specifiers& known_;
  bool erase_;
  std::vector<edit>& out_;
  std::vector<rewrite_error>& errors_;
  text_place place_{};
  std::unordered_set<std::size_t> bodies_;
};

} // namespace

std::vector<edit>
kernel_edits(const lexed& source, bool erase_specifiers, std::vector<rewrite_error>& errors) {
  std::vector<edit> out;
  auto macros = source.macros;
  const auto known = find_specifiers(source, macros);
  finder(source, source.tokens, nullptr, known, erase_specifiers, out, errors).find();
  for (const auto& macro : macros) {
    if (!is_word_of_cuda(macro.name)) {
      finder(source, macro.body, &macro, known, erase_specifiers, out, errors).find();
    }
  }
  return out;
}

} // namespace tilesim::tools
