// <nv/target>'s conditions in device code.
//
// The tool puts TILESIM_ before the names of NV_IF_TARGET, its kin and their conditions where a
// device comes by (tools/build/device_text.hpp); elsewhere they are <nv/target>'s, which is given a
// host's compiler.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifndef TILESIM_CUDA_ARCH
#  define TILESIM_CUDA_ARCH 0
#endif

#define TILESIM_NV_IS_HOST 0
#define TILESIM_NV_IS_DEVICE 1
#define TILESIM_NV_ANY_TARGET 1
#define TILESIM_NV_NO_TARGET 0

// NOLINTBEGIN(cppcoreguidelines-macro-usage)
#if TILESIM_CUDA_ARCH >= 350
#  define TILESIM_NV_PROVIDES_SM_35 1
#else
#  define TILESIM_NV_PROVIDES_SM_35 0
#endif
#if TILESIM_CUDA_ARCH == 350
#  define TILESIM_NV_IS_EXACTLY_SM_35 1
#else
#  define TILESIM_NV_IS_EXACTLY_SM_35 0
#endif
#if TILESIM_CUDA_ARCH >= 370
#  define TILESIM_NV_PROVIDES_SM_37 1
#else
#  define TILESIM_NV_PROVIDES_SM_37 0
#endif
#if TILESIM_CUDA_ARCH == 370
#  define TILESIM_NV_IS_EXACTLY_SM_37 1
#else
#  define TILESIM_NV_IS_EXACTLY_SM_37 0
#endif
#if TILESIM_CUDA_ARCH >= 500
#  define TILESIM_NV_PROVIDES_SM_50 1
#else
#  define TILESIM_NV_PROVIDES_SM_50 0
#endif
#if TILESIM_CUDA_ARCH == 500
#  define TILESIM_NV_IS_EXACTLY_SM_50 1
#else
#  define TILESIM_NV_IS_EXACTLY_SM_50 0
#endif
#if TILESIM_CUDA_ARCH >= 520
#  define TILESIM_NV_PROVIDES_SM_52 1
#else
#  define TILESIM_NV_PROVIDES_SM_52 0
#endif
#if TILESIM_CUDA_ARCH == 520
#  define TILESIM_NV_IS_EXACTLY_SM_52 1
#else
#  define TILESIM_NV_IS_EXACTLY_SM_52 0
#endif
#if TILESIM_CUDA_ARCH >= 530
#  define TILESIM_NV_PROVIDES_SM_53 1
#else
#  define TILESIM_NV_PROVIDES_SM_53 0
#endif
#if TILESIM_CUDA_ARCH == 530
#  define TILESIM_NV_IS_EXACTLY_SM_53 1
#else
#  define TILESIM_NV_IS_EXACTLY_SM_53 0
#endif
#if TILESIM_CUDA_ARCH >= 600
#  define TILESIM_NV_PROVIDES_SM_60 1
#else
#  define TILESIM_NV_PROVIDES_SM_60 0
#endif
#if TILESIM_CUDA_ARCH == 600
#  define TILESIM_NV_IS_EXACTLY_SM_60 1
#else
#  define TILESIM_NV_IS_EXACTLY_SM_60 0
#endif
#if TILESIM_CUDA_ARCH >= 610
#  define TILESIM_NV_PROVIDES_SM_61 1
#else
#  define TILESIM_NV_PROVIDES_SM_61 0
#endif
#if TILESIM_CUDA_ARCH == 610
#  define TILESIM_NV_IS_EXACTLY_SM_61 1
#else
#  define TILESIM_NV_IS_EXACTLY_SM_61 0
#endif
#if TILESIM_CUDA_ARCH >= 620
#  define TILESIM_NV_PROVIDES_SM_62 1
#else
#  define TILESIM_NV_PROVIDES_SM_62 0
#endif
#if TILESIM_CUDA_ARCH == 620
#  define TILESIM_NV_IS_EXACTLY_SM_62 1
#else
#  define TILESIM_NV_IS_EXACTLY_SM_62 0
#endif
#if TILESIM_CUDA_ARCH >= 700
#  define TILESIM_NV_PROVIDES_SM_70 1
#else
#  define TILESIM_NV_PROVIDES_SM_70 0
#endif
#if TILESIM_CUDA_ARCH == 700
#  define TILESIM_NV_IS_EXACTLY_SM_70 1
#else
#  define TILESIM_NV_IS_EXACTLY_SM_70 0
#endif
#if TILESIM_CUDA_ARCH >= 720
#  define TILESIM_NV_PROVIDES_SM_72 1
#else
#  define TILESIM_NV_PROVIDES_SM_72 0
#endif
#if TILESIM_CUDA_ARCH == 720
#  define TILESIM_NV_IS_EXACTLY_SM_72 1
#else
#  define TILESIM_NV_IS_EXACTLY_SM_72 0
#endif
#if TILESIM_CUDA_ARCH >= 750
#  define TILESIM_NV_PROVIDES_SM_75 1
#else
#  define TILESIM_NV_PROVIDES_SM_75 0
#endif
#if TILESIM_CUDA_ARCH == 750
#  define TILESIM_NV_IS_EXACTLY_SM_75 1
#else
#  define TILESIM_NV_IS_EXACTLY_SM_75 0
#endif
#if TILESIM_CUDA_ARCH >= 800
#  define TILESIM_NV_PROVIDES_SM_80 1
#else
#  define TILESIM_NV_PROVIDES_SM_80 0
#endif
#if TILESIM_CUDA_ARCH == 800
#  define TILESIM_NV_IS_EXACTLY_SM_80 1
#else
#  define TILESIM_NV_IS_EXACTLY_SM_80 0
#endif
#if TILESIM_CUDA_ARCH >= 860
#  define TILESIM_NV_PROVIDES_SM_86 1
#else
#  define TILESIM_NV_PROVIDES_SM_86 0
#endif
#if TILESIM_CUDA_ARCH == 860
#  define TILESIM_NV_IS_EXACTLY_SM_86 1
#else
#  define TILESIM_NV_IS_EXACTLY_SM_86 0
#endif
#if TILESIM_CUDA_ARCH >= 870
#  define TILESIM_NV_PROVIDES_SM_87 1
#else
#  define TILESIM_NV_PROVIDES_SM_87 0
#endif
#if TILESIM_CUDA_ARCH == 870
#  define TILESIM_NV_IS_EXACTLY_SM_87 1
#else
#  define TILESIM_NV_IS_EXACTLY_SM_87 0
#endif
#if TILESIM_CUDA_ARCH >= 880
#  define TILESIM_NV_PROVIDES_SM_88 1
#else
#  define TILESIM_NV_PROVIDES_SM_88 0
#endif
#if TILESIM_CUDA_ARCH == 880
#  define TILESIM_NV_IS_EXACTLY_SM_88 1
#else
#  define TILESIM_NV_IS_EXACTLY_SM_88 0
#endif
#if TILESIM_CUDA_ARCH >= 890
#  define TILESIM_NV_PROVIDES_SM_89 1
#else
#  define TILESIM_NV_PROVIDES_SM_89 0
#endif
#if TILESIM_CUDA_ARCH == 890
#  define TILESIM_NV_IS_EXACTLY_SM_89 1
#else
#  define TILESIM_NV_IS_EXACTLY_SM_89 0
#endif
#if TILESIM_CUDA_ARCH >= 900
#  define TILESIM_NV_PROVIDES_SM_90 1
#else
#  define TILESIM_NV_PROVIDES_SM_90 0
#endif
#if TILESIM_CUDA_ARCH == 900
#  define TILESIM_NV_IS_EXACTLY_SM_90 1
#else
#  define TILESIM_NV_IS_EXACTLY_SM_90 0
#endif
#if TILESIM_CUDA_ARCH >= 1000
#  define TILESIM_NV_PROVIDES_SM_100 1
#else
#  define TILESIM_NV_PROVIDES_SM_100 0
#endif
#if TILESIM_CUDA_ARCH == 1000
#  define TILESIM_NV_IS_EXACTLY_SM_100 1
#else
#  define TILESIM_NV_IS_EXACTLY_SM_100 0
#endif
#if TILESIM_CUDA_ARCH >= 1010
#  define TILESIM_NV_PROVIDES_SM_101 1
#else
#  define TILESIM_NV_PROVIDES_SM_101 0
#endif
#if TILESIM_CUDA_ARCH == 1010
#  define TILESIM_NV_IS_EXACTLY_SM_101 1
#else
#  define TILESIM_NV_IS_EXACTLY_SM_101 0
#endif
#if TILESIM_CUDA_ARCH >= 1030
#  define TILESIM_NV_PROVIDES_SM_103 1
#else
#  define TILESIM_NV_PROVIDES_SM_103 0
#endif
#if TILESIM_CUDA_ARCH == 1030
#  define TILESIM_NV_IS_EXACTLY_SM_103 1
#else
#  define TILESIM_NV_IS_EXACTLY_SM_103 0
#endif
#if TILESIM_CUDA_ARCH >= 1070
#  define TILESIM_NV_PROVIDES_SM_107 1
#else
#  define TILESIM_NV_PROVIDES_SM_107 0
#endif
#if TILESIM_CUDA_ARCH == 1070
#  define TILESIM_NV_IS_EXACTLY_SM_107 1
#else
#  define TILESIM_NV_IS_EXACTLY_SM_107 0
#endif
#if TILESIM_CUDA_ARCH >= 1100
#  define TILESIM_NV_PROVIDES_SM_110 1
#else
#  define TILESIM_NV_PROVIDES_SM_110 0
#endif
#if TILESIM_CUDA_ARCH == 1100
#  define TILESIM_NV_IS_EXACTLY_SM_110 1
#else
#  define TILESIM_NV_IS_EXACTLY_SM_110 0
#endif
#if TILESIM_CUDA_ARCH >= 1200
#  define TILESIM_NV_PROVIDES_SM_120 1
#else
#  define TILESIM_NV_PROVIDES_SM_120 0
#endif
#if TILESIM_CUDA_ARCH == 1200
#  define TILESIM_NV_IS_EXACTLY_SM_120 1
#else
#  define TILESIM_NV_IS_EXACTLY_SM_120 0
#endif
#if TILESIM_CUDA_ARCH >= 1210
#  define TILESIM_NV_PROVIDES_SM_121 1
#else
#  define TILESIM_NV_PROVIDES_SM_121 0
#endif
#if TILESIM_CUDA_ARCH == 1210
#  define TILESIM_NV_IS_EXACTLY_SM_121 1
#else
#  define TILESIM_NV_IS_EXACTLY_SM_121 0
#endif
#define TILESIM_NV_HAS_FEATURE_SM_90a 0
#define TILESIM_NV_HAS_FEATURE_SM_100a 0
#define TILESIM_NV_HAS_FEATURE_SM_101a 0
#define TILESIM_NV_HAS_FEATURE_SM_103a 0
#define TILESIM_NV_HAS_FEATURE_SM_107a 0
#define TILESIM_NV_HAS_FEATURE_SM_110a 0
#define TILESIM_NV_HAS_FEATURE_SM_120a 0
#define TILESIM_NV_HAS_FEATURE_SM_121a 0
#define TILESIM_NV_HAS_FEATURE_SM_100f 0
#define TILESIM_NV_HAS_FEATURE_SM_103f 0
#define TILESIM_NV_HAS_FEATURE_SM_107f 0
#define TILESIM_NV_HAS_FEATURE_SM_110f 0
#define TILESIM_NV_HAS_FEATURE_SM_120f 0
#define TILESIM_NV_HAS_FEATURE_SM_121f 0

