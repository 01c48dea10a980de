// Code of devices, by the specifiers in front of it.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/rewrite/device_code.hpp"

#include "tools/rewrite/declarators.hpp"
#include "tools/rewrite/scopes.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace tilesim::tools {
namespace {

/// By the word: what a device has not got, and what to do.
const std::map<std::string_view, std::string_view>& refused_words() {
  static const std::map<std::string_view, std::string_view> words{
      {"throw", "device code has no exceptions: give back a status, or end by __trap()"},
      {"try", "device code has no exceptions: look at what calls give back"},
      {"typeid",
       "device code has no operator typeid: compare types when compiling, by std::is_same_v"},
      {"dynamic_cast",
       "device code has no operator dynamic_cast: use static_cast, or a virtual function"}};
  return words;
}

bool is_scalar_word(std::string_view word) {
  static const std::set<std::string_view> words{"int",
                                                "unsigned",
                                                "signed",
                                                "long",
                                                "short",
                                                "char",
                                                "bool",
                                                "float",
                                                "double",
                                                "int8_t",
                                                "int16_t",
                                                "int32_t",
                                                "int64_t",
                                                "uint8_t",
                                                "uint16_t",
                                                "uint32_t",
                                                "uint64_t",
                                                "size_t"};
  return words.contains(word);
}

class refusals {
public:
  refusals(const lexed& source, std::string_view system_folder, std::vector<rewrite_error>& errors)
      : source_(source)
      , t_(source, source.tokens)
      , system_folder_(system_folder)
      , errors_(errors) {}

  void find(const std::vector<launch>& launches) {
    scope_stack scopes(source_, t_);
    for (std::size_t i = 0; i < t_.size(); ++i) {
      scopes.enter(i);
      if (!t_.is(i, token_kind::identifier)) {
        continue;
      }
      const bool in_macro = scopes.macro_use().has_value();
      if (i < end_ && i >= skipped_) {
        look_at_body(i, in_macro);
      } else if (!in_macro && scopes.at_namespace_scope()) {
        look_at_declaration(i);
      }
    }
    refuse_launches(launches);
    for (const auto& [name, at] : constants_) {
      look_for_assignments(name, at);
    }
  }

private:
  void refuse(std::size_t at, std::string message) {
    const location where = source_.locate(t_[at].begin);
    if (!where.system) {
      errors_.push_back({where, std::move(message)});
    }
  }

  void look_at_declaration(std::size_t i) {
    const std::string_view word = t_.spelling(i);
    if (word == "__constant__") {
      look_at_constant(i);
    }
    if (word != "__device__" && word != "__global__" && word != "__tile_global__") {
      return;
    }
    const auto d = read_declarator(t_, i + 1);
    if (!d || d->name == 0) {
      return;
    }
    const std::string_view name = t_.spelling(d->name);
    (word == "__device__" ? functions_ : kernels_)[name].insert(d->name);
    const std::size_t first = declaration_begin(t_, i);
    bool plain = word != "__tile_global__" && d->body.has_value();
    for (std::size_t at = first; plain && at < d->name; ++at) {
      plain = t_.spelling(at) != "template" && t_.spelling(at) != "__host__";
    }
    if (plain && end_ <= *d->body) {
      end_ = t_.matching_close(*d->body);
      skipped_ = *d->body;
      function_ = name;
    }
  }

  /// Classes have functions of their own, and lambdas may be the host's.
  void look_at_body(std::size_t i, bool in_macro) {
    const std::string_view word = t_.spelling(i);
    const bool nested = word == "struct" || word == "class" || word == "union";
    if (nested || word == "__host__") {
      for (std::size_t at = i + 1; at < end_ && !t_.is_punct(at, ";"); ++at) {
        if (t_.is_punct(at, "{")) {
          skipped_ = t_.matching_close(at);
          return;
        }
      }
    }
    const auto refused = refused_words().find(word);
    if (refused != refused_words().end() && !in_macro) {
      refuse(i,
             "'" + std::string(word) + "' in '" + std::string(function_) +
                 "', which runs on the device: " + std::string(refused->second));
    }
  }

  /// A scalar's: an array's elements and an object's members compile with NVIDIA's compiler, too.
  void look_at_constant(std::size_t i) {
    std::size_t at = i + 1;
    for (; is_scalar_word(t_.spelling(at)) || t_.spelling(at) == "static"; ++at) {
    }
    const bool ends =
        t_.is_punct(at + 1, ";") || t_.is_punct(at + 1, "=") || t_.is_punct(at + 1, "{");
    if (at > i + 1 && t_.is(at, token_kind::identifier) && ends) {
      constants_.emplace(t_.spelling(at), at);
    }
  }

  void refuse_launches(const std::vector<launch>& launches) {
    const auto declares_kernels = [](std::string_view text) {
      return text.find("_global__") != std::string_view::npos;
    };
    for (const plain_macro& m : source_.plain_macros) {
      if (m.name != "__global__" && m.name != "__tile_global__" &&
          declares_kernels(source_.text.substr(m.begin, m.end - m.begin))) {
        return; // kernels that are not seen here
      }
    }
    if (std::ranges::any_of(source_.macros, [&](const macro_definition& m) {
          return std::ranges::any_of(
              m.body, [&](const token& t) { return declares_kernels(source_.spelling(t)); });
        })) {
      return;
    }
    for (const launch& l : launches) {
      std::string_view name = source_.text.substr(l.callee.begin, l.callee.end - l.callee.begin);
      name = name.substr(0, name.find('<'));
      const auto colons = name.rfind("::");
      name = colons == std::string_view::npos ? name : name.substr(colons + 2);
      if (l.place == text_place::code && functions_.contains(name) && !kernels_.contains(name) &&
          !may_be_other(name)) {
        const location where = source_.locate(l.callee.begin);
        errors_.push_back({where,
                           "'" + std::string(name) +
                               "' is a __device__ function, and a launch is of a kernel: make it "
                               "__global__, or call it from one"});
      }
    }
  }

