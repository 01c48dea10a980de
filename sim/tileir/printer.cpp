// A module as text. [Tile IR: syntax of the operations]
//
// One file in spite of its length: one syntax, a function a form.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/tileir/printer.hpp"

#include "sim/tileir/constants.hpp"
#include "sim/tileir/names.hpp"
#include "sim/tileir/number_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cctype>

namespace tilesim::tileir {
namespace {

constexpr unsigned nearest_even = 0;
constexpr unsigned full = 5;
constexpr unsigned nearest_int_to_zero = 6;
/// Tables with more elements than this are printed as bytes.
constexpr std::size_t most_printed = 100;

constexpr std::array comparisons{"equal",
                                 "not_equal",
                                 "less_than",
                                 "less_than_or_equal",
                                 "greater_than",
                                 "greater_than_or_equal"};
constexpr std::array overflows{"none", "no_signed_wrap", "no_unsigned_wrap", "no_wrap"};

const char* sign_name(unsigned sign) {
  return sign == 0 ? "unsigned" : "signed";
}

/// A string in quotes, with what is no printable character as \XX.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\\') {
      result += "\\\\";
    } else if (byte >= 0x20 && byte < 0x7F && c != '"') {
      result += c;
    } else {
      result += fmt::format("\\{:02X}", byte);
    }
  }
  return result + "\"";
}

/// A symbol: bare if it is made of letters, digits and "_$.".
std::string symbol(const std::string& name) {
  bool bare =
      !name.empty() && (std::isalpha(static_cast<unsigned char>(name[0])) != 0 || name[0] == '_');
  for (const char c : name) {
    bare &= std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '.' ||
            c == '-';
  }
  return "@" + (bare ? name : quoted(name));
}

void append_dense(std::string& to,
                  const elements& all,
                  number of,
                  const std::vector<std::int64_t>& shape,
                  std::size_t dimension,
                  std::size_t& next) {
  if (dimension == shape.size()) {
    to += number_text(of, all[next++]);
    return;
  }
  to += "[";
  for (std::int64_t i = 0; i < shape[dimension]; ++i) {
    to += i == 0 ? "" : ", ";
    append_dense(to, all, of, shape, dimension + 1, next);
  }
  to += "]";
}

std::string bytes_text(const elements& all, number of, std::size_t count) {
  std::string text = "\"0x";
  if (of == number::i1) {
    for (std::size_t i = 0; i < count; i += 8) {
      unsigned byte = 0;
      for (std::size_t b = 0; b < 8 && i + b < count; ++b) {
        byte |= static_cast<unsigned>(all[i + b]) << b;
      }
      text += fmt::format("{:02X}", byte);
    }
    return text + "\"";
  }
  const unsigned width = of == number::tf32 ? 3 : (bits(of) + 7) / 8;
  for (std::size_t i = 0; i < count; ++i) {
    for (unsigned b = 0; b < width; ++b) {
      text += fmt::format("{:02X}", all[i] >> (8 * b) & 0xFFU);
    }
  }
  return text + "\"";
}

/// "<f32: 0.000000e+00> : tile<f32>"
std::string dense(const module& m, std::uint32_t constant, const type& t) {
  const number of = t.element->num;
  const elements all(m.constants[constant], of, t.count());
  std::string text;
  if (all.splat()) {
    text = number_text(of, all[0]);
  } else if (t.count() > most_printed) {
    text = bytes_text(all, of, t.count());
  } else {
    std::size_t next = 0;
    append_dense(text, all, of, t.shape, 0, next);
  }
  return fmt::format("<{}: {}> : {}", t.element->text, text, t.text);
}

/// A number with its type, which is left out where it is the usual one, that such a text has.
std::string typed_number(const attribute& a) {
  const number of = a.of->num;
  const std::string text = number_text(of, a.bits);
  const bool usual = of == number::i64 || of == number::i1 ||
                     (of == number::f64 && !text.starts_with("0x")); // hexadecimal: an integer's
  return usual ? text : text + " : " + a.of->text;
}

