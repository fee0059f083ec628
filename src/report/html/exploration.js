// The search as a whole: figures, executions over time, where in the tree it branched, what was not run twice.
function figure(name, value) { return element("tr", {}, element("th", {}, name), element("td", { class: "value" }, value)); }

function lineChart(title, points, xName, yName) {
  const width = 600, height = 200, left = 60, bottom = 24;
  const chart = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": title });
  const mostX = Math.max(...points.map((p) => p[0]), 1e-9), mostY = Math.max(...points.map((p) => p[1]), 1);
  const x = (v) => left + (v / mostX) * (width - left - 10), y = (v) => 10 + (1 - v / mostY) * (height - bottom - 10);
  chart.append(svg("polyline", { points: points.map((p) => `${x(p[0])},${y(p[1])}`).join(" "), fill: "none",
    stroke: "var(--accent)", "stroke-width": 2 }));
  for (const [text, at, anchor] of [[mostY.toLocaleString("en") + " " + yName, [left, 9], "start"],
    [mostX.toPrecision(3) + " " + xName, [width - 10, height - 6], "end"], ["0", [left, height - 6], "start"]]) {
    const label = svg("text", { x: at[0], y: at[1], "text-anchor": anchor });
    label.textContent = text;
    chart.append(label);
  }
  chart.append(svg("path", { d: `M${left} 10 V${height - bottom} H${width - 10}`, fill: "none", stroke: "var(--line)" }));
  return chart;
}

function barChart(title, values, xName) {
  const width = 600, height = 200, left = 60, bottom = 24, most = Math.max(...values, 1);
  const chart = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": title });
  const step = (width - left - 10) / values.length;
  values.forEach((value, i) => {
    const tall = (value / most) * (height - bottom - 12);
    const bar = svg("rect", { x: left + i * step, y: height - bottom - tall, width: Math.max(.6, step - 1), height: tall, fill: "var(--accent)" });
    const hint = svg("title", {});
    hint.textContent = `${xName} ${i}: ${value}`;
    bar.append(hint);
    chart.append(bar);
  });
  for (const [text, x, y, anchor] of [[most.toLocaleString("en"), left - 4, 16, "end"], ["0", left, height - 6, "start"],
    [`${xName} ${values.length - 1}`, width - 10, height - 6, "end"]]) {
    const label = svg("text", { x, y, "text-anchor": anchor });
    label.textContent = text;
    chart.append(label);
  }
  return chart;
}

// How many orders the operations of an execution have if only each thread's own order counts: n! / (n1! n2! ...).
function interleavings(finding) {
  const perThread = new Map();
  for (const event of finding.events) perThread.set(event.thread, (perThread.get(event.thread) || 0) + 1);
  const logFactorial = (n) => { let sum = 0; for (let i = 2; i <= n; ++i) sum += Math.log10(i); return sum; };
  let log = logFactorial(finding.events.length);
  for (const n of perThread.values()) log -= logFactorial(n);
  return log < 6 ? Math.round(10 ** log).toLocaleString("en") : "10^" + log.toFixed(1);
}

function renderExploration() {
  const s = report.statistics, view = document.getElementById("exploration-view");
  const parts = [element("h2", {}, "Verdict"), element("p", {}, `${report.verdict}${report.reason ? ": " + report.reason : ""}`),
    element("p", {}, report.coverage.statement)];
  for (const note of report.coverage.not_modelled) parts.push(element("p", {}, "Note: " + note));
  const rows = [figure("executions", s.executions.toLocaleString("en")),
    figure("given up as known", s.blocked.toLocaleString("en")),
    figure("given up for an assumption", s.abandoned.toLocaleString("en")),
    figure("operations performed", s.events.toLocaleString("en")),
    figure("operations performed again to get back", s.replayed.toLocaleString("en")),
    figure("longest execution", String(s.max_depth)), figure("threads", String(s.threads)),
    figure("seconds", s.seconds.toFixed(2)), figure("reduction", report.search.reduction)];
  if (report.findings.length && report.findings[0].events.length) {
    rows.push(figure("orders of the first finding's operations, at most", interleavings(report.findings[0])));
  }
  parts.push(element("h2", {}, "Figures"), element("table", { style: "max-width:40em" }, element("tbody", {}, ...rows)));
  const exploration = report.exploration || {};
  if (exploration.samples && exploration.samples.length > 1) {
    parts.push(element("h2", {}, "Executions over time"),
      lineChart("executions over time", exploration.samples.map((p) => [p.seconds, p.executions]), "s", "executions"));
  }
  if (exploration.branches && exploration.branches.length) {
    parts.push(element("h2", {}, "How often the search went back, by depth"),
      barChart("branches by depth", exploration.branches, "depth"));
  }
  view.replaceChildren(...parts);
}
