#include "symbolic/value_set.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace heddle::symbolic {
namespace {

const ValueSet kEverything{.everything = true, .values = {}, .strides = {}};

ValueSet numbers_below(std::uint64_t end) {
  ValueSet set;
  for (std::uint64_t v = 0; v < end; ++v) set.values.push_back(v);
  return set;
}

bool is_pointer(std::uint64_t value) { return object_of(value) != 0; }

}  // namespace

void ValueSets::tidy(ValueSet& set) {
  std::sort(set.values.begin(), set.values.end());
  set.values.erase(std::unique(set.values.begin(), set.values.end()), set.values.end());
  std::sort(set.strides.begin(), set.strides.end());
  set.strides.erase(std::unique(set.strides.begin(), set.strides.end()), set.strides.end());
  if (set.values.size() > kMost) set = kEverything;
}

unsigned ValueSets::trailing_zeros(Term term) const {
  const Node& n = pool_.node(term);
  switch (n.op) {
    case Op::Constant: return n.value == 0 ? 31 : static_cast<unsigned>(std::countr_zero(n.value));
    case Op::Mul: return trailing_zeros(n.a) + trailing_zeros(n.b);
    case Op::Add:
    case Op::Sub: return std::min(trailing_zeros(n.a), trailing_zeros(n.b));
    case Op::Shl: return pool_.is_constant(n.b) ? trailing_zeros(n.a) + static_cast<unsigned>(pool_.value(n.b)) : 0;
    case Op::Ite: return std::min(trailing_zeros(n.b), trailing_zeros(n.c));
    case Op::ZeroExtend:
    case Op::SignExtend: return trailing_zeros(n.a);
    default: return 0;
  }
}

ValueSet ValueSets::binary(const Node& n, const ValueSet& a, const ValueSet& b) {
  const bool plain = !a.everything && !b.everything && a.strides.empty() && b.strides.empty();
  const unsigned width = pool_.width(n.a);
  if (plain && a.values.size() * b.values.size() <= 8 * kMost) {
    ValueSet set;
    for (const std::uint64_t x : a.values) {
      for (const std::uint64_t y : b.values) {
        set.values.push_back(n.op == Op::Concat ? (x << pool_.width(n.b)) | y : fold(n.op, x, y, width));
      }
    }
    tidy(set);
    return set;
  }
  const bool by_constant = pool_.is_constant(n.b);
  const std::uint64_t constant = by_constant ? pool_.value(n.b) : 0;
  if (n.op == Op::URem && by_constant && constant > 0 && constant <= kMost) return numbers_below(constant);
  if (n.op == Op::And && by_constant && constant < kMost) {
    ValueSet set;
    for (std::uint64_t v = 0; v <= constant; ++v) {
      if ((v & ~constant) == 0) set.values.push_back(v);
    }
    return set;
  }
  if (n.op == Op::Equal || n.op == Op::ULess || n.op == Op::SLess) return numbers_below(2);
  if (n.op != Op::Add || n.width != kAddressBits) return kEverything;
  // Pointer and index: which operand is the pointer shows in its values.
  const auto points = [](const ValueSet& set) {
    return !set.everything && (!set.values.empty() || !set.strides.empty()) &&
           std::all_of(set.values.begin(), set.values.end(), is_pointer);
  };
  const bool left = points(a);
  if (left == points(b)) return kEverything;
  const ValueSet& pointer = left ? a : b;
  const Term index = left ? n.b : n.a;
  const unsigned zeros = std::min(trailing_zeros(index), 16U);
  ValueSet set;
  for (const Address p : pointer.values) {
    set.strides.push_back({p & ~Address{0xFFFFFFFFU}, zeros, offset_of(p) & ((1U << zeros) - 1)});
  }
  for (const Strides& s : pointer.strides) {
    const unsigned log = std::min(s.log_stride, zeros);
    const auto shift = pool_.is_constant(index) ? static_cast<std::uint32_t>(pool_.value(index)) : 0;
    set.strides.push_back(pool_.is_constant(index)
                              ? Strides{s.base, s.log_stride, (s.residue + shift) & ((1U << s.log_stride) - 1)}
                              : Strides{s.base, log, s.residue & ((1U << log) - 1)});
  }
  tidy(set);
  return set;
}

