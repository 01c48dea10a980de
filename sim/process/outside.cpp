// The functions of libc that reach outside of a process, each noted and passed on.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/process/outside.hpp"

#include "sim/process/thread_marks.hpp"

#include <array>
#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <span>
#include <string_view>
#include <sys/types.h>

namespace tilesim::sim {

namespace {

constexpr std::size_t longest = 160;
std::array<char, longest> first_thing;
std::atomic<bool> something = false;
thread_local int own = 0;
const thread_mark mark_of_own([]() noexcept { return std::as_writable_bytes(std::span(&own, 1)); });

/// May be called from any thread, before main and behind it: no memory is taken.
void note(const char* what, const char* path = nullptr) noexcept {
  if (own != 0 || something.exchange(true)) {
    return;
  }
  if (path == nullptr) {
    std::snprintf(first_thing.data(), first_thing.size(), "%s", what);
  } else {
    std::snprintf(first_thing.data(), first_thing.size(), what, path);
  }
}

bool is_one_of_ours(std::string_view path) noexcept {
  return path == "/dev/null" || path == "/dev/zero" || path == "/dev/full" ||
         path == "/dev/stdout" || path == "/dev/stderr" || path.starts_with("/dev/fd/") ||
         path.starts_with("/proc/self/fd/");
}

void note_open(const char* path, bool writes) noexcept {
  if (path == nullptr || is_one_of_ours(path)) {
    return;
  }
  const std::string_view name = path;
  if (name == "/dev/tty" || name.starts_with("/dev/pts/")) {
    note("opens the terminal '%.120s'", path);
  } else if (writes) {
    note("opens '%.120s' for writing", path);
  }
}

void note_open(const char* path, int flags) noexcept {
  note_open(path, (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) != 0);
}

void note_open(const char* path, const char* mode) noexcept {
  note_open(path, mode != nullptr && std::strpbrk(mode, "wa+") != nullptr);
}

template <class Result, class... Parameters>
Result pass_on(const char* name, Parameters... parameters) {
  using function = Result (*)(Parameters...);
  return reinterpret_cast<function>(dlsym(RTLD_NEXT, name))(parameters...);
}

} // namespace

std::string what_it_did_outside() {
  return something ? std::string(first_thing.data()) : std::string{};
}

void did_outside(const char* what) noexcept {
  note(what);
}

void forget_what_it_did_outside() noexcept {
  something = false;
}

simulators_own_files::simulators_own_files() noexcept {
  ++own;
}

simulators_own_files::~simulators_own_files() {
  --own;
}

} // namespace tilesim::sim

// They have names of their own here, and libc's for the linker, so that none of its declarations is
// in the way. NOLINTBEGIN
using tilesim::sim::note;
using tilesim::sim::note_open;
using tilesim::sim::pass_on;

