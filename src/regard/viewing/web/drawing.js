// Cells as pixels: each pixel is as bright as the largest weight in it, so single cells survive.
import { MISSING } from "./weights.js";

const GREYS = Uint32Array.from({ length: 256 }, (_, grey) => (0xff000000 | (grey * 0x010101)) >>> 0);
const UNSTORED = 0xff280d08; // rgb(8, 13, 40), darker than the smallest stored weight that can be seen

/** Which cells each of `pixels` pixels shows, when the first begins at `start`: [first, end). */
export function spread(start, cell, pixels, count) {
  const first = new Int32Array(pixels);
  const end = new Int32Array(pixels);
  const at = (pixel) => Math.floor(start + pixel / cell + 1e-6);
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    first[pixel] = Math.min(count - 1, Math.max(0, at(pixel)));
    end[pixel] = Math.min(count, Math.max(first[pixel] + 1, at(pixel + 1)));
  }
  return { first, end, length: pixels };
}

/** The largest weight in each pixel. */
export function pool(weights, width, down, across) {
  const pooled = new Float32Array(down.length * across.length);
  for (let y = 0; y < down.length; y += 1) {
    const line = y * across.length;
    if (y > 0 && down.first[y] === down.first[y - 1] && down.end[y] === down.end[y - 1]) {
      pooled.copyWithin(line, line - across.length, line);
      continue;
    }
    for (let x = 0; x < across.length; x += 1) {
      let largest = MISSING;
      for (let row = down.first[y]; row < down.end[y]; row += 1) {
        const start = row * width;
        for (let column = across.first[x]; column < across.end[x]; column += 1) {
          if (weights[start + column] > largest) largest = weights[start + column];
        }
      }
      pooled[line + x] = largest;
    }
  }
  return pooled;
}

/** Pooled weights as an image: black is 0, `white` and all above it is white. */
export function picture(pooled, width, height, white) {
  const image = new ImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const scale = 255 / white;
  for (let place = 0; place < pooled.length; place += 1) {
    const weight = pooled[place];
    pixels[place] = weight === MISSING ? UNSTORED : GREYS[Math.min(255, (weight * scale + 0.5) | 0)];
  }
  return image;
}

/** Draw a small map: no more pixels than cells, no more than `most` across. */
export function pooledSmall(weights, height, width, most) {
  const pixelsAcross = Math.min(width, most);
  const pixelsDown = Math.min(height, Math.max(1, Math.round((most * height) / width)));
  const down = spread(0, pixelsDown / height, pixelsDown, height);
  const across = spread(0, pixelsAcross / width, pixelsAcross, width);
  return { pooled: pool(weights, width, down, across), width: pixelsAcross, height: pixelsDown };
}

/** Cut a word so that it takes no more than `most` pixels. */
export function shorten(context, word, most) {
  if (context.measureText(word).width <= most) return word;
  const letters = Array.from(word);
  let [low, high] = [1, letters.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const cut = `${letters.slice(0, middle).join("")}\u2026`;
    [low, high] = context.measureText(cut).width <= most ? [middle, high] : [low, middle - 1];
  }
  return `${letters.slice(0, low).join("")}\u2026`;
}
