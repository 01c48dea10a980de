// libc's functions on memory and strings, and input and output, as hooked programs call them.
//
// The compiler's hooks see nothing inside libc, so the tool renames these in hooked objects, too
// (tools/build/hook_symbols.def). Each checks the ranges that it is about to touch and then calls
// libc.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/access/hooks.hpp"
#include "sim/process/call_site.hpp"

#include <tilesim/detail/machine.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <istream>
#include <ostream>
#include <strings.h>
#include <unistd.h>

// NOLINTBEGIN(bugprone-reserved-identifier): the names are libc's.

namespace {

using tilesim::sim::access_kind;
using tilesim::sim::hooks_judge_ranges;
using tilesim::sim::range_access;

// Of a call's several ranges, those behind the first are `_too`: what a raw access is to read lies
// there until the call is over.

// A string is read up to its end; its first byte is checked before libc looks for that. Gives its
// length, where anybody wants to know what is read.
std::size_t read_string(const char* s, std::size_t most, const void* site, bool same_call) {
  if (most == 0 || !hooks_judge_ranges()) {
    return 0;
  }
  range_access({s, 1, same_call}, access_kind::read, site);
  const std::size_t length = strnlen(s, most);
  range_access({s, std::min(length, most - 1) + 1, same_call}, access_kind::read, site);
  return length;
}
std::size_t read_string(const char* s, std::size_t most, const void* site) {
  return read_string(s, most, site, false);
}
std::size_t read_string_too(const char* s, std::size_t most, const void* site) {
  return read_string(s, most, site, true);
}
constexpr std::size_t endless = static_cast<std::size_t>(-1);
std::size_t read_string(const char* s, const void* site) {
  return read_string(s, endless, site, false);
}
std::size_t read_string_too(const char* s, const void* site) {
  return read_string(s, endless, site, true);
}

void read(const void* p, std::size_t n, const void* site) {
  range_access({p, n}, access_kind::read, site);
}
void read_too(const void* p, std::size_t n, const void* site) {
  range_access({p, n, true}, access_kind::read, site);
}
void write(const void* p, std::size_t n, const void* site) {
  range_access({p, n}, access_kind::write, site);
}
void write_too(const void* p, std::size_t n, const void* site) {
  range_access({p, n, true}, access_kind::write, site);
}

} // namespace

#define HOOK(result, name) extern "C" TILESIM_EXPORT result tilesim_hook_##name

