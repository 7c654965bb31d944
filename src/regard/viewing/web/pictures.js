// Pictures and their captions: a word that is pointed at shows where it looked.
import { unpack, visible, written } from "./weights.js";

const LONGER = 512; // pixels of the longer side of what is drawn over a picture
const COARSE = 160; // a picture with fewer pixels shows them as squares
const PACE = 900; // milliseconds from word to word, while playing
const ALONE = -1; // stands for the picture without a word
const STROKES = { taken: "#ff0000", box: "#56b4e9", pointed: "#ffb000" };

/** How much each cell counts for each pixel along one side: the twin of pictures.py. */
export function nearness(pixels, cells, look) {
  const width = Math.max(look.leastBlur, look.blur * cells);
  const near = new Float64Array(pixels * cells);
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    let sum = 0;
    for (let cell = 0; cell < cells; cell += 1) {
      const far = ((pixel + 0.5) * cells) / pixels - (cell + 0.5);
      near[pixel * cells + cell] = Math.exp(-0.5 * (far / width) ** 2);
      sum += near[pixel * cells + cell];
    }
    for (let cell = 0; cell < cells; cell += 1) near[pixel * cells + cell] /= sum;
  }
  return near;
}

/** Spread weights (height, width) over pixels (down, across) with a Gaussian. */
export function smoothed(weights, { height, width }, down, across, look) {
  const rows = nearness(down, height, look);
  const columns = nearness(across, width, look);
  const pixels = new Float64Array(down * across);
  const line = new Float64Array(width);
  for (let y = 0; y < down; y += 1) {
    line.fill(0);
    for (let row = 0; row < height; row += 1) {
      for (let column = 0; column < width; column += 1) {
        line[column] += rows[y * height + row] * weights[row * width + column];
      }
    }
    for (let x = 0; x < across; x += 1) {
      let sum = 0;
      for (let column = 0; column < width; column += 1) sum += columns[x * width + column] * line[column];
      pixels[y * across + x] = sum;
    }
  }
  return pixels;
}

/** Each pixel with the weight of the cell that it lies in. */
export function squared(weights, { height, width }, down, across) {
  return Float64Array.from({ length: down * across }, (_, place) => {
    const row = Math.floor(((Math.floor(place / across) + 0.5) * height) / down);
    const column = Math.floor((((place % across) + 0.5) * width) / across);
    return weights[row * width + column];
  });
}

/** White is the largest, black is zero, and the picture shines through. */
export function painted(pixels, opacity) {
  const colours = new Uint8ClampedArray(4 * pixels.length);
  const largest = pixels.reduce((most, weight) => Math.max(most, weight), 0) || 1;
  for (let place = 0; place < pixels.length; place += 1) {
    colours.fill((255 * pixels[place]) / largest, 4 * place, 4 * place + 3);
    colours[4 * place + 3] = Math.round(255 * opacity);
  }
  return colours;
}

/** Make an element with a class and children; text is only ever text. */
function make(name, kind, ...children) {
  const made = document.createElement(name);
  if (kind) made.className = kind;
  made.append(...children);
  return made;
}

/** One picture with its caption. */
class Card {
  constructor(sheet, page) {
    this.sheet = sheet;
    this.page = page; // how all are drawn: smooth or not
    this.words = sheet.words.map(visible);
    this.word = ALONE;
    this.weights = null;
    this.cell = null; // the one that is pointed at
    this.turn = 0;
    this.timer = 0;
    this.build();
    this.listen();
    this.show(ALONE);
  }

  build() {
    const [high, wide] = this.sheet.size;
    const title = make("h2", "", visible(this.sheet.title));
    title.dir = "auto";
    this.image = make("img");
    this.image.alt = this.words.join(" ");
    this.image.width = wide;
    this.image.height = high;
    this.image.src = `data:image/png;base64,${this.sheet.png}`;
    this.canvas = make("canvas");
    const scale = LONGER / Math.max(high, wide);
    this.canvas.width = Math.ceil(wide * scale);
    this.canvas.height = Math.ceil(high * scale);
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute("aria-label", "Weights over the picture. Arrow keys go from cell to cell.");
    const stage = make("div", "stage", this.image, this.canvas);
    stage.classList.toggle("coarse", Math.max(high, wide) < COARSE);
    this.buttons = ["picture", ...this.words].map((word) => make("button", "", make("bdi", "", word)));
    this.buttons[0].className = "alone";
    for (const button of this.buttons) button.type = "button";
    this.bar = make("div", "words", ...this.buttons);
    this.bar.setAttribute("role", "toolbar");
    this.bar.setAttribute("aria-label", "Words of the caption");
    this.play = make("button", "play");
    this.play.type = "button";
    this.told = make("output", "", make("bdi", "word"), make("b", "weight"), make("span", "place"));
    this.told.setAttribute("aria-live", "polite");
    this.element = make("article", "card", title, stage, this.bar, make("div", "told", this.play, this.told));
    this.stop();
  }