std::string value_text(const attribute& a) {
  using kind = attribute::kind;
  switch (a.what) {
  case kind::integer:
  case kind::floating:
    return number_text(a.of->num, a.bits);
  case kind::boolean:
    return a.bits != 0 ? "true" : "false";
  case kind::string:
    return quoted(a.text);
  case kind::type:
    return a.of->text;
  case kind::array: {
    std::vector<std::string> items;
    for (const attribute& item : a.items) {
      items.push_back(value_text(item));
    }
    return fmt::format("[{}]", fmt::join(items, ", "));
  }
  case kind::dictionary: {
    std::vector<std::string> items;
    for (const auto& [key, item] : a.entries) {
      items.push_back(fmt::format("{} = {}", key, value_text(item)));
    }
    return fmt::format("{{{}}}", fmt::join(items, ", "));
  }
  default:
    return "?";
  }
}

/// "<default = {latency = 5}>"
std::string hints_text(const attribute& a) {
  const std::string inside = value_text(a);
  return fmt::format("<{}>", inside.substr(1, inside.size() - 2));
}

std::string predicate_text(const attribute& a) {
  using kind = attribute::kind;
  switch (a.what) {
  case kind::div_by:
    return a.first ? fmt::format(
                         "div_by<{}, every {} along {}>", a.bits, *a.first, a.second.value_or(0))
                   : fmt::format("div_by<{}>", a.bits);
  case kind::same_elements:
    return fmt::format("same_elements<[{}]>", fmt::join(a.numbers, ", "));
  default:
    return fmt::format("bounded<{}, {}>",
                       a.first ? fmt::format("{}", *a.first) : "?",
                       a.second ? fmt::format("{}", *a.second) : "?");
  }
}

class printer {
public:
  printer(const module& m, const entry& e, const print_options& options)
      : module_(m)
      , entry_(e)
      , options_(options)
      , names_(name_values(m, e)) {}

