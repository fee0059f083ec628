#include "differential/emit_c.hpp"

#include <map>
#include <set>

#include "differential/toy_edit.hpp"
#include "program/toy/toy_await.hpp"

namespace heddle::differential {
namespace {

using toy::Code;
using toy::Instruction;
using toy::is_join;
using toy::Thread;
using toy::ToyCode;

std::string number(std::int64_t n) { return std::to_string(n); }
std::string reg(std::uint32_t r) { return "r[" + number(r) + "]"; }

// The letter in the names of the objects that an instruction works on; 0 if on none.
char object_letter(Code code) {
  switch (code) {
    case Code::Read:
    case Code::Write:
    case Code::FetchAdd:
    case Code::Cas:
    case Code::Await: return 'x';
    case Code::Lock:
    case Code::TryLock:
    case Code::TimedLock:
    case Code::Unlock: return 'm';
    case Code::ReadLock:
    case Code::WriteLock:
    case Code::TryReadLock:
    case Code::TryWriteLock:
    case Code::ReadUnlock:
    case Code::WriteUnlock: return 'l';
    case Code::SemWait:
    case Code::SemTryWait:
    case Code::SemPost: return 's';
    case Code::CondWait:
    case Code::CondTimedWait:
    case Code::Signal:
    case Code::Broadcast: return 'c';
    case Code::Barrier: return 'b';
    default: return 0;
  }
}

std::string statement(const Instruction& i) {
  const std::string object = std::string("&") + object_letter(i.code) + number(i.a);
  const std::string mutex = "&m" + number(i.b);
  const std::string handle = "t" + number(i.a);
  const std::string equal = reg(i.reg) + " == " + number(i.value);
  const auto result = [&](const std::string& expression) { return reg(i.reg) + " = " + expression + ";"; };
  const auto success = [&](const std::string& call) { return result(call + " == 0"); };
  switch (i.code) {
    case Code::Read: return result("atomic_load(" + object + ")");
    case Code::Write:
      return "atomic_store(" + object + ", " + (i.use_register ? reg(i.reg2) + " + " : "") + number(i.value) + ");";
    case Code::FetchAdd: return result("atomic_fetch_add(" + object + ", " + number(i.value) + ")");
    case Code::Cas:
      return "{ long expected = " + number(i.value) + "; " +
             result("atomic_compare_exchange_strong(" + object + ", &expected, " + number(i.value2) + ")") + " }";
    case Code::Await: return "while (atomic_load(" + object + ") != " + number(i.value) + ") {\n    }";
    case Code::Lock: return "pthread_mutex_lock(" + object + ");";
    case Code::TryLock: return success("pthread_mutex_trylock(" + object + ")");
    case Code::TimedLock: return success("pthread_mutex_timedlock(" + object + ", &late)");
    case Code::Unlock: return "pthread_mutex_unlock(" + object + ");";
    case Code::ReadLock: return "pthread_rwlock_rdlock(" + object + ");";
    case Code::WriteLock: return "pthread_rwlock_wrlock(" + object + ");";
    case Code::TryReadLock: return success("pthread_rwlock_tryrdlock(" + object + ")");
    case Code::TryWriteLock: return success("pthread_rwlock_trywrlock(" + object + ")");
    case Code::ReadUnlock:
    case Code::WriteUnlock: return "pthread_rwlock_unlock(" + object + ");";
    case Code::SemWait: return "sem_wait(" + object + ");";
    case Code::SemTryWait: return success("sem_trywait(" + object + ")");
    case Code::SemPost: return "sem_post(" + object + ");";
    case Code::CondWait: return "pthread_cond_wait(" + object + ", " + mutex + ");";
    case Code::CondTimedWait: return success("pthread_cond_timedwait(" + object + ", " + mutex + ", &late)");
    case Code::Signal: return "pthread_cond_signal(" + object + ");";
    case Code::Broadcast: return "pthread_cond_broadcast(" + object + ");";
    case Code::Barrier: return result("pthread_barrier_wait(" + object + ") == PTHREAD_BARRIER_SERIAL_THREAD");
    case Code::Create: return "pthread_create(&" + handle + ", NULL, thread" + number(i.a) + ", NULL);";
    case Code::Join: return "pthread_join(" + handle + ", NULL);";
    case Code::TryJoin: return success("pthread_tryjoin_np(" + handle + ", NULL)");
    case Code::Choose: return result("heddle_choose(" + number(i.value) + ")");
    case Code::Set: return result(number(i.value));
    case Code::Add: return result(reg(i.reg) + " + " + number(i.value));
    case Code::AddRegister: return result(reg(i.reg) + " + " + reg(i.reg2));
    case Code::JumpIf: return "if (" + equal + ") goto at" + number(i.target) + ";";
    case Code::JumpUnless: return "if (!(" + equal + ")) goto at" + number(i.target) + ";";
    case Code::Assert: return "assert(" + equal + ");";
    case Code::Assume: return "heddle_assume(" + equal + ");";
    case Code::ReadPair:
    case Code::WritePair:
    case Code::CasPair:
    case Code::System: break;  // see can_be_c
  }
  return "#error \"no such instruction in C\"";
}

// The instructions of a thread, with labels where jumps lead. The registers are kept in memory, and where a loop begins
// those no longer used are cleared: what a round leaves behind in them is not to make it differ from the next.
std::string body(const Thread& thread) {
  std::set<std::size_t> targets;
  std::set<std::size_t> loops;
  for (std::size_t at = 0; at < thread.size(); ++at) {
    const Instruction& i = thread[at];
    if (i.code != Code::JumpIf && i.code != Code::JumpUnless) continue;
    targets.insert(i.target);
    if (i.target <= at) loops.insert(i.target);
  }
  const std::vector<std::uint8_t> used = toy::used_registers(thread);
  std::string text = "    volatile long r[8] = {0};\n";
  for (std::size_t at = 0; at <= thread.size(); ++at) {
    if (targets.contains(at)) text += "at" + number(static_cast<std::int64_t>(at)) + ":;\n";
    for (std::uint32_t r = 0; r < toy::kRegisters && loops.contains(at); ++r) {
      if ((unsigned{used[at]} >> r & 1U) == 0) text += "    " + reg(r) + " = 0;\n";
    }
    if (at < thread.size()) text += "    " + statement(thread[at]) + "\n";
  }
  return text + "    (void)r;\n";
}

// The objects a program works on, as declarations and as what main does before anything else.
struct Objects {
  std::string declarations;
  std::string initialisation;
};

std::string declaration(char letter, const std::string& name) {
  switch (letter) {
    case 'x': return "static atomic_long " + name + ";\n";
    case 'm': return "static pthread_mutex_t " + name + " = PTHREAD_MUTEX_INITIALIZER;\n";
    case 'l': return "static pthread_rwlock_t " + name + " = PTHREAD_RWLOCK_INITIALIZER;\n";
    case 's': return "static sem_t " + name + ";\n";
    case 'c': return "static pthread_cond_t " + name + " = PTHREAD_COND_INITIALIZER;\n";
    default: return "static pthread_barrier_t " + name + ";\n";
  }
}

Objects objects(const ToyCode& code) {
  std::set<std::pair<char, std::uint32_t>> seen;
  Objects all;
  const auto declare = [&](char letter, std::uint32_t object, std::int64_t parties) {
    if (letter == 0 || !seen.emplace(letter, object).second) return;
    const std::string name = letter + number(object);
    all.declarations += declaration(letter, name);
    if (letter == 's') {
      const std::int64_t value = object < code.semaphores.size() ? code.semaphores[object] : 0;
      all.initialisation += "    sem_init(&" + name + ", 0, " + number(value) + ");\n";
    }
    if (letter == 'b') {
      all.initialisation += "    pthread_barrier_init(&" + name + ", NULL, " + number(parties) + ");\n";
    }
  };
  for (const Thread& thread : code.threads) {
    for (const Instruction& i : thread) {
      declare(object_letter(i.code), i.a, i.value);
      if (i.code == Code::CondWait || i.code == Code::CondTimedWait) declare('m', i.b, 0);
    }
  }
  return all;
}

}  // namespace

ToyCode with_main(const ToyCode& code, MainJoins joins) {
  ToyCode result = code;
  Thread main;
  std::set<std::uint32_t> joined;
  for (std::uint32_t t = 0; t < code.threads.size(); ++t) {
    if (!is_created(code, t)) main.push_back(toy::create(t + 1));
  }
  for (Thread& thread : result.threads) {
    for (Instruction& i : thread) {
      if (is_join(i.code)) joined.insert(i.a);
      if (i.code == Code::Create || is_join(i.code)) ++i.a;
    }
  }
  for (std::uint32_t t = 0; t < code.threads.size() && joins == MainJoins::Yes; ++t) {
    if (!joined.contains(t) && !is_created(code, t)) main.push_back(toy::join(t + 1));
  }
  result.threads.insert(result.threads.begin(), main);
  return result;
}

bool can_be_c(const ToyCode& code) {
  std::map<std::uint32_t, std::int64_t> parties;
  std::set<std::uint32_t> joined;
  for (std::uint32_t t = 0; t < code.threads.size(); ++t) {
    for (std::size_t at = 0; at < code.threads[t].size(); ++at) {
      const Instruction& i = code.threads[t][at];
      // There is no way to say in C what these do: one access to two objects, and whatever depends on everything.
      if (is_pair(i.code) || i.code == Code::System) return false;
      if (i.code == Code::Barrier && parties.emplace(i.a, i.value).first->second != i.value) return false;
      if (!is_join(i.code)) continue;
      if (i.a == t || !created_before(code, i.a, t, at) || !joined.insert(i.a).second) return false;
    }
  }
  return true;
}

std::string emit_c(const ToyCode& code) {
  const Objects all = objects(code);
  std::string text =
      "#define _GNU_SOURCE  // pthread_tryjoin_np\n#include <assert.h>\n#include <heddle/heddle.h>\n#include "
      "<pthread.h>\n#include <semaphore.h>\n"
      "#include <stdatomic.h>\n#include <stddef.h>\n#include <time.h>\n\n"
      "static const struct timespec late = {4000000000, 0};\n" +
      all.declarations;
  for (std::size_t t = 1; t < code.threads.size(); ++t) {
    const std::string name = number(static_cast<std::int64_t>(t));
    text += "static pthread_t t" + name + ";\nstatic void *thread" + name + "(void *arg);\n";
  }
  for (std::size_t t = 1; t < code.threads.size(); ++t) {
    text += "\nstatic void *thread" + number(static_cast<std::int64_t>(t)) + "(void *arg) {\n" + body(code.threads[t]) +
            "    return arg;\n}\n";
  }
  return text + "\nint main(void) {\n    (void)late;\n" + all.initialisation + body(code.threads[0]) +
         "    pthread_exit(NULL);\n}\n";
}

}  // namespace heddle::differential
