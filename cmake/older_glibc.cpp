// What libraries that are linked for an older glibc bring along of newer ones, and of fmt.
// [api/python/packaging/older_glibc.py]
//
// SPDX-License-Identifier: Apache-2.0
#ifdef TILESIM_FMT

#  include <fmt/format-inl.h>

// fmt's functions that are no templates stand in the file above; of its templates those that the
// objects of the build leave to the library.
template fmt::detail::thousands_sep_result<char>
    fmt::detail::thousands_sep_impl(fmt::detail::locale_ref);
template char fmt::detail::decimal_point_impl(fmt::detail::locale_ref);

#elif defined(TILESIM_NO_PROMPT)

// libtilesim_check holds the command's objects and never prompts: libedit's archive is not for
// shared libraries. NOLINTBEGIN: the names are libedit's.
extern "C" {

__attribute__((visibility("hidden"))) void* rl_attempted_completion_function = nullptr;
__attribute__((visibility("hidden"))) int rl_attempted_completion_over = 0;
__attribute__((visibility("hidden"))) char* rl_completer_word_break_characters = nullptr;
__attribute__((visibility("hidden"))) void* rl_getc_function = nullptr;
__attribute__((visibility("hidden"))) char* rl_line_buffer = nullptr;
__attribute__((visibility("hidden"))) void* rl_pre_input_hook = nullptr;
__attribute__((visibility("hidden"))) const char* rl_readline_name = nullptr;

#  define TILESIM_NOTHING(result, name, ...)                                                       \
    __attribute__((visibility("hidden"))) result name(__VA_ARGS__) {                               \
      return {};                                                                                   \
    }
TILESIM_NOTHING(int, add_history, const char*)
TILESIM_NOTHING(int, read_history, const char*)
TILESIM_NOTHING(int, write_history, const char*)
TILESIM_NOTHING(char*, readline, const char*)
TILESIM_NOTHING(char**, rl_completion_matches, const char*, void*)
TILESIM_NOTHING(int, rl_initialize)
TILESIM_NOTHING(int, rl_parse_and_bind, const char*)
TILESIM_NOTHING(int, stifle_history, int)

} // extern "C"
// NOLINTEND

#else

#  include <cstdint>
#  include <ctime>
#  include <pthread.h>
#  include <sys/random.h>
#  include <sys/syscall.h>
#  include <sys/types.h>
#  include <unistd.h>

// NOLINTBEGIN: the names are libc's.
extern "C" {

/// Of 2.32: is there one thread? Nobody knows, so all that counts counts atomically.
__attribute__((visibility("hidden"))) char __libc_single_threaded = 0;

/// Of 2.36, which libstdc++ draws its random numbers from.
__attribute__((visibility("hidden"))) std::uint32_t arc4random() {
  std::uint32_t value = 0;
  while (getrandom(&value, sizeof value, 0) != static_cast<ssize_t>(sizeof value)) {
  }
  return value;
}

/// Of 2.30: waits until a time of any clock. As libstdc++ did before, by the time of day: whoever
/// waits looks at his clock again.
__attribute__((visibility("hidden"))) int pthread_cond_clockwait(pthread_cond_t* condition,
                                                                 pthread_mutex_t* mutex,
                                                                 clockid_t clock,
                                                                 const timespec* until) {
  timespec now{};
  timespec day{};
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &day);
  constexpr long second = 1'000'000'000;
  day.tv_sec += until->tv_sec - now.tv_sec;
  day.tv_nsec += until->tv_nsec - now.tv_nsec;
  day.tv_sec += day.tv_nsec < 0 ? -1 : day.tv_nsec / second;
  day.tv_nsec = day.tv_nsec < 0 ? day.tv_nsec + second : day.tv_nsec % second;
  return pthread_cond_timedwait(condition, mutex, &day);
}

/// Of 2.30.
__attribute__((visibility("hidden"))) pid_t gettid() noexcept {
  return static_cast<pid_t>(syscall(SYS_gettid));
}

/// Of 2.32.
__attribute__((visibility("hidden"))) const char* sigabbrev_np(int signal) noexcept {
  static constexpr const char* names[] = {
      nullptr, "HUP",  "INT",    "QUIT", "ILL",  "TRAP", "ABRT", "BUS",  "FPE",  "KILL", "USR1",
      "SEGV",  "USR2", "PIPE",   "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN",
      "TTOU",  "URG",  "XCPU",   "XFSZ", "VTALRM", "PROF", "WINCH", "POLL", "PWR", "SYS"};
  return signal > 0 && signal < static_cast<int>(sizeof names / sizeof *names) ? names[signal]
                                                                               : nullptr;
}

} // extern "C"
// NOLINTEND

#endif
