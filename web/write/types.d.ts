// The types of what the server sends to the page on which bots are written, and of what its modules
// say to each other: read by the checker alone, and by editors.

/** A file of a bot. */
export interface DraftFile {
  name: string;
  text: string;
}

/** A state of a draft that its author has kept. */
export interface Version {
  number: number;
  note: string;
  made_at: string;
  digest: string;
}

/** A bot that is being written. */
export interface Draft {
  id: string;
  name: string;
  game: string;
  /** The name of the file that holds the player. */
  main: string;
  files: DraftFile[];
  revision: number;
  versions: Version[];
}

/** A draft in the list of all. */
export interface DraftLine {
  id: string;
  name: string;
  game: string;
  changed_at: string;
}

/** What a bot can begin as. */
export interface Template {
  game: string;
  name: string;
  title: string;
  summary: string;
  files: string[];
}

/** All that a visitor has, and may do. */
export interface Workbench {
  drafts: DraftLine[];
  templates: Template[];
  can_write: boolean;
  why_not: string;
  is_guest: boolean;
}

/** Something that is wrong with a bot: `DraftFinding` of server/writing/bodies.py. */
export interface Finding {
  file: string;
  line: number | null;
  severity: "error" | "warning" | "note";
  text: string;
  hint: string;
}

export interface Opponent {
  id: string;
  name: string;
  kind: "starter" | "ladder" | "version";
  strength: number | null;
}

export interface Opponents {
  opponents: Opponent[];
  presets: string[];
}

/** A run and how far it has come. */
export interface Run {
  id: string;
  state: "waiting" | "playing" | "over" | "failed";
  words: string;
  winner: number | null;
  path: string;
  /** Its place among those that wait: 1 is the next one, 0 waits no longer. */
  position: number;
  wait_s: number;
  seed: string;
}

/** A fault of the bot in a run. */
export interface Fault {
  /** 0: while the bot was loaded. */
  turn: number;
  piece: number;
  text: string;
  hint: string;
  file: string;
  line: number | null;
  values: { name: string; value: string }[];
  traceback: string;
}

/** A line that the bot printed or logged. */
export interface LogLine {
  turn: number;
  piece: number;
  kind: string;
  text: string;
}

/** What the author's bot said and took in a run. */
export interface RunNotes {
  faults: Fault[];
  log: LogLine[];
  cpu: { turn: number; ms: number }[];
  /** For one order; a turn may have several. */
  cpu_limit_ms: number;
  next: number;
  is_over: boolean;
}

/** What comes of many games between two bots: `SeriesAnswer` of server/writing/draft_series.py. */
export interface Versus {
  state: "waiting" | "playing" | "over" | "failed" | "stopped";
  played: number;
  of: number;
  wins: number;
  draws: number;
  losses: number;
  against: string;
  /** The lead of the draft in Elo, and its interval; null where there is no limit. */
  best: number | null;
  low: number | null;
  high: number | null;
  confidence: number;
  verdict: string;
  is_decided: boolean;
}

/** A name that a game gives a bot; `of`: the class that has it, "" for none. */
export interface ApiEntry {
  name: string;
  of: string;
  kind: "class" | "function" | "method" | "property" | "constant";
  /** `(self, slime: Slime) -> str`, or the type of a property. */
  signature: string;
  text: string;
}

export interface Example {
  title: string;
  text: string;
  code: string;
}

/** What helps to write a bot of a game. */
export interface WritingHelp {
  entries: ApiEntry[];
  examples: Example[];
  rules: string;
  guide: string;
}

/** A step of a course, and how far somebody has come in it: `ShownStep` of server/writing/courses.py. */
export interface CourseStep {
  number: number;
  title: string;
  text: string;
  task: string;
  hint: string;
  code: string;
  opponent: string;
  tries: number;
  is_done: boolean;
}

/** A course; `next` is the first step that is not done. */
export interface CourseAnswer {
  game: string;
  steps: CourseStep[];
  next: number | null;
}

/** What came of a try of a step. */
export interface TryAnswer {
  run: string;
  step: number;
  is_over: boolean;
  is_done: boolean;
  goals: { words: string; counted: number; is_met: boolean }[];
  words: string;
  next: number | null;
}

/** How far somebody has come in a course. */
export interface Learner {
  name: string;
  done: number[];
  tries: number;
  tried_at: string;
}

export interface EditorOptions {
  /** What readers of the screen call it. */
  label: string;
  onChange: (text: string) => void;
  onSave: () => void;
  onRun: () => void;
}

/** What both editors can do: the built one and the text area. */
export interface CodeEditor {
  readonly isPlain: boolean;
  readonly text: string;
  /** The line of the cursor, from 1. */
  readonly line: number;
  open(name: string, text: string): void;
  replace(text: string): void;
  keepOnly(names: string[]): void;
  rename(before: string, after: string): void;
  insert(code: string): void;
  mark(findings: Finding[]): void;
  goTo(line: number): void;
  know(entries: ApiEntry[]): void;
  focus(): void;
}

/** A text that the server does not have yet, as a browser keeps it. */
export interface KeptText {
  revision: number;
  name: string;
  files: DraftFile[];
}

/** How far the server has what was typed. */
export type SaveState = "saved" | "unsaved" | "saving" | "offline" | "conflict" | "refused";

/** A line of two texts that are compared. */
export interface DiffLine {
  kind: "same" | "added" | "removed";
  text: string;
  /** Its number in the newer text, or in the older one if it is removed. */
  number: number;
}

/** What the frame of the board says to the page around it. */
export interface BoardMessage {
  from: "board";
  turn: number;
  turns: number;
  isOver: boolean;
}
