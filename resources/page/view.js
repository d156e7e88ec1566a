// Which part of the plane is to be seen, and how large. Lengths on the screen are CSS pixels.

const CLOSEST = 128;  // pixels of a square
const MOST = 4;  // times the size at which all is seen, at least to be reached

export class View {
  constructor([left, top, right, bottom]) {
    this.extent = { left, top, width: right - left, height: bottom - top };
    [this.width, this.height] = [1, 1];
    this.fit();
  }

  get fitting() {
    return Math.min(this.width / this.extent.width, this.height / this.extent.height);
  }

  get isFitted() {
    return this.scale <= this.fitting * 1.001;
  }

  resize(width, height) {
    const wasFitted = this.isFitted;
    [this.width, this.height] = [width, height];
    if (wasFitted) this.fit();
    else this.#stay();
  }

  fit() {
    this.scale = this.fitting;
    this.#stay();
  }

  zoom(factor, x = this.width / 2, y = this.height / 2) {
    const { fitting } = this;
    const closest = Math.max(CLOSEST, fitting * MOST);
    const scale = Math.min(Math.max(this.scale * factor, fitting), closest);
    this.x = x - ((x - this.x) * scale) / this.scale;
    this.y = y - ((y - this.y) * scale) / this.scale;
    this.scale = scale;
    this.#stay();
  }

  pan(dx, dy) {
    this.x += dx;
    this.y += dy;
    this.#stay();
  }

  toScreen(x, y) {
    return [this.x + x * this.scale, this.y + y * this.scale];
  }

  toBoard(x, y) {
    return [(x - this.x) / this.scale, (y - this.y) / this.scale];
  }

  // The board fills the view, or stands in its middle.
  #stay() {
    const { extent, scale } = this;
    this.x = kept(this.x, extent.left * scale, extent.width * scale, this.width);
    this.y = kept(this.y, extent.top * scale, extent.height * scale, this.height);
  }
}

function kept(origin, start, length, room) {
  if (length <= room) return (room - length) / 2 - start;
  return Math.min(Math.max(origin, room - length - start), -start);
}
