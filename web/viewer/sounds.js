// Sounds of what happens while a match plays (visualizer/model/sounds.py): off until a key switches them on. Made as
// they are played.

import { browserStorage } from "../shared/storage.js";

/** @import { MarkName, SoundFacts, Tone } from "./types.d.ts" */

const KEY = "replay-sounds";

export class Sounds {
  /** @type {AudioContext | undefined} */
  context;

  /** @param {SoundFacts} sounds */
  constructor(sounds) {
    this.sounds = sounds;
    this.isOn = browserStorage.load(KEY) === "on";
    /** @type {Map<string, number>} */
    this.lastAt = new Map();
  }

  toggle() {
    this.isOn = !this.isOn;
    browserStorage.save(KEY, this.isOn ? "on" : "off");
    this.show();
    if (this.isOn) this.#play(this.sounds.on);
  }

  // Show on the button whether they are on.
  show() {
    document.querySelector("[data-action=sounds]")?.setAttribute("aria-pressed", String(this.isOn));
  }

  /**
   * Play what marks sound like, each kind once.
   * @param {{ mark: MarkName }[]} marks
   * @param {number} now
   */
  playMarks(marks, now) {
    if (!this.isOn) return;
    const { marks: sounds, gapMs } = this.sounds;
    for (const name of new Set(marks.map(({ mark }) => JSON.stringify(sounds[mark])))) {
      if (!name || now - (this.lastAt.get(name) ?? -gapMs) < gapMs) continue;
      this.lastAt.set(name, now);
      this.#play(JSON.parse(name));
    }
  }

  /** @param {"win" | "move" | "capture" | "turn"} name */
  play(name) {
    if (this.isOn) this.#play(this.sounds[name]);
  }

  /** @param {Tone[]} tones */
  #play(tones) {
    // A browser lets a page sound only after a click or a key.
    if (navigator.userActivation?.hasBeenActive === false) return;
    this.context ??= new AudioContext();
    if (this.context.state === "suspended") this.context.resume();
    for (const tone of tones) this.#tone(this.context, tone);
  }

  /**
   * @param {AudioContext} context
   * @param {Tone} tone
   */
  #tone(context, [shape, from, to, seconds, wait]) {
    const { loudness, silence, attack } = this.sounds;
    const begin = context.currentTime + wait;
    const oscillator = new OscillatorNode(context, { type: shape, frequency: from });
    const gain = new GainNode(context, { gain: silence });
    oscillator.frequency.exponentialRampToValueAtTime(to, begin + seconds);
    gain.gain.setValueAtTime(silence, begin);
    gain.gain.exponentialRampToValueAtTime(loudness, begin + attack);
    gain.gain.exponentialRampToValueAtTime(silence, begin + seconds);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(begin);
    oscillator.stop(begin + seconds);
  }
}
