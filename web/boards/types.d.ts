// The types of what boards are sent, and of what the modules of boards say to each other: read by
// the checker alone, and by editors.

import type { Position, EventText } from "../shared/types.d.ts";
import type { OrderingLayer } from "./ordering.js";
import type { Outbox } from "./outbox.js";
import type { SignName } from "./signs.js";

export type { SignName };

/** A sign with the text that it has. */
export type SignWithText = [name: SignName, text: string];

/** What a square shows and says. */
export interface Look {
  /** For readers of the screen; without it the name of the square. */
  label?: string;
  signs?: (SignName | SignWithText)[];
}

/** What happens to a board's squares; `board` counts from 1. */
export interface OrderingListener {
  /** Whether clicks are orders now; otherwise they inspect. */
  isOpen(): boolean;
  /** A click, a tap, Enter or Space. */
  choose(board: number, name: string): unknown;
  /** Return whether what stands there can be dragged. */
  lift?(board: number, name: string): boolean;
  /** It is dragged. */
  carry?(board: number, name: string): unknown;
  /** It is dropped; `target` is "" beside the board. */
  drop?(board: number, name: string, target: string): unknown;
  /** A pointer or the focus is there; 0 and "" for none. */
  point(board: number, name: string): unknown;
  /** Return whether the key is taken. */
  key(event: KeyboardEvent, board: number, name: string): boolean;
  /** The board shows the newest step, for the first time. */
  arrive?(): unknown;
}

/** What is meant, as a selector, and what is said of it. */
export type TourStep = [selector: string, words: string];

/** What the page of a game is given. */
export interface GamePage {
  id: string;
  root: HTMLElement;
  outbox: Outbox;
  /** Ask for the position now. */
  refresh: () => Promise<void>;
}

/** A position whose board has a shape that the page of its game knows. */
export type PositionWith<Board> = Omit<Position, "board" | "happened"> & { board: Board };

/** What the page of a game offers. */
export interface PlayedBoard<Board = unknown> {
  listener: OrderingListener;
  tour?: TourStep[];
  /** Whether what is new is played, rather than jumped to. */
  playsNews?: boolean;
  /** The board is there. */
  start(layer: OrderingLayer): void;
  /** Called with each position once the board is there. */
  show(position: PositionWith<Board>, happened: EventText[]): void;
  /** Show what waits to be sent on a board that was drawn anew. */
  showWaiting?(): void;
}

/** The board of a game without signs of its own: server/games/boards/__init__.py. */
export interface Form {
  text: string;
  choices: Choice[];
  /** What each team has. */
  left: string[];
}

/** What may be ordered now for one ask of the reader's teams. */
export interface Choice {
  team: number;
  piece: number;
  orders: unknown[];
  /** Each order in words. */
  words: string[];
  /** What is clicked for each, one after the other: several where any will do. */
  squares: [board: number, name: string][][][];
}

/** Both boards of Smack!: server/games/boards/smack.py. */
export interface ShownBoards {
  pace: string;
  ply_limit: number;
  no_capture_limit: number;
  halves: ShownHalf[];
}

/** One board of Smack!. Squares are names, such as `H8`; points are of team 1 and team 2. */
export interface ShownHalf {
  number: number;
  nerds: string[];
  bullies: string[];
  side: "nerds" | "bullies";
  team_to_move: number;
  nerds_team: number;
  ply: number;
  /** Plies since the last capture. */
  quiet: number;
  points: [number, number];
  /** Source and target of the last move. */
  last: [source: string, target: string] | null;
  /** Where the last move removed pieces. */
  captured: string[];
  /** Why it is over; "" while it is not. */
  ending: string;
  /** The same in words for people. */
  ended: string;
  /** The teams whose offer to end the half stands. */
  offered_by: number[];
  /** From source to target to the captured squares; empty unless one of the reader's teams is to move. */
  moves: Record<string, Record<string, string[]>>;
  /** All moves so far, such as `G7-F6xE5`. */
  history: string[];
}

