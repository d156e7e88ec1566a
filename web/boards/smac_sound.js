// Sounds, made as they are played; they can be muted, and a browser remembers that.

const KEY = "sound";
let context = null;

export const isMuted = () => localStorage.getItem(KEY) === "off";

export function mute(isOff) {
  localStorage.setItem(KEY, isOff ? "off" : "on");
}

/** Play the squoosh of a placement: wet noise that sinks. */
export function squoosh() {
  play((audio, now) => {
    noise(audio, now, { from: 1400, to: 240, seconds: 0.22, loudness: 0.5 });
    tone(audio, now, { from: 210, to: 70, seconds: 0.2, loudness: 0.35 });
  });
}

/** Play the pop of points put into a characteristic. */
export function pop() {
  play((audio, now) => tone(audio, now, { from: 320, to: 620, seconds: 0.09, loudness: 0.3 }));
}

/** Play the bubbles of a turn that has run. */
export function bubbles() {
  play((audio, now) => {
    [240, 330, 280, 420].forEach((pitch, number) => {
      const begin = now + number * 0.11;
      tone(audio, begin, { from: pitch, to: pitch * 1.8, seconds: 0.12, loudness: 0.25 });
    });
  });
}

function play(make) {
  // A browser lets a page sound only after a click or a key.
  if (isMuted() || navigator.userActivation?.hasBeenActive === false) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  make(context, context.currentTime);
}

function fading(audio, now, seconds, loudness) {
  const gain = audio.createGain();
  gain.gain.setValueAtTime(0.0001, now);
  gain.gain.exponentialRampToValueAtTime(loudness, now + 0.015);
  gain.gain.exponentialRampToValueAtTime(0.0001, now + seconds);
  gain.connect(audio.destination);
  return gain;
}

function tone(audio, now, { from, to, seconds, loudness }) {
  const oscillator = audio.createOscillator();
  oscillator.frequency.setValueAtTime(from, now);
  oscillator.frequency.exponentialRampToValueAtTime(to, now + seconds);
  oscillator.connect(fading(audio, now, seconds, loudness));
  oscillator.start(now);
  oscillator.stop(now + seconds);
}

function noise(audio, now, { from, to, seconds, loudness }) {
  const buffer = audio.createBuffer(1, audio.sampleRate * seconds, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let place = 0; place < samples.length; place++) samples[place] = 2 * Math.random() - 1;
  const source = new AudioBufferSourceNode(audio, { buffer });
  const filter = new BiquadFilterNode(audio, { type: "lowpass", frequency: from, Q: 6 });
  filter.frequency.setValueAtTime(from, now);
  filter.frequency.exponentialRampToValueAtTime(to, now + seconds);
  source.connect(filter).connect(fading(audio, now, seconds, loudness));
  source.start(now);
}
