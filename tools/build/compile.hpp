// From sources to objects to a program: the pipeline behind `run` and `build`.
//
//   FILE.cu --preprocess--> text --rewrite launches--> text --compile--> object --link--> program
//
// Every result is cached; the steps run only for what has changed.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/build/cache.hpp"
#include "tools/build/compiler.hpp"
#include "tools/build/install.hpp"
#include "tools/cli/flags.hpp"
#include "tools/cli/terminal.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace tilesim::tools {

class builder {
public:
  builder(build_request request, bool verbose);

  /// The program, linked: a file in the cache. Throws printed_failure when a source is at fault.
  [[nodiscard]] std::string program();
  /// One object per source, in their order: files in the cache.
  [[nodiscard]] std::vector<cached_result> objects();
  /// A source as the compiler gets to see it, launches rewritten.
  [[nodiscard]] std::string rewritten_text(const std::string& source);

private:
  struct text_step {
    std::string text;   ///< with launches rewritten
    std::string output; ///< what the preprocessor said
    std::vector<std::string> inputs;
    std::vector<std::string> absent; ///< headers that would be read if they were there
    bool macros_expanded = false;
    bool permissive = false;      ///< names may change their meaning: library_errors.hpp
    std::size_t longest_body = 0; ///< as tools/rewrite/body_length.hpp counts it
  };

  void check_sources();
  [[nodiscard]] std::string key(const std::string& what) const;
  [[nodiscard]] command_line library_folder() const;
  [[nodiscard]] command_line preprocess_command(const std::string& source,
                                                const std::string& to,
                                                const std::string& dependencies,
                                                bool expand_macros) const;
  /// What is made of a text: an object, or one half of a hooked one as assembly text.
  enum class product : unsigned char { object, hooked_text, plain_text };

  [[nodiscard]] command_line compile_command(const std::string& from,
                                             const std::string& to,
                                             const text_step& step,
                                             product made) const;
  /// The object of a text in a file; what the compiler said.
  [[nodiscard]] process_result
  compile(const std::string& text, const std::string& to, const text_step& step);
  [[nodiscard]] process_result
  compile_two_versions(const std::string& text, const std::string& to, const text_step& step);
  [[nodiscard]] bool makes_two_versions() const;
  [[nodiscard]] text_step preprocess(const std::string& source);
  [[nodiscard]] cached_result object(const std::string& source);
  void rename_hooks(const std::string& object);
  [[nodiscard]] std::string link(const std::string& program_key,
                                 const std::vector<cached_result>& objects,
                                 std::chrono::system_clock::time_point started);
  [[nodiscard]] process_result link_with_own_variables(const command_line& command,
                                                       const std::vector<cached_result>& objects,
                                                       const std::vector<std::string>& inputs);
  [[nodiscard]] std::optional<process_result>
  link_renamed(const command_line& command,
               const std::vector<cached_result>& objects,
               const std::vector<std::string>& localized,
               const std::vector<std::string>& renamed);
  process_result run(const command_line& command);
  void show(const std::string& output);

  build_request request_;
  bool verbose_;
  bool coloured_ = true; ///< what the compiler says
  cache cache_;
  installation install_;
  compiler compiler_;
  std::optional<std::string> libraries_; ///< the folder of NVIDIA's C++ libraries
  progress progress_;
};

void append(command_line& to, const command_line& more);
/// In a compiler's messages: a temporary file by the name that the user knows.
void replace_all(std::string& text, const std::string& what, const std::string& by);

} // namespace tilesim::tools
