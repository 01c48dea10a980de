// The script of the page of `tilesim trace --html`.
//
// SPDX-License-Identifier: Apache-2.0
"use strict";
window.addEventListener("error", e => { document.body.dataset.error = e.message; });

const data = JSON.parse(document.getElementById("data").textContent);
const { threads, buffers, sites, files, findings } = data;
// Where an operation lies in the timeline: at its number, but what is left out takes little room.
const gapWidth = Math.max(4, Math.ceil(data.ops.length / 50));
const placeOf = n => data.left_out.reduce((x, [first, last]) => x - (n > last ? Math.max(0, last - first + 1 - gapWidth) : 0), n);
// [number, thread, kind, elements, places, sources, unfinished, repeated, stale] -> an object; see trace/page.cpp.
const ops = data.ops.map(([n, t, kind, elements = "", places = [], from = [], unfinished = false, repeated, stale = []]) => {
  const o = { n, x: placeOf(n), t, ...data.kinds[kind], from, unfinished, repeated, stale };
  if (o.memory) o.memory = o.memory.map((m, i) => ({ ...m, at: places[i] || [] }));
  for (const tile of ["result", "stores"])
    if (o[tile]) o[tile] = { ...o[tile], elements: elements === "" ? [] : elements.split(" ") };
  return o;
});
const $ = id => document.getElementById(id);
const colour = name => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
const indexOf = new Map(ops.map((o, i) => [o.n, i])); // by the operation's number
const threadOf = new Map(threads.map(t => [t.number, t]));
const opsOfThread = new Map(threads.map(t => [t.number, []]));
ops.forEach((o, i) => opsOfThread.get(o.t).push(i));

// --- Rows of the timeline: a heading for each launch where there are several, and its blocks unless folded.
// Threads of a block are one row unless it is unfolded.

const folded = new Set(); // launches
const unfolded = new Set(); // blocks of several threads, as blockOf names them
let rows = [];            // { label, launch, list, heading, block }
let rowOf = new Map();    // a thread's number -> its row, or its block's, or its launch's
const blockOf = t => t.block === undefined ? undefined : `${t.launch}:${t.block}`;
const opsOfBlock = new Map();
ops.forEach((o, i) => {
  const block = blockOf(threadOf.get(o.t));
  if (block === undefined) return;
  if (!opsOfBlock.has(block)) opsOfBlock.set(block, []);
  opsOfBlock.get(block).push(i);
});
const launchIds = [...new Set(threads.map(t => t.launch))];
const opsOfLaunch = new Map(launchIds.map(l => [l, []]));
ops.forEach((o, i) => opsOfLaunch.get(threadOf.get(o.t).launch).push(i));
function layOutRows() {
  rows = [];
  rowOf = new Map();
  for (const launch of launchIds) {
    const blocks = threads.filter(t => t.launch === launch);
    const fold = folded.has(launch);
    const members = new Map(); // how many threads a block has
    for (const t of blocks) members.set(blockOf(t) ?? t.number, (members.get(blockOf(t) ?? t.number) || 0) + 1);
    if (launchIds.length > 1 || members.size > 1)
      rows.push({ label: `${fold ? "\u25b8" : "\u25be"} ${data.launches[launch]} (${members.size})`, launch, heading: true,
                  list: fold ? opsOfLaunch.get(launch) : [] });
    let before;
    for (const t of blocks) {
      const block = blockOf(t), open = unfolded.has(block);
      if (!fold && block !== undefined && block !== before)
        rows.push({ label: `${open ? "\u25be" : "\u25b8"} ${t.block_label} (${members.get(block)})`, launch, block,
                    list: open ? [] : opsOfBlock.get(block) || [] });
      before = block;
      const own = !fold && (block === undefined || open);
      rowOf.set(t.number, own ? rows.length : rows.length - 1);
      if (own) rows.push({ label: t.label, launch, list: opsOfThread.get(t.number) });
    }
  }
}
layOutRows();
function toggle(marked, what) {
  if (!marked.delete(what)) marked.add(what);
  layOutRows();
  view.top = Math.max(0, Math.min(view.top, rows.length * rowHeight - 50));
  draw();
}
const arrowsTo = new Map(); // who reads what an operation wrote
ops.forEach(o => (o.from || []).forEach(([from, count, sync]) => {
  if (!arrowsTo.has(from)) arrowsTo.set(from, []);
  arrowsTo.get(from).push([o.n, count, sync]);
}));
let now = 0; // index of the selected operation

