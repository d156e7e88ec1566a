//! The client of the Slime Mind protocol for Rust (docs/protocol.md): copy it beside your bot.
//! `play(hello, decide)` does all the talking; `decide` returns the answer as JSON text.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::ops::Index;

/// A JSON value. Numbers are f64: exact up to 2^53, which holds every number of the protocol.
#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(BTreeMap<String, Json>),
}

static NULL: Json = Json::Null;

#[allow(dead_code)]
impl Json {
    pub fn integer(&self) -> i64 {
        if let Json::Number(number) = self { *number as i64 } else { 0 }
    }
    pub fn is_true(&self) -> bool {
        *self == Json::Bool(true)
    }
    pub fn text(&self) -> &str {
        if let Json::Text(text) = self { text } else { "" }
    }
    pub fn items(&self) -> &[Json] {
        if let Json::List(items) = self { items } else { &[] }
    }
    pub fn values(&self) -> impl Iterator<Item = &Json> {
        let fields = if let Json::Object(fields) = self { Some(fields) } else { None };
        fields.into_iter().flat_map(|fields| fields.values())
    }
}

impl Index<&str> for Json {
    type Output = Json;
    fn index(&self, name: &str) -> &Json {
        if let Json::Object(fields) = self { fields.get(name).unwrap_or(&NULL) } else { &NULL }
    }
}

impl Index<usize> for Json {
    type Output = Json;
    fn index(&self, place: usize) -> &Json {
        self.items().get(place).unwrap_or(&NULL)
    }
}

pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            letter if letter < ' ' => out.push(' '),
            letter => out.push(letter),
        }
    }
    out + "\""
}

struct Parser<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Parser<'_> {
    fn peek(&mut self) -> u8 {
        while matches!(self.bytes.get(self.at), Some(b' ' | b',' | b'\n')) {
            self.at += 1;
        }
        *self.bytes.get(self.at).expect("a whole line of JSON")
    }

    fn value(&mut self) -> Json {
        match self.peek() {
            b'{' => {
                self.at += 1;
                let mut fields = BTreeMap::new();
                while self.peek() != b'}' {
                    let name = self.text();
                    self.peek();
                    self.at += 1; // the colon
                    fields.insert(name, self.value());
                }
                self.at += 1;
                Json::Object(fields)
            }
            b'[' => {
                self.at += 1;
                let mut items = Vec::new();
                while self.peek() != b']' {
                    items.push(self.value());
                }
                self.at += 1;
                Json::List(items)
            }
            b'"' => Json::Text(self.text()),
            b't' => self.word(4, Json::Bool(true)),
            b'f' => self.word(5, Json::Bool(false)),
            b'n' => self.word(4, Json::Null),
            _ => {
                let begin = self.at;
                while matches!(self.bytes.get(self.at), Some(b'+' | b'-' | b'.' | b'e' | b'E' | b'0'..=b'9')) {
                    self.at += 1;
                }
                let text = std::str::from_utf8(&self.bytes[begin..self.at]).expect("digits");
                Json::Number(text.parse().expect("a number"))
            }
        }
    }

    fn word(&mut self, letters: usize, value: Json) -> Json {
        self.at += letters;
        value
    }

    fn text(&mut self) -> String {
        self.peek();
        self.at += 1;
        let mut out = Vec::new();
        while self.bytes[self.at] != b'"' {
            if self.bytes[self.at] == b'\\' {
                self.at += 1;
                match self.bytes[self.at] {
                    b'n' => out.push(b'\n'),
                    b't' => out.push(b'\t'),
                    b'u' => {
                        out.push(b'?'); // no name in the protocol needs it
                        self.at += 4;
                    }
                    letter => out.push(letter),
                }
            } else {
                out.push(self.bytes[self.at]);
            }
            self.at += 1;
        }
        self.at += 1;
        String::from_utf8_lossy(&out).into_owned()
    }
}

fn say(line: &str) {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}").and_then(|_| out.flush()).expect("the engine reads");
}

/// Says hello, reads the start, and answers until the match is over. `hello` are further fields,
/// such as `"legal":true`. An error of `decide` is reported, and counts against this one decision.
pub fn play(hello: &str, mut decide: impl FnMut(&Json, &Json) -> Result<String, String>) {
    let comma = if hello.is_empty() { "" } else { "," };
    say(&format!("{{\"type\":\"hello\",\"protocol\":1{comma}{hello}}}"));
    let mut start = Json::Null;
    for line in io::stdin().lock().lines() {
        let line = line.expect("a line of UTF-8");
        let message = Parser { bytes: line.as_bytes(), at: 0 }.value();
        match message["type"].text() {
            "start" => {
                start = message;
                say("{\"type\":\"ready\"}");
            }
            "ask" => {
                let nonce = message["nonce"].integer();
                say(&match decide(&start, &message) {
                    Ok(answer) => format!("{{\"type\":\"answer\",\"nonce\":{nonce},\"answer\":{answer}}}"),
                    Err(error) => {
                        format!("{{\"type\":\"failed\",\"nonce\":{nonce},\"error\":{}}}", quoted(&error))
                    }
                });
            }
            _ => {}
        }
    }
}
