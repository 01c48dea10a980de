// A compiler's output is read by lines: where a diagnostic begins, and what it is about.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/library_errors.hpp"

#include "tools/cli/terminal.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tilesim::tools {

namespace {

constexpr std::string_view changed = "changes meaning of";

/// The output's first line, without its end; the output is what is behind it then.
std::string_view cut_line(std::string_view& output) {
  const std::string_view line = output.substr(0, output.find('\n'));
  output.remove_prefix(std::min(line.size() + 1, output.size()));
  return line;
}

bool holds(std::string_view line, std::string_view text) {
  return line.find(text) != std::string_view::npos;
}

bool is_error(std::string_view plain) {
  return holds(plain, ": error: ") || holds(plain, ": fatal error: ");
}

/// Does the line say in which file, function or instantiation the next diagnostic is?
bool is_context(std::string_view plain) {
  return plain.starts_with("In file included from ") ||
         plain.starts_with("                 from ") || holds(plain, ": In ") ||
         holds(plain, ": At global scope");
}

} // namespace

bool has_only_changed_meanings(std::string_view output) {
  bool any = false;
  while (!output.empty()) {
    const std::string plain = without_colours(std::string(cut_line(output)));
    if (is_error(plain)) {
      if (!holds(plain, changed)) {
        return false;
      }
      any = true;
    }
  }
  return any;
}

std::string without_changed_meanings(std::string_view output) {
  std::string result;
  std::string context; // where the next diagnostic is; stays that of one behind a dropped one
  std::string inner;   // the same, while one is dropped: of its notes, or of the next one
  bool dropping = false;
  while (!output.empty()) {
    const std::string_view line = cut_line(output);
    const std::string plain = without_colours(std::string(line));
    if (is_context(plain)) {
      (dropping ? inner : context).append(line).push_back('\n');
      continue;
    }
    if (is_error(plain) || holds(plain, ": warning: ")) {
      if (!inner.empty()) {
        context = std::exchange(inner, {});
      }
      dropping = holds(plain, changed);
    }
    inner.clear();
    if (!dropping) {
      result += std::exchange(context, {});
      result.append(line).push_back('\n');
    }
  }
  return result;
}

std::string with_library_told(std::string output) {
  constexpr std::array<std::string_view, 4> folders{"cub/", "cuda/", "nv/", "thrust/"};
  std::string_view rest = output;
  while (!rest.empty()) {
    const std::string plain = without_colours(std::string(cut_line(rest)));
    constexpr std::string_view fatal = ": fatal error: ";
    const std::size_t at = plain.find(fatal);
    if (at == std::string::npos) {
      continue;
    }
    std::string_view name = std::string_view(plain).substr(at + fatal.size());
    name.remove_prefix(name.starts_with('\'') ? 1 : 0); // clang++ quotes it
    if (std::ranges::any_of(folders, [&](std::string_view f) { return name.starts_with(f); })) {
      if (!output.ends_with('\n')) {
        output.push_back('\n');
      }
      output += plain.substr(0, at) +
                ": note: it is of CCCL, NVIDIA's C++ libraries: 'tilesim toolchain install' brings "
                "them, or name the folder that you have them in with -I\n";
      break;
    }
  }
  return output;
}

} // namespace tilesim::tools
