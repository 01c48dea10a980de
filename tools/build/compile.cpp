// Preprocesses, rewrites, compiles; cached by content.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/compile.hpp"

#include "sim/contract/printable.hpp"
#include "sim/contract/standard_error.hpp"
#include "tools/build/dependencies.hpp"
#include "tools/build/device_sources.hpp"
#include "tools/build/hook_symbols.hpp"
#include "tools/build/host_versions.hpp"
#include "tools/build/library_errors.hpp"
#include "tools/build/macro_pragmas.hpp"
#include "tools/build/operand_errors.hpp"
#include "tools/build/toolchain.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/rewrite/rewrite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <future>

namespace tilesim::tools {
namespace fs = std::filesystem;
namespace {

std::string environment() {
  std::string text;
  for (const auto* name : {"CPATH",
                           "CPLUS_INCLUDE_PATH",
                           "C_INCLUDE_PATH",
                           "LIBRARY_PATH",
                           "GCC_EXEC_PREFIX",
                           "COMPILER_PATH",
                           "SOURCE_DATE_EPOCH",
                           "LANG",
                           "LC_ALL"}) {
    if (const char* value = std::getenv(name)) {
      text += fmt::format("{}={}\n", name, value);
    }
  }
  return text;
}

// Stands between the parts of a key; no word of a command line holds it.
constexpr char separator = '\0';

std::string joined(const command_line& words) {
  std::string text;
  for (const auto& word : words) {
    text += word;
    text += separator;
  }
  return text;
}

/// Does a message of the compiler's perhaps quote control sequences, from a name or the source?
bool may_quote_escapes(std::string_view text) {
  constexpr std::array<std::string_view, 8> forms{
      "\033", "\\033", "\\33", "\\e[", "\\x1b", "\\x1B", "\\u001b", "\\u001B"};
  return std::ranges::any_of(
      forms, [&](std::string_view form) { return text.find(form) != std::string_view::npos; });
}

// Colours are for_terminal()'s business: what is cached has them. Where names or texts hold control
// sequences themselves there are none, so that these can be told apart.
command_line diagnostics(compiler_kind kind, bool coloured) {
  command_line flags{coloured ? "-fdiagnostics-color=always" : "-fdiagnostics-color=never"};
  if (kind == compiler_kind::gcc) {
    flags.emplace_back("-fdiagnostics-urls=never");
  }
  return flags;
}

// %:include "x"
bool has_digraph_directive(std::string_view text) {
  for (auto at = text.find("%:"); at != std::string_view::npos; at = text.find("%:", at + 2)) {
    const auto begin = text.rfind('\n', at) + 1; // 0 where there is none
    if (text.substr(begin, at - begin).find_first_not_of(" \t") == std::string_view::npos) {
      return true;
    }
  }
  return false;
}

/// Do a source, or files of its folder, push macros? (Libraries do so for themselves.) `inputs`:
/// all files.
bool pushes_macros_itself(const std::string& source, const std::vector<std::string>& inputs) {
  const auto folder = fs::path(source).parent_path().string();
  return std::ranges::any_of(inputs, [&](const std::string& file) {
    return fs::path(file).parent_path().string() == folder &&
           pushes_macros(read_file(file).value_or(""));
  });
}

/// g++ before 13 wants even skipped text to hold whole literals when it leaves macros alone:
/// `#if 0`, `don't`. Then the macros are expanded, and columns behind them are the expansion's. And
/// it leaves directives alone that begin with a digraph, and of macros that are pushed and popped
/// nothing but their definitions.
bool wants_macros_expanded(const process_result& left_alone,
                           std::string_view text,
                           const std::string& source,
                           const std::vector<std::string>& inputs) {
  return left_alone.status != 0
             ? left_alone.output.find("unterminated") != std::string::npos
             : has_digraph_directive(text) || pushes_macros_itself(source, inputs);
}

std::string progress_text(const std::vector<std::string>& sources) {
  return "tilesim: compiling " + (sources.size() == 1 ? fs::path(sources[0]).filename().string()
                                                      : fmt::format("{} files", sources.size()));
}

} // namespace

builder::builder(build_request request, bool verbose)
    : request_(std::move(request))
    , verbose_(verbose)
    , cache_(cache::open())
    , install_(find_installation())
    , compiler_(find_compiler(cache_))
    , libraries_(find_libraries())
    , progress_(progress_text(request_.sources)) {
  check_sources();
  for (const auto& note : request_.notes) {
    sim::print_error("tilesim: note: {}\n", sim::printable(note));
  }
}

void builder::check_sources() {
  for (const auto& source : request_.sources) {
    std::error_code error;
    const auto status = fs::status(source, error);
    if (!fs::exists(status)) {
      throw failure(exit_usage,
                    fmt::format("{}: no such file; paths are relative to {}",
                                source,
                                fs::current_path(error).string()));
    }
    if (!fs::is_regular_file(status)) {
      throw failure(
          exit_usage,
          fmt::format("{}: {}; name a source file",
                      source,
                      fs::is_directory(status) ? "is a folder" : "is not a regular file"));
    }
    if (source.ends_with(".py")) {
      throw failure(exit_usage,
                    fmt::format("{}: nothing is compiled of a program in Python; run, check, step, "
                                "trace, dap, explore and diff take one",
                                source));
    }
    const auto text = read_file(source);
    if (!text) {
      throw failure(exit_usage, fmt::format("{}: cannot be read; check its permissions", source));
    }
    if (text->find('\0') != std::string::npos) {
      throw failure(
          exit_usage,
          fmt::format("{}: is no source file (it holds zero bytes); name its .cu file, or "
                      "start a program that was built before by itself",
                      source));
    }
    coloured_ = coloured_ && !may_quote_escapes(source) && !may_quote_escapes(*text);
  }
}

std::string builder::key(const std::string& what) const {
  const auto& r = request_;
  std::string text = what + separator + install_.build_id + separator + install_.api_folder +
                     separator + compiler_.identity + separator + environment() + separator +
                     libraries_.value_or("") + separator + fs::current_path().string() + separator +
                     r.arch_list + separator + (r.hooks ? "hooks" : "") + separator;
  text += joined(r.preprocess) + separator + joined(r.compile);
  return text;
}

namespace {

/// As nvcc names C++ sources that hold no device code. What has some is taken as a .cu file is.
bool is_of_host_alone(const std::string& source) {
  const std::string extension = fs::path(source).extension();
  if (extension != ".cpp" && extension != ".cc" && extension != ".cxx" && extension != ".C") {
    return false;
  }
  const std::string text = read_file(source).value_or("");
  return text.find("<<<") == std::string::npos && text.find("__global__") == std::string::npos &&
         text.find("__tile_") == std::string::npos && text.find("__device__") == std::string::npos;
}

command_line architecture_macros(const build_request& request) {
  command_line macros{"-D__CUDA_ARCH_LIST__=" + request.arch_list,
                      fmt::format("-D{}={}", device_arch_macro, request.arch_list)};
  // What C++20 has added to the global names, and programs of C++17 have of their own.
  if (!request.has_standard) {
    macros.emplace_back("-DTILESIM_NAMES_OF_CXX17=1");
  }
  return macros;
}

} // namespace

// As nvcc looks for its own libraries: behind every folder that the program names, before the
// system's.
command_line builder::library_folder() const {
  return libraries_ ? command_line{"-isystem", *libraries_} : command_line{};
}

command_line builder::preprocess_command(const std::string& source,
                                         const std::string& to,
                                         const std::string& dependencies,
                                         bool expand_macros) const {
  auto command = compiler_.command;
  const bool gcc = compiler_.kind == compiler_kind::gcc;
  append(command, {"-x", "c++", "-E"});
  if (!gcc) {
    append(command, {"-frewrite-includes", "-w"});
  } else {
    command.emplace_back(expand_macros ? "-DTILESIM_KEEP_SPECIFIERS=1" : "-fdirectives-only");
  }
  if (!request_.has_standard) {
    command.emplace_back("-std=c++20");
  }
  append(command, diagnostics(compiler_.kind, coloured_));
  if (!request_.has_optimisation) {
    command.emplace_back("-O2");
  }
  append(command, request_.compile);
  if (request_.hooks) {
    append(command, {"-U_FORTIFY_SOURCE", "-DTILESIM_HOOKED=1"});
  }
  append(command, predefined_macros());
  append(command, architecture_macros(request_));
  append(command, {"-I", install_.api_folder});
  append(command, request_.preprocess);
  append(command, library_folder());
  if (!is_of_host_alone(source)) {
    append(command, {"-include", "cuda_runtime.h"});
  }
  append(command, {"-MD", "-MF", dependencies, "-MT", "x", source, "-o", to});
  return command;
}

command_line builder::compile_command(const std::string& from,
                                      const std::string& to,
                                      const text_step& step,
                                      product made) const {
  auto command = compiler_.command;
  if (compiler_.kind == compiler_kind::gcc) {
    command.emplace_back("-fpreprocessed");
    if (!step.macros_expanded) {
      command.emplace_back("-fdirectives-only");
    }
  } else { // preprocesses once more, includes excepted
    append(command, predefined_macros());
    append(command, architecture_macros(request_));
    append(command, {"-I", install_.api_folder});
    const auto& words = request_.preprocess;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] == "-include" || words[i] == "-imacros") {
        ++i; // it is in the text by now
      } else if (!words[i].starts_with("-include") && !words[i].starts_with("-imacros")) {
        command.push_back(words[i]);
      }
    }
    append(command, library_folder());
    if (request_.hooks) {
      append(command, {"-U_FORTIFY_SOURCE", "-DTILESIM_HOOKED=1"});
    }
  }
  append(command, {"-x", "c++", made == product::object ? "-c" : "-S"});
  if (!request_.has_standard) {
    command.emplace_back("-std=c++20");
  }
  append(command, diagnostics(compiler_.kind, coloured_));
  if (!request_.has_optimisation) {
    command.emplace_back("-O2");
  }
  append(command, code_flags(compiler_.kind));
  append(command, long_body_flags(compiler_.kind, step.longest_body));
  if (made != product::object) {
    append(command, two_versions_flags(compiler_.kind));
  }
  if (request_.hooks && made != product::plain_text) {
    append(command, hook_flags(compiler_.kind, request_.compile));
  }
  append(command, request_.compile);
  if (step.permissive) {
    command.emplace_back("-fpermissive");
  }
  if (made == product::plain_text) {
    append(command,
           {"-w",
            compiler_.kind == compiler_kind::gcc
                ? "-g1"
                : "-gline-tables-only"}); // the rest has been said, and stands beside the other
                                          // version
  }
  append(command, {from, "-o", to});
  return command;
}

