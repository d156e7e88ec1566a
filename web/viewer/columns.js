// Numbers that are read one after the other, as visualizer/backends/page/match_encoder.py packs them.

/** @import { Columns } from "./types.d.ts" */

export class Column {
  at = 0;

  /** @param {number[]} numbers */
  constructor(numbers) {
    this.numbers = numbers;
  }

  next() {
    return this.numbers[this.at++];
  }

  // Return all numbers that were not read before.
  rest() {
    const numbers = this.numbers.slice(this.at);
    this.at = this.numbers.length;
    return numbers;
  }

  // Return a column with the same numbers, to read from the start.
  fresh() {
    return new Column(this.numbers);
  }
}

/**
 * Return columns by name; `sizes` are their bytes, in order.
 * @param {Uint8Array} bytes
 * @param {Record<string, number>} sizes
 */
export function splitColumns(bytes, sizes) {
  /** @type {Columns} */
  const columns = {};
  let start = 0;
  for (const [name, size] of Object.entries(sizes)) columns[name] = new Column(unpack(bytes.subarray(start, (start += size))));
  return columns;
}

/**
 * Return numbers: zigzag (the sign lowest), seven bits a byte, the lowest first.
 * @param {Uint8Array} bytes
 */
function unpack(bytes) {
  /** @type {number[]} */
  const numbers = [];
  let [value, scale] = [0, 1];
  for (const byte of bytes) {
    value += (byte & 127) * scale;  // no shifts: numbers may be larger than 32 bits
    scale *= 128;
    if (byte >= 128) continue;
    numbers.push(value % 2 ? -(value + 1) / 2 : value / 2);
    [value, scale] = [0, 1];
  }
  return numbers;
}
