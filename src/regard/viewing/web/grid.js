// All maps of a sentence side by side, small; a button each.
import { unpack } from "./weights.js";
import { picture, pooledSmall } from "./drawing.js";

const SMALLEST = 56; // pixels of a small map
const LARGEST_SMALL = 240;

/** What a map is called by the axes that count it. */
export function mapName(sheet, number) {
  const [layers, heads] = sheet.grid;
  const head = `${sheet.axes[1]} ${number % heads}`;
  return layers > 1 ? `${sheet.axes[0]} ${Math.floor(number / heads)}, ${head}` : head;
}

export class Grid {
  constructor(section, open) {
    this.section = section;
    this.open = open; // called with the number of the map that was picked
    this.small = []; // what was pooled of each map, so that its brightness can change
    this.turn = 0; // of showings; a newer one stops the older
  }

  /** Lay out the buttons at once, then unpack and draw map after map; one of them has the focus. */
  async show(sheet, white, focused = null) {
    this.turn += 1;
    const turn = this.turn;
    this.small = [];
    this.white = white;
    const most = this.layOut(sheet);
    this.canvases[focused]?.parentElement.focus();
    for (const [number, canvas] of this.canvases.entries()) {
      const { weights } = await unpack(sheet.maps[number], sheet);
      if (turn !== this.turn) return;
      this.small[number] = pooledSmall(weights, sheet.height, sheet.width, most);
      this.paint(canvas, this.small[number]);
    }
    this.section.dataset.ready = "true";
  }

  stop() {
    this.turn += 1;
  }

  layOut(sheet) {
    const [layers, heads] = sheet.grid;
    const across = layers > 1 ? heads : Math.min(heads, 6);
    const room = this.section.clientWidth - (layers > 1 ? 80 : 0) - 8 * across;
    const side = Math.max(SMALLEST, Math.min(LARGEST_SMALL, Math.floor(room / across)));
    const first = layers > 1 ? "max-content " : "";
    this.section.style.gridTemplateColumns = `${first}repeat(${across}, ${side}px)`;
    this.section.replaceChildren();
    delete this.section.dataset.ready;
    if (layers > 1) {
      this.section.append(text("", "head"));
      for (let head = 0; head < heads; head += 1) {
        this.section.append(text(`${sheet.axes[1]} ${head}`, "head"));
      }
    }
    this.canvases = sheet.maps.map((_, number) => {
      if (layers > 1 && number % heads === 0) {
        this.section.append(text(`${sheet.axes[0]} ${number / heads}`, "layer"));
      }
      return this.button(sheet, number, layers === 1);
    });
    return Math.round((side - 2) * (window.devicePixelRatio || 1));
  }

  button(sheet, number, captioned) {
    const canvas = document.createElement("canvas");
    canvas.width = 1;
    canvas.height = 1;
    canvas.style.aspectRatio = `${sheet.width} / ${sheet.height}`;
    canvas.style.minHeight = "8px";
    const button = document.createElement("button");
    button.type = "button";
    button.title = mapName(sheet, number);
    button.setAttribute("aria-label", mapName(sheet, number));
    button.append(canvas);
    button.addEventListener("click", () => this.open(number));
    const figure = document.createElement("figure");
    figure.append(button);
    if (captioned) {
      const caption = document.createElement("figcaption");
      caption.textContent = mapName(sheet, number);
      figure.append(caption);
    }
    this.section.append(figure);
    return canvas;
  }

  brighten(white) {
    this.white = white;
    this.small.forEach((small, number) => this.paint(this.canvases[number], small));
  }

  paint(canvas, { pooled, width, height }) {
    canvas.width = width;
    canvas.height = height;
    canvas.getContext("2d").putImageData(picture(pooled, width, height, this.white), 0, 0);
  }
}

function text(words, kind) {
  const element = document.createElement("div");
  element.className = kind;
  element.textContent = words;
  return element;
}
