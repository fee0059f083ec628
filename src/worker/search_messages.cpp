#include "worker/search_messages.hpp"

namespace heddle {

using nlohmann::json;

namespace {

json to_message(const Measure& m) { return {{"preemptions", m.preemptions}, {"steps", m.length}, {"data", m.data}}; }

}  // namespace

std::string_view text(Ended ended) {
  switch (ended) {
    case Ended::Complete: return "complete";
    case Ended::FirstFinding: return "finding";
    case Ended::Executions: return "executions";
    case Ended::Steps: return "steps";
    case Ended::Time: return "time";
    case Ended::States: return "states";
    case Ended::Memory: return "memory";
    case Ended::WorkerDied: return "worker-died";
    case Ended::Unseen: return "unseen";
    case Ended::Interrupted: return "interrupted";
    case Ended::Refused: return "refused";
    case Ended::NotResumed:
    case Ended::Revised: break;
  }
  return "";
}

json to_message(const Statistics& s) {
  return {{"executions", s.executions}, {"blocked", s.blocked},        {"abandoned", s.abandoned}, {"events", s.events},
          {"replayed", s.replayed},     {"max_depth", s.max_depth},    {"threads", s.threads},     {"states", s.states},
          {"failures", s.failures},     {"transitions", s.transitions}};
}

json describe_coverage(const SearchResult& result) {
  json coverage = json::object();
  if (!result.bounds.empty()) {
    json bounds = json::array();
    for (const BoundReport& report : result.bounds) {
      bounds.push_back({{"bound", report.bound},
                        {"executions", report.executions},
                        {"blocked", report.blocked},
                        {"states", report.states},
                        {"complete", report.complete}});
    }
    coverage["bounds"] = bounds;
    coverage["everything"] = result.everything;
  }
  if (result.sample) {
    coverage["sample"] = {
        {"runs", result.sample->runs}, {"threads", result.sample->threads}, {"decisions", result.sample->decisions}};
  }
  if (result.states) {
    coverage["states"] = {{"bytes", result.states->store_bytes}, {"static_in_vain", result.states->static_in_vain}};
  }
  if (result.partial_orders) coverage["partial_orders"] = *result.partial_orders;
  if (result.estimate) {
    coverage["estimate"] = {{"executions", result.estimate->executions},
                            {"relative_error", result.estimate->relative_error},
                            {"samples", result.estimate->samples},
                            {"effective_samples", result.estimate->effective},
                            {"rough", result.estimate->rough()}};
  }
  return coverage;
}

json to_message(const Minimised& minimised) {
  return {{"before", to_message(minimised.before)},
          {"after", to_message(minimised.after)},
          {"fewest_preemptions", minimised.fewest_preemptions},
          {"smallest", minimised.smallest}};
}

}  // namespace heddle
