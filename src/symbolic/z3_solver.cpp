// Z3 behind the solver interface: its incremental SAT solver over bit-vectors (logic QF_FD), since terms are bits.
#include <z3++.h>

#include <atomic>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/contract.hpp"
#include "symbolic/solver.hpp"

namespace heddle::symbolic {
namespace {

class Z3Solver final : public Solver {
 public:
  explicit Z3Solver(const TermPool& pool) : pool_(pool), solver_(context_, "QF_FD") {}

  void require(Term term) override {
    if (!interrupted_) solver_.add(truth(term));
  }

  Answer check(std::span<const Term> assumptions) override {
    if (interrupted_) return Answer::Unknown;
    z3::expr_vector list(context_);
    for (const Term term : assumptions) {
      const z3::expr literal = truth(term);
      if (literal.is_false()) return Answer::Unsatisfiable;
      if (!literal.is_true()) list.push_back(literal);
    }
    const z3::check_result result = answer_to(list);
    if (interrupted_) return Answer::Unknown;
    add_statistics();
    if (result == z3::sat) {
      model_.emplace(solver_.get_model());
      values_.clear();
      return Answer::Satisfiable;
    }
    return result == z3::unsat ? Answer::Unsatisfiable : Answer::Unknown;
  }

  std::uint64_t value(Term term) override {
    HEDDLE_REQUIRE(model_.has_value(), "there is an assignment to ask for");
    return value_of(pool_, term, values_, [this](Term variable) {
      const z3::expr result = model_->eval(translate(variable), true);
      return result.is_bool() ? (result.is_true() ? 1U : 0U) : result.get_numeral_uint64();
    });
  }

  SolverStatistics statistics() const override { return statistics_; }

  void limit(std::chrono::milliseconds time) override {
    if (interrupted_) return;
    z3::params params(context_);
    params.set("timeout", static_cast<unsigned>(time.count()));
    solver_.set(params);
  }

  void interrupt() override {
    const std::lock_guard guard(interruption_);
    interrupted_ = true;
    if (asking_) context_.interrupt();
  }

  std::string name() const override {
    unsigned major = 0, minor = 0, build = 0, revision = 0;
    Z3_get_version(&major, &minor, &build, &revision);
    return "Z3 " + std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(build);
  }

 private:
  // Once Z3 has been interrupted, whatever else it is asked to do may end in an exception. So it is interrupted only
  // here, and nothing is asked of it after that.
  z3::check_result answer_to(const z3::expr_vector& assumptions) {
    if (!begin_asking()) return z3::unknown;
    const z3::check_result result = solver_.check(assumptions);
    const std::lock_guard guard(interruption_);
    asking_ = false;
    return result;
  }

  bool begin_asking() {
    const std::lock_guard guard(interruption_);
    asking_ = !interrupted_;
    return asking_;
  }

  z3::expr truth(Term term) {
    const z3::expr e = translate(term);
    return e.is_bool() ? e : e == context_.bv_val(1, 1);
  }
  z3::expr bits(const z3::expr& e) {
    return e.is_bool() ? z3::ite(e, context_.bv_val(1, 1), context_.bv_val(0, 1)) : e;
  }

  // Terms of width 1 become truth values, the others bit-vectors. Each gets a name and an equation that defines it, and
  // whatever is asserted is about names: Z3 shares what two assertions have in common only where it has one.
  // Of truth values that makes literals, which is what assumptions have to be.
  z3::expr translate(Term root) {
    std::vector<Term> stack{root};
    while (!stack.empty()) {
      const Term term = stack.back();
      if (known_.contains(term)) {
        stack.pop_back();
        continue;
      }
      const Node& n = pool_.node(term);
      bool ready = true;
      const auto need = [&](Term part) {
        if (known_.contains(part)) return;
        stack.push_back(part);
        ready = false;
      };
      const bool leaf = n.op == Op::Constant || n.op == Op::Variable;
      const bool unary = n.op == Op::Not || n.op == Op::Extract || n.op == Op::ZeroExtend || n.op == Op::SignExtend;
      if (!leaf) need(n.a);
      if (!leaf && !unary) need(n.b);
      if (n.op == Op::Ite) need(n.c);
      if (!ready) continue;
      stack.pop_back();
      known_.emplace(term, named(term, make(n)));
    }
    return known_.at(root);
  }