ValueSet ValueSets::compute(const Node& n) {
  switch (n.op) {
    case Op::Constant: return {.everything = false, .values = {n.value}, .strides = {}};
    case Op::Variable: return n.width <= 8 ? numbers_below(std::uint64_t{1} << n.width) : kEverything;
    case Op::Ite: {
      ValueSet set = memo_.at(n.b);
      const ValueSet& other = memo_.at(n.c);
      if (set.everything || other.everything) return kEverything;
      set.values.insert(set.values.end(), other.values.begin(), other.values.end());
      set.strides.insert(set.strides.end(), other.strides.begin(), other.strides.end());
      tidy(set);
      return set;
    }
    case Op::Not:
    case Op::Extract:
    case Op::ZeroExtend:
    case Op::SignExtend: {
      const ValueSet& inner = memo_.at(n.a);
      if (inner.everything || !inner.strides.empty()) {
        return n.width <= 8 ? numbers_below(std::uint64_t{1} << n.width) : kEverything;
      }
      ValueSet set;
      for (const std::uint64_t v : inner.values) {
        std::uint64_t out = v;
        if (n.op == Op::Not) out = ~v;
        if (n.op == Op::Extract) out = v >> n.value;
        if (n.op == Op::SignExtend) out = static_cast<std::uint64_t>(sign_extended(v, pool_.width(n.a)));
        set.values.push_back(out & mask_of(n.width));
      }
      tidy(set);
      return set;
    }
    default: {
      ValueSet set = binary(n, memo_.at(n.a), memo_.at(n.b));
      if (set.everything && n.width <= 8) return numbers_below(std::uint64_t{1} << n.width);
      return set;
    }
  }
}

const ValueSet& ValueSets::of(Term root) {
  std::vector<Term> stack{root};
  while (!stack.empty()) {
    const Term term = stack.back();
    if (memo_.contains(term)) {
      stack.pop_back();
      continue;
    }
    const Node& n = pool_.node(term);
    std::vector<Term> parts;
    if (n.op == Op::Ite) {
      parts = {n.b, n.c};
    } else if (n.op == Op::Not || n.op == Op::Extract || n.op == Op::ZeroExtend || n.op == Op::SignExtend) {
      parts = {n.a};
    } else if (n.op != Op::Constant && n.op != Op::Variable) {
      parts = {n.a, n.b};
    }
    bool ready = true;
    for (const Term part : parts) {
      if (memo_.contains(part)) continue;
      stack.push_back(part);
      ready = false;
    }
    if (!ready) continue;
    stack.pop_back();
    ValueSet set = compute(n);
    memo_.emplace(term, std::move(set));
  }
  return memo_.at(root);
}

std::optional<std::vector<Address>> ValueSets::targets(Term address, unsigned size) {
  const ValueSet& set = of(address);
  if (set.everything) return std::nullopt;
  std::vector<Address> found;
  const auto fits = [&](Address a) {
    const Object* object = automata_.object(object_of(a));
    return object != nullptr && std::uint64_t{offset_of(a)} + size <= object->size;
  };
  for (const Address a : set.values) {
    if (fits(a)) found.push_back(a);
  }
  for (const Strides& s : set.strides) {
    const Object* object = automata_.object(object_of(s.base));
    if (object == nullptr) continue;
    const std::uint64_t stride = std::uint64_t{1} << s.log_stride;
    for (std::uint64_t offset = s.residue; offset + size <= object->size; offset += stride) {
      found.push_back(s.base | offset);
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace heddle::symbolic
