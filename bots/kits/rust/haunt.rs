// Reads the questions of a match from stdin and writes the answers to stdout, a line of JSON each.

use std::io::{stdin, stdout, BufRead, Write};

use crate::json::Json;

#[allow(dead_code)] // parts of it are there for you
pub struct Match {
    /// The first line: game, mode, options, seats, seat, clock.
    pub hello: String,
    /// Of the question.
    pub turn: i64,
    /// CPU time left for this answer and all that follow.
    pub bank_ms: i64,
    state: u32,
}

impl Match {
    fn new(hello: String) -> Match {
        let seed = Json::new(&hello).member("seed").string();
        let hashed = seed.bytes().fold(2166136261u32, |state, byte| {
            (state ^ u32::from(byte)).wrapping_mul(16777619)
        });
        let state = hashed.max(1);
        Match { hello, turn: 0, bank_ms: 0, state }
    }

    /// 0 to sides - 1, the same whenever the same match is played again.
    pub fn dice(&mut self, sides: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 17;
        self.state ^= self.state << 5;
        self.state as usize % sides
    }
}

/// Play one match.
pub fn play(choose: impl Fn(Json, &[Json], &mut Match) -> i64) {
    let mut game = Match::new(String::new());
    for line in stdin().lock().lines() {
        let line = line.expect("lines are UTF-8");
        let message = Json::new(&line);
        match message.member("type").string() {
            "hello" => {
                game = Match::new(line);
                answer("{\"type\":\"ready\"}");
            }
            "move" => {
                game.turn = message.member("turn").number().unwrap_or(0);
                game.bank_ms = message.member("clock").member("bank_ms").number().unwrap_or(0);
                let legal = message.member("legal").items();
                let id = choose(message.member("observation"), &legal, &mut game);
                answer(&format!("{{\"turn\":{},\"id\":{}}}", game.turn, id));
            }
            "fault" => eprintln!("{line}"),
            "end" => break,
            _ => {}
        }
    }
}

fn answer(line: &str) {
    let mut out = stdout();
    writeln!(out, "{line}").and_then(|()| out.flush()).expect("somebody listens");
}