// The code, in parentheses or not: where it is, BARE's call leaves BARE before what is between them;
// where it is not, the name stands before it as it is.
#define TILESIM_NV_STRIP(...) TILESIM_NV_STRIP_NAME(TILESIM_NV_BARE __VA_ARGS__)
#define TILESIM_NV_BARE(...) TILESIM_NV_BARE __VA_ARGS__
#define TILESIM_NV_STRIP_NAME(...) TILESIM_NV_STRIP_AS_IT_IS(__VA_ARGS__)
#define TILESIM_NV_STRIP_AS_IT_IS(...) TILESIM_NV_NO_##__VA_ARGS__
#define TILESIM_NV_NO_TILESIM_NV_BARE
#define TILESIM_NV_JOIN(a, b) TILESIM_NV_JOIN_AS_IT_IS(a, b)
#define TILESIM_NV_JOIN_AS_IT_IS(a, b) a##b

#define TILESIM_NV_CHOOSE_0(yes, no) TILESIM_NV_STRIP(no)
#define TILESIM_NV_CHOOSE_1(yes, no) TILESIM_NV_STRIP(yes)
#define TILESIM_NV_CHOOSE(condition, yes, no, ...) \
  TILESIM_NV_JOIN(TILESIM_NV_CHOOSE_, condition)(yes, no)
