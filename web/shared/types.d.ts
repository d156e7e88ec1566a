// The types of what the server sends, and of what modules say to each other: read by the checker
// alone, and by editors.

import type { DraftAnswer, DraftLine, OrderAhead } from "../boards/types.d.ts";

/** What a page can have as the value of an attribute; true is an attribute without a value. */
export type Value = string | number | boolean | null | undefined;

/** Attributes and listeners of an element that is made; a listener is told from the rest by its type. */
export type Attributes = { [K in keyof HTMLElementEventMap]?: Value | ((event: HTMLElementEventMap[K]) => unknown) } & {
  [name: string]: Value | ((event: never) => unknown);
};

/** The elements that pages have from the start, by their id. */
export interface ElementsById {
  side: HTMLElement;
  ways: HTMLElement;
  // All pages of a server.
  main: HTMLElement;
  refused: HTMLElement;
  said: HTMLElement;
  connection: HTMLElement;
  /** Of a game that waits for players. */
  waiting: HTMLElement;
  // The page of a game.
  players: HTMLElement;
  messages: HTMLElement;
  orders: HTMLElement;
  // The board of a match, which the page of a game has, too.
  board: HTMLCanvasElement;
  after: HTMLElement | null;
  band: HTMLElement;
  caption: HTMLElement;
  controls: HTMLElement;
  drawings: HTMLElement;
  failure: HTMLElement;
  graph: HTMLCanvasElement;
  help: HTMLDialogElement;
  inspector: HTMLElement;
  keys: HTMLElement;
  lanes: HTMLElement;
  live: HTMLButtonElement;
  match: HTMLElement;
  now: HTMLElement;
  key: HTMLDetailsElement;
  moves: HTMLElement;
  playhead: HTMLElement;
  readout: HTMLElement;
  speed: HTMLOutputElement;
  stage: HTMLElement;
  start: HTMLButtonElement;
  step: HTMLElement;
  teams: HTMLElement;
  tip: HTMLElement;
  track: HTMLElement;
  "track-tip": HTMLElement;
  turn: HTMLElement;
  turns: HTMLElement;
}

/** A game as its reader may see it: `Position` of server/games/positions.py. */
export interface Position {
  id: string;
  game: string;
  title: string;
  step: number;
  turn: number;
  scores: number[];
  seats: Seat[];
  asks: OpenAsk[];
  acts: PossibleAct[];
  outcome: { scores: number[]; reason: string; winner: number | null } | null;
  seed_hash: string;
  seed: string | null;
  /** What the page of the game knows the shape of. */
  board: unknown;
  is_rated: boolean;
  clock: string;
  clocks: ShownClock[];
  messages: Message[];
  read_up_to: number;
  talk: Talk | null;
  rematch: string | null;
  rematch_wishes: number[];
  rematch_refusals: number[];
  /** What was ordered ahead for the reader's teams, in games where that is possible. */
  premoves?: Premoves[];
  happened?: EventText[];
}

/** What the pieces of a team are to do in a turn, ordered before they are asked. */
export interface Premoves {
  team: number;
  turn: number;
  orders: [piece: number, order: OrderAhead][];
  is_sent: boolean;
}

/** Teams: who would like to write to the reader, who may be asked first whether to read them, ... */
export interface Talk {
  announced: number[];
  strangers: number[];
  muted: number[];
  blocked: number[];
}

export interface Seat {
  team: number;
  name: string;
  kind: "person" | "bot" | "remote";
  is_yours: boolean;
  substitute: string | null;
}

export interface ShownClock {
  team: number;
  piece: number;
  remaining_s: number;
  is_running: boolean;
  is_overdue: boolean;
}

export interface OpenAsk {
  team: number;
  piece: number;
  step: number;
  is_answered: boolean;
}

export interface PossibleAct {
  team: number;
  piece: number;
  name: string;
  /** The move that is asked to be taken back. */
  words: string;
}

export interface EventText {
  words: string;
  team: number;
  piece: number;
}

export interface Message {
  id: number;
  team: number;
  text: string;
  said_at: number;
}

/** The fields of what the server answers, by the kind of what the outbox sends. */
export interface FieldsByKind {
  order: object;
  act: object;
  message: object;
  rematch: { rematch: string | null };
  premoves: object;
  draft: DraftAnswer;
  "draft loading": DraftAnswer;
}