  [[nodiscard]] bool is_of_program(std::size_t i) const { return lies_in_program(t_[i].begin); }
  [[nodiscard]] bool lies_in_program(std::size_t offset) const {
    const location where = source_.locate(offset);
    return !where.system &&
           (system_folder_.empty() || !where.file.substr(1).starts_with(system_folder_));
  }

  /// Whether a name stands where it may be declared.
  [[nodiscard]] bool may_be_declared(std::size_t i) const {
    static const std::set<std::string_view> words{"return", "else", "case", "do", "co_return"};
    const bool behind_word =
        t_.is(i - 1, token_kind::identifier) && !words.contains(t_.spelling(i - 1));
    const bool behind_star = (t_.is_punct(i - 1, "*") || t_.is_punct(i - 1, "&")) && i > 2 &&
                             t_.is(i - 2, token_kind::identifier) && !t_.is_punct(i - 3, "=");
    return behind_word || behind_star || t_.is_punct(i - 1, ",") || t_.is_punct(i - 1, "[") ||
           t_.is_punct(i - 1, ">") || t_.is_punct(i - 1, "::");
  }

  /// Whether a name is anything else somewhere: what is assigned to may then be that.
  [[nodiscard]] bool is_declared_again(std::string_view name, std::size_t own) const {
    for (std::size_t i = 1; i < t_.size(); ++i) {
      if (i != own && t_.spelling(i) == name && is_of_program(i) && may_be_declared(i)) {
        return true;
      }
    }
    return false;
  }

  /// Whether a device function's name may be that of a variable, a parameter or a member, too,
  /// which may point to a kernel: it is not where it is called or launched alone.
  [[nodiscard]] bool may_be_other(std::string_view name) const {
    const std::set<std::size_t>& own = functions_.at(name);
    for (std::size_t i = 1; i < t_.size(); ++i) {
      if (t_.spelling(i) != name || own.contains(i) || !is_of_program(i)) {
        continue;
      }
      const bool is_used =
          t_.is_punct(i + 1, "(") || t_.is_punct(i + 1, "<") || t_.is(i + 1, token_kind::launch);
      if (may_be_declared(i) || !is_used) {
        return true;
      }
    }
    return is_in_macro(name);
  }

  /// Whether a macro of the program's has a name in it: it may declare that.
  [[nodiscard]] bool is_in_macro(std::string_view name) const {
    const auto has_name = [&](const macro_definition& m) {
      return std::ranges::any_of(m.body,
                                 [&](const token& t) { return source_.spelling(t) == name; });
    };
    return std::ranges::any_of(source_.macros, has_name) ||
           std::ranges::any_of(source_.plain_macros, [&](const plain_macro& m) {
             const auto text = source_.text.substr(m.begin, m.end - m.begin);
             return text.find(name) != std::string_view::npos && lies_in_program(m.begin) &&
                    has_name(lex_macro(source_, m));
           });
  }

  [[nodiscard]] bool is_twice(std::size_t i, std::string_view what) const {
    return t_.is_punct(i, what) && t_.touches_next(i) && t_.is_punct(i + 1, what);
  }
  /// An assignment's operator, behind what it assigns to.
  [[nodiscard]] bool assigns(std::size_t i) const {
    if (is_twice(i, "+") || is_twice(i, "-")) {
      return true;
    }
    static const std::set<std::string_view> with{"+", "-", "*", "/", "%", "&", "|", "^"};
    const bool compound = with.contains(t_.spelling(i)) && t_.touches_next(i);
    const std::size_t equals = i + (compound ? 1U : 0U);
    return t_.is_punct(equals, "=") && !is_twice(equals, "=");
  }

  void look_for_assignments(std::string_view name, std::size_t own) {
    if (is_declared_again(name, own)) {
      return;
    }
    for (std::size_t i = 2; i + 1 < t_.size(); ++i) {
      if (i == own || t_.spelling(i) != name) {
        continue;
      }
      const bool begins = t_.is_punct(i - 1, ";") || t_.is_punct(i - 1, "{") ||
                          t_.is_punct(i - 1, "}") || t_.is_punct(i - 1, ")");
      const bool counted = (is_twice(i - 2, "+") && !t_.is_punct(i - 3, "+")) ||
                           (is_twice(i - 2, "-") && !t_.is_punct(i - 3, "-"));
      if ((begins && assigns(i + 1)) || counted) {
        refuse(i,
               "'" + std::string(name) +
                   "' is a __constant__ variable, which no code assigns to: let the host copy to "
                   "it, cudaMemcpyToSymbol, or make it __device__");
      }
    }
  }

  const lexed& source_;
  token_view t_;
  std::string_view system_folder_; ///< of headers that are not the program's
  std::vector<rewrite_error>& errors_;
  std::map<std::string_view, std::set<std::size_t>>
      functions_; ///< of devices: where their names are
  std::map<std::string_view, std::set<std::size_t>> kernels_;
  std::map<std::string_view, std::size_t> constants_; ///< scalars, and where each is declared
  std::size_t end_ = 0;                               ///< of the device function that is being read
  std::size_t skipped_ = 0;                           ///< nothing before is looked at
  std::string_view function_;                         ///< its name
};

} // namespace

void refuse_device_code(const lexed& source,
                        const std::vector<launch>& launches,
                        std::string_view system_folder,
                        std::vector<rewrite_error>& errors) {
  refusals(source, system_folder, errors).find(launches);
}

} // namespace tilesim::tools
