// The page: which sentence and which map is shown, and what pointer and keys do.
import { unpack, visible, written } from "./weights.js";
import { Chart } from "./chart.js";
import { Grid, mapName } from "./grid.js";

const STEPS = [1, 0.5, 0.2]; // of each power of ten, for what white stands for
const DECADES = 5;
const element = (name) => document.getElementById(name);
const data = JSON.parse(element("data").textContent);
const canvas = element("canvas");
const chart = new Chart(canvas);
const grid = new Grid(element("grid"), (number) => go(shown.sheet, number));
const shown = { sheet: -1, map: null, turn: 0 };
const pointers = new Map();
let whites = [1];
let bounds = null;

/** The rounded numbers that white can stand for, the largest first. */
function levels(highest) {
  const power = Math.max(0, Math.ceil(Math.log10(highest || 1)));
  return Array.from({ length: 3 * DECADES }, (_, step) =>
    Number((STEPS[step % 3] * 10 ** (power - Math.floor(step / 3))).toPrecision(1)),
  );
}

/** Whether no weight is brighter than white, but for rounding. */
function holds(white, sheet) {
  return white >= sheet.highest * (1 - 1e-6);
}

function setWhite(step) {
  const white = whites[step];
  element("white").value = String(whites.length - 1 - step);
  const all = holds(white, data.sheets[shown.sheet]);
  element("top").textContent = all ? String(white) : `${white} and more`;
  chart.white = white;
  chart.draw();
  grid.brighten(white);
}

/** The address says what is shown, so that the browser's own back button works. */
function go(sheet, map) {
  const address = map === null ? `#${sheet}` : `#${sheet}.${map}`;
  if (location.hash === address) read();
  else location.hash = address;
}

function read() {
  const [sheet, map] = location.hash.slice(1).split(".");
  const number = Math.min(data.sheets.length - 1, Math.max(0, Math.trunc(Number(sheet)) || 0));
  const { maps } = data.sheets[number];
  const alone = maps.length === 1;
  const valid = map !== undefined && maps[Number(map)] !== undefined;
  show(number, valid ? Number(map) : alone ? 0 : null);
}

async function show(number, map) {
  shown.turn += 1;
  const turn = shown.turn;
  const sheet = data.sheets[number];
  const before = shown.sheet === number ? shown.map : null;
  const alike = before !== null && map !== null;
  if (shown.sheet !== number) openSheet(sheet, number);
  shown.map = map;
  element("grid").hidden = map !== null;
  element("map").hidden = map === null;
  if (map === null) {
    await grid.show(sheet, chart.white, before);
    return;
  }
  grid.stop();
  element("name").textContent = sheet.maps.length > 1 ? mapName(sheet, map) : "";
  for (const name of ["back", "previous", "next"]) element(name).hidden = sheet.maps.length === 1;
  const unpacked = await unpack(sheet.maps[map], sheet);
  if (turn !== shown.turn) return;
  bounds = unpacked.bounds;
  chart.show({ ...sheet, ...words(sheet), weights: unpacked.weights }, alike);
  tell();
  canvas.dataset.shown = `${number}.${map}`;
  if (!alike && sheet.maps.length > 1) canvas.focus({ preventScroll: true });
}

function openSheet(sheet, number) {
  shown.sheet = number;
  element("sheet").value = String(number);
  element("note").textContent = sheet.note;
  element("reading").textContent = sheet.reading;
  element("unstored").hidden = sheet.least === 0;
  whites = levels(sheet.highest);
  element("white").max = String(whites.length - 1);
  setWhite(Math.max(0, whites.findLastIndex((white) => holds(white, sheet))));
}

function words(sheet) {
  const side = (list, count) => list?.map(visible) ?? Array.from({ length: count }, (_, at) => String(at));
  return { rows: side(sheet.rows, sheet.height), columns: side(sheet.columns, sheet.width) };
}

/** Say which cell is chosen, and its weight. */
function tell() {
  const { chosen, map } = chart;
  element("hint").hidden = chosen !== null;
  for (const name of ["row", "arrow", "column", "weight"]) element(name).hidden = chosen === null;
  if (chosen === null) {
    for (const name of ["row", "arrow", "column", "weight"]) element(name).textContent = "";
    return;
  }
  const { row, column } = chosen;
  const weight = map.weights[row * map.width + column];
  element("row").textContent = map.rows[row];
  element("arrow").textContent = data.sheets[shown.sheet].arrow;
  element("column").textContent = map.columns[column];
  element("weight").textContent = written(weight, bounds?.[row], map.tolerance);
  canvas.dataset.cell = `${row} ${column}`;
}

function choose(cell, follow) {
  chart.choose(cell, follow);
  tell();
}

