// SMT-LIB 2 text of a formula: one definition for each shared part, so that its size is that of the terms.
#include <unordered_set>

#include "symbolic/bounded_check.hpp"

namespace heddle::symbolic {
namespace {

class Writer {
 public:
  explicit Writer(const TermPool& pool) : pool_(pool) {}

  std::string write(const std::vector<Term>& formula, std::optional<bool> satisfiable) {
    text_ = "(set-logic QF_BV)\n";
    if (satisfiable) text_ += std::string("(set-info :status ") + (*satisfiable ? "sat" : "unsat") + ")\n";
    for (const Term term : formula) {
      define(term);
      text_ += "(assert (= " + name(term) + " #b1))\n";
    }
    return text_ + "(check-sat)\n(exit)\n";
  }

 private:
  static bool unary(Op op) {
    return op == Op::Not || op == Op::Extract || op == Op::ZeroExtend || op == Op::SignExtend;
  }

  [[nodiscard]] std::string name(Term term) const {
    const Node& n = pool_.node(term);
    if (n.op != Op::Constant) return "t" + std::to_string(term.index);
    if (n.width == 1) return n.value != 0 ? "#b1" : "#b0";
    return "(_ bv" + std::to_string(n.value) + " " + std::to_string(n.width) + ")";
  }

  void define(Term root) {
    std::vector<Term> stack{root};
    while (!stack.empty()) {
      const Term term = stack.back();
      const Node& n = pool_.node(term);
      if (n.op == Op::Constant || defined_.contains(term)) {
        stack.pop_back();
        continue;
      }
      const std::size_t before = stack.size();
      const auto need = [&](Term part) {
        if (pool_.node(part).op != Op::Constant && !defined_.contains(part)) stack.push_back(part);
      };
      if (n.op != Op::Variable) {
        need(n.a);
        if (!unary(n.op)) need(n.b);
        if (n.op == Op::Ite) need(n.c);
      }
      if (stack.size() > before) continue;
      stack.pop_back();
      defined_.insert(term);
      const std::string sort = "(_ BitVec " + std::to_string(n.width) + ")";
      if (n.op == Op::Variable) {
        text_ += "(declare-const " + name(term) + " " + sort + ")\n";
      } else {
        text_ += "(define-fun " + name(term) + " () " + sort + " " + body(n) + ")\n";
      }
    }
  }

  [[nodiscard]] std::string body(const Node& n) const {
    const std::string a = name(n.a);
    const auto plain = [&](const char* op) { return "(" + std::string(op) + " " + a + " " + name(n.b) + ")"; };
    const auto truth = [&](const char* op) { return "(ite " + plain(op) + " #b1 #b0)"; };
    const std::string more = std::to_string(n.width - pool_.width(n.a));
    switch (n.op) {
      case Op::Not: return "(bvnot " + a + ")";
      case Op::And: return plain("bvand");
      case Op::Or: return plain("bvor");
      case Op::Xor: return plain("bvxor");
      case Op::Add: return plain("bvadd");
      case Op::Sub: return plain("bvsub");
      case Op::Mul: return plain("bvmul");
      case Op::UDiv: return plain("bvudiv");
      case Op::SDiv: return plain("bvsdiv");
      case Op::URem: return plain("bvurem");
      case Op::SRem: return plain("bvsrem");
      case Op::Shl: return plain("bvshl");
      case Op::LShr: return plain("bvlshr");
      case Op::AShr: return plain("bvashr");
      case Op::Equal: return truth("=");
      case Op::ULess: return truth("bvult");
      case Op::SLess: return truth("bvslt");
      case Op::Concat: return plain("concat");
      case Op::Ite: return "(ite (= " + a + " #b1) " + name(n.b) + " " + name(n.c) + ")";
      case Op::Extract:
        return "((_ extract " + std::to_string(n.value + n.width - 1) + " " + std::to_string(n.value) + ") " + a + ")";
      case Op::ZeroExtend: return "((_ zero_extend " + more + ") " + a + ")";
      case Op::SignExtend: return "((_ sign_extend " + more + ") " + a + ")";
      case Op::Constant:
      case Op::Variable: break;
    }
    return "";
  }

  const TermPool& pool_;
  std::string text_;
  std::unordered_set<Term, TermHash> defined_;
};

}  // namespace

std::string to_smt_lib(const TermPool& pool, const std::vector<Term>& formula, std::optional<bool> satisfiable) {
  return Writer(pool).write(formula, satisfiable);
}

}  // namespace heddle::symbolic
