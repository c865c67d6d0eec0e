// A bot that plays a random legal move. Make it better: everything that you may know is in `observation`.
//
// eprintln! writes to the log that you read beside the replay; stdout is for answers alone.

mod haunt;
mod json;

use haunt::Match;
use json::Json;

// The id of one of the legal moves.
fn choose(_observation: Json, legal: &[Json], game: &mut Match) -> i64 {
    legal[game.dice(legal.len())].member("id").number().unwrap_or(0)
}

fn main() {
    haunt::play(choose);
}
