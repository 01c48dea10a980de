// One table of flags: what each takes and where it goes.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/flags.hpp"

#include "tools/cli/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace tilesim::tools {
namespace {

enum class value : unsigned char {
  none,     ///< -w
  joined,   ///< -fname, -std=...: whatever follows belongs to it
  separate, ///< -include FILE
  either,   ///< -IDIR or -I DIR
  assigned, ///< --flag=VALUE or --flag VALUE
};

enum class step : unsigned char {
  preprocess,
  compile,
  link,
  compile_and_link,
  output,       ///< -o
  objects_only, ///< -c
  standard,     ///< -std
  optimise,     ///< -O
  arch,         ///< sets __CUDA_ARCH_LIST__
  to_host,      ///< -Xcompiler: flags of the host compiler, separated by commas
  relocatable,  ///< whether the device's code is linked
  silent,       ///< nothing to do here
  noted,        ///< no effect here, and that is worth a word
};

struct flag {
  std::string_view name;
  value takes;
  step goes_to;
  std::string_view replacement = {}; ///< of an nvcc flag: the host compiler's; or the note
};

// The first row that fits wins. Flags with one dash in front of a word are nvcc's own habit.
// clang-format off
constexpr std::array flags{
    // name                           takes            goes to                 replacement, or note
    flag{"-o",                        value::either,   step::output},
    flag{"--output-file",             value::assigned, step::output},
    flag{"-c",                        value::none,     step::objects_only},
    flag{"--compile",                 value::none,     step::objects_only},
    flag{"-dc",                       value::none,     step::objects_only},
    flag{"--device-c",                value::none,     step::objects_only},

    flag{"-I",                        value::either,   step::preprocess},
    flag{"--include-path",            value::assigned, step::preprocess,       "-I"},
    flag{"-isystem",                  value::either,   step::preprocess},
    flag{"-iquote",                   value::either,   step::preprocess},
    flag{"-idirafter",                value::either,   step::preprocess},
    flag{"-include",                  value::either,   step::preprocess},
    flag{"-imacros",                  value::either,   step::preprocess},
    flag{"-D",                        value::either,   step::preprocess},
    flag{"--define-macro",            value::assigned, step::preprocess,       "-D"},
    flag{"-U",                        value::either,   step::preprocess},
    flag{"--undefine-macro",          value::assigned, step::preprocess,       "-U"},
    flag{"-nostdinc",                 value::joined,   step::preprocess},

    flag{"-lcudart",                  value::joined,   step::silent},
    flag{"-lcudadevrt",               value::none,     step::silent},
    flag{"-lcuda",                    value::none,     step::noted,
         "the driver interface (cu...) does not exist here"},
    flag{"--cudart",                  value::assigned, step::silent},
    flag{"-cudart",                   value::assigned, step::silent},
    flag{"-l",                        value::either,   step::link},
    flag{"--library",                 value::assigned, step::link,             "-l"},
    flag{"-L",                        value::either,   step::link},
    flag{"--library-path",            value::assigned, step::link,             "-L"},
    flag{"-Wl,",                      value::joined,   step::link},
    flag{"-Xlinker",                  value::separate, step::link},
    flag{"-static-libstdc++",         value::none,     step::link},
    flag{"-static-libgcc",            value::none,     step::link},
    flag{"-rdynamic",                 value::none,     step::link},
    flag{"-no-pie",                   value::none,     step::compile_and_link},
    flag{"-pie",                      value::none,     step::link},

    flag{"-std",                      value::assigned, step::standard},
    flag{"--std",                     value::assigned, step::standard},
    flag{"-use_fast_math",            value::none,     step::noted,
         "tilesim computes what the source says, without approximations"},
    flag{"--use_fast_math",           value::none,     step::noted,
         "tilesim computes what the source says, without approximations"},
    flag{"-ffast-math",               value::none,     step::noted,
         "tilesim computes what the source says, without approximations"},
    flag{"-ftz",                      value::assigned, step::noted, "write the rounding in the source"},
    flag{"-fmad",                     value::assigned, step::noted, "write the fma in the source"},
    flag{"--fmad",                    value::assigned, step::noted, "write the fma in the source"},
    flag{"-prec-div",                 value::assigned, step::noted, "write the rounding in the source"},
    flag{"-prec-sqrt",                value::assigned, step::noted, "write the rounding in the source"},
    flag{"-O",                        value::joined,   step::optimise},
    flag{"--optimize",                value::assigned, step::optimise,         "-O"},
    flag{"-g",                        value::joined,   step::compile},
    flag{"--debug",                   value::none,     step::compile,          "-g"},
    flag{"-w",                        value::none,     step::compile},
    flag{"-pedantic",                 value::joined,   step::compile},
    flag{"-pthread",                  value::none,     step::compile_and_link},
    flag{"-fopenmp",                  value::none,     step::compile_and_link},
    flag{"-fsanitize",                value::joined,   step::compile_and_link},
    flag{"-f",                        value::joined,   step::compile},
    flag{"-maxrregcount",             value::assigned, step::noted, "there are no registers to count"},
    flag{"--maxrregcount",            value::assigned, step::noted, "there are no registers to count"},
    flag{"-m64",                      value::none,     step::silent},
    flag{"-mllvm",                    value::separate, step::compile},
    flag{"-m",                        value::joined,   step::compile},
    flag{"--param",                   value::assigned, step::compile},
    flag{"-Werror",                   value::joined,   step::compile},
    flag{"-W",                        value::joined,   step::compile},

    flag{"-enable-tile",              value::none,     step::silent},
    flag{"--enable-tile",             value::none,     step::silent},
    flag{"-arch",                     value::assigned, step::arch},
    flag{"--gpu-architecture",        value::assigned, step::arch},
    flag{"-gencode",                  value::assigned, step::arch},
    flag{"--generate-code",           value::assigned, step::arch},
    flag{"-code",                     value::assigned, step::silent},
    flag{"--gpu-code",                value::assigned, step::silent},
    flag{"-rdc",                      value::assigned, step::relocatable},
    flag{"--relocatable-device-code", value::assigned, step::relocatable},
    flag{"-lineinfo",                 value::none,     step::silent},
    flag{"--generate-line-info",      value::none,     step::silent},
    flag{"-G",                        value::none,     step::silent},
    flag{"--device-debug",            value::none,     step::silent},
    flag{"-x",                        value::either,   step::silent},
    flag{"-t",                        value::either,   step::silent},
    flag{"--threads",                 value::assigned, step::silent},
    flag{"-ccbin",                    value::assigned, step::noted, "set CXX to choose the host compiler"},
    flag{"--compiler-bindir",         value::assigned, step::noted, "set CXX to choose the host compiler"},
    flag{"-expt-relaxed-constexpr",   value::none,     step::preprocess, "-D__CUDACC_RELAXED_CONSTEXPR__=1"},
    flag{"--expt-relaxed-constexpr",  value::none,     step::preprocess, "-D__CUDACC_RELAXED_CONSTEXPR__=1"},
    flag{"-extended-lambda",          value::none,     step::preprocess, "-D__CUDACC_EXTENDED_LAMBDA__=1"},
    flag{"--extended-lambda",         value::none,     step::preprocess, "-D__CUDACC_EXTENDED_LAMBDA__=1"},
    flag{"-expt-extended-lambda",     value::none,     step::preprocess, "-D__CUDACC_EXTENDED_LAMBDA__=1"},
    flag{"--expt-extended-lambda",    value::none,     step::preprocess, "-D__CUDACC_EXTENDED_LAMBDA__=1"},
    flag{"--disable-warnings",        value::none,     step::compile,          "-w"},
    flag{"-diag-suppress",            value::assigned, step::silent},
    flag{"--diag-suppress",           value::assigned, step::silent},
    flag{"-allow-unsupported-compiler", value::none,   step::silent},
    flag{"--allow-unsupported-compiler", value::none,  step::silent},
    flag{"--default-stream",          value::assigned, step::noted, "the default stream is the legacy one"},
    flag{"-default-stream",           value::assigned, step::noted, "the default stream is the legacy one"},
    flag{"-Xcompiler",                value::assigned, step::to_host},
    flag{"--compiler-options",        value::assigned, step::to_host},
    flag{"-Xptxas",                   value::assigned, step::noted, "there is no ptxas here"},
    flag{"--ptxas-options",           value::assigned, step::noted, "there is no ptxas here"},
    flag{"-Xcicc",                    value::assigned, step::noted, "there is no cicc here"},
    flag{"-Xnvlink",                  value::assigned, step::noted, "there is no nvlink here"},
    flag{"-Xtileiras",                value::assigned, step::noted, "there is no tileiras here"},
};
// clang-format on

/// A flag as it stands on the command line.
struct written {
  const flag* row;
  std::string text;      ///< the flag alone
  std::string parameter; ///< its value, if it takes one
  bool apart = false;    ///< the value was a word of its own
};

bool fits(const flag& row, std::string_view word) {
  if (!word.starts_with(row.name)) {
    return false;
  }
  const auto rest = word.substr(row.name.size());
  switch (row.takes) {
  case value::none:
  case value::separate:
    return rest.empty();
  case value::joined:
  case value::either:
    return true;
  case value::assigned:
    return rest.empty() || rest.front() == '=';
  }
  return false;
}

// -Xcompiler and -X... take their value without '=', too; -Werror takes nvcc's kinds of warnings.
bool takes_next_word(const flag& row,
                     std::string_view rest,
                     const std::vector<std::string>& words,
                     std::size_t at) {
  if (row.name == "-Werror" && rest.empty() && at + 1 < words.size()) {
    return words[at + 1] == "all-warnings" || words[at + 1] == "reorder" ||
           words[at + 1] == "cross-execution-space-call" ||
           words[at + 1] == "default-stream-launch";
  }
  return row.takes == value::separate ||
         ((row.takes == value::either || row.takes == value::assigned) && rest.empty());
}

/// Whether its value may be an option: of another program.
bool hands_options_on(const flag& row) {
  return row.goes_to == step::to_host || row.takes == value::separate ||
         row.name.starts_with("-X") || row.name == "--ptxas-options" || row.name == "--param";
}

written read_flag(const flag& row, const std::vector<std::string>& words, std::size_t& at) {
  written w{&row, std::string(row.name), {}, false};
  auto rest = words[at++].substr(row.name.size());
  if (takes_next_word(row, rest, words, at - 1)) {
    if (at == words.size()) {
      throw failure(exit_usage, fmt::format("'{}' needs a value behind it", row.name));
    }
    if (!hands_options_on(row)) {
      refuse_option_as_value(w.text, words[at]);
    }
    w.parameter = words[at++];
    w.apart = true;
  } else {
    if (row.takes == value::assigned && !rest.empty()) {
      rest.erase(0, 1);
    }
    w.parameter = rest;
  }
  if (row.goes_to == step::output) {
    refuse_empty_value(w.text, w.parameter);
  }
  return w;
}

// As the host compiler reads it.
void append(command_line& to, const written& w) {
  if (w.row->takes == value::none && !w.row->replacement.empty()) {
    to.emplace_back(w.row->replacement);
  } else if (!w.row->replacement.empty()) {
    to.push_back(std::string(w.row->replacement) + w.parameter);
  } else if (w.row->name == "-Werror" && w.apart) {
    to.push_back(w.text);
  } else if (w.apart) {
    to.push_back(w.text);
    to.push_back(w.parameter);
  } else {
    to.push_back(w.text + (w.row->takes == value::assigned ? "=" : "") + w.parameter);
  }
}

void note(build_request& request, std::string text) {
  if (std::ranges::find(request.notes, text) == request.notes.end()) {
    request.notes.push_back(std::move(text));
  }
}

void set_standard(const std::string& standard, build_request& request) {
  for (const auto* old : {"c++98", "c++03", "c++11", "c++14", "c++17", "c++0x", "c++1y", "c++1z"}) {
    if (standard == old || standard == "gnu" + std::string(old + 1)) {
      note(request, fmt::format("-std={} is raised to c++20, which the tile API needs", standard));
      return;
    }
  }
  request.has_standard = true;
  request.compile.push_back("-std=" + standard);
}

// sm_90, compute_90a, arch=compute_90,code=sm_90, native ...
void set_arch(const std::string& text, build_request& request) {
  const auto underscore = text.find('_');
  const auto digits = underscore == std::string::npos ? 0 : underscore + 1;
  const auto end = text.find_first_not_of("0123456789", digits);
  const auto number = text.substr(digits, end == std::string::npos ? end : end - digits);
  if (underscore != std::string::npos && !number.empty()) {
    request.arch_list = number + "0";
  }
}

void take_host_flags(const std::string& list, build_request& request) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= list.size();) {
    const auto end = std::min(list.find(',', begin), list.size());
    if (end > begin) {
      words.push_back(list.substr(begin, end - begin));
    }
    begin = end + 1;
  }
  for (std::size_t at = 0; at < words.size();) {
    if (!take_compiler_flag(words, at, request)) {
      request.compile.push_back(words[at++]);
    }
  }
}