#define TILESIM_NV_IF_TARGET(condition, ...) TILESIM_NV_CHOOSE(condition, __VA_ARGS__, (), ~)
#define TILESIM_NV_IF_ELSE_TARGET(condition, yes, no) TILESIM_NV_CHOOSE(condition, yes, no, ~)

// The first of up to eight whose condition holds.
#define TILESIM_NV_DISPATCH_TARGET(...) \
  TILESIM_NV_FIRST_1( \
      __VA_ARGS__, 0, (), 0, (), 0, (), 0, (), 0, (), 0, (), 0, (), 0, (), ~)
#define TILESIM_NV_FIRST_1(condition, code, ...) \
  TILESIM_NV_JOIN(TILESIM_NV_FIRST_1_, condition)(code, __VA_ARGS__)
#define TILESIM_NV_FIRST_1_0(code, ...) TILESIM_NV_FIRST_2(__VA_ARGS__)
#define TILESIM_NV_FIRST_1_1(code, ...) TILESIM_NV_STRIP(code)
#define TILESIM_NV_FIRST_2(condition, code, ...) \
  TILESIM_NV_JOIN(TILESIM_NV_FIRST_2_, condition)(code, __VA_ARGS__)
#define TILESIM_NV_FIRST_2_0(code, ...) TILESIM_NV_FIRST_3(__VA_ARGS__)
#define TILESIM_NV_FIRST_2_1(code, ...) TILESIM_NV_STRIP(code)
#define TILESIM_NV_FIRST_3(condition, code, ...) \
  TILESIM_NV_JOIN(TILESIM_NV_FIRST_3_, condition)(code, __VA_ARGS__)
