#include "cli/supervisor.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>
#include <utility>

#include "cli/user_error.hpp"
#include "cli/worker_environment.hpp"
#include "worker/board.hpp"

namespace heddle {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kGiveUpSignal = 62;  // as in program/native/signals.hpp
constexpr std::chrono::milliseconds kTick{50};
constexpr std::chrono::milliseconds kBetweenLines{200};  // of progress
constexpr std::chrono::milliseconds kAsking{
    2};  // while a worker is asked to give up: it may be busy with its own affairs
constexpr std::chrono::milliseconds kAgain{2'000};     // for a step that was seen not to end before
constexpr std::chrono::milliseconds kPatience{3'000};  // for a worker that was asked to give up or to end

volatile std::sig_atomic_t interrupts = 0;
void on_interrupt(int) { interrupts = interrupts + 1; }

// What fits a line of the terminal that progress is shown on; asked anew each time, since windows change.
std::size_t columns_of_line() {
  constexpr std::size_t kUsual = 80;
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return (known ? std::min<std::size_t>(size.ws_col, kUsual) : kUsual) - 1;
}

// Ctrl-C and SIGTERM end the search, not the supervisor.
class InterruptScope {
 public:
  InterruptScope() {
    struct sigaction action {};
    action.sa_handler = on_interrupt;
    ::sigaction(SIGINT, &action, &old_int_);
    ::sigaction(SIGTERM, &action, &old_term_);
  }
  ~InterruptScope() {
    ::sigaction(SIGINT, &old_int_, nullptr);
    ::sigaction(SIGTERM, &old_term_, nullptr);
  }
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

 private:
  struct sigaction old_int_ {};
  struct sigaction old_term_ {};
};

struct Pipes {
  std::array<int, 2> channel{-1, -1};
  int board = -1;
  int resume = -1;
  int static_table = -1;
};

// A file for the worker. Its number is a high one, so that those that the program gets for its own files are the same
// as without it.
int worker_file(const std::string& bytes) {
  constexpr int kOutOfTheWay = 512;
  const int low = ::memfd_create("heddle-worker", 0);
  const int file = ::fcntl(low, F_DUPFD, kOutOfTheWay);
  ::close(low);
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t wrote = ::write(file, bytes.data() + at, bytes.size() - at);
    if (wrote <= 0) throw cannot("create", "a file for the program's process");
    at += static_cast<std::size_t>(wrote);
  }
  ::lseek(file, 0, SEEK_SET);
  return file;
}

// In the child, between fork and exec.
// The runtime reserves windows of the address space (src/program/native/layout.hpp), which take no memory.
void require_address_space() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  throw UserError(
      "the address space is limited (ulimit -v); Heddle reserves terabytes of it, which take no memory: lift that "
      "limit, "
      "and limit memory otherwise (a container, systemd-run -p MemoryMax=)");
}

[[noreturn]] void become_worker(const WorkerRun& run, const Pipes& pipes) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::setpgid(0, 0);  // Ctrl-C is the supervisor's business
  ::signal(SIGXFSZ, SIG_DFL);
  ::personality(ADDR_NO_RANDOMIZE);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const int nowhere = ::open("/dev/null", O_RDWR);
  if (!run.configuration.show_output) {
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
  }
  if (::isatty(STDIN_FILENO) != 0) ::dup2(nowhere, STDIN_FILENO);
  ::close(nowhere);
  ::close(pipes.channel[0]);
  WorkerConfiguration configuration = run.configuration;
  configuration.channel = pipes.channel[1];
  configuration.board = pipes.board;
  configuration.resume = pipes.resume;
  configuration.static_table = pipes.static_table;
  for (const auto& [name, value] : worker_environment(configuration)) ::setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments{const_cast<char*>(run.program.c_str())};
  for (const std::string& word : run.arguments) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execv(run.program.c_str(), arguments.data());
  ::_exit(127);
}

std::string schedule_text(const Board& board) {
  std::vector<NamedChoice> schedule;
  for (std::uint32_t i = 0; i < board.length && i < Board::kScheduleRoom; ++i) {
    schedule.push_back({board.threads[board.schedule[i].thread].path, board.schedule[i].outcome});
  }
  return to_text(schedule);
}

// Watches over one worker.
class Watch {
 public:
  Watch(const WorkerRun& run, pid_t child, int channel, Board& board)
      : run_(run), child_(child), channel_(channel), board_(board), start_(Clock::now()), last_beat_(start_) {
    if (!run.resume) return;
    earlier_ = std::chrono::duration<double>(run.resume->seconds);
    outcome_.messages = run.resume->messages;
    outcome_.samples = run.resume->samples;
    for (const auto& message : outcome_.messages) findings_ += message["type"] == "finding" ? 1U : 0U;
  }