void apply(const written& w, build_request& request) {
  switch (w.row->goes_to) {
  case step::preprocess:
    return append(request.preprocess, w);
  case step::compile:
    request.pedantic |= w.text == "-pedantic" || (w.text == "-W" && w.parameter == "pedantic");
    return append(request.compile, w);
  case step::link:
    return append(request.link, w);
  case step::compile_and_link:
    append(request.compile, w);
    return append(request.link, w);
  case step::output:
    request.output = w.parameter;
    return;
  case step::objects_only:
    request.objects_only = true;
    return;
  case step::standard:
    return set_standard(w.parameter, request);
  case step::optimise:
    request.has_optimisation = true;
    return append(request.compile, w);
  case step::arch:
    return set_arch(w.parameter, request);
  case step::to_host:
    return take_host_flags(w.parameter, request);
  case step::relocatable: // as the program may ask for, too
    std::erase(request.preprocess, relocatable_macro);
    if (w.parameter == "true") {
      request.preprocess.emplace_back(relocatable_macro);
    }
    return;
  case step::silent:
    return;
  case step::noted:
    return note(request, fmt::format("{} has no effect: {}", w.text, w.row->replacement));
  }
}

bool ends_with_one_of(std::string_view name, std::initializer_list<std::string_view> ends) {
  return std::ranges::any_of(ends, [&](auto end) { return name.ends_with(end); });
}

} // namespace

