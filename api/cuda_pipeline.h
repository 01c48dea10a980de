// <cuda_pipeline.h>: copies that a thread commits in groups.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef _CUDA_PIPELINE_H_
#define _CUDA_PIPELINE_H_

#include <cuda_pipeline_primitives.h>

#endif
