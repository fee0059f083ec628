// The calls on one descriptor: making, reading, writing, closing, copying. Waiting for several is in polling.cpp.
#include "program/native/channels.hpp"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "program/native/accesses.hpp"
#include "program/native/cancellation.hpp"
#include "program/native/channel_calls.hpp"
#include "program/native/outcomes.hpp"
#include "program/native/polling.hpp"
#include "program/native/process_objects.hpp"
#include "program/native/process_state.hpp"
#include "program/native/raw_syscall.hpp"
#include "program/native/runtime.hpp"
#include "program/native/signal_calls.hpp"
#include "program/native/sync_clocks.hpp"
#include "program/native/syscall_names.hpp"

namespace heddle::native {
namespace {

Channels& all() { return process_objects.channels; }

Channel& channel_of(const Descriptor& descriptor) { return all().channels[descriptor.index]; }

void system_operation(std::uint64_t site) { reach({.kind = OpKind::System, .site = site}); }

// A real descriptor that holds the number.
int placeholder(std::uint64_t flags) {
  const long made = raw_syscall(SYS_eventfd2, 0, (flags & O_CLOEXEC) != 0 ? EFD_CLOEXEC : 0);
  if (made < 0) return static_cast<int>(made);
  if (static_cast<std::size_t>(made) >= Channels::kDescriptors) {
    refuse(Refusal::Limit, "the program has more than " + std::to_string(Channels::kDescriptors) + " descriptors open");
  }
  descriptor_opened(static_cast<int>(made));
  return static_cast<int>(made);
}

Channel& new_channel(Channel::Kind kind) {
  for (Channel& channel : change_process_objects().channels.channels) {
    if (channel.kind != Channel::Kind::None) continue;
    channel = {};
    channel.kind = kind;
    return channel;
  }
  refuse(Refusal::Limit,
         "the program has more than " + std::to_string(all().channels.size()) + " pipes and eventfds open at once");
}

void open_end(int number, const Channel& channel, bool reads, bool writes, std::uint64_t flags) {
  Descriptor& descriptor = all().descriptors[static_cast<std::size_t>(number)];
  descriptor = {.kind = Descriptor::Kind::End,
                .index = static_cast<std::uint8_t>(&channel - all().channels.data()),
                .reads = reads,
                .writes = writes,
                .nonblocking = (flags & O_NONBLOCK) != 0};
}

long make_pipe(const SystemCall& call) {
  const std::uint64_t flags = call.number == SYS_pipe2 ? call.arguments[1] : 0;
  if ((flags & O_DIRECT) != 0)
    refuse(Refusal::Unsupported, "the program makes a pipe of packets (O_DIRECT), which is not modelled");
  system_operation(call.site);
  Channel& channel = new_channel(Channel::Kind::Pipe);
  int* ends = reinterpret_cast<int*>(call.arguments[0]);
  plain_access(word(ends), 2 * sizeof *ends, true, call.site);
  ends[0] = placeholder(flags);
  ends[1] = placeholder(flags);
  channel.readers = channel.writers = 1;
  open_end(ends[0], channel, true, false, flags);
  open_end(ends[1], channel, false, true, flags);
  return 0;
}

long make_eventfd(const SystemCall& call) {
  const std::uint64_t flags = call.number == SYS_eventfd2 ? call.arguments[1] : 0;
  system_operation(call.site);
  Channel& channel = new_channel(Channel::Kind::Eventfd);
  const int number = placeholder(flags);
  channel.semaphore = (flags & EFD_SEMAPHORE) != 0;
  channel.counter = static_cast<std::uint32_t>(call.arguments[0]);
  channel.readers = channel.writers = 1;
  open_end(number, channel, true, true, flags);
  return number;
}

// One read or write, gathered from or scattered to the parts of its buffer.
struct Transfer {
  iovec single{};
  const iovec* parts = nullptr;
  std::size_t count = 0;
  std::uint64_t size = 0;
};

Transfer transfer_of(const SystemCall& call, Transfer& transfer) {
  const auto& a = call.arguments;
  if (call.number == SYS_readv || call.number == SYS_writev) {
    transfer.parts = reinterpret_cast<const iovec*>(a[1]);
    transfer.count = a[2];
  } else {
    transfer.single = {reinterpret_cast<void*>(a[1]), a[2]};
    transfer.parts = &transfer.single;
    transfer.count = 1;
  }
  for (std::size_t i = 0; i < transfer.count; ++i) transfer.size += transfer.parts[i].iov_len;
  return transfer;
}

// Copies up to `size` bytes between a plain buffer and the parts.
void copy_parts(const Transfer& transfer, unsigned char* bytes, std::uint64_t size, bool into_parts,
                std::uint64_t site) {
  for (std::size_t i = 0; i < transfer.count && size > 0; ++i) {
    const std::uint64_t length = std::min<std::uint64_t>(transfer.parts[i].iov_len, size);
    if (length == 0) continue;
    inspect(word(transfer.parts[i].iov_base), length, into_parts, site);
    if (into_parts) {
      std::memcpy(transfer.parts[i].iov_base, bytes, length);
    } else {
      std::memcpy(bytes, transfer.parts[i].iov_base, length);
    }
    bytes += length;
    size -= length;
  }
}

// Announces a read or write and comes back when it is its turn: false if it finds that it would have to wait.
bool take_turn(OpKind kind, const Descriptor& descriptor, std::uint64_t size, std::uint64_t site) {
  const Channel& channel = channel_of(descriptor);
  const Outcome outcome = reach({.kind = kind,
                                 .size = static_cast<std::uint32_t>(size),
                                 .object = word(&channel),
                                 .second = descriptor.nonblocking ? 1U : 0U,
                                 .site = site});
  if (outcome == kTimedOut) act_if_cancelled();
  const bool ready = kind == OpKind::ChannelRead ? channel.readable() : channel.writable();
  if (!ready) rt.event.op.kind = OpKind::ChannelLook;
  return ready;
}

long read_eventfd(Channel& channel, const Transfer& transfer, std::uint64_t site) {
  std::uint64_t value = channel.semaphore ? 1 : channel.counter;
  channel.counter -= value;
  acquire(*rt.current, word(&channel));
  copy_parts(transfer, reinterpret_cast<unsigned char*>(&value), sizeof value, true, site);
  return sizeof value;
}

long read_pipe(Channel& channel, const Transfer& transfer, std::uint64_t site) {
  const auto size = static_cast<std::uint32_t>(std::min<std::uint64_t>(transfer.size, channel.used));
  acquire(*rt.current, word(&channel));
  copy_parts(transfer, channel.bytes.data(), size, true, site);
  std::memmove(channel.bytes.data(), channel.bytes.data() + size, channel.used - size);
  channel.used -= size;
  return size;
}

long read_call(const SystemCall& call, const Descriptor& descriptor) {
  if (!descriptor.reads) return -EBADF;
  Channel& channel = channel_of(descriptor);
  Transfer transfer;
  transfer_of(call, transfer);
  const bool eventfd = channel.kind == Channel::Kind::Eventfd;
  if (eventfd && transfer.size < sizeof channel.counter) return -EINVAL;
  if (transfer.size == 0) return 0;
  if (!take_turn(OpKind::ChannelRead, descriptor, transfer.size, call.site)) return -EAGAIN;
  return eventfd ? read_eventfd(channel, transfer, call.site) : read_pipe(channel, transfer, call.site);
}

long write_eventfd(const Descriptor& descriptor, const Transfer& transfer, std::uint64_t site) {
  Channel& channel = channel_of(descriptor);
  if (transfer.size < sizeof channel.counter) return -EINVAL;
  std::uint64_t value = 0;
  copy_parts(transfer, reinterpret_cast<unsigned char*>(&value), sizeof value, false, site);
  if (value > Channel::kMostCounted) return -EINVAL;
  if (!take_turn(OpKind::ChannelWrite, descriptor, sizeof value, site)) return -EAGAIN;
  if (value > Channel::kMostCounted - channel.counter) {
    if (descriptor.nonblocking) {
      rt.event.op.kind = OpKind::ChannelLook;
      return -EAGAIN;
    }
    refuse(Refusal::Unsupported, "the program adds to an eventfd that is full, and waiting for that is not modelled");
  }
  channel.counter += value;
  release_more(*rt.current, word(&channel));
  return sizeof value;
}

long write_pipe(const Descriptor& descriptor, const Transfer& transfer, std::uint64_t site) {
  Channel& channel = channel_of(descriptor);
  if (transfer.size == 0) return 0;
  if (transfer.size > Channel::kCapacity) {
    refuse(Refusal::Unsupported, "the program writes more than " + std::to_string(Channel::kCapacity) +
                                     " bytes to a pipe at once: such writes may come apart, which is not modelled");
  }
  take_turn(OpKind::ChannelWrite, descriptor, transfer.size, site);
  if (channel.readers == 0) {
    signal_broken_pipe(site);
    return -EPIPE;
  }
  if (Channel::kCapacity - channel.used < transfer.size) {
    refuse(Refusal::Limit, "more than " + std::to_string(Channel::kCapacity) +
                               " bytes lie unread in a pipe of the program: Heddle keeps no more");
  }
  copy_parts(transfer, channel.bytes.data() + channel.used, transfer.size, false, site);
  channel.used += static_cast<std::uint32_t>(transfer.size);
  release_more(*rt.current, word(&channel));
  return static_cast<long>(transfer.size);
}

long write_call(const SystemCall& call, const Descriptor& descriptor) {
  if (!descriptor.writes) return -EBADF;
  Transfer transfer;
  transfer_of(call, transfer);
  const bool eventfd = channel_of(descriptor).kind == Channel::Kind::Eventfd;
  return eventfd ? write_eventfd(descriptor, transfer, call.site) : write_pipe(descriptor, transfer, call.site);
}

void close_number(int number) {
  descriptor_closed(number);
  raw_syscall(SYS_close, static_cast<std::uint64_t>(number));
  all().descriptors[static_cast<std::size_t>(number)] = {};
}

// The end of a channel is gone: the last one to read or to write shows at the other end.
void drop_end(const Descriptor& descriptor) {
  Channel& channel = channel_of(descriptor);
  if (descriptor.reads) --channel.readers;
  if (descriptor.writes) --channel.writers;
  release_more(*rt.current, word(&channel));
  if (channel.readers == 0 && channel.writers == 0) channel.kind = Channel::Kind::None;
}

long close_call(const SystemCall& call, Descriptor& descriptor) {
  const auto number = static_cast<int>(call.arguments[0]);
  if (descriptor.kind == Descriptor::Kind::Epoll) {
    system_operation(call.site);
    all().epolls[descriptor.index].open = false;
    close_number(number);
    return 0;
  }
  reach({.kind = OpKind::ChannelClose, .object = word(&channel_of(descriptor)), .site = call.site});
  drop_end(descriptor);
  forget_watched(number);
  close_number(number);
  return 0;
}

// The number a copy gets, and the copy of what the descriptor stands for.
long copy_descriptor(const Descriptor& descriptor, long made) {
  if (made < 0) return made;
  if (static_cast<std::size_t>(made) >= Channels::kDescriptors) {
    refuse(Refusal::Limit, "the program has more than " + std::to_string(Channels::kDescriptors) + " descriptors open");
  }
  Descriptor& copy = all().descriptors[static_cast<std::size_t>(made)];
  if (copy.kind == Descriptor::Kind::End) drop_end(copy);
  descriptor_closed(static_cast<int>(made));
  descriptor_opened(static_cast<int>(made));
  copy = descriptor;
  Channel& channel = channel_of(descriptor);
  if (copy.reads) ++channel.readers;
  if (copy.writes) ++channel.writers;
  return made;
}

long duplicate(const SystemCall& call, const Descriptor& descriptor) {
  const auto& a = call.arguments;
  if (descriptor.kind == Descriptor::Kind::Epoll) {
    refuse(Refusal::Unsupported, "the program copies the descriptor of an epoll, which is not modelled");
  }
  const bool onto = call.number == SYS_dup2 || call.number == SYS_dup3;
  if (onto && a[0] == a[1]) return call.number == SYS_dup2 ? static_cast<long>(a[1]) : -EINVAL;
  if (onto && (is_protected(static_cast<int>(a[1])) || a[1] <= 2)) {
    refuse(Refusal::Unsupported,
           "the program puts a pipe or eventfd in the place of a standard stream, which is not modelled");
  }
  system_operation(call.site);
  return copy_descriptor(descriptor, raw_syscall(call.number, a[0], a[1], a[2]));
}

long fcntl_call(const SystemCall& call, Descriptor& descriptor) {
  const auto& a = call.arguments;
  const bool end = descriptor.kind == Descriptor::Kind::End;
  switch (static_cast<int>(a[1])) {
    case F_GETFD:
    case F_SETFD: return raw_syscall(SYS_fcntl, a[0], a[1], a[2]);
    case F_GETFL:
      return (descriptor.nonblocking ? O_NONBLOCK : 0) | (!end || (descriptor.reads && descriptor.writes) ? O_RDWR
                                                          : descriptor.writes                             ? O_WRONLY
                                                                                                          : O_RDONLY);
    case F_SETFL:
      system_operation(call.site);
      descriptor.nonblocking = (a[2] & O_NONBLOCK) != 0;
      return 0;
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
      if (!end) break;
      system_operation(call.site);
      return copy_descriptor(descriptor, raw_syscall(SYS_fcntl, a[0], a[1], a[2]));
    default: break;
  }
  refuse(Refusal::Unsupported, "the program calls fcntl with command " + std::to_string(a[1]) +
                                   " on a pipe, eventfd or epoll, which is not modelled");
}

long ioctl_call(const SystemCall& call, Descriptor& descriptor) {
  const auto& a = call.arguments;
  if (descriptor.kind == Descriptor::Kind::End && (a[1] == FIONREAD || a[1] == FIONBIO)) {
    int* value = reinterpret_cast<int*>(a[2]);
    system_operation(call.site);
    if (a[1] == FIONBIO) {
      descriptor.nonblocking = *value != 0;
    } else {
      *value = static_cast<int>(channel_of(descriptor).used);
    }
    return 0;
  }
  return -ENOTTY;
}

long call_on(const SystemCall& call, Descriptor& descriptor) {
  const bool epoll = descriptor.kind == Descriptor::Kind::Epoll;
  switch (call.number) {
    case SYS_read:
    case SYS_readv: return epoll ? -EINVAL : read_call(call, descriptor);
    case SYS_write:
    case SYS_writev: return epoll ? -EINVAL : write_call(call, descriptor);
    case SYS_close: return close_call(call, descriptor);
    case SYS_dup:
    case SYS_dup2:
    case SYS_dup3: return duplicate(call, descriptor);
    case SYS_fcntl: return fcntl_call(call, descriptor);
    case SYS_ioctl: return ioctl_call(call, descriptor);
    case SYS_lseek:
    case SYS_pread64:
    case SYS_pwrite64: return -ESPIPE;
    case SYS_fstat:
    case SYS_newfstatat:
    case SYS_statx:
      return raw_syscall(call.number, call.arguments[0], call.arguments[1], call.arguments[2], call.arguments[3],
                         call.arguments[4]);
    default: break;
  }
  refuse(Refusal::Unsupported, "the program makes the system call " + syscall_name(call.number) +
                                   " on a pipe, eventfd or epoll, which is not modelled");
}

// Calls whose first argument is a descriptor and that a model of one could meet.
bool takes_descriptor(long number) {
  switch (number) {
    case SYS_read:
    case SYS_readv:
    case SYS_write:
    case SYS_writev:
    case SYS_close:
    case SYS_dup:
    case SYS_dup2:
    case SYS_dup3:
    case SYS_fcntl:
    case SYS_ioctl:
    case SYS_lseek:
    case SYS_pread64:
    case SYS_pwrite64:
    case SYS_fstat:
    case SYS_statx:
    case SYS_newfstatat:
    case SYS_splice:
    case SYS_tee:
    case SYS_vmsplice:
    case SYS_sendfile:
    case SYS_preadv:
    case SYS_pwritev: return true;
    default: return false;
  }
}

}  // namespace

Descriptor* modelled(std::uint64_t number) {
  if (!process_objects.used || number >= Channels::kDescriptors) return nullptr;
  Descriptor& descriptor = all().descriptors[number];
  return descriptor.kind != Descriptor::Kind::NotOurs ? &descriptor : nullptr;
}

bool channel_ready(const Operation& pending) noexcept {
  switch (pending.kind) {
    case OpKind::ChannelRead:
      return pending.second != 0 || reinterpret_cast<const Channel*>(pending.object)->readable();
    case OpKind::ChannelWrite:
      return pending.second != 0 || reinterpret_cast<const Channel*>(pending.object)->writable();
    default: return poll_ready(pending);
  }
}

std::optional<long> channel_call(const SystemCall& call) {
  switch (call.number) {
    case SYS_pipe:
    case SYS_pipe2: return make_pipe(call);
    case SYS_eventfd:
    case SYS_eventfd2: return make_eventfd(call);
    case SYS_epoll_create:
    case SYS_epoll_create1:
      return make_epoll(call, placeholder(call.number == SYS_epoll_create1 ? call.arguments[0] : 0));
    default: break;
  }
  if (const auto polled = polling_call(call)) return polled;
  if (!takes_descriptor(call.number)) return std::nullopt;
  Descriptor* descriptor = modelled(call.arguments[0]);
  const bool onto = call.number == SYS_dup2 || call.number == SYS_dup3;
  if (descriptor == nullptr && onto && modelled(call.arguments[1]) != nullptr) {
    refuse(Refusal::Unsupported,
           "the program puts another file in the place of a pipe or eventfd, which is not modelled");
  }
  if (descriptor == nullptr) return std::nullopt;
  return call_on(call, *descriptor);
}

}  // namespace heddle::native
