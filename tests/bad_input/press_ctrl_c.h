// Ctrl-C for the program that includes this, a second after it asks, when PRESS_CTRL_C is defined.
#pragma once
#ifdef PRESS_CTRL_C
#  include <csignal>
#  include <unistd.h>
inline void press_ctrl_c() {
  if (fork() == 0) {
    sleep(1);
    kill(getppid(), SIGINT); // twice, as `timeout` does to a process and its group
    kill(getppid(), SIGINT);
    _exit(0);
  }
}
#else
inline void press_ctrl_c() {}
#endif