#define TILESIM_NV_FIRST_3_0(code, ...) TILESIM_NV_FIRST_4(__VA_ARGS__)
#define TILESIM_NV_FIRST_3_1(code, ...) TILESIM_NV_STRIP(code)
#define TILESIM_NV_FIRST_4(condition, code, ...) \
  TILESIM_NV_JOIN(TILESIM_NV_FIRST_4_, condition)(code, __VA_ARGS__)
#define TILESIM_NV_FIRST_4_0(code, ...) TILESIM_NV_FIRST_5(__VA_ARGS__)
#define TILESIM_NV_FIRST_4_1(code, ...) TILESIM_NV_STRIP(code)
#define TILESIM_NV_FIRST_5(condition, code, ...) \
  TILESIM_NV_JOIN(TILESIM_NV_FIRST_5_, condition)(code, __VA_ARGS__)
#define TILESIM_NV_FIRST_5_0(code, ...) TILESIM_NV_FIRST_6(__VA_ARGS__)
#define TILESIM_NV_FIRST_5_1(code, ...) TILESIM_NV_STRIP(code)
#define TILESIM_NV_FIRST_6(condition, code, ...) \
  TILESIM_NV_JOIN(TILESIM_NV_FIRST_6_, condition)(code, __VA_ARGS__)
#define TILESIM_NV_FIRST_6_0(code, ...) TILESIM_NV_FIRST_7(__VA_ARGS__)
#define TILESIM_NV_FIRST_6_1(code, ...) TILESIM_NV_STRIP(code)
#define TILESIM_NV_FIRST_7(condition, code, ...) \
  TILESIM_NV_JOIN(TILESIM_NV_FIRST_7_, condition)(code, __VA_ARGS__)
#define TILESIM_NV_FIRST_7_0(code, ...) TILESIM_NV_FIRST_8(__VA_ARGS__)
#define TILESIM_NV_FIRST_7_1(code, ...) TILESIM_NV_STRIP(code)
#define TILESIM_NV_FIRST_8(condition, code, ...) \
  TILESIM_NV_JOIN(TILESIM_NV_FIRST_8_, condition)(code, __VA_ARGS__)
#define TILESIM_NV_FIRST_8_0(code, ...) 
#define TILESIM_NV_FIRST_8_1(code, ...) TILESIM_NV_STRIP(code)
// NOLINTEND(cppcoreguidelines-macro-usage)
