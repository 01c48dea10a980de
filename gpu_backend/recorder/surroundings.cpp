// Asking the system.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu_backend/recorder/surroundings.hpp"

#include "gpu_backend/container/format.hpp"
#include "gpu_backend/container/whole_write.hpp"
#include "gpu_backend/recorder/about.hpp"
#include "gpu_backend/recorder/call.hpp"
#include "gpu_backend/recorder/environment.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime_api.h>
#include <fcntl.h>
#include <fstream>
#include <link.h>
#include <new>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <unwind.h>

namespace tilesim::gpu {

// Never destroyed: the recording ends behind the program's own destructors.
const std::string& recording_path() {
  static const auto* const path = [] {
    const char* const given = std::getenv(recording_variable);
    return given != nullptr && *given != '\0'
               ? new std::string(given)
               : new std::string(std::string(program_invocation_short_name) + ".rec");
  }();
  return *path;
}

namespace {

/// "580.159.04": the kernel's module says it, the runtime does not.
std::string driver_version() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string word;
  while (file >> word) {
    if (word.find_first_not_of("0123456789.") == std::string::npos &&
        word.find('.') != std::string::npos) {
      return word;
    }
  }
  return {};
}

std::string cuda_version(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

} // namespace

machine_event machine_here() {
  machine_event e{.program = program_invocation_short_name,
                  .sources = about::sources,
                  .source_hash = about::source_hash,
                  .compiler = about::compiler,
                  .flags = about::flags,
                  .device = {},
                  .capability = {},
                  .driver = driver_version(),
                  .runtime = {}};
  int device = 0;
  cudaDeviceProp is{};
  if (cudaGetDevice(&device) == cudaSuccess &&
      cudaGetDeviceProperties(&is, device) == cudaSuccess) {
    e.device = is.name;
    e.capability = std::to_string(is.major) + "." + std::to_string(is.minor);
  }
  int version = 0;
  if (cudaRuntimeGetVersion(&version) == cudaSuccess) {
    e.runtime = cuda_version(version);
  }
  return e;
}

namespace {

/// Where the program was loaded, and the end of its code.
struct loaded {
  std::uintptr_t base = 0, begin = 0, end = 0;
};

int find_program(dl_phdr_info* info, std::size_t /*size*/, void* to) {
  auto& found = *static_cast<loaded*>(to);
  found.base = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0) {
      found.begin = info->dlpi_addr + segment.p_vaddr;
      found.end = found.begin + segment.p_memsz;
    }
  }
  return 1; // the first one is the program
}

_Unwind_Reason_Code note_frame(_Unwind_Context* frame, void* to) {
  static const loaded program = [] {
    loaded found;
    dl_iterate_phdr(find_program, &found);
    return found;
  }();
  auto& place = *static_cast<call_place*>(to);
  const std::uintptr_t at = _Unwind_GetIP(frame);
  if (at >= program.begin && at < program.end) {
    place.push_back(at - program.base);
  }
  constexpr std::size_t most_frames = 16;
  return place.size() < most_frames ? _URC_NO_REASON : _URC_END_OF_STACK;
}

} // namespace

call_place here() {
  call_place place;
  _Unwind_Backtrace(note_frame, &place);
  return place;
}

// --- Lines

std::string lines_of_program() {
  std::ifstream program("/proc/self/exe", std::ios::binary | std::ios::ate);
  const auto size = static_cast<std::uint64_t>(std::max<std::streamoff>(program.tellg(), 0));
  format::lines_trailer trailer;
  if (size < sizeof(trailer)) {
    return {};
  }
  program.seekg(static_cast<std::streamoff>(size - sizeof(trailer)));
  program.read(reinterpret_cast<char*>(&trailer), sizeof(trailer));
  if (!program || trailer.mark != format::lines_mark || trailer.bytes > size - sizeof(trailer)) {
    return {};
  }
  std::string text(trailer.bytes, '\0');
  program.seekg(static_cast<std::streamoff>(size - sizeof(trailer) - trailer.bytes));
  program.read(text.data(), static_cast<std::streamsize>(text.size()));
  return program ? text : std::string();
}

// --- Standard output