function element(tag, text, parent) {
  const e = document.createElement(tag);
  if (text !== undefined) e.textContent = text;
  if (parent) parent.append(e);
  return e;
}
function link(number, text, parent) {
  const a = element("a", text, parent);
  a.onclick = () => select(indexOf.get(number));
  return a;
}
const kindOf = o => !o.memory ? "compute" : o.memory.some(m => m.reads && m.writes) ? "update"
  : o.memory.some(m => m.writes) ? "write" : "read";
function placeText(site) {
  const frame = sites[site] && sites[site][0];
  return frame ? `${files[frame.file].name}:${frame.line}` : "an unknown place";
}

// --- Memory: how often each cell has been accessed up to the selected operation.

const heat = buffers.map(b => {
  const elements = Math.max(1, Math.floor(b.bytes / b.size));
  const columns = Math.min(elements, 128);
  const cells = Math.min(elements, 2048);
  return { elements, columns, cells, rows: Math.ceil(cells / columns), reads: new Float64Array(cells), writes: new Float64Array(cells) };
});
const bufferIndex = new Map(buffers.map((b, i) => [b.id, i]));
let counted = 0; // operations that the counts hold

/// Calls f(cell, elements) for what a run of elements covers.
function coverRun(h, b, run, bytes, f) {
  const [, begin, count, distance] = run;
  const first = Math.floor(begin / b.size);
  const width = Math.max(1, Math.round(bytes / b.size));
  const cell = e => Math.min(h.cells - 1, Math.floor(e * h.cells / h.elements));
  if (count === 1 || distance === bytes) {
    const end = Math.min(h.elements, first + count * width);
    for (let e = first; e < end;) {
      const c = cell(e);
      const next = Math.max(e + 1, Math.min(end, Math.ceil((c + 1) * h.elements / h.cells)));
      f(c, next - e);
      e = next;
    }
  } else {
    for (let i = 0; i < count; ++i) f(cell(Math.floor((begin + i * distance) / b.size)), 1);
  }
}
function eachRun(o, f) {
  for (const m of o.memory || []) for (const run of m.at) {
    const i = bufferIndex.get(run[0]);
    if (i !== undefined) f(i, m, run);
  }
}
function count(o, sign) {
  eachRun(o, (i, m, run) => coverRun(heat[i], buffers[i], run, m.bytes, (cell, n) => {
    if (m.reads) heat[i].reads[cell] += sign * n;
    if (m.writes) heat[i].writes[cell] += sign * n;
  }));
}
function countTo(end) {
  for (; counted < end; ++counted) count(ops[counted], 1);
  for (; counted > end; --counted) count(ops[counted - 1], -1);
}
const views = buffers.map(b => {
  const box = element("div", undefined, $("memory"));
  box.className = "buffer";
  const title = element("div", undefined, box);
  const canvas = element("canvas", undefined, box);
  return { title, canvas };
});
function drawMemory() {
  countTo(ops.length ? now + 1 : 0);
  views.forEach((v, i) => {
    const h = heat[i], b = buffers[i], scale = 6;
    const sum = a => a.reduce((x, y) => x + y, 0);
    v.title.textContent = `${b.name}: ${h.elements} ${b.element || "byte"} elements, ${sum(h.reads)} read, ${sum(h.writes)} written up to here`;
    v.canvas.width = h.columns * scale;
    v.canvas.height = h.rows * scale;
    v.canvas.style.maxWidth = h.columns * 10 + "px";
    const g = v.canvas.getContext("2d");
    const most = Math.max(1, ...h.reads, ...h.writes);
    for (let c = 0; c < h.cells; ++c) {
      const x = (c % h.columns) * scale, y = Math.floor(c / h.columns) * scale;
      for (const [counts, hue, half] of [[h.reads, "read", 0], [h.writes, "write", scale / 2]]) {
        if (counts[c] === 0) continue;
        g.globalAlpha = 0.25 + 0.75 * Math.log1p(counts[c]) / Math.log1p(most);
        g.fillStyle = colour(hue);
        g.fillRect(x, y + half, scale, scale / 2);
      }
    }
    g.globalAlpha = 1;
    g.strokeStyle = colour("cursor");
    if (ops.length) eachRun(ops[now], (which, m, run) => {
      if (which === i) coverRun(h, b, run, m.bytes, c =>
        g.strokeRect((c % h.columns) * scale + .5, Math.floor(c / h.columns) * scale + .5, scale - 1, scale - 1));
    });
  });
}