export type ItemKind = keyof FieldsByKind;

/** What the server answers: the fields of a request that it did, or why it did not. */
export type Answer<Fields = unknown> = Done<Fields> | Refused;

export type Done<Fields = unknown> = Fields & {
  isOk: true;
  status: number;
  error?: undefined;
  isWaiting?: undefined;
  isDiscarded?: undefined;
};

export interface Refused {
  isOk: false;
  /** 0 if the server does not answer. */
  status: number;
  error: string;
  isWaiting?: undefined;
  /** Whether the reader did not want it any more. */
  isDiscarded?: boolean;
}

/** There is no answer yet; what was to be sent is sent again. */
export interface Waiting {
  isOk: false;
  status?: number;
  error?: string;
  isWaiting: true;
  isDiscarded?: undefined;
}

/** What the outbox answers. */
export type Delivery<Kind extends ItemKind = ItemKind> = Answer<FieldsByKind[Kind]> | Waiting;

/** What is sent so that it may wait: all of it can be written as JSON. */
export interface Item<Kind extends ItemKind = ItemKind> {
  kind: Kind;
  /** What waits under the same key is replaced. */
  key: string;
  method: string;
  path: string;
  body?: Body;
  /** What is said to wait; nothing is said without it. */
  words?: string;
  /** More fields of the body when it is sent again. */
  again?: object;
  /** The ask whose draft is loaded. */
  asked?: { team: number; step: number };
  /** Whether the draft is to be submitted once the server has it. */
  isSubmitted?: boolean;
}

/** What is sent of an order, a draft, an act or a message. */
export interface Body {
  team?: number;
  piece?: number;
  step?: number;
  name?: string;
  text?: string;
  order?: unknown;
  lines?: DraftLine[];
  turn?: number;
  orders?: [piece: number, order: OrderAhead][];
  is_sent?: boolean;
}

/** An item in the outbox. */
export interface KeptItem<Kind extends ItemKind = ItemKind> extends Item<Kind> {
  answered?: ((answer: Delivery<Kind>) => void) | null;
  wasSent?: boolean;
  isReplaced?: boolean;
  /** Why it waits, if the server said so. */
  why?: string;
}

/** Takes the answer to an item that had to wait. */
export type Handler<Kind extends ItemKind> = (item: Item<Kind>, answer: Answer<FieldsByKind[Kind]>) => void;

export type Handlers = { [Kind in ItemKind]?: Handler<Kind> };

/** What a page asks of the stream that all pages share. */
export type StreamRequest =
  | { ask: "follow"; key: string; topic: string; last: string | undefined }
  | { ask: "leave"; key: string }
  | { ask: "wake" };

/** What a page is told of by the shared stream: an event of a topic, or the state of the connection. */
export type StreamMessage =
  | {
      event: string;
      /** JSON. */
      data: string;
      /** The id of the event, from which the topic can be followed anew. */
      last?: string;
      state?: undefined;
      error?: undefined;
    }
  | { state: "open" | "lost"; error?: string; event?: undefined; data?: undefined; last?: undefined };

export type Tell = (key: string, message: StreamMessage) => void;

/** Has a method for each kind of event, which is called with its data. */
export interface Listener {
  /** Called with why the server refuses the stream, or "". */
  state?: (state: "open" | "lost", error?: string) => void;
  /** Called if there is nothing to follow. */
  end?: (reason: { status: number; error: string }) => void;
  position?: (position: Position) => void;
  scene?: (message: never) => void;
  wait?: (message: { words: string }) => void;
  over?: () => void;
  playing?: (message: { matches: PlayingMatch[] }) => void;
  news?: (message: { mark: string; matches: PlayingMatch[] }) => void;
}

/** `PlayingMatch` of server/contests/playing_now.py. */
export interface PlayingMatch {
  path: string;
  seats: { name: string; bot: string | null; rating: number | null }[];
  turn: number | null;
  is_shown_late: boolean;
}

declare global {
  interface DocumentEventMap {
    /** The page of a game has a new position. */
    position: CustomEvent<Position>;
    /** The page was frozen by its browser, and goes on. */
    resume: Event;
  }
}
