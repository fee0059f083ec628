// The objects of a program (globals, functions, local variables, heap blocks) with their sizes, and the bytes of memory
// as they are when the automata start.
#pragma once

#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Module.h>

#include <map>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "symbolic/automaton.hpp"

namespace heddle::symbolic {

// What the front end does not follow; the sentence goes to the user.
class Refused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A register's value: its scalar parts in order (one for all but structures).
using Scalars = std::vector<Term>;

struct ScalarPart {
  std::uint64_t offset;  // bytes
  unsigned width;        // bits, as a register
};
// The scalar parts of a type; refuses what has no bits of at most 64.
[[nodiscard]] std::vector<ScalarPart> parts_of(const llvm::DataLayout& layout, llvm::Type* type);
// Width in memory: a multiple of 8.
[[nodiscard]] constexpr unsigned stored_width(unsigned width) { return (width + 7) / 8 * 8; }

class Objects {
 public:
  Objects(const llvm::Module& module, TermPool& pool) : layout_(module.getDataLayout()), pool_(pool) {}

  std::uint32_t add(std::string name, std::uint64_t size, bool mortal = false, bool writable = true);
  // On the stack of a thread that has ended when the byte at this address is not 0.
  void ends_with(std::uint32_t object, Address flag) { objects_[object - 1].ended = flag; }
  [[nodiscard]] const Object* find(std::uint32_t id) const {
    return id >= 1 && id <= objects_.size() ? &objects_[id - 1] : nullptr;
  }

  [[nodiscard]] Address address_of_global(const llvm::GlobalValue& global, ThreadIndex thread);
  // The function at an address; null if there is none.
  [[nodiscard]] const llvm::Function* function_at(Address address) const;
  // Functions whose addresses the program has taken so far.
  [[nodiscard]] const std::map<Address, const llvm::Function*>& functions() const { return functions_; }
  [[nodiscard]] Scalars constant(const llvm::Constant& constant, ThreadIndex thread);

  [[nodiscard]] Term byte(Address address);
  void set_byte(Address address, Term term) { bytes_[address] = term; }
  void set(Address address, Term value);
  [[nodiscard]] Term get(Address address, unsigned width);
  [[nodiscard]] std::string string_at(Address address);

 private:
  void initialise(Address address, const llvm::Constant& constant, ThreadIndex thread);
  [[nodiscard]] Term expression(const llvm::ConstantExpr& constant, ThreadIndex thread);

  const llvm::DataLayout& layout_;
  TermPool& pool_;
  std::vector<Object> objects_;
  std::map<std::pair<const llvm::GlobalValue*, std::uint32_t>, Address> globals_;
  std::map<Address, const llvm::Function*> functions_;
  std::unordered_map<Address, Term> bytes_;
};

}  // namespace heddle::symbolic
