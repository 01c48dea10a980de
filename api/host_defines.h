// CUDA's annotations under the runtime's own name of their header.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__

#include <tilesim/annotations.hpp>

#endif