// --- The timeline: a row for each block, operations from left to right.

const left = 150;
let rowHeight = 18; // more where there are few blocks
const view = { x: 0, width: 1, top: 0 }; // the first place shown, how many, the first pixel of rows
const lastPlace = ops.length ? ops[ops.length - 1].x + 1 : 1;
view.width = Math.max(20, Math.min(lastPlace, 400));
const canvas = $("timeline");

function drawTimeline() {
  const box = canvas.getBoundingClientRect();
  const ratio = window.devicePixelRatio || 1;
  const share = box.height / Math.max(1, rows.length);
  rowHeight = fitted ? Math.min(40, share) : Math.max(18, Math.min(40, Math.floor(share)));
  canvas.width = box.width * ratio;
  canvas.height = box.height * ratio;
  const g = canvas.getContext("2d");
  g.scale(ratio, ratio);
  const step = (box.width - left) / view.width;
  const sheet = { // what is drawn on, and where operations and rows lie on it
    g, box, step,
    x: place => left + (place - view.x) * step,
    y: row => row * rowHeight - view.top,
    colours: Object.fromEntries(["compute", "read", "write", "update", "bad", "sync", "stale", "cursor", "line"].map(c => [c, colour(c)])),
    firstRow: Math.max(0, Math.floor(view.top / rowHeight)),
    endRow: Math.min(rows.length, Math.ceil((view.top + box.height) / rowHeight)),
  };
  g.font = "11px system-ui, sans-serif";
  g.textBaseline = "middle";
  let drawn = 0;
  for (let row = sheet.firstRow; row < sheet.endRow; ++row) drawn += drawRow(sheet, row);
  drawGaps(sheet);
  drawArrows(sheet);
  drawFindings(sheet);
  if (ops[now]) drawCursor(sheet, ops[now]);
  drawLabels(sheet);
  drawOverview();
  canvas.dataset.rows = rows.slice(sheet.firstRow, sheet.endRow).filter(r => !r.heading).length; // what tests look at
  canvas.dataset.drawn = drawn;
}

/// A row's operations, and how many these are.
function drawRow({ g, box, step, x, y, colours }, row) {
  const gap = rowHeight > 8 ? 2 : 0;
  if (rowHeight > 4) {
    g.fillStyle = colours.line;
    g.fillRect(left, y(row) + rowHeight - 1, box.width, 1);
  }
  const list = rows[row].list;
  let drawn = 0;
  let painted = -1; // many operations to a pixel: one of them
  for (let i = lowerBound(list, view.x - 1); i < list.length && ops[list[i]].x < view.x + view.width; ++i) {
    const o = ops[list[i]];
    if (step < 1 && Math.floor(x(o.x)) === painted) continue;
    painted = Math.floor(x(o.x));
    g.fillStyle = colours[kindOf(o)];
    g.fillRect(x(o.x), y(row) + gap, Math.max(1, step - (step > 3 ? 1 : 0)), Math.max(1, rowHeight - 2 * gap - 1));
    if (step > 60 && rowHeight > 12) {
      g.fillStyle = "#fff";
      g.fillText(o.name, x(o.x) + 4, y(row) + rowHeight / 2, step - 6);
    }
    if (o.stale.length) { // a read of an older write: a notch at its top
      g.fillStyle = colours.stale;
      g.fillRect(x(o.x), y(row) + gap, Math.max(2, step - 1), Math.max(2, Math.min(5, rowHeight / 4)));
    }
    ++drawn;
  }
  return drawn;
}

/// What is left out, in all rows.
function drawGaps({ g, box, step, x, colours }) {
  for (const [first, last, count] of data.left_out) {
    const begin = x(placeOf(first)), width = Math.min(gapWidth, last - first + 1) * step;
    g.fillStyle = colours.line;
    g.fillRect(begin, 0, width, box.height);
    g.fillStyle = colour("compute");
    g.fillText(`${count} operations are left out`, begin + 4, 8, Math.max(0, width - 8));
  }
}

