// The signs of events on the board. Each has its own shape: color is never the only difference.

export const LIGHT = "#ffffff";
export const DARK = "#10161d";

const SHAPES = { strike, birth, join, death, rise, fault, blocked, hit, call };

// `one` and `other` are places on the canvas, { x, y, size }; other may be missing.
export function drawMark(ctx, mark, one, other, color) {
  ctx.save();
  ctx.lineCap = "round";
  ctx.lineJoin = "round";
  const line = Math.max(1.5, one.square * 0.07);
  SHAPES[mark](outlined(ctx, color, line), one, other ?? one);
  ctx.restore();
}

// Strokes a path twice: a halo that stands out from any ground, and the color.
function outlined(ctx, color, width) {
  const halo = brightness(color) < 130 ? LIGHT : DARK;
  return (build) => {
    for (const [style, line] of [[halo, width * 2.1], [color, width]]) {
      ctx.strokeStyle = style;
      ctx.lineWidth = line;
      ctx.beginPath();
      build(ctx);
      ctx.stroke();
    }
  };
}

// Return the brightness of a color, 0 to 255.
export function brightness(color) {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
  return r * 0.3 + g * 0.6 + b * 0.1;
}

// From the one towards the other, ending in a star.
function strike(stroke, one, other) {
  const arm = other.square * 0.2;
  stroke((ctx) => {
    const [x, y] = [one.x + (other.x - one.x) * 0.3, one.y + (other.y - one.y) * 0.3];
    const [tipX, tipY] = [one.x + (other.x - one.x) * 0.72, one.y + (other.y - one.y) * 0.72];
    ctx.moveTo(x, y);
    ctx.lineTo(tipX, tipY);
    for (const [dx, dy] of [[1, 1], [1, -1]]) {
      ctx.moveTo(tipX - dx * arm, tipY - dy * arm);
      ctx.lineTo(tipX + dx * arm, tipY + dy * arm);
    }
  });
}

// A ring around the new one, tied to where it came from.
function birth(stroke, one, other) {
  stroke((ctx) => {
    const radius = other.square * 0.46;
    ctx.moveTo(other.x + radius, other.y);
    ctx.arc(other.x, other.y, radius, 0, Math.PI * 2);
    const [dx, dy] = [other.x - one.x, other.y - one.y];
    const far = Math.hypot(dx, dy);
    if (far < radius) return;
    ctx.moveTo(one.x + dx * 0.2, one.y + dy * 0.2);
    ctx.lineTo(other.x - (dx / far) * radius, other.y - (dy / far) * radius);
  });
}

// An arrow from the other into the one.
function join(stroke, one, other) {
  const turn = Math.atan2(one.y - other.y, one.x - other.x);
  stroke((ctx) => {
    ctx.moveTo(other.x, other.y);
    ctx.lineTo(one.x, one.y);
    for (const side of [-0.6, 0.6]) {
      ctx.moveTo(one.x, one.y);
      ctx.lineTo(
        one.x - Math.cos(turn + side) * one.square * 0.32,
        one.y - Math.sin(turn + side) * one.square * 0.32,
      );
    }
  });
}

function death(stroke, one) {
  const arm = one.square * 0.28;
  stroke((ctx) => {
    ctx.moveTo(one.x - arm, one.y - arm);
    ctx.lineTo(one.x + arm, one.y + arm);
    ctx.moveTo(one.x + arm, one.y - arm);
    ctx.lineTo(one.x - arm, one.y + arm);
  });
}

function rise(stroke, one) {
  const [wide, high] = [one.square * 0.2, one.square * 0.14];
  stroke((ctx) => {
    for (const lift of [0.28, 0.44]) {
      const y = one.y - one.square * lift;
      ctx.moveTo(one.x - wide, y + high);
      ctx.lineTo(one.x, y);
      ctx.lineTo(one.x + wide, y + high);
    }
  });
}

// A ring with an exclamation mark.
function fault(stroke, one) {
  const radius = one.square * 0.44;
  stroke((ctx) => {
    ctx.moveTo(one.x + radius, one.y);
    ctx.arc(one.x, one.y, radius, 0, Math.PI * 2);
    ctx.moveTo(one.x, one.y - radius * 0.5);
    ctx.lineTo(one.x, one.y + radius * 0.1);
    ctx.moveTo(one.x, one.y + radius * 0.45);
    ctx.lineTo(one.x, one.y + radius * 0.46);
  });
}

// A star with six points.
function hit(stroke, one) {
  stroke((ctx) => {
    for (let n = 0; n < 3; n++) {
      const [dx, dy] = [Math.sin((n * Math.PI) / 3), Math.cos((n * Math.PI) / 3)];
      const arm = one.square * 0.26;
      ctx.moveTo(one.x - dx * arm, one.y - dy * arm);
      ctx.lineTo(one.x + dx * arm, one.y + dy * arm);
    }
  });
}

// A ring around all of it.
function call(stroke, one) {
  stroke((ctx) => {
    ctx.moveTo(one.x + one.around, one.y);
    ctx.arc(one.x, one.y, one.around, 0, Math.PI * 2);
  });
}

// A ring with a bar.
function blocked(stroke, one) {
  const radius = one.square * 0.4;
  stroke((ctx) => {
    ctx.moveTo(one.x + radius, one.y);
    ctx.arc(one.x, one.y, radius, 0, Math.PI * 2);
    ctx.moveTo(one.x - radius * 0.5, one.y);
    ctx.lineTo(one.x + radius * 0.5, one.y);
  });
}
