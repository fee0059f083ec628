// Terms: bit-vector expressions of 1 to 64 bits, shared and simplified as they are built. A truth value is a term of
// width 1. All arithmetic wraps around, as in C's unsigned types and in the machine.
//
// A term is a number; two terms of one pool are the same expression iff the numbers are equal. That makes "did this
// write change the value?" often decidable without a solver, and keeps unrolled programs linear in size.
//
// A selection is a constant or an ite between selections: what a program counter, an index or a pointer becomes when it
// is unrolled. Operations with a constant go down to its leaves, so that addresses are compared and not computed, and
// two selections are equal where both select a value that both can select: a solver of propositional logic learns from
// such conditions, and not from the bits of sums.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace heddle::symbolic {

enum class Op : std::uint8_t {
  Constant,
  Variable,
  Not,
  And,
  Or,
  Xor,
  Add,
  Sub,
  Mul,
  UDiv,  // division by zero is never evaluated: the front end checks the divisor first
  SDiv,
  URem,
  SRem,
  Shl,  // a shift by the width or more gives 0 (AShr: the sign), as in SMT-LIB
  LShr,
  AShr,
  Equal,
  ULess,
  SLess,
  Ite,
  Concat,   // first operand: upper bits
  Extract,  // value = lowest bit taken
  ZeroExtend,
  SignExtend,
};

struct Term {
  std::uint32_t index = 0;
  friend constexpr bool operator==(Term, Term) = default;
  friend constexpr auto operator<=>(Term, Term) = default;
};

struct TermHash {
  std::size_t operator()(Term term) const noexcept { return term.index * std::size_t{0x9E3779B97F4A7C15}; }
};

struct Node {
  Op op = Op::Constant;
  std::uint8_t width = 1;
  Term a{}, b{}, c{};
  std::uint64_t value = 0;  // of a constant; number of a variable; lowest bit of an Extract
  friend bool operator==(const Node&, const Node&) = default;
};

// Thrown by whatever builds terms when the time for that is up.
struct OutOfTime {};

// How many operands an operation has: none, 1, 2, or 3 for an ite.
[[nodiscard]] constexpr unsigned operands(Op op) noexcept {
  switch (op) {
    case Op::Constant:
    case Op::Variable: return 0;
    case Op::Not:
    case Op::Extract:
    case Op::ZeroExtend:
    case Op::SignExtend: return 1;
    case Op::Ite: return 3;
    default: return 2;
  }
}

class TermPool {
 public:
  using Clock = std::chrono::steady_clock;

  TermPool();

  // Building terms after this throws OutOfTime. Formulas can take longer to build than to solve, and all of them are
  // built here.
  void limit(Clock::time_point end) noexcept { end_ = end; }
  // From another thread: likewise from now on.
  void stop() noexcept { stopped_ = true; }
  // Throws OutOfTime likewise; for what takes long and builds no terms.
  void check_time() const {
    const bool late = end_ != Clock::time_point::max() && Clock::now() > end_;
    if (late || stopped_) throw OutOfTime{};
  }

  [[nodiscard]] Term constant(std::uint64_t value, unsigned width);
  [[nodiscard]] Term truth(bool value) const noexcept { return value ? true_ : false_; }
  // A new variable; the name is for people and need not be unique.
  [[nodiscard]] Term variable(std::string name, unsigned width);

  [[nodiscard]] Term negate(Term a);  // bitwise not
  [[nodiscard]] Term apply(Op op, Term a, Term b);
  [[nodiscard]] Term conj(Term a, Term b) { return apply(Op::And, a, b); }
  [[nodiscard]] Term disj(Term a, Term b) { return apply(Op::Or, a, b); }
  [[nodiscard]] Term equal(Term a, Term b) { return apply(Op::Equal, a, b); }
  [[nodiscard]] Term differ(Term a, Term b) { return negate(equal(a, b)); }
  [[nodiscard]] Term add(Term a, std::uint64_t b) { return apply(Op::Add, a, constant(b, width(a))); }
  [[nodiscard]] Term ite(Term condition, Term yes, Term no);
  [[nodiscard]] Term concat(Term high, Term low);
  [[nodiscard]] Term extract(Term a, unsigned low, unsigned width);
  [[nodiscard]] Term extend(Term a, unsigned width, bool is_signed);
  // To this width, whichever way: cut off, or extended.
  [[nodiscard]] Term resize(Term a, unsigned width, bool is_signed);

