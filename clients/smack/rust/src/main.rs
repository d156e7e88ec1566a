//! A greedy bot for Smack!: it takes the move that captures most, or else any.

mod client;

use client::{play, quoted, Json};
use std::collections::HashMap;

const FILES: &str = "ABCDEFGHJKLMNOP";

/// The pieces of a position's text, by square: rows from the top, numbers are empty squares.
fn pieces_of(text: &str) -> HashMap<(i64, i64), char> {
    let mut pieces = HashMap::new();
    let rows = text.split(' ').next().unwrap_or("");
    for (y, row) in rows.split('/').enumerate() {
        let y = y as i64;
        let (mut x, mut run) = (0.max(5 - y).max(y - 9), 0);
        for letter in row.chars() {
            if let Some(digit) = letter.to_digit(10) {
                run = 10 * run + i64::from(digit);
                continue;
            }
            x += run;
            run = 0;
            pieces.insert((x, y), letter);
            x += 1;
        }
    }
    pieces
}

fn gain_of(order: &str, pieces: &HashMap<(i64, i64), char>, are_nerds: bool) -> Option<i64> {
    let target = order.split('-').nth(1)?;
    let x = FILES.find(target.chars().next()?)? as i64;
    let y = 15 - target[1..].parse::<i64>().ok()?;
    if are_nerds {
        return Some(if pieces.contains_key(&(x, y)) { 4 } else { 0 });
    }
    let around = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (x + dx, y + dy)));
    Some(around.filter(|at| pieces.get(at) == Some(&'n')).count() as i64)
}

fn decide(chance: &mut u64, ask: &Json) -> Result<String, String> {
    let half = (ask["piece"].integer() - 1) as usize;
    let text = ask["state"]["halves"][half]["text"].text();
    let (pieces, are_nerds) = (pieces_of(text), text.ends_with('n'));
    let moves = ask["legal"].items().iter().filter(|order| !order["end"].is_true());
    let gains: Vec<(i64, &str)> = moves
        .map(|order| order["move"].text())
        .map(|text| (gain_of(text, &pieces, are_nerds).unwrap_or(0), text))
        .collect();
    let most = gains.iter().map(|(gain, _)| *gain).max().ok_or("there is no legal move")?;
    let best: Vec<&str> = gains.iter().filter(|(gain, _)| *gain == most).map(|(_, text)| *text).collect();
    *chance = chance.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    Ok(quoted(best[(*chance >> 33) as usize % best.len()]))
}

fn main() {
    let mut chance = 0;
    play("\"name\":\"Grabber in Rust\",\"legal\":true", |start, ask| {
        if chance == 0 {
            // The same match, played again, is the same.
            let seed = start["seed"].text();
            chance = u64::from_str_radix(&seed[seed.len().saturating_sub(8)..], 16).unwrap_or(0) | 1;
        }
        decide(&mut chance, ask)
    });
}