extern "C" {

#define TILESIM_OPEN(name, libc)                                                                   \
  int name(const char* path, int flags, ...) __asm__(libc);                                        \
  [[gnu::visibility("default")]] int name(const char* path, int flags, ...) {                      \
    std::va_list rest;                                                                             \
    va_start(rest, flags);                                                                         \
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;           \
    va_end(rest);                                                                                  \
    note_open(path, flags);                                                                        \
    return pass_on<int>(libc, path, flags, mode);                                                  \
  }

#define TILESIM_OPEN_AT(name, libc)                                                                \
  int name(int folder, const char* path, int flags, ...) __asm__(libc);                            \
  [[gnu::visibility("default")]] int name(int folder, const char* path, int flags, ...) {          \
    std::va_list rest;                                                                             \
    va_start(rest, flags);                                                                         \
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;           \
    va_end(rest);                                                                                  \
    note_open(path, flags);                                                                        \
    return pass_on<int>(libc, folder, path, flags, mode);                                          \
  }

/// A function that is passed on as it is, behind `noted`.
#define TILESIM_NOTED(result, name, libc, noted, parameters, ...)                                  \
  result name parameters __asm__(libc);                                                            \
  [[gnu::visibility("default")]] result name parameters {                                          \
    noted;                                                                                         \
    return pass_on<result>(libc, __VA_ARGS__);                                                     \
  }

// clang-format off
TILESIM_OPEN(noted_open, "open")
TILESIM_OPEN(noted_open64, "open64")
TILESIM_OPEN_AT(noted_openat, "openat")
TILESIM_OPEN_AT(noted_openat64, "openat64")
TILESIM_NOTED(int, noted_open_2, "__open_2", note_open(p, f), (const char* p, int f), p, f)
TILESIM_NOTED(int, noted_open64_2, "__open64_2", note_open(p, f), (const char* p, int f), p, f)
TILESIM_NOTED(int, noted_creat, "creat", note_open(p, true), (const char* p, mode_t m), p, m)
TILESIM_NOTED(int, noted_creat64, "creat64", note_open(p, true), (const char* p, mode_t m), p, m)
TILESIM_NOTED(FILE*, noted_fopen, "fopen", note_open(p, m), (const char* p, const char* m), p, m)
TILESIM_NOTED(FILE*, noted_fopen64, "fopen64", note_open(p, m), (const char* p, const char* m), p, m)
TILESIM_NOTED(FILE*, noted_freopen, "freopen", note_open(p, m), (const char* p, const char* m, FILE* f), p, m, f)
TILESIM_NOTED(FILE*, noted_freopen64, "freopen64", note_open(p, m), (const char* p, const char* m, FILE* f), p, m, f)
TILESIM_NOTED(int, noted_shm_open, "shm_open", note_open(p, f), (const char* p, int f, mode_t m), p, f, m)
TILESIM_NOTED(int, noted_mkstemp, "mkstemp", note_open(p, true), (char* p), p)
TILESIM_NOTED(int, noted_mkstemp64, "mkstemp64", note_open(p, true), (char* p), p)
TILESIM_NOTED(int, noted_mkostemp, "mkostemp", note_open(p, true), (char* p, int f), p, f)
TILESIM_NOTED(char*, noted_mkdtemp, "mkdtemp", note("makes the folder '%.120s'", p), (char* p), p)
TILESIM_NOTED(int, noted_mkdir, "mkdir", note("makes the folder '%.120s'", p), (const char* p, mode_t m), p, m)
TILESIM_NOTED(int, noted_rmdir, "rmdir", note("removes '%.120s'", p), (const char* p), p)
TILESIM_NOTED(int, noted_unlink, "unlink", note("removes '%.120s'", p), (const char* p), p)
TILESIM_NOTED(int, noted_unlinkat, "unlinkat", note("removes '%.120s'", p), (int d, const char* p, int f), d, p, f)
TILESIM_NOTED(int, noted_remove, "remove", note("removes '%.120s'", p), (const char* p), p)
TILESIM_NOTED(int, noted_rename, "rename", note("renames '%.120s'", p), (const char* p, const char* q), p, q)
TILESIM_NOTED(int, noted_renameat, "renameat", note("renames '%.120s'", p), (int d, const char* p, int e, const char* q), d, p, e, q)
TILESIM_NOTED(int, noted_link, "link", note("links '%.120s'", p), (const char* p, const char* q), p, q)
TILESIM_NOTED(int, noted_symlink, "symlink", note("links '%.120s'", p), (const char* p, const char* q), p, q)
TILESIM_NOTED(int, noted_truncate, "truncate", note("truncates '%.120s'", p), (const char* p, off_t n), p, n)
TILESIM_NOTED(int, noted_truncate64, "truncate64", note("truncates '%.120s'", p), (const char* p, off_t n), p, n)
TILESIM_NOTED(int, noted_mkfifo, "mkfifo", note("makes the pipe '%.120s'", p), (const char* p, mode_t m), p, m)
TILESIM_NOTED(int, noted_socket, "socket", note("opens a socket"), (int d, int t, int p), d, t, p)
TILESIM_NOTED(int, noted_system, "system", note("starts a process"), (const char* c), c)
TILESIM_NOTED(FILE*, noted_popen, "popen", note("starts a process"), (const char* c, const char* m), c, m)
TILESIM_NOTED(int, noted_spawn, "posix_spawn", note("starts a process"), (pid_t* i, const char* p, const void* a, const void* b, char* const* v, char* const* e), i, p, a, b, v, e)
TILESIM_NOTED(int, noted_spawnp, "posix_spawnp", note("starts a process"), (pid_t* i, const char* p, const void* a, const void* b, char* const* v, char* const* e), i, p, a, b, v, e)
// clang-format on

} // extern "C"
// NOLINTEND
