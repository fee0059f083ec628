// Which variables are only ever accessed under a lock: accesses to them need no interleaving of their own.
//
// A variable is guarded if all accesses to it, but for those that main makes before there are threads, are made with
// one and the same lock held: a lock for all of it, or for an array one for each element (`locks[i]` for `data[i]`, or
// `nodes[i].lock` for `nodes[i].data`). Then, while a thread is about to access an element, no other can access that
// element before this thread takes a step: it would need the lock.
//
// Locks held are found by going forward over each function (a lock is held if it is on all ways). The index of an
// element is a register; when it gets a new value, what is held under the old one is forgotten. A call releases what
// its callee might. A function begins without any.
#pragma once

#include <llvm/IR/Module.h>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "symbolic/llvm/points_to.hpp"

namespace heddle::symbolic {

class LockGuards {
 public:
  using Objects = PointsTo::Objects;
  // What a call may unlock: objects, kUnknown for anything.
  using Releases = std::function<Objects(const llvm::Instruction&)>;
  // Whether a call may create a thread.
  using Creates = std::function<bool(const llvm::Instruction&)>;

  LockGuards(const llvm::Module& program, const PointsTo& points_to, Releases releases, Creates creates);

  [[nodiscard]] bool guarded(PointsTo::Object object) const;

 private:
  // A place in a variable: its beginning, an element of an array, some bytes behind that.
  struct Place {
    const llvm::GlobalVariable* variable = nullptr;
    const llvm::Value* index = nullptr;  // null: none
    std::uint64_t scale = 0;             // bytes of an element
    std::uint64_t offset = 0;
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  using Held = std::set<Place>;
  // Which lock guards which element: the lock's place without the index, and the size of the elements it goes with.
  struct Guard {
    const llvm::GlobalVariable* lock = nullptr;
    std::uint64_t lock_scale = 0;
    std::uint64_t lock_offset = 0;
    std::uint64_t scale = 0;
    friend auto operator<=>(const Guard&, const Guard&) = default;
  };

  [[nodiscard]] std::optional<Place> place_of(const llvm::Value* pointer) const;
  void look_at(const llvm::Function& function);
  void step(const llvm::Instruction& instruction, Held& held) const;
  void note_access(const llvm::Value* pointer, std::uint64_t size, const Held& held);
  void note_accesses(const llvm::Instruction& instruction, const Held& held);
  void find_alone();

  const llvm::Module& program_;
  const PointsTo& points_to_;
  Releases releases_;
  Creates creates_;
  std::set<const llvm::Instruction*> alone_;                           // of main, before there are other threads
  std::map<PointsTo::Object, std::optional<std::set<Guard>>> guards_;  // common to the accesses so far
};

}  // namespace heddle::symbolic
