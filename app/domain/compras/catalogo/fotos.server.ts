import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import { groupBy } from '~/core/groupBy';
import { record } from '~/platform/bitacora.server';
import { type Archivo, readArchivo, storeOnce } from '~/platform/files/archivos.server';
import { receiveArchivos, type Recibido } from '~/platform/files/receiveFile.server';
import { Refused, Unavailable } from '~/integrations/errors';
import { fetchImagen } from '~/integrations/imagenes/client.server';
import { type Medidas, medidasOf } from '~/integrations/imagenes/medidas';
import type { Db, Trx } from '~db/client.server';
import { enqueue } from '~db/queue/catalog.server';
import { PRODUCTO_DE_ARTICULO } from './delArticulo.server';
import type { FotoAMover, FotosNuevas } from './forms';
import { direccionOfFoto, type Foto, MAX_FOTOS, problemaOfFoto } from './fotos';
import { renewRetrato } from './internal/pedirRetratos.server';
import { PUERTA } from './internal/puerta.server';

const TITULO = 'Error de carga.';
/** Most pictures of one supplier's product. */
const MAX_DEL_PROVEEDOR = 8;
/** Pictures that are fetched at once. */
const A_LA_VEZ = 4;

/** Keeps the addresses of pictures that the worker may fetch. */
export function imagenesPermitidas(imagenes: readonly string[]): string[] {
  return [...new Set(imagenes)]
    .filter((imagen) => URL.canParse(imagen) && PUERTA.permite(new URL(imagen)))
    .slice(0, MAX_DEL_PROVEEDOR);
}

const FILA = ['id', 'origen', 'llave', 'archivoId', 'ancho', 'alto', 'problema', 'inalcanzable', 'miradaEn'] as const;

/** Reads the pictures of a product: first its own in their order, then the supplier's as its catalogue tells them. */
export const readFotos = async (db: Db | Trx, productoId: string): Promise<Foto[]> =>
  (await readFotosOf(db, [productoId])).get(productoId) ?? [];

/** Reads the pictures of some products, each as `readFotos` does. A product that is gone is left out. */
export async function readFotosOf(db: Db | Trx, ids: readonly string[]): Promise<ReadonlyMap<string, Foto[]>> {
  if (ids.length === 0) return new Map();
  const [productos, filas] = await Promise.all([
    db.selectFrom('producto').select(['id', 'imagenes']).where('id', 'in', ids).execute(),
    db
      .selectFrom('productoFoto')
      .select([...FILA, 'productoId'])
      .where('productoId', 'in', ids)
      .orderBy('posicion')
      .orderBy('id')
      .execute(),
  ]);
  const deProducto = groupBy(filas, ({ productoId }) => productoId);
  return new Map(
    productos.map(({ id, imagenes }) => {
      const suyas = deProducto.get(id) ?? [];
      const porOrigen = new Map(suyas.map((fila) => [fila.origen, fila]));
      const propias = suyas.flatMap((fila) => (fila.origen === null ? [fotoOf(fila)] : []));
      const delProveedor = imagenesPermitidas(imagenes).map((url): Foto => {
        const fila = porOrigen.get(url);
        return fila ? fotoOf(fila) : { ...SIN_MIRAR, id: url, url };
      });
      return [id, [...propias, ...delProveedor]];
    }),
  );
}

/** Returns the address of the first picture of a product that is here, its own before its supplier's; null where none is, or there is no product. */
export async function readRetrato(db: Db, productoId: string | null): Promise<string | null> {
  return (await retratosOfPlaces(db, [{ posicion: 0, productoId }])).get(0) ?? null;
}

/** Returns the pictures of the products at some places, each as `readRetrato` does, by one reading. A place without a product has no entry. */
export async function retratosOfPlaces(
  db: Db,
  places: readonly { posicion: number; productoId: string | null }[],
): Promise<ReadonlyMap<number, string | null>> {
  const ids = new Set(places.flatMap(({ productoId }) => productoId ?? []));
  const fotos = await readFotosOf(db, [...ids]);
  const copias = new Map([...ids].map((id) => [id, fotos.get(id)?.find(({ copia }) => copia !== null)?.copia ?? null]));
  await Promise.all([...copias].flatMap(([id, copia]) => (copia === null ? [askFotos(db, id)] : [])));
  return new Map(
    places.flatMap(({ posicion, productoId }) =>
      productoId === null ? [] : [[posicion, copias.get(productoId) ?? null] as const],
    ),
  );
}

/** Returns the pictures of the articles of a sale by their place. An article without a known product has no entry. */
export async function retratosOfOrden(db: Db, ordenId: string): Promise<ReadonlyMap<number, string | null>> {
  const articulos = await db
    .selectFrom('articulo')
    .where('ordenId', '=', ordenId)
    .select(['posicion', PRODUCTO_DE_ARTICULO.as('productoId')])
    .execute();
  return retratosOfPlaces(db, articulos);
}

