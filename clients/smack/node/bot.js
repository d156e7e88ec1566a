// A greedy bot for Smack!: it takes the move that captures most, or else any.
"use strict";
const { play } = require("./client.js");

const FILES = "ABCDEFGHJKLMNOP";
const firstOf = (y) => Math.max(0, 5 - y, y - 9);

// The pieces of a position's text, by square: rows from the top, numbers are empty squares.
function piecesOf(text) {
  const pieces = new Map();
  text.split(" ")[0].split("/").forEach((row, y) => {
    let x = firstOf(y);
    for (const part of row.match(/\d+|[^\d]/g)) {
      if (/\d/.test(part)) x += Number(part);
      else pieces.set(`${x++},${y}`, part);
    }
  });
  return pieces;
}

function gainOf(move, pieces, areNerds) {
  const target = move.split("-")[1];
  const x = FILES.indexOf(target[0]);
  const y = 15 - Number(target.slice(1));
  if (areNerds) return pieces.has(`${x},${y}`) ? 4 : 0;
  let gain = 0;
  for (const dx of [-1, 0, 1])
    for (const dy of [-1, 0, 1]) if (pieces.get(`${x + dx},${y + dy}`) === "n") gain += 1;
  return gain;
}

let chance = 0;

function decide(ask, start) {
  // The same match, played again, is the same.
  chance = (chance || parseInt(start.seed.slice(-8), 16)) * 1103515245 + 12345;
  chance %= 2 ** 31;
  const { text } = ask.state.halves[ask.piece - 1];
  const pieces = piecesOf(text);
  const moves = ask.legal.filter((order) => !order.end).map((order) => order.move);
  const gains = moves.map((move) => gainOf(move, pieces, text.endsWith("n")));
  const most = Math.max(...gains);
  const best = moves.filter((_, place) => gains[place] === most);
  return best[Math.floor(chance / 65536) % best.length];
}

play({ name: "Grabber in JavaScript", legal: true }, decide);
