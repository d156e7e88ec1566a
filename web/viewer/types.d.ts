// The types of a match as a page gets it from visualizer/backends/page, and of what modules of the
// viewer say to each other: read by the checker alone, and by editors.

import type { Column } from "./columns.js";
import type { Thing } from "./replay.js";
import type { Viewer } from "./viewer.js";

/** Columns by name. */
export type Columns = Record<string, Column>;

/** A value of a thing or a team. */
export type Fact = string | number | boolean;

/** The class and the kind of a thing, and how many numbers its bar has if it may have one. */
export type What = BarredWhat | PlainWhat;
export type BarredWhat = [cls: "sprite" | "block", kind: string, bars: number];
export type PlainWhat = [cls: "tile" | "label", kind: string];

/** What the numbers of a thing mean: `Shape` of delta_encoding.py. */
export interface PackedShape<W> {
  what: W;
  words: boolean[];
  units: number[];
}

/** The entries of a team's panel: each with its name, and how many numbers it has if it is a list. */
export type PanelWhat = [name: string, columns: number][];

export type Bar = [left: number, most: number];

interface Common {
  kind: string;
  x: number;
  y: number;
  facts: Fact[];
}

/** A picture, `x` and `y` its middle. */
export interface Sprite extends Common {
  cls: "sprite";
  size: number;
  image: string;
  badge: string;
  bar: Bar | null;
  width?: undefined;
  height?: undefined;
  fill?: undefined;
}

/** A rectangle, `x` and `y` its upper left corner. */
export interface Tile extends Common {
  cls: "tile";
  width: number;
  height: number;
  fill: string;
  border: string;
  size?: undefined;
  image?: undefined;
  badge?: undefined;
  bar?: undefined;
}

/** Squares that belong together, `x` and `y` the upper left corner. */
export interface Block extends Common {
  cls: "block";
  width: number;
  height: number;
  outline: Outline;
  fill: string;
  border: string;
  bar: Bar | null;
  size?: undefined;
  image?: undefined;
  badge?: undefined;
}

/** Words, `x` and `y` their middle. */
export interface Label extends Common {
  cls: "label";
  size: number;
  text: string;
  color: string;
  width?: undefined;
  height?: undefined;
  image?: undefined;
  badge?: undefined;
  bar?: undefined;
  fill?: undefined;
}

/** How a thing looks: those of visualizer/scene.py. */
export type Appearance = Sprite | Tile | Block | Label;

/** The things of a moment, by their id. */
export type Things = Map<number, Thing<What>>;

/** Things of which nothing but their looks is known. */
export type Looks = Map<number, { appearance: Appearance }>;

/** What a word or a number of a column stands for. */
export type Word = Fact | Lane[] | Outline | [effect: Effect, words: string];

/** A kind of things. */
export interface Kind {
  title: string;
  facts: string[];
  bar: string;
  is_seen_through: boolean;
  hover: string[];
  has_base: boolean;
  plain: string;
  least: number;
}

/** The signs of events: `Mark` of visualizer/scene.py. */
export type MarkName =
  | "strike"
  | "birth"
  | "join"
  | "death"
  | "rise"
  | "fault"
  | "blocked"
  | "hit"
  | "call"
  | "attack_lane"
  | "contest"
  | "special"
  | "flag"
  | "lead"
  | "end";

/** A kind of events. */
export interface EventStyle {
  says: string;
  mark: MarkName | null;
  timeline: string;
  /** How much it matters; routine has 0 or less. */
  weight: number;
  tells: string;
  tells_many: string;
  grows_by: string;
  sign: MarkName | null;
}

/** Left, top, width and height from the place of the attacker. */
export type Lane = [dx: number, dy: number, width: number, height: number];

/** An event of a step. */
export interface Annotation {
  eventStyle: string;
  one: number;
  other: number;
  words: string;
  attackLanes: Lane[];
}

/** How a thing moves in a step: `Effect` and `Motion` of visualizer/scene.py. */
export type Effect = "glide" | "join" | "come" | "lunge" | "grow" | "rise";
export interface Motion {
  effect: Effect;
  id: number;
  other: number;
  words: string;
}

/** How a thing moves for a while: `Track` of visualizer/model/motion.py. */
export interface Track {
  effect: Effect;
  id: number;
  start: Point;
  stop: Point;
  begin: number;
  end: number;
  scale: number;
  words: string;
  team: number;
}

/** Where the middle of a moving thing is, and how large it is, of its size. */
export interface Placed {
  x: number;
  y: number;
  scale: number;
}

