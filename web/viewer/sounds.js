// Sounds of what happens while a match plays (visualizer/model/sounds.py): off until a key switches them on. Made as
// they are played.

const KEY = "replay-sounds";

export class Sounds {
  constructor(sounds) {
    this.sounds = sounds;
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
    this.show();
    if (this.isOn) this.#play(this.sounds.on);
  }

  // Show on the button whether they are on.
  show() {
    document.querySelector("[data-action=sounds]").setAttribute("aria-pressed", this.isOn);
  }

  // Play what marks sound like, each kind once.
  of(marks, now) {
    if (!this.isOn) return;
    const { marks: sounds, gapMs } = this.sounds;
    for (const name of new Set(marks.map(({ mark }) => JSON.stringify(sounds[mark])))) {
      if (!name || now - (this.lastAt.get(name) ?? -gapMs) < gapMs) continue;
      this.lastAt.set(name, now);
      this.#play(JSON.parse(name));
    }
  }

  /** Play `win`, `move`, `capture` or `turn`. */
  play(name) {
    if (this.isOn) this.#play(this.sounds[name]);
  }

  #play(tones) {
    // A browser lets a page sound only after a click or a key.
    if (navigator.userActivation?.hasBeenActive === false) return;
    this.context ??= new AudioContext();
    if (this.context.state === "suspended") this.context.resume();
    for (const tone of tones) this.#tone(...tone);
  }

  #tone(shape, from, to, seconds, wait) {
    const { loudness, silence, attack } = this.sounds;
    const begin = this.context.currentTime + wait;
    const oscillator = new OscillatorNode(this.context, { type: shape, frequency: from });
    const gain = new GainNode(this.context, { gain: silence });
    oscillator.frequency.exponentialRampToValueAtTime(to, begin + seconds);
    gain.gain.setValueAtTime(silence, begin);
    gain.gain.exponentialRampToValueAtTime(loudness, begin + attack);
    gain.gain.exponentialRampToValueAtTime(silence, begin + seconds);
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
