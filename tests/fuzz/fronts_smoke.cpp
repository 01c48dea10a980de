// fuzz_smoke FRONT FOLDER COUNT [SEED]: changes the texts of a folder, COUNT times in all, and
// reads what comes out; the same on every machine, and without a fuzzer.
//
// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fronts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>
#include <vector>

namespace {

std::string last; // what ended the run is printed, for the corpus

void show_last(int signal) {
  constexpr std::string_view before = "\nthe input that ended the run:\n";
  (void)!write(STDERR_FILENO, before.data(), before.size());
  (void)!write(STDERR_FILENO, last.data(), std::min<std::size_t>(last.size(), 4000));
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

std::vector<std::string> texts_below(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) {
      files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  std::vector<std::string> texts;
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return texts;
}

} // namespace

int main(int argc, char** argv) {
  const auto* front = argc > 1 ? tilesim::fuzz::front_named(argv[1]) : nullptr;
  if (argc < 4 || argc > 5 || front == nullptr) {
    std::string names;
    for (const auto& f : tilesim::fuzz::fronts()) {
      names += fmt::format(" {}", f.name);
    }
    fmt::print(stderr, "usage: fuzz_smoke FRONT FOLDER COUNT [SEED]; fronts:{}\n", names);
    return 64;
  }
  const auto corpus = texts_below(argv[2]);
  if (corpus.empty()) {
    fmt::print(stderr, "error: there is no file below {}\n", argv[2]);
    return 1;
  }
  for (const int signal : {SIGABRT, SIGSEGV}) {
    std::signal(signal, show_last);
  }
  const auto count = static_cast<std::uint32_t>(std::strtoul(argv[3], nullptr, 10));
  const auto seed = static_cast<std::uint32_t>(argc > 4 ? std::strtoul(argv[4], nullptr, 10) : 1);
  std::uint32_t read = 0;
  for (const auto& text : corpus) {
    last = text;
    read += front->judge(last) ? 1U : 0U;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    // Every third time from where the last change led, so that changes add up.
    constexpr std::size_t longest = 4000;
    const bool goes_on = i % 3 == 2 && last.size() < longest;
    const std::string from = goes_on ? last : corpus[i % corpus.size()];
    last = tilesim::fuzz::change(*front, from, seed * 1'000'000'007U + i);
    read += front->judge(last) ? 1U : 0U;
  }
  fmt::print("{} inputs, {} of them read\n", count + corpus.size(), read);
  // Changes that no reader takes, or that every one takes, would test little.
  return read > count / 500 && read < count ? 0 : 1;
}
