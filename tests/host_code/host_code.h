// What these programs have in common: main.cu has the kernels, a race among them; they have the host code.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What the program does on the host, before and between its kernels.
void host_code(const char* when);
/// From now on code of the program that the library calls reads managed memory, or no longer.
void watch_library(const int* managed);
