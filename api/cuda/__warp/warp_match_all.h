// What CCCL's headers include of each other for warps: the simulator's own.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda/warp>