const SIN_MIRAR = {
  propia: false,
  copia: null,
  archivoId: null,
  ancho: null,
  alto: null,
  problema: null,
  estado: 'pendiente',
} as const;

type Fila = {
  id: string;
  origen: string | null;
  llave: string;
  archivoId: string | null;
  ancho: number | null;
  alto: number | null;
  problema: string | null;
  inalcanzable: boolean;
  miradaEn: Date | null;
};

function fotoOf({ id, origen, llave, archivoId, ancho, alto, problema, inalcanzable, miradaEn }: Fila): Foto {
  const copia = archivoId === null ? null : direccionOfFoto(llave);
  const estado = copia ? 'lista' : miradaEn === null ? 'pendiente' : inalcanzable ? 'ajena' : 'mala';
  const url = origen ?? direccionOfFoto(llave);
  return { id, url, propia: origen === null, copia, archivoId, ancho, alto, problema, estado };
}

/** A failed picture is looked at again after ten minutes, and a copy after a month. */
const VENCIDA = sql<boolean>`producto_foto.mirada_en <
  now() - case when producto_foto.archivo_id is null then interval '10 minutes' else interval '30 days' end`;

/** Asks the worker for the supplier's pictures of a product that it has not brought yet. */
export async function askFotos(db: Db, productoId: string): Promise<void> {
  if (await notePorTraer(db, productoId)) await enqueue(db, 'productos.fotos', { productoId });
}

