/** Type and size of a picture; width and height in px. */
export type Medidas = { tipo: 'image/png' | 'image/jpeg'; ancho: number; alto: number };

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Returns whether a mark starts a frame of JPEG; three marks in the same range are tables. */
const isFrame = (mark: number) => mark >= 0xc0 && mark <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(mark);

/** Returns type and size in px of a picture, from its bytes; null for other types and for a cut file. */
export function medidasOf(bytes: Uint8Array): Medidas | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length >= 24 && PNG.every((byte, at) => bytes[at] === byte))
    return { tipo: 'image/png', ancho: view.getUint32(16), alto: view.getUint32(20) };
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
