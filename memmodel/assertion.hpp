// Assertions that stay on: what holds if tilesim has no bug, wherever that costs next to nothing.
//
// One that fails ends the process with exit code 70 (the commands' and the programs' tables: "a bug
// of tilesim's"), telling the condition, the values, what runs, and to report it.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <unistd.h>

/// TILESIM_ASSERT(choice <= offered, choice, offered): the condition, and the numbers to tell.
/// Evaluated always; conditions have no effects.
#define TILESIM_ASSERT(condition, ...)                                                             \
  do {                                                                                             \
    if (!(condition)) [[unlikely]] {                                                               \
      ::tilesim::assertions::failed(#condition,                                                    \
                                    {__FILE__, __LINE__},                                          \
                                    #__VA_ARGS__,                                                  \
                                    ::tilesim::assertions::as_numbers(__VA_ARGS__));               \
    }                                                                                              \
  } while (false)

namespace tilesim::assertions {

inline constexpr int exit_code = 70;

/// Prints a line about what the process is at. Set by whoever knows.
inline void (*tell_what_runs)(std::FILE* to) = nullptr;

struct place {
  const char* file;
  int line;
};

template <class... T>
std::array<long long, sizeof...(T)> as_numbers(T... value) {
  return {static_cast<long long>(value)...};
}

[[noreturn, gnu::cold, gnu::noinline]] inline void failed_with(const char* condition,
                                                               place at,
                                                               const char* names,
                                                               const long long* values,
                                                               std::size_t count) {
  static bool failing = false; // while what runs is told
  const char* const name = std::strrchr(at.file, '/');
  std::fflush(nullptr);
  std::fprintf(stderr,
               "tilesim: internal error: %s does not hold (%s:%d)",
               condition,
               name != nullptr ? name + 1 : at.file,
               at.line);
  for (std::size_t i = 0; i < count; ++i) {
    if (i == 0) {
      std::fprintf(stderr, ": %s = ", names);
    }
    std::fprintf(stderr, i == 0 ? "%lld" : ", %lld", values[i]);
  }
  std::fputc('\n', stderr);
  if (tell_what_runs != nullptr && !failing) {
    failing = true;
    tell_what_runs(stderr);
  }
  std::fputs("  this is a bug of tilesim's, not of the program: please report it with these lines, "
             "the program and the command\n",
             stderr);
  std::fflush(nullptr);
  _exit(exit_code);
}

template <std::size_t N>
[[noreturn, gnu::cold, gnu::noinline]] void
failed(const char* condition, place at, const char* names, const std::array<long long, N>& values) {
  failed_with(condition, at, names, values.data(), N);
}

} // namespace tilesim::assertions
