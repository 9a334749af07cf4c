import { sql } from 'kysely';
import { readArchivo } from '~/platform/files/archivos.server';
import { Refused, Unavailable } from '~/integrations/errors';
import { fetchImagen } from '~/integrations/imagenes/client.server';
import { miniaturaOf } from '~/integrations/imagenes/miniatura.server';
import type { Db } from '~db/client.server';
import { enqueue } from '~db/queue/catalog.server';
import { direccionOfFoto, type Foto } from './fotos';
import { PRODUCTO_DE_ARTICULO } from './delArticulo.server';
import { readFotosOf } from './fotos.server';
import { askRetratos } from './internal/pedirRetratos.server';
import { PUERTA } from './internal/puerta.server';

/** Most products of one run. The rest goes to a run of its own, so a worker that is told to stop never waits for all. */
const POR_CORRIDA = 60;
/** Products that are looked at together. */
const A_LA_VEZ = 3;
/** Pictures of one product that are tried. */
const MAX_INTENTOS = 3;

/**
 * Returns what stands beside the rows of a window that are about these products, by one reading. The worker is asked for pictures that are missing or due,
 * and nobody waits for them.
 */
export async function ladosOf(db: Db, productos: readonly (string | null)[]): Promise<{ retrato: string | null }[]> {
  const retratos = await readRetratos(db, [...new Set(productos.filter((id) => id !== null))]);
  return productos.map((id) => ({ retrato: (id !== null && retratos.get(id)) || null }));
}

/** SQL: the first article of each sale, or of each package, by the id that its row is about. */
const PRIMEROS = {
  orden: (ids: readonly string[]) => sql`
    select distinct on (a.orden_id) a.orden_id as de, a.sku, a.proveedor, a.modelo
    from articulo a where a.orden_id = any(${ids}::uuid[]) order by a.orden_id, a.posicion`,
  envio: (ids: readonly string[]) => sql`
    select distinct on (o.envio_id) o.envio_id as de, a.sku, a.proveedor, a.modelo
    from orden o join articulo a on a.orden_id = o.id where o.envio_id = any(${ids}::uuid[])
    order by o.envio_id, o.clase in ('cancelada', 'devuelta'), o.market_id, a.posicion`,
};

/**
 * Returns what stands beside rows about sales or packages: the picture of the product that the first article of each names. One statement finds the products:
 * articles of one sku are looked up once.
 */
export async function ladosOfVentas(
  db: Db,
  de: keyof typeof PRIMEROS,
  ids: readonly (string | null)[],
): Promise<{ retrato: string | null }[]> {
  const { rows } = await sql<{ de: string; productoId: string | null }>`
    with primero as materialized (${PRIMEROS[de](ids.filter((id) => id !== null))}),
    dicho as materialized (select distinct sku, proveedor, modelo from primero),
    hallado as materialized (select articulo.*, ${PRODUCTO_DE_ARTICULO} as producto_id from dicho as articulo)
    select primero.de, hallado.producto_id
    from primero join hallado on hallado.sku is not distinct from primero.sku
      and hallado.proveedor is not distinct from primero.proveedor and hallado.modelo is not distinct from primero.modelo`.execute(
    db,
  );
  const productos = new Map(rows.map((venta) => [venta.de, venta.productoId]));
  return ladosOf(
    db,
    ids.map((id) => productos.get(id ?? '') ?? null),
  );
}

