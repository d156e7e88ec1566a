// Sounds of what happens while a match plays: off until a key switches them on. Made as they are played.

const KEY = "replay-sounds";
const GAP_MS = 70;  // between two sounds of a kind
const LOUDNESS = 0.12;

// What each mark sounds like: tones as [shape, from Hz, to Hz, seconds, seconds until it begins].
const BITE = [["sawtooth", 320, 90, 0.09, 0]];
const SPLIT = [["sine", 420, 840, 0.1, 0]];
const JOIN = [["sine", 620, 310, 0.12, 0]];
const CAPTURE = [["triangle", 260, 70, 0.2, 0]];
const FAULT = [["square", 110, 100, 0.12, 0]];
const WIN = [523, 659, 784, 1047].map((hz, place) => ["triangle", hz, hz, 0.22, place * 0.12]);
const SOUNDS = { strike: BITE, hit: BITE, birth: SPLIT, rise: SPLIT, join: JOIN, death: CAPTURE, fault: FAULT };

export class Sounds {
  constructor() {
    this.isOn = stored() === "on";
    this.lastAt = new Map();
  }

  toggle() {
    this.isOn = !this.isOn;
    try {
      localStorage.setItem(KEY, this.isOn ? "on" : "off");
    } catch {
      // pages without storage begin quietly each time
    }
    if (this.isOn) this.#play(SPLIT);
  }

  // Play what marks sound like, each kind once.
  of(marks, now) {
    if (!this.isOn) return;
    for (const sound of new Set(marks.map(({ mark }) => SOUNDS[mark]))) {
      if (!sound || now - (this.lastAt.get(sound) ?? -GAP_MS) < GAP_MS) continue;
      this.lastAt.set(sound, now);
      this.#play(sound);
    }
  }

  win() {
    if (this.isOn) this.#play(WIN);
  }

  #play(tones) {
    // A browser lets a page sound only after a click or a key.
    if (navigator.userActivation?.hasBeenActive === false) return;
    this.context ??= new AudioContext();
    if (this.context.state === "suspended") this.context.resume();
    for (const tone of tones) this.#tone(...tone);
  }

  #tone(shape, from, to, seconds, wait) {
    const begin = this.context.currentTime + wait;
    const oscillator = new OscillatorNode(this.context, { type: shape, frequency: from });
    const gain = new GainNode(this.context, { gain: 0.0001 });
    oscillator.frequency.exponentialRampToValueAtTime(to, begin + seconds);
    gain.gain.setValueAtTime(0.0001, begin);
    gain.gain.exponentialRampToValueAtTime(LOUDNESS, begin + 0.01);
    gain.gain.exponentialRampToValueAtTime(0.0001, begin + seconds);
    oscillator.connect(gain).connect(this.context.destination);
    oscillator.start(begin);
    oscillator.stop(begin + seconds);
  }
}

function stored() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
