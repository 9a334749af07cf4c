import { sql, type RawBuilder } from 'kysely';
import { searchWords } from '~/core/list';
import type { Accion, Buscador, Busqueda } from '~/platform/search/buscador';
import type { Db } from '~db/client.server';
import { holdsWords, ordenesEnteras, rows } from '../listOrdenes.server';
import { isPagada } from '../orden';

/**
 * Sales by any of their identifiers: number, pack, folio or RFC of what invoices them, folio of a supplier, shipment, guía, SKU or model; else by words of their title or of their
 * buyer: nickname, name, receiver, legal name, telephone.
 * Ids grow with time: of a SKU that sold a thousand times the last ones are read and no others.
 */
export const buscarOrdenes: Buscador = {
  clase: 'ordenes',
  titulo: 'Ordenes',
  pantalla: 'ordenes',
  async find(db, busqueda) {
    const ids = (await idsOf(db, enteras(busqueda))) ?? (await idsByWords(db, busqueda)) ?? [];
    if (ids.length === 0) return [];
    const found = await rows(db).where('orden.id', 'in', ids).orderBy('orden.fechaCreacion', 'desc').execute();
    return found.map((orden) => ({
      id: orden.id,
      titulo: orden.numOrden,
      detalle: [orden.titulo, orden.comprador, orden.folio ?? 'No Facturado'].filter(Boolean).join(' · '),
      fecha: orden.fechaCreacion,
      a: `ordenes?ver=${orden.id}`,
      acciones: accionesOf(orden),
    }));
  },
};

type Row = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number];

/** 'Facturar' is offered for sales that most likely can be invoiced; the stepper says why a sale cannot. */
function accionesOf({ clase, meliResale, situacion, facturaId, reclamada, numOrden }: Row): Accion[] {
  const facturable = (clase === 'normal' || clase === 'invalida') && !meliResale && isPagada(situacion);
  if (!facturable || facturaId !== null || reclamada !== null) return [];
  return [{ titulo: `Facturar la orden ${numOrden}`, pantalla: 'facturacion', a: `facturacion?numOrden=${numOrden}` }];
}

async function idsOf(db: Db, chosen: RawBuilder<{ id: string }>): Promise<string[] | null> {
  const { rows } = await chosen.execute(db);
  return rows.length > 0 ? rows.map(({ id }) => id) : null;
}

function enteras({ texto, entero, limite }: Busqueda) {
  const deArticulo = (column: string) =>
    sql`(select orden_id as id from articulo where lower(${sql.ref(column)}) = lower(${texto}) order by orden_id desc limit ${limite})`;
  const parts = [
    ...(entero ? [ordenesEnteras(entero)] : []),
    sql`select o.id from envio e join orden o on o.envio_id = e.id where lower(e.guia) = lower(${texto})`,
    sql`select o.id from envio e join orden o on o.envio_id = e.id where e.market_id = ${texto}`,
    deArticulo('sku'),
    deArticulo('modelo'),
  ];
  return sql<{ id: string }>`select id from (${sql.join(parts, sql` union `)}) found order by id desc limit ${limite}`;
}

/**
 * Returns the last sales that hold the words. Words of which each is common may be together in thousands of sales or in none, and no plan is quick at both: what
 * is common is found among the newest, and what is not by the index of all words.
 */
async function idsByWords(db: Db, { texto, limite }: Busqueda): Promise<string[] | null> {
  if (searchWords(texto).length === 1) return idsOf(db, newest(ventasWhere(db, holdsWords(texto)), limite));
  const nuevas = db
    .selectFrom('orden')
    .select(['orden.id', 'orden.fechaCreacion', 'orden.busqueda'])
    .orderBy('orden.fechaCreacion', 'desc')
    .orderBy('orden.id', 'desc')
    .limit(NUEVAS);
  const entreNuevas = db.selectFrom(nuevas.as('orden')).select('orden.id').where(holdsWords(texto));
  const found = await idsOf(db, newest(entreNuevas, limite));
  if (found?.length === limite) return found;
  return idsOf(db, newest(ventasWhere(db, holdsWords(texto, { todas: true })), limite));
}

/** Sales that are read one by one before an index is asked. */
const NUEVAS = 1_000;

const ventasWhere = (db: Db, holds: RawBuilder<boolean>) => db.selectFrom('orden').select('orden.id').where(holds);

const newest = (ventas: ReturnType<typeof ventasWhere>, limite: number) =>
  sql<{ id: string }>`${ventas.orderBy('orden.fechaCreacion', 'desc').orderBy('orden.id', 'desc').limit(limite)}`;