/** What moves at a fraction of a turn. */
export interface Moving {
  places: Map<number, Placed>;
  ways: { start: Point; stop: Point; opacity: number; team: number }[];
  words: { at: Point; text: string; opacity: number }[];
}

export interface Ordered {
  team: number;
  pieceId: number;
  order: string;
}

export interface Step {
  turn: number;
  stage: string;
  /** Its caption, where turns last so long that stages have some. */
  told: string;
  ordered: Ordered[];
  annotations: Annotation[];
  motions: Motion[];
  /** The things that it changed, as they were; null for those that it made. */
  before: Map<number, Thing<What> | null>;
}

/** A place from which a cursor can go on. */
export interface Keyframe {
  position: number;
  newest: number;
  step: Step;
  at: number[];
  lastAsked: number[];
  things: Things;
}

/** What a piece did and suffered in a step. */
export interface Moment {
  turn: number;
  stage: string;
  ordered: Ordered | undefined;
  sentences: string[];
  fault: string;
  lines: string[];
}

export interface Team {
  /** What it is called everywhere, and its file, version and author in words. */
  name: string;
  about: string;
  color: string;
  /** The color of letters on it. */
  ink: string;
  /** The color of its line on a dark ground, and what is by turns drawn and left out of that. */
  line: string;
  dashes: number[];
  /** The number of its picture. */
  emblem: number | null;
}

/** The score, the panel and the costs of a team. */
export interface Standing {
  score: number;
  forfeited: number;
  cpuMs: number;
  panel: { name: string; value: Fact | number[] }[];
}

export interface Formats {
  decimals: number;
  thousands: string;
  cpu: string;
  /** Below how many microseconds (null: all), how many it is, its name, decimals. */
  cpuUnits: [below: number | null, divisor: number, name: string, decimals: number][];
  winner: string;
  draw: string;
  /** The value of what is not there. */
  noFact: string;
}

/** A way to show the points of a scene: `Arrangement` of visualizer/drawing/arrangement.py. */
export type Arrangement = [
  extent: [left: number, top: number, right: number, bottom: number],
  parts: [left: number, top: number, dx: number, dy: number][],
];

/** An arrangement as view.js has it. */
export interface Way {
  extent: { left: number; top: number; width: number; height: number };
  parts: { left: number; top: number; dx: number; dy: number }[];
}

export type Point = [x: number, y: number];

/** A part of a sign: an SVG path, and how wide its line is; 0: it is filled. */
export interface Part {
  path: string;
  width: number;
}

export interface Sign {
  color: string;
  rimColor: string;
  rim: number;
  size: number;
  isCornered: boolean;
  isLink: boolean;
  parts: Part[];
  over: Part[];
}

export type Tone = [wave: OscillatorType, fromHz: number, toHz: number, seconds: number, beginsS: number];

export interface SoundFacts {
  marks: Partial<Record<MarkName, Tone[]>>;
  on: Tone[];
  win: Tone[];
  move: Tone[];
  capture: Tone[];
  turn: Tone[];
  gapMs: number;
  loudness: number;
  silence: number;
  attack: number;
}

/** The names of sizes: visualizer/drawing/measures.py. */
export type SizeName =
  | "minShape" | "smallMap" | "tileBorder" | "border" | "frontEdge" | "finestBorder" | "barWidth" | "barHeight" | "barBottom" | "minBarHeight"
  | "maxBarSquares" | "minBarWidth" | "badge" | "badgeCorner" | "badgeLetterScale" | "minBadgeSize" | "minLabelSize"
  | "minLetterSize" | "minLetteredSquare" | "base" | "baseOpacity" | "level" | "levelCorner" | "levelLetters"
  | "minDetailScale" | "minWholeBoardScale" | "signWidth" | "signCorner" | "minSignScale" | "linkWidth" | "minLinkWidth" | "linkBegin"
  | "way" | "minWay" | "risingLetters" | "drawnLine" | "minDrawnLine" | "drawnRim" | "drawnText" | "minDrawnText"
  | "tickGap" | "axis" | "curve" | "goalLine" | "dash" | "dashGap" | "shadeOpacity" | "curveBadge" | "cpuLanes" | "fullSizeMarks"
  | "followZoom" | "minMaxZoom" | "linkEnd" | "linkRim" | "rimOpacity" | "laneOpacity" | "tallRatio" | "gridSide" | "signRim";

