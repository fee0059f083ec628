#include "papers/cartesian_programs.hpp"

namespace heddle::papers {
namespace {

using namespace toy;

std::uint32_t here(const Thread& thread) { return static_cast<std::uint32_t>(thread.size()); }

// For ever. Register 7 is never anything but 0.
void jump_to(Thread& thread, std::uint32_t target) { thread.push_back(jump_if(7, 0, target)); }

void run_on_locally(Thread& thread) {
  const std::uint32_t loop = here(thread);
  thread.push_back(choose(1, 7));
  jump_to(thread, loop);
}

void append(Thread& thread, std::initializer_list<Instruction> instructions) {
  thread.insert(thread.end(), instructions);
}

}  // namespace

ToyCode shared_pointer() {
  constexpr std::uint32_t kX = 0, kY = 1, kPointer = 2;
  // Values are kept as differences from their initial ones (x = 3, y = 4), since memory starts at 0.
  ToyCode code;
  for (const std::uint32_t t : {0U, 1U}) {
    const std::uint32_t target = t == 0 ? kY : kX;
    const std::uint32_t read_from = t == 0 ? kX : kY;
    const std::int64_t initial = t == 0 ? 3 : 4;
    const std::uint32_t counter = 3 + t;
    const std::int64_t increment = t == 0 ? 3 : 2;
    Thread thread{write(kPointer, target + 1)};
    for (int i = 0; i < 100; ++i) {
      append(thread, {begins(read(read_from, 0)), continues(read(counter, 1)), add_register(1, 0), add(1, initial),
                      continues(write_register(counter, 1)), set(0, 0), set(1, 0)});
    }
    thread.push_back(choose(1, 7));
    thread.push_back(begins(read(kPointer, 0)));
    const std::uint32_t branch = here(thread);
    thread.push_back(jump_if(0, kY + 1, branch + 4));
    append(thread, {continues(read(kX, 0)), continues(write_register(kX, 0, increment)), jump_if(7, 0, branch + 6)});
    append(thread, {continues(read(kY, 0)), continues(write_register(kY, 0, increment))});
    thread.push_back(set(0, 0));
    run_on_locally(thread);
    code.threads.push_back(thread);
  }
  return code;
}

ToyCode shared_array() {
  constexpr std::uint32_t kSize = 64;
  constexpr std::uint32_t kCounter = 100;  // the index variables are 101 and 102, kept as differences from t
  ToyCode code;
  for (const std::uint32_t t : {0U, 1U}) {
    Thread thread;
    for (std::uint32_t i = t; i < kSize; i += 2) {
      append(thread, {begins(read(kCounter, 0)), continues(write_register(i, 0, 1 + i)),
                      continues(write(101 + t, i + 2 - t)), set(0, 0)});
    }
    append(thread, {begins(read(kCounter, 0)), continues(read(101 + (1 - t), 1)), add_register(0, 1), add(0, 1 - t),
                    continues(write_register(kCounter, 0, 1)), set(0, 0), set(1, 0)});
    run_on_locally(thread);
    code.threads.push_back(thread);
  }
  return code;
}

ToyCode robots(const std::vector<Position>& starts) {
  constexpr int kSize = 12;
  ToyCode code;
  for (Position at : starts) {
    Thread thread;
    const Position start = at;
    int dx = 1;
    int dy = 1;
    do {
      const auto cell = [&] { return static_cast<std::uint32_t>(at.x * kSize + at.y); };
      thread.push_back(write(cell(), 0));
      thread.push_back(choose(1, 7));
      at.x += dx;
      at.y += dy;
      if (at.x == 0 || at.x == kSize - 1) dx = -dx;
      if (at.y == 0 || at.y == kSize - 1) dy = -dy;
      // Robots may meet in two rows only.
      thread.push_back(begins(read(cell(), 0)));
      if (at.x != 9 && at.x != 2) thread.push_back(expect(0, 0));
      append(thread, {set(0, 0), continues(write(cell(), 1))});
    } while (at.x != start.x || at.y != start.y || dx != 1 || dy != 1);
    jump_to(thread, 0);
    code.threads.push_back(thread);
  }
  return code;
}

ToyCode file_system(std::uint32_t threads) {
  constexpr std::uint32_t kBlocks = 26, kInodes = 32;
  ToyCode code;
  for (std::uint32_t t = 1; t <= threads; ++t) {
    const std::uint32_t inode = t % kInodes;
    const auto block_lock = [](std::uint32_t block) { return 100 + block; };
    const auto busy = [](std::uint32_t block) { return 200 + block; };
    Thread thread{lock(inode), read(inode, 0)};
    std::vector<std::size_t> to_end{thread.size()};
    thread.push_back(jump_unless(0, 0, 0));
    for (std::uint32_t i = 0; i < kBlocks; ++i) {
      const std::uint32_t block = (inode * 2 + i) % kBlocks;
      append(thread, {lock(block_lock(block)), read(busy(block), 0)});
      const std::uint32_t branch = here(thread);
      thread.push_back(jump_unless(0, 0, branch + 5));
      append(thread, {write(busy(block), 1), write(inode, block + 1), unlock(block_lock(block))});
      to_end.push_back(thread.size());
      thread.push_back(jump_if(0, 0, 0));
      append(thread, {set(0, 0), unlock(block_lock(block))});
    }
    for (const std::size_t jump : to_end) thread[jump].target = here(thread);
    append(thread, {set(0, 0), unlock(inode)});
    code.threads.push_back(thread);
  }
  return code;
}

ToyCode indexer(std::uint32_t threads) {
  constexpr std::uint32_t kSize = 128, kMessages = 4;
  ToyCode code;
  for (std::uint32_t t = 1; t <= threads; ++t) {
    Thread thread;
    for (std::uint32_t m = 1; m <= kMessages; ++m) {
      const std::uint32_t word = m * 11 + t;
      std::vector<std::size_t> inserted;
      // No table position is tried twice: there are fewer words than entries.
      for (std::uint32_t i = 0; i < threads * kMessages; ++i) {
        const std::uint32_t entry = (word * 7 + i) % kSize;
        thread.push_back(begins(read(entry, 0)));
        const std::uint32_t branch = here(thread);
        thread.push_back(jump_unless(0, 0, branch + 3));
        thread.push_back(continues(write(entry, word)));
        inserted.push_back(thread.size());
        thread.push_back(jump_if(7, 0, 0));
        append(thread, {set(0, 0), continues(fetch_add(entry, 0, 1)), set(1, 0)});
      }
      for (const std::size_t jump : inserted) thread[jump].target = here(thread);
    }
    code.threads.push_back(thread);
  }
  return code;
}

ToyCode philosophers(std::uint32_t count) {
  ToyCode code;
  for (std::uint32_t t = 0; t < count; ++t) {
    const std::uint32_t left = t;
    const std::uint32_t right = (t + 1) % count;
    Thread thread{lock(left), choose(1, 7), lock(right), begins(unlock(left)), continues(unlock(right))};
    jump_to(thread, 0);
    code.threads.push_back(thread);
  }
  return code;
}

}  // namespace heddle::papers
