#include "worker/run_search.hpp"

#include <optional>
#include <string>

#include "explore/portfolio.hpp"
#include "explore/search_run.hpp"
#include "program/native/foreign_code.hpp"
#include "program/native/process_state.hpp"
#include "program/native/runtime.hpp"
#include "program/recheck.hpp"
#include "worker/child_process.hpp"
#include "worker/forked_program.hpp"
#include "worker/mirror.hpp"
#include "worker/report_finding.hpp"
#include "worker/search_messages.hpp"

namespace heddle {

using native::rt;
using nlohmann::json;

void send_notes(const Channel& channel) {
  for (const std::string& note : native::notes()) channel.send({{"type", "note"}, {"text", note}});
}

namespace {

// What every process of a search has to say about what it met, for the coverage statement.
json describe_met() {
  return {{"timeouts_cut", rt.timeouts_cut},
          {"gave_up", rt.gave_up},
          {"main_returned_early", rt.main_returned_early},
          {"weak_orders", rt.weak_orders}};
}

int channel_before_exit = -1;

// At the end of a process that took part in a search over states.
void report_before_exit() {
  const Channel channel(channel_before_exit);
  send_notes(channel);
  json met = describe_met();
  met["type"] = "met";
  channel.send(met);
}

void send_end(const Channel& channel, const SearchResult& found, const std::vector<std::uint64_t>& branches) {
  send_notes(channel);
  json done = describe_met();
  done["type"] = "done";
  done["ended"] = std::string(text(found.explored.ended));
  done["cut"] = found.explored.cut_executions;
  done["coverage"] = describe_coverage(found);
  done["branches"] = branches;
  done["statistics"] = to_message(found.explored.statistics);
  channel.send(done);
}

// The search to run, from where it stood if it was begun elsewhere; nothing if it does not fit the program.
std::optional<SearchRequest> resumed(const WorkerConfiguration& configuration, const Beginning& beginning,
                                     WorkerListener& listener) {
  SearchRequest request = configuration.search;
  if (configuration.resume < 0) return request;
  Archive read(beginning.state);
  if (!listener.archive(read)) return std::nullopt;
  request.resume_from = read.left();
  return request;
}

// A program whose states are compared runs in this process, bare: there are no executions to mirror or to repeat, and
// the search looks itself whether it does the same again.
int search_states(const WorkerConfiguration& configuration, const Beginning& beginning, const Channel& channel,
                  Board& board, native::NativeProgram& program) {
  channel_before_exit = configuration.channel;
  WorkerListener listener(channel, board, program, nullptr, configuration, beginning);
  const std::optional<SearchRequest> request = resumed(configuration, beginning, listener);
  if (!request) {
    channel.send({{"type", "unresumable"}});
    return 0;
  }
  SearchRun search(program, listener, *request, worker_processes(report_before_exit));
  listener.listen_to({[&] { search.interrupt(); }, [&](std::uint64_t so_far) { return search.estimate(so_far); }});
  const SearchResult found = search.run();
  if (found.explored.ended == Ended::NotResumed) {
    channel.send({{"type", "unresumable"}});
    return 0;
  }
  if (const std::string& library = native::refused_reduction_for(); !library.empty()) {
    channel.send({{"type", "unreduced"}, {"library", library}});
    return 0;
  }
  if (found.explored.ended == Ended::Refused) {
    channel.send(describe_refusal(program, named(program, found.schedule)));
  }
  send_end(channel, found, {});
  return 0;
}

}  // namespace

int run_search(const WorkerConfiguration& configuration, const Beginning& beginning, const Channel& channel,
               Board& board, native::NativeProgram& program) {
  if (configuration.search.mode == SearchMode::States) {
    return search_states(configuration, beginning, channel, board, program);
  }
  std::optional<ForkedProgram> forked;
  if (configuration.fork) forked.emplace(program);
  Program& executed = forked ? static_cast<Program&>(*forked) : program;
  Recheck recheck(executed, configuration.search.self_check ? Recheck::Sample::All : Recheck::Sample::Few);
  Mirror mirror(recheck, board);
  WorkerListener listener(channel, board, program, forked ? &*forked : nullptr, configuration, beginning);
  listener.attach(mirror);
  const auto run = [&](auto search) {
    listener.listen_to({[&] { search.interrupt(); }, [&](std::uint64_t so_far) { return search.estimate(so_far); }});
    return search.run();
  };
  const std::optional<SearchRequest> request = resumed(configuration, beginning, listener);
  if (!request) {
    channel.send({{"type", "unresumable"}});
    return 0;
  }
  const SearchResult found = request->mode == SearchMode::Portfolio ? run(Portfolio(mirror, listener, *request))
                                                                    : run(SearchRun(mirror, listener, *request));
  const ExploreResult& result = found.explored;
  if (result.ended == Ended::NotResumed) {
    channel.send({{"type", "unresumable"}});
    return 0;
  }
  if (const char* reason = native::fresh_process_reason(); reason != nullptr && !configuration.fork) {
    channel.send({{"type", "isolate"}, {"reason", std::string("the program ") + reason}});
    return 0;
  }
  if (const std::string& library = native::refused_reduction_for(); !library.empty()) {
    channel.send({{"type", "unreduced"}, {"library", library}});
    return 0;
  }
  if (result.ended == Ended::Refused) {
    const std::vector<NamedChoice> steps = named(executed, found.schedule);
    if (forked) {
      forked->in_fresh_process([&] { channel.send(describe_refusal(program, steps)); });
    } else {
      channel.send(describe_refusal(program, steps));
    }
  }
  send_end(channel, found, mirror.returns());
  return 0;
}

}  // namespace heddle
