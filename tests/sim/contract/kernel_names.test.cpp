// Kernels as programs and launches name them.
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/kernel_names.hpp"

#include "support/catch.hpp"

#include <string>

using tilesim::sim::demangled;
using tilesim::sim::kernel_name;

TEST_CASE("a kernel's own name is that of its declaration") {
  struct row {
    std::string symbol;
    std::string whole;
    std::string own;
  };
  const row rows[] = {
      {"_ZN2my5saxpyIfEEvPT_", "void my::saxpy<float>(float*)", "saxpy"},
      {"_Z3addPfi", "add(float*, int)", "add"},
      {"_ZN12_GLOBAL__N_13addEPf", "(anonymous namespace)::add(float*)", "add"},
      {"_Z1fILi3EN2ns1gEEvv", "void f<3, ns::g>()", "f"},
      // Not mangled: the name of a type among them, as the demangler would read it.
      {"saxpy", "saxpy", "saxpy"},
      {"i", "i", "i"},
      {"m", "m", "m"},
      {"d", "d", "d"},
      {"", "", ""},
      {"_Zbroken", "_Zbroken", "_Zbroken"},
  };
  for (const row& r : rows) {
    CAPTURE(r.symbol);
    CHECK(demangled(r.symbol) == r.whole);
    CHECK(kernel_name(r.symbol) == r.own);
  }
}