/** How things are drawn: __init__.py of the page. */
export interface DrawingFacts {
  sizes: Record<SizeName, number>;
  colors: Record<"front" | "barBack" | "badge" | "badgeRim" | "dark" | "light", string>;
  /** How many turns there may be from one number above a graph to the next. */
  ticks: number[];
  /** Up to which share a bar has a color; the last one is 1. */
  barLevels: [most: number, color: string][];
  /** Colors that are some of the theme instead, by their names there. */
  tints: Record<string, string>;
  signs: Record<MarkName, Sign>;
  sounds: SoundFacts;
}

/** What does not change in the course of a match: visualizer/backends/page/__init__.py. */
export interface SceneFacts {
  game: string;
  teams: Team[];
  kinds: Record<string, Kind>;
  eventStyles: Record<string, EventStyle>;
  /** How many rows are counted from below; 0 if they are counted from above. */
  rowsUp: number;
  arrangements: Arrangement[];
  /** The kinds of marks, each with its colors in the dark and the light theme. */
  timeline: [what: string, sign: MarkName][];
  /** What the looks of things on the board mean. */
  legend: { things: Appearance[]; words: string }[];
  /** What the signs of events mean. */
  markNames: [mark: MarkName, words: string][];
  /** The kinds of events that are moves. */
  moves: string[];
  /** The left edge of each board. */
  parts: number[];
  scoreName: string;
  /** How many turns are played in a second at speed 1. */
  turnsPerS: number;
  /** The speeds but the highest, which plays so many turns in each picture. */
  speeds: number[];
  maxTurnsPerCall: number;
  /** How things move: visualizer/model/motion.py. */
  motion: Record<"moves" | "maxSpeed" | "far" | "lineOpacity" | "lunge" | "back" | "rise" | "signS" | "stepS" | "minMoveS", number>;
  /** How many turns the history of a piece goes back. */
  historyTurns: number;
  forfeitedName: string;
  drawing: DrawingFacts;
  formats: Formats;
}

/** What may change while a match is being played. */
/** How a match ended: `Ending` of visualizer/model/story.py, and its last caption. */
export interface EndFacts {
  reason: string;
  winners: number[];
  scores: number[];
  who: string;
  why: string;
  figures: string[];
  /** The turns in which it was decided. */
  moments: number[];
  line: string;
}

export interface PresentFacts {
  ending: EndFacts | null;
  disclosures: { title: string; text: string }[];
  /** null while it is secret. */
  seed: string | null;
  key?: string;
  // Only of a match that a server sends.
  /** null of a match that was played. */
  seedHash?: string | null;
  isGrowing?: boolean;
  standingNow?: Standing[];
}

/** Turns in which nothing happens: `QuietStretch` of visualizer/model/playback.py. */
export type QuietStretch = [first: number, last: number, words: string];

/** All facts of a match. */
export interface ReplayFacts extends SceneFacts, PresentFacts {
  /** The command that repeats the match. */
  again?: string;
  beginTurn?: number;
  /** The score that wins, at the end of each turn. */
  thresholds: (number | null)[];
  trails: [turn: number, team: number, x: number, y: number][];
  /** What of a large map is shown at the end of each turn; none where all is. */
  camera: [left: number, top: number, right: number, bottom: number][];
  /** Where nothing happens, and how much faster that is played; none while the match goes on. */
  quiet?: QuietStretch[];
  quietSpeed?: number;
  shapes: { thing: PackedShape<What>[]; team: PackedShape<PanelWhat>[]; backdrop: PackedShape<What>[] };
  /** What columns stand for: texts, truth values, and the squares of attacks. */
  words: Word[];
  images: { names: Record<string, number> };
  /** Only of a match that a server sends. */
  grids?: GridFacts[];
}

/** The squares of a board on which people order: `Grid` of visualizer/scene.py. */
export type GridFacts = [label: string, left: number, top: number, columns: number, rows: number, names: string[]];

/** What does not change in the course of a match that a server sends: growing.py. */
export interface LiveFacts extends SceneFacts {
  grids: GridFacts[];
  backdrop: { columns: Record<string, number[]>; shapes: PackedShape<What>[] };
}

