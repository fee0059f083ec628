#include "symbolic/term.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/contract.hpp"

namespace heddle::symbolic {
namespace {

bool commutative(Op op) {
  return op == Op::And || op == Op::Or || op == Op::Xor || op == Op::Add || op == Op::Mul || op == Op::Equal;
}

bool is_comparison(Op op) { return op == Op::Equal || op == Op::ULess || op == Op::SLess; }

}  // namespace

std::uint64_t fold(Op op, std::uint64_t a, std::uint64_t b, unsigned width) noexcept {
  const std::uint64_t mask = mask_of(width);
  const std::int64_t sa = sign_extended(a, width);
  const std::int64_t sb = sign_extended(b, width);
  // The one quotient that does not fit wraps around; as unsigned arithmetic it does so without further ado.
  const bool overflows = sb == -1;
  switch (op) {
    case Op::And: return a & b;
    case Op::Or: return a | b;
    case Op::Xor: return a ^ b;
    case Op::Add: return (a + b) & mask;
    case Op::Sub: return (a - b) & mask;
    case Op::Mul: return (a * b) & mask;
    case Op::UDiv: return b == 0 ? mask : a / b;
    case Op::URem: return b == 0 ? a : a % b;
    case Op::SDiv:
      if (b == 0) return sa < 0 ? 1 : mask;
      return (overflows ? std::uint64_t{0} - a : static_cast<std::uint64_t>(sa / sb)) & mask;
    case Op::SRem:
      if (b == 0) return a;
      return overflows ? 0 : static_cast<std::uint64_t>(sa % sb) & mask;
    case Op::Shl: return b >= width ? 0 : (a << b) & mask;
    case Op::LShr: return b >= width ? 0 : a >> b;
    case Op::AShr: return static_cast<std::uint64_t>(sa >> (b >= width ? 63 : b)) & mask;
    case Op::Equal: return a == b ? 1 : 0;
    case Op::ULess: return a < b ? 1 : 0;
    case Op::SLess: return sa < sb ? 1 : 0;
    default: return 0;
  }
}

std::size_t TermPool::NodeHash::operator()(const Node& node) const noexcept {
  std::uint64_t h = node.value * 0x9E3779B97F4A7C15U + (static_cast<std::uint64_t>(node.op) << 8U) + node.width;
  for (const Term t : {node.a, node.b, node.c}) h = (h ^ t.index) * 0xD6E8FEB86659FD93U, h ^= h >> 32U;
  return h;
}

TermPool::TermPool() {
  false_ = constant(0, 1);
  true_ = constant(1, 1);
}

Term TermPool::intern(const Node& node) {
  if (++built_ % 4096 == 0) check_time();
  const auto [at, added] = interned_.try_emplace(node, Term{static_cast<std::uint32_t>(nodes_.size())});
  if (added) {
    nodes_.push_back(node);
    selection_.push_back(node.op == Op::Constant ||
                         (node.op == Op::Ite && is_selection(node.b) && is_selection(node.c)));
  }
  return at->second;
}

template <class Operation>
Term TermPool::at_leaves(const Node& key, const Operation& operation) {
  if (const auto at = leaves_.find(key); at != leaves_.end()) return at->second;
  const Node choice = node(key.a);
  Node part = key;
  const auto below = [&](Term branch) {
    if (is_constant(branch)) return operation(branch);
    part.a = branch;
    return at_leaves(part, operation);
  };
  const Term yes = below(choice.b);
  const Term result = ite(choice.a, yes, below(choice.c));
  leaves_.emplace(key, result);
  return result;
}

// The values that a selection can have, ascending; none if they are many.
const std::vector<std::uint64_t>& TermPool::selected(Term selection) {
  constexpr std::size_t kMany = 64;
  if (const auto at = selected_.find(selection); at != selected_.end()) return at->second;
  std::vector<std::uint64_t> values;
  if (is_constant(selection)) {
    values.push_back(value(selection));
  } else {
    const std::vector<std::uint64_t>& yes = selected(node(selection).b);
    const std::vector<std::uint64_t>& no = selected(node(selection).c);
    std::set_union(yes.begin(), yes.end(), no.begin(), no.end(), std::back_inserter(values));
    if (yes.empty() || no.empty() || values.size() > kMany) values.clear();
  }
  return selected_.emplace(selection, std::move(values)).first->second;
}

// Both have one of the values that both can have. Nothing if these are many: then their bits are compared.
std::optional<Term> TermPool::selections_equal(Term a, Term b) {
  constexpr std::size_t kMany = 16;
  const std::vector<std::uint64_t>& of_a = selected(a);
  const std::vector<std::uint64_t>& of_b = selected(b);
  std::vector<std::uint64_t> common;
  std::set_intersection(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), std::back_inserter(common));
  if (of_a.empty() || of_b.empty() || common.size() > kMany) return std::nullopt;
  Term same = false_;
  for (const std::uint64_t v : common) {
    const Term wanted = constant(v, width(a));
    const Term first = equal(a, wanted);
    same = disj(same, conj(first, equal(b, wanted)));
  }
  return same;
}

