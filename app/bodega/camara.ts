import type * as Lector from './lector';

type Detector = { detect(source: CanvasImageSource): Promise<{ rawValue: string }[]> };
type ConDetector = {
  BarcodeDetector?: { new (options: { formats: string[] }): Detector; getSupportedFormats(): Promise<string[]> };
};

/** A look at what the camera sees, so often. */
const MIRADA_MS = 150;
/** The side of the picture that is read: a code in the hand is half of it. */
const LADO = 720;

/** The browser's own reader where it knows these codes; else ours, which is fetched now. */
async function lectorOf(lector: string): Promise<(video: HTMLVideoElement) => Promise<string | undefined>> {
  const { BarcodeDetector } = window as ConDetector;
  if (BarcodeDetector && (await BarcodeDetector.getSupportedFormats()).includes('qr_code')) {
    const detector = new BarcodeDetector({ formats: ['qr_code'] });
    return async (video) => (await detector.detect(video))[0]?.rawValue;
  }
  const { readCode: leer } = (await import(/* @vite-ignore */ lector)) as typeof Lector;
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d', { willReadFrequently: true })!;
  return (video) => {
    const { videoWidth, videoHeight } = video;
    const lado = Math.min(videoWidth, videoHeight);
    canvas.width = canvas.height = Math.min(LADO, lado);
    pen.drawImage(
      video,
      (videoWidth - lado) / 2,
      (videoHeight - lado) / 2,
      lado,
      lado,
      0,
      0,
      canvas.width,
      canvas.height,
    );
    return Promise.resolve(leer(pen.getImageData(0, 0, canvas.width, canvas.height)));
  };
}

export const hasCamara = (): boolean => typeof navigator.mediaDevices?.getUserMedia === 'function';

/** What the first code before the camera says; undefined when somebody closed it. It rejects where there is no camera, or no leave to use it. */
export async function scan(caja: HTMLElement, lector: string): Promise<string | undefined> {
  const video = caja.querySelector('video')!;
  const cerrar = caja.querySelector('button')!;
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } },
  });
  const closed = new AbortController();
  const close = () => closed.abort();
  cerrar.addEventListener('click', close, { signal: closed.signal });
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && close(), { signal: closed.signal });
  // A camera that stays open behind another app is seen by nobody, and empties the battery.
  document.addEventListener('visibilitychange', () => document.hidden && close(), { signal: closed.signal });
  try {
    video.srcObject = stream;
    caja.hidden = false;
    const [leer] = await Promise.all([lectorOf(lector), video.play()]);
    while (!closed.signal.aborted) {
      const dice = video.videoWidth > 0 ? await leer(video) : undefined;
      if (dice && !closed.signal.aborted) return dice;
      await new Promise((resolve) => setTimeout(resolve, MIRADA_MS));
    }
    return undefined;
  } finally {
    closed.abort();
    caja.hidden = true;
    video.srcObject = null;
    for (const track of stream.getTracks()) track.stop();
  }
}
