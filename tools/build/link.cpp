// Objects become a program.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/compile.hpp"
#include "tools/build/dependencies.hpp"
#include "tools/build/link_errors.hpp"
#include "tools/build/own_variables.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

namespace tilesim::tools {

namespace {

/// What the library has been built with; empty: without any.
constexpr std::string_view sanitizers() noexcept {
  return TILESIM_SANITIZE;
}

} // namespace

void append(command_line& to, const command_line& more) {
  to.insert(to.end(), more.begin(), more.end());
}

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
}

std::string builder::link(const std::string& program_key,
                          const std::vector<cached_result>& objects,
                          std::chrono::system_clock::time_point started) {
  const temporary_file made(cache_, ".exe");
  const temporary_file dependencies(cache_, ".d");
  auto command = compiler_.command;
  cached_result program;
  program.file = made.path;
  for (const auto& object : objects) {
    command.push_back(object.file);
    program.output += object.output;
    program.inputs.insert(program.inputs.end(), object.inputs.begin(), object.inputs.end());
    program.absent.insert(program.absent.end(), object.absent.begin(), object.absent.end());
  }
  append(command, wrapped_calls());
  append(command, request_.link);
  append(command,
         {"-L" + install_.library_folder, "-ltilesim", "-Wl,-rpath," + install_.library_folder});
  // A library that was built with a sanitizer needs the sanitizer's runtime in the program.
  if (!sanitizers().empty()) {
    command.push_back(fmt::format("-fsanitize={}", sanitizers()));
  }
  // What the user's own libraries resolve to, the linker knows best.
  if (!request_.link.empty()) {
    command.push_back("-Wl,--dependency-file=" + dependencies.path);
  }
  append(command, {"-o", made.path});
  const bool is_relocatable =
      std::ranges::find(request_.preprocess, relocatable_macro) != request_.preprocess.end();
  auto result = objects.size() > 1 && !is_relocatable
                    ? link_with_own_variables(command, objects, program.inputs)
                    : run(command);
  if (result.status != 0) {
    for (std::size_t i = 0; i < objects.size(); ++i) {
      replace_all(result.output, objects[i].file, request_.sources[i]);
    }
    if (is_relocatable) {
      result.output = with_sharing_explained(
          result.output, defined_by_several_sources(result.output, program.inputs));
    }
    throw printed_failure(exit_input, with_missing_explained(result.output, request_.sources));
  }
  show(result.output);
  program.output += result.output;
  if (!request_.link.empty()) {
    for (auto& input : parse_dependencies(read_file(dependencies.path).value_or(""))) {
      if (!input.starts_with(cache_.folder())) {
        program.inputs.push_back(std::move(input));
      }
    }
  }
  for (auto* files : {&program.inputs, &program.absent}) { // several sources have many in common
    std::ranges::sort(*files);
    files->erase(std::unique(files->begin(), files->end()), files->end());
  }
  return cache_.store(program_key, program, ".exe", started);
}

// Each object gets symbols of its own for what nvcc makes each source's own.
process_result builder::link_with_own_variables(const command_line& command,
                                                const std::vector<cached_result>& objects,
                                                const std::vector<std::string>& inputs) {
  std::vector<merged_symbols> symbols;
  symbols.reserve(objects.size());
  const std::string nm = find_binary_tool(compiler_, "nm");
  for (const auto& object : objects) {
    symbols.push_back(listed_symbols(run({nm, "-P", object.file}).output));
  }
  const auto renamed = own_merged_symbols(symbols, inputs);
  auto result = run(command);
  std::vector<std::string> localized;
  if (result.status != 0) {
    auto asked = command;
    asked.emplace_back("-Wl,--no-demangle");
    localized = defined_by_several_sources(run(asked).output, inputs);
  }
  if (localized.empty() && renamed.empty()) {
    return result;
  }
  const auto functions = merged_functions(symbols);
  auto all = renamed;
  all.insert(all.end(), functions.begin(), functions.end());
  return link_renamed(command, objects, localized, all).value_or(result);
}

// A symbol that linkers take one of keeps its section's group, which goes by its name: so it gets
// another name, and is not made local.
std::optional<process_result> builder::link_renamed(const command_line& command,
                                                    const std::vector<cached_result>& objects,
                                                    const std::vector<std::string>& localized,
                                                    const std::vector<std::string>& renamed) {
  auto changed = command;
  std::vector<std::unique_ptr<temporary_file>> copies;
  for (const auto& object : objects) {
    const temporary_file names(cache_, ".syms");
    std::string lines;
    for (const auto& name : renamed) {
      lines += fmt::format("{} {}.own{}\n", name, name, copies.size());
    }
    write_file(names.path, lines);
    copies.push_back(std::make_unique<temporary_file>(cache_, ".o"));
    command_line copy{find_binary_tool(compiler_, "objcopy"), "--redefine-syms=" + names.path};
    for (const auto& name : localized) {
      copy.push_back("--localize-symbol=" + name);
    }
    append(copy, {object.file, copies.back()->path});
    if (run(copy).status != 0) {
      return std::nullopt;
    }
    std::ranges::replace(changed, object.file, copies.back()->path);
  }
  return run(changed);
}

} // namespace tilesim::tools
