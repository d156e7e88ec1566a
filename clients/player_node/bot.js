// A greedy bot for Slime Mind: it goes to the nearest plant and bites until it is gone.
"use strict";
const { play } = require("./client.js");

// Pieces are arrays, in the order that docs/protocol.md lists.
const slimeOf = ([id, team, x, y]) => ({ id, team, x, y });
const placeOf = ([id, x, y]) => ({ id, x, y });
const far = (one, other) => Math.abs(one.x - other.x) + Math.abs(one.y - other.y);

function nearest(me, pieces) {
  return pieces.reduce((best, one) => (!best || far(me, one) < far(me, best) ? one : best), null);
}

function decide(ask, start) {
  const { settings, slimes, plants, rocks } = ask.state;
  const up = settings.y_up ? 1 : -1;
  const ways = { LEFT: [-1, 0], RIGHT: [1, 0], UP: [0, up], DOWN: [0, -up] };
  const me = slimeOf(slimes[ask.piece]);
  const others = Object.values(slimes).map(slimeOf);
  const food = Object.values(plants).map(placeOf);
  const taken = new Set(
    [...others, ...food, ...Object.values(rocks).map(placeOf)].map(({ x, y }) => `${x},${y}`),
  );
  const enemies = others.filter((slime) => slime.team !== start.team);
  const goal = nearest(me, food) ?? nearest(me, enemies);
  if (!goal) return "MERGE";
  let best = "MERGE";
  let least = Infinity;
  for (const [name, [dx, dy]] of Object.entries(ways)) {
    const to = { x: me.x + dx, y: me.y + dy };
    if (far(to, goal) === 0) return `BITE${name}`;
    const isOnMap = to.x >= 0 && to.x < settings.columns && to.y >= 0 && to.y < settings.rows;
    if (isOnMap && !taken.has(`${to.x},${to.y}`) && far(to, goal) < least) {
      least = far(to, goal);
      best = name;
    }
  }
  return best;
}

play({ name: "Grazer in JavaScript" }, decide);
