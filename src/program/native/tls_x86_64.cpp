// x86-64 with glibc: the base is the FS register, the block lies below it and the thread descriptor above.
#include <elf.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

#include "base/contract.hpp"
#include "base/ids.hpp"
#include "program/native/layout.hpp"
#include "program/native/raw_syscall.hpp"
#include "program/native/real.hpp"
#include "program/native/runtime.hpp"
#include "program/native/runtime_heap.hpp"
#include "program/native/tls.hpp"

namespace heddle::native {
namespace {

// The head of glibc's thread descriptor: its own address at 0 and 16, the vector of dynamic blocks at 8, stack canary
// and pointer guard at 0x28 and 0x30. This much of it is renewed for each thread.
struct Descriptor {
  std::uint64_t self;
  std::uint64_t* dynamic_vector;
  std::uint64_t self_again;
  std::uint64_t flags[2];
  std::uint64_t canary;
  std::uint64_t pointer_guard;
  std::uint64_t unused;
};
constexpr std::size_t kDescriptorSearched = 0x900;

struct Block {
  std::uint64_t base = 0;
  Descriptor head{};
  std::vector<std::uint64_t> dynamic_vector;  // as it was when the block was made
};

struct Tls {
  std::size_t used = 0;        // bytes of static blocks below the base
  std::size_t tid_offset = 0;  // of the thread's kernel id in the descriptor, 0 if not found
  std::vector<unsigned char> image;
  std::array<Block, kMaxThreads> blocks;
};
Tls tls;

using AllocateTls = void* (*)(void*);
using CtypeInit = void (*)();

int lowest_block(dl_phdr_info* info, std::size_t, void* lowest) {
  auto& low = *static_cast<std::uint64_t*>(lowest);
  const auto block = reinterpret_cast<std::uint64_t>(info->dlpi_tls_data);
  if (block != 0 && block < low && low - block < 0x10'0000) low = block;
  return 0;
}

Block make_block(std::uint16_t thread) {
  auto* allocate = reinterpret_cast<AllocateTls>(find_first("_dl_allocate_tls"));
  HEDDLE_REQUIRE(allocate != nullptr, "this C library has no _dl_allocate_tls");
  Block block;
  {
    const FixedPlace place(thread);  // pthread_t is that address
    block.base = word(allocate(nullptr));
  }
  HEDDLE_REQUIRE(block.base != 0, "no memory for thread-local storage");
  const auto* mine = reinterpret_cast<Descriptor*>(tls_current_base());
  auto* head = reinterpret_cast<Descriptor*>(block.base);
  head->self = head->self_again = block.base;
  head->canary = mine->canary;
  head->pointer_guard = mine->pointer_guard;
  if (tls.tid_offset != 0) {
    const std::int32_t tid = 1'000'000 + thread;
    std::memcpy(reinterpret_cast<char*>(block.base) + tls.tid_offset, &tid, sizeof tid);
  }
  const auto init_ctype = reinterpret_cast<CtypeInit>(find_first("__ctype_init"));
  const std::uint64_t previous = tls_current_base();
  tls_use(block.base);
  init_ctype();
  tls_use(previous);
  block.head = *head;
  // glibc keeps the vector's length in front of it, in units of two words.
  const std::uint64_t entries = head->dynamic_vector[-2];
  block.dynamic_vector.assign(head->dynamic_vector, head->dynamic_vector + 2 * (entries + 1));
  return block;
}

}  // namespace

std::uint64_t tls_current_base() noexcept {
  std::uint64_t base;
  asm volatile("movq %%fs:0, %0" : "=r"(base));
  return base;
}

bool tls_direct = false;

void tls_use_by_system_call(std::uint64_t base) noexcept {
  constexpr std::uint64_t kSetFs = 0x1002;
  raw_syscall(SYS_arch_prctl, kSetFs, base);
}

void tls_prepare() {
  constexpr std::uint64_t kUserFsgsbase = 2;
  tls_direct = (::getauxval(AT_HWCAP2) & kUserFsgsbase) != 0;
  const std::uint64_t base = tls_current_base();
  std::uint64_t lowest = base;
  ::dl_iterate_phdr(lowest_block, &lowest);
  tls.used = base - lowest;
  const auto tid = static_cast<std::int32_t>(raw_syscall(SYS_gettid));
  for (std::size_t at = sizeof(Descriptor); at < kDescriptorSearched; at += sizeof tid) {
    std::int32_t value;
    std::memcpy(&value, reinterpret_cast<char*>(base) + at, sizeof value);
    if (value == tid) {
      tls.tid_offset = at;
      break;
    }
  }
  tls.blocks[1] = make_block(1);
  tls.image.resize(tls.used);
  std::memcpy(tls.image.data(), reinterpret_cast<void*>(tls.blocks[1].base - tls.used), tls.used);
}

std::uint64_t tls_fresh_block(std::uint16_t thread) {
  Block& block = tls.blocks[thread];
  if (block.base == 0) {
    OutsideProgram outside;  // libc allocates it for us, not for the program
    block = make_block(thread);
  }
  std::memcpy(reinterpret_cast<void*>(block.base - tls.used), tls.image.data(), tls.used);
  auto* head = reinterpret_cast<Descriptor*>(block.base);
  *head = block.head;
  // A library loaded by an execution has enlarged or filled the vector of dynamic blocks; its first word counts that.
  if (head->dynamic_vector[0] != block.dynamic_vector[0]) {
    std::memcpy(head->dynamic_vector, block.dynamic_vector.data(), block.dynamic_vector.size() * sizeof(std::uint64_t));
  }
  return block.base;
}

bool tls_as_initialised(std::uint16_t thread) noexcept {
  const Block& block = tls.blocks[thread];
  const auto* head = reinterpret_cast<const Descriptor*>(block.base);
  return head->dynamic_vector == block.head.dynamic_vector && head->dynamic_vector[0] == block.dynamic_vector[0];
}

std::size_t room_for_tls() noexcept { return tls.used + sizeof(Descriptor); }

// Canary and pointer guard are all the same in a process, and others in the next.
std::size_t compared_tls() noexcept { return tls.used + offsetof(Descriptor, canary); }

std::uint64_t tls_begin(std::uint16_t thread) noexcept { return tls.blocks[thread].base - tls.used; }

void save_tls(CheckpointBuffer& buffer, std::uint16_t thread) {
  buffer.put_bytes(reinterpret_cast<const void*>(tls_begin(thread)), room_for_tls());
}

void restore_tls(CheckpointReader& reader, std::uint16_t thread) {
  reader.get_bytes(reinterpret_cast<void*>(tls_begin(thread)), room_for_tls());
}

bool tls_contains(std::uint64_t address) noexcept {
  for (std::size_t i = 1; i < rt.thread_count; ++i) {
    const std::uint64_t base = tls.blocks[i].base;
    if (base != 0 && address >= base - tls.used && address < base + kDescriptorSearched) return true;
  }
  return false;
}

}  // namespace heddle::native
