#include "symbolic/llvm/world.hpp"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugLoc.h>

namespace heddle::symbolic {

std::string place_text(const llvm::Instruction* at) {
  if (at == nullptr || !at->getDebugLoc()) return "";
  return at->getDebugLoc()->getFilename().str() + ":" + std::to_string(at->getDebugLoc().getLine());
}

const llvm::Instruction* in_program(const Stack& stack) {
  for (auto frame = stack.frames.rbegin(); frame != stack.frames.rend(); ++frame) {
    const std::string place = place_text(frame->next);
    if (!place.empty() && !place.starts_with("/usr/")) return frame->next;
  }
  return stack.frames.back().next;
}

namespace {

bool reads_clock(llvm::StringRef name) {
  return name == "clock_gettime" || name == "timespec_get" || name == "time" ||
         (name.starts_with("_ZNSt6chrono") && name.ends_with("3nowEv"));
}

bool has_deadline(llvm::StringRef name) {
  const bool waits =
      name.starts_with("pthread_") || name.starts_with("sem_") || name.starts_with("mtx_") || name.starts_with("cnd_");
  return waits && (name.contains("timed") || name.contains("clock"));
}

}  // namespace

World::World(const llvm::Module& module_of_program, std::uint32_t most_spurious_wakeups)
    : ir(module_of_program), layout(ir.getDataLayout()), spurious_wakeups(most_spurious_wakeups), objects(ir, pool) {
  control_ = objects.add("threads", kMostThreads * kControlSize + 24);
  for (const llvm::Function& function : ir) {
    if (!function.isDeclaration()) continue;
    reads_clocks_ = reads_clocks_ || reads_clock(function.getName());
    times_out_ = times_out_ || has_deadline(function.getName());
  }
  threads.emplace_back();
  threads.front().path = "0";
}

ThreadIndex World::child(ThreadIndex parent, unsigned number) {
  const std::string path = threads[parent.value].path + "." + std::to_string(number);
  for (std::uint32_t t = 0; t < threads.size(); ++t) {
    if (threads[t].path == path) return {t};
  }
  if (threads.size() == kMostThreads) {
    throw Refused("more than " + std::to_string(kMostThreads) + " threads");
  }
  threads.emplace_back();
  threads.back().path = path;
  return {static_cast<std::uint32_t>(threads.size() - 1)};
}

const FunctionInfo& World::info(const llvm::Function& function) {
  std::unique_ptr<FunctionInfo>& known = infos_[&function];
  if (!known) known = std::make_unique<FunctionInfo>(function);
  return *known;
}

// Constants stay in the stack and tell locations apart; everything else goes to the variable of its register.
std::pair<LocationId, std::vector<Assignment>> World::enter(ThreadIndex thread, Stack stack) {
  ThreadCode& code = threads[thread.value];
  std::vector<Assignment> updates;
  std::string key =
      std::to_string(stack.children) + "," + std::to_string(stack.blocks) + "," + std::to_string(stack.atomic);
  const auto note = [&key](std::uint64_t number) { key.append(reinterpret_cast<const char*>(&number), sizeof number); };
  for (std::size_t depth = 0; depth < stack.frames.size(); ++depth) {
    CallFrame& frame = stack.frames[depth];
    const FunctionInfo& about = info(*frame.function);
    note(reinterpret_cast<std::uintptr_t>(frame.next));
    note(frame.phase);
    std::map<RegisterNumber, Scalars> kept;
    const auto keep = [&](RegisterNumber number) {
      const auto held = frame.registers.find(number);
      if (held == frame.registers.end()) return;
      Scalars values = held->second;
      for (std::size_t part = 0; part < values.size(); ++part) {
        if (pool.is_constant(values[part])) {
          note(number);
          note(pool.value(values[part]) + 1);
          continue;
        }
        note(0);
        Term& variable = code.variables[{depth, frame.function, number, part}];
        if (variable == Term{}) {
          variable = pool.variable(code.path + "." + frame.function->getName().str() + "." + std::to_string(number),
                                   pool.width(values[part]));
        }
        if (values[part] != variable) updates.push_back({variable, values[part]});
        values[part] = variable;
      }
      kept[number] = values;
    };
    for (const RegisterNumber number : about.live_before(frame.next)) keep(number);
    // A caller stands at its call; that its operands are kept, too, costs a little and harms nothing.
    frame.registers = std::move(kept);
  }
  const auto [at, added] = code.known.try_emplace(key, LocationId{static_cast<std::uint32_t>(code.places.size())});
  if (added) {
    code.places.push_back(std::make_unique<Place>());
    code.places.back()->stack = std::move(stack);
  }
  return {at->second, updates};
}

LocationId World::end(ThreadIndex thread, LocationKind kind) {
  ThreadCode& code = threads[thread.value];
  const std::string key = "end" + std::to_string(static_cast<int>(kind));
  const auto [at, added] = code.known.try_emplace(key, LocationId{static_cast<std::uint32_t>(code.places.size())});
  if (added) {
    code.places.push_back(std::make_unique<Place>());
    code.places.back()->kind = kind;
    code.places.back()->built = true;
  }
  return at->second;
}

Address World::local(ThreadIndex thread, std::size_t depth, const llvm::Value& variable, std::uint64_t size) {
  Address& address = threads[thread.value].locals[{depth, &variable}];
  if (address != 0) return address;
  address = address_of(objects.add(variable.getName().str(), size));
  // Main's stack stays until the process ends; and what only its own function knows of is not used afterwards.
  const bool on_stack = llvm::isa<llvm::AllocaInst>(variable) || llvm::isa<llvm::Argument>(variable);
  if (thread.value != 0 && on_stack && !stays_local(variable)) {
    objects.ends_with(object_of(address), control(thread, Control::Finished));
  }
  return address;
}

Address World::block(ThreadIndex thread, unsigned number, std::uint64_t size) {
  Address& address = threads[thread.value].blocks[{number, size}];
  if (address == 0) address = address_of(objects.add("heap block", size, true));
  return address;
}

FailureId World::fail(FindingKind kind, std::string message, const llvm::Instruction* at, bool unsupported) {
  Failure failure{
      .kind = kind, .message = std::move(message), .file = {}, .line = 0, .function = {}, .unsupported = unsupported};
  if (at != nullptr) {
    failure.function = at->getFunction()->getName().str();
    if (const llvm::DebugLoc& location = at->getDebugLoc()) {
      const llvm::DILocation* outermost = location.get();
      failure.file = outermost->getFilename().str();
      if (!failure.file.empty() && failure.file.front() != '/') {
        failure.file = outermost->getDirectory().str() + "/" + failure.file;
      }
      failure.line = static_cast<int>(location.getLine());
    }
  }
  failures.push_back(std::move(failure));
  return static_cast<FailureId>(failures.size() - 1);
}

}  // namespace heddle::symbolic
