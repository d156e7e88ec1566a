// Numbers as visualizer/backends/page/match_encoder.py packs them.

/** @import { Columns } from "./types.d.ts" */

export class Column {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  // Return the next number: zigzag (the sign lowest), seven bits a byte, the lowest first.
  next() {
    const bytes = this.bytes;
    let byte = bytes[this.at++];
    if (byte < 128) return (byte >>> 1) ^ -(byte & 1);
    let value = byte & 127;
    let scale = 128;
    do {
      byte = bytes[this.at++];
      value += (byte & 127) * scale;  // no shifts: numbers may be larger than 32 bits
      scale *= 128;
    } while (byte >= 128);
    return value % 2 ? -(value + 1) / 2 : value / 2;
  }

  rest() {
    /** @type {number[]} */
    const numbers = [];
    while (this.at < this.bytes.length) numbers.push(this.next());
    return numbers;
  }

  // Return a column with the same numbers, to read from the start.
  fresh() {
    return new Column(this.bytes);
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
  for (const [name, size] of Object.entries(sizes)) {
    columns[name] = new Column(bytes.subarray(start, start + size));
    start += size;
  }
  return columns;
}