/// From one operation to another, by their numbers.
function drawArrow({ g, x, y }, from, to, stroke, wide) {
  const a = ops[indexOf.get(from)], b = ops[indexOf.get(to)];
  if (!a || !b) return;
  const ax = x(a.x + .5), ay = y(rowOf.get(a.t)) + rowHeight / 2, bx = x(b.x + .5), by = y(rowOf.get(b.t)) + rowHeight / 2;
  g.strokeStyle = g.fillStyle = stroke;
  g.lineWidth = wide;
  g.beginPath();
  g.moveTo(ax, ay);
  g.bezierCurveTo((ax + bx) / 2, ay, (ax + bx) / 2, by, bx, by);
  g.stroke();
  g.beginPath();
  g.arc(bx, by, 2 + wide, 0, 7);
  g.fill();
}

/// What synchronises, as far as it shows, and whom the selected operation reads from or is read by.
function drawArrows(sheet) {
  const { colours } = sheet, o = ops[now];
  let shown = 0;
  for (let i = lowerBound(null, view.x - 1); i < ops.length && ops[i].x < view.x + view.width && shown < 500; ++i)
    for (const [from, , sync] of ops[i].from || []) if (sync) { drawArrow(sheet, from, ops[i].n, colours.sync, 1); ++shown; }
  if (!o) return;
  for (const [from, , sync] of o.from || []) drawArrow(sheet, from, o.n, sync ? colours.sync : colours.read, 2);
  for (const [to, , sync] of arrowsTo.get(o.n) || []) drawArrow(sheet, o.n, to, sync ? colours.sync : colours.write, 2);
  for (const [, , , passed] of o.stale) drawArrow(sheet, passed, o.n, colours.stale, 2);
}

/// A mark above each, and an arrow between the two of a race.
function drawFindings(sheet) {
  const { g, x, y, colours } = sheet;
  for (const f of findings) {
    if (f.other_op !== undefined) drawArrow(sheet, f.other_op, f.op, colours.bad, 2);
    if (f.thread === undefined) continue;
    g.fillStyle = colours.bad;
    g.beginPath();
    const middle = x(placeOf(f.op) + .5), top = y(rowOf.get(f.thread));
    g.moveTo(middle, top + 8);
    g.lineTo(middle - 6, top - 2);
    g.lineTo(middle + 6, top - 2);
    g.fill();
  }
}

function drawCursor({ g, box, step, x, y, colours }, o) {
  g.strokeStyle = colours.cursor;
  g.lineWidth = 2;
  g.strokeRect(x(o.x) - 1, y(rowOf.get(o.t)) + 1, Math.max(3, step), rowHeight - 3);
  g.fillStyle = colours.cursor;
  g.globalAlpha = .35;
  g.fillRect(x(o.x), 0, Math.max(1, step), box.height);
  g.globalAlpha = 1;
}

/// Names of rows, as many as have room.
function drawLabels({ g, box, y, firstRow, endRow }) {
  g.clearRect(0, 0, left, box.height);
  g.fillStyle = getComputedStyle(document.body).color;
  let free = 0; // the first pixel without a label
  for (let row = firstRow; row < endRow; ++row) {
    const middle = y(row) + rowHeight / 2;
    if (middle < free) continue;
    g.font = `${rows[row].heading ? "bold " : ""}11px system-ui, sans-serif`;
    g.fillText(rows[row].label, rows[row].heading ? 6 : 14, Math.max(7, middle), left - 18);
    free = middle + 12;
  }
}

// --- The overview: how much is done when, in the whole run; where findings are, and what the timeline shows.

