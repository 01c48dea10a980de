// The same under tilesim::check.
//
// SPDX-License-Identifier: Apache-2.0
#define BY_LIBRARY 1
#include "main.cu"
