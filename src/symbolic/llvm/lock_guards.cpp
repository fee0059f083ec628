#include "symbolic/llvm/lock_guards.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <iterator>

namespace heddle::symbolic {
namespace {

// The library function that is called, if it is one for sure.
const LibraryCall* library_call(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const llvm::Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
  return callee != nullptr && callee->isDeclaration() ? find_library_call(callee->getName()) : nullptr;
}

// The argument that is a mutex and held when the call returns.
std::optional<unsigned> acquired(const LibraryCall& call) {
  for (const CallAccess& access : call.accesses) {
    if (access.object_class == ObjectClass::Mutex && access.mode == StaticMode::Acquire) return access.argument;
  }
  return std::nullopt;
}

}  // namespace

LockGuards::LockGuards(const llvm::Module& program, const PointsTo& points_to, Releases releases, Creates creates)
    : program_(program), points_to_(points_to), releases_(std::move(releases)), creates_(std::move(creates)) {
  find_alone();
  for (const llvm::Function& function : program) {
    if (!function.isDeclaration()) look_at(function);
  }
}

bool LockGuards::guarded(PointsTo::Object object) const {
  const auto found = guards_.find(object);
  return found != guards_.end() && found->second && !found->second->empty();
}

// What main does itself until it first creates a thread, on all ways there.
void LockGuards::find_alone() {
  const llvm::Function* main = program_.getFunction("main");
  if (main == nullptr || main->isDeclaration() || !main->use_empty()) return;
  std::set<const llvm::BasicBlock*> after;  // begun with a thread created
  std::vector<const llvm::BasicBlock*> work;
  const auto enter = [&](const llvm::BasicBlock& block) {
    for (const llvm::BasicBlock* next : llvm::successors(&block)) {
      if (after.insert(next).second) work.push_back(next);
    }
  };
  for (const llvm::BasicBlock& block : *main) {
    if (std::any_of(block.begin(), block.end(), creates_)) enter(block);
  }
  while (!work.empty()) {
    const llvm::BasicBlock* block = work.back();
    work.pop_back();
    enter(*block);
  }
  for (const llvm::BasicBlock& block : *main) {
    if (after.contains(&block)) continue;
    for (const llvm::Instruction& instruction : block) {
      if (creates_(instruction)) break;
      alone_.insert(&instruction);
    }
  }
}

std::optional<LockGuards::Place> LockGuards::place_of(const llvm::Value* pointer) const {
  const llvm::DataLayout& layout = program_.getDataLayout();
  Place place;
  std::int64_t offset = 0;
  while (const auto* element = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
    llvm::MapVector<llvm::Value*, llvm::APInt> variable;
    llvm::APInt constant(64, 0);
    if (!element->collectOffset(layout, 64, variable, constant) || variable.size() > 1) return std::nullopt;
    offset += constant.getSExtValue();
    for (const auto& [index, scale] : variable) {
      if (place.index != nullptr) return std::nullopt;
      const auto* widened = llvm::dyn_cast<llvm::SExtInst>(index);
      place.index = widened != nullptr ? widened->getOperand(0) : index;
      place.scale = scale.getZExtValue();
    }
    pointer = element->getPointerOperand();
  }
  place.variable = llvm::dyn_cast<llvm::GlobalVariable>(pointer);
  if (place.variable == nullptr || place.variable->isThreadLocal() || offset < 0) return std::nullopt;
  place.offset = static_cast<std::uint64_t>(offset);
  // Beyond an element it would be one of another index.
  if (place.index != nullptr && place.offset >= place.scale) return std::nullopt;
  return place;
}

void LockGuards::step(const llvm::Instruction& instruction, Held& held) const {
  // The register has a new value: what was held under it was held under another.
  std::erase_if(held, [&](const Place& place) { return place.index == &instruction; });
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (call == nullptr) return;
  const LibraryCall* known = library_call(instruction);
  if (const auto argument = known != nullptr ? acquired(*known) : std::nullopt) {
    const std::optional<Place> place = place_of(call->getArgOperand(*argument));
    if (place) held.insert(*place);
    return;
  }
  const Objects released = releases_(instruction);
  std::erase_if(held, [&](const Place& place) {
    return released.test(PointsTo::kUnknown) || released.intersects(points_to_.of(place.variable));
  });
}

void LockGuards::look_at(const llvm::Function& function) {
  std::map<const llvm::BasicBlock*, Held> before;
  std::vector<const llvm::BasicBlock*> work{&function.getEntryBlock()};
  before[work.front()] = {};
  while (!work.empty()) {
    const llvm::BasicBlock* block = work.back();
    work.pop_back();
    Held held = before[block];
    for (const llvm::Instruction& instruction : *block) step(instruction, held);
    for (const llvm::BasicBlock* next : llvm::successors(block)) {
      const auto [entry, fresh] = before.try_emplace(next, held);
      Held common;
      std::set_intersection(entry->second.begin(), entry->second.end(), held.begin(), held.end(),
                            std::inserter(common, common.end()));
      if (!fresh && common == entry->second) continue;
      entry->second = std::move(common);
      work.push_back(next);
    }
  }
  for (const auto& [block, entry] : before) {
    Held held = entry;
    for (const llvm::Instruction& instruction : *block) {
      if (!alone_.contains(&instruction)) note_accesses(instruction, held);
      step(instruction, held);
    }
  }
}

void LockGuards::note_accesses(const llvm::Instruction& instruction, const Held& held) {
  const llvm::DataLayout& layout = program_.getDataLayout();
  const auto size = [&](llvm::Type* type) { return layout.getTypeStoreSize(type).getFixedValue(); };
  constexpr std::uint64_t kAnySize = ~std::uint64_t{0};
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    note_access(load->getPointerOperand(), size(load->getType()), held);
  } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    note_access(store->getPointerOperand(), size(store->getValueOperand()->getType()), held);
  } else if (const auto* change = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    note_access(change->getPointerOperand(), size(change->getType()), held);
  } else if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    note_access(exchange->getPointerOperand(), size(exchange->getNewValOperand()->getType()), held);
  } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    const auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(call);
    const LibraryCall* known = library_call(instruction);
    if (call->getCalledFunction() != nullptr && call->getCalledFunction()->isIntrinsic() && memory == nullptr) return;
    if (call->getCalledFunction() != nullptr && !call->getCalledFunction()->isDeclaration()) return;
    // Whatever is passed to the library may be accessed there, except what is used as a lock and nothing else.
    if (known != nullptr && !known->accesses.empty() &&
        std::none_of(known->accesses.begin(), known->accesses.end(),
                     [](const CallAccess& access) { return access.object_class == ObjectClass::Memory; })) {
      return;
    }
    for (const llvm::Use& argument : call->args()) note_access(argument, kAnySize, held);
  }
}

void LockGuards::note_access(const llvm::Value* pointer, std::uint64_t size, const Held& held) {
  std::set<Guard> here;
  const std::optional<Place> place = place_of(pointer);
  for (const Place& lock : held) {
    if (lock.index == nullptr) here.insert({lock.variable, 0, lock.offset, 0});
    const bool element =
        place && place->index != nullptr && place->index == lock.index && size <= place->scale - place->offset;
    if (element) here.insert({lock.variable, lock.scale, lock.offset, place->scale});
  }
  for (const PointsTo::Object object : points_to_.of(pointer)) {
    std::optional<std::set<Guard>>& guards = guards_[object];
    if (!guards) {
      guards = here;
    } else {
      std::erase_if(*guards, [&](const Guard& guard) { return !here.contains(guard); });
    }
  }
}

}  // namespace heddle::symbolic
