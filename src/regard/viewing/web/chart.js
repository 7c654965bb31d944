// One large map with its words, drawn on a canvas.
import { MISSING, brief } from "./weights.js";
import { picture, pool, shorten, spread } from "./drawing.js";
import { View } from "./view.js";

const LETTERS = 12; // pixels of a word's height
const WIDEST = 170; // pixels of a word beside the map; the rest is cut
const SLANT = Math.SQRT1_2; // words above narrow columns lean by 45 degrees
const LINED = 7; // pixels of a cell from which on there are lines between cells
const ROOM = 34; // pixels of a cell that has room for its number

export class Chart {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { alpha: false });
    this.view = new View();
    this.map = null;
    this.chosen = null; // { row, column } under the pointer, or where the keys went
    this.white = 1;
    this.waiting = false;
  }

  /** Take a map { weights, height, width, rows, columns }; the view stays if it is `alike`. */
  show(map, alike) {
    this.map = map;
    this.view.size = map;
    if (!alike) this.chosen = null;
    this.measure();
    if (!alike) this.view.fit();
    this.draw();
  }

  /** Find the room that the canvas has beside the words. */
  measure() {
    const room = this.canvas.parentElement.getBoundingClientRect();
    this.ratio = window.devicePixelRatio || 1;
    for (const side of ["width", "height"]) {
      this.canvas[side] = Math.max(1, Math.floor(room[side] * this.ratio));
      this.canvas.style[side] = `${this.canvas[side] / this.ratio}px`; // no pixel is blurred
    }
    this.font = `${LETTERS}px ${getComputedStyle(this.canvas).fontFamily}`;
    this.context.font = this.font;
    const widest = (words) =>
      words.reduce((most, word) => Math.max(most, this.context.measureText(word).width), 0);
    this.wide = Math.min(WIDEST, widest(this.map.columns));
    const beside = Math.ceil(Math.min(WIDEST, widest(this.map.rows))) + 12;
    const above = Math.ceil(this.wide * SLANT) + LETTERS + 6;
    this.view.frame = {
      x: beside,
      y: above,
      width: Math.max(40, room.width - beside - above),
      height: Math.max(40, room.height - above - 4),
    };
    this.view.clamp();
  }

  choose(cell, follow = false) {
    this.chosen = cell;
    if (cell && follow) this.view.follow(cell);
    this.draw();
  }

  draw() {
    if (!this.map || this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.paint();
    });
  }

  paint() {
    const { context, ratio, view } = this;
    const style = getComputedStyle(this.canvas);
    this.ground = getComputedStyle(document.body).backgroundColor;
    this.ink = style.color;
    this.accent = style.getPropertyValue("--accent");
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = this.ground;
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    this.cells();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.font = this.font;
    if (view.cell >= LINED) this.within(() => this.lines());
    if (view.cell >= ROOM) this.within(() => this.numbers());
    this.words();
    if (this.chosen) this.mark();
    this.canvas.dataset.view = [view.area.x, view.area.y, view.left, view.top, view.cell].join(" ");
  }

  cells() {
    const { view, ratio } = this;
    const { weights, width, height } = this.map;
    const area = view.area;
    const across = Math.max(1, Math.round(area.width * ratio));
    const down = Math.max(1, Math.round(area.height * ratio));
    const rows = spread(view.top, view.cell * ratio, down, height);
    const columns = spread(view.left, view.cell * ratio, across, width);
    const image = picture(pool(weights, width, rows, columns), across, down, this.white);
    this.context.putImageData(image, Math.round(area.x * ratio), Math.round(area.y * ratio));
  }

  within(draw) {
    const { x, y, width, height } = this.view.area;
    this.context.save();
    this.context.beginPath();
    this.context.rect(x, y, width, height);
    this.context.clip();
    draw();
    this.context.restore();
  }

  lines() {
    const { context, view } = this;
    const { x: left, y: top, width, height } = view.area;
    const { rows, columns } = view.seen;
    context.strokeStyle = "rgba(128, 128, 128, 0.45)";
    context.lineWidth = 1 / this.ratio;
    context.beginPath();
    for (let row = rows[0]; row <= rows[1]; row += 1) {
      const y = top + (row - view.top) * view.cell;
      context.moveTo(left, y);
      context.lineTo(left + width, y);
    }
    for (let column = columns[0]; column <= columns[1]; column += 1) {
      const x = left + (column - view.left) * view.cell;
      context.moveTo(x, top);
      context.lineTo(x, top + height);
    }
    context.stroke();
  }

  numbers() {
    const { context, map, view } = this;
    const { rows, columns } = view.seen;
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (let row = rows[0]; row < rows[1]; row += 1) {
      for (let column = columns[0]; column < columns[1]; column += 1) {
        const weight = map.weights[row * map.width + column];
        if (weight === MISSING) continue;
        const { x, y } = view.place({ row, column });
        const onDark = weight === 0 ? "#808080" : "#e8e8e8";
        context.fillStyle = weight > this.white / 2 ? "#000" : onDark;
        context.fillText(brief(weight), x, y);
      }
    }
  }

  /** Write as many words as there is room for. */
  words() {
    const { cell, seen } = this.view;
    const every = (room) => Math.max(1, Math.ceil(room / cell));
    this.context.fillStyle = this.ink;
    const beside = every(LETTERS + 1);
    for (let row = seen.rows[0]; row < seen.rows[1]; row += 1) {
      if (row % beside === 0 && this.free(row, this.chosen?.row, 1)) this.besides(row);
    }
    const above = this.flat ? 1 : every((LETTERS + 2) / SLANT);
    for (let column = seen.columns[0]; column < seen.columns[1]; column += 1) {
      if (column % above === 0 && this.free(column, this.chosen?.column, SLANT)) this.above(column);
    }
  }

  /** Whether a word is not in the way of the chosen one, which is written last. */
  free(number, chosen, slant) {
    return chosen === undefined || Math.abs(number - chosen) * this.view.cell * slant > LETTERS;
  }

  /** Whether columns are so wide that their words lie flat above them. */
  get flat() {
    return this.wide + 8 <= this.view.cell;
  }

  /** Write the word of a row, if its middle is in sight; over its neighbours if it is `loud`. */
  besides(row, loud = false) {
    const { x: left, y: top, height } = this.view.area;
    const { y } = this.view.place({ row, column: 0 });
    if (y < top || y > top + height) return;
    this.word(this.map.rows[row], "right", left - 6, y, 0, loud);
  }

  /** Write the word of a column in the same way. */
  above(column, loud = false) {
    const { x: left, y: top, width } = this.view.area;
    const { x } = this.view.place({ row: 0, column });
    if (x < left || x > left + width) return;
    const word = this.map.columns[column];
    if (this.flat) this.word(word, "center", x, top - 6 - LETTERS / 2, 0, loud);
    else this.word(word, "left", x, top - 6, -Math.PI / 4, loud);
  }

  word(text, align, x, y, turn, loud) {
    const { context } = this;
    const shown = shorten(context, text, WIDEST);
    context.save();
    context.translate(x, y);
    context.rotate(turn);
    context.textAlign = align;
    context.textBaseline = "middle";
    if (loud) {
      const long = context.measureText(shown).width + 6;
      const start = { right: 3 - long, center: -long / 2, left: -3 }[align];
      context.fillStyle = this.ground;
      context.fillRect(start, -LETTERS / 2 - 1, long, LETTERS + 2);
      context.fillStyle = this.accent;
    }
    context.fillText(shown, 0, 0);
    context.restore();
  }

  /** Frame the chosen cell, and make its two words loud. */
  mark() {
    const { context, chosen, view } = this;
    const { x, y } = view.place(chosen);
    const side = Math.max(view.cell, 5);
    this.within(() => {
      context.strokeStyle = this.accent;
      context.lineWidth = 2;
      context.strokeRect(x - side / 2, y - side / 2, side, side);
    });
    context.font = `bold ${this.font}`;
    this.besides(chosen.row, true);
    context.beginPath();
    context.rect(0, 0, this.canvas.clientWidth, view.area.y);
    context.save();
    context.clip();
    this.above(chosen.column, true);
    context.restore();
  }
}
