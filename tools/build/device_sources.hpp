// The files that are compiled in place of a program's own where these ask for the architecture:
// device_text.hpp says which text they are given.
//
// A file's place lies in a temporary folder at its path, so that what includes another one beside
// it by quotes finds that one's. What is not there is looked for where it has always been.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/build/device_text.hpp"
#include "tools/cli/files.hpp"
#include "tools/cli/process.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tilesim::tools {

class device_sources {
public:
  /// `words` are the preprocessor's; in `others` lie headers that are not the program's own.
  device_sources(std::string source,
                 const std::vector<std::string>& words,
                 std::vector<std::string> others);
  ~device_sources();
  device_sources(const device_sources&) = delete;
  device_sources& operator=(const device_sources&) = delete;

  /// The files that a preprocessor has read, as it names them. True: some of them have to be other
  /// ones, and it has to read them again.
  [[nodiscard]] bool read(const std::vector<std::string>& inputs);
  /// The files in place of the program's.
  void replace(command_line& command) const;
  /// What it has read, by the names that the files have for the program.
  [[nodiscard]] std::vector<std::string> named(std::vector<std::string> inputs) const;
  /// A preprocessor's output whose linemarkers name the program's files and their lines, also where
  /// it has not followed the #line directives (clang's, which leaves conditions in the text).
  [[nodiscard]] std::string with_own_lines(std::string preprocessed) const;
  /// Conditions that are answered for the host where a device comes by, one line each.
  [[nodiscard]] std::string notes() const;

private:
  struct file;

  [[nodiscard]] bool is_of_program(const std::string& path) const;
  bool add(const std::string& path);
  [[nodiscard]] bool is_replaced(const std::string& path) const;
  void write();
  [[nodiscard]] std::string place_of(const std::string& path) const;

  std::string source_;
  std::vector<std::string> apart_;
  std::optional<temporary_folder> folder_;
  std::map<std::string, std::unique_ptr<file>> files_; ///< by absolute path
  device_macros macros_;
  uses_by_name uses_;
  bool replaces_ = false;
  std::size_t read_ = 0; ///< how often
};

} // namespace tilesim::tools