bool builder::makes_two_versions() const {
#if defined(__x86_64__)
  return request_.hooks && std::ranges::none_of(request_.compile, [](const std::string& word) {
           return word.starts_with("-flto") || word.starts_with("-fsanitize") ||
                  word.starts_with("-m");
         });
#else
  return false; // host_versions.cpp writes x86-64
#endif
}

process_result
builder::compile(const std::string& text, const std::string& to, const text_step& step) {
  return makes_two_versions() ? compile_two_versions(text, to, step)
                              : run(compile_command(text, to, step, product::object));
}

process_result builder::compile_two_versions(const std::string& text,
                                             const std::string& to,
                                             const text_step& step) {
  const temporary_file hooked(cache_, ".s");
  const auto with_names =
      compiler_.kind == compiler_kind::clang ? with_functions_named(step.text) : std::string();
  if (!with_names.empty()) {
    write_file(text, with_names);
  }
  auto result = run(compile_command(text, hooked.path, step, product::hooked_text));
  if (result.status != 0 && !with_names.empty()) {
    write_file(text, step.text); // in case that there may be no directive where one was put
    result = run(compile_command(text, hooked.path, step, product::hooked_text));
  }
  if (result.status != 0) {
    return result;
  }
  const auto assemble = [&](const std::string& from) {
    auto command = compiler_.command;
    append(command, {"-x", "assembler", "-c", from, "-o", to});
    return run(command);
  };
  const auto with_hooks = without_needs_of_unused(read_file(hooked.path).value_or(""));
  if (wants_plain_versions(with_hooks)) {
    const temporary_file plain(cache_, ".s");
    const temporary_file both(cache_, ".s");
    if (run(compile_command(text, plain.path, step, product::plain_text)).status == 0) {
      const auto versions = with_plain_versions(with_hooks, read_file(plain.path).value_or(""));
      write_file(both.path, with_looks_before_hooks(versions));
      if (assemble(both.path).status == 0) {
        return result;
      }
    }
  }
  write_file(hooked.path, with_looks_before_hooks(with_hooks));
  if (auto assembled = assemble(hooked.path); assembled.status != 0) {
    return assembled;
  }
  return result;
}

