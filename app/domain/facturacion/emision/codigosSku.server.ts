import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import { CODIGO_SAT_GENERICO, type Articulo } from '~/domain/facturacion/cfdi/articulos';
import type { Db, Trx } from '~db/client.server';

/** The SAT key of each product, as it was last stamped: what a sku is proposed with from then on. */
export type CodigoDeSku = { sku: string; codigoSat: string };

export function codigosOf(articulos: readonly Articulo[]): CodigoDeSku[] {
  const codigos = new Map(
    articulos.flatMap(({ sku, codigoSat }) =>
      sku && codigoSat !== CODIGO_SAT_GENERICO ? [[sku, codigoSat] as const] : [],
    ),
  );
  return [...codigos].map(([sku, codigoSat]) => ({ sku, codigoSat }));
}

/** The PAC took them: only now they are known to be keys. */
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

/** The PAC refused a product key: it does not say which, so none of these is proposed again for its sku. */
export async function forgetCodigos(db: Db | Trx, codigos: readonly CodigoDeSku[]): Promise<void> {
  for (const { sku, codigoSat } of codigos)
    await db.deleteFrom('codigoSatSku').where('sku', '=', sku).where('codigoSat', '=', codigoSat).execute();
}

const CLAVES_RECHAZADAS = /CFDI4016[234]/;
export const isClaveRechazada = (reason: string) => CLAVES_RECHAZADAS.test(reason);

/** Which of these keys the catalogue lacks; none where we hold too little of the catalogue to know. */
async function codigosDesconocidos(db: Db | Trx, codigos: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ codigo: string }>`
    select codigo from unnest(${[...new Set(codigos)]}::text[]) codigo
    where (select count(*) from (select from sat_clave where catalogo = 'productos' limit ${CATALOGO_COMPLETO}) c) = ${CATALOGO_COMPLETO}
      and not exists (select from sat_clave where catalogo = 'productos' and clave = codigo)`.execute(db);
  return new Set(rows.map(({ codigo }) => codigo));
}

/** Refuses the first line whose key the catalogue does not have, at its field or where `campo` says. */
export async function requireCodigos(
  db: Db | Trx,
  titulo: string,
  articulos: readonly Pick<Articulo, 'codigoSat'>[],
  campo?: string,
): Promise<void> {
  const desconocidos = await codigosDesconocidos(
    db,
    articulos.map(({ codigoSat }) => codigoSat),
  );
  const at = articulos.findIndex(({ codigoSat }) => desconocidos.has(codigoSat));
  if (at < 0) return;
  throw new NotAllowed(
    titulo,
    `El código SAT ${articulos[at]!.codigoSat} no existe en el catálogo del SAT. Corrígelo en los artículos.`,
    { campo: campo ?? `articulos[${at}].codigoSat` },
  );
}

/** What each sku was last stamped with, where it still is a key. */
export async function codigosOfSkus(db: Db | Trx, skus: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (skus.length === 0) return new Map();
  const known = await db
    .selectFrom('codigoSatSku')
    .select(['sku', 'codigoSat'])
    .where('sku', 'in', [...skus])
    .execute();
  const desconocidos = await codigosDesconocidos(
    db,
    known.map(({ codigoSat }) => codigoSat),
  );
  return new Map(known.flatMap(({ sku, codigoSat }) => (desconocidos.has(codigoSat) ? [] : [[sku, codigoSat]])));
}

/** The SAT's catalogue has some 52,000; ours is what the PAC handed over, or a few of general use. */
const CATALOGO_COMPLETO = 40_000;

/** What an invoice with these lines will teach, in a sentence; null when nothing new. */
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
