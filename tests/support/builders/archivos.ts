import { crc32, deflateSync } from 'node:zlib';

/** Files as people and cameras make them, down to their bytes, and as those make them who mean harm. */

const u16 = (value: number) => Buffer.from([value >> 8, value & 255]);
const u32 = (value: number) => Buffer.from([value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]);
const le32 = (value: number) => Buffer.from(u32(value)).reverse();

/** An EXIF block with the place where it was taken, who took it, and which side is up. */
export function exifConLugar(orientation = 6): Buffer {
  const texto = Buffer.from('GPS 19.4326,-99.1332 Camara de Ana\0', 'latin1');
  const entry = (tag: number, type: number, count: number, value: Buffer) =>
    Buffer.concat([u16(tag), u16(type), u32(count), Buffer.concat([value, Buffer.alloc(4)]).subarray(0, 4)]);
  const entries = [
    entry(0x010f, 2, texto.length, u32(8 + 2 + 3 * 12 + 4)),
    entry(0x0112, 3, 1, u16(orientation)),
    entry(0x8825, 4, 1, u32(0)),
  ];
  return Buffer.concat([Buffer.from('MM\0*', 'latin1'), u32(8), u16(entries.length), ...entries, u32(0), texto]);
}

export const segmento = (marker: number, data: Buffer) =>
  Buffer.concat([Buffer.from([0xff, marker]), u16(data.length + 2), data]);
export const app1 = (exif: Buffer) => segmento(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exif]));

/** One grey square of 8 by 8 that any viewer draws. */
const JFIF = segmento(0xe0, Buffer.from('4a46494600010100000100010000', 'hex'));
const QUANT = segmento(0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 1)]));
const marco = (ancho: number, alto: number) =>
  segmento(0xc0, Buffer.concat([Buffer.from([8]), u16(alto), u16(ancho), Buffer.from([1, 1, 0x11, 0])]));
const huffman = (clase: number) =>
  segmento(0xc4, Buffer.concat([Buffer.from([clase, 1]), Buffer.alloc(15), Buffer.from([0])]));
const SCAN = Buffer.concat([segmento(0xda, Buffer.from([1, 1, 0, 0, 63, 0])), Buffer.from([0x3f])]);
const FIN = Buffer.from([0xff, 0xd9]);

export const jpeg = ({
  antes = [],
  ancho = 8,
  alto = 8,
  despues = Buffer.alloc(0),
}: { antes?: Buffer[]; ancho?: number; alto?: number; despues?: Buffer } = {}) =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    JFIF,
    ...antes,
    QUANT,
    marco(ancho, alto),
    huffman(0),
    huffman(0x10),
    SCAN,
    FIN,
    despues,
  ]);

export const trozo = (name: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  return Buffer.concat([u32(data.length), body, u32(crc32(body))]);
};

const FIRMA = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
export const png = ({
  antes = [],
  ancho = 2,
  alto = 2,
  despues = Buffer.alloc(0),
}: { antes?: Buffer[]; ancho?: number; alto?: number; despues?: Buffer } = {}) =>
  Buffer.concat([
    FIRMA,
    trozo('IHDR', Buffer.concat([u32(ancho), u32(alto), Buffer.from([8, 0, 0, 0, 0])])),
    ...antes,
    trozo('IDAT', deflateSync(Buffer.from([0, 128, 128, 0, 128, 128]))),
    trozo('IEND', Buffer.alloc(0)),
    despues,
  ]);

/** The smallest picture there is in WebP, lossless, one point. */
const VP8L = Buffer.from('2f00000010071011118888fe0700', 'hex');
const riff = (name: string, data: Buffer) =>
  Buffer.concat([Buffer.from(name, 'latin1'), le32(data.length), data, Buffer.alloc(data.length % 2)]);
export function webp({ exif, despues = Buffer.alloc(0) }: { exif?: Buffer; despues?: Buffer } = {}): Buffer {
  const vp8x = riff('VP8X', Buffer.concat([Buffer.from([exif ? 0x0c : 0, 0, 0, 0]), Buffer.alloc(6)]));
  const parts = exif
    ? [vp8x, riff('VP8L', VP8L), riff('EXIF', exif), riff('XMP ', Buffer.from('<x:xmpmeta>19.4326</x:xmpmeta>'))]
    : [riff('VP8L', VP8L)];
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...parts]);
  return Buffer.concat([Buffer.from('RIFF', 'latin1'), le32(body.length), body, despues]);
}

export const pdf = (texto = 'Hola') =>
  Buffer.from(`%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj % ${texto}\ntrailer<</Root 1 0 R>>\n%%EOF\n`);

/** What Banxico gives of a transfer. */
export const cep = ({ clave = 'MBAN01002611200045', monto = '34512.50', fecha = '2026-11-20' } = {}) =>
  Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?><SPEI_Tercero FechaOperacion="${fecha}" Hora="13:43:20" ClaveSPEI="40012" sello="abc" numeroCertificado="00001000000505142236" cadenaCDA="||1||" claveRastreo="${clave}"><Beneficiario BancoReceptor="BANORTE" Nombre="SYSCOM" TipoCuenta="40" Cuenta="072180000000000000" RFC="SSC840823JT3" Concepto="PAGO" IVA="0.00" MontoPago="${monto}"/><Ordenante BancoEmisor="BBVA MEXICO" Nombre="NOSOTROS" TipoCuenta="40" Cuenta="012180000000000000" RFC="EKU9003173C9"/></SPEI_Tercero>`,
  );
