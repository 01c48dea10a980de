// <cooperative_groups/scan.h>: of what the threads of a group bring along, all up to one.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef _CG_SCAN_H
#define _CG_SCAN_H

#include <cooperative_groups.h>

#include <tilesim/detail/letters_begin.h>

#include <tilesim/detail/group_reductions.hpp>

#include <tilesim/detail/letters_end.h>

#endif
