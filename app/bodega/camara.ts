import type * as Lector from './lector';

type Detector = { detect(source: CanvasImageSource): Promise<{ rawValue: string }[]> };
type ConDetector = {
  BarcodeDetector?: { new (options: { formats: string[] }): Detector; getSupportedFormats(): Promise<string[]> };
};

/** Our labels, the codes of bars of products, and those of couriers. */
const CODIGOS = ['qr_code', 'ean_13', 'ean_8', 'upc_a', 'upc_e', 'itf', 'code_128'];

/** Interval between looks at the picture of the camera. */
const MIRADA_MS = 150;
/** Side of the square to read, in px: a code in the hand fills half of the picture. */
const LADO = 720;

/** Returns the browser's own reader of codes, or else ours of QR codes, fetched now from `lector`. */
async function lectorOf(lector: string): Promise<(video: HTMLVideoElement) => Promise<string | undefined>> {
  const { BarcodeDetector } = window as ConDetector;
  const known = BarcodeDetector ? await BarcodeDetector.getSupportedFormats() : [];
  if (BarcodeDetector && known.includes('qr_code')) {
    const detector = new BarcodeDetector({ formats: CODIGOS.filter((one) => known.includes(one)) });
    return async (video) => (await detector.detect(video))[0]?.rawValue;
  }
  const { readCode: readFrame } = (await import(/* @vite-ignore */ lector)) as typeof Lector;
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
    return Promise.resolve(readFrame(pen.getImageData(0, 0, canvas.width, canvas.height)));
  };
}

/** Returns whether the browser can open a camera. */
export const hasCamara = (): boolean => typeof navigator.mediaDevices?.getUserMedia === 'function';

/**
 * Returns the text of the first code before the camera; undefined when the person closed the camera. Rejects without a
 * camera, or without permission.
 */
export async function scan(caja: HTMLElement, lector: string): Promise<string | undefined> {
  const video = caja.querySelector('video')!;
  const closeButton = caja.querySelector('button')!;
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } },
  });
  const closed = new AbortController();
  const close = () => closed.abort();
  closeButton.addEventListener('click', close, { signal: closed.signal });
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && close(), { signal: closed.signal });
  // An open camera behind another app serves no person and empties the battery.
  document.addEventListener('visibilitychange', () => document.hidden && close(), { signal: closed.signal });
  try {
    video.srcObject = stream;
    caja.hidden = false;
    const [readFrame] = await Promise.all([lectorOf(lector), video.play()]);
    while (!closed.signal.aborted) {
      const dice = video.videoWidth > 0 ? await readFrame(video) : undefined;
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