  std::string run() {
    std::vector<std::string> parameters;
    for (const value_id v : entry_.body.arguments) {
      parameters.push_back(argument(v));
    }
    text_ = fmt::format("entry {}({})", symbol(entry_.name), fmt::join(parameters, ", "));
    if (entry_.hints && !entry_.hints->entries.empty()) {
      text_ += " optimization_hints=" + hints_text(*entry_.hints);
    }
    text_ += " ";
    print_region(entry_.body, true);
    return std::move(text_) + place(entry_.location) + "\n";
  }

private:
  std::string place(std::uint32_t location) const {
    if (!options_.places) {
      return {};
    }
    const auto frames = module_.frames(location);
    if (frames.empty()) {
      return " // unknown";
    }
    std::string text = " //";
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const frame& f = frames[i];
      text += fmt::format("{} {}:{}", i == 0 ? "" : " <-", f.file, f.line);
      text += f.column == 0 ? "" : fmt::format(":{}", f.column);
    }
    return text;
  }

  const std::string& name(value_id v) const { return names_.of[v]; }
  const type& type_of(value_id v) const { return *entry_.values[v].type; }
  const std::string& type_text(value_id v) const { return type_of(v).text; }
  std::string argument(value_id v) const { return fmt::format("{}: {}", name(v), type_text(v)); }

  std::string operand(const operation& o, std::size_t i) const { return name(o.operands[i]); }
  const std::string& operand_type(const operation& o, std::size_t i) const {
    return type_text(o.operands[i]);
  }

  std::string operands(const operation& o, std::size_t from, std::size_t count) const {
    std::vector<std::string> all;
    for (std::size_t i = from; i < from + count; ++i) {
      all.push_back(operand(o, i));
    }
    return fmt::format("{}", fmt::join(all, ", "));
  }
  std::string operands(const operation& o) const { return operands(o, 0, o.operands.size()); }

  std::string types(const std::vector<value_id>& values) const {
    std::vector<std::string> all;
    all.reserve(values.size());
    for (const value_id v : values) {
      all.push_back(type_text(v));
    }
    return fmt::format("{}", fmt::join(all, ", "));
  }

  void line() {
    text_ += "\n";
    text_.append(indentation_, ' ');
  }

  static bool is_elided(const operation& last, opcode implicit) {
    return last.what == implicit && last.operands.empty();
  }

  /// `all`: the operation at the end, too, even if it could be left out.
  void print_region(const region& r, bool all, opcode implicit = opcode::return_) {
    text_ += "{";
    indentation_ += 2;
    for (const operation& o : r.operations) {
      if (!all && &o == &r.operations.back() && is_elided(o, implicit)) {
        break;
      }
      line();
      print_operation(o);
    }
    indentation_ -= 2;
    line();
    text_ += "}";
  }

  static std::string rounding(const operation& o, unsigned usual) {
    return o.round == usual ? " " : fmt::format(" rounding<{}>", rounding_name(o.round));
  }

  std::string result_type(const operation& o) const { return type_text(o.results[0]); }

  void print_operation(const operation& o) {
    const std::string defined = names_.defined_by(o);
    if (!defined.empty()) {
      text_ += defined + " = ";
    }
    text_ += tileir::name(o.what);
    if (o.what == opcode::for_ || o.what == opcode::loop || o.what == opcode::if_) {
      print_control(o);
    } else if (o.what == opcode::reduce || o.what == opcode::scan) {
      print_combining(o);
    } else if (!print_memory(o) && !print_view(o) && !print_special(o)) {
      print_plain(o);
    }
    text_ += place(entry_.locations[o.number]);
  }

  void print_control(const operation& o) {
    if (o.what == opcode::if_) {
      text_ += fmt::format(" {} ", operand(o, 0));
      if (!o.results.empty()) {
        text_ += fmt::format("-> ({}) ", types(o.results));
      }
      print_region(o.regions[0], false, opcode::yield);
      if (o.regions[1].present) {
        text_ += " else ";
        print_region(o.regions[1], false, opcode::yield);
      }
      return;
    }
    const region& body = o.regions[0];
    const std::size_t first = o.what == opcode::for_ ? 3 : 0;
    const std::size_t first_argument = o.what == opcode::for_ ? 1 : 0;
    if (o.what == opcode::for_) {
      text_ += fmt::format("{} {} in ({} to {}, step {}) : {} ",
                           o.is_unsigned ? " unsigned" : "",
                           body.arguments.empty() ? "?" : name(body.arguments[0]),
                           operand(o, 0),
                           operand(o, 1),
                           operand(o, 2),
                           body.arguments.empty() ? "?" : type_text(body.arguments[0]));
    } else {
      text_ += " ";
    }
    std::vector<std::string> carried;
    std::vector<value_id> inits;
    for (std::size_t i = first; i < o.operands.size(); ++i) {
      const std::size_t a = i - first + first_argument;
      carried.push_back(fmt::format(
          "{} = {}", a < body.arguments.size() ? name(body.arguments[a]) : "?", operand(o, i)));
      inits.push_back(o.operands[i]);
    }
    if (!carried.empty()) {
      text_ += fmt::format("iter_values({}) ", fmt::join(carried, ", "));
    }
    if (o.what == opcode::for_) {
      text_ += carried.empty() ? "" : fmt::format("-> ({}) ", types(inits));
    } else {
      text_ += carried.empty() && o.results.empty() ? "" : ": ";
      text_ += carried.empty() ? "" : types(inits) + " ";
      text_ += carried.empty() || o.results.empty() ? "" : "-> ";
      text_ += o.results.empty() ? "" : types(o.results) + " ";
    }
    print_region(body, false, opcode::continue_);
  }

  void print_combining(const operation& o) {
    std::vector<std::string> identities;
    for (const attribute& a : o.attributes) {
      identities.push_back(typed_number(a));
    }
    text_ += fmt::format(" {} dim={}", operands(o), o.number_attribute);
    if (o.what == opcode::scan) {
      text_ += fmt::format(" reverse={}", o.reverse ? "true" : "false");
    }
    text_ += fmt::format(" identities=[{}] : {} -> {} ",
                         fmt::join(identities, ", "),
                         types(o.operands),
                         types(o.results));
    line();
    std::vector<std::string> arguments;
    for (const value_id v : o.regions[0].arguments) {
      arguments.push_back(argument(v));
    }
    text_ += fmt::format("({}) ", fmt::join(arguments, ", "));
    print_region(o.regions[0], true);
  }

  static std::string ordering(const operation& o) {
    return std::string(" ") + order_name(o.order) +
           (o.scope ? std::string(" ") + scope_name(*o.scope) : "");
  }

  std::string optional_token(const operation& o, const char* between) const {
    return o.token ? fmt::format(" token{}{}", between, operand(o, *o.token)) : "";
  }

  static std::string optional_hints(const operation& o) {
    return o.hints ? fmt::format(" optimization_hints = {}", hints_text(*o.hints)) : "";
  }

  /// Operations through pointers. False: it is none.
  bool print_memory(const operation& o) {
    std::size_t count = 0;
    switch (o.what) {
    case opcode::load_ptr_tko:
      count = 1;
      break;
    case opcode::store_ptr_tko:
    case opcode::atomic_rmw_tko:
      count = 2;
      break;
    case opcode::atomic_cas_tko:
      count = 3;
      break;
    default:
      return false;
    }
    text_ += ordering(o) + " " + operand(o, 0);
    if (o.what == opcode::atomic_rmw_tko) {
      text_ += fmt::format(", {}", mode_name(o.mode));
    }
    // A type for the pointers, one for the values, and those of what may be missing.
    std::string kinds = operand_type(o, 0);
    for (std::size_t i = 1; i < count; ++i) {
      text_ += ", " + operand(o, i);
    }
    if (count > 1) {
      kinds += ", " + operand_type(o, count - 1);
    }
    for (const auto& part : {o.mask, o.padding}) {
      if (part) {
        text_ += ", " + operand(o, *part);
        kinds += ", " + operand_type(o, *part);
      }
    }
    text_ += optional_token(o, "=") + optional_hints(o);
    text_ += fmt::format(" : {} -> {}", kinds, types(o.results));
    return true;
  }

  std::string index_types(const operation& o) const {
    std::vector<std::string> all;
    bool same = true;
    for (std::uint32_t i = 0; i < o.index.count; ++i) {
      all.push_back(operand_type(o, o.index.first + i));
      same &= all.back() == all.front();
    }
    if (all.empty()) {
      return {};
    }
    return ", " + (same ? all.front() : fmt::format("{}", fmt::join(all, ", ")));
  }

  static std::string inbounds_text(const operation& o) {
    bool any = false;
    std::vector<std::string> all;
    for (const bool b : o.inbounds) {
      any |= b;
      all.emplace_back(b ? "true" : "false");
    }
    return any ? fmt::format(" inbounds = [{}]", fmt::join(all, ", ")) : "";
  }

  /// Operations on views. False: it is none.
  bool print_view(const operation& o) {
    if (o.what != opcode::load_view_tko && o.what != opcode::store_view_tko &&
        o.what != opcode::atomic_red_view_tko) {
      return false;
    }
    const bool stores = o.what == opcode::store_view_tko;
    const std::size_t view = stores ? 1 : 0;
    const std::size_t value = stores ? 0 : o.index.first + o.index.count;
    text_ += ordering(o) + " ";
    if (stores) {
      text_ += operand(o, 0) + ", ";
    }
    text_ += fmt::format("{}[{}]", operand(o, view), operands(o, o.index.first, o.index.count));
    if (o.what == opcode::atomic_red_view_tko) {
      text_ += fmt::format(", {}, {}", mode_name(o.mode), operand(o, value));
    }
    text_ += optional_token(o, " = ") + inbounds_text(o) + optional_hints(o) + " : ";
    if (o.what != opcode::load_view_tko) {
      text_ += operand_type(o, value) + ", ";
    }
    text_ += operand_type(o, view) + index_types(o) + " -> " + types(o.results);
    return true;
  }

  std::string mixed(const operation& o, const std::vector<std::int64_t>& numbers, part p) const {
    std::vector<std::string> all;
    std::uint32_t next = 0;
    for (const std::int64_t n : numbers) {
      if (n != dynamic) {
        all.push_back(fmt::format("{}", n));
      } else {
        all.push_back(next < p.count ? operand(o, p.first + next) : "?");
        ++next;
      }
    }
    return fmt::format("{}", fmt::join(all, ", "));
  }

  void print_tensor_view(const operation& o) {
    const type& t = type_of(o.results[0]);
    text_ += fmt::format(" {}, shape = [{}], strides = [{}] : ",
                         operand(o, 0),
                         mixed(o, t.shape, o.index),
                         mixed(o, t.strides, o.strides));
    if (o.operands.size() > 1) {
      text_ += operand_type(o, 1) + " -> ";
    }
    text_ += t.text;
  }

  /// What has a syntax of its own. False: it has not.
  bool print_special(const operation& o) {
    switch (o.what) {
    case opcode::make_tensor_view:
      print_tensor_view(o);
      return true;
    case opcode::constant:
      text_ += " " + dense(module_, o.constant, type_of(o.results[0]));
      return true;
    case opcode::assume:
      text_ += fmt::format(
          " {}, {} : {}", predicate_text(o.attributes[0]), operand(o, 0), result_type(o));
      return true;
    case opcode::assert_:
      text_ += fmt::format(" {}, {} : {}", operand(o, 0), quoted(o.text), operand_type(o, 0));
      return true;
    case opcode::print_tko:
      print_print(o);
      return true;
    case opcode::permute:
      text_ += fmt::format(" {} [{}] : {} -> {}",
                           operand(o, 0),
                           fmt::join(o.permutation, ", "),
                           operand_type(o, 0),
                           result_type(o));
      return true;
    case opcode::extract:
      text_ += fmt::format(" {}[{}] : {} -> {}",
                           operand(o, 0),
                           operands(o, 1, o.operands.size() - 1),
                           operand_type(o, 0),
                           result_type(o));
      return true;
    case opcode::insert:
      text_ += fmt::format(" {}, {}[{}] : {}, {}",
                           operand(o, 0),
                           operand(o, 1),
                           operands(o, 2, o.operands.size() - 2),
                           operand_type(o, 0),
                           result_type(o));
      return true;
    case opcode::get_global:
      text_ += fmt::format(" {} : {}", symbol(o.text), result_type(o));
      return true;
    case opcode::alloca:
      text_ += fmt::format(" num_elem = {}, alignment = {}{} : {}",
                           o.number_attribute,
                           o.alignment,
                           o.global ? " global" : "",
                           result_type(o));
      return true;
    case opcode::get_tensor_shape:
    case opcode::get_index_space_shape:
      text_ += fmt::format(" {} : {} -> {}", operand(o, 0), operand_type(o, 0), result_type(o));
      return true;
    default:
      return print_dependency(o);
    }
  }

  /// Of grids on each other. False: it is none.
  bool print_dependency(const operation& o) {
    if (o.what != opcode::gdc_wait_tko && o.what != opcode::gdc_launch_dependents_tko) {
      return false;
    }
    text_ += fmt::format("{} -> {}", optional_token(o, " = "), result_type(o));
    return true;
  }

  void print_print(const operation& o) {
    text_ += " " + quoted(o.text);
    std::vector<value_id> arguments;
    for (std::uint32_t i = 0; i < o.index.count; ++i) {
      arguments.push_back(o.operands[o.index.first + i]);
    }
    if (!arguments.empty()) {
      text_ += ", " + operands(o, o.index.first, o.index.count);
    }
    text_ += optional_token(o, "=");
    if (!arguments.empty()) {
      text_ += " : " + types(arguments);
    }
    text_ += o.results.empty() ? "" : " -> " + types(o.results);
  }

  /// The modes of an operation that stand between its operands and its types.
  static std::string modes(const operation& o);

  void print_plain(const operation& o) {
    if (o.what == opcode::cmpf) {
      text_ += fmt::format(
          " {} {}", comparisons.at(o.comparison), o.ordering == 0 ? "unordered" : "ordered");
    } else if (o.what == opcode::cmpi) {
      text_ += fmt::format(" {}", comparisons.at(o.comparison));
    }
    if (!o.operands.empty()) {
      text_ += " " + operands(o);
    }
    text_ += modes(o);
    text_ += plain_types(o);
  }

  std::string plain_types(const operation& o) const;

  const module& module_;
  const entry& entry_;
  const print_options& options_;
  value_names names_;
  std::string text_;
  std::size_t indentation_ = 0;
};