// clang-format off: a function a line
HOOK(void*, memcpy)(void* to, const void* from, std::size_t n) {
  read(from, n, TILESIM_SITE);
  write_too(to, n, TILESIM_SITE);
  return std::memcpy(to, from, n);
}
HOOK(void*, __tsan_memcpy)(void* to, const void* from, std::size_t n) {
  read(from, n, TILESIM_SITE);
  write_too(to, n, TILESIM_SITE);
  return std::memcpy(to, from, n);
}
HOOK(void*, __memcpy_chk)(void* to, const void* from, std::size_t n, std::size_t /*room*/) {
  read(from, n, TILESIM_SITE);
  write_too(to, n, TILESIM_SITE);
  return std::memcpy(to, from, n);
}
HOOK(void*, memmove)(void* to, const void* from, std::size_t n) {
  read(from, n, TILESIM_SITE);
  write_too(to, n, TILESIM_SITE);
  return std::memmove(to, from, n);
}
HOOK(void*, __tsan_memmove)(void* to, const void* from, std::size_t n) {
  read(from, n, TILESIM_SITE);
  write_too(to, n, TILESIM_SITE);
  return std::memmove(to, from, n);
}
HOOK(void*, __memmove_chk)(void* to, const void* from, std::size_t n, std::size_t /*room*/) {
  read(from, n, TILESIM_SITE);
  write_too(to, n, TILESIM_SITE);
  return std::memmove(to, from, n);
}
HOOK(void*, mempcpy)(void* to, const void* from, std::size_t n) {
  read(from, n, TILESIM_SITE);
  write_too(to, n, TILESIM_SITE);
  return mempcpy(to, from, n);
}
HOOK(void*, __mempcpy_chk)(void* to, const void* from, std::size_t n, std::size_t /*room*/) {
  read(from, n, TILESIM_SITE);
  write_too(to, n, TILESIM_SITE);
  return mempcpy(to, from, n);
}
HOOK(void*, memset)(void* to, int value, std::size_t n) {
  write(to, n, TILESIM_SITE);
  return std::memset(to, value, n);
}
HOOK(void*, __tsan_memset)(void* to, int value, std::size_t n) {
  write(to, n, TILESIM_SITE);
  return std::memset(to, value, n);
}
HOOK(void*, __memset_chk)(void* to, int value, std::size_t n, std::size_t /*room*/) {
  write(to, n, TILESIM_SITE);
  return std::memset(to, value, n);
}
HOOK(void, bzero)(void* to, std::size_t n) {
  write(to, n, TILESIM_SITE);
  std::memset(to, 0, n);
}
HOOK(void, bcopy)(const void* from, void* to, std::size_t n) {
  read(from, n, TILESIM_SITE);
  write_too(to, n, TILESIM_SITE);
  std::memmove(to, from, n);
}
HOOK(void*, memccpy)(void* to, const void* from, int stop, std::size_t n) {
  const void* found = std::memchr(from, stop, n);
  const std::size_t count = found == nullptr
                                ? n
                                : static_cast<std::size_t>(static_cast<const char*>(found) -
                                                           static_cast<const char*>(from)) +
                                      1;
  read(from, count, TILESIM_SITE);
  write_too(to, count, TILESIM_SITE);
  return memccpy(to, from, stop, n);
}
HOOK(int, memcmp)(const void* a, const void* b, std::size_t n) {
  read(a, n, TILESIM_SITE);
  read_too(b, n, TILESIM_SITE);
  return std::memcmp(a, b, n);
}
HOOK(int, bcmp)(const void* a, const void* b, std::size_t n) {
  read(a, n, TILESIM_SITE);
  read_too(b, n, TILESIM_SITE);
  return std::memcmp(a, b, n);
}
HOOK(void*, memchr)(const void* p, int c, std::size_t n) {
  read(p, n, TILESIM_SITE);
  return const_cast<void*>(std::memchr(p, c, n));
}
HOOK(void*, memrchr)(const void* p, int c, std::size_t n) {
  read(p, n, TILESIM_SITE);
  return const_cast<void*>(memrchr(p, c, n));
}
HOOK(void*, rawmemchr)(const void* p, int c) {
  read(p, 1, TILESIM_SITE);
  return const_cast<void*>(rawmemchr(p, c));
}
HOOK(void*, memmem)(const void* p, std::size_t n, const void* what, std::size_t m) {
  read(p, n, TILESIM_SITE);
  read_too(what, m, TILESIM_SITE);
  return memmem(p, n, what, m);
}

