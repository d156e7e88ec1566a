// What the server says to the designer, and what its modules say to each other: read by the checker
// alone, and by editors.

/** `DrawnType` of engine/games/game_of_death/drawn_armies.py. */
export interface DrawnType {
  name: string;
  rows: string[];
  behavior: string;
  numbers: Record<string, number>;
  code: string;
}

/** Its type's number, its column, and its row counted from the home's first. */
export type Place = [type: number, u: number, v: number];

export interface Army {
  name: string;
  types: DrawnType[];
  placements: Place[];
}

export interface Side {
  side: "forward" | "right" | "backward" | "left";
  thickness: string;
  attack: number;
  defense: number;
}

export interface Figures {
  size: number;
  speed: number;
  hp: number;
  range: number;
  sides: Side[];
}

export interface Mistake {
  words: string;
  type: number | null;
  placement: number | null;
}

export interface Inspected {
  figures: (Figures | null)[];
  cells: number;
  mistakes: Mistake[];
}

export interface BehaviorNumber {
  name: string;
  words: string;
  usual: number;
  least: number;
  most: number;
}

export interface Behavior {
  name: string;
  words: string;
  numbers: BehaviorNumber[];
  code: string;
}

export interface Grid {
  name: string;
  max_cells: number;
  columns: number;
  first_row: number;
  last_row: number;
  sure_first_row: number;
  sure_last_row: number;
  home: [column: number, width: number, height: number];
}

export interface Offered {
  behaviors: Behavior[];
  grids: Grid[];
  opponents: { name: string; words: string; is_starter: boolean }[];
  armies: Army[];
  ladders: { id: string; name: string }[];
}

/** What is kept of a design in the browser. */
export interface Kept {
  army: Army;
  grid: string;
  opponent: string;
  battle?: string;
  isUnsaved?: boolean;
}

export interface MapListener {
  /** A shape of the chosen type is wanted there: its upper left cell. */
  place: (u: number, v: number) => void;
  choose: (index: number | null) => void;
  move: (index: number, u: number, v: number) => void;
  remove: (index: number) => void;
  say: (words: string) => void;
}

export interface Shown {
  army: Army;
  grid: Grid;
  type: number;
  chosen: number | null;
  isWhole: boolean;
  wrong: Set<number>;
}