Term TermPool::constant(std::uint64_t value, unsigned width) {
  HEDDLE_REQUIRE(width >= 1 && width <= 64, "a term has 1 to 64 bits");
  return intern({.op = Op::Constant, .width = static_cast<std::uint8_t>(width), .value = value & mask_of(width)});
}

Term TermPool::variable(std::string name, unsigned width) {
  HEDDLE_REQUIRE(width >= 1 && width <= 64, "a term has 1 to 64 bits");
  names_.push_back(std::move(name));
  return intern({.op = Op::Variable, .width = static_cast<std::uint8_t>(width), .value = names_.size() - 1});
}

Term TermPool::negate(Term a) {
  const Node& n = node(a);
  if (n.op == Op::Constant) return constant(~n.value, n.width);
  if (n.op == Op::Not) return n.a;
  return intern({.op = Op::Not, .width = n.width, .a = a});
}

// What is known about an operation without looking deep into its operands; Term{~0} if nothing.
Term TermPool::known(Op op, Term a, Term b) {
  constexpr Term kNothing{~std::uint32_t{0}};
  const unsigned w = width(a);
  if (a == b) {
    switch (op) {
      case Op::And:
      case Op::Or: return a;
      case Op::Xor:
      case Op::Sub: return constant(0, w);
      case Op::Equal: return true_;
      case Op::ULess:
      case Op::SLess: return false_;
      default: break;
    }
  }
  if ((op == Op::And || op == Op::Or) && w == 1) {
    const bool opposite = (node(a).op == Op::Not && node(a).a == b) || (node(b).op == Op::Not && node(b).a == a);
    if (opposite) return truth(op == Op::Or);
  }
  if (!is_constant(b)) return kNothing;
  const std::uint64_t v = value(b);
  switch (op) {
    case Op::And:
      if (v == 0) return b;
      return v == mask_of(w) ? a : kNothing;
    case Op::Or:
      if (v == 0) return a;
      return v == mask_of(w) ? b : kNothing;
    case Op::Xor:
      if (v == 0) return a;
      return v == mask_of(w) ? negate(a) : kNothing;
    case Op::Add:
    case Op::Sub:
    case Op::Shl:
    case Op::LShr:
    case Op::AShr: return v == 0 ? a : kNothing;
    case Op::Mul:
      if (v == 0) return b;
      return v == 1 ? a : kNothing;
    case Op::UDiv:
    case Op::SDiv: return v == 1 ? a : kNothing;
    case Op::ULess: return v == 0 ? false_ : kNothing;
    case Op::Equal:
      if (w == 1) return v == 1 ? a : negate(a);
      return kNothing;
    default: return kNothing;
  }
}