const overview = $("overview");
let busy = null; // operations of each kind in each column
function drawOverview() {
  const width = overview.clientWidth - left, height = overview.clientHeight, ratio = window.devicePixelRatio || 1;
  if (width <= 0) return;
  if (!busy || busy.length !== width) {
    busy = Array.from({ length: width }, () => ({ compute: 0, read: 0, write: 0, update: 0 }));
    for (const o of ops) ++busy[Math.min(width - 1, Math.floor(o.x / lastPlace * width))][kindOf(o)];
  }
  overview.width = overview.clientWidth * ratio;
  overview.height = height * ratio;
  const g = overview.getContext("2d");
  g.scale(ratio, ratio);
  const most = Math.max(1, ...busy.map(c => c.compute + c.read + c.write + c.update));
  busy.forEach((column, i) => {
    let bottom = height;
    for (const kind of ["compute", "read", "write", "update"]) {
      const size = column[kind] / most * (height - 4);
      g.fillStyle = colour(kind);
      g.fillRect(left + i, bottom - size, 1, size);
      bottom -= size;
    }
  });
  const x = place => left + place / lastPlace * width;
  g.fillStyle = colour("bad");
  for (const f of findings) g.fillRect(x(placeOf(f.op)) - 1, 0, 3, height);
  g.strokeStyle = colour("cursor");
  g.lineWidth = 2;
  g.strokeRect(x(Math.max(0, view.x)), 1, Math.max(4, Math.min(width, view.width / lastPlace * width)), height - 2);
  g.fillStyle = getComputedStyle(document.body).color;
  g.font = "11px system-ui, sans-serif";
  g.fillText("the whole run", 6, height / 2 + 4, left - 10);
  overview.dataset.columns = width;
}
function showAt(e) {
  const at = (e.offsetX - left) / (overview.clientWidth - left) * lastPlace;
  view.x = Math.max(0, at - view.width / 2);
  drawTimeline();
}
overview.addEventListener("mousedown", showAt);
overview.addEventListener("mousemove", e => { if (e.buttons & 1) showAt(e); });

/// All blocks and operations at once, or as they were.
let fitted = false;
function fit() {
  fitted = !fitted;
  if (fitted) Object.assign(view, { x: 0, width: lastPlace * 1.02, top: 0 });
  else { view.width = Math.max(20, Math.min(lastPlace, 400)); select(now, true); }
  $("fit").textContent = fitted ? "zoom in" : "fit all";
  drawTimeline();
}

/// The first of a row's operations (null: of all) that does not lie before a place.
function lowerBound(list, place) {
  let low = 0, high = list ? list.length : ops.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ops[list ? list[middle] : middle].x < place) low = middle + 1; else high = middle;
  }
  return low;
}

// --- The selected operation.

