// All these calls come down to a list of descriptors, each with what is waited for. Waiting for one descriptor is a
// look at its channel; waiting for several is one operation that depends on everything.
#include "program/native/polling.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <string>

#include "program/native/accesses.hpp"
#include "program/native/cancellation.hpp"
#include "program/native/locks.hpp"
#include "program/native/outcomes.hpp"
#include "program/native/process_objects.hpp"
#include "program/native/process_state.hpp"
#include "program/native/raw_syscall.hpp"
#include "program/native/runtime.hpp"
#include "program/native/sync_clocks.hpp"
#include "program/native/syscall_names.hpp"
#include "program/native/time.hpp"

namespace heddle::native {
namespace {

constexpr std::size_t kMost = 64;  // descriptors waited for at once

struct Watch {
  std::int32_t descriptor;
  std::uint32_t events;
};

struct WatchList {
  std::size_t count = 0;
  std::array<Watch, kMost> watches{};
};

std::uint32_t happened(const Channel& channel, const Descriptor& end, std::uint32_t wanted) noexcept {
  std::uint32_t events = 0;
  const bool pipe = channel.kind == Channel::Kind::Pipe;
  if (end.reads && (pipe ? channel.used > 0 : channel.counter > 0)) events |= POLLIN | POLLRDNORM;
  if (end.writes && channel.writable()) events |= POLLOUT | POLLWRNORM;
  events &= wanted;
  if (pipe && end.reads && channel.writers == 0) events |= POLLHUP;
  if (pipe && end.writes && channel.readers == 0) events |= POLLERR;
  return events;
}

std::uint32_t happened(const Watch& watch) noexcept {
  if (watch.descriptor < 0) return 0;
  const Descriptor& end = process_objects.channels.descriptors[static_cast<std::size_t>(watch.descriptor)];
  if (end.kind != Descriptor::Kind::End) return POLLNVAL;
  return happened(process_objects.channels.channels[end.index], end, watch.events);
}

// One that was asked for once and has been reported says nothing more.
std::uint32_t happened(const WatchedDescriptor& watched) noexcept {
  return watched.events == EPOLLONESHOT ? 0 : happened(Watch{watched.descriptor, watched.events});
}

[[noreturn]] void refuse_mixture(const SystemCall& call) {
  refuse(Refusal::Unsupported,
         "the program makes the system call " + syscall_name(call.number) +
             " on something else than pipes and eventfds of its own, and waiting for that is not modelled");
}

// How long a call waits: not at all, for ever, or until a deadline, which is then set.
enum class Patience : std::uint8_t { None, Endless, Timed };

Patience patience_of(std::int64_t nanoseconds) {
  if (nanoseconds == 0) return Patience::None;
  if (nanoseconds < 0) return Patience::Endless;
  Fibre& fibre = *rt.current;
  fibre.timed = true;
  fibre.deadline = fibre.time + static_cast<std::uint64_t>(nanoseconds);
  return Patience::Timed;
}

std::int64_t nanoseconds_of(const timespec* time) {
  return time == nullptr ? -1 : static_cast<std::int64_t>(from_timespec(*time));
}

// Waits until one of the descriptors has something to say; false at a time-out.
bool wait_for(const WatchList& list, std::int64_t nanoseconds, std::uint64_t site) {
  const Patience patience = patience_of(nanoseconds);
  std::size_t channels = 0;
  const Watch* only = nullptr;
  for (std::size_t i = 0; i < list.count; ++i) {
    if (list.watches[i].descriptor < 0) continue;
    ++channels;
    only = &list.watches[i];
  }
  if (channels == 0 && patience == Patience::Timed) {  // a way to sleep
    rt.current->timed = false;
    cancellation_point(site);
    pass_time(static_cast<std::uint64_t>(nanoseconds), site);
    return false;
  }
  Operation op{.kind = OpKind::Poll, .timed = patience == Patience::Timed, .object = word(&list), .site = site};
  if (channels == 1) {
    const Descriptor& end = process_objects.channels.descriptors[static_cast<std::size_t>(only->descriptor)];
    op.kind = OpKind::ChannelLook;
    op.object = word(&process_objects.channels.channels[end.index]);
    op.second = word(only);
  }
  if (patience == Patience::None) op.size = 1;
  const Outcome outcome = reach(op);
  if (outcome == kTimedOut) {
    act_if_cancelled();
    reach_deadline(*rt.current);
    return false;
  }
  for (std::size_t i = 0; i < list.count; ++i) {
    const Watch& watch = list.watches[i];
    if (happened(watch) == 0) continue;
    const Descriptor& end = process_objects.channels.descriptors[static_cast<std::size_t>(watch.descriptor)];
    acquire(*rt.current, word(&process_objects.channels.channels[end.index]));
  }
  return true;
}

void add_watch(WatchList& list, const SystemCall& call, std::int32_t descriptor, std::uint32_t events) {
  if (list.count == kMost) {
    refuse(Refusal::Limit, "the program waits for more than " + std::to_string(kMost) + " descriptors at once");
  }
  if (descriptor >= 0) {
    const Descriptor* found = modelled(static_cast<std::uint64_t>(descriptor));
    if (found == nullptr || found->kind != Descriptor::Kind::End) refuse_mixture(call);
  }
  list.watches[list.count++] = {descriptor, events};
}

long poll_call(const SystemCall& call, std::int64_t nanoseconds) {
  auto* descriptors = reinterpret_cast<pollfd*>(call.arguments[0]);
  const std::uint64_t count = call.arguments[1];
  WatchList list;
  for (std::uint64_t i = 0; i < count; ++i) {
    add_watch(list, call, descriptors[i].fd, static_cast<std::uint16_t>(descriptors[i].events));
  }
  wait_for(list, nanoseconds, call.site);
  long ready = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint32_t events = happened(list.watches[i]);
    descriptors[i].revents = static_cast<short>(events);
    if (events != 0) ++ready;
  }
  return ready;
}

long select_call(const SystemCall& call, std::int64_t nanoseconds) {
  const auto& a = call.arguments;
  const auto count = static_cast<int>(a[0]);
  const std::array<fd_set*, 3> sets{reinterpret_cast<fd_set*>(a[1]), reinterpret_cast<fd_set*>(a[2]),
                                    reinterpret_cast<fd_set*>(a[3])};
  const auto wanted = [&](std::size_t set, int fd) { return sets[set] != nullptr && FD_ISSET(fd, sets[set]); };
  WatchList list;
  for (int fd = 0; fd < count && fd < FD_SETSIZE; ++fd) {
    const std::uint32_t events =
        (wanted(0, fd) ? std::uint32_t{POLLIN} : 0) | (wanted(1, fd) ? std::uint32_t{POLLOUT} : 0);
    if (events != 0 || wanted(2, fd)) add_watch(list, call, fd, events);
  }
  wait_for(list, nanoseconds, call.site);
  long ready = 0;
  for (std::size_t i = 0; i < list.count; ++i) {
    const Watch& watch = list.watches[i];
    const std::uint32_t events = happened(watch);
    const std::array<bool, 3> is{(events & (POLLIN | POLLHUP)) != 0 && (watch.events & POLLIN) != 0,
                                 (events & (POLLOUT | POLLERR)) != 0 && (watch.events & POLLOUT) != 0, false};
    for (std::size_t set = 0; set < sets.size(); ++set) {
      if (!wanted(set, watch.descriptor)) continue;
      if (is[set]) ++ready;
      if (!is[set]) FD_CLR(watch.descriptor, sets[set]);
    }
  }
  return ready;
}

Epoll* epoll_of(std::uint64_t number) {
  const Descriptor* descriptor = modelled(number);
  if (descriptor == nullptr || descriptor->kind != Descriptor::Kind::Epoll) return nullptr;
  return &process_objects.channels.epolls[descriptor->index];
}

long epoll_control(const SystemCall& call, Epoll& epoll) {
  const auto& a = call.arguments;
  const auto number = static_cast<std::int32_t>(a[2]);
  const auto* event = reinterpret_cast<const epoll_event*>(a[3]);
  const Descriptor* target = modelled(a[2]);
  if (target == nullptr || target->kind != Descriptor::Kind::End) refuse_mixture(call);
  if (a[1] != EPOLL_CTL_DEL && (event->events & EPOLLET) != 0) {
    refuse(Refusal::Unsupported, "the program asks epoll for edges (EPOLLET), which is not modelled");
  }
  reach({.kind = OpKind::System, .site = call.site});
  WatchedDescriptor* found = nullptr;
  for (std::uint32_t i = 0; i < epoll.count; ++i) {
    if (epoll.watched[i].descriptor == number) found = &epoll.watched[i];
  }
  switch (a[1]) {
    case EPOLL_CTL_ADD:
      if (found != nullptr) return -EEXIST;
      if (epoll.count == epoll.watched.size())
        refuse(Refusal::Limit, "an epoll of the program watches more than 16 descriptors");
      epoll.watched[epoll.count++] = {number, event->events, event->data.u64};
      return 0;
    case EPOLL_CTL_MOD:
      if (found == nullptr) return -ENOENT;
      *found = {number, event->events, event->data.u64};
      return 0;
    case EPOLL_CTL_DEL:
      if (found == nullptr) return -ENOENT;
      *found = epoll.watched[--epoll.count];
      return 0;
    default: return -EINVAL;
  }
}

// What an epoll watches can change while it is waited for, so the wait looks at the epoll itself.
long epoll_wait_call(const SystemCall& call, Epoll& epoll) {
  const auto& a = call.arguments;
  auto* events = reinterpret_cast<epoll_event*>(a[1]);
  const auto most = static_cast<long>(static_cast<int>(a[2]));
  if (most <= 0) return -EINVAL;
  const std::int64_t nanoseconds = call.number == SYS_epoll_pwait2
                                       ? nanoseconds_of(reinterpret_cast<const timespec*>(a[3]))
                                       : std::int64_t{static_cast<int>(a[3])} * 1'000'000;
  const Patience patience = patience_of(nanoseconds);
  const Outcome outcome = reach({.kind = OpKind::Poll,
                                 .timed = patience == Patience::Timed,
                                 .size = patience == Patience::None ? 1U : 0U,
                                 .second = word(&epoll),
                                 .site = call.site});
  if (outcome == kTimedOut) {
    act_if_cancelled();
    reach_deadline(*rt.current);
    return 0;
  }
  long ready = 0;
  for (std::uint32_t i = 0; i < epoll.count && ready < most; ++i) {
    WatchedDescriptor& watched = epoll.watched[i];
    const std::uint32_t now = happened(watched);
    if (now == 0) continue;
    const Descriptor& end = process_objects.channels.descriptors[static_cast<std::size_t>(watched.descriptor)];
    acquire(*rt.current, word(&process_objects.channels.channels[end.index]));
    plain_access(word(&events[ready]), sizeof *events, true, call.site);
    events[ready].events = now;
    events[ready].data.u64 = watched.data;
    ++ready;
    if ((watched.events & EPOLLONESHOT) != 0) watched.events = EPOLLONESHOT;
  }
  return ready;
}

std::int64_t milliseconds(std::uint64_t argument) { return std::int64_t{static_cast<int>(argument)} * 1'000'000; }

}  // namespace