async function readRetratos(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
  if (ids.length === 0) return new Map();
  const conocidos = await db
    .selectFrom('productoRetrato')
    .select(['productoId', 'llave', sql<boolean>`vence_en <= now()`.as('vencido')])
    .where('productoId', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  const alDia = new Set(conocidos.flatMap(({ productoId, vencido }) => (vencido ? [] : [productoId])));
  await askRetratos(
    db,
    ids.filter((id) => !alDia.has(id)),
  );
  return new Map(conocidos.map(({ productoId, llave }) => [productoId, llave && direccionOfFoto(llave)]));
}

/** Makes the small pictures that lists asked for, the last asked first: what somebody looks at now goes before what was scrolled past. */
export async function makeRetratos(db: Db, signal: AbortSignal): Promise<void> {
  const pendientes = await db
    .selectFrom('productoRetrato')
    // As text, since a Date of JavaScript is coarser.
    .select(['productoId', 'origen', sql<string>`vence_en::text`.as('vence')])
    .where('miradaEn', 'is', null)
    .orderBy('venceEn', 'desc')
    .limit(POR_CORRIDA + 1)
    .execute();
  const esperan = pendientes.slice(0, POR_CORRIDA);
  const callan = new Set<string>();
  for (let at = 0; at < esperan.length && !signal.aborted; at += A_LA_VEZ) {
    const juntos = esperan.slice(at, at + A_LA_VEZ);
    const fotos = await readFotosOf(
      db,
      juntos.map(({ productoId }) => productoId),
    );
    await Promise.all(juntos.map((una) => makeRetrato(db, una, fotos.get(una.productoId) ?? [], callan)));
  }
  if (pendientes.length > POR_CORRIDA || signal.aborted) await enqueue(db, 'productos.retratos', {});
}

/** The small picture that came of a product's pictures. `calla`: one that goes before it did not answer, so another look is worth while soon. */
type Hallado = { origen: string; miniatura: Buffer; calla: boolean } | { problema: string; calla: boolean };

/** A small picture that is to be made, as it stood before the pictures of its product were read: whatever changes them afterwards moves `vence`. */
type Pendiente = { productoId: string; origen: string | null; vence: string };

async function makeRetrato(
  db: Db,
  { productoId, origen, vence }: Pendiente,
  fotos: readonly Foto[],
  callan: Set<string>,
): Promise<void> {
  const hallado = await findMiniatura(db, fotos, origen, callan);
  await db
    .updateTable('productoRetrato')
    .set({
      miradaEn: sql<Date>`now()`,
      venceEn: sql<Date>`now() + ${'miniatura' in hallado && !hallado.calla ? '30 days' : '1 day'}::interval`,
      ...('miniatura' in hallado
        ? {
            problema: null,
            origen: hallado.origen,
            miniatura: hallado.miniatura,
            // What is kept under an address for a year never changes there.
            llave: sql<string>`case when miniatura = ${hallado.miniatura} then llave else gen_random_uuid() end`,
          }
        : { problema: hallado.problema, ...(!hallado.calla && { origen: null, miniatura: null, llave: null }) }),
    })
    .where('productoId', '=', productoId)
    .where('miradaEn', 'is', null)
    // Pictures that changed meanwhile are looked at by the run that their change asked for.
    .where(sql<boolean>`vence_en = ${vence}::timestamptz`)
    .execute();
}

/** Returns the small picture of the first picture that serves, of copies that are here before any address is asked for the same picture. */
async function findMiniatura(
  db: Db,
  fotos: readonly Foto[],
  conocido: string | null,
  callan: Set<string>,
): Promise<Hallado> {
  let calla = false;
  let problema = 'No tiene fotos.';
  for (const { url, copia, archivoId } of fotos.slice(0, MAX_INTENTOS)) {
    const origen = copia ?? url;
    try {
      const contenido =
        archivoId === null ? await fetchCortes(url, callan) : (await readArchivo(db, archivoId))?.contenido;
      if (contenido) return { origen, miniatura: await miniaturaOf(contenido), calla };
    } catch (error) {
      if (!(error instanceof Unavailable || error instanceof Refused)) throw error;
      problema = error.message;
      calla ||= error instanceof Unavailable;
      // The known one outlives a supplier that is silent today.
      if (error instanceof Unavailable && origen === conocido) return { problema, calla };
    }
  }
  return { problema, calla };
}

/** Fetches a picture. A host that did not answer is left alone for the rest of the run. */
async function fetchCortes(url: string, callan: Set<string>): Promise<Buffer> {
  const { host } = new URL(url);
  if (callan.has(host)) throw new Unavailable(`${host} no contestó.`);
  try {
    return await fetchImagen(url, PUERTA);
  } catch (error) {
    if (error instanceof Unavailable) callan.add(host);
    throw error;
  }
}
