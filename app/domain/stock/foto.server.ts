const SOI = 0xd8;
const SOS = 0xda;
const APP0 = 0xe0;
/** Adobe's: how its colours are to be read. */
const APP14 = 0xee;
const APP15 = 0xef;
const COM = 0xfe;
/** A side of a photograph, as a phone makes it small. */
const MAX_LADO = 4_096;

/** The frames of a picture; what lies between them are tables. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
/** Where, when and with what it was taken, and what somebody wrote about it. */
const isPersonal = (marker: number) => (marker > APP0 && marker <= APP15 && marker !== APP14) || marker === COM;

/** A JPEG without anything but its picture: no place, no date, no comment. Undefined where it is none, or one so large that to open it is to be hurt by it. */
export function soloLaImagen(file: Buffer): Buffer | undefined {
  if (file.length < 4 || file[0] !== 0xff || file[1] !== SOI) return undefined;
  const kept = [file.subarray(0, 2)];
  let framed = false;
  for (let at = 2; at + 4 <= file.length;) {
    const marker = file[at + 1]!;
    const length = file.readUInt16BE(at + 2);
    if (file[at] !== 0xff || marker < 0xc0 || length < 2 || at + 2 + length > file.length) return undefined;
    const segment = file.subarray(at, at + 2 + length);
    if (isFrame(marker)) {
      if (length < 8) return undefined;
      const [alto, ancho] = [segment.readUInt16BE(5), segment.readUInt16BE(7)];
      if (alto === 0 || ancho === 0 || alto > MAX_LADO || ancho > MAX_LADO) return undefined;
      framed = true;
    }
    if (marker === SOS) {
      const end = file.lastIndexOf(Buffer.from([0xff, 0xd9]));
      // What follows the end is no picture.
      return framed && end > at ? Buffer.concat([...kept, file.subarray(at, end + 2)]) : undefined;
    }
    if (!isPersonal(marker)) kept.push(segment);
    at += 2 + length;
  }
  return undefined;
}
