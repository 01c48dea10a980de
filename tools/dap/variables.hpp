// What an editor shows as a tree: locals, buffers, tiles by rows, structs, the last operation.
//
// A reference stands for something that can be expanded, until the program moves on.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/step/session.hpp"

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace tilesim::tools::dap {

/// Which children a "variables" request wants.
struct page {
  std::string filter; ///< "indexed", "named", or empty for all
  std::size_t start = 0;
  std::size_t count = 0; ///< 0: all
};

class variables {
public:
  explicit variables(step::session& s)
      : session_(s) {}

  /// References that were given out mean nothing any more.
  void forget();

  /// The scopes of a frame of the block that stands here, or, with `other`, of that one.
  [[nodiscard]] nlohmann::json scopes(std::size_t frame, const step::protocol::live_thread* other);

  /// Throws step::refused.
  [[nodiscard]] nlohmann::json children(std::int64_t reference, const page& p);

  /// An expression's value, as the body of "evaluate" without its "result". Throws step::refused.
  struct evaluated {
    nlohmann::json body;
    step::protocol::value value;
  };
  [[nodiscard]] evaluated
  evaluate(const std::string& expression, std::size_t frame, std::size_t most);

  /// The expression that a child of a reference stands for; nothing if there is none.
  [[nodiscard]] std::optional<std::string> expression_of(std::int64_t reference,
                                                         const std::string& child) const;

  /// A value on one line, long ones cut short.
  [[nodiscard]] static std::string preview(const step::protocol::value& value);

private:
  struct block_fields : step::protocol::live_thread {
    bool stands_here = false;
    std::uint64_t position = 0; ///< of one that stands here
  };
  struct node {
    enum class kind { locals, buffers, operation, access, block, value, pointer };
    kind what = kind::value;
    std::size_t frame = 0;
    std::string expression; ///< empty for what has none: then all elements are in `value`
    // What it is of, as `what` says. Shared: rows are parts of one value.
    std::shared_ptr<const step::protocol::value> value = {};
    std::shared_ptr<const step::protocol::operation> operation = {};
    std::shared_ptr<const step::protocol::access> access = {};
    std::shared_ptr<const block_fields> block = {};
    std::size_t offset = 0;    ///< its first element in the value's texts
    std::size_t dimension = 0; ///< of the value's shape, where it begins
    std::size_t first = 0;     ///< the range of its first dimension that it shows
    std::size_t last = 0;
  };

  [[nodiscard]] const node& at(std::int64_t reference) const;
  std::int64_t keep(node n);
  step::protocol::value
  value_of(const std::string& expression, std::size_t frame, std::size_t most);
  nlohmann::json variable(const std::string& name, node n);
  nlohmann::json locals(std::size_t frame);
  nlohmann::json buffers();
  nlohmann::json operation(const node& n);
  static nlohmann::json access(const node& n);
  static nlohmann::json block(const node& n);
  nlohmann::json members(const node& n);
  nlohmann::json elements(const node& n, const page& p);
  nlohmann::json ranges(const node& n);
  nlohmann::json fetched(const node& n, std::size_t begin, std::size_t end);

  step::session& session_;
  std::vector<node> nodes_;
  std::int64_t first_reference_ = 1;
};

} // namespace tilesim::tools::dap