function sliceText(run, bytes) {
  const b = buffers[bufferIndex.get(run[0])];
  const [, begin, count, distance] = run;
  if (!b) return "0x" + begin.toString(16);
  const first = begin / b.size, step = distance / b.size, width = bytes / b.size;
  if (!Number.isInteger(first) || !Number.isInteger(step)) return `${b.name} + ${begin} bytes` + (count > 1 ? ` (${count} times)` : "");
  if (count === 1 || distance === bytes) {
    const n = Math.max(1, Math.floor(count * width));
    return n === 1 ? `${b.name}[${first}]` : `${b.name}[${first}:${first + n}]`;
  }
  if (distance === 0) return `${b.name}[${first}] (${count} times)`;
  const last = first + (count - 1) * step;
  return `${b.name}[${first}:${step > 0 ? last + 1 : last === 0 ? "" : last - 1}:${step}]`;
}
function showOperation(o) {
  const box = $("operation");
  box.replaceChildren();
  const title = element("h2", undefined, box);
  title.append(`operation ${o.n}: `, element("code", o.name));
  const list = element("dl", undefined, box);
  const row = (name, value) => { element("dt", name, list); return element("dd", value, list); };
  row("by", threadOf.get(o.t).full);
  row("at", placeText(o.site));
  if (o.written) row("written", o.written);
  if (o.operands) row("operands", o.operands.join(", "));
  if (o.result) row("result", o.result.type);
  if (o.repeated) row("polls on", `${o.repeated[0]} more operations of this loop, in vain, up to operation ${o.repeated[1]}`);
  if (o.unfinished) row("", "the run ended here").className = "warn";
  for (const m of o.memory || []) {
    const what = m.reads && m.writes ? "updates" : m.reads ? "reads" : "writes";
    const most = 32, texts = m.at.slice(0, most).map(run => sliceText(run, m.bytes)).join(", ");
    row(what, `${m.order}${m.scope ? ", " + m.scope + " scope" : ""}: ${texts}${m.at.length > most ? `, and ${m.at.length - most} more` : ""}`);
  }
  for (const [place, value, newest, passed] of o.stale) {
    const cell = row("stale", `${place} reads ${value}, although ${newest} was written there before`);
    if (passed && indexOf.has(passed)) {
      cell.append(", by ");
      link(passed, `operation ${passed} of ${threadOf.get(ops[indexOf.get(passed)].t).label}`, cell);
    }
  }
  const arrows = (name, all, words) => {
    if (!all || !all.length) return;
    const cell = row(name);
    all.slice(0, 40).forEach(([n, count, sync]) => {
      const other = ops[indexOf.get(n)];
      link(n, `operation ${n} of ${threadOf.get(other.t).label}`, element("div", undefined, cell))
        .after(` (${count} element${count === 1 ? "" : "s"}${sync ? "; synchronises" : ""})`);
    });
    if (all.length > 40) element("div", `and ${all.length - 40} more`, cell);
  };
  arrows("takes from", o.from);
  arrows("read by", arrowsTo.get(o.n));
}
function showTile(o) {
  const tile = o.result || o.stores, box = $("tile");
  box.replaceChildren();
  $("tile-title").textContent = tile ? `${o.result ? "Result" : "Stores"}: ${tile.type}` : "";
  if (!tile) return;
  const total = tile.shape.reduce((a, b) => a * b, 1);
  const columns = tile.shape.length > 1 ? tile.shape[tile.shape.length - 1] : 8;
  const numbers = tile.elements.map(Number);
  const most = Math.max(...numbers.filter(Number.isFinite).map(Math.abs), 0);
  const table = element("table", undefined, box);
  for (let i = 0; i < tile.elements.length; i += columns) {
    const row = element("tr", undefined, table);
    tile.elements.slice(i, i + columns).forEach((text, k) => {
      const cell = element("td", text, row), n = numbers[i + k];
      if (most > 0 && Number.isFinite(n)) cell.style.background = `rgb(${n < 0 ? "211 47 47" : "30 136 229"} / ${Math.round(45 * Math.abs(n) / most)}%)`;
    });
  }
  if (tile.elements.length < total) element("div", `the first ${tile.elements.length} of ${total} elements`, box);
}
function showSource(o) {
  const box = $("source"), frame = sites[o.site] && sites[o.site][0];
  box.replaceChildren();
  const lines = frame && files[frame.file].text !== undefined ? files[frame.file].text.split("\n") : [];
  if (!frame || frame.line === 0 || frame.line > lines.length) return;
  element("h2", `${files[frame.file].name}:${frame.line}, in ${frame.function}`, box);
  const pre = element("pre", undefined, box);
  for (let n = Math.max(1, frame.line - 4); n <= Math.min(lines.length, frame.line + 4); ++n) {
    const text = `${String(n).padStart(5)} ${lines[n - 1]}`;
    if (n === frame.line) element("mark", text, pre); else pre.append(text + "\n");
  }
}
function showFindings() {
  for (const f of findings) {
    const box = element("div", undefined, $("findings"));
    box.className = "finding";
    box.id = `finding-${f.number}`;
    element("b", f.code, box);
    box.append(`: ${f.message} `);
    const where = element("div", undefined, box);
    if (indexOf.has(f.op)) link(f.op, `operation ${f.op}, ${f.place}`, where); else where.append(f.place);
    if (f.other_op !== undefined) { where.append(" against "); link(f.other_op, `operation ${f.other_op}, ${f.other_place}`, where); }
    if (f.count > 1) where.append(`, ${f.count} times`);
    for (const d of f.details) element("div", d, box);
    if (f.remedy) element("div", "to fix: " + f.remedy, box);
  }
  if (!findings.length) element("div", "none", $("findings"));
}

// --- Moving about.

