//! A greedy bot for Slime Mind: it goes to the nearest plant and bites until it is gone.

mod client;

use client::{play, quoted, Json};
use std::collections::HashSet;

type Place = (i64, i64);

// Pieces are arrays, in the order that docs/protocol.md lists.
fn place_at(piece: &Json, place: usize) -> Place {
    (piece[place].integer(), piece[place + 1].integer())
}

fn far(one: Place, other: Place) -> i64 {
    (one.0 - other.0).abs() + (one.1 - other.1).abs()
}

fn decide(start: &Json, ask: &Json) -> Result<String, String> {
    let board = &ask["state"];
    let id = ask["piece"].integer().to_string();
    let me = place_at(&board["slimes"][id.as_str()], 2);
    let slimes = || board["slimes"].values();
    let plants: Vec<Place> = board["plants"].values().map(|plant| place_at(plant, 1)).collect();
    let rocks = board["rocks"].values().map(|rock| place_at(rock, 1));
    let taken: HashSet<Place> =
        slimes().map(|slime| place_at(slime, 2)).chain(plants.iter().copied()).chain(rocks).collect();
    let enemies = slimes().filter(|slime| slime[1] != start["team"]).map(|slime| place_at(slime, 2));
    let nearest = plants.into_iter().min_by_key(|at| far(me, *at));
    match nearest.or_else(|| enemies.min_by_key(|at| far(me, *at))) {
        None => Ok(quoted("MERGE")),
        Some(goal) => Ok(quoted(&step(me, goal, &taken, &board["settings"]))),
    }
}

fn step(me: Place, goal: Place, taken: &HashSet<Place>, settings: &Json) -> String {
    let up = if settings["y_up"].is_true() { 1 } else { -1 };
    let (columns, rows) = (settings["columns"].integer(), settings["rows"].integer());
    let ways = [("LEFT", -1, 0), ("RIGHT", 1, 0), ("UP", 0, up), ("DOWN", 0, -up)];
    let mut best = ("MERGE", i64::MAX);
    for (name, dx, dy) in ways {
        let to = (me.0 + dx, me.1 + dy);
        if to == goal {
            return format!("BITE{name}");
        }
        let is_on_map = (0..columns).contains(&to.0) && (0..rows).contains(&to.1);
        if is_on_map && !taken.contains(&to) && far(to, goal) < best.1 {
            best = (name, far(to, goal));
        }
    }
    best.0.to_string()
}

fn main() {
    play("\"name\":\"Grazer in Rust\"", decide);
}
