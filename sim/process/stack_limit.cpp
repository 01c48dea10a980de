// Room on the host's stack for the frames of kernels.
//
// A launch calls the kernel's function, which keeps its parameters and returns: its frame, tiles
// and all, has to fit the stack of the thread that launches. The main thread's grows as far as the
// soft limit says, which can be raised while the program runs; the system leaves at least 128 MiB
// free below it.
//
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <sys/resource.h>

namespace {

[[gnu::constructor]] void raise_stack_limit() {
  constexpr rlim_t wanted = rlim_t{120} << 20U;
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < wanted) {
    limit.rlim_cur = std::min(wanted, limit.rlim_max);
    setrlimit(RLIMIT_STACK, &limit);
  }
}

} // namespace