function draw() {
  if (ops.length) {
    const o = ops[now];
    $("position").textContent = `operation ${o.n} of ${data.operations}`;
    showOperation(o);
    showTile(o);
    showSource(o);
  }
  drawMemory();
  drawTimeline();
}
function select(index, always = false) {
  if (!ops.length) return;
  now = Math.max(0, Math.min(ops.length - 1, index));
  const o = ops[now];
  $("slider").value = now;
  if (always || o.x < view.x || o.x >= view.x + view.width) view.x = Math.max(0, o.x - view.width / 2);
  const y = rowOf.get(o.t) * rowHeight, height = canvas.clientHeight;
  if (y < view.top || y + rowHeight > view.top + height) view.top = Math.max(0, y - height / 2);
  history.replaceState(null, "", "#" + o.n);
  draw();
}
function inBlock(direction) {
  const list = opsOfThread.get(ops[now].t), at = list.indexOf(now) + direction;
  if (at >= 0 && at < list.length) select(list[at]);
}
function fromHash() {
  if (location.hash === "#fit" && !fitted) fit();
  const number = Number(location.hash.slice(1));
  select(indexOf.get(number) ?? indexOf.get(findings.length ? findings[0].op : 0) ?? 0);
}
$("slider").max = Math.max(0, ops.length - 1);
$("slider").oninput = e => select(Number(e.target.value));
$("first").onclick = () => select(0);
$("last").onclick = () => select(ops.length - 1);
$("back").onclick = () => select(now - 1);
$("forward").onclick = () => select(now + 1);
$("fit").onclick = fit;
window.addEventListener("keydown", e => {
  const move = { ArrowRight: () => select(now + 1), ArrowLeft: () => select(now - 1), Home: () => select(0), End: () => select(ops.length - 1),
                 ArrowDown: () => inBlock(1), ArrowUp: () => inBlock(-1), f: fit }[e.key];
  if (move && ops.length) { move(); e.preventDefault(); }
});
window.addEventListener("resize", draw);
window.addEventListener("hashchange", fromHash);
canvas.addEventListener("wheel", e => {
  e.preventDefault();
  if (e.shiftKey) { view.top = Math.max(0, Math.min(rows.length * rowHeight, view.top + e.deltaY)); drawTimeline(); return; }
  const at = view.x + (e.offsetX - left) / (canvas.clientWidth - left) * view.width;
  const factor = e.deltaY > 0 ? 1.25 : 0.8;
  const width = Math.max(5, Math.min(lastPlace * 1.1, view.width * factor));
  view.x = at - (at - view.x) * width / view.width;
  view.width = width;
  drawTimeline();
}, { passive: false });
let drag = null;
canvas.addEventListener("mousedown", e => { drag = { x: e.offsetX, y: e.offsetY, from: view.x, top: view.top, moved: false }; });
canvas.addEventListener("mousemove", e => {
  if (!drag) return;
  drag.moved ||= Math.abs(e.offsetX - drag.x) + Math.abs(e.offsetY - drag.y) > 3;
  view.x = drag.from - (e.offsetX - drag.x) / (canvas.clientWidth - left) * view.width;
  view.top = Math.max(0, drag.top - (e.offsetY - drag.y));
  drawTimeline();
});
window.addEventListener("mouseup", e => {
  if (drag && !drag.moved && e.target === canvas) pick(e.offsetX, e.offsetY);
  drag = null;
});
/// Selects the operation of a row that is nearest to a pixel.
function pick(px, py) {
  const row = rows[Math.floor((py + view.top) / rowHeight)];
  if (row && row.heading && (px < left || !row.list.length)) { toggle(folded, row.launch); return; }
  if (row && row.block && (px < left || !row.list.length)) { toggle(unfolded, row.block); return; }
  const list = row && row.list;
  if (!list || !list.length) return;
  const at = view.x + (px - left) / (canvas.clientWidth - left) * view.width;
  const after = lowerBound(list, Math.floor(at));
  const near = [list[after - 1], list[after]].filter(i => i !== undefined);
  near.sort((a, b) => Math.abs(ops[a].x + .5 - at) - Math.abs(ops[b].x + .5 - at));
  select(near[0]);
}

$("program").textContent = data.program;
$("summary").textContent = `${new Set(threads.map(t => blockOf(t) ?? t.number)).size} blocks, ${data.schedule}` +
  (data.left_out.length ? `; ${data.left_out.reduce((sum, [, , count]) => sum + count, 0)} of ${data.operations} operations are left out` : "") +
  (data.end === "ended" ? "" : `; the run was ${data.end}`);
showFindings();
if (ops.length) fromHash(); else { $("position").textContent = "no operations"; draw(); }
