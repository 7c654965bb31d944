// Where the cells of a map are on the canvas: zoom, movement, and which cell is at a point.

const LARGEST = 96; // pixels of a cell
const COMFORTABLE = 44; // pixels of a cell at first, if there is room

export class View {
  constructor() {
    this.size = { height: 1, width: 1 }; // rows and columns of the map
    this.frame = { x: 0, y: 0, width: 1, height: 1 }; // where cells may be, beside their words
    this.cell = 1; // pixels of a cell
    this.left = 0; // the column, with its fraction, at the left edge
    this.top = 0; // the row at the upper edge
  }

  /** The smallest cell: the whole map is in sight. */
  get least() {
    const { size, frame } = this;
    return Math.min(COMFORTABLE, frame.width / size.width, frame.height / size.height);
  }

  fit() {
    this.cell = this.least;
    this.left = 0;
    this.top = 0;
  }

  /** The part of the canvas that cells cover; a small map lies in the middle. */
  get area() {
    const { x, y, width, height } = this.frame;
    const across = Math.min(width, this.size.width * this.cell);
    const down = Math.min(height, this.size.height * this.cell);
    return { x: Math.round(x + (width - across) / 2), y, width: across, height: down };
  }

  /** Zoom so that what is at the point (x, y) of the canvas stays there. */
  zoom(factor, x, y) {
    const before = this.area;
    const column = this.left + (x - before.x) / this.cell;
    const row = this.top + (y - before.y) / this.cell;
    this.cell = Math.min(LARGEST, Math.max(this.least, this.cell * factor));
    const after = this.area;
    this.left = column - (x - after.x) / this.cell;
    this.top = row - (y - after.y) / this.cell;
    this.clamp();
  }

  move(x, y) {
    this.left -= x / this.cell;
    this.top -= y / this.cell;
    this.clamp();
  }

  /** Keep the map within the frame. */
  clamp() {
    this.cell = Math.max(this.least, this.cell);
    const { width, height } = this.area;
    const most = (count, seen) => Math.max(0, count - seen / this.cell);
    this.left = Math.min(most(this.size.width, width), Math.max(0, this.left));
    this.top = Math.min(most(this.size.height, height), Math.max(0, this.top));
  }

  /** Move just so far that a cell is in sight. */
  follow({ row, column }) {
    const { width, height } = this.area;
    const within = (start, seen, at) => Math.min(at, Math.max(at + 1 - seen, start));
    this.left = within(this.left, width / this.cell, column);
    this.top = within(this.top, height / this.cell, row);
    this.clamp();
  }

  /** The cell at a point of the canvas, or null beside the map. */
  at(x, y) {
    const { x: left, y: top, width, height } = this.area;
    if (x < left || y < top || x >= left + width || y >= top + height) return null;
    const column = Math.floor(this.left + (x - left) / this.cell);
    const row = Math.floor(this.top + (y - top) / this.cell);
    return column < this.size.width && row < this.size.height ? { row, column } : null;
  }

  /** The middle of a cell on the canvas. */
  place({ row, column }) {
    const { x, y } = this.area;
    return {
      x: x + (column + 0.5 - this.left) * this.cell,
      y: y + (row + 0.5 - this.top) * this.cell,
    };
  }

  /** The rows and columns in sight, as [first, end). */
  get seen() {
    const { width, height } = this.area;
    const end = (count, start, side) => Math.min(count, Math.ceil(start + side / this.cell - 1e-6));
    return {
      rows: [Math.floor(this.top), end(this.size.height, this.top, height)],
      columns: [Math.floor(this.left), end(this.size.width, this.left, width)],
    };
  }
}
