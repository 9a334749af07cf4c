import decodeQR from 'qr/decode.js';

/**
 * Returns the text of a QR code in a picture; undefined without a code. The page fetches this module when a camera
 * first opens in a browser without a reader of its own.
 */
export function readCode(imagen: ImageData): string | undefined {
  try {
    return decodeQR(imagen);
  } catch {
    // The library throws for a picture without a code.
    return undefined;
  }
}
