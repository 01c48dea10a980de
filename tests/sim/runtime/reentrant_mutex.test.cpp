// The runtime's lock: taken twice by its thread, kept from others, and good in a copy of the
// process. SPDX-License-Identifier: Apache-2.0
#include "sim/runtime/reentrant_mutex.hpp"

#include "tests/support/catch.hpp"

#include <mutex>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace tilesim::sim {

TEST_CASE("the runtime's lock can be taken again by the thread that has it") {
  reentrant_mutex m;
  int counted = 0;
  const auto count = [&] {
    for (int i = 0; i < 10000; ++i) {
      const std::scoped_lock outer(m);
      const std::scoped_lock inner(m);
      ++counted;
    }
  };
  std::thread other(count);
  count();
  other.join();
  CHECK(counted == 20000);
}

TEST_CASE("a process that was forked while the runtime's lock was held goes on with it") {
  reentrant_mutex m;
  m.lock();
  const pid_t child = fork();
  if (child == 0) {
    alarm(20); // instead of waiting for ever
    m.lock();
    m.unlock();
    m.unlock();
    m.lock();
    m.unlock();
    _exit(7);
  }
  m.unlock();
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 7);
}

} // namespace tilesim::sim