std::string printer::modes(const operation& o) {
  std::string ftz = o.flush_to_zero ? " flush_to_zero" : "";
  switch (o.what) {
  case opcode::addi:
  case opcode::subi:
  case opcode::muli:
  case opcode::negi:
  case opcode::shli:
  case opcode::trunci:
    return o.wrap == 0 ? "" : fmt::format(" overflow<{}>", overflows.at(o.wrap));
  case opcode::addf:
  case opcode::subf:
  case opcode::mulf:
  case opcode::divf:
  case opcode::fma:
  case opcode::sqrt:
  case opcode::ftof:
    return rounding(o, nearest_even) + ftz;
  case opcode::exp:
  case opcode::tanh:
    return rounding(o, full);
  case opcode::exp2:
  case opcode::rsqrt:
    return ftz;
  case opcode::maxf:
  case opcode::minf:
    return ftz + (o.propagate_nan ? " propagate_nan" : "");
  case opcode::divi:
    return fmt::format(" {}", sign_name(o.sign)) +
           (o.round == 1 ? "" : fmt::format(" rounding<{}>", rounding_name(o.round)));
  case opcode::remi:
  case opcode::maxi:
  case opcode::mini:
  case opcode::shri:
  case opcode::exti:
    return fmt::format(" {}", sign_name(o.sign));
  case opcode::cmpi:
    return fmt::format(", {}", sign_name(o.sign));
  case opcode::itof:
    return fmt::format(" {}{}", sign_name(o.sign), rounding(o, nearest_even));
  case opcode::ftoi:
    return fmt::format(" {}{}{}",
                       sign_name(o.sign),
                       rounding(o, nearest_int_to_zero),
                       o.saturating ? " saturating" : "");
  case opcode::mmai:
    return fmt::format(" {} {}", sign_name(o.sign), sign_name(o.sign_of_rhs));
  case opcode::mmaf:
    return o.fast_acc ? " fast_acc" : "";
  case opcode::cat:
    return fmt::format(" dim = {}", o.number_attribute);
  default:
    return {};
  }
}

