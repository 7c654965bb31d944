// Weights out of few bytes, the twin of packing.py, and numbers and words as they are written.

export const MISSING = -1; // stands for a weight that is not stored
const FULL = 23; // bits of a float32 after its leading one

/** Unpack one map: its weights, and for each row a number that what is not stored lies below. */
export async function unpack(text, sheet) {
  const { height, width, bits, least } = sheet;
  const bytes = await inflate(text);
  if (least === 0) {
    return { weights: values(ranks(bytes, 0, height * width), bits), bounds: null };
  }
  const [lowest, ...counts] = ranks(bytes, 0, height + 1);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const gaps = ranks(bytes, height + 1, total);
  const codes = ranks(bytes, height + 1 + total, total).map((code) => code + lowest);
  const found = values(codes, bits);
  const weights = new Float32Array(height * width).fill(MISSING);
  const limits = new Uint32Array(height).fill(least * 2 ** (FULL - bits));
  for (let row = 0, place = 0; row < height; row += 1) {
    const start = row * width;
    if (counts[row] === 0) weights.fill(0, start, start + width); // the largest is always stored
    for (let column = 0, end = place + counts[row]; place < end; place += 1) {
      column += gaps[place];
      weights[start + column] = found[place];
      // A row's largest that is itself below the threshold: the others are no larger.
      if (codes[place] < least) limits[row] = (codes[place] + 0.5) * 2 ** (FULL - bits);
    }
  }
  return { weights, bounds: new Float32Array(limits.buffer) };
}

async function inflate(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Put the four bytes of each number together again. */
function ranks(bytes, start, count) {
  const numbers = new Uint32Array(count);
  const [one, two, three, four] = [0, 1, 2, 3].map((rank) => 4 * start + rank * count);
  for (let at = 0; at < count; at += 1) {
    numbers[at] =
      bytes[one + at] | (bytes[two + at] << 8) | (bytes[three + at] << 16) | (bytes[four + at] << 24);
  }
  return numbers;
}

function values(codes, bits) {
  return new Float32Array(codes.map((code) => code << (FULL - bits)).buffer);
}

/** Write a weight to four digits, with what it may be off by, or what it lies below. */
export function written(weight, bound, tolerance) {
  if (weight === MISSING) return `< ${upwards(bound)}`;
  if (weight === 0) return "0";
  return weight.toPrecision(4) + (tolerance ? ` \u00b1 ${tolerance}` : "");
}

/** Write a weight into its cell: 0 where it is exactly that, 0.00 where it only rounds to it. */
export function brief(weight) {
  if (weight === MISSING) return "<";
  return Number.isInteger(weight) ? String(weight) : weight.toFixed(2);
}

/** Round a bound up to two digits, so that it stays true. */
export function upwards(number) {
  const exponent = Math.floor(Math.log10(number)) - 1;
  const scaled = exponent < 0 ? number * 10 ** -exponent : number / 10 ** exponent;
  const digits = Math.ceil(scaled);
  return String(Number(`${digits}e${exponent}`));
}

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;
const JOINERS = new Set(["\u200c", "\u200d"]); // they shape letters and emoji
const SPELLED = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Make a word visible on one line: letters without a shape are spelled out. */
export function visible(word) {
  if (word.trim() === "") return word === "" ? "\u201c\u201d" : "\u2423".repeat(word.length);
  return word.replace(INVISIBLE, (letter) => {
    if (JOINERS.has(letter)) return letter;
    return SPELLED[letter] ?? `\\u{${letter.codePointAt(0).toString(16)}}`;
  });
}
