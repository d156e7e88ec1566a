// The client of the Slime Mind protocol for Node (docs/protocol.md): copy it beside your bot.
// play(hello, decide) does all the talking; decide(ask, start) returns the answer.
"use strict";
const fs = require("node:fs");

// What is printed goes to the bot's log: standard output is for the engine.
console.log = console.info = console.error;

function write(message) {
  fs.writeSync(1, JSON.stringify(message) + "\n");
}

function* lines() {
  const buffer = Buffer.alloc(1 << 16);
  let rest = [];
  for (;;) {
    let count = 0;
    try {
      count = fs.readSync(0, buffer);
    } catch (error) {
      if (error.code === "EAGAIN") continue;
      if (error.code !== "EOF") throw error;
    }
    if (count === 0) return; // the match is over
    let begin = 0;
    for (let end; (end = buffer.indexOf(10, begin)) >= 0 && end < count; begin = end + 1) {
      yield Buffer.concat([...rest, buffer.subarray(begin, end)]).toString();
      rest = [];
    }
    rest.push(Buffer.from(buffer.subarray(begin, count)));
  }
}

function play(hello, decide) {
  write({ type: "hello", protocol: 1, ...hello });
  let start = null;
  for (const line of lines()) {
    const message = JSON.parse(line);
    if (message.type === "start") {
      start = message;
      write({ type: "ready" });
    } else if (message.type === "ask") {
      try {
        write({ type: "answer", nonce: message.nonce, answer: decide(message, start) });
      } catch (error) {
        console.error(error);
        write({ type: "failed", nonce: message.nonce, error: String(error) });
      }
    }
  }
}

module.exports = { play };