std::string printer::plain_types(const operation& o) const {
  switch (o.what) {
  case opcode::break_:
  case opcode::continue_:
  case opcode::yield:
  case opcode::return_:
    return o.operands.empty() ? "" : " : " + types(o.operands);
  case opcode::offset:
  case opcode::cat:
    return fmt::format(" : {} -> {}", types(o.operands), result_type(o));
  case opcode::mmaf:
  case opcode::mmai:
  case opcode::mmaf_scaled:
  case opcode::fpowi:
    return " : " + types(o.operands);
  case opcode::select:
    return fmt::format(" : {}, {}", operand_type(o, 0), result_type(o));
  case opcode::bitcast:
  case opcode::broadcast:
  case opcode::reshape:
  case opcode::exti:
  case opcode::trunci:
  case opcode::ftof:
  case opcode::ftoi:
  case opcode::itof:
  case opcode::int_to_ptr:
  case opcode::ptr_to_int:
  case opcode::ptr_to_ptr:
  case opcode::cmpf:
  case opcode::cmpi:
  case opcode::pack:
  case opcode::unpack:
    return fmt::format(" : {} -> {}", operand_type(o, 0), result_type(o));
  default:
    return o.results.empty() ? "" : " : " + result_type(o);
  }
}

std::string global_text(const module& m, const global& g) {
  return fmt::format("global {}{}{}{} {}\n",
                     g.is_private ? "private " : " ",
                     g.is_constant ? "constant " : "",
                     symbol(g.name),
                     g.alignment == 0 ? "" : fmt::format(" alignment = {}", g.alignment),
                     dense(m, g.constant, *g.type));
}

} // namespace

const char* order_name(unsigned order) noexcept {
  constexpr std::array names{"weak", "relaxed", "acquire", "release", "acq_rel"};
  return names.at(order);
}

const char* scope_name(unsigned scope) noexcept {
  constexpr std::array names{"tl_blk", "device", "sys"};
  return names.at(scope);
}

const char* mode_name(unsigned mode) noexcept {
  constexpr std::array names{
      "and", "or", "xor", "add", "addf", "max", "min", "umax", "umin", "xchg"};
  return names.at(mode);
}

const char* rounding_name(unsigned rounding) noexcept {
  constexpr std::array names{"nearest_even",
                             "zero",
                             "negative_inf",
                             "positive_inf",
                             "approx",
                             "full",
                             "nearest_int_to_zero",
                             "nearest_away"};
  return names.at(rounding);
}

std::string print(const module& m, const print_options& options) {
  std::string text;
  if (!m.producer.empty()) {
    text += fmt::format("// Producer: {}\n", m.producer);
  }
  for (const global& g : m.globals) {
    text += global_text(m, g);
  }
  for (const entry& e : m.entries) {
    text += printer(m, e, options).run();
  }
  return text;
}

} // namespace tilesim::tileir