/** What is new of a match that a server sends: growing.py, and what the server says of it. */
export interface SceneMessage {
  /** Of the first message. */
  facts?: LiveFacts;
  /** What is added to each. */
  columns: Record<string, number[]>;
  shapes: { thing?: PackedShape<What>[]; team?: PackedShape<PanelWhat>[] };
  words?: Word[];
  thresholds?: (number | null)[];
  trails?: ReplayFacts["trails"];
  camera?: ReplayFacts["camera"];
  /** How many there were in each step. */
  decisions?: number[];
  drawings?: Notes["drawings"];
  logs?: Notes["logs"];
  images?: { name: string; png: string }[];
  ending: PresentFacts["ending"];
  standingNow: Standing[];
  disclosures: PresentFacts["disclosures"];
  seed: string | null;
  seedHash: string | null;
  key?: string;
  isGrowing: boolean;
  /** Whether nothing of it is hidden. */
  isWhole: boolean;
  isContinuable: boolean;
  /** The team of which the reader is the author. */
  ownTeam: number | null;
  /** Whether the board begins with what is new. */
  follows: boolean;
  /** Whether the stream goes on after the end. */
  staysOpen?: boolean;
  seats: string[];
}

/** The facts of a page in a file. */
export interface FileFacts extends ReplayFacts {
  /** How many steps there are, which the columns tell, too. */
  steps: number;
  /** How many bytes each column has. */
  columns: Record<string, number>;
  images: { names: Record<string, number>; sizes: number[] };
}

/** A drawing of a bot: `Drawn` of visualizer/model/drawings.py. */
export type Drawn = [
  team: number,
  piece: number,
  key: string,
  color: string,
  form: DrawingForm,
  numbers: number[],
  text?: string,
];

export type DrawingForm = "path" | "circle" | "text";

/** What is drawn on the board besides the things. */
export interface Drawing {
  form: DrawingForm;
  numbers: number[];
  color: string;
  text?: string;
}

/** Drawings of a team under one name, which are switched on and off together. */
export interface DrawingGroup {
  team: number;
  key: string;
  color: string;
}

/** The texts of bots: texts.py. */
export interface Texts {
  faults: [turn: number, team: number, piece: number, text: string][];
  logs: [turn: number, team: number, piece: number, lines: string[]][];
  drawings?: [turn: number, drawn: Drawn[]][];
  faults_left_out: number;
  logs_left_out: number;
  drawings_left_out?: number;
}

/** What bots drew and logged since the page was told last. */
export interface Notes {
  drawings: [turn: number, drawn: Drawn][];
  logs: [turn: number, team: number, piece: number, line: string][];
}

/** A sign on the board while it fades. */
export interface ShownMark {
  mark: MarkName;
  one: Appearance;
  other: Appearance | undefined;
  /** When it was made, as `requestAnimationFrame` counts. */
  at: number;
  turn: number;
  attackLanes: Lane[];
}

/** What the board draws. */
export interface Picture {
  things: Looks;
  marks: (ShownMark & { strength: number })[];
  drawings: Drawing[];
  selected: number | null;
  hovered: number | null;
  background: string;
  moving: Moving;
}

/** The layer on which people order, as the viewer has it: boards/ordering.js. */
export interface Ordering {
  /** Put the squares where the board is drawn. */
  layout(isPast: boolean): void;
  // Each takes a place on the stage.
  /** Take a click; return whether it was one on a square that orders. */
  choose(x: number, y: number): boolean;
  /** Begin to drag what stands there; return whether it can be. */
  lift(x: number, y: number): boolean;
  carry(x: number, y: number): void;
  /** Put down what is dragged; without a place it goes where it came from. */
  drop(x?: number, y?: number): void;
  /** Tell of what is there; return whether there is a square. */
  ask(x: number, y: number): boolean;
  point(x?: number, y?: number): void;
}

/** A place on the canvas, and the larger side of what is there in squares. */
export interface Spot {
  x: number;
  y: number;
  size: number;
}

/** Squares of a block as few rectangles, and the lines around them: visualizer/drawing/outline.py. */
export type Outline = [boxes: Box[], edges: Edge[], front: Edge[]];

/** Left, top, right and bottom. */
export type Box = [left: number, top: number, right: number, bottom: number];

/** Its side as 0 to 3 for E, S, W, N, and whether there is a square beyond each end. */
export type Edge = [heading: number, at: number, start: number, stop: number, goesOn: [boolean, boolean]];

declare module "./replay.js" {
  // Its constructor takes all facts as its own.
  interface Replay extends ReplayFacts {}
}

declare global {
  /** Return the bytes of a script tag: of boot.js. */
  function inflate(id: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Say that the page cannot be shown: of boot.js. */
  function fail(error: Error): void;

  interface Window {
    /** For the console, and for tests. */
    viewer?: Viewer;
  }
}