process_result builder::run(const command_line& command) {
  if (verbose_) {
    progress_.erase();
    sim::print_error("{}\n", to_string(command));
  }
  auto words = command;
  // What begins with @ would be a file of further words to the compiler.
  for (auto& word : words) {
    if (word.starts_with('@')) {
      word.insert(0, "./");
    }
  }
  auto result = run_process(words, [this] { progress_.tick(); });
  if (const auto why = result.status != 0 ? what_is_missing(result.output) : std::nullopt) {
    progress_.erase();
    throw failure(exit_unavailable,
                  fmt::format("the compiler fails for want of room or memory: {}; look at the "
                              "folders '{}' and '{}' (TMPDIR), and at 'ulimit -a'",
                              *why,
                              cache_.folder(),
                              fs::temp_directory_path().string()));
  }
  if (!coloured_) {
    result.output = sim::printable_text(result.output);
  }
  return result;
}

void builder::show(const std::string& output) {
  progress_.erase();
  sim::write_error(for_terminal(output));
}

builder::text_step builder::preprocess(const std::string& source) {
  const temporary_file text(cache_, ".ii");
  const temporary_file dependencies(cache_, ".d");
  text_step step;
  device_sources from(source, request_.preprocess, {install_.api_folder, cache_.folder()});
  const auto inputs = [&] { return parse_dependencies(read_file(dependencies.path).value_or("")); };
  const auto command_to = [&](bool expand_macros) {
    auto command = preprocess_command(source, text.path, dependencies.path, expand_macros);
    from.replace(command);
    return command;
  };
  command_line plain = command_to(false);
  auto result = run(plain);
  while (result.status == 0 && from.read(inputs())) {
    plain = command_to(false);
    result = run(plain);
  }
  auto preprocessed = from.with_own_lines(read_file(text.path).value_or(""));
  if (compiler_.kind == compiler_kind::gcc &&
      wants_macros_expanded(result, preprocessed, source, from.named(inputs()))) {
    auto again = run(command_to(true));
    step.macros_expanded = again.status == 0;
    if (step.macros_expanded) {
      result = again;
      preprocessed = from.with_own_lines(read_file(text.path).value_or(""));
    }
  }
  if (result.status != 0) {
    throw printed_failure(exit_input,
                          libraries_ ? result.output : with_library_told(result.output));
  }
  step.output = result.output;
  if (std::ranges::find(request_.compile, "-w") == request_.compile.end()) {
    step.output += from.notes();
  }
  step.inputs = from.named(inputs());
  step.absent = absent_headers(
      step.inputs,
      include_folders(
          source, preprocess_command(source, text.path, dependencies.path, step.macros_expanded)));
  rewrite_options options;
  options.pedantic = request_.pedantic;
  options.lenient = compiler_.kind == compiler_kind::clang;
  options.erase_specifiers = step.macros_expanded;
  options.system_folder = install_.api_folder + '/';
  if (compiler_.kind == compiler_kind::gcc && !step.macros_expanded) {
    preprocessed = with_letters_defined(preprocessed);
  }
  auto rewritten = rewrite_launches(preprocessed, options);
  for (const auto& error : rewritten.errors) {
    step.output += error + '\n';
  }
  if (!rewritten.errors.empty()) {
    throw printed_failure(exit_input, step.output);
  }
  step.longest_body = rewritten.longest_body;
  step.text = std::move(rewritten.text);
  return step;
}

