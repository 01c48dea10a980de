// What CCCL's headers include of each other for asynchronous copies: the simulator's own.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda/pipeline>