  listen() {
    this.buttons.forEach((button, place) => {
      const show = () => {
        this.stop();
        this.show(place - 1);
      };
      // A finger has no hover: its tap is a click.
      button.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && show());
      button.addEventListener("focus", show);
      button.addEventListener("click", show);
    });
    this.bar.addEventListener("keydown", (event) => this.walkWords(event));
    this.play.addEventListener("click", () => (this.timer ? this.stop() : this.begin()));
    for (const name of ["pointermove", "pointerdown"]) {
      this.canvas.addEventListener(name, (event) => this.point(this.at(event)));
    }
    // A finger that is lifted leaves, too, but what it pointed at is to be read.
    this.canvas.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && this.point(null));
    this.canvas.addEventListener("blur", () => this.point(null));
    this.canvas.addEventListener("keydown", (event) => this.walkCells(event));
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      this.stop();
      this.show(ALONE);
    });
  }

  async show(word) {
    this.turn += 1;
    const turn = this.turn;
    const weights = word === ALONE ? null : (await unpack(this.sheet.maps[word], this.sheet)).weights;
    if (turn !== this.turn) return; // another word was asked for meanwhile
    this.word = word;
    this.weights = weights;
    this.buttons.forEach((button, place) => {
      button.setAttribute("aria-pressed", String(place - 1 === word));
      button.tabIndex = place - 1 === word ? 0 : -1; // one stop for the Tab key, arrows from there
    });
    this.draw();
    this.tell();
    this.element.dataset.word = String(word);
  }

  draw() {
    const { width, height } = this.canvas;
    const context = this.canvas.getContext("2d");
    context.clearRect(0, 0, width, height);
    if (this.word !== ALONE) {
      const { look, smooth } = this.page;
      const pixels = (smooth ? smoothed : squared)(this.weights, this.sheet, height, width, look);
      context.putImageData(new ImageData(painted(pixels, look.opacity), width, height), 0, 0);
      this.outline(context);
    }
  }

  outline(context) {
    const { sheet, word, cell, canvas } = this;
    const scale = canvas.width / sheet.size[1];
    const [high, wide] = [canvas.height / sheet.height, canvas.width / sheet.width];
    const stroke = (colour, dashes, ...box) => {
      context.strokeStyle = colour;
      context.setLineDash(dashes);
      context.lineWidth = 3;
      context.strokeRect(...box);
    };
    const around = (row, column) => [column * wide, row * high, wide, high];
    const box = sheet.boxes?.[word];
    if (box) {
      const [top, left, bottom, right] = box.map((edge) => edge * scale);
      stroke(STROKES.box, [10, 6], left, top, right - left, bottom - top);
    }
    if (sheet.chosen) stroke(STROKES.taken, [], ...around(...this.taken()));
    if (cell) stroke(STROKES.pointed, [], ...around(cell.row, cell.column));
  }

  /** Row and column of the cell that the word took: drawn, or the best. */
  taken() {
    const place = this.sheet.chosen[this.word];
    return [Math.floor(place / this.sheet.width), place % this.sheet.width];
  }

  /** The cell under the pointer. */
  at(event) {
    const box = this.canvas.getBoundingClientRect();
    const within = (part, count) => Math.min(count - 1, Math.max(0, Math.floor(part * count)));
    return {
      row: within((event.clientY - box.top) / box.height, this.sheet.height),
      column: within((event.clientX - box.left) / box.width, this.sheet.width),
    };
  }

  point(cell) {
    if (cell?.row === this.cell?.row && cell?.column === this.cell?.column) return;
    this.cell = cell;
    this.draw();
    this.tell();
  }

  /** Say which word is shown, and the weight of the cell that is pointed at. */
  tell() {
    const [word, weight, place] = this.told.children;
    const { cell, sheet } = this;
    word.textContent = this.word === ALONE ? "" : this.words[this.word];
    const known = cell !== null && this.word !== ALONE;
    weight.textContent = known ? written(this.weights[cell.row * sheet.width + cell.column]) : "";
    const taken = known && sheet.chosen && this.taken().join() === [cell.row, cell.column].join();
    place.textContent = known ? `row ${cell.row}, column ${cell.column}${taken ? ", taken" : ""}` : "";
  }

  walkWords(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const place = { Home: 0, End: this.buttons.length - 1 }[event.key] ?? this.buttons.indexOf(event.target.closest("button")) + by;
    if (Number.isNaN(place)) return;
    this.buttons[Math.min(this.buttons.length - 1, Math.max(0, place))].focus();
    event.preventDefault();
  }

  walkCells(event) {
    const arrows = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    if (!arrows[event.key]) return;
    const [down, across] = arrows[event.key];
    const within = (number, count) => Math.min(count - 1, Math.max(0, number));
    const { row, column } = this.cell ?? { row: -down, column: -across }; // the first key shows where one is
    this.point({ row: within(row + down, this.sheet.height), column: within(column + across, this.sheet.width) });
    event.preventDefault();
  }

  /** Go through the words, from the one after that which is shown. */
  begin() {
    const last = this.words.length - 1;
    const step = () => {
      this.show(this.word === last ? 0 : this.word + 1);
      this.timer = setTimeout(() => (this.word === last ? this.stop() : step()), PACE);
    };
    this.play.textContent = "\u25a0 Stop";
    step();
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.play.textContent = "\u25b6 Play";
  }
}

function begin() {
  const element = (name) => document.getElementById(name);
  const data = JSON.parse(element("data").textContent);
  element("title").textContent = visible(data.title);
  if (!("DecompressionStream" in window)) {
    element("problem").hidden = false;
    element("problem").textContent =
      "This browser is too old to unpack the weights: Chrome 80, Firefox 113 or Safari 16.4 can.";
    return;
  }
  const marks = [["chosen", "A red outline is the cell that was drawn."], ["boxes", "A dashed blue outline is the true place of what the word names."]];
  const made = marks.filter(([name]) => data.sheets.some((sheet) => sheet[name]));
  element("marks").textContent = made.map(([, text]) => text).join(" ");
  element("marks").hidden = made.length === 0;
  const page = { look: data.look, smooth: element("smooth").checked };
  const cards = data.sheets.map((sheet) => new Card(sheet, page));
  element("sheets").append(...cards.map((card) => card.element));
  element("smooth").addEventListener("change", () => {
    page.smooth = element("smooth").checked;
    for (const card of cards) card.draw();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "s" && !event.ctrlKey && !event.metaKey && !event.altKey) element("smooth").click();
  });
}

if (typeof document !== "undefined") begin();
