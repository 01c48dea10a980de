// Lines of host code, with the calls that have been inlined there, innermost first.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/gpu/lines.hpp"

#include "gpu_backend/container/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <unistd.h>
#include <utility>

namespace tilesim::tools::gpu_tool {

namespace {

struct frame {
  std::size_t file = 0;
  std::size_t function = 0;
  int line = 0;

  friend bool operator==(const frame&, const frame&) = default;
};

/// Names that are given numbers as they come.
class numbered {
public:
  std::size_t operator()(const std::string& name) {
    const auto [found, is_new] = numbers_.try_emplace(name, names_.size());
    if (is_new) {
      names_.push_back(name);
    }
    return found->second;
  }
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }

private:
  std::map<std::string, std::size_t> numbers_;
  std::vector<std::string> names_;
};

std::string function_name(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  for (const unsigned name : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name}) {
    if (dwarf_attr_integrate(die, name, &attribute) != nullptr) {
      if (const char* const text = dwarf_formstring(&attribute); text != nullptr) {
        return text;
      }
    }
  }
  return "?";
}

class table_maker {
public:
  table_maker(const std::vector<std::string>& sources, std::vector<std::string> foreign)
      : foreign_(std::move(foreign)) {
    foreign_.emplace_back("/usr/");
    for (const std::string& source : sources) {
      std::error_code error;
      const auto path = std::filesystem::canonical(source, error);
      if (!error) {
        sources_[path.string()] = source;
      }
    }
  }

  std::string make(Dwarf* from) {
    Dwarf_CU* unit = nullptr;
    Dwarf_Die die;
    while (dwarf_get_units(from, unit, &unit, nullptr, nullptr, &die, nullptr) == 0) {
      add_unit(&die);
    }
    if (rows_.empty()) {
      return {};
    }
    std::string text = "tilesim-lines 1\n";
    for (const std::string& name : files_.names()) {
      text += fmt::format("file {}\n", name);
    }
    for (const std::string& name : functions_.names()) {
      text += fmt::format("function {}\n", name);
    }
    std::ranges::sort(rows_, {}, &row::begin);
    for (const row& r : rows_) {
      text += fmt::format("code {:x} {:x}", r.begin, r.end);
      for (const frame& f : r.frames) {
        text += fmt::format(" {},{},{}", f.file, f.function, f.line);
      }
      text += '\n';
    }
    return text;
  }

private:
  struct row {
    Dwarf_Addr begin = 0;
    Dwarf_Addr end = 0;
    std::vector<frame> frames;
  };

  /// The file's name as it is shown; nothing: it is none of the program's.
  std::optional<std::string> shown(const char* path, const char* folder) {
    if (path == nullptr || *path == '<') {
      return std::nullopt;
    }
    std::filesystem::path file(path);
    if (file.is_relative() && folder != nullptr) {
      file = std::filesystem::path(folder) / file;
    }
    const auto [known, is_new] = shown_.try_emplace(file.string());
    if (!is_new) {
      return known->second;
    }
    std::error_code error;
    const auto canonical = std::filesystem::canonical(file, error); // compilers' own are gone
    const std::string whole = canonical.string();
    if (error ||
        std::ranges::any_of(foreign_, [&](const std::string& f) { return whole.starts_with(f); })) {
      return std::nullopt;
    }
    if (const auto given = sources_.find(whole); given != sources_.end()) {
      known->second = given->second;
    } else {
      const auto here = std::filesystem::current_path(error).string() + "/";
      known->second = whole.starts_with(here) ? whole.substr(here.size()) : whole;
    }
    return known->second;
  }

  void add_unit(Dwarf_Die* unit) {
    Dwarf_Lines* lines = nullptr;
    std::size_t count = 0;
    if (dwarf_getsrclines(unit, &lines, &count) != 0) {
      return;
    }
    Dwarf_Attribute attribute;
    const char* const folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
    for (std::size_t i = 0; i + 1 < count; ++i) {
      Dwarf_Line* const line = dwarf_onesrcline(lines, i);
      Dwarf_Addr begin = 0;
      Dwarf_Addr end = 0;
      bool is_end = false;
      dwarf_lineendsequence(line, &is_end);
      dwarf_lineaddr(line, &begin);
      dwarf_lineaddr(dwarf_onesrcline(lines, i + 1), &end);
      if (!is_end && begin < end) {
        add_row(unit, line, begin, end, folder);
      }
    }
  }

  void
  add_row(Dwarf_Die* unit, Dwarf_Line* line, Dwarf_Addr begin, Dwarf_Addr end, const char* folder) {
    int number = 0;
    dwarf_lineno(line, &number);
    const char* file = dwarf_linesrc(line, nullptr, nullptr);
    Dwarf_Die* scopes = nullptr;
    const int count = dwarf_getscopes(unit, begin, &scopes);
    const std::unique_ptr<Dwarf_Die, decltype(&std::free)> owned(scopes, &std::free);
    std::vector<frame> frames;
    for (int i = 0; i < count; ++i) {
      Dwarf_Die* const scope = scopes + i;
      const int tag = dwarf_tag(scope);
      if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) {
        continue;
      }
      if (const auto name = shown(file, folder)) {
        frames.push_back(
            {.file = files_(*name), .function = functions_(function_name(scope)), .line = number});
      }
      if (tag == DW_TAG_subprogram) {
        break;
      }
      number = static_cast<int>(constant(scope, DW_AT_call_line));
      file = file_of(unit, constant(scope, DW_AT_call_file));
    }
    if (frames.empty()) {
      return;
    }
    if (!rows_.empty() && rows_.back().end == begin && rows_.back().frames == frames) {
      rows_.back().end = end;
    } else {
      rows_.push_back({.begin = begin, .end = end, .frames = std::move(frames)});
    }
  }

  static Dwarf_Word constant(Dwarf_Die* die, unsigned name) {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    dwarf_formudata(dwarf_attr(die, name, &attribute), &value);
    return value;
  }

  static const char* file_of(Dwarf_Die* unit, Dwarf_Word number) {
    Dwarf_Files* files = nullptr;
    std::size_t count = 0;
    return dwarf_getsrcfiles(unit, &files, &count) == 0 && number < count
               ? dwarf_filesrc(files, number, nullptr, nullptr)
               : nullptr;
  }

  std::vector<std::string> foreign_;
  std::map<std::string, std::string> sources_; ///< as given, by their whole path
  std::map<std::string, std::optional<std::string>> shown_;
  numbered files_;
  numbered functions_;
  std::vector<row> rows_;
};

} // namespace

std::string line_table(const std::string& program,
                       const std::vector<std::string>& sources,
                       const std::vector<std::string>& foreign) {
  const int file = open(program.c_str(), O_RDONLY | O_CLOEXEC); // NOLINT: variadic by nature
  if (file < 0) {
    return {};
  }
  Dwarf* const from = dwarf_begin(file, DWARF_C_READ);
  std::string text = from == nullptr ? std::string() : table_maker(sources, foreign).make(from);
  dwarf_end(from);
  close(file);
  return text;
}

std::string behind_program(const std::string& table) {
  const gpu::format::lines_trailer trailer{.bytes = table.size(), .mark = gpu::format::lines_mark};
  std::string text = table;
  text.append(reinterpret_cast<const char*>(&trailer), sizeof(trailer));
  return text;
}

} // namespace tilesim::tools::gpu_tool
