// What the views need to know of a finding, computed once: rows, lanes, and the history of every object.
const report = JSON.parse(document.getElementById("data").textContent);

function threadName(path) {
  if (path === "0") return "main";
  return "thread " + (path.startsWith("0.") ? path.slice(2) : path);
}

function comparePaths(a, b) {
  const x = a.split(".").map(Number), y = b.split(".").map(Number);
  for (let i = 0; i < Math.min(x.length, y.length); ++i) if (x[i] !== y[i]) return x[i] - y[i];
  return x.length - y.length;
}

function shortPlace(location) {
  return location ? location.file.slice(location.file.lastIndexOf("/") + 1) + ":" + location.line : "";
}

// A value as the console shows it: the label of the event already holds it, this is for histories.
function valueText(value, size) {
  if (typeof value !== "number") return String(value);
  if (size === 4 && value >= 2 ** 31) return String(value - 2 ** 32);
  if (size === 2 && value >= 2 ** 15) return String(value - 2 ** 16);
  if (size === 1 && value >= 2 ** 7) return String(value - 2 ** 8);
  return value >= 2 ** 63 ? String(value - 2 ** 64) : value >= 2 ** 32 ? "0x" + value.toString(16) : String(value);
}

// The state of an object after an event; null if the event does not change it.
function stateAfter(event) {
  const who = threadName(event.thread), kind = event.kind;
  if (kind === "Store" && "value" in event) return valueText(event.value, event.size);
  if (kind === "Load" && "value" in event) return valueText(event.value, event.size);
  if ("after" in event) return valueText(event.after, event.size);
  if (kind === "CasFail" && "value" in event) return valueText(event.value, event.size);
  if (kind === "MutexLock" || kind === "MutexTryLock" || kind === "RwWriteLock") return "held by " + who;
  if (kind === "RwReadLock") return "read by " + who;
  if (kind === "MutexUnlock" || kind === "MutexAbandon" || kind === "RwWriteUnlock" || kind === "RwReadUnlock") return "free";
  if (event.cancelled && kind !== "CondTimeout") return null;
  if (kind === "SemWait") return String(event.before - 1);
  if (kind === "SemPost") return String(event.before + 1);
  if (kind === "CondWait") return who + " waits";
  if (kind === "CondSignal" || kind === "CondBroadcast") return "signalled by " + who;
  if (kind === "CondWake" || kind === "CondTimeout") return who + " goes on";
  return null;
}

class FindingModel {
  constructor(finding) {
    this.finding = finding;
    this.events = finding.events;
    const paths = new Set(["0", finding.thread]);
    for (const event of this.events) {
      paths.add(event.thread);
      if (event.other) paths.add(event.other);
    }
    for (const other of finding.involved) paths.add(other.thread);
    this.threads = [...paths].sort(comparePaths);
    this.laneOf = new Map(this.threads.map((path, lane) => [path, lane]));
    this.readLanes();
    this.readHistories();
    this.readStretches();
    this.followedBy = this.events.map(() => []);
    this.events.forEach((event, i) => (event.follows || []).forEach((earlier) => this.followedBy[earlier].push(i)));
    const decisive = finding.decisive || {};
    this.markA = decisive.first ?? null;
    this.markB = decisive.second ?? null;
    // In a deadlock all threads are at fault, with operations that never happened.
    this.blocked = finding.kind === "deadlock" ? finding.involved : [];
    this.blockedB = decisive.blocked ? this.blocked.find((other) => other.thread === decisive.blocked.thread) : null;
  }

  // Whose row it is: of the operation that was done, or that is not going to be.
  threadOf(row) {
    if (row.kind === "waiting") return row.other.thread;
    return row.kind === "failure" ? this.finding.thread : this.events[row.at].thread;
  }

  // From which event to which a thread is there, when it waits, and where it was last.
  readLanes() {
    const count = this.threads.length, end = this.events.length;
    this.birth = new Array(count).fill(end + 1);
    this.death = new Array(count).fill(-1);
    this.waiting = this.threads.map(() => []);
    this.eventsOf = this.threads.map(() => []);
    this.birth[0] = 0;
    this.events.forEach((event, i) => {
      const lane = this.laneOf.get(event.thread);
      this.birth[lane] = Math.min(this.birth[lane], i);
      this.death[lane] = i;
      this.eventsOf[lane].push(i);
      const waits = this.waiting[lane];
      if (waits.length && waits[waits.length - 1].to === Infinity) waits[waits.length - 1].to = i;
      if (event.kind === "ThreadCreate") this.birth[this.laneOf.get(event.other)] = i;
      for (const held of event.blocks || []) {
        this.waiting[this.laneOf.get(held.thread)].push({ from: i, to: Infinity, text: held.text, location: held.location });
      }
      for (const path of event.unblocks || []) {
        const ended = this.waiting[this.laneOf.get(path)];
        if (ended.length) ended[ended.length - 1].to = i;
      }
    });
    for (const path of [this.finding.thread, ...this.finding.involved.map((other) => other.thread)]) {
      this.death[this.laneOf.get(path)] = end;
    }
    this.waiting.forEach((waits, lane) => { if (waits.length && waits[waits.length - 1].to === Infinity) this.death[lane] = end; });
  }

  alive(lane, i) { return this.birth[lane] <= i && i <= this.death[lane]; }

  waits(lane, i) {
    const list = this.waiting[lane];
    let low = 0, high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[middle].from <= i) low = middle + 1; else high = middle;
    }
    const found = list[low - 1];
    return found && i < found.to ? found : null;
  }

  // The last event of a thread up to i, or -1.
  lastOf(lane, i) {
    const list = this.eventsOf[lane];
    let low = 0, high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[middle] <= i) low = middle + 1; else high = middle;
    }
    return low ? list[low - 1] : -1;
  }

  readHistories() {
    this.objects = new Map();
    this.events.forEach((event, i) => {
      const state = event.object && !event.kind.startsWith("Thread") ? stateAfter(event) : null;
      if (state === null) return;
      if (!this.objects.has(event.object)) this.objects.set(event.object, []);
      const history = this.objects.get(event.object);
      history.push({ at: i, state, changed: !history.length || history[history.length - 1].state !== state });
    });
  }

  // Stretches of two and more events that have nothing to do with the finding can be folded.
  readStretches() {
    this.stretches = [];
    for (let i = 0; i < this.events.length;) {
      let end = i;
      while (end < this.events.length && !this.finding.relevant[end]) ++end;
      if (end - i > 1) this.stretches.push({ from: i, count: end - i, open: false });
      i = Math.max(end, i + 1);
    }
  }

  // The list as shown: events, heads of folded stretches, in a deadlock what threads wait for, and the failure at the end.
  rows() {
    const rows = [];
    let next = 0;
    for (let i = 0; i < this.events.length;) {
      const stretch = this.stretches[next];
      if (stretch && stretch.from === i) {
        ++next;
        rows.push({ kind: "fold", at: i, stretch });
        if (stretch.open) for (let k = 0; k < stretch.count; ++k) rows.push({ kind: "event", at: i + k });
        i += stretch.count;
      } else {
        rows.push({ kind: "event", at: i });
        ++i;
      }
    }
    for (const other of this.blocked) rows.push({ kind: "waiting", at: this.events.length, other });
    rows.push({ kind: "failure", at: this.events.length });
    return rows;
  }
}
