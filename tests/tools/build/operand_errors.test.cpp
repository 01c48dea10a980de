// What compilers say of operands that do not go together, and what is made of it.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/operand_errors.hpp"

#include <string>
#include <support/catch.hpp>

using tilesim::tools::with_operands_explained;

namespace {

const std::string signed_tile =
    "cuda::tiles::__1::tile<int, cuda::tiles::__1::extents<unsigned int, 64> >";

std::string gcc(const std::string& op, const std::string& left, const std::string& right) {
  return "u.cu: In function ‘void k(float*)’:\nu.cu:5:29: error: no match for ‘operator" + op +
         "’ (operand types are ‘" + left + "’ and ‘" + right + "’)\n";
}

const std::string candidates =
    "In file included from /opt/api/tilesim/extents.hpp:9,\n                 from u.cu:1:\n"
    "/opt/api/tilesim/constants.hpp:28:41: note: candidate: ‘template<auto L> …’\n"
    "   28 |   constexpr int operator op(integral_constant<L>,\n      |       ^~~~~~~~\n"
    "/opt/api/tilesim/convert.hpp: In substitution of ‘template<class L, class R> …’:\n"
    "u.cu:5:46:   required from here\n";

const std::string next = "u.cu: In function ‘int main()’:\nu.cu:9:3: error: ‘x’ was not declared\n";

} // namespace

TEST_CASE("operands without a common element type are one line", "[tools]") {
  const std::string head = gcc("+", "unsigned int", signed_tile);
  const std::string why =
      "u.cu:5:29: note: beside a tile of int a scalar becomes int, to which unsigned int narrows: "
      "write static_cast<int>(…) around the scalar, or ct::element_cast<unsigned int>(…) around "
      "the "
      "tile\n";
  CHECK(with_operands_explained(head + candidates + next) == head + why + next);
  CHECK(with_operands_explained(head + candidates) == head + why);
  CHECK(with_operands_explained(head) == head + why);
  const std::string coloured = "\x1b[01m\x1b[Ku.cu:5:29:\x1b[m\x1b[K \x1b[01;31m\x1b[Kerror: "
                               "\x1b[m\x1b[Kno match for ‘\x1b[01m\x1b[Koperator*\x1b[m\x1b[K’ "
                               "(operand types are ‘\x1b[01m\x1b[Ktile\x1b[m\x1b[K’ {aka ‘" +
                               signed_tile + "’} and ‘float’)\n";
  CHECK(with_operands_explained(coloured + candidates) ==
        coloured +
            "u.cu:5:29: note: beside a tile of int a scalar becomes int, to which float narrows: "
            "write static_cast<int>(…) around the scalar, or ct::element_cast<float>(…) around the "
            "tile\n");
}

TEST_CASE("clang++ names the operands only", "[tools]") {
  const std::string head =
      "u.cu:5:29: error: invalid operands to binary expression ('cuda::tiles::tile<int, "
      "cuda::tiles::extents<unsigned int, 64>>' and 'utile' (aka 'cuda::tiles::tile<unsigned int, "
      "cuda::tiles::extents<unsigned int, 64>>'))\n  auto l = i < u;\n           ~ ^ ~\n";
  const std::string notes = "/opt/api/tilesim/arithmetic.hpp:201:28: note: because 'x' evaluated "
                            "to false\ntemplate <class L>\n          ^\n";
  CHECK(with_operands_explained(head + notes + "1 error generated.\n") ==
        head + "u.cu:5:29: note: elements of int and unsigned int have no common type that neither "
               "narrows to: write ct::element_cast<int>(…) around the right side, or "
               "ct::element_cast<unsigned int>(…) around the left\n1 error generated.\n");
}

TEST_CASE("shapes that do not broadcast are told as such", "[tools]") {
  const std::string head =
      gcc("+",
          "cuda::tiles::__1::tile<int, cuda::tiles::__1::extents<unsigned int, 4, 64> >",
          "cuda::tiles::__1::tile<long int, cuda::tiles::__1::extents<unsigned int, 32> >");
  CHECK(with_operands_explained(head + candidates) ==
        head + "u.cu:5:29: note: the shapes [4x64] and [32] do not broadcast to one: from the last "
               "dimension on, extents are to be equal, or one of them 1\n");
}