  WorkerOutcome watch() {
    bool open = true;
    while (open) {
      pollfd poll{.fd = channel_, .events = POLLIN, .revents = 0};
      const int ready = ::poll(&poll, 1, static_cast<int>((asking_ ? kAsking : kTick).count()));
      if (ready > 0) open = read_messages();
      // A process that outlived the worker may hold the channel open.
      if (ready == 0 && worker_has_ended()) open = false;
      look_after();
    }
    int status = 0;
    rusage usage{};
    while (::wait4(child_, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    if (run_.progress == ProgressStyle::Json) show_progress(Clock::now());
    if (shown_) fmt::print(stderr, "\r\033[K");
    finish(status, usage);
    return std::move(outcome_);
  }

 private:
  // Without taking note of it: that is for later.
  [[nodiscard]] bool worker_has_ended() const {
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == child_;
  }

  bool read_messages() {
    std::array<char, 65536> buffer;
    const ssize_t got = ::read(channel_, buffer.data(), buffer.size());
    if (got <= 0) return got < 0 && errno == EINTR;
    for (std::string_view bytes(buffer.data(), static_cast<std::size_t>(got)); !bytes.empty();) {
      bytes.remove_prefix(checkpoint_ ? take_state(bytes) : take_line(bytes));
    }
    last_beat_ = last_told_ = Clock::now();  // it is telling us something
    return true;
  }

  // Both say how many of the bytes they took.
  std::size_t take_line(std::string_view bytes) {
    const std::size_t end = bytes.find('\n');
    pending_.append(bytes.substr(0, end));
    if (end == std::string_view::npos) return bytes.size();
    take(nlohmann::json::parse(pending_, nullptr, false));
    pending_.clear();
    return end + 1;
  }

  std::size_t take_state(std::string_view bytes) {
    const std::size_t wanted = (*checkpoint_)["bytes"].get<std::size_t>() - pending_.size();
    const std::size_t taken = std::min(wanted, bytes.size());
    pending_.append(bytes.substr(0, taken));
    if (taken == wanted) {
      keep(*std::exchange(checkpoint_, std::nullopt), std::exchange(pending_, {}));
    }
    return taken;
  }

  void take(nlohmann::json message) {
    if (message.is_discarded()) return;
    if (message["type"] == "checkpoint") {
      checkpoint_ = std::move(message);  // its state follows
      return;
    }
    if (message["type"] == "finding") ++findings_;
    outcome_.messages.push_back(std::move(message));
  }

  // Messages arrive in order: what the worker had said before the checkpoint is known here.
  void keep(const nlohmann::json& message, std::string state) {
    next_checkpoint_ = Clock::now() + run_.checkpoint_every.value_or(kTick);
    if (!run_.keep) return;
    SearchPoint point{.messages = {},
                      .samples = outcome_.samples,
                      .seconds = seconds(Clock::now()),
                      .statistics = message["statistics"],
                      .state = std::move(state)};
    for (const auto& said : outcome_.messages) {
      const std::string type = said["type"];
      const bool lasting = type == "finding" || type == "minimised" || type == "explained" || type == "warning";
      if (lasting) point.messages.push_back(said);
    }
    if (run_.keep(run_.configuration, point)) outcome_.kept = true;
  }

  // Of the search, those before it was resumed included.
  [[nodiscard]] double seconds(Clock::time_point now) const {
    return std::chrono::duration<double>(now - start_ + earlier_).count();
  }

  // Progress, interrupts, and the wall-clock guard.
  void look_after() {
    const auto now = Clock::now();
    if (interrupts > 0 && !outcome_.interrupted) {
      outcome_.interrupted = true;
      board_.interrupt = 1;
      asked_ = now;
    }
    // Whoever is telling us where the search stands is not stuck.
    const bool silent = now - last_told_ > kPatience;
    if (interrupts > 1 || (outcome_.interrupted && now - asked_ > kPatience && silent)) kill();
    const auto limit = run_.configuration.search.explore.budget.max_time;
    if (limit && now - start_ > *limit + kPatience) {
      board_.interrupt = 1;
      if (now - start_ > *limit + 2 * kPatience && silent) kill();
    }
    if (board_.heartbeat != beat_) {
      if (!asking_) longest_step_ = std::max(longest_step_, now - last_beat_);
      beat_ = board_.heartbeat;
      last_beat_ = now;
      asking_ = false;
    } else if (now - last_beat_ > step_limit() + kPatience) {
      kill();
    } else if (now - last_beat_ > step_limit()) {
      asking_ = true;
      ::kill(child_, kGiveUpSignal);
    }
    if (run_.checkpoint_every && now >= next_checkpoint_) {
      next_checkpoint_ = Clock::time_point::max();  // until it is there
      board_.checkpoint = board_.checkpoint + 1;
    }
    take_sample(now);
    if (run_.progress != ProgressStyle::None && now - last_shown_ > kBetweenLines) show_progress(now);
  }

  // A thread that runs on and on is looked at several times for one finding: as long as it may only the first time,
  // then much longer than any step that did end.
  [[nodiscard]] Clock::duration step_limit() const {
    if (board_.again == 0) return run_.step_timeout;
    return std::min<Clock::duration>(run_.step_timeout, std::max<Clock::duration>(kAgain, 4 * longest_step_));
  }

  // At first at every look; whenever there are enough, every other one is dropped and they are taken half as often.
  void take_sample(Clock::time_point now) {
    constexpr std::size_t kMost = 200;
    if (now < next_sample_) return;
    next_sample_ = now + between_samples_;
    outcome_.samples.push_back({seconds(now), board_.statistics.executions, board_.statistics.events});
    if (outcome_.samples.size() < kMost) return;
    std::vector<Exploration::Sample> kept;
    for (std::size_t i = 0; i < outcome_.samples.size(); i += 2) kept.push_back(outcome_.samples[i]);
    outcome_.samples = std::move(kept);
    between_samples_ *= 2;
  }

  void show_progress(Clock::time_point now) {
    last_shown_ = now;
    const ProgressState state{seconds(now), board_.statistics, findings_, board_.estimate, board_.estimate_error};
    if (run_.progress == ProgressStyle::Json) {
      fmt::print(stderr, "{}\n", progress_json(state));
    } else {
      shown_ = true;
      fmt::print(stderr, "\r\033[K{}", progress_line(state, columns_of_line()));
    }
    std::fflush(stderr);
  }

  void kill() {
    killed_ = true;
    ::kill(child_, SIGKILL);
  }

  void finish(int status, const rusage& usage) {
    outcome_.seconds = seconds(Clock::now());
    outcome_.peak_rss_kib = usage.ru_maxrss;
    outcome_.statistics = board_.statistics;
    outcome_.samples.push_back({outcome_.seconds, board_.statistics.executions, board_.statistics.events});
    outcome_.schedule = schedule_text(board_);
    for (const auto& message : outcome_.messages) outcome_.ready = outcome_.ready || message["type"] == "modules";
    if (WIFEXITED(status)) {
      outcome_.end = WEXITSTATUS(status) == 127 && !outcome_.ready ? WorkerEnd::NotStarted : WorkerEnd::Exited;
      outcome_.status = WEXITSTATUS(status);
    } else {
      outcome_.end = killed_ ? WorkerEnd::Killed : WorkerEnd::Died;
      outcome_.status = WTERMSIG(status);
    }
  }

  const WorkerRun& run_;
  pid_t child_;
  int channel_;
  Board& board_;
  Clock::time_point start_;
  Clock::time_point last_beat_;
  Clock::time_point last_told_{};
  Clock::time_point last_shown_{};
  Clock::time_point asked_{};
  Clock::time_point next_sample_{};
  Clock::time_point next_checkpoint_ = start_ + run_.checkpoint_every.value_or(kTick);
  std::chrono::duration<double> earlier_{};
  std::chrono::milliseconds between_samples_ = kTick;
  std::uint64_t beat_ = 0;
  Clock::duration longest_step_{};            // of those that ended
  std::string pending_;                       // of a line, or of a checkpoint's state
  std::optional<nlohmann::json> checkpoint_;  // whose state is arriving
  bool killed_ = false;
  bool asking_ = false;
  bool shown_ = false;
  std::size_t findings_ = 0;
  WorkerOutcome outcome_;
};

}  // namespace

WorkerOutcome run_worker(const WorkerRun& run) {
  require_address_space();
  Pipes pipes;
  if (::pipe2(pipes.channel.data(), 0) != 0) throw cannot("create", "a pipe");
  pipes.board = create_board();
  if (run.resume) pipes.resume = worker_file(run.resume->state);
  if (!run.static_table.empty()) pipes.static_table = worker_file(run.static_table);
  void* memory = ::mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED, pipes.board, 0);
  if (memory == MAP_FAILED) throw cannot("map", "shared memory");
  Board& board = *static_cast<Board*>(memory);
  const InterruptScope scope;
  const pid_t child = ::fork();
  if (child < 0) throw cannot("start", run.program);
  if (child == 0) become_worker(run, pipes);
  ::close(pipes.channel[1]);
  if (pipes.resume >= 0) ::close(pipes.resume);
  if (pipes.static_table >= 0) ::close(pipes.static_table);
  WorkerOutcome outcome = Watch(run, child, pipes.channel[0], board).watch();
  ::close(pipes.channel[0]);
  ::close(pipes.board);
  ::munmap(memory, sizeof(Board));
  return outcome;
}

}  // namespace heddle
