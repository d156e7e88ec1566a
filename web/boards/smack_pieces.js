// The pieces on one board of Smack!: where they stand, how they move and how they are captured.

import { draw, mark } from "../shared/elements.js";
import { figure } from "./smack_figures.js";
import { SIDE, SQUARES, partsOf } from "./smack_squares.js";

const KINDS = { nerds: "nerd", bullies: "bully" };
const SIZE = { nerd: 0.94, bully: 1.06 };
const SLIDE_MS = 280;
const SMACK_MS = 420;
const FALL_MS = 750;
const PLY_MS = 420; // from one ply to the next, where several come at once
const REPLAYED_AT_MOST = 4; // more plies than these at once are not shown one by one
const OFFICE = { x: SIDE / 2, y: SIDE + 1.4 };
const isCalm = matchMedia("(prefers-reduced-motion: reduce)");

export class Pieces {
  constructor() {
    this.bySquare = new Map();
    this.standing = draw("g", { class: "above", "aria-hidden": "true" });
    this.flying = draw("g", { class: "above", "aria-hidden": "true" }); // above all else
  }

  /** Return `nerd`, `bully` or undefined. */
  kindOn(square) {
    return this.bySquare.get(square)?.kind;
  }

  /** Show where the pieces stand now; `moves` led there, and are animated unless they are many. */
  show(half, moves) {
    if (moves.length <= REPLAYED_AT_MOST && !isCalm.matches) {
      moves.forEach((move, index) => this.replay(partsOf(move), index * PLY_MS));
    }
    this.settle(half);
  }

  /** Let a piece follow a pointer, or stand where it was ordered to. */
  carry(square, point) {
    const piece = this.bySquare.get(square);
    if (!piece) return;
    this.flying.append(piece.node);
    place(piece, point);
  }

  putBack(square) {
    const piece = this.bySquare.get(square);
    if (!piece) return;
    this.standing.append(piece.node);
    place(piece, SQUARES.get(square));
  }

  /** Let the pieces stand as the half says, whatever was shown before. */
  settle(half) {
    const wanted = new Map();
    for (const side of ["nerds", "bullies"]) {
      for (const square of half[side]) wanted.set(square, KINDS[side]);
    }
    for (const [square, piece] of this.bySquare) {
      if (wanted.get(square) === piece.kind) continue;
      piece.node.remove();
      this.bySquare.delete(square);
    }
    for (const [square, kind] of wanted) {
      if (!this.bySquare.has(square)) this.bySquare.set(square, makePiece(kind, half));
      const { node } = this.bySquare.get(square);
      if (node.parentNode !== this.standing) this.standing.append(node);
      place(this.bySquare.get(square), SQUARES.get(square));
    }
  }

  replay({ source, target, captured }, delay) {
    for (const square of captured) {
      const victim = this.bySquare.get(square);
      this.bySquare.delete(square);
      if (victim) this.sendToNurse(victim, SQUARES.get(square), delay + SLIDE_MS * 0.7);
    }
    const piece = this.bySquare.get(source);
    if (!piece) return;
    this.bySquare.delete(source);
    this.bySquare.set(target, piece);
    this.slide(piece, SQUARES.get(target), delay);
  }

  slide(piece, to, delay) {
    const from = piece.at;
    place(piece, to);
    this.standing.append(piece.node); // above those that it passes
    piece.node.animate([{ transform: shift(from) }, { transform: shift(to) }], {
      duration: SLIDE_MS, delay, fill: "backwards", easing: "ease-in-out",
    });
  }

  sendToNurse({ node }, { x, y }, delay) {
    const middle = `${x + 0.5}px ${y + 0.5}px`;
    const star = draw("g", {}, figure("burst", { x: x - 0.1, y: y - 0.1, width: 1.2, height: 1.2 }));
    this.flying.append(node, star);
    const burst = [
      { transform: "scale(0.2)", transformOrigin: middle, opacity: 0 },
      { transform: "scale(1.15)", transformOrigin: middle, opacity: 1, offset: 0.35 },
      { transform: "scale(1)", transformOrigin: middle, opacity: 0 },
    ];
    const fall = [
      { transform: shift({ x, y }), opacity: 1 },
      { transform: `${shift({ x, y: y - 0.6 })} rotate(20deg)`, opacity: 1, offset: 0.3 },
      { transform: `${shift(OFFICE)} rotate(200deg) scale(0.4)`, opacity: 0 },
    ];
    removeAfter(star, burst, { duration: SMACK_MS, delay, fill: "both" });
    removeAfter(node, fall, { duration: FALL_MS, delay, fill: "both", easing: "ease-in" });
  }
}

function makePiece(kind, half) {
  const size = SIZE[kind];
  const corner = (1 - size) / 2;
  const team = kind === "nerd" ? half.nerds_team : 3 - half.nerds_team;
  const use = figure(kind, { x: corner, y: corner, width: size, height: size });
  return { kind, node: draw("g", { class: `piece team-${team}` }, use), at: null };
}

function place(piece, { x, y }) {
  piece.at = { x, y };
  mark(piece.node, "transform", `translate(${x} ${y})`);
}

const shift = ({ x, y }) => `translate(${x}px, ${y}px)`;

async function removeAfter(node, frames, timing) {
  await node.animate(frames, timing).finished;
  node.remove();
}
