import { randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';

type Manifiesto = { paquete?: string; version?: string; codigo?: number };

const u16 = (...values: number[]) => {
  const out = Buffer.alloc(values.length * 2);
  values.forEach((value, at) => out.writeUInt16LE(value, at * 2));
  return out;
};
const u32 = (...values: number[]) => {
  const out = Buffer.alloc(values.length * 4);
  values.forEach((value, at) => out.writeUInt32LE(value, at * 4));
  return out;
};

/** A ZIP whose entries are deflated; `firma` stands right before its directory. */
export function zipDe(entradas: Record<string, Buffer>, firma = Buffer.alloc(0)): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(entradas)) {
    const [packed, nombre] = [deflateRawSync(content), Buffer.from(name)];
    const common = [u16(20, 0, 8, 0, 0), u32(0, packed.length, content.length), u16(nombre.length, 0)];
    directory.push(u32(0x02014b50), u16(20), ...common, u16(0, 0, 0), u32(0, at), nombre);
    const local = Buffer.concat([u32(0x04034b50), ...common, nombre, packed]);
    locals.push(local);
    at += local.length;
  }
  const central = Buffer.concat(directory);
  const count = Object.keys(entradas).length;
  return Buffer.concat([
    ...locals,
    firma,
    central,
    u32(0x06054b50),
    u16(0, 0, count, count),
    u32(central.length, at + firma.length),
    u16(0),
  ]);
}

/** As aapt2 writes it for an APK: two attributes by the numbers of their resources, one by its name. */
export function manifiestoBinario(
  { paquete = 'mx.tienda.app', version = '2.4.1', codigo = 241 }: Manifiesto,
  utf8 = true,
) {
  const textos = ['versionCode', 'versionName', 'package', 'manifest', version, paquete];
  const datos = textos.map((text) =>
    utf8
      ? Buffer.concat([Buffer.from([text.length, Buffer.byteLength(text)]), Buffer.from(`${text}\0`)])
      : Buffer.concat([u16(text.length), Buffer.from(`${text}\0`, 'utf16le')]),
  );
  const offsets = datos.map((_, i) => datos.slice(0, i).reduce((sum, { length }) => sum + length, 0));
  const chunk = (type: number, head: number, body: Buffer) =>
    Buffer.concat([u16(type, head), u32(8 + body.length), body]);
  const pool = chunk(
    0x0001,
    28,
    Buffer.concat([u32(textos.length, 0, utf8 ? 0x100 : 0, 28 + 4 * textos.length, 0, ...offsets), ...datos]),
  );
  const recursos = chunk(0x0180, 8, u32(0x0101021b, 0x0101021c));
  const NADA = 0xffffffff;
  const attribute = (name: number, type: number, value: number) =>
    Buffer.concat([u32(NADA, name, NADA), u16(8), Buffer.from([0, type]), u32(value)]);
  const manifest = chunk(
    0x0102,
    16,
    Buffer.concat([
      u32(1, NADA, NADA, 3),
      u16(20, 20, 3, 0, 0, 0),
      attribute(0, 0x10, codigo),
      attribute(1, 0x03, 4),
      attribute(2, 0x03, 5),
    ]),
  );
  return chunk(0x0003, 8, Buffer.concat([pool, recursos, manifest]));
}

/** As bundletool writes it for an AAB. */
export function manifiestoProto({ paquete = 'mx.tienda.app', version = '2.4.1', codigo = 241 }: Manifiesto) {
  const field = (number: number, body: Buffer) => {
    const length = body.length < 128 ? [body.length] : [(body.length & 0x7f) | 0x80, body.length >> 7];
    return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), body]);
  };
  const attribute = (name: string, value: string) =>
    field(4, Buffer.concat([field(2, Buffer.from(name)), field(3, Buffer.from(value)), Buffer.from([5 << 3, 7])]));
  return field(
    1,
    Buffer.concat([
      field(3, Buffer.from('manifest')),
      attribute('versionCode', String(codigo)),
      attribute('versionName', version),
      attribute('package', paquete),
    ]),
  );
}

const FIRMA_V2 = Buffer.from('\0'.repeat(24) + 'APK Sig Block 42', 'latin1');

/** Signed as today's tools do, and as heavy as asked: `relleno` does not compress. */
export const buildApk = ({ relleno = 0, ...manifiesto }: Manifiesto & { relleno?: number } = {}) =>
  zipDe({ 'classes.dex': randomBytes(relleno), 'AndroidManifest.xml': manifiestoBinario(manifiesto) }, FIRMA_V2);

export const buildAab = (manifiesto: Manifiesto = {}) =>
  zipDe({ 'base/manifest/AndroidManifest.xml': manifiestoProto(manifiesto), 'META-INF/CERT.RSA': Buffer.from('x') });