long make_epoll(const SystemCall& call, int number) {
  reach({.kind = OpKind::System, .site = call.site});
  Channels& channels = change_process_objects().channels;
  for (std::size_t i = 0; i < channels.epolls.size(); ++i) {
    if (channels.epolls[i].open) continue;
    channels.epolls[i] = {};
    channels.epolls[i].open = true;
    channels.descriptors[static_cast<std::size_t>(number)] = {.kind = Descriptor::Kind::Epoll,
                                                              .index = static_cast<std::uint8_t>(i)};
    return number;
  }
  refuse(Refusal::Limit, "the program has more than 4 epolls open at once");
}

void forget_watched(int number) {
  for (Epoll& epoll : process_objects.channels.epolls) {
    for (std::uint32_t i = 0; i < epoll.count; ++i) {
      if (epoll.watched[i].descriptor == number) epoll.watched[i--] = epoll.watched[--epoll.count];
    }
  }
}

std::optional<long> polling_call(const SystemCall& call) {
  const auto& a = call.arguments;
  switch (call.number) {
    case SYS_poll: return poll_call(call, a[2] < 0x8000'0000U ? milliseconds(a[2]) : -1);
    case SYS_ppoll: return poll_call(call, nanoseconds_of(reinterpret_cast<const timespec*>(a[2])));
    case SYS_pselect6: return select_call(call, nanoseconds_of(reinterpret_cast<const timespec*>(a[4])));
    case SYS_select: {
      const auto* limit = reinterpret_cast<const timeval*>(a[4]);
      return select_call(call, limit == nullptr ? -1 : limit->tv_sec * 1'000'000'000 + limit->tv_usec * 1'000);
    }
    default: break;
  }
  const bool waits = call.number == SYS_epoll_wait || call.number == SYS_epoll_pwait || call.number == SYS_epoll_pwait2;
  if (!waits && call.number != SYS_epoll_ctl) return std::nullopt;
  Epoll* epoll = epoll_of(a[0]);
  if (epoll == nullptr) return -EBADF;
  return waits ? epoll_wait_call(call, *epoll) : epoll_control(call, *epoll);
}

bool poll_ready(const Operation& pending) noexcept {
  if (pending.size == 1) return true;
  if (pending.kind == OpKind::ChannelLook) return happened(*reinterpret_cast<const Watch*>(pending.second)) != 0;
  if (pending.second != 0) {
    const Epoll& epoll = *reinterpret_cast<const Epoll*>(pending.second);
    for (std::uint32_t i = 0; i < epoll.count; ++i) {
      if (happened(epoll.watched[i]) != 0) return true;
    }
    return false;
  }
  const auto& list = *reinterpret_cast<const WatchList*>(pending.object);
  for (std::size_t i = 0; i < list.count; ++i) {
    if (happened(list.watches[i]) != 0) return true;
  }
  return false;
}

}  // namespace heddle::native