void refuse_option_as_value(const std::string& option, const std::string& word) {
  const bool is_option = word.size() > 1 && word.front() == '-' &&
                         std::string_view("0123456789.").find(word[1]) == std::string_view::npos;
  if (!is_option) {
    return;
  }
  const bool assigns = option.starts_with("--");
  throw failure(
      exit_usage,
      fmt::format("'{0}' needs a value behind it, and '{1}' is an option; a value of that "
                  "name is written {2}",
                  option,
                  word,
                  assigns ? option + "=" + word : option + " ./" + word));
}

void refuse_empty_value(const std::string& option, const std::string& value) {
  if (value.empty()) {
    throw failure(exit_usage, fmt::format("'{}' needs a value, not an empty one", option));
  }
}

bool take_compiler_flag(const std::vector<std::string>& words,
                        std::size_t& at,
                        build_request& request) {
  const auto& word = words[at];
  // What fits a whole word beats what fits its beginning: -lineinfo is no library.
  const flag* best = nullptr;
  for (const auto& row : flags) {
    if (fits(row, word) && (best == nullptr || row.name.size() > best->name.size())) {
      best = &row;
    }
  }
  if (best == nullptr) {
    return false;
  }
  apply(read_flag(*best, words, at), request);
  return true;
}

bool is_source_name(const std::string& name) {
  return ends_with_one_of(name, {".cu", ".cpp", ".cc", ".cxx", ".c++", ".C", ".cuh"});
}

bool is_linker_input(const std::string& name) {
  return ends_with_one_of(name, {".o", ".a", ".so"}) || name.find(".so.") != std::string::npos;
}

} // namespace tilesim::tools