function point(event) {
  const box = canvas.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

function zoom(factor, at) {
  const { x, y, width, height } = chart.view.area;
  const { x: left, y: top } = at ?? { x: x + width / 2, y: y + height / 2 };
  chart.view.zoom(factor, left, top);
  chart.draw();
}

function step(by) {
  const count = data.sheets[shown.sheet].maps.length;
  go(shown.sheet, (shown.map + by + count) % count);
}

function pointerMoved(event) {
  const now = point(event);
  const before = pointers.get(event.pointerId);
  if (before) {
    pointers.set(event.pointerId, now);
    const others = [...pointers].filter(([name]) => name !== event.pointerId);
    if (others.length === 1) {
      const [, other] = others[0];
      const far = (from) => Math.hypot(from.x - other.x, from.y - other.y) || 1;
      chart.view.zoom(far(now) / far(before), (now.x + other.x) / 2, (now.y + other.y) / 2);
    } else chart.view.move(now.x - before.x, now.y - before.y);
    canvas.classList.add("moving");
  }
  choose(chart.map && chart.view.at(now.x, now.y));
}

function pointerLeft(event) {
  pointers.delete(event.pointerId);
  if (pointers.size === 0) canvas.classList.remove("moving");
}

const arrows = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function keyPressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || !chart.map || shown.map === null) return;
  if (event.target.closest("select, input")) return; // they have arrow keys of their own
  const scale = (factor) => {
    zoom(factor, chart.chosen && chart.view.place(chart.chosen));
    choose(chart.chosen, true); // all of the cell stays in sight
  };
  const actions = {
    "+": () => scale(1.5),
    "=": () => scale(1.5),
    "-": () => scale(1 / 1.5),
    0: fit,
    PageUp: () => step(-1),
    PageDown: () => step(1),
    Escape: () => element("back").click(),
  };
  if (arrows[event.key]) walk(...arrows[event.key]);
  else if (actions[event.key]) actions[event.key]();
  else return;
  event.preventDefault();
}

/** Go from cell to cell; the first key shows where one is. */
function walk(down, across) {
  const { height, width } = chart.map;
  const [row, column] = chart.chosen
    ? [chart.chosen.row + down, chart.chosen.column + across]
    : [chart.view.seen.rows[0], chart.view.seen.columns[0]];
  const within = (number, count) => Math.min(count - 1, Math.max(0, number));
  choose({ row: within(row, height), column: within(column, width) }, true);
}

function fit() {
  chart.view.fit();
  chart.draw();
}

function resized() {
  if (shown.map === null) grid.show(data.sheets[shown.sheet], chart.white);
  else if (chart.map) {
    const whole = chart.view.cell <= chart.view.least;
    chart.measure();
    if (whole) chart.view.fit();
    chart.draw();
  }
}

function listen() {
  let waiting = 0;
  new ResizeObserver(() => {
    clearTimeout(waiting);
    waiting = setTimeout(resized, shown.map === null ? 200 : 0);
  }).observe(document.body);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => chart.draw());
  window.addEventListener("hashchange", read);
  element("sheet").addEventListener("change", (event) => go(Number(event.target.value), null));
  element("white").addEventListener("input", (event) => {
    setWhite(whites.length - 1 - Number(event.target.value));
  });
  element("back").addEventListener("click", () => go(shown.sheet, null));
  element("previous").addEventListener("click", () => step(-1));
  element("next").addEventListener("click", () => step(1));
  element("in").addEventListener("click", () => zoom(1.5));
  element("out").addEventListener("click", () => zoom(1 / 1.5));
  element("fit").addEventListener("click", fit);
  canvas.addEventListener("pointermove", pointerMoved);
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, point(event));
  });
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, pointerLeft);
  canvas.addEventListener("pointerleave", () => choose(null));
  document.addEventListener("keydown", keyPressed);
  const wheel = (event) => {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 30 : 1;
    zoom(Math.exp(-Math.max(-240, Math.min(240, event.deltaY * lines)) / 400), point(event));
    choose(chart.view.at(point(event).x, point(event).y));
  };
  canvas.addEventListener("wheel", wheel, { passive: false });
}

function begin() {
  if (!("DecompressionStream" in window)) {
    element("problem").hidden = false;
    element("problem").textContent =
      "This browser is too old to unpack the maps: Chrome 80, Firefox 113 or Safari 16.4 can.";
    return;
  }
  element("title").textContent = visible(data.title);
  data.sheets.forEach((sheet, number) => {
    element("sheet").append(new Option(visible(sheet.title), String(number)));
  });
  element("picker").hidden = data.sheets.length === 1;
  listen();
  read();
}

begin();
