// The list of operations: only the rows in view exist, however many events there are.
const ROW = 24, LANE = 22, LEFT = 16;

function element(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === "on") for (const [event, handler] of Object.entries(value)) node.addEventListener(event, handler);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

function svg(tag, attributes) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

function laneColour(lane) { return `hsl(${(lane * 67 + 210) % 360} 65% 50%)`; }

class LaneList {
  constructor(onMove) {
    this.list = document.getElementById("list");
    this.spacer = document.getElementById("spacer");
    this.holder = document.getElementById("rows");
    this.drawing = document.getElementById("lanes");
    this.onMove = onMove;
    this.list.addEventListener("scroll", () => this.schedule());
    new ResizeObserver(() => this.schedule()).observe(this.list);
  }

  show(model) {
    this.model = model;
    this.cursor = 0;
    this.rebuild();
    const names = document.getElementById("lane-names");
    names.replaceChildren(...model.threads.map((path, lane) =>
      element("span", { style: `left:${this.x(lane)}px;color:${laneColour(lane)}`, title: threadName(path) },
        path === "0" ? "M" : path.slice(2))));
    this.moveTo(this.rows.length - 1);
  }

  rebuild() {
    this.rows = this.model.rows();
    this.rowOf = new Array(this.model.events.length + 1);
    this.rows.forEach((row, index) => {
      if (row.kind !== "fold") this.rowOf[row.at] = index;
      else if (!row.stretch.open) for (let k = 0; k < row.stretch.count; ++k) this.rowOf[row.at + k] = index;
    });
    this.spacer.style.height = this.rows.length * ROW + "px";
    this.schedule();
  }

  x(lane) { return LEFT + lane * LANE; }

  schedule() {
    if (this.scheduled || !this.model) return;
    this.scheduled = true;
    requestAnimationFrame(() => { this.scheduled = false; this.render(); });
  }

  moveTo(index) {
    this.cursor = Math.max(0, Math.min(index, this.rows.length - 1));
    const top = this.cursor * ROW, view = this.list.clientHeight;
    if (top < this.list.scrollTop + ROW) this.list.scrollTop = top - ROW;
    if (top + 2 * ROW > this.list.scrollTop + view) this.list.scrollTop = top + 2 * ROW - view;
    this.render();
    this.onMove(this.rows[this.cursor]);
  }

  moveToEvent(at) {
    for (const stretch of this.model.stretches) {
      if (stretch.from <= at && at < stretch.from + stretch.count && !stretch.open) { stretch.open = true; this.rebuild(); }
    }
    this.moveTo(this.rowOf[at]);
  }

  toggle(index) {
    const row = this.rows[index];
    const stretch = row.kind === "fold" ? row.stretch
      : this.model.stretches.find((s) => s.from <= row.at && row.at < s.from + s.count);
    if (!stretch) return;
    stretch.open = !stretch.open;
    this.rebuild();
    this.moveTo(this.rows.findIndex((r) => r.kind === "fold" && r.stretch === stretch));
  }

  toggleAll() {
    const here = this.rows[this.cursor].at, open = !this.model.stretches.every((s) => s.open);
    for (const stretch of this.model.stretches) stretch.open = open;
    this.rebuild();
    this.moveTo(this.rowOf[here]);
  }

  render() {
    const first = Math.max(0, Math.floor(this.list.scrollTop / ROW) - 5);
    const last = Math.min(this.rows.length, Math.ceil((this.list.scrollTop + this.list.clientHeight) / ROW) + 5);
    const nodes = [];
    for (let index = first; index < last; ++index) nodes.push(this.rowNode(index));
    this.holder.replaceChildren(...nodes);
    this.draw(first, last);
    this.list.setAttribute("aria-activedescendant", "row-" + this.cursor);
  }

