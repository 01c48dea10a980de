// Block operations by their __builtin_ names, in programs whose raw accesses are seen.
//
// g++ puts constant ones in line, without a hook: `__builtin_memset(p, 0, 64)`, which std::fill of
// bytes is, too. So they become calls of the hooks (sim/access/hooks_libc.cpp). The names without
// __builtin_ are calls by a flag (tools/build/compiler.cpp: hook_flags). A name in parentheses stays the
// builtin: the headers' own copies of tiles concern nobody else.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#if defined(TILESIM_HOOKED) && !defined(__clang__)

extern "C" {
void* tilesim_hook_memcpy(void* to, const void* from, __SIZE_TYPE__ bytes) noexcept;
void* tilesim_hook_memmove(void* to, const void* from, __SIZE_TYPE__ bytes) noexcept;
void* tilesim_hook_mempcpy(void* to, const void* from, __SIZE_TYPE__ bytes) noexcept;
void* tilesim_hook_memset(void* to, int value, __SIZE_TYPE__ bytes) noexcept;
int tilesim_hook_memcmp(const void* a, const void* b, __SIZE_TYPE__ bytes) noexcept;
}

#  define __builtin_memcpy(...) tilesim_hook_memcpy(__VA_ARGS__)
#  define __builtin_memmove(...) tilesim_hook_memmove(__VA_ARGS__)
#  define __builtin_mempcpy(...) tilesim_hook_mempcpy(__VA_ARGS__)
#  define __builtin_memset(...) tilesim_hook_memset(__VA_ARGS__)
// g++ evaluates this one in constant expressions.
#  define __builtin_memcmp(...)                                                                    \
    (__builtin_is_constant_evaluated() ? __builtin_memcmp(__VA_ARGS__)                             \
                                       : tilesim_hook_memcmp(__VA_ARGS__))

#endif
