import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import { CODIGO_SAT_GENERICO, type Articulo } from '~/domain/facturacion/cfdi/articulos';
import type { Db, Trx } from '~db/client.server';

/** A sku with its SAT key. The key that was last stamped with a sku is proposed with it from then on. */
export type CodigoDeSku = { sku: string; codigoSat: string };

/** The keys that stamping these rows will teach; the generic key teaches nothing. */
export function codigosOf(articulos: readonly Articulo[]): CodigoDeSku[] {
  const codigos = new Map(
    articulos.flatMap(({ sku, codigoSat }) =>
      sku && codigoSat !== CODIGO_SAT_GENERICO ? [[sku, codigoSat] as const] : [],
    ),
  );
  return [...codigos].map(([sku, codigoSat]) => ({ sku, codigoSat }));
}

/** Keeps keys that the PAC accepted in a stamp. */
export async function rememberCodigos(db: Db | Trx, codigos: readonly CodigoDeSku[]): Promise<void> {
  if (codigos.length === 0) return;
  await db
    .insertInto('codigoSatSku')
    .values([...codigos])
    .onConflict((conflict) =>
      conflict
        .column('sku')
        .doUpdateSet((eb) => ({ codigoSat: eb.ref('excluded.codigoSat'), actualizadoEn: new Date() })),
    )
    .execute();
}

/** Forgets keys of a refused stamp. The PAC does not say which key it refused, so none of them is proposed again for its sku. */
export async function forgetCodigos(db: Db | Trx, codigos: readonly CodigoDeSku[]): Promise<void> {
  for (const { sku, codigoSat } of codigos)
    await db.deleteFrom('codigoSatSku').where('sku', '=', sku).where('codigoSat', '=', codigoSat).execute();
}

const CLAVES_RECHAZADAS = /CFDI4016[234]/;
/** Tells whether a refusal of the PAC is about a product key. */
export const isClaveRechazada = (reason: string) => CLAVES_RECHAZADAS.test(reason);

/** The keys among these that the SAT's catalogue lacks; none when our copy of the catalogue is too small to know. */
async function unknownCodigos(db: Db | Trx, codigos: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ codigo: string }>`
    select codigo from unnest(${[...new Set(codigos)]}::text[]) codigo
    where (select count(*) from (select from sat_clave where catalogo = 'productos'
      limit ${CATALOGO_COMPLETO}) c) = ${CATALOGO_COMPLETO}
      and not exists (select from sat_clave where catalogo = 'productos' and clave = codigo)`.execute(db);
  return new Set(rows.map(({ codigo }) => codigo));
}

/** Throws NotAllowed for the first row whose key the catalogue lacks, at its field or at `campo`. */
export async function requireCodigos(
  db: Db | Trx,
  titulo: string,
  articulos: readonly Pick<Articulo, 'codigoSat'>[],
  campo?: string,
): Promise<void> {
  const unknown = await unknownCodigos(
    db,
    articulos.map(({ codigoSat }) => codigoSat),
  );
  const at = articulos.findIndex(({ codigoSat }) => unknown.has(codigoSat));
  if (at < 0) return;
  throw new NotAllowed(
    titulo,
    `El código SAT ${articulos[at]!.codigoSat} no existe en el catálogo del SAT. Corrígelo en los artículos.`,
    { campo: campo ?? `articulos[${at}].codigoSat` },
  );
}

/** The key that each sku was last stamped with, where the catalogue still has it. */
export async function codigosOfSkus(db: Db | Trx, skus: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (skus.length === 0) return new Map();
  const known = await db
    .selectFrom('codigoSatSku')
    .select(['sku', 'codigoSat'])
    .where('sku', 'in', [...skus])
    .execute();
  const unknown = await unknownCodigos(
    db,
    known.map(({ codigoSat }) => codigoSat),
  );
  return new Map(known.flatMap(({ sku, codigoSat }) => (unknown.has(codigoSat) ? [] : [[sku, codigoSat]])));
}

/** Keys from which our copy counts as the whole catalogue. The SAT has some 52,000; without the PAC's list we hold a few of general use. */
const CATALOGO_COMPLETO = 40_000;

/** A sentence that names the new keys which a factura with these rows will teach; null when it teaches none. */
export async function clavesPorAprender(db: Db | Trx, articulos: readonly Articulo[]): Promise<string | null> {
  const codigos = codigosOf(articulos);
  const known = await codigosOfSkus(
    db,
    codigos.map(({ sku }) => sku),
  );
  const nuevos = codigos.filter(({ sku, codigoSat }) => known.get(sku) !== codigoSat);
  if (nuevos.length === 0) return null;
  const productos = nuevos.slice(0, 3).map(({ sku, codigoSat }) => `${codigoSat} para ${sku}`);
  const mas = nuevos.length > 3 ? ` y ${nuevos.length - 3} más` : '';
  return `Al timbrarse, estas claves SAT se propondrán en las próximas facturas: ${productos.join(', ')}${mas}. Las facturas que ya existen no cambian.`;
}