  rowNode(index) {
    const row = this.rows[index], model = this.model;
    const indent = this.x(model.threads.length) + 4;
    const base = {
      id: "row-" + index, role: "option", "aria-selected": index === this.cursor,
      style: `top:${index * ROW}px;padding-left:${indent}px`, on: { click: () => { this.moveTo(index); } },
    };
    const here = index === this.cursor ? " here" : "";
    if (row.kind === "fold") {
      base.on.click = () => this.toggle(index);
      return element("div", { ...base, class: "row fold" + here, "aria-expanded": String(row.stretch.open) },
        `${row.stretch.open ? "\u25be" : "\u25b8"} ${row.stretch.count} operations that have nothing to do with it`);
    }
    if (row.kind === "failure") {
      return element("div", { ...base, class: "row failure" + here },
        element("span", { class: "number" }), element("span", { class: "badge" }, "\u2716"), model.finding.kind + ": " + model.finding.message);
    }
    if (row.kind === "waiting") {
      return element("div", { ...base, class: "row waiting" + here },
        element("span", { class: "number" }), element("span", { class: "badge" }, row.other === model.blockedB ? "B" : ""),
        row.other.text, element("span", { class: "place" }, shortPlace(row.other.location)));
    }
    const event = model.events[row.at];
    const badge = row.at === model.markA ? "A" : row.at === model.markB ? "B" : "";
    const held = (event.blocks || []).filter((other) => !other.joins).map((other) => `${threadName(other.thread)} ${other.text}`);
    return element("div", { ...base, class: "row" + here },
      element("span", { class: "number" }, String(row.at + 1)), element("span", { class: "badge" }, badge),
      event.label, element("span", { class: "place" }, shortPlace(event.location)),
      held.length ? element("span", { class: "held" }, "\u2014 " + held.join("; ")) : null);
  }

  // Lanes, dots and arrows of the rows in view. An arrow is drawn if its later end is in view, or belongs to the cursor.
  draw(first, last) {
    const model = this.model, parts = [];
    this.drawing.setAttribute("width", this.x(model.threads.length));
    this.drawing.setAttribute("height", this.rows.length * ROW);
    const arrows = new Set();
    for (let index = first; index < last; ++index) {
      const row = this.rows[index], y = index * ROW;
      for (let lane = 0; lane < model.threads.length; ++lane) {
        const at = Math.min(row.at, model.events.length);
        if (!model.alive(lane, at)) continue;
        const waits = model.waits(lane, at);
        parts.push(svg("line", { x1: this.x(lane), x2: this.x(lane), y1: y, y2: y + ROW, stroke: laneColour(lane),
          "stroke-width": waits ? 1.5 : 3, "stroke-dasharray": waits ? "2 4" : "none", opacity: .6 }));
      }
      if (row.kind === "fold") continue;
      const paths = row.kind === "failure" && model.blocked.length ? model.blocked.map((other) => other.thread) : [model.threadOf(row)];
      for (const path of paths) {
        const lane = model.laneOf.get(path), colour = row.kind === "failure" ? "var(--mark)" : laneColour(lane);
        parts.push(svg("circle", { cx: this.x(lane), cy: y + ROW / 2, r: index === this.cursor ? 6 : 4.5, stroke: colour, "stroke-width": 1.5,
          fill: row.kind === "waiting" ? "var(--back)" : colour }));
      }
      if (row.kind === "event") for (const earlier of model.events[row.at].follows || []) arrows.add(earlier * 1e6 + row.at);
    }
    const here = this.rows[this.cursor];
    if (here.kind === "event") {
      for (const earlier of model.events[here.at].follows || []) arrows.add(earlier * 1e6 + here.at);
      for (const later of model.followedBy[here.at]) arrows.add(here.at * 1e6 + later);
    }
    for (const key of arrows) parts.push(...this.arrow(Math.floor(key / 1e6), key % 1e6, here));
    this.drawing.replaceChildren(...parts);
  }

  arrow(from, to, here) {
    const fromRow = this.rowOf[from], toRow = this.rowOf[to];
    if (fromRow === toRow) return [];
    const model = this.model;
    const x1 = this.x(model.laneOf.get(model.events[from].thread)), x2 = this.x(model.laneOf.get(model.events[to].thread));
    const y1 = fromRow * ROW + ROW / 2, y2 = toRow * ROW + ROW / 2;
    const active = here.kind === "event" && (here.at === from || here.at === to);
    const bend = Math.min(40, (y2 - y1) / 2);
    const colour = active ? "var(--accent)" : "var(--soft)";
    const side = x2 > x1 ? -1 : 1;
    return [
      svg("path", { class: active ? "arrow active" : "arrow", d: `M${x1} ${y1} C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2 + side * 6} ${y2 - 2}`,
        fill: "none", stroke: colour, "stroke-width": active ? 2 : 1, opacity: active ? 1 : .55, "data-from": from, "data-to": to }),
      svg("path", { d: `M${x2 + side * 5} ${y2 - 1} l${side * 7} -5 l${-side * 1} 8 z`, fill: colour, opacity: active ? 1 : .55 }),
    ];
  }
}
