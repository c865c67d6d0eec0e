// A bot that plays a random legal move. Make it better: everything that you may know is in `observation`.
//
// console.error writes to the log that you read beside the replay; console.log would be taken for an answer.

"use strict";

const { play } = require("./haunt.js");

// Return the id of one of the legal moves.
function choose(observation, legal, context) {
  return legal[context.random(legal.length)].id;
}

play(choose);