/** The map of Slime Mind: `ShownMap` of server/games/boards/slime_mind.py. */
export interface MapShown {
  turn: number;
  last_turn: number;
  /** The slime that is asked now; 0 after the end. */
  acting: number;
  slimes: SlimeShown[];
  /** What else stands on the squares, in words. */
  others: Record<string, string>;
  scores: number[];
}

/** A slime of the reader's teams. Squares are named as on the board, such as `12, 3`. */
export interface SlimeShown {
  id: number;
  team: number;
  square: string;
  level: number;
  xp: number;
  hp: number;
  max_hp: number;
  /** Whether it has yet to act in this turn. */
  is_waiting: boolean;
  is_ready: boolean;
  /** What an order to a square beside it is: a bite of what stands there, or a step. */
  sides: Record<string, string>;
  /** The commands that would do nothing as the board is now, each with the reason. */
  no_effect: Record<string, string>;
}

/** What a slime is told to do: a command, an errand, or where to go. */
export type OrderAhead = string | ["GO", x: number, y: number];

/** What the page of SMAC reads of a dish: `BoardShown` of server/games/boards/smac.py. */
export interface DishShown {
  turn: number;
  stage: string;
  last_turn: number;
  /** The share of production that wins this turn; null if none does yet. */
  threshold_pct: number | null;
  victory_from_turn: number;
  /** The reader's orders of the last turn that were not carried out. */
  skips: [order: string, reason: string][];
  /** Why the reader gave no orders at all last time. */
  lost: string | null;
  characteristic_words: Record<string, string>;
  special_words: Record<string, string>;
}

export type Cell = [x: number, y: number];

/** A cell, and a number that belongs to it. */
export type CellNumber = [x: number, y: number, number: number];

/** A line of a draft of SMAC, such as `["place", 3, 4]`: engine/games/smac/drafts.py. */
export type DraftLine = [verb: string, ...(string | number | Cell)[]];

/** A characteristic after the lines so far. */
export interface CharacteristicOption {
  level: number;
  /** The points that its next level still takes. */
  to_next_level: number;
  /** It takes no more points this turn, whatever the bank has. */
  is_at_limit: boolean;
  /** Why no point can be put into it now. */
  why_not: string | null;
  /** Why its next level cannot be bought as a whole. */
  why_not_level: string | null;
}

/** A special as the turn began, and what the lines so far leave to do with it. */
export interface SpecialOption {
  target: string;
  is_used: boolean;
  is_selected: boolean;
  is_armed: boolean;
  why_not_use: string | null;
  why_not_select: string | null;
}

/** The orders of a turn as they stand, and what may follow. */
export interface OrdersShown {
  type: "orders";
  /** Points left. */
  bank: number;
  /** The raw heights of the own stacks. */
  heights: CellNumber[];
  /** The cells in which a placement is legal now, with its cost in points. */
  costs: CellNumber[];
  /** What is missing before a stack can be placed again, while none can be. */
  hint: { words: string; characteristics: string[] } | null;
  characteristics: Record<string, CharacteristicOption>;
  specials: Record<string, SpecialOption>;
  /** What the draft leads to if nobody else does anything. */
  forecast: { grown: Cell[]; died: Cell[]; production: number };
  centers?: undefined;
  free_centers?: undefined;
}

/** The bid and the centers of a placement round as they stand, and the free centers. */
export interface PlacementShown {
  type: "placement";
  /** Points left after the bid. */
  bank: number;
  bid: number;
  /** The placements in the order in which they are tried. */
  centers: Cell[];
  free_centers: Cell[];
  heights?: undefined;
  costs?: undefined;
  hint?: undefined;
  forecast?: undefined;
}

/** What a draft comes to: `DraftedOrder` of server/games/game_api.py. */
export interface DraftAnswer {
  lines: DraftLine[];
  /** The places of lines, from 0, with the reasons. */
  refused: [place: number, reason: string][];
  /** The order that the other lines make. */
  answer: unknown;
  shows: OrdersShown | PlacementShown;
}