/** Writes a row for each picture that is to be fetched; returns whether there are new ones. */
async function notePorTraer(db: Db, productoId: string): Promise<boolean> {
  const producto = await db.selectFrom('producto').select('imagenes').where('id', '=', productoId).executeTakeFirst();
  const imagenes = imagenesPermitidas(producto?.imagenes ?? []);
  if (imagenes.length === 0) return false;
  const conocidas = await db
    .selectFrom('productoFoto')
    .select(['origen', VENCIDA.as('vencida')])
    .where('productoId', '=', productoId)
    .where('origen', 'in', imagenes)
    .execute();
  if (conocidas.length === imagenes.length && !conocidas.some(({ vencida }) => vencida)) return false;
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('productoFoto')
    .values(imagenes.map((origen) => ({ productoId, origen })))
    .onConflict((conflict) => conflict.columns(['productoId', 'origen']).doUpdateSet({ miradaEn: null }).where(VENCIDA))
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Fetches the supplier's pictures of a product that nobody has looked at. Each is kept, or the reason is. */
export async function bringFotos(db: Db, productoId: string): Promise<void> {
  await notePorTraer(db, productoId);
  const filas = await db
    .selectFrom('productoFoto')
    .select(['id', 'origen'])
    .where('productoId', '=', productoId)
    .where('miradaEn', 'is', null)
    .where('origen', 'is not', null)
    .orderBy('id')
    .execute();
  for (let at = 0; at < filas.length; at += A_LA_VEZ)
    await Promise.all(filas.slice(at, at + A_LA_VEZ).map(({ id, origen }) => bring(db, id, origen!)));
}

async function bring(db: Db, id: string, origen: string): Promise<void> {
  const vista = await look(origen);
  await db.transaction().execute(async (trx) => {
    const { medidas } = vista;
    const archivoId = 'contenido' in vista ? await storeOnce(trx, archivoOf(vista.contenido, vista.medidas)) : null;
    // A copy outlives a supplier who does not answer today.
    const sabido = 'contenido' in vista || !vista.calla;
    await trx
      .updateTable('productoFoto')
      .set({
        miradaEn: sql<Date>`now()`,
        problema: 'contenido' in vista ? null : vista.problema,
        // Marketplaces fetch over https alone.
        inalcanzable: !sabido && origen.startsWith('https:'),
        ...(sabido && {
          archivoId,
          ancho: medidas?.ancho ?? null,
          alto: medidas?.alto ?? null,
          // What is kept under an address for a year never changes there.
          llave: sql<string>`case when archivo_id is not distinct from ${archivoId}::uuid then llave else gen_random_uuid() end`,
        }),
      })
      .where('id', '=', id)
      .where('miradaEn', 'is', null)
      .execute();
  });
}

const archivoOf = (contenido: Buffer, { tipo }: Medidas) => ({
  nombre: `foto.${tipo === 'image/png' ? 'png' : 'jpg'}`,
  tipo,
  contenido,
});

/** A picture as it was looked at. `calla`: the supplier gave no answer that is for good. */
type Vista = { medidas: Medidas; contenido: Buffer } | { medidas: Medidas | null; problema: string; calla: boolean };

async function look(origen: string): Promise<Vista> {
  try {
    const contenido = await fetchImagen(origen, PUERTA);
    const medidas = medidasOf(contenido);
    const problema = problemaOfFoto(medidas, contenido.length);
    if (problema === null && medidas) return { medidas, contenido };
    return { medidas, problema: problema ?? '', calla: false };
  } catch (error) {
    if (!(error instanceof Unavailable || error instanceof Refused)) throw error;
    return { medidas: null, problema: error.message, calla: error instanceof Unavailable };
  }
}

/** Reads the picture of an address that anybody may open, whole or small; undefined without one. */
export async function readFotoAbierta(db: Db, llave: string): Promise<Omit<Archivo, 'id'> | undefined> {
  const foto = await db
    .selectFrom('productoFoto')
    .select(['archivoId', sql<Buffer | null>`null::bytea`.as('miniatura')])
    .where('llave', '=', llave)
    .unionAll((eb) =>
      eb
        .selectFrom('productoRetrato')
        .select([sql<string | null>`null::uuid`.as('archivoId'), 'miniatura'])
        .where('llave', '=', llave),
    )
    .executeTakeFirst();
  if (foto?.miniatura) return archivoOfMiniatura(foto.miniatura);
  return foto?.archivoId ? readArchivo(db, foto.archivoId) : undefined;
}

const archivoOfMiniatura = (contenido: Buffer): Omit<Archivo, 'id'> => ({
  nombre: 'retrato.webp',
  tipo: 'image/webp',
  bytes: contenido.length,
  sha256: createHash('sha256').update(contenido).digest('hex'),
  contenido,
});

/** Adds own pictures to a product, after those that it has. Throws NotAllowed with the name of a picture that no marketplace takes. */
export async function addFotos(db: Db, { id, fotos }: FotosNuevas, usuarioId: string): Promise<number> {
  const recibidas: (Recibido & { medidas: Medidas })[] = [];
  for (const una of await receiveArchivos(fotos, 'fotos')) {
    const medidas = medidasOf(una.contenido);
    const problema = problemaOfFoto(medidas, una.contenido.length);
    if (problema !== null || !medidas)
      throw new NotAllowed(TITULO, `${una.nombre}: ${problema ?? ''}`, { campo: 'fotos' });
    recibidas.push({ ...una, medidas });
  }
  return await db.transaction().execute(async (trx) => {
    await lockProducto(trx, id);
    const antes = await propiasOf(trx, id);
    if (antes.length + recibidas.length > MAX_FOTOS)
      throw new NotAllowed(TITULO, `Un producto tiene hasta ${MAX_FOTOS} fotos propias. Quita alguna antes.`, {
        campo: 'fotos',
      });
    const ultima = antes.at(-1)?.posicion ?? 0;
    for (const [at, { medidas, ...archivo }] of recibidas.entries())
      await trx
        .insertInto('productoFoto')
        .values({
          productoId: id,
          posicion: ultima + at + 1,
          archivoId: await storeOnce(trx, archivo),
          ancho: medidas.ancho,
          alto: medidas.alto,
          miradaEn: sql<Date>`now()`,
          usuarioId,
        })
        .execute();
    await renewRetrato(trx, id);
    const datos = { fotos: recibidas.map(({ nombre }) => nombre) };
    await record(trx, { usuarioId, entidad: 'producto', entidadId: id, accion: 'agregarFotos', datos });
    return recibidas.length;
  });
}

/** Removes an own picture. One that is gone already is no error. */
export async function removeFoto(trx: Trx, { id, foto }: FotoAMover, usuarioId: string): Promise<void> {
  const { numDeletedRows } = await trx
    .deleteFrom('productoFoto')
    .where('id', '=', foto)
    .where('productoId', '=', id)
    .where('origen', 'is', null)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) return;
  await renewRetrato(trx, id);
  await record(trx, { usuarioId, entidad: 'producto', entidadId: id, accion: 'quitarFoto', datos: { foto } });
}

/** Moves an own picture one place forward. The first stays. */
export async function advanceFoto(trx: Trx, { id, foto }: FotoAMover, usuarioId: string): Promise<void> {
  await lockProducto(trx, id);
  const propias = await propiasOf(trx, id);
  const at = propias.findIndex((una) => una.id === foto);
  if (at < 1) return;
  const [antes, esta] = [propias[at - 1]!, propias[at]!];
  for (const [una, posicion] of [
    [antes, esta.posicion],
    [esta, antes.posicion],
  ] as const)
    await trx.updateTable('productoFoto').set({ posicion }).where('id', '=', una.id).execute();
  await renewRetrato(trx, id);
  await record(trx, { usuarioId, entidad: 'producto', entidadId: id, accion: 'ordenarFotos', datos: { foto } });
}

async function lockProducto(trx: Trx, id: string): Promise<void> {
  const producto = await trx.selectFrom('producto').select('id').where('id', '=', id).forUpdate().executeTakeFirst();
  if (!producto) throw new NotAllowed(TITULO, 'El producto ya no está en el catálogo.');
}

const propiasOf = (trx: Trx, productoId: string) =>
  trx
    .selectFrom('productoFoto')
    .select(['id', 'posicion'])
    .where('productoId', '=', productoId)
    .where('origen', 'is', null)
    .orderBy('posicion')
    .orderBy('id')
    .execute();
