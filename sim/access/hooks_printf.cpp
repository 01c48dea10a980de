// The printf family, as hooked programs call it: the strings that a format reads, and what is
// written.
//
// As in hooks_libc.cpp: the ranges are told first, then libc's function is called.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/access/format_strings.hpp"
#include "sim/access/hooks.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/thread.hpp"
#include "sim/process/call_site.hpp"

#include <tilesim/detail/machine.hpp>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cwchar>

// NOLINTBEGIN(bugprone-reserved-identifier): the names are libc's.

namespace {

using tilesim::sim::access_kind;
using tilesim::sim::format_access;
using tilesim::sim::hooks_judge_ranges;
using tilesim::sim::range_access;

/// Tells what printing by `format` reads, and what `%n` writes.
void tell_arguments(const char* format, va_list arguments, const void* site) {
  if (!hooks_judge_ranges()) {
    return;
  }
  range_access({format, 1}, access_kind::read, site);
  for (const format_access& a : tilesim::sim::accesses_of_format(format, arguments)) {
    if (a.most == 0) {
      continue; // nothing of the string is printed
    }
    const access_kind kind = a.writes ? access_kind::write : access_kind::read;
    range_access({a.address, a.unit, true}, kind, site); // before anybody looks for the end
    range_access({a.address, a.bytes(), true}, kind, site);
  }
}

/// How long the text becomes.
std::size_t length_of(const char* format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  const int n = std::vsnprintf(nullptr, 0, format, again);
  va_end(again);
  return n < 0 ? 0 : static_cast<std::size_t>(n);
}

int print(std::FILE* to, const char* format, va_list arguments, const void* site) {
  tell_arguments(format, arguments, site);
  return std::vfprintf(to, format, arguments);
}

int print(int to, const char* format, va_list arguments, const void* site) {
  tell_arguments(format, arguments, site);
  return vdprintf(to, format, arguments);
}

int print(char* to, std::size_t room, const char* format, va_list arguments, const void* site) {
  tell_arguments(format, arguments, site);
  if (room > 0 && hooks_judge_ranges()) {
    const std::size_t written = std::min(room, length_of(format, arguments) + 1);
    range_access({to, written}, access_kind::write, site);
  }
  return std::vsnprintf(to, room, format, arguments);
}

int print(char* to, const char* format, va_list arguments, const void* site) {
  tell_arguments(format, arguments, site);
  if (hooks_judge_ranges()) {
    range_access({to, length_of(format, arguments) + 1, true}, access_kind::write, site);
  }
  return std::vsprintf(to, format, arguments);
}

/// What a kernel is given of a text without arguments: their number, as an H200 gives it. Of one
/// that has some, print.hpp counts them.
int as_kernels_count(int characters) {
  const tilesim::sim::sim_thread* const t = tilesim::sim::execution::current();
  return t != nullptr && t->team != nullptr ? std::min(characters, 0) : characters;
}

} // namespace

#define HOOK(name) extern "C" TILESIM_EXPORT int tilesim_hook_##name
/// Calls print() with the arguments behind `format`.
#define WITH_ARGUMENTS(...)                                                                        \
  va_list arguments;                                                                               \
  va_start(arguments, format);                                                                     \
  const int result = print(__VA_ARGS__, format, arguments, TILESIM_SITE);                          \
  va_end(arguments);                                                                               \
  return result

HOOK(printf)(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = print(stdout, format, arguments, TILESIM_SITE);
  va_end(arguments);
  return as_kernels_count(result);
}
// Where there are no hooks: the tool has the linker send the program's calls here
// (tools/build/compiler.cpp).
extern "C" TILESIM_EXPORT int __wrap_printf(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = std::vprintf(format, arguments);
  va_end(arguments);
  return as_kernels_count(result);
}
HOOK(fprintf)(std::FILE* to, const char* format, ...) {
  WITH_ARGUMENTS(to);
}
HOOK(dprintf)(int to, const char* format, ...) {
  WITH_ARGUMENTS(to);
}
HOOK(sprintf)(char* to, const char* format, ...) {
  WITH_ARGUMENTS(to);
}
HOOK(snprintf)(char* to, std::size_t n, const char* format, ...) {
  WITH_ARGUMENTS(to, n);
}
HOOK(vprintf)(const char* format, va_list a) {
  return print(stdout, format, a, TILESIM_SITE);
}
HOOK(vfprintf)(std::FILE* to, const char* format, va_list a) {
  return print(to, format, a, TILESIM_SITE);
}
HOOK(vdprintf)(int to, const char* format, va_list a) {
  return print(to, format, a, TILESIM_SITE);
}
HOOK(vsprintf)(char* to, const char* format, va_list a) {
  return print(to, format, a, TILESIM_SITE);
}
HOOK(vsnprintf)(char* to, std::size_t n, const char* format, va_list a) {
  return print(to, n, format, a, TILESIM_SITE);
}

// The same with _FORTIFY_SOURCE.
HOOK(__printf_chk)(int /*flag*/, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = print(stdout, format, arguments, TILESIM_SITE);
  va_end(arguments);
  return as_kernels_count(result);
}
extern "C" TILESIM_EXPORT int __wrap___printf_chk(int /*flag*/, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = std::vprintf(format, arguments);
  va_end(arguments);
  return as_kernels_count(result);
}
HOOK(__fprintf_chk)(std::FILE* to, int /*flag*/, const char* format, ...) {
  WITH_ARGUMENTS(to);
}
HOOK(__dprintf_chk)(int to, int /*flag*/, const char* format, ...) {
  WITH_ARGUMENTS(to);
}
HOOK(__sprintf_chk)(char* to, int /*flag*/, std::size_t /*room*/, const char* format, ...) {
  WITH_ARGUMENTS(to);
}
HOOK(__snprintf_chk)
(char* to, std::size_t n, int /*f*/, std::size_t /*r*/, const char* format, ...) {
  WITH_ARGUMENTS(to, n);
}
HOOK(__vprintf_chk)(int /*flag*/, const char* format, va_list a) {
  return print(stdout, format, a, TILESIM_SITE);
}
HOOK(__vfprintf_chk)(std::FILE* to, int /*flag*/, const char* format, va_list a) {
  return print(to, format, a, TILESIM_SITE);
}
HOOK(__vdprintf_chk)(int to, int /*flag*/, const char* format, va_list a) {
  return print(to, format, a, TILESIM_SITE);
}
HOOK(__vsprintf_chk)(char* to, int /*flag*/, std::size_t /*room*/, const char* format, va_list a) {
  return print(to, format, a, TILESIM_SITE);
}
HOOK(__vsnprintf_chk)
(char* to, std::size_t n, int /*flag*/, std::size_t /*room*/, const char* format, va_list a) {
  return print(to, n, format, a, TILESIM_SITE);
}
// NOLINTEND(bugprone-reserved-identifier)