TEST_CASE("what has another reason stays as it was", "[tools]") {
  for (const std::string& text :
       {gcc("%",
            "cuda::tiles::__1::tile<float, cuda::tiles::__1::extents<unsigned int, 64> >",
            "float"),
        gcc("+=", signed_tile, "unsigned int"),
        gcc("<<", signed_tile, "unsigned int"),
        gcc("+", "own", signed_tile),
        gcc("+", "int", "own"),
        std::string("collect2: error: ld\n")}) {
    CHECK(with_operands_explained(text + candidates + next) == text + candidates + next);
  }
}

TEST_CASE("an atomic operation without a memory order is told how it is given one", "[tools]") {
  const std::string candidate =
      "/opt/api/tilesim/atomic.hpp:294:1: note: candidate: ‘template<memory_order Order> …’\n";
  const std::string why = "u.cu:5:17: note: atomic_add takes its memory order and thread scope as "
                          "objects of types of their own: atomic_add(…, "
                          "ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{})\n";
  const auto gcc_call = [](const std::string& callee) {
    return "u.cu:5:17: error: no matching function for call to ‘" + callee + "(" + signed_tile +
           "&, " + signed_tile + ")’\n    5 |   ct::atomic_add(p, v);\n";
  };
  const std::string none = "u.cu:5:17: note:   couldn’t deduce template parameter ‘Order’\n";
  const std::string other =
      "u.cu:5:17: note:   mismatched types ‘memory_order_constant<Order>’ and "
      "‘cuda::tiles::__1::memory_order’\n";
  for (const std::string& reason : {none, other}) {
    const std::string head = gcc_call("atomic_add");
    CHECK(with_operands_explained(head + candidate + reason + next) == head + why + next);
    const std::string member = gcc_call("cuda::tiles::view<int, layout<2> >::atomic_add");
    CHECK(with_operands_explained(member + candidate + reason + next) == member + why + next);
  }
  const std::string clang = "u.cu:5:17: error: no matching function for call to 'atomic_add'\n";
  for (const std::string reason :
       {"note: candidate template ignored: couldn't infer template argument 'Order'",
        "note: candidate template ignored: could not match "
        "'memory_order_constant<Order>' against 'cuda::tiles::memory_order'"}) {
    CHECK(with_operands_explained(clang + "/opt/api/tilesim/atomic.hpp:294:1: " + reason + "\n" +
                                  next) == clang + why + next);
  }
  // Of another reason, of what has an overload without an order, and of the error behind it.
  for (const std::string& text :
       {gcc_call("atomic_add") + candidate + "u.cu:5:17: note: constraints not satisfied\n",
        gcc_call("load") + candidate + none,
        gcc_call("atomic_add") + next + candidate + none}) {
    CHECK(with_operands_explained(text) == text);
  }
}

TEST_CASE("a launch's values are told in the user's words", "[tools]") {
  const std::string why =
      "u.cu:5:29: note: the values in <<<...>>> are the grid, the block, bytes of shared "
      "memory, and the stream\n";
  const std::string header = "In file included from /opt/api/cuda_runtime.h:23,\n"
                             "/opt/api/tilesim/launch.hpp:66:27: note: declared here\n";
  CHECK(with_operands_explained(
            "u.cu:5:29: error: too many arguments to function ‘tilesim::detail::launch_config "
            "tilesim::detail::configure(dim3, dim3, std::size_t, CUstream_st*)’\n" +
            header + next) ==
        "u.cu:5:29: error: a kernel launch takes 1 to 4 values in <<<...>>>\n" + why + next);
  CHECK(with_operands_explained(
            "u.cu:5:29: error: cannot convert ‘double’ to ‘CUstream_st*’\n" + header +
            "/opt/api/tilesim/launch.hpp:69:50: note:   initializing argument 4 of "
            "‘tilesim::detail::launch_config tilesim::detail::configure(dim3)’\n") ==
        "u.cu:5:29: error: cannot convert ‘double’ to ‘cudaStream_t’\n" + why);
  CHECK(with_operands_explained(
            "u.cu:5:29: error: cannot initialize a parameter of type 'CUstream_st *' with an "
            "rvalue of "
            "type 'double'\n/opt/api/tilesim/launch.hpp:69:50: note: passing argument to parameter "
            "'stream' here\n   CUstream_st* stream = nullptr) {\n                ^\n1 error "
            "generated.\n") == "u.cu:5:29: error: cannot initialize a parameter of type "
                               "'cudaStream_t' with an rvalue of type "
                               "'double'\n" +
                                   why + "1 error generated.\n");
}
