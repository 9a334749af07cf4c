export type TipoDeFoto = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';
/** Type and size of a picture; width and height in px. */
export type Medidas = { tipo: TipoDeFoto; ancho: number; alto: number };

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Returns whether a mark starts a frame of JPEG; three marks in the same range are tables. */
const isFrame = (mark: number) => mark >= 0xc0 && mark <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(mark);

/** Returns type and size in px of a picture, from its bytes; null for other types and for a cut file. */
export function medidasOf(bytes: Uint8Array): Medidas | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  if (bytes.length >= 24 && PNG.every((byte, at) => bytes[at] === byte))
    return { tipo: 'image/png', ancho: view.getUint32(16), alto: view.getUint32(20) };
  if (bytes.length >= 10 && /^GIF8[79]a/.test(head))
    return { tipo: 'image/gif', ancho: view.getUint16(6, true), alto: view.getUint16(8, true) };
  if (bytes.length >= 30 && head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return webp(view, head.slice(12));
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return null;
  for (let at = 2; at + 9 < bytes.length;) {
    if (bytes[at] !== 0xff) return null;
    const mark = bytes[at + 1]!;
    if (mark === 0xff) at++;
    else if (isFrame(mark)) return { tipo: 'image/jpeg', ancho: view.getUint16(at + 7), alto: view.getUint16(at + 5) };
    else at += 2 + view.getUint16(at + 2);
  }
  return null;
}

/** Size of a WebP by its first block: lossy, lossless, or extended. */
function webp(view: DataView, block: string): Medidas | null {
  const tipo = 'image/webp';
  if (block === 'VP8X') {
    const at24 = (at: number) => view.getUint16(at, true) + (view.getUint8(at + 2) << 16) + 1;
    return { tipo, ancho: at24(24), alto: at24(27) };
  }
  if (block === 'VP8L') {
    const bits = view.getUint32(21, true);
    return { tipo, ancho: (bits & 0x3fff) + 1, alto: ((bits >>> 14) & 0x3fff) + 1 };
  }
  return block === 'VP8 '
    ? { tipo, ancho: view.getUint16(26, true) & 0x3fff, alto: view.getUint16(28, true) & 0x3fff }
    : null;
}
