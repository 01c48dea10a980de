// The main program of many random programs in one, for a GPU.
//
// After a CUDA error a process can do no more with the GPU: the programs run in a child, and behind
// one that fails the next child goes on. So the parent must not touch the GPU itself.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/fuzz/gpu_main.hpp"

#include "tools/fuzz/write.hpp"

#include <fmt/format.h>

namespace tilesim::tools::fuzz {

namespace {

constexpr const char* beginning = R"(#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct entry {
  const char* label;
  void (*run)();
};

)";

constexpr const char* rest = R"(
struct progress {
  bool told; // the device
  int at;    // the program that runs; -1: none has begun
  bool over; // it has ended
};

constexpr unsigned seconds = 60; // a program has
constexpr int no_device = 3;

void tell_device() {
  cudaDeviceProp device;
  int driver = 0, runtime = 0;
  cudaError_t e = cudaDriverGetVersion(&driver);
  if (e == cudaSuccess) {
    e = cudaRuntimeGetVersion(&runtime);
  }
  if (e == cudaSuccess) {
    e = cudaGetDeviceProperties(&device, 0);
  }
  if (e != cudaSuccess) {
    std::fprintf(stderr, "no GPU can be used: %s\n", cudaGetErrorString(e));
    _exit(no_device);
  }
  char version[200] = "unknown";
  if (std::FILE* file = std::fopen("/proc/driver/nvidia/version", "r")) {
    if (std::fgets(version, sizeof version, file) != nullptr) {
      version[std::strcspn(version, "\n")] = 0;
    }
    std::fclose(file);
  }
  std::printf("%sdevice %s sm_%d%d\ndriver %d %s\nruntime %d\n", header, device.name, device.major,
              device.minor, driver, version, runtime);
}

void run_from(int first, int end, progress* now) {
  if (!now->told) {
    tell_device();
    now->told = true;
  }
  for (int i = first; i < end; ++i) {
    now->at = i;
    now->over = false;
    std::printf("== %s\n", programs[i].label);
    std::fflush(stdout);
    alarm(seconds);
    programs[i].run();
    std::printf("-- %s\n", programs[i].label);
    std::fflush(stdout);
    now->over = true;
  }
}

int main(int count, char** words) {
  int first = 0, end = sizeof programs / sizeof *programs;
  if (count == 3 && std::strcmp(words[1], "--only") == 0) {
    while (first < end && std::strcmp(programs[first].label, words[2]) != 0) {
      ++first;
    }
    if (first == end) {
      std::fprintf(stderr, "%s is not among the %d programs\n", words[2], end);
      return 64;
    }
    end = first + 1;
  } else if (count != 1) {
    std::fprintf(stderr, "usage: %s [--only SEED] > LOG\n", words[0]);
    return 64;
  }
  auto* now = static_cast<progress*>(
      mmap(nullptr, sizeof(progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  if (now == MAP_FAILED) {
    std::perror("mmap");
    return 1;
  }
  int failed = 0;
  const int all = end - first;
  while (first < end) {
    now->at = -1;
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      run_from(first, end, now);
      std::exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0) {
      std::perror("fork");
      return 1;
    }
    if (now->at < 0) {
      return no_device;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
      break;
    }
    ++failed;
    first = now->at + 1;
    if (now->over) {
      std::fprintf(stderr, "behind %s the process ended with status %d\n", programs[now->at].label, status);
      continue;
    }
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
      std::printf("error: not done after %u seconds\n", seconds);
    } else if (WIFSIGNALED(status)) {
      std::printf("error: ended by signal %d\n", WTERMSIG(status));
    } else {
      std::printf("error: exit status %d\n", WEXITSTATUS(status));
    }
    std::printf("-- %s\n", programs[now->at].label);
  }
  std::printf("end\n");
  std::fflush(stdout);
  std::fprintf(stderr, "%d programs ran, %d with an error\n", all, failed);
  return failed != 0;
}
)";

} // namespace

std::string to_gpu_main(const std::vector<program>& programs, const std::string& header) {
  std::string text = beginning;
  std::string table = "const entry programs[] = {\n";
  for (const program& p : programs) {
    text += fmt::format("namespace {} {{ void run(); }}\n", name_space(p));
    table += fmt::format("    {{\"{}\", {}::run}},\n", p.label(), name_space(p));
  }
  // No raw string: the header may hold what ends one.
  std::string quoted;
  for (const char c : header) {
    quoted += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
  }
  return text + "\n" + table + "};\nconst char* const header = \"" + quoted + "\";\n" + rest;
}

} // namespace tilesim::tools::fuzz