HOOK(std::size_t, strlen)(const char* s) {
  read_string(s, TILESIM_SITE);
  return std::strlen(s);
}
HOOK(std::size_t, strnlen)(const char* s, std::size_t n) {
  read_string(s, n, TILESIM_SITE);
  return strnlen(s, n);
}
HOOK(char*, strcpy)(char* to, const char* from) {
  const std::size_t n = read_string(from, TILESIM_SITE) + 1;
  write_too(to, n, TILESIM_SITE);
  return static_cast<char*>(std::memcpy(to, from, n));
}
HOOK(char*, __strcpy_chk)(char* to, const char* from, std::size_t /*room*/) {
  const std::size_t n = read_string(from, TILESIM_SITE) + 1;
  write_too(to, n, TILESIM_SITE);
  return static_cast<char*>(std::memcpy(to, from, n));
}
HOOK(char*, stpcpy)(char* to, const char* from) {
  write_too(to, read_string(from, TILESIM_SITE) + 1, TILESIM_SITE);
  return stpcpy(to, from);
}
HOOK(char*, __stpcpy_chk)(char* to, const char* from, std::size_t /*room*/) {
  write_too(to, read_string(from, TILESIM_SITE) + 1, TILESIM_SITE);
  return stpcpy(to, from);
}
HOOK(char*, strncpy)(char* to, const char* from, std::size_t n) {
  read_string(from, n, TILESIM_SITE);
  write_too(to, n, TILESIM_SITE);
  return std::strncpy(to, from, n);
}
HOOK(char*, __strncpy_chk)(char* to, const char* from, std::size_t n, std::size_t /*room*/) {
  read_string(from, n, TILESIM_SITE);
  write_too(to, n, TILESIM_SITE);
  return std::strncpy(to, from, n);
}
HOOK(char*, stpncpy)(char* to, const char* from, std::size_t n) {
  read_string(from, n, TILESIM_SITE);
  write_too(to, n, TILESIM_SITE);
  return stpncpy(to, from, n);
}
HOOK(char*, __stpncpy_chk)(char* to, const char* from, std::size_t n, std::size_t /*room*/) {
  read_string(from, n, TILESIM_SITE);
  write_too(to, n, TILESIM_SITE);
  return stpncpy(to, from, n);
}
HOOK(char*, strcat)(char* to, const char* from) {
  char* const end = to + read_string(to, TILESIM_SITE);
  const std::size_t n = read_string_too(from, TILESIM_SITE) + 1;
  write_too(end, n, TILESIM_SITE);
  std::memcpy(end, from, n);
  return to;
}
HOOK(char*, __strcat_chk)(char* to, const char* from, std::size_t /*room*/) {
  char* const end = to + read_string(to, TILESIM_SITE);
  const std::size_t n = read_string_too(from, TILESIM_SITE) + 1;
  write_too(end, n, TILESIM_SITE);
  std::memcpy(end, from, n);
  return to;
}
HOOK(char*, strncat)(char* to, const char* from, std::size_t n) {
  const std::size_t m = read_string(to, TILESIM_SITE);
  write_too(to + m, read_string_too(from, n, TILESIM_SITE) + 1, TILESIM_SITE);
  return std::strncat(to, from, n);
}
HOOK(char*, __strncat_chk)(char* to, const char* from, std::size_t n, std::size_t /*room*/) {
  const std::size_t m = read_string(to, TILESIM_SITE);
  write_too(to + m, read_string_too(from, n, TILESIM_SITE) + 1, TILESIM_SITE);
  return std::strncat(to, from, n);
}
HOOK(char*, strdup)(const char* s) {
  read_string(s, TILESIM_SITE);
  return strdup(s);
}
HOOK(char*, strndup)(const char* s, std::size_t n) {
  read_string(s, n, TILESIM_SITE);
  return strndup(s, n);
}
HOOK(int, strcmp)(const char* a, const char* b) {
  read_string(a, TILESIM_SITE);
  read_string_too(b, TILESIM_SITE);
  return std::strcmp(a, b);
}
HOOK(int, strncmp)(const char* a, const char* b, std::size_t n) {
  read_string(a, n, TILESIM_SITE);
  read_string_too(b, n, TILESIM_SITE);
  return std::strncmp(a, b, n);
}
HOOK(int, strcasecmp)(const char* a, const char* b) {
  read_string(a, TILESIM_SITE);
  read_string_too(b, TILESIM_SITE);
  return strcasecmp(a, b);
}
HOOK(int, strncasecmp)(const char* a, const char* b, std::size_t n) {
  read_string(a, n, TILESIM_SITE);
  read_string_too(b, n, TILESIM_SITE);
  return strncasecmp(a, b, n);
}
HOOK(char*, strchr)(const char* s, int c) {
  read_string(s, TILESIM_SITE);
  return const_cast<char*>(std::strchr(s, c));
}
HOOK(char*, strrchr)(const char* s, int c) {
  read_string(s, TILESIM_SITE);
  return const_cast<char*>(std::strrchr(s, c));
}
HOOK(char*, strchrnul)(const char* s, int c) {
  read_string(s, TILESIM_SITE);
  return const_cast<char*>(strchrnul(s, c));
}
HOOK(char*, strstr)(const char* s, const char* what) {
  read_string(s, TILESIM_SITE);
  read_string_too(what, TILESIM_SITE);
  return const_cast<char*>(std::strstr(s, what));
}
HOOK(char*, strpbrk)(const char* s, const char* any) {
  read_string(s, TILESIM_SITE);
  read_string_too(any, TILESIM_SITE);
  return const_cast<char*>(std::strpbrk(s, any));
}
HOOK(std::size_t, strspn)(const char* s, const char* any) {
  read_string(s, TILESIM_SITE);
  read_string_too(any, TILESIM_SITE);
  return std::strspn(s, any);
}
HOOK(std::size_t, strcspn)(const char* s, const char* any) {
  read_string(s, TILESIM_SITE);
  read_string_too(any, TILESIM_SITE);
  return std::strcspn(s, any);
}

