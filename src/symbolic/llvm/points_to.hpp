// Which objects a pointer may point to: inclusions between sets (Andersen), for the whole program at once.
//
// An object is a variable, a local variable over all its calls, what one call of malloc returns over all times it is
// made, or a function. An object has one set of pointers in it, whatever their places in it are. Integers are followed
// like pointers, so that casts and copies byte by byte lose nothing. What comes from code that nobody has looked at may
// point to the unknown object; what is passed there may come back from it.
//
// The inclusions are applied instruction by instruction until nothing changes.
#pragma once

#include <llvm/ADT/SparseBitVector.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <map>
#include <vector>

#include "symbolic/llvm/library_calls.hpp"

namespace heddle::symbolic {

class PointsTo {
 public:
  using Object = unsigned;
  using Objects = llvm::SparseBitVector<>;
  using Functions = std::vector<const llvm::Function*>;
  static constexpr Object kUnknown = 0;

  explicit PointsTo(const llvm::Module& program);

  [[nodiscard]] Objects of(const llvm::Value* pointer) const;
  // Functions that a value may be, those of the library too. Whether it may be something else: kUnknown in `of`.
  [[nodiscard]] Functions functions(const llvm::Value* value) const;
  // Functions with a body that somebody may call that nobody has looked at.
  [[nodiscard]] Functions escaped() const;
  // Functions that the library calls when a thread or the program ends.
  [[nodiscard]] const Functions& called_at_end() const { return called_at_end_; }
  // Whether several threads may come to have a pointer to it.
  [[nodiscard]] bool shared(Object object) const { return shared_.test(object); }
  // Whether an object is memory at all, and memory that is ever written.
  [[nodiscard]] bool is_memory(Object object) const { return !constant_.test(object); }

 private:
  Object object_of(const llvm::Value* value);
  Object add_object(const llvm::Value* value);
  void collect(const llvm::Constant* constant, Objects& into) const;
  void add(Objects& to, const Objects& more) { changed_ |= to |= more; }
  Objects& in(Object object) { return contents_[object]; }
  [[nodiscard]] Objects load(const Objects& from) const;
  void store(const Objects& to, const Objects& value);
  void visit(const llvm::Instruction& instruction);
  void visit_call(const llvm::CallBase& call);
  void bind(const llvm::CallBase& call, const llvm::Function& callee);
  void visit_library(const llvm::CallBase& call, const llvm::Function& callee);
  void run_with(const llvm::CallBase& call, const LibraryCall& known, const Objects& argument);
  void keep_for_end(const llvm::CallBase& call);
  void escape(const llvm::CallBase& call);
  void spread_escaped();
  void find_shared(const llvm::Module& program);
  [[nodiscard]] Objects closure(Objects from) const;

  std::map<const llvm::Value*, Objects> sets_;
  std::map<const llvm::Value*, Object> objects_;
  std::vector<const llvm::Value*> values_;  // by object; null for those that no value stands for
  std::vector<Objects> contents_;
  std::map<const llvm::Function*, Objects> returned_;
  std::map<const llvm::Function*, Object> variadic_;  // what is passed beyond the named arguments
  Functions called_at_end_;
  Objects constant_;
  Objects started_with_;  // arguments and results of threads
  Objects shared_;
  Object kept_ = 0;       // what is kept per thread, over all keys
  Object arguments_ = 0;  // of the program
  bool changed_ = false;
};

}  // namespace heddle::symbolic
