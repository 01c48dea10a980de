// Reading PTX, as asm statements hold it: instructions, declarations of registers, braces.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/ptx/text.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdlib>
#include <map>

namespace tilesim::sim::ptx {

bool instruction::has(std::string_view word) const {
  return std::find(words.begin(), words.end(), word) != words.end();
}

namespace {

bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

class reader {
public:
  explicit reader(std::string_view text)
      : text_(text) {}

  statement take() {
    while (problem_.empty() && !at_end()) {
      if (accept('{') || accept('}') || accept(';')) {
        continue;
      }
      if (peek() == '.') {
        declaration();
      } else {
        one();
      }
    }
    made_.registers = static_cast<unsigned>(registers_.size());
    made_.problem = problem_;
    return std::move(made_);
  }

private:
  void skip() {
    while (at_ < text_.size()) {
      if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
        ++at_;
      } else if (text_.substr(at_, 2) == "//") {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (text_.substr(at_, 2) == "/*") {
        const auto end = text_.find("*/", at_);
        at_ = end == std::string_view::npos ? text_.size() : end + 2;
      } else {
        return;
      }
    }
  }
  bool at_end() {
    skip();
    return at_ == text_.size();
  }
  char peek() {
    skip();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char c) {
    const bool there = peek() == c;
    at_ += there ? 1 : 0;
    return there;
  }
  void expect(char c) {
    if (!accept(c) && problem_.empty()) {
      problem_ = std::string("'") + c + "' is expected";
    }
  }
  std::string word(std::string_view more = {}) {
    skip();
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           (is_name(text_[at_]) || more.find(text_[at_]) != std::string_view::npos)) {
      ++at_;
    }
    if (begin == at_ && problem_.empty()) {
      problem_ = "a name is expected";
    }
    return std::string(text_.substr(begin, at_ - begin));
  }

  /// .reg .u32 a, b, t<4>;
  void declaration() {
    const std::string what = word(".");
    if (!what.starts_with(".reg")) {
      problem_ = what;
      return;
    }
    if (peek() == '.') {
      word(".");
    }
    do {
      const std::string name = word("%");
      if (accept('<')) {
        const int count = std::atoi(word().c_str());
        expect('>');
        for (int i = 0; i < count; ++i) {
          registers_.try_emplace(name + std::to_string(i), registers_.size());
        }
      } else {
        registers_.try_emplace(name, registers_.size());
      }
    } while (problem_.empty() && accept(','));
    expect(';');
  }

  void one() {
    instruction i;
    if (accept('@')) {
      i.guarded = true;
      i.negated = accept('!');
      const operand guard = simple();
      i.guard = guard.number;
      if (guard.what != operand::kind::reg) {
        problem_ = "a guard is a register of the statement's own";
      }
    }
    i.opcode = word(".:");
    for (std::size_t from = 0; from <= i.opcode.size();) {
      const std::size_t to = std::min(i.opcode.find('.', from), i.opcode.size());
      i.words.push_back(i.opcode.substr(from, to - from));
      from = to + 1;
    }
    while (problem_.empty() && peek() != ';') {
      i.operands.push_back(any());
      if (!accept(',')) {
        break;
      }
    }
    expect(';');
    made_.instructions.push_back(std::move(i));
  }

  operand any() {
    if (accept('{')) {
      operand v{.what = operand::kind::vector, .name = {}, .parts = {}};
      do {
        v.parts.push_back(simple());
      } while (problem_.empty() && accept(','));
      expect('}');
      return v;
    }
    if (accept('[')) {
      operand a{.what = operand::kind::address, .name = {}, .parts = {simple()}};
      if (accept('+')) {
        a.bits = simple().bits;
      }
      expect(']');
      return a;
    }
    operand first = simple();
    if (accept('|')) {
      return {.what = operand::kind::with_flag, .name = {}, .parts = {std::move(first), simple()}};
    }
    return first;
  }

  operand simple() {
    const bool negative = accept('-');
    if (std::isdigit(static_cast<unsigned char>(peek())) != 0) {
      operand c = constant();
      c.bits = negative ? 0 - c.bits : c.bits;
      return c;
    }
    if (accept('%')) {
      accept('%');
      if (std::isdigit(static_cast<unsigned char>(peek())) != 0) {
        return {.what = operand::kind::argument,
                .number = static_cast<unsigned>(std::atoi(word().c_str())),
                .name = {},
                .parts = {}};
      }
      return {.what = operand::kind::special, .name = word("."), .parts = {}};
    }
    const std::string name = word();
    if (name == "_") {
      return {};
    }
    const auto known = registers_.find(name);
    if (known == registers_.end()) {
      if (problem_.empty()) {
        problem_ = name + " is not declared";
      }
      return {};
    }
    return {.what = operand::kind::reg,
            .number = static_cast<unsigned>(known->second),
            .name = {},
            .parts = {}};
  }

  /// 12, 0x1f, 12U, 0f3F800000, 0d3FF0000000000000.
  operand constant() {
    const std::string digits = word();
    operand c{.what = operand::kind::constant, .name = {}, .parts = {}};
    const bool pattern =
        digits.size() > 2 && digits[0] == '0' &&
        (digits[1] == 'f' || digits[1] == 'F' || digits[1] == 'd' || digits[1] == 'D') &&
        (digits.size() == 10 || digits.size() == 18);
    c.bits =
        std::strtoull(pattern ? digits.c_str() + 2 : digits.c_str(), nullptr, pattern ? 16 : 0);
    return c;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  statement made_;
  std::string problem_;
  std::map<std::string, std::size_t> registers_;
};

} // namespace

statement read(std::string_view text) {
  return reader(text).take();
}

} // namespace tilesim::sim::ptx
