// Pipes and eventfds that the program makes, kept by the model: a read that has to wait blocks its thread and nobody
// else, and restarts put them back. Their descriptors are real numbers, held by placeholders.
//
// A channel is one object of the dependency relation. Reads, writes and closes of it do not commute; looking (a read
// that finds nothing, poll on one descriptor) is a read of it. A wait for several descriptors depends on everything.
// What a write passes on, whoever reads later knows, as with semaphores.
#pragma once

#include <array>
#include <cstdint>

#include "model/operation.hpp"
#include "program/native/fibre.hpp"
#include "program/program.hpp"

namespace heddle::native {

struct Channel {
  static constexpr std::uint32_t kCapacity = 4096;  // up to that, a write is made at once or not at all (PIPE_BUF)
  enum class Kind : std::uint8_t { None, Pipe, Eventfd };
  Kind kind = Kind::None;
  bool semaphore = false;  // reads of an eventfd take 1
  std::uint16_t readers = 0;
  std::uint16_t writers = 0;
  std::uint32_t used = 0;     // bytes in a pipe
  std::uint64_t counter = 0;  // of an eventfd
  std::array<unsigned char, kCapacity> bytes{};

  [[nodiscard]] bool readable() const noexcept {
    return kind == Kind::Eventfd ? counter > 0 : used > 0 || writers == 0;
  }
  // A pipe of the system has room for more than is kept here: it never seems full, and more is refused.
  [[nodiscard]] bool writable() const noexcept { return kind == Kind::Pipe || counter < kMostCounted; }
  static constexpr std::uint64_t kMostCounted = ~std::uint64_t{0} - 1;
};

struct WatchedDescriptor {
  std::int32_t descriptor = -1;
  std::uint32_t events = 0;
  std::uint64_t data = 0;
};

struct Epoll {
  bool open = false;
  std::uint32_t count = 0;
  std::array<WatchedDescriptor, 16> watched{};
};

// What a descriptor of the program stands for.
struct Descriptor {
  enum class Kind : std::uint8_t { NotOurs, End, Epoll };
  Kind kind = Kind::NotOurs;
  std::uint8_t index = 0;  // of the channel or epoll
  bool reads = false;
  bool writes = false;
  bool nonblocking = false;
};

struct Channels {
  static constexpr std::size_t kDescriptors = 256;
  std::array<Channel, 16> channels{};
  std::array<Epoll, 4> epolls{};
  std::array<Descriptor, kDescriptors> descriptors{};
};

// The outcomes of a pending ChannelRead, ChannelWrite, ChannelLook or Poll, time limits and cancellation aside.
[[nodiscard]] bool channel_ready(const Operation& pending) noexcept;

}  // namespace heddle::native