  [[nodiscard]] const Node& node(Term term) const noexcept { return nodes_[term.index]; }
  [[nodiscard]] unsigned width(Term term) const noexcept { return nodes_[term.index].width; }
  [[nodiscard]] bool is_constant(Term term) const noexcept { return nodes_[term.index].op == Op::Constant; }
  [[nodiscard]] std::uint64_t value(Term term) const noexcept { return nodes_[term.index].value; }
  [[nodiscard]] bool is_true(Term term) const noexcept { return term == true_; }
  [[nodiscard]] bool is_false(Term term) const noexcept { return term == false_; }
  [[nodiscard]] const std::string& name(Term variable) const { return names_[value(variable)]; }
  [[nodiscard]] std::size_t size() const noexcept { return nodes_.size(); }

 private:
  struct NodeHash {
    std::size_t operator()(const Node& node) const noexcept;
  };
  Term intern(const Node& node);
  Term simplify_binary(Op op, Term a, Term b);
  Term known(Op op, Term a, Term b);
  [[nodiscard]] bool is_selection(Term term) const noexcept { return selection_[term.index]; }
  // The operation, on the leaves of a selection; `key` is the term that it would be otherwise.
  template <class Operation>
  Term at_leaves(const Node& key, const Operation& operation);
  const std::vector<std::uint64_t>& selected(Term selection);
  std::optional<Term> selections_equal(Term a, Term b);

  Clock::time_point end_ = Clock::time_point::max();
  std::atomic<bool> stopped_ = false;
  std::uint64_t built_ = 0;  // calls of intern
  std::vector<Node> nodes_;
  std::vector<std::string> names_;
  std::unordered_map<Node, Term, NodeHash> interned_;
  std::vector<bool> selection_;                      // per node
  std::unordered_map<Node, Term, NodeHash> leaves_;  // results of at_leaves
  std::unordered_map<Term, std::vector<std::uint64_t>, TermHash> selected_;
  std::unordered_map<std::uint64_t, Term> concats_;  // results of concat, by operands
  Term true_, false_;
};

[[nodiscard]] constexpr std::uint64_t mask_of(unsigned width) noexcept {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}
[[nodiscard]] constexpr std::int64_t sign_extended(std::uint64_t value, unsigned width) noexcept {
  return static_cast<std::int64_t>(value << (64 - width)) >> (64 - width);
}
// The value of an operation on constants of this width.
[[nodiscard]] std::uint64_t fold(Op op, std::uint64_t a, std::uint64_t b, unsigned width) noexcept;

// Replaces variables by terms. Remembers what it has replaced, so one object serves many terms that share parts.
class Substitution {
 public:
  explicit Substitution(TermPool& pool) : pool_(pool) {}
  void bind(Term variable, Term term) { memo_[variable] = term; }
  // What a variable without a binding becomes; by default itself.
  void otherwise(std::function<Term(Term)> rule) { rule_ = std::move(rule); }
  [[nodiscard]] Term operator()(Term term);

 private:
  TermPool& pool_;
  std::function<Term(Term)> rule_;
  std::unordered_map<Term, Term, TermHash> memo_;
};

// The value of a term, given those of its variables. Remembers what it has computed.
using Values = std::unordered_map<Term, std::uint64_t, TermHash>;
[[nodiscard]] std::uint64_t value_of(const TermPool& pool, Term term, Values& known,
                                     const std::function<std::uint64_t(Term)>& variable);

// For people and tests: "(x + 1) < y".
[[nodiscard]] std::string to_text(const TermPool& pool, Term term);

}  // namespace heddle::symbolic
