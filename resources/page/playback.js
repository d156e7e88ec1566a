// Play, pause, step, seek and speed: visualizer/playback.py for one film.

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, Infinity];
const NORMAL = SPEEDS.indexOf(1);
const TURNS_PER_S = 4;  // at speed 1
const FASTEST_TURNS = 20;  // of one picture, as fast as possible
const TINY = 1e-6;

// `time` counts turns: t is the end of turn t, t - 1 its beginning.
export class Playback {
  constructor(story) {
    this.story = story;
    this.time = 0;
    this.isPlaying = false;
    this.speedNumber = NORMAL;
  }

  get speed() {
    return SPEEDS[this.speedNumber];
  }

  get end() {
    return this.story.lastTurn;
  }

  get isAtEnd() {
    return this.time >= this.end;
  }

  // The last turn that is over.
  get turnOver() {
    return Math.floor(this.time + TINY);
  }

  position() {
    const turn = Math.ceil(this.time);
    const [begin, end] = [this.story.beginOf(turn), this.story.endOf(turn)];
    return begin + Math.floor((this.time - (turn - 1)) * (end - begin) + TINY);
  }

  advance(seconds) {
    if (!this.isPlaying) return;
    const turns = this.speed === Infinity ? FASTEST_TURNS : seconds * TURNS_PER_S * this.speed;
    this.time = Math.min(this.time + turns, this.end);
    if (this.isAtEnd) this.isPlaying = false;
  }

  // Playing on from the end begins anew.
  playOrPause() {
    if (!this.isPlaying && this.isAtEnd) this.time = 0;
    this.isPlaying = !this.isPlaying;
  }

  pause() {
    this.isPlaying = false;
  }

  seekTurn(turn) {
    this.time = Math.min(Math.max(0, turn), this.end);
  }

  step(steps) {
    this.pause();
    const position = Math.min(Math.max(0, this.position() + steps), this.story.steps);
    this.time = this.story.timeAt(position);
  }

  // To the end of the next turn, or back to that of the one before.
  stepTurns(turns) {
    this.pause();
    const whole = this.turnOver;
    const back = this.time - whole > TINY ? whole : whole - 1;
    this.seekTurn(turns > 0 ? whole + turns : back + turns + 1);
  }

  faster() {
    this.speedNumber = Math.min(this.speedNumber + 1, SPEEDS.length - 1);
  }

  slower() {
    this.speedNumber = Math.max(this.speedNumber - 1, 0);
  }

  fastestOrNormal() {
    this.speedNumber = this.speed === Infinity ? NORMAL : SPEEDS.length - 1;
  }

  restart() {
    this.time = 0;
    this.isPlaying = true;
  }

  // To the next mark of these kinds (-1: the one before); whether there is one.
  nextMark(direction, kinds) {
    const here = this.position();
    const marks = this.story.marks.filter((mark) => kinds.has(mark.what));
    const mark =
      direction > 0
        ? marks.find((mark) => mark.at > here)
        : marks.findLast((mark) => mark.at < here);
    if (!mark) return;
    this.pause();
    this.time = this.story.timeAt(mark.at);
  }
}
