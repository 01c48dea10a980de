// Two versions of a host function: with hooks, and without for while there is nothing to judge.
//
// Hooks stop a compiler from vectorising, and from keeping a sum in a register: a host reference is
// 4 to 13 times slower with them, even where they do nothing. What they could find changes in calls
// of the CUDA runtime alone (sim/memory/judging.hpp). So a function with a loop that can come to
// none of those gets a second body, from a compilation without hooks, and begins with a look at
// whether there is anything to judge:
//
//     reference:
//             .cfi_startproc
//             movq    tilesim_hooks_reasons@GOTPCREL(%rip), %r11
//             cmpl    $0, (%r11)
//             je      .Lplain_reference
//             …                                    with hooks
//             .cfi_endproc
//     .Lplain_reference:
//             …                                    without
//
// What stays hooked (main, and what is put in line there) asks the same before each call of a hook:
// a call costs several times as much as the look.
//
// All of this is done on the compiler's assembly text, of which both versions have the same names.
// The second body lies within the function for the debug information, too: places stay known.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilesim::tools {

/// Whether a second version is worth its compilation: a function of the user's own files has a loop
/// of accesses, and cannot come to a call of the runtime. `hooked`: assembly of the host.
[[nodiscard]] bool wants_plain_versions(std::string_view hooked);

/// A text that keeps functions which nobody calls (`-fkeep-static-functions`) asks the linker for
/// what only they need: such symbols become weak, so that they may be missing as if it kept none.
[[nodiscard]] std::string without_needs_of_unused(std::string text);

/// clang++ puts a static function in line that is called once, however long it is, unless something
/// else names it: preprocessed text in which something names each function of the file itself,
/// behind its last #include. Another text is given back as it is.
[[nodiscard]] std::string with_functions_named(std::string text);

/// A look at whether there is anything to judge before each call of a hook whose own first look
/// that is.
[[nodiscard]] std::string with_looks_before_hooks(std::string_view hooked);

/// `hooked` with second bodies out of `plain`, for the functions of which both sides are
/// understood.
[[nodiscard]] std::string with_plain_versions(std::string_view hooked, std::string_view plain);

} // namespace tilesim::tools
