// Reads the questions of a match from stdin and writes the answers to stdout, a line of JSON each.

"use strict";

const { writeSync } = require("node:fs");
const { createInterface } = require("node:readline");

function answer(message) {
  writeSync(1, JSON.stringify(message) + "\n");
}

// Dice that are the same whenever the same match is played again: xorshift, seeded with the match's seed.
function dice(seed) {
  let state = 2166136261;
  for (const letter of seed) state = Math.imul(state ^ letter.charCodeAt(0), 16777619) >>> 0;
  state = state || 1;
  return (sides) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % sides;
  };
}

// Play one match. `choose` gets the observation, the legal moves, and a context: what hello said, `random(n)`,
// and the question's own `turn`, `events` and `clock`.
function play(choose) {
  let context = null;
  createInterface({ input: process.stdin }).on("line", (line) => {
    const message = JSON.parse(line);
    if (message.type === "hello") {
      context = { ...message, random: dice(message.seed) };
      answer({ type: "ready" });
    } else if (message.type === "move") {
      Object.assign(context, { turn: message.turn, events: message.events, clock: message.clock });
      answer({ turn: message.turn, id: choose(message.observation, message.legal, context) });
    } else if (message.type === "fault") {
      console.error(`fault at turn ${message.turn}: ${message.message}`);
    } else if (message.type === "end") {
      process.exit(0);
    }
  });
}

module.exports = { play };