  z3::expr named(Term term, const z3::expr& e) {
    switch (pool_.node(term).op) {
      case Op::Constant:
      case Op::Variable:
      case Op::Concat:
      case Op::ZeroExtend:
      case Op::SignExtend: return e;
      case Op::Not:
      case Op::Extract:
        if (!e.is_bool() || pool_.node(term).op == Op::Not) return e;
        break;
      default: break;
    }
    const z3::expr name = context_.constant(("t" + std::to_string(term.index)).c_str(), e.get_sort());
    solver_.add(name == e);
    return name;
  }

  z3::expr make(const Node& n) {
    const auto at = [&](Term part) -> const z3::expr& { return known_.at(part); };
    const bool boolean = n.width == 1;
    switch (n.op) {
      case Op::Constant: return boolean ? context_.bool_val(n.value != 0) : context_.bv_val(n.value, n.width);
      case Op::Variable: {
        const std::string name = "v" + std::to_string(n.value);
        return boolean ? context_.bool_const(name.c_str()) : context_.bv_const(name.c_str(), n.width);
      }
      case Op::Not: return boolean ? !at(n.a) : ~at(n.a);
      case Op::And: return boolean ? at(n.a) && at(n.b) : at(n.a) & at(n.b);
      case Op::Or: return boolean ? at(n.a) || at(n.b) : at(n.a) | at(n.b);
      case Op::Xor: return boolean ? at(n.a) != at(n.b) : at(n.a) ^ at(n.b);
      case Op::Ite: return z3::ite(at(n.a), at(n.b), at(n.c));
      case Op::Equal: return at(n.a) == at(n.b);
      case Op::Extract: {
        const z3::expr part =
            bits(at(n.a)).extract(static_cast<unsigned>(n.value) + n.width - 1, static_cast<unsigned>(n.value));
        return boolean ? part == context_.bv_val(1, 1) : part;
      }
      default: break;
    }
    const z3::expr a = bits(at(n.a));
    if (n.op == Op::ZeroExtend) return z3::zext(a, n.width - a.get_sort().bv_size());
    if (n.op == Op::SignExtend) return z3::sext(a, n.width - a.get_sort().bv_size());
    const z3::expr b = bits(at(n.b));
    const auto narrow = [&](const z3::expr& e) { return boolean ? e == context_.bv_val(1, 1) : e; };
    switch (n.op) {
      case Op::Add: return narrow(a + b);
      case Op::Sub: return narrow(a - b);
      case Op::Mul: return narrow(a * b);
      case Op::UDiv: return narrow(z3::udiv(a, b));
      case Op::SDiv: return narrow(a / b);
      case Op::URem: return narrow(z3::urem(a, b));
      case Op::SRem: return narrow(z3::srem(a, b));
      case Op::Shl: return narrow(z3::shl(a, b));
      case Op::LShr: return narrow(z3::lshr(a, b));
      case Op::AShr: return narrow(z3::ashr(a, b));
      case Op::ULess: return z3::ult(a, b);
      case Op::SLess: return z3::slt(a, b);
      case Op::Concat: return z3::concat(a, b);
      default: break;
    }
    HEDDLE_REQUIRE(false, "every operation is translated");
    return a;
  }

  // Z3 counts from the beginning of each solver object; keys differ between its cores.
  void add_statistics() {
    const z3::stats stats = solver_.statistics();
    SolverStatistics sum;
    for (unsigned i = 0; i < stats.size(); ++i) {
      const std::string key = stats.key(i);
      const std::uint64_t count = stats.is_uint(i) ? stats.uint_value(i) : 0;
      if (key.find("conflicts") != std::string::npos) sum.conflicts += count;
      if (key.find("decisions") != std::string::npos) sum.decisions += count;
      if (key.find("propagations") != std::string::npos) sum.propagations += count;
    }
    statistics_ = sum;
  }

  const TermPool& pool_;
  z3::context context_;
  z3::solver solver_;
  std::optional<z3::model> model_;
  Values values_;  // of terms in this model, as far as they were asked for
  std::unordered_map<Term, z3::expr, TermHash> known_;
  std::mutex interruption_;
  bool asking_ = false;
  std::atomic<bool> interrupted_ = false;
  SolverStatistics statistics_;
};

}  // namespace

std::unique_ptr<Solver> make_solver(const TermPool& pool) { return std::make_unique<Z3Solver>(pool); }

}  // namespace heddle::symbolic
