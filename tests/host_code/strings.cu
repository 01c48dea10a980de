// The least that emits std::string's assignment into an optimised program: four strings that are copied.
//
// SPDX-License-Identifier: Apache-2.0
#include "host_code.h"

#include <cstdio>
#include <string>

namespace {

struct options {
  std::string name = "fe", input = "x", output = "y", format = "z";
};
options given;

} // namespace

void host_code(const char* when) {
  options o;
  given = o;
  o.name += when;
  given.format = o.name;
  std::printf("%s: %s\n", when, given.format.c_str());
}

void watch_library(const int* /*managed*/) {}
