// A macro that declares, in a header.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#define IN_HEADER(T, name) static __shared__ T name[8]
