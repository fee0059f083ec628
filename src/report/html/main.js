// Puts the views together and listens to the keys.
const list = new LaneList((row) => {
  renderEvent(model, row);
  renderSources(model, row);
  renderState(model, row, (at) => list.moveToEvent(at));
});
let model = null;

function showFinding(number) {
  const finding = report.findings[number];
  model = new FindingModel(finding);
  const where = finding.location ? `${finding.location.file}:${finding.location.line}: ` : "";
  document.getElementById("sentence").textContent = `${where}${finding.kind}: ${finding.message}`;
  document.title = `${finding.kind} \u2014 Heddle`;
  document.getElementById("decisive").textContent = finding.decisive_sentence || "";
  renderDetails(finding);
  list.show(model);
}

function showView(exploration) {
  const any = report.findings.length > 0;
  document.getElementById("finding-view").hidden = exploration || !any;
  document.getElementById("exploration-view").hidden = !exploration && any;
  document.getElementById("show-finding").setAttribute("aria-pressed", String(!exploration && any));
  document.getElementById("show-exploration").setAttribute("aria-pressed", String(exploration || !any));
  if (exploration || !any) renderExploration(); else { list.schedule(); document.getElementById("list").focus(); }
}

function toggleTheme() {
  const dark = document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "light" : "dark";
}

function stepInThread(direction) {
  const row = list.rows[list.cursor];
  const path = model.threadOf(row);
  for (let at = row.at + direction; at >= 0 && at < model.events.length; at += direction) {
    if (model.events[at].thread === path) return list.moveToEvent(at);
  }
}

const help = document.getElementById("help");
const keys = {
  ArrowDown: () => list.moveTo(list.cursor + 1), j: () => list.moveTo(list.cursor + 1),
  ArrowUp: () => list.moveTo(list.cursor - 1), k: () => list.moveTo(list.cursor - 1),
  PageDown: () => list.moveTo(list.cursor + 10), PageUp: () => list.moveTo(list.cursor - 10),
  Home: () => list.moveTo(0), End: () => list.moveTo(list.rows.length - 1),
  n: () => stepInThread(1), p: () => stepInThread(-1),
  Enter: () => list.toggle(list.cursor), " ": () => list.toggle(list.cursor), o: () => list.toggleAll(),
  a: () => { if (model.markA !== null) list.moveToEvent(model.markA); },
  b: () => {
    if (model.markB !== null) list.moveToEvent(model.markB);
    else if (model.blockedB) list.moveTo(list.rows.findIndex((row) => row.other === model.blockedB));
    else if (model.finding.decisive) list.moveTo(list.rows.length - 1);
  },
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  const inControl = event.target.closest("button, select, input");
  if (event.key === "?") help.showModal();
  else if (event.key === "t") toggleTheme();
  else if (event.key === "x") showView(document.getElementById("exploration-view").hidden);
  else if (keys[event.key] && model && !document.getElementById("finding-view").hidden && !(inControl && [" ", "Enter"].includes(event.key))
    && event.target.tagName !== "SELECT") keys[event.key]();
  else return;
  event.preventDefault();
});

document.getElementById("theme").addEventListener("click", toggleTheme);
document.getElementById("help-button").addEventListener("click", () => help.showModal());
document.getElementById("help-close").addEventListener("click", () => help.close());
document.getElementById("show-finding").addEventListener("click", () => showView(false));
document.getElementById("show-exploration").addEventListener("click", () => showView(true));

if (report.findings.length) {
  const choice = document.getElementById("finding");
  report.findings.forEach((finding, i) => choice.append(element("option", { value: i }, `${i + 1} ${finding.kind}`)));
  choice.addEventListener("change", () => { showFinding(Number(choice.value)); document.getElementById("list").focus(); });
  document.getElementById("finding-choice").hidden = report.findings.length < 2;
  showView(false);
  showFinding(0);
} else {
  document.getElementById("finding-choice").hidden = true;
  document.getElementById("show-finding").hidden = true;
  document.getElementById("sentence").textContent = `${report.verdict}: ${report.reason || report.coverage.statement}`;
  showView(true);
}
