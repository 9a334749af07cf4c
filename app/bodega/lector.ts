import decodeQR from 'qr/decode.js';

/** For browsers that read no codes by themselves. It is fetched when a camera is first opened. */
export function readCode(imagen: ImageData): string | undefined {
  try {
    return decodeQR(imagen);
  } catch {
    // It throws where there is no code in the picture.
    return undefined;
  }
}
