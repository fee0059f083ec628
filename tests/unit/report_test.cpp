#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/console.hpp"
#include "report/forms.hpp"
#include "report/story.hpp"
#include "report/text.hpp"

namespace heddle {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

ReportedEvent access(const std::string& thread, const std::string& kind, const std::string& object,
                     std::uint64_t value) {
  ReportedEvent event;
  event.thread = thread;
  event.kind = kind;
  event.text = kind == "Load" ? "load" : "store";
  event.object = object;
  event.size = 4;
  event.has_value = true;
  event.value = event.before = value;
  event.location = {"/folder/program.c", 7, "work"};
  return event;
}

Involved waiter(const std::string& thread, const std::string& object, const std::string& holder) {
  Involved waiting;
  waiting.thread = thread;
  waiting.object = object;
  waiting.text = "waits for mutex " + object;
  if (!holder.empty()) waiting.holders.push_back({holder, {}});
  return waiting;
}

// Two threads: ten operations on `other`, then a load and a store of `hits` by each.
ReportedFinding lost_update() {
  ReportedFinding finding;
  finding.kind = "assertion";
  finding.message = "assertion `hits == 2` failed";
  finding.thread = "0.1";
  for (int i = 0; i < 10; ++i) finding.events.push_back(access("0.2", "Store", "other", 1));
  for (const char* thread : {"0.1", "0.2"}) finding.events.push_back(access(thread, "Load", "hits", 0));
  for (const char* thread : {"0.2", "0.1"}) finding.events.push_back(access(thread, "Store", "hits", 1));
  finding.decisive.emplace().first = 11;
  finding.decisive->second = 13;
  return finding;
}

TEST(Story, FoldsWhatHasNothingToDoWithItAndMarksWhatDecides) {
  const Story story = tell_story(lost_update());
  EXPECT_THAT(story.threads, ElementsAre("0", "0.1", "0.2"));
  ASSERT_EQ(story.lines.size(), 6U);
  EXPECT_EQ(story.lines[0].kind, StoryLine::Kind::Fold);
  EXPECT_EQ(story.lines[0].count, 10U);
  EXPECT_EQ(story.lines[2].mark, 'A');
  EXPECT_EQ(story.lines[4].mark, 'B');
  EXPECT_EQ(story.lines[5].kind, StoryLine::Kind::Failure);
  EXPECT_THAT(story.decisive, HasSubstr("had thread 1's `store hits = 1 (was 1)` (B) come before thread 2's"));
}

TEST(Story, OfManyOperationsTheMiddleIsFoldedButNotWhatDecides) {
  ReportedFinding finding = lost_update();
  finding.events.clear();
  for (std::uint64_t i = 0; i < 500; ++i)
    finding.events.push_back(access(i % 2 == 0 ? "0.1" : "0.2", "Store", "hits", i));
  finding.decisive->first = 200;
  finding.decisive->second = 301;
  const Story story = tell_story(finding, {.most_lines = 30});
  EXPECT_LT(story.lines.size(), 40U);
  std::string marks;
  std::size_t told = 0;
  for (const StoryLine& line : story.lines) {
    if (line.mark != ' ') marks += line.mark;
    told += line.kind == StoryLine::Kind::Fold ? line.count : line.kind == StoryLine::Kind::Operation ? 1 : 0;
  }
  EXPECT_EQ(marks, "AB");
  EXPECT_EQ(told, 500U);  // every operation is shown or counted
}

TEST(Story, WhatIsRepeatedIsCounted) {
  ReportedFinding finding = lost_update();
  finding.decisive.reset();
  finding.events.assign(5, access("0.1", "Load", "flag", 0));
  const Story story = tell_story(finding);
  ASSERT_EQ(story.lines.size(), 3U);
  EXPECT_EQ(story.lines[1].kind, StoryLine::Kind::Repeat);
  EXPECT_EQ(story.lines[1].count, 4U);
}

TEST(Story, ThreadsThatWaitHaveALaneThatSaysSo) {
  ReportedFinding finding = lost_update();
  finding.events[10].blocks.push_back(waiter("0.2", "lock", "0.1"));
  const Story story = tell_story(finding);
  ASSERT_EQ(story.lines[2].kind, StoryLine::Kind::Held);
  EXPECT_EQ(story.lines[2].text, "waits for lock (thread 1)");
  EXPECT_EQ(story.lines[2].lanes[2], Lane::Waiting);
  EXPECT_EQ(story.lines[3].lanes[2], Lane::Ready);  // it goes on
}

TEST(Cycle, IsFoundInItsOrderAndOnlyIfThereIsOne) {
  ReportedFinding finding;
  finding.kind = "deadlock";
  finding.involved = {waiter("0", "", ""), waiter("0.1", "b", "0.2"), waiter("0.2", "c", "0.3"),
                      waiter("0.3", "a", "0.1")};
  finding.involved[0].joins = "0.1";
  std::vector<std::string> threads;
  for (const Involved* member : find_cycle(finding)) threads.push_back(member->thread);
  EXPECT_THAT(threads, ElementsAre("0.1", "0.2", "0.3"));
  finding.involved[3].holders.clear();
  EXPECT_TRUE(find_cycle(finding).empty());
}

TEST(Console, FitsItsWidthAndColoursOnlyWhenAsked) {
  Result result;
  result.verdict = Verdict::Bug;
  result.coverage.statement =
      "the search stopped at the first finding, which is a sentence long enough to be broken in two";
  result.findings.push_back(lost_update());
  result.findings[0].message = std::string(30, 'x') + " " + std::string(30, 'y') + " " + std::string(30, 'z');
  for (ReportedEvent& event : result.findings[0].events) {
    event.object = "a_variable_with_a_very_long_name_that_needs_more_than_its_column";
    event.location.file = "/folder/a_rather_long_name_of_a_source_file.cpp";
  }
  const std::string plain = to_console(result, {});
  EXPECT_THAT(plain, Not(HasSubstr("\033")));
  std::istringstream lines(plain);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(columns(line), 80U) << line;
  EXPECT_THAT(to_console(result, {.colour = true}), HasSubstr("\033[1;31massertion\033[0m"));
}

TEST(Text, ValuesAreSignedNumbersOrAddresses) {
  EXPECT_EQ(value_text(0xFFFFFFFFU, 4), "-1");
  EXPECT_EQ(value_text(0xFFU, 1), "-1");
  EXPECT_EQ(value_text(7, 8), "7");
  EXPECT_EQ(value_text(~std::uint64_t{0}, 8), "-1");
  EXPECT_EQ(value_text(0x7FFFF7C54000U, 8), "0x7ffff7c54000");
}

TEST(Text, WrapsAtBlanksAndCutsByCharacters) {
  EXPECT_THAT(wrapped("  one two three", 9, 4), ElementsAre("  one two", "    three"));
  EXPECT_THAT(wrapped("unbreakable-and-long", 5, 2), ElementsAre("unbreakable-and-long"));
  EXPECT_EQ(fitted("\u00e9\u00e9\u00e9\u00e9\u00e9", 4), "\u00e9\u00e9..");
  EXPECT_EQ(fitted("four", 4), "four");
  EXPECT_EQ(printable("a\x1b[31mb\tc"), "a?[31mb c");
}

TEST(Text, ThreadsHaveNamesForPeople) {
  EXPECT_EQ(thread_name("0"), "main");
  EXPECT_EQ(thread_name("0.2"), "thread 2");
  EXPECT_EQ(thread_name("0.2.1"), "thread 2.1");
}

TEST(ResultJson, ComesBackAsItWas) {
  Result result;
  result.verdict = Verdict::Bug;
  result.program = "/folder/program";
  result.began = "2026-01-31T12:59:59Z";
  result.search = {{"reduction", "optimal"}};
  result.coverage.statement = "everything";
  result.statistics.executions = 17;
  result.findings.push_back(lost_update());
  ReportedFinding& finding = result.findings[0];
  finding.minimised = Minimisation{
      .before = {3, 20}, .after = {1, 14}, .fewest_preemptions = true, .smallest = false, .original = "0*3"};
  finding.accesses.push_back({"0.1", "write", 3, {"/folder/program.c", 9, "work"}});
  finding.accesses.push_back({"0", "read", {}, {"/folder/program.c", 3, "main"}});
  finding.loop = 2;
  finding.events[3].follows = {1, 2};
  finding.events[3].after = 5;
  finding.events[3].blocks.push_back(waiter("0.2", "lock", "0.1"));
  finding.involved.push_back(waiter("0.2", "lock", "0.1"));
  result.exploration = {{{0.5, 3, 9}}, {1, 2}};
  result.sources["/folder/program.c"] = "int main;\n";
  const nlohmann::json json = to_json(result);
  EXPECT_EQ(to_json(result_from_json(json)), json);
}

TEST(Story, WhatMainDoesBeforeItsFirstStepComesFirst) {
  ReportedFinding finding = lost_update();
  finding.accesses.push_back({"0", "write", {}, {"/folder/program.c", 3, "main"}});
  const Story story = tell_story(finding);
  ASSERT_GT(story.lines.size(), 1U);
  EXPECT_EQ(story.lines[0].kind, StoryLine::Kind::Access);
  EXPECT_EQ(story.lines[0].location.line, 3);
}

TEST(Story, LoopOfALivelockIsMarkedWhereItBegins) {
  ReportedFinding finding = lost_update();
  finding.decisive.reset();
  finding.loop = 2;
  for (const StoryLine& line : tell_story(finding).lines) {
    EXPECT_EQ(line.mark == 'O', line.event == finding.events.size() - 2) << line.text;
  }
}

// SARIF has sets of related locations and of stacks.
TEST(Sarif, SaysNothingTwice) {
  Result result;
  result.verdict = Verdict::Bug;
  result.findings.push_back(lost_update());
  Involved other = waiter("0.2", "lock", "0.1");
  other.location = {"/folder/program.c", 9, "work"};
  Frame frame;
  frame.function = "work";
  frame.file = "/folder/program.c";
  frame.line = 9;
  frame.in_program = true;
  other.stack.push_back(frame);
  result.findings[0].involved = {other, other};
  other.thread = "0.3";
  result.findings[0].involved.push_back(other);
  const nlohmann::json told = nlohmann::json::parse(to_sarif(result))["runs"][0]["results"][0];
  EXPECT_EQ(told["relatedLocations"].size(), 2U);
  EXPECT_EQ(told["stacks"].size(), 2U + (result.findings[0].stack.empty() ? 0U : 1U));
}

TEST(Junit, SaysWhenTheCheckBegan) {
  Result result;
  EXPECT_THAT(to_junit(result), HasSubstr("timestamp=\"1970-01-01T00:00:00\""));
  result.began = "2026-01-31T12:59:59Z";
  EXPECT_THAT(to_junit(result), HasSubstr("timestamp=\"2026-01-31T12:59:59\""));
}

TEST(ResultJson, PositionsThatLeadNowhereAreRefused) {
  Result result;
  result.findings.push_back(lost_update());
  nlohmann::json json = to_json(result);
  json["findings"][0]["decisive"]["second"] = 99;
  EXPECT_THROW(static_cast<void>(result_from_json(json)), nlohmann::json::exception);
}

TEST(Text, VeryLongFunctionsAreNamedWithoutTheirTemplates) {
  const std::string many(120, 'x');
  EXPECT_EQ(short_function("f<int>(std::vector<int>)"), "f<int>(std::vector<int>)");
  EXPECT_EQ(short_function("std::map<int, " + many + "<int> >::~map()"), "std::map<..>::~map()");
  EXPECT_EQ(short_function("a::operator<< <" + many + ">(b&)"), "a::operator<< <..>(b&)");
  EXPECT_EQ(short_function("p<" + many + ">::operator->() const"), "p<..>::operator->() const");
}

}  // namespace
}  // namespace heddle
