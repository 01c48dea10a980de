// Reading the lines that `tilesim gpu build` wrote. What is no such line says nothing.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/gpu/places.hpp"

#include "sim/contract/kernel_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>
#include <variant>

namespace tilesim::tools::gpu_tool {

std::string bits_text(std::string_view bytes) {
  std::string text;
  for (auto c = bytes.rbegin(); c != bytes.rend(); ++c) {
    text += fmt::format("{:02x}", static_cast<unsigned char>(*c));
  }
  return text;
}

namespace {

/// Takes a number and the character behind it.
template <class T>
bool take(std::string_view& from, T& number, int base = 10) {
  const auto [end, error] = std::from_chars(from.data(), from.data() + from.size(), number, base);
  if (error != std::errc()) {
    return false;
  }
  from.remove_prefix(static_cast<std::size_t>(end - from.data()));
  from.remove_prefix(from.empty() ? 0 : 1);
  return true;
}

bool is_stub(std::string_view function) {
  return function.find("__device_stub__") != std::string_view::npos ||
         function.find("__wrapper__device_stub_") != std::string_view::npos;
}

/// Is it the kernel's name? Debugging information has names with or without their mangling.
bool is_name_of(std::string_view function, const std::string& symbol, std::string_view demangled) {
  if (function == symbol) {
    return !symbol.empty();
  }
  const std::string_view base = function.substr(0, function.find('<'));
  for (std::size_t at = demangled.find(base); at != std::string_view::npos && !base.empty();
       at = demangled.find(base, at + 1)) {
    const bool begins = at == 0 || demangled[at - 1] == ' ' || demangled[at - 1] == ':';
    const char behind =
        demangled.substr(at + base.size(), 1).empty() ? '\0' : demangled[at + base.size()];
    if (begins && (behind == '(' || behind == '<')) {
      return true;
    }
  }
  return false;
}

} // namespace

place_names::place_names(const gpu::recording_file& from) {
  std::string text;
  for (const gpu::event& e : from.events()) {
    if (const auto* const lines = std::get_if<gpu::lines_event>(&e)) {
      const auto bytes = from.content(lines->content, lines->bytes);
      text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    } else if (std::holds_alternative<gpu::run_event>(e)) {
      break; // later runs are of the same program
    }
  }
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    read(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  std::ranges::stable_sort(rows_, {}, &row::begin);
}

void place_names::read(std::string_view line) {
  const std::size_t end = std::min(line.find(' '), line.size());
  const std::string_view what = line.substr(0, end);
  std::string_view rest = line.substr(std::min(end + 1, line.size()));
  if (what == "file") {
    files_.emplace_back(rest);
  } else if (what == "function") {
    functions_.emplace_back(rest);
  } else if (what == "code") {
    row r;
    if (!take(rest, r.begin, 16) || !take(rest, r.end, 16)) {
      return;
    }
    for (frame f; take(rest, f.file) && take(rest, f.function) && take(rest, f.line);) {
      if (f.file < files_.size() && f.function < functions_.size()) {
        r.frames.push_back(f);
      }
    }
    rows_.push_back(std::move(r));
  }
}

named_place place_names::of(const gpu::call_place& place, const std::string& symbol) const {
  const std::string kernel = sim::demangled(symbol);
  for (const std::uint64_t back : place) {
    // Behind the call the next line may begin.
    const std::uint64_t at = back == 0 ? 0 : back - 1;
    auto found = std::ranges::upper_bound(rows_, at, {}, &row::begin);
    if (found == rows_.begin() || (--found)->end <= at) {
      continue;
    }
    for (const frame& f : found->frames) {
      const std::string& function = functions_[f.function];
      if (!is_stub(function) && !is_name_of(function, symbol, kernel)) {
        return {.file = files_[f.file], .line = f.line};
      }
    }
  }
  return {};
}

} // namespace tilesim::tools::gpu_tool
