// Asking the system.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu_backend/recorder/surroundings.hpp"

#include "gpu_backend/recorder/about.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <fstream>
#include <link.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <unwind.h>

namespace tilesim::gpu {

// Never destroyed: the recording ends behind the program's own destructors.
const std::string& recording_path() {
  static const auto* const path = [] {
    const char* const given = std::getenv("TILESIM_RECORD");
    return given != nullptr && *given != '\0'
               ? new std::string(given)
               : new std::string(std::string(program_invocation_short_name) + ".rec");
  }();
  return *path;
}

std::uint64_t run_number() {
  const char* const given = std::getenv("TILESIM_RECORD_RUN");
  return given == nullptr ? 0 : std::strtoull(given, nullptr, 10);
}

bool appends() {
  return run_number() != 0;
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

// --- Standard output

namespace {

int passed_on = -1; ///< standard output as it was
int kept = -1;      ///< a file in memory
pid_t passer = -1;

/// Passes on and keeps what the program writes, until it has closed its end.
[[noreturn]] void pass_on(int from) {
  std::array<char, 65536> bytes{};
  for (;;) {
    const ssize_t n = ::read(from, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n <= 0) {
      _exit(0);
    }
    for (const int to : {kept, passed_on}) {
      for (ssize_t at = 0; at < n;) {
        const ssize_t written = ::write(to, bytes.data() + at, static_cast<std::size_t>(n - at));
        if (written <= 0) {
          break;
        }
        at += written;
      }
    }
  }
}

} // namespace

void keep_output() {
  int ends[2]; // NOLINT(modernize-avoid-c-arrays): the system's interface
  kept = memfd_create("tilesim-output", MFD_CLOEXEC);
  if (kept < 0 || pipe(ends) != 0) {
    return;
  }
  const bool terminal = isatty(STDOUT_FILENO) == 1;
  passed_on = dup(STDOUT_FILENO);
  passer = fork();
  if (passer == 0) {
    setpgid(0, 0); // Ctrl-C is the program's
    close(ends[1]);
    close(STDOUT_FILENO);
    pass_on(ends[0]);
  }
  close(ends[0]);
  if (passer > 0) {
    dup2(ends[1], STDOUT_FILENO);
    if (terminal) {
      setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
    }
  }
  close(ends[1]);
}

std::string take_output() {
  if (passer <= 0) {
    return {};
  }
  std::fflush(stdout);
  dup2(passed_on, STDOUT_FILENO);
  while (waitpid(passer, nullptr, 0) < 0 && errno == EINTR) {
  }
  std::string text;
  std::array<char, 65536> bytes{};
  for (ssize_t n = 0;
       (n = pread(kept, bytes.data(), bytes.size(), static_cast<off_t>(text.size()))) > 0;) {
    text.append(bytes.data(), static_cast<std::size_t>(n));
  }
  return text;
}

} // namespace tilesim::gpu
