# Warnings and sanitizers for our own targets; never for a consumer's.
# SPDX-License-Identifier: Apache-2.0

function(tilesim_target target)
  target_compile_options(
    ${target}
    PRIVATE -Wall
            -Wextra
            -Wpedantic
            -Wconversion
            -Wsign-conversion
            -Wshadow
            -Wold-style-cast
            -Woverloaded-virtual
            -Wcast-qual
            -Wnon-virtual-dtor
            # Designated initialisers leave members at their defaults on purpose.
            -Wno-missing-field-initializers
            $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond;-Wzero-as-null-pointer-constant>
            $<$<BOOL:${TILESIM_WERROR}>:-Werror>
            # g++ looks for garbage when its heap has grown by a part of what it is; here later: a fifth more
            # memory (1.8 GB at most), some 10 % less time.
            $<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:--param=ggc-min-expand=200;--param=ggc-min-heapsize=524288>)
  if(TILESIM_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${TILESIM_SANITIZE} -fno-omit-frame-pointer
                                             -fno-sanitize-recover=all)
    if(TILESIM_SANITIZE MATCHES "undefined")
      # CUDA's C interface takes any number for an enumerator, and we say which ones are wrong.
      target_compile_options(${target} PRIVATE -fno-sanitize=enum)
    endif()
    target_link_options(${target} PRIVATE -fsanitize=${TILESIM_SANITIZE})
  endif()
endfunction()
