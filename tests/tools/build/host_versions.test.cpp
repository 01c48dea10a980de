// Texts between a compiler's steps. What comes of them: tests/host_code.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/host_versions.hpp"

#include <string>
#include <support/catch.hpp>

using namespace tilesim::tools;

TEST_CASE("functions of the file itself are named by something, and lines stay where they are",
          "[tools]") {
  const std::string before = "# 1 \"a b.cu\"\n# 1 \"x.h\" 1\nint x;\n";
  const std::string after = "# 2 \"a b.cu\" 2\nstatic void f();\n# 4 \"a b.cu\"\nint main() {}";
  CHECK(with_functions_named(before + after) ==
        before +
            "#pragma clang attribute push(__attribute__((annotate(\"tilesim\"))), apply_to = "
            "function)\n" +
            after + "\n#pragma clang attribute pop\n");
}

TEST_CASE("the last way back into the file counts", "[tools]") {
  const std::string text = "# 1 \"a.cu\"\n# 1 \"x.h\" 1\n# 2 \"a.cu\" 2\n# 1 \"y.h\" 1\n# 3 "
                           "\"a.cu\" 2\nint main() {}\n";
  const std::string named = with_functions_named(text);
  CHECK(named.find("#pragma") == text.find("# 3"));
}

TEST_CASE("a text that comes from one file, or from nowhere, is left alone", "[tools]") {
  for (const std::string text : {"",
                                 "int main() {}\n",
                                 "# 1 \"a.cu\"\nint main() {}\n",
                                 "# 1 \"a.cu\"\nconst char* s = \" \\\"a.cu\\\" 2\\n\";\n",
                                 "# 1 \"a.cu"}) {
    CHECK(with_functions_named(text) == text);
  }
}

TEST_CASE("hooks of accesses are called if there is something to judge", "[tools]") {
  const auto looked = [](const std::string& call, int n) {
    const auto number = std::to_string(n);
    return "\tmovq\ttilesim_hooks_reasons@GOTPCREL(%rip), %r11\n\tcmpl\t$0, (%r11)\n\tje\t.Llook" +
           number + "\n" + call + "\n.Llook" + number + ":\n";
  };
  for (const std::string hook :
       {"read1", "write16", "unaligned_read4", "volatile_write8", "unaligned_volatile_read2"}) {
    const std::string call = "\tcall\t__tsan_" + hook + "@PLT";
    CAPTURE(call);
    CHECK(with_looks_before_hooks("f:\n" + call + "\n\tret\n") ==
          "f:\n" + looked(call, 0) + "\tret\n");
  }
  CHECK(with_looks_before_hooks("\tcall\t__tsan_read4\n\tcallq\t__tsan_write4@PLT\n") ==
        looked("\tcall\t__tsan_read4", 0) + looked("\tcallq\t__tsan_write4@PLT", 1));
}

TEST_CASE("a function whose constant names a label of another place has no second version",
          "[tools]") {
  const auto text = [](const std::string& label) {
    return "\t.text\n\t.globl\tf\n\t.type\tf, @function\nf:\n.LFB0:\n\t.cfi_startproc\n.L2:\n"
           "\tmovq\t.LC0(%rip), "
           "%rax\n\tcall\t__tsan_read4@PLT\n\tjmp\t.L2\n\t.cfi_endproc\n.LFE0:\n"
           "\t.size\tf, .-f\n\t.section\t.rodata\n.LC0:\n\t.quad\t" +
           label + "\n";
  };
  CHECK(with_plain_versions(text(".L99"), text(".L99")) == text(".L99"));
}

TEST_CASE("what is no call of such a hook is left alone", "[tools]") {
  for (const std::string line : {"\tcall\t__tsan_read_range@PLT",
                                 "\tcall\t__tsan_atomic32_load@PLT",
                                 "\tcall\t__tsan_vptr_update@PLT",
                                 "\tjmp\t__tsan_read4@PLT",
                                 "\tcall\t*%rax",
                                 "\tcall\tmemcpy@PLT",
                                 "\tcall\tmy__tsan_read4",
                                 "\t.string\t\"call __tsan_read4\"",
                                 "__tsan_read4:"}) {
    CAPTURE(line);
    CHECK(with_looks_before_hooks(line + "\n") == line + "\n");
  }
}
