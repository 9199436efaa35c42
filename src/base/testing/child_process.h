// A test's code in the child of a fork.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include "base/function_ref.h"

namespace sdx::testing {

// What `body` returns there; 1,000 and the signal where one ended the child, as it does after 30 seconds.
inline int exit_code_of_child(FunctionRef<int()> body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(30);
    _exit(body());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

}  // namespace sdx::testing