Term TermPool::simplify_binary(Op op, Term a, Term b) {
  const unsigned w = is_comparison(op) ? 1 : width(a);
  if (is_constant(b)) {
    const Node inner = node(a);
    // (x + c) + d and (x + c) == d: constants meet.
    if (op == Op::Add && inner.op == Op::Add && is_constant(inner.b)) {
      return apply(Op::Add, inner.a, constant(value(inner.b) + value(b), inner.width));
    }
    if (op == Op::Equal && inner.op == Op::Add && is_constant(inner.b)) {
      return equal(inner.a, constant(value(b) - value(inner.b), inner.width));
    }
    if (op == Op::Equal && inner.op == Op::ZeroExtend) {
      const unsigned narrow = width(inner.a);
      return value(b) > mask_of(narrow) ? false_ : equal(inner.a, constant(value(b), narrow));
    }
    if (is_selection(a)) {
      const Node key{.op = op, .width = static_cast<std::uint8_t>(w), .a = a, .b = b};
      return at_leaves(key, [&](Term leaf) { return apply(op, leaf, b); });
    }
    // A choice between a constant and something else is compared branch by branch; so is whatever hangs below it.
    if (is_comparison(op) && inner.op == Op::Ite && (is_constant(inner.b) || is_constant(inner.c))) {
      const Term yes = apply(op, inner.b, b);
      return ite(inner.a, yes, apply(op, inner.c, b));
    }
  } else if (op == Op::Equal && is_selection(a) && is_selection(b)) {
    if (const std::optional<Term> same = selections_equal(a, b)) return *same;
  }
  return intern({.op = op, .width = static_cast<std::uint8_t>(w), .a = a, .b = b});
}

Term TermPool::apply(Op op, Term a, Term b) {
  HEDDLE_REQUIRE(width(a) == width(b), "the operands have one width");
  if (is_constant(a) && is_constant(b)) {
    return constant(fold(op, value(a), value(b), width(a)), is_comparison(op) ? 1 : width(a));
  }
  if (op == Op::Sub && is_constant(b)) return apply(Op::Add, a, constant(0 - value(b), width(a)));
  // Constants stand on the right, other operands in the order of their birth.
  if (commutative(op) && (is_constant(a) || (!is_constant(b) && b < a))) std::swap(a, b);
  const Term simple = known(op, a, b);
  return simple.index != ~std::uint32_t{0} ? simple : simplify_binary(op, a, b);
}

Term TermPool::ite(Term condition, Term yes, Term no) {
  HEDDLE_REQUIRE(width(condition) == 1 && width(yes) == width(no), "an ite has a truth value and two equal widths");
  if (is_true(condition)) return yes;
  if (is_false(condition)) return no;
  if (yes == no) return yes;
  if (node(condition).op == Op::Not) return ite(node(condition).a, no, yes);
  if (width(yes) == 1) {
    if (is_true(yes)) return disj(condition, no);
    if (is_false(yes)) return conj(negate(condition), no);
    if (is_true(no)) return disj(negate(condition), yes);
    if (is_false(no)) return conj(condition, yes);
  }
  if (node(no).op == Op::Ite && node(no).a == condition) return ite(condition, yes, node(no).c);
  if (node(yes).op == Op::Ite && node(yes).a == condition) return ite(condition, node(yes).b, no);
  return intern({.op = Op::Ite, .width = node(yes).width, .a = condition, .b = yes, .c = no});
}

Term TermPool::concat(Term high, Term low) {
  const unsigned w = width(high) + width(low);
  if (is_constant(high) && is_constant(low)) return constant((value(high) << width(low)) | value(low), w);
  const std::uint64_t key = (std::uint64_t{high.index} << 32U) | low.index;
  if (const auto known_result = concats_.find(key); known_result != concats_.end()) return known_result->second;
  const Node h = node(high);
  const Node l = node(low);
  Term result;
  if (h.op == Op::Extract && l.op == Op::Extract && h.a == l.a && h.value == l.value + l.width) {
    result = extract(h.a, static_cast<unsigned>(l.value), w);
  } else if (h.op == Op::Ite && l.op == Op::Ite && h.a == l.a) {
    const Term yes = concat(h.b, l.b);
    result = ite(h.a, yes, concat(h.c, l.c));
  } else if (is_constant(high) && value(high) == 0) {
    result = extend(low, w, false);
  } else {
    result = intern({.op = Op::Concat, .width = static_cast<std::uint8_t>(w), .a = high, .b = low});
  }
  concats_.emplace(key, result);
  return result;
}