HOOK(std::size_t, wcslen)(const wchar_t* s) {
  read(s, sizeof(wchar_t), TILESIM_SITE);
  return std::wcslen(s);
}
HOOK(wchar_t*, wmemcpy)(wchar_t* to, const wchar_t* from, std::size_t n) {
  read(from, n * sizeof(wchar_t), TILESIM_SITE);
  write_too(to, n * sizeof(wchar_t), TILESIM_SITE);
  return std::wmemcpy(to, from, n);
}
HOOK(wchar_t*, wmemmove)(wchar_t* to, const wchar_t* from, std::size_t n) {
  read(from, n * sizeof(wchar_t), TILESIM_SITE);
  write_too(to, n * sizeof(wchar_t), TILESIM_SITE);
  return std::wmemmove(to, from, n);
}
HOOK(wchar_t*, wmemset)(wchar_t* to, wchar_t value, std::size_t n) {
  write(to, n * sizeof(wchar_t), TILESIM_SITE);
  return std::wmemset(to, value, n);
}
HOOK(int, wmemcmp)(const wchar_t* a, const wchar_t* b, std::size_t n) {
  read(a, n * sizeof(wchar_t), TILESIM_SITE);
  read_too(b, n * sizeof(wchar_t), TILESIM_SITE);
  return std::wmemcmp(a, b, n);
}
HOOK(wchar_t*, wmemchr)(const wchar_t* p, wchar_t c, std::size_t n) {
  read(p, n * sizeof(wchar_t), TILESIM_SITE);
  return const_cast<wchar_t*>(std::wmemchr(p, c, n));
}

// Input and output by host code. How much an input function has written is known when it returns.
HOOK(std::size_t, fwrite)(const void* p, std::size_t size, std::size_t n, std::FILE* to) {
  read(p, size * n, TILESIM_SITE);
  return std::fwrite(p, size, n, to);
}
HOOK(std::size_t, fread)(void* p, std::size_t size, std::size_t n, std::FILE* from) {
  const std::size_t got = std::fread(p, size, n, from);
  write(p, size * got, TILESIM_SITE);
  return got;
}
HOOK(int, fputs)(const char* s, std::FILE* to) {
  read_string(s, TILESIM_SITE);
  return std::fputs(s, to);
}
HOOK(int, puts)(const char* s) {
  read_string(s, TILESIM_SITE);
  return std::puts(s);
}
HOOK(ssize_t, write)(int to, const void* p, std::size_t n) {
  read(p, n, TILESIM_SITE);
  return ::write(to, p, n);
}
HOOK(ssize_t, read)(int from, void* p, std::size_t n) {
  const ssize_t got = ::read(from, p, n);
  write(p, got > 0 ? static_cast<std::size_t>(got) : 0, TILESIM_SITE);
  return got;
}
// std::ostream::write and std::istream::read, by their names in libstdc++. (The references that
// they take and return are pointers, as C has them.)
HOOK(std::ostream*, _ZNSo5writeEPKcl)(std::ostream* to, const char* p, std::streamsize n) {
  read(p, static_cast<std::size_t>(std::max<std::streamsize>(n, 0)), TILESIM_SITE);
  return &to->write(p, n);
}
HOOK(std::istream*, _ZNSi4readEPcl)(std::istream* from, char* p, std::streamsize n) {
  std::istream* const same = &from->read(p, n);
  write(p, static_cast<std::size_t>(from->gcount()), TILESIM_SITE);
  return same;
}
// operator<<(std::ostream&, const char*), and what libstdc++ inserts a string's characters by.
HOOK(std::ostream*, _ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc)
(std::ostream* to, const char* s) {
  if (s != nullptr) {
    read_string(s, TILESIM_SITE);
  }
  return &(*to << s);
}
HOOK(std::ostream*, _ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l)
(std::ostream* to, const char* p, std::streamsize n) {
  read(p, static_cast<std::size_t>(std::max<std::streamsize>(n, 0)), TILESIM_SITE);
  return &std::__ostream_insert(*to, p, n);
}
// clang-format on
// NOLINTEND(bugprone-reserved-identifier)
