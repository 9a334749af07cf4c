import { Refused } from '../errors';
import { medidasOf } from './medidas';

/** Side of a small picture in px: 40 on a screen of two points to the px. */
const LADO = 80;
/** Most points of a picture that is opened. A JPEG or PNG that is kept whole in memory takes up to 6 bytes for each, so about 150 MB. */
const MAX_PIXELES = 25_000_000;
/** The readers of libvips that are left. Those of SVG, PDF, TIFF, HEIF and the like never see a byte of a supplier. */
const LECTORES = [
  'VipsForeignLoadJpegBuffer',
  'VipsForeignLoadPngBuffer',
  'VipsForeignLoadWebpBuffer',
  'VipsForeignLoadNsgifBuffer',
];

/** The library is loaded by the first small picture, so only the process that makes small pictures holds it. */
let abierta: ReturnType<typeof openSharp> | undefined;

async function openSharp() {
  const { default: sharp } = await import('sharp');
  sharp.concurrency(1);
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LECTORES });
  return sharp;
}

/** The end of the picture before: two at once would need the memory of two. */
let anterior: Promise<unknown> = Promise.resolve();

/**
 * Returns a picture as a WebP of 80 × 80 px, whole, upright and over transparent ground, about 2 kB. The same bytes make the same small picture. Throws `Refused` with what is
 * wrong with the picture.
 */
export async function miniaturaOf(contenido: Buffer): Promise<Buffer> {
  const medidas = medidasOf(contenido);
  if (!medidas) throw new Refused('No es una foto, aunque se llame como una.');
  if (medidas.ancho * medidas.alto > MAX_PIXELES)
    throw new Refused(`Mide ${medidas.ancho} × ${medidas.alto} px: son demasiados para abrirla.`);
  const esta = anterior.then(() => draw(contenido));
  anterior = esta.catch(() => undefined);
  return await esta;
}

async function draw(contenido: Buffer): Promise<Buffer> {
  const sharp = await (abierta ??= openSharp());
  const dibujo = sharp(contenido, { limitInputPixels: MAX_PIXELES, failOn: 'error', animated: false })
    .autoOrient()
    .resize(LADO, LADO, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .webp({ quality: 78, effort: 4 });
  try {
    return await dibujo.toBuffer();
  } catch (error) {
    // The library tells whatever it cannot read by a plain Error.
    throw new Refused('No se puede abrir como foto.', { cause: error });
  }
}