Term TermPool::extract(Term a, unsigned low, unsigned w) {
  const Node n = node(a);
  HEDDLE_REQUIRE(w >= 1 && low + w <= n.width, "an extract stays inside its operand");
  if (w == n.width) return a;
  switch (n.op) {
    case Op::Constant: return constant(n.value >> low, w);
    case Op::Extract: return extract(n.a, low + static_cast<unsigned>(n.value), w);
    case Op::Concat: {
      const unsigned split = width(n.b);
      if (low + w <= split) return extract(n.b, low, w);
      if (low >= split) return extract(n.a, low - split, w);
      const Term upper = extract(n.a, 0, low + w - split);
      return concat(upper, extract(n.b, low, split - low));
    }
    case Op::ZeroExtend:
    case Op::SignExtend: {
      const unsigned inner = width(n.a);
      if (low + w <= inner) return extract(n.a, low, w);
      if (n.op == Op::ZeroExtend && low >= inner) return constant(0, w);
      if (low == 0) return extend(n.a, w, n.op == Op::SignExtend);
      break;
    }
    case Op::Ite:
      if (is_selection(a)) {
        const Node key{.op = Op::Extract, .width = static_cast<std::uint8_t>(w), .a = a, .value = low};
        return at_leaves(key, [&](Term leaf) { return extract(leaf, low, w); });
      }
      if (is_constant(n.b) || is_constant(n.c)) {
        const Term yes = extract(n.b, low, w);
        return ite(n.a, yes, extract(n.c, low, w));
      }
      break;
    default: break;
  }
  return intern({.op = Op::Extract, .width = static_cast<std::uint8_t>(w), .a = a, .value = low});
}

Term TermPool::extend(Term a, unsigned w, bool is_signed) {
  const Node n = node(a);
  if (w == n.width) return a;
  HEDDLE_REQUIRE(w > n.width && w <= 64, "an extension widens");
  if (n.op == Op::Constant) {
    return constant(is_signed ? static_cast<std::uint64_t>(sign_extended(n.value, n.width)) : n.value, w);
  }
  if (n.op == Op::ZeroExtend) return extend(n.a, w, false);
  const Node key{.op = is_signed ? Op::SignExtend : Op::ZeroExtend, .width = static_cast<std::uint8_t>(w), .a = a};
  if (is_selection(a)) return at_leaves(key, [&](Term leaf) { return extend(leaf, w, is_signed); });
  return intern(key);
}

Term TermPool::resize(Term a, unsigned w, bool is_signed) {
  return w <= width(a) ? extract(a, 0, w) : extend(a, w, is_signed);
}

// Depth-first with an explicit stack: unrolled terms are as deep as executions are long.
Term Substitution::operator()(Term root) {
  std::vector<Term> stack{root};
  while (!stack.empty()) {
    const Term term = stack.back();
    if (memo_.contains(term)) {
      stack.pop_back();
      continue;
    }
    const Node n = pool_.node(term);
    if (n.op == Op::Constant || n.op == Op::Variable) {
      memo_[term] = n.op == Op::Variable && rule_ ? rule_(term) : term;
      stack.pop_back();
      continue;
    }
    const std::array<Term, 3> parts{n.a, n.b, n.c};
    bool ready = true;
    for (unsigned i = 0; i < operands(n.op); ++i) {
      if (memo_.contains(parts[i])) continue;
      stack.push_back(parts[i]);
      ready = false;
    }
    if (!ready) continue;
    stack.pop_back();
    const Term a = memo_.at(n.a);
    Term result;
    switch (n.op) {
      case Op::Not: result = pool_.negate(a); break;
      case Op::Extract: result = pool_.extract(a, static_cast<unsigned>(n.value), n.width); break;
      case Op::ZeroExtend: result = pool_.extend(a, n.width, false); break;
      case Op::SignExtend: result = pool_.extend(a, n.width, true); break;
      case Op::Ite: result = pool_.ite(a, memo_.at(n.b), memo_.at(n.c)); break;
      case Op::Concat: result = pool_.concat(a, memo_.at(n.b)); break;
      default: result = pool_.apply(n.op, a, memo_.at(n.b)); break;
    }
    memo_[term] = result;
  }
  return memo_.at(root);
}

