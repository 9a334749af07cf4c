/** Pitch in Hz and length in ms of what is heard: a short high tone for yes, a long low one for no. */
const TONOS = { ok: [1_200, 90], mal: [180, 600] } as const;

let audio: AudioContext | undefined;

/** Sounds a yes or a no, and shakes the phone for a no. A browser that allows no sound stays silent; the words are on the screen. */
export function soundOf(cual: keyof typeof TONOS): void {
  const [pitch, length] = TONOS[cual];
  if (cual === 'mal') navigator.vibrate?.(length / 2);
  try {
    audio ??= new AudioContext();
    const tone = new OscillatorNode(audio, { type: 'square', frequency: pitch });
    tone.connect(new GainNode(audio, { gain: 0.2 })).connect(audio.destination);
    tone.start();
    tone.stop(audio.currentTime + length / 1_000);
  } catch {
    // Without a device for sound there is none.
  }
}
