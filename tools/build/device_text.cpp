// Conditions of __CUDA_ARCH__: in whose body do they stand?
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/device_text.hpp"

#include "tools/cli/files.hpp"
#include "tools/rewrite/lexer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace tilesim::tools {

namespace {

constexpr std::string_view arch_macro = "__CUDA_ARCH__";

/// As a string literal holds it.
std::string escaped(const std::string& path) {
  std::string text;
  for (const char c : path) {
    text += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
  }
  return text;
}

/// Who comes by a place.
enum class body : unsigned char { none, device, shared, host };

/// Goes through a source from its beginning, knowing in whose body it is.
class bodies {
public:
  explicit bodies(std::string_view source)
      : source_(lex(source)) {}

  device_text find() {
    std::size_t next = 0;
    for (const token& t : source_.tokens) {
      for (; next < source_.conditionals.size() && source_.conditionals[next].offset < t.begin;
           ++next) {
        take(source_.conditionals[next]);
      }
      take(t);
    }
    for (; next < source_.conditionals.size(); ++next) {
      take(source_.conditionals[next]);
    }
    return renamed();
  }

private:
  /// Braces that are open, and the words since the last of them, or since a semicolon.
  struct state {
    std::vector<body> open;
    std::vector<std::string_view> head;
  };

  /// From an #if to its #endif.
  struct condition {
    state before;                   ///< which every branch begins with
    std::vector<std::size_t> names; ///< outside of functions: where it asks for the architecture
    bool of_devices = false;        ///< holds a function for devices alone,
    bool of_hosts = false;          ///< and one that is for others
  };

  [[nodiscard]] body here() const { return now_.open.empty() ? body::none : now_.open.back(); }

  void take(const token& t) {
    const std::string_view text = without_digraph(source_.spelling(t));
    if (text == arch_macro && here() == body::device) {
      names_.push_back(t.begin);
    } else if (t.kind == token_kind::identifier) {
      now_.head.push_back(text);
    } else if (text == "{") {
      open(here() == body::none ? of_head() : here());
    } else if (text == "}") {
      if (!now_.open.empty()) {
        now_.open.pop_back();
      }
      now_.head.clear();
    } else if (text == ";") {
      now_.head.clear();
    }
  }

  void open(body of) {
    for (condition& c : conditions_) {
      c.of_devices = c.of_devices || of == body::device;
      c.of_hosts = c.of_hosts || of == body::shared || of == body::host;
    }
    now_.open.push_back(of);
    now_.head.clear();
  }

  /// Whose body begins behind those words, outside of functions.
  [[nodiscard]] body of_head() const {
    const auto has = [&](std::string_view word) {
      return std::ranges::find(now_.head, word) != now_.head.end();
    };
    if (has("__global__") || has("__tile_global__") || (has("__device__") && !has("__host__"))) {
      return body::device;
    }
    if (has("__device__")) {
      return body::shared;
    }
    const bool holds_functions = now_.head.empty() || has("namespace") || has("extern") ||
                                 has("class") || has("struct") || has("union");
    return holds_functions ? body::none : body::host;
  }

  void take(const conditional& c) {
    if (c.what == conditional::part::open) {
      conditions_.push_back({.before = now_, .names = {}});
    }
    if (conditions_.empty()) {
      return;
    }
    condition& whole = conditions_.back();
    if (c.what == conditional::part::branch) {
      now_ = whole.before;
    }
    ask(c.offset, whole);
    if (c.what == conditional::part::close) {
      // Functions that there are for some devices: which, this device decides.
      if (whole.of_devices && !whole.of_hosts) {
        names_.insert(names_.end(), whole.names.begin(), whole.names.end());
      }
      conditions_.pop_back();
    }
  }

  /// What the directive at that place asks for.
  void ask(std::size_t from, condition& whole) {
    std::size_t end = source_.text.find('\n', from);
    while (end != std::string_view::npos && source_.text[end - 1] == '\\') {
      end = source_.text.find('\n', end + 1);
    }
    const std::string_view line = source_.text.substr(0, end);
    for (auto at = line.find(arch_macro, from); at != std::string_view::npos;
         at = line.find(arch_macro, at + arch_macro.size())) {
      if (here() == body::device) {
        names_.push_back(at);
      } else if (here() == body::none) {
        whole.names.push_back(at);
      } else if (here() == body::shared) {
        made_.shared.push_back(source_.locate(at).line);
      }
    }
  }

  device_text renamed() {
    std::ranges::sort(names_);
    made_.changed = !names_.empty();
    std::size_t done = 0;
    for (const std::size_t at : names_) {
      made_.text += source_.text.substr(done, at - done);
      made_.text += device_arch_macro;
      done = at + arch_macro.size();
    }
    made_.text += source_.text.substr(done);
    made_.shared.erase(std::unique(made_.shared.begin(), made_.shared.end()), made_.shared.end());
    return std::move(made_);
  }

  lexed source_;
  state now_;
  std::vector<condition> conditions_; ///< those that are open
  std::vector<std::size_t> names_;    ///< where the device's architecture is asked for
  device_text made_;
};

} // namespace

device_text with_device_conditions(std::string_view source) {
  if (source.find(arch_macro) == std::string_view::npos) {
    return {.text = std::string(source), .changed = false, .shared = {}};
  }
  return bodies(source).find();
}

device_source::device_source(const cache& c, const std::string& source)
    : source_(source)
    , file_(c, ".cu") {
  const device_text made = with_device_conditions(read_file(source).value_or(""));
  shared_ = made.shared;
  if (made.changed) {
    path_ = file_.path;
    write_file(path_, fmt::format("#line 1 \"{}\"\n{}", escaped(source), made.text));
  }
}

void device_source::replace(command_line& command) const {
  if (!path_.empty()) {
    const std::string folder = std::filesystem::path(source_).parent_path();
    *std::ranges::find(command, source_) = path_;
    command.insert(std::ranges::find(command, "-I"), {"-iquote", folder.empty() ? "." : folder});
  }
}

std::string device_source::notes() const {
  std::string text;
  for (const std::size_t line : shared_) {
    text += fmt::format("{}:{}: note: in a function for host and device __CUDA_ARCH__ is not "
                        "defined, in kernels neither: it is compiled once, for both; to fix: give "
                        "the device's code a __device__ function of its own\n",
                        source_,
                        line);
  }
  return text;
}

} // namespace tilesim::tools