namespace {

std::uint64_t value_of_parts(const TermPool& pool, const Node& n, const Values& known) {
  const std::uint64_t a = known.at(n.a);
  switch (n.op) {
    case Op::Not: return ~a & mask_of(n.width);
    case Op::Extract: return (a >> n.value) & mask_of(n.width);
    case Op::ZeroExtend: return a;
    case Op::SignExtend: return static_cast<std::uint64_t>(sign_extended(a, pool.width(n.a))) & mask_of(n.width);
    case Op::Ite: return known.at(a != 0 ? n.b : n.c);
    case Op::Concat: return (a << pool.width(n.b)) | known.at(n.b);
    default: return fold(n.op, a, known.at(n.b), pool.width(n.a));
  }
}

}  // namespace

std::uint64_t value_of(const TermPool& pool, Term root, Values& known,
                       const std::function<std::uint64_t(Term)>& variable) {
  std::vector<Term> stack{root};
  while (!stack.empty()) {
    const Term term = stack.back();
    if (known.contains(term)) {
      stack.pop_back();
      continue;
    }
    const Node& n = pool.node(term);
    if (operands(n.op) == 0) {
      known.emplace(term, n.op == Op::Constant ? n.value : variable(term));
      continue;
    }
    const std::array<Term, 3> parts{n.a, n.b, n.c};
    bool ready = true;
    for (unsigned i = 0; i < operands(n.op); ++i) {
      if (known.contains(parts[i])) continue;
      stack.push_back(parts[i]);
      ready = false;
    }
    if (!ready) continue;
    stack.pop_back();
    known.emplace(term, value_of_parts(pool, n, known));
  }
  return known.at(root);
}

std::string to_text(const TermPool& pool, Term term) {
  const Node& n = pool.node(term);
  const auto inner = [&](Term t) { return to_text(pool, t); };
  const auto infix = [&](const char* sign) { return "(" + inner(n.a) + " " + sign + " " + inner(n.b) + ")"; };
  switch (n.op) {
    case Op::Constant: return std::to_string(n.value);
    case Op::Variable: return pool.name(term);
    case Op::Not:
      if (n.width == 1 && pool.node(n.a).op == Op::Equal) {
        return "(" + inner(pool.node(n.a).a) + " != " + inner(pool.node(n.a).b) + ")";
      }
      return (n.width == 1 ? "!" : "~") + inner(n.a);
    case Op::And: return infix(n.width == 1 ? "&&" : "&");
    case Op::Or: return infix(n.width == 1 ? "||" : "|");
    case Op::Xor: return infix("^");
    case Op::Add: return infix("+");
    case Op::Sub: return infix("-");
    case Op::Mul: return infix("*");
    case Op::UDiv:
    case Op::SDiv: return infix("/");
    case Op::URem:
    case Op::SRem: return infix("%");
    case Op::Shl: return infix("<<");
    case Op::LShr:
    case Op::AShr: return infix(">>");
    case Op::Equal: return infix("==");
    case Op::ULess: return infix("<u");
    case Op::SLess: return infix("<");
    case Op::Ite: return "(" + inner(n.a) + " ? " + inner(n.b) + " : " + inner(n.c) + ")";
    case Op::Concat: return "(" + inner(n.a) + " . " + inner(n.b) + ")";
    case Op::Extract:
      return inner(n.a) + "[" + std::to_string(n.value) + ".." + std::to_string(n.value + n.width - 1) + "]";
    case Op::ZeroExtend:
    case Op::SignExtend: return inner(n.a);
  }
  return "";
}

}  // namespace heddle::symbolic