std::string builder::rewritten_text(const std::string& source) {
  auto step = preprocess(source);
  show(step.output);
  return std::move(step.text);
}

cached_result builder::object(const std::string& source) {
  const auto started = std::chrono::system_clock::now();
  const auto object_key =
      hash_bytes(key("object") + source + separator + read_file(source).value_or(""));
  if (auto found = cache_.find(object_key)) {
    return std::move(*found);
  }
  auto step = preprocess(source);
  const temporary_file text(cache_, ".cpp");
  const temporary_file made(cache_, ".o");
  write_file(text.path, step.text);
  auto result = compile(text.path, made.path, step);
  if (result.status != 0 && has_only_changed_meanings(result.output)) {
    step.permissive = true;
    result = compile(text.path, made.path, step);
    result.output = without_changed_meanings(result.output);
  }
  replace_all(result.output, text.path, source);
  cached_result object{
      made.path, step.output + result.output, std::move(step.inputs), std::move(step.absent)};
  if (result.status != 0) {
    throw printed_failure(exit_input,
                          verbose_ ? object.output : with_operands_explained(object.output));
  }
  if (request_.hooks) {
    rename_hooks(made.path);
  }
  object.file = cache_.store(object_key, object, ".o", started);
  return object;
}

void builder::rename_hooks(const std::string& object) {
  const temporary_file names(cache_, ".syms");
  write_file(names.path, hook_renames(compiler_.kind));
  const auto result =
      run({find_binary_tool(compiler_, "objcopy"), "--redefine-syms=" + names.path, object});
  if (result.status != 0) {
    throw failure(exit_internal, "objcopy fails: " + result.output);
  }
}

