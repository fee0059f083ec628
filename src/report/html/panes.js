// Beside the list: what the operation did, where each thread is, what variables and locks hold.
const SOURCE_AROUND = 4;

const sourceLines = new Map();
function linesOf(file) {
  if (!sourceLines.has(file)) sourceLines.set(file, file in report.sources ? report.sources[file].split("\n") : null);
  return sourceLines.get(file);
}

function sourcePane(title, location, acting) {
  const pane = element("div", { class: "source" + (acting ? " acting" : ""), "data-line": location ? location.line : "" },
    element("div", { class: "title" }, title + (location ? ` \u2014 ${location.file}:${location.line}` : "")));
  const lines = location && linesOf(location.file);
  if (!lines) return pane;
  const code = element("pre", {});
  const first = Math.max(1, location.line - SOURCE_AROUND), last = Math.min(lines.length, location.line + SOURCE_AROUND);
  for (let n = first; n <= last; ++n) {
    code.append(element("span", { class: "code-line" + (n === location.line ? " now" : "") }, element("i", {}, String(n)), lines[n - 1]));
  }
  pane.append(code);
  return pane;
}

// The acting thread first, then the others; where a thread waits, that is where it is.
function renderSources(model, row) {
  const acting = model.laneOf.get(model.threadOf(row));
  const order = [acting, ...model.threads.keys()].filter((lane, i, all) => all.indexOf(lane) === i);
  const panes = [];
  for (const lane of order) {
    const at = Math.min(row.at, model.events.length);
    if (!model.alive(lane, at)) continue;
    const name = threadName(model.threads[lane]);
    const atEnd = at === model.events.length ? model.blocked.find((other) => other.thread === model.threads[lane]) : null;
    const waits = atEnd || model.waits(lane, at);
    const last = model.lastOf(lane, at);
    if (row.kind === "failure" && lane === acting && !atEnd) {
      panes.push(sourcePane(`${name}: ${model.finding.kind}`, model.finding.location, true));
    } else if (waits) {
      panes.push(sourcePane(`${name} ${waits.text}`, waits.location, lane === acting));
    } else if (last >= 0) {
      panes.push(sourcePane(name, model.events[last].location, lane === acting));
    }
  }
  document.getElementById("sources").replaceChildren(element("h2", {}, "Where the threads are"), ...panes);
}

const HISTORY_SHOWN = 12;

function renderState(model, row, jump) {
  const body = element("tbody", {});
  for (const [object, history] of model.objects) {
    let low = 0, high = history.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (history[middle].at <= row.at) low = middle + 1; else high = middle;
    }
    const now = low ? history[low - 1] : null;
    const around = history.slice(Math.max(0, low - HISTORY_SHOWN / 2), low + HISTORY_SHOWN / 2).filter((entry) => entry.changed);
    const steps = around.map((entry) => element("button", {
      class: entry.at <= row.at ? "past" : "", title: "step " + (entry.at + 1), on: { click: () => jump(entry.at) },
    }, `${entry.at + 1}: ${entry.state}`));
    body.append(element("tr", { class: now && now.at === row.at ? "changed" : "" },
      element("td", {}, object), element("td", { class: "value" }, now ? now.state : "\u2013"),
      element("td", { class: "history" }, ...steps)));
  }
  const table = element("table", {}, element("thead", {}, element("tr", {}, element("th", {}, "object"),
    element("th", {}, "now"), element("th", {}, "history"))), body);
  document.getElementById("state").replaceChildren(element("h2", {}, "Variables and locks"), table);
}

function renderEvent(model, row) {
  const pane = document.getElementById("event-pane");
  if (row.kind === "event") {
    const event = model.events[row.at];
    pane.textContent = `${row.at + 1}/${model.events.length}  ${threadName(event.thread)}: ${event.label}`;
  } else if (row.kind === "fold") {
    pane.textContent = `${row.stretch.count} operations; Enter ${row.stretch.open ? "closes" : "opens"} them`;
  } else if (row.kind === "waiting") {
    pane.textContent = `${threadName(row.other.thread)} ${row.other.text}`;
  } else {
    const who = model.blocked.length ? model.finding.kind : threadName(model.finding.thread);
    pane.textContent = `${who}: ${model.finding.message}`;
  }
}

function stackNode(title, stack) {
  const frames = stack.filter((frame) => frame.in_program);
  if (!frames.length) return null;
  return element("div", {}, element("h2", {}, title), ...frames.map((frame) =>
    sourcePane(frame.function, { file: frame.file, line: frame.line, function: frame.function }, false)));
}

function renderDetails(finding) {
  const parts = [stackNode("Stack of " + threadName(finding.thread), finding.stack)];
  for (const other of finding.involved) parts.push(stackNode(`${threadName(other.thread)} ${other.text}`, other.stack));
  if (finding.output) parts.push(element("div", {}, element("h2", {}, "Output"), element("pre", {}, finding.output)));
  parts.push(element("div", {}, element("h2", {}, "Schedule"), element("pre", { style: "white-space:pre-wrap" }, finding.schedule)));
  document.getElementById("details").replaceChildren(...parts.filter(Boolean));
}