namespace {

/// What the program and the process that passes its output on know of each other.
struct shared_output {
  std::atomic<bool> wanted{false}; ///< the program takes what was written
  std::atomic<bool> idle{false};   ///< all that was there has been passed on
  std::atomic<int> signal{0};      ///< by which the program dies
};

int passed_on = -1; ///< standard output as it was
int kept = -1;      ///< a file in memory
int waiting = -1;   ///< the pipe's end that is read
bool passes = false;
shared_output* shared = nullptr;

std::string kept_output() {
  std::string text;
  std::array<char, 65536> bytes{};
  for (ssize_t n = 0;
       (n = pread(kept, bytes.data(), bytes.size(), static_cast<off_t>(text.size()))) > 0;) {
    text.append(bytes.data(), static_cast<std::size_t>(n));
  }
  return text;
}

/// Passes on and keeps what the program writes, until nobody writes any more. `program` is its
/// process, as a descriptor.
[[noreturn]] void pass_on(int from, int program, void (*left_alone)(const std::string&, int)) {
  std::array<char, 65536> bytes{};
  for (;;) {
    shared->idle = true;
    const ssize_t n = ::read(from, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n <= 0) {
      break; // idle for good
    }
    shared->idle = false;
    write_whole(kept, bytes.data(), static_cast<std::size_t>(n));
    write_whole(passed_on, bytes.data(), static_cast<std::size_t>(n));
  }
  // It may have closed its output and go on.
  pollfd end{.fd = program, .events = POLLIN, .revents = 0};
  while (!shared->wanted && poll(&end, 1, 5) == 0) {
  }
  if (!shared->wanted) {
    left_alone(kept_output(), shared->signal);
  }
  _exit(0);
}

/// The program dies: it is noted, and happens as it would have.
void note_death(int signal) {
  if (in_recorded_process()) {
    shared->signal = signal;
  }
  raise(signal); // whose handler this was, once
}

/// Of signals that end a program, and that it has left as they are.
void watch_for_death() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGTERM, SIGINT}) {
    struct sigaction now {};
    if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_DFL) {
      now.sa_handler = note_death;
      now.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER | SA_ONSTACK);
      sigaction(signal, &now, nullptr);
    }
  }
}

} // namespace

void keep_output(void (*left_alone)(const std::string& output, int signal)) {
  int ends[2]; // NOLINT(modernize-avoid-c-arrays): the system's interface
  kept = memfd_create("tilesim-output", MFD_CLOEXEC);
  void* const room = mmap(
      nullptr, sizeof(shared_output), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (kept < 0 || room == MAP_FAILED || pipe2(ends, O_CLOEXEC) != 0) {
    return;
  }
  shared = new (room) shared_output;
  const bool terminal = isatty(STDOUT_FILENO) == 1;
  passed_on = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3); // NOLINT: variadic by nature
  const int program = static_cast<int>(syscall(SYS_pidfd_open, getpid(), 0));
  const pid_t parent = program < 0 ? -1 : fork();
  if (parent == 0) {
    const pid_t passer = fork(); // no child of the program's, which may wait for its own
    if (passer == 0) {
      setpgid(0, 0); // Ctrl-C is the program's
      close(ends[1]);
      close(STDOUT_FILENO);
      pass_on(ends[0], program, left_alone);
    }
    _exit(passer > 0 ? 0 : 1);
  }
  int status = 1;
  while (parent > 0 && waitpid(parent, &status, 0) < 0 && errno == EINTR) {
  }
  passes = status == 0;
  if (passes) {
    watch_for_death();
    dup2(ends[1], STDOUT_FILENO);
    if (terminal) {
      setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
    }
  }
  waiting = ends[0];
  close(ends[1]);
  close(program);
}

std::string take_output() {
  if (!passes) {
    return {};
  }
  std::fflush(stdout);
  shared->wanted = true;
  dup2(passed_on, STDOUT_FILENO);
  // Who was started by the program may hold its output for longer than it lives.
  constexpr int patience = 20'000; // turns of half a millisecond without any progress
  int before = -1;
  for (int empty = 0, turns = 0; empty < 3 && turns < patience; ++turns) {
    int left = 0;
    ioctl(waiting, FIONREAD, &left); // NOLINT: variadic by nature
    turns = left == before ? turns : 0;
    before = left;
    empty = left == 0 && shared->idle ? empty + 1 : 0;
    usleep(500);
  }
  close(waiting);
  return kept_output();
}

} // namespace tilesim::gpu