// Two at a time; what they say is shown in the order of the sources.
std::vector<cached_result> builder::objects() {
  std::vector<cached_result> made;
  constexpr std::size_t jobs = 2;
  int code = 0;
  for (std::size_t first = 0; first < request_.sources.size(); first += jobs) {
    const auto end = std::min(first + jobs, request_.sources.size());
    std::vector<std::future<cached_result>> running;
    for (auto i = first + 1; i < end; ++i) {
      running.push_back(
          std::async(std::launch::async, [this, i] { return object(request_.sources[i]); }));
    }
    const auto collect = [&](auto&& get) {
      try {
        made.push_back(get());
        show(made.back().output);
      } catch (const printed_failure& f) {
        show(f.what());
        code = f.code();
      }
    };
    collect([&] { return object(request_.sources[first]); });
    for (auto& r : running) {
      collect([&] { return r.get(); });
    }
  }
  progress_.erase();
  if (code != 0) {
    throw printed_failure(code, "");
  }
  return made;
}

std::string builder::program() {
  const auto started = std::chrono::system_clock::now();
  auto text = key("program") + install_.library_folder + separator + joined(request_.link);
  for (const auto& source : request_.sources) {
    text += separator + source + separator + read_file(source).value_or("");
  }
  const auto program_key = hash_bytes(text);
  if (auto found = cache_.find(program_key)) {
    show(found->output);
    return found->file;
  }
  auto file = link(program_key, objects(), started);
  progress_.erase();
  return file;
}

} // namespace tilesim::tools
