import { sql } from 'kysely';
import pg from 'pg';
import { Money } from '~/core/money';
import { choqueOfFila } from '~/core/choque';
import type { Question } from '~/core/fieldRules';
import { enLinea, enumerate, hechosOf } from '~/core/hechos';
import { enPesos } from '~/core/importe';
import { NotAllowed, Stale } from '~/core/errors';
import { ZONA_HORARIA } from '~/core/time';
import { record } from '~/platform/bitacora.server';
import type { Db, Trx } from '~db/client.server';
import type { NewProveedorFactura, ProveedorFacturaEditada } from './forms';
import { relateNotasOf } from './notas.server';

/** Text of a folio that exists already. The dialog answers this very text with 'Entendido', which reloads. */
export const YA_EXISTE = 'Error. Ya existe la factura con el folio indicado en la orden.';
const AGREGAR = 'Error al agregar.';
const EDITAR = 'Error de actualización.';

/** Returns a sale with its supplier invoices and articles; undefined when there is no such sale. */
export async function readFacturasOfOrden(db: Db | Trx, ordenId: string) {
  const orden = await db
    .selectFrom('orden')
    .select(['id', 'market', 'numOrden', 'titulo', 'pagado', 'clase'])
    .where('id', '=', ordenId)
    .executeTakeFirst();
  if (!orden) return undefined;
  const [facturas, articulos] = await Promise.all([
    facturasWhole(db)
      .where('proveedorFactura.ordenId', '=', ordenId)
      .orderBy('proveedorFactura.fechaCreacion')
      .execute(),
    db
      .selectFrom('articulo')
      .select(['nombre', 'cantidad', 'modelo', 'proveedor'])
      .where('ordenId', '=', ordenId)
      .orderBy('posicion')
      .execute(),
  ]);
  return { orden, facturas, articulos };
}

/** Returns one supplier invoice with its sale and document; undefined when there is none. */
export async function readProveedorFactura(db: Db | Trx, id: string) {
  return facturasWhole(db).where('proveedorFactura.id', '=', id).executeTakeFirst();
}

export type ProveedorFactura = NonNullable<Awaited<ReturnType<typeof readProveedorFactura>>>;

const facturasWhole = (db: Db | Trx) =>
  db
    .selectFrom('proveedorFactura')
    .innerJoin('orden', 'orden.id', 'proveedorFactura.ordenId')
    .innerJoin('proveedor', 'proveedor.value', 'proveedorFactura.proveedor')
    .leftJoin('usuario', 'usuario.id', 'proveedorFactura.usuarioId')
    .leftJoin('proveedorCfdi', 'proveedorCfdi.id', 'proveedorFactura.cfdiId')
    .select([
      'proveedorFactura.id',
      'proveedorFactura.ordenId',
      'proveedorFactura.proveedor',
      'proveedorFactura.folio',
      'proveedorFactura.monto',
      'proveedorFactura.fechaCreacion',
      'proveedorFactura.version',
      'proveedorFactura.cfdiId',
      'proveedorCfdi.uuid',
      'orden.numOrden',
      'orden.market',
      'orden.titulo',
      'orden.fechaCreacion as vendidaEn',
      'usuario.nombre',
      'usuario.apellidos',
      'proveedor.label as proveedorLabel',
      'proveedor.linkFactura',
      'proveedor.reglaFactura',
      'proveedor.sufijoFactura',
    ]);

/**
 * Creates a supplier invoice over `monto` pesos, of the day of its document, else of `emitida`. The audit trail keeps it with the sale, so that its
 * story stays when the invoice is deleted. A document
 * (`cfdi`) gives its RFC to a supplier that has none, once a person confirmed it (`confirmado`). Throws `NotAllowed` when the sale or supplier is unknown,
 * the folio exists, the document has less left than `monto` or is in the sale already, or another supplier issued it. A document over the very amount of
 * an invoice that was typed with its folio is tied to that invoice, which is returned.
 */
export async function createProveedorFactura(
  trx: Trx,
  { ordenId, proveedor, folio, monto, cfdi, emitida = null }: NewProveedorFactura & { emitida?: string | null },
  usuarioId: string,
  confirmado: { rfc: boolean } = { rfc: false },
): Promise<{ id: string }> {
  const orden = await trx.selectFrom('orden').select('id').where('id', '=', ordenId).executeTakeFirst();
  if (!orden) throw new NotAllowed(AGREGAR, 'La orden no existe.');
  if (cfdi) {
    await requireRemainder(trx, AGREGAR, cfdi, Money.of(monto));
    await requireEmisorOf(trx, AGREGAR, cfdi, proveedor, confirmado);
  }
  const tecleada = cfdi && (await tieCfdi(trx, { ordenId, proveedor, folio, monto, cfdi }, usuarioId));
  if (tecleada) {
    await relateNotasOf(trx, cfdi, usuarioId);
    return tecleada;
  }
  const created = await withFreeFolio(AGREGAR, () =>
    trx
      .insertInto('proveedorFactura')
      .values({
        ordenId,
        proveedor,
        folio,
        monto,
        cfdiId: cfdi ?? null,
        emitida: cfdi ? diaOfCfdi(cfdi) : emitida,
        usuarioId,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  if (cfdi) await learnProveedor(trx, cfdi, proveedor, usuarioId);
  await record(trx, {
    usuarioId,
    entidad: 'orden',
    entidadId: ordenId,
    accion: 'agregar factura de proveedor',
    datos: { id: created.id, proveedor, folio, monto: Money.of(monto) },
  });
  if (cfdi) await relateNotasOf(trx, cfdi, usuarioId);
  return created;
}

/** Ties a document to the invoice of the same supplier, folio and amount that stands in the sale without one; undefined when there is none. */
async function tieCfdi(
  trx: Trx,
  { ordenId, proveedor, folio, monto, cfdi }: Required<Omit<NewProveedorFactura, 'cfdi'>> & { cfdi: string },
  usuarioId: string,
): Promise<{ id: string } | undefined> {
  const tied = await withFreeFolio(AGREGAR, () =>
    trx
      .updateTable('proveedorFactura')
      .set(({ eb }) => ({ cfdiId: cfdi, emitida: diaOfCfdi(cfdi), version: eb('version', '+', 1) }))
      .where('ordenId', '=', ordenId)
      .where('proveedor', '=', proveedor)
      .where(sql<boolean>`lower(folio) = lower(${folio})`)
      .where('monto', '=', Money.of(monto))
      .where('cfdiId', 'is', null)
      .returning('id')
      .executeTakeFirst(),
  );
  if (!tied) return undefined;
  await learnProveedor(trx, cfdi, proveedor, usuarioId);
  await record(trx, {
    usuarioId,
    entidad: 'orden',
    entidadId: ordenId,
    accion: 'agregar XML de proveedor',
    datos: { id: tied.id, proveedor, folio, monto: Money.of(monto) },
  });
  return tied;
}

/** Civil day of a document. */
const diaOfCfdi = (cfdiId: string) =>
  sql<string>`(select (fecha at time zone ${ZONA_HORARIA})::date from proveedor_cfdi where id = ${cfdiId})`;

/**
 * Saves the edited fields of an invoice. Throws `Stale` when the row moved since the screen showed it, and `NotAllowed` like
 * `createProveedorFactura`, or when somebody deleted the invoice.
 */
export async function updateProveedorFactura(
  trx: Trx,
  { id, version, proveedor, folio, monto }: ProveedorFacturaEditada,
  usuarioId: string,
): Promise<void> {
  const before = await lockFactura(trx, EDITAR, id);
  if (before.version !== version)
    throw new Stale(choqueOfFila(ETIQUETAS, { proveedor, folio, monto: Money.of(monto) }, before));
  if (proveedor !== before.proveedor || Money.of(monto).compare(before.conNotas) < 0) requireSinNotas(EDITAR, before);
  if (before.cfdiId) {
    await requireRemainder(trx, EDITAR, before.cfdiId, Money.of(monto), id);
    if (proveedor !== before.proveedor) await requireEmisorOf(trx, EDITAR, before.cfdiId, proveedor, { rfc: false });
  }
  await withFreeFolio(EDITAR, () =>
    trx
      .updateTable('proveedorFactura')
      .set({ proveedor, folio, monto, version: version + 1 })
      .where('id', '=', id)
      .execute(),
  );
  const antes = { proveedor: before.proveedor, folio: before.folio, monto: before.monto };
  await record(trx, {
    usuarioId,
    entidad: 'orden',
    entidadId: before.ordenId,
    accion: 'editar factura de proveedor',
    datos: { id, proveedor, folio, monto: Money.of(monto), antes },
  });
}

/**
 * Deletes an invoice. Its part of the document can be given to another sale afterwards. Throws `Stale` when the row moved since the screen
 * showed it, and `NotAllowed` when somebody deleted the invoice before.
 */
export async function deleteProveedorFactura(
  trx: Trx,
  { id, version }: { id: string; version: number },
  usuarioId: string,
): Promise<void> {
  const before = await lockFactura(trx, 'Error al eliminar.', id);
  if (before.version !== version)
    throw new Stale({
      cambios: [
        {
          campo: 'Factura',
          mio: 'como estaba en la lista',
          suyo: `${before.folio}, ${before.proveedor}, ${enPesos(before.monto)}`,
        },
      ],
      marcas: { version: before.version },
    });
  requireSinNotas('Error al eliminar.', before);
  await trx.deleteFrom('proveedorFactura').where('id', '=', id).execute();
  const { ordenId, proveedor, folio, monto } = before;
  const datos = { proveedor, folio, monto };
  await record(trx, {
    usuarioId,
    entidad: 'orden',
    entidadId: ordenId,
    accion: 'eliminar factura de proveedor',
    datos: { id, ...datos },
  });
}

/** What suppliers' notes and their balances take of an invoice. */
const CON_NOTAS = sql<Money>`greatest(acreditada,
  coalesce((select sum(n.importe) from proveedor_nota_factura n where n.factura_id = proveedor_factura.id), 0))`;

function requireSinNotas(titulo: string, { folio, conNotas }: { folio: string; conNotas: Money }): void {
  if (!conNotas.isZero())
    throw new NotAllowed(
      titulo,
      `Las notas de crédito quitan ${enPesos(conNotas)} de la factura ${folio}. Primero hay que separarlas de ella en Estado de cuenta.`,
    );
}

const ETIQUETAS = { proveedor: 'Proveedor', folio: 'Folio', monto: 'Monto' } as const;

async function lockFactura(trx: Trx, titulo: string, id: string) {
  const factura = await trx
    .selectFrom('proveedorFactura')
    .select(['ordenId', 'proveedor', 'folio', 'monto', 'cfdiId', 'version'])
    .select(CON_NOTAS.as('conNotas'))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!factura) throw new NotAllowed(titulo, 'Otra persona eliminó esta factura. Vuelve a cargar la página.');
  return factura;
}

/** Throws `NotAllowed` when a document has less left than `monto`. The document's row is locked, so two people cannot divide it at once. */
async function requireRemainder(trx: Trx, titulo: string, cfdiId: string, monto: Money, exceptId?: string) {
  const cfdi = await trx
    .selectFrom('proveedorCfdi')
    .select(['total', 'folio'])
    .where('id', '=', cfdiId)
    .where('tipo', '=', 'I')
    .forUpdate()
    .executeTakeFirst();
  if (!cfdi) throw new NotAllowed(titulo, 'El XML ya no está: vuelve a subirlo.');
  const given = await trx
    .selectFrom('proveedorFactura')
    .select('monto')
    .where('cfdiId', '=', cfdiId)
    .$if(exceptId !== undefined, (query) => query.where('id', '<>', exceptId!))
    .execute();
  const rest = cfdi.total.minus(Money.sum(given.map((factura) => factura.monto)));
  if (monto.compare(rest) > 0)
    throw new NotAllowed(
      titulo,
      `De la factura ${cfdi.folio} (total ${enPesos(cfdi.total)}) solo quedan ${enPesos(rest)} por repartir.`,
      { campo: 'monto' },
    );
}

type Emision = {
  emisorRfc: string;
  folio: string;
  total: Money;
  label: string;
  rfc: string | null;
  deOtro: string | null;
};

/** Issuer of a document beside the supplier that it is given to; undefined when one of them is missing. */
async function emisionOf(db: Db | Trx, cfdiId: string, proveedor: string): Promise<Emision | undefined> {
  return db
    .selectFrom('proveedorCfdi')
    .innerJoin('proveedor', (join) => join.on('proveedor.value', '=', proveedor))
    .leftJoin('proveedor as otro', (join) =>
      join.onRef('otro.rfc', '=', 'proveedorCfdi.emisorRfc').on('otro.value', '<>', proveedor),
    )
    .select([
      'proveedorCfdi.emisorRfc',
      'proveedorCfdi.folio',
      'proveedorCfdi.total',
      'proveedor.label',
      'proveedor.rfc',
      'otro.label as deOtro',
    ])
    .where('proveedorCfdi.id', '=', cfdiId)
    .executeTakeFirst();
}

type PorAgregar = { ventas: readonly string[]; cfdi?: string | undefined; proveedor: string };

/**
 * Returns the question before an invoice is added to sales (`ventas`, their ids or numbers): that of a supplier from which none of their goods come, and that of a document
 * which teaches its supplier an RFC; null when there is nothing to ask.
 */
export async function askFactura(db: Db | Trx, { ventas, ...factura }: PorAgregar): Promise<Question | null> {
  const asked = [await askDeOtro(db, ventas, factura.proveedor), await askRfcOf(db, factura)].flatMap(
    (one) => one ?? [],
  );
  if (asked.length < 2) return asked[0] ?? null;
  return {
    titulo: asked[0]!.titulo,
    texto: asked.map(({ texto }) => texto).join(' '),
    hechos: hechosOf(...asked.map(({ hechos }) => hechos)),
  };
}

/** Asks about a supplier that no article, living pedido or invoice of a sale names. A sale of which no supplier is known is not asked about. */
async function askDeOtro(db: Db | Trx, ventas: readonly string[], proveedor: string): Promise<Question | null> {
  const { rows } = await sql<{ numOrden: string; suyos: string[]; label: string }>`
    select o.num_orden, array_agg(distinct p.label) as suyos, (select label from proveedor where value = ${proveedor}) as label
    from orden o
      cross join lateral (
        select lower(a.proveedor) as value from articulo a where a.orden_id = o.id
        union select pe.proveedor from pedido_linea l join pedido pe on pe.id = l.pedido_id
          where l.orden_id = o.id and pe.estado not in ('borrador', 'cancelado', 'rechazado', 'vencido')
        union select f.proveedor from proveedor_factura f where f.orden_id = o.id
      ) s join proveedor p on p.value = s.value
    where o.id::text = any(${ventas}) or o.num_orden = any(${ventas})
    group by o.id having not bool_or(p.value = ${proveedor}) order by o.num_orden`.execute(db);
  const [primera] = rows;
  if (!primera?.label) return null;
  return {
    titulo: 'Factura de otro proveedor',
    texto:
      rows.length === 1
        ? `La venta ${primera.numOrden} se le compra a ${enumerate(primera.suyos)}. ¿Su factura es de ${primera.label}?`
        : `${rows.length} ventas se le compran a otros proveedores. ¿Su factura es de ${primera.label}?`,
    hechos: hechosOf(...rows.map(({ numOrden, suyos }) => `${enLinea(`venta ${numOrden}`, enumerate(suyos))}.`)),
  };
}

/** Returns the question before a document teaches a supplier its RFC; null when the document teaches nothing. */
async function askRfcOf(
  db: Db | Trx,
  { cfdi, proveedor }: { cfdi?: string | undefined; proveedor: string },
): Promise<Question | null> {
  const emision = cfdi === undefined ? undefined : await emisionOf(db, cfdi, proveedor);
  if (!emision || emision.rfc !== null || emision.deOtro !== null) return null;
  return {
    titulo: 'RFC del proveedor',
    texto: `La factura la emitió ${emision.emisorRfc} y ${emision.label} no tiene RFC guardado. ¿Es el RFC de ${emision.label}? Desde ahora solo se aceptarán como suyas las facturas de ese RFC.`,
    hechos: enLinea(emision.label, emision.emisorRfc, `factura ${emision.folio}`, enPesos(emision.total.toFixed(2))),
  };
}

/** Throws `NotAllowed` when another supplier issued the document. A supplier without RFC takes the document's, after a person confirmed it. */
async function requireEmisorOf(
  trx: Trx,
  titulo: string,
  cfdiId: string,
  proveedor: string,
  confirmado: { rfc: boolean },
): Promise<void> {
  const emision = await emisionOf(trx, cfdiId, proveedor);
  // An unknown supplier is refused by its foreign key.
  if (!emision || emision.rfc === emision.emisorRfc) return;
  const { emisorRfc, label, rfc, deOtro } = emision;
  const no = (texto: string) => new NotAllowed(titulo, texto, { campo: 'proveedor' });
  if (deOtro !== null) throw no(`La factura la emitió ${emisorRfc}, que es ${deOtro}.`);
  if (rfc !== null) throw no(`La factura la emitió ${emisorRfc} y el RFC de ${label} es ${rfc}.`);
  if (!confirmado.rfc) throw no(`Falta confirmar que ${emisorRfc} es el RFC de ${label}.`);
}

/** Gives a supplier without RFC the RFC of the first document that a person says is theirs. */
async function learnProveedor(trx: Trx, cfdiId: string, proveedor: string, usuarioId: string) {
  const { emisorRfc } = await trx
    .updateTable('proveedorCfdi')
    .set({ proveedor })
    .where('id', '=', cfdiId)
    .returning('emisorRfc')
    .executeTakeFirstOrThrow();
  const { numUpdatedRows } = await trx
    .updateTable('proveedor')
    .set((eb) => ({ rfc: emisorRfc, version: eb('version', '+', 1) }))
    .where('value', '=', proveedor)
    .where('rfc', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('proveedor as otro').select('otro.value').where('otro.rfc', '=', emisorRfc))),
    )
    .executeTakeFirst();
  if (numUpdatedRows > 0n)
    await record(trx, {
      usuarioId,
      entidad: 'proveedor',
      entidadId: proveedor,
      accion: 'modificar',
      datos: { rfc: emisorRfc },
    });
}

async function withFreeFolio<T>(titulo: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    if (error.constraint === 'proveedor_factura_by_folio') throw new NotAllowed(titulo, YA_EXISTE, { cause: error });
    if (error.constraint === 'proveedor_factura_by_cfdi')
      throw new NotAllowed(titulo, 'Ese XML ya está en la orden.', { cause: error });
    if (error.constraint === 'proveedor_factura_proveedor_fkey')
      throw new NotAllowed(titulo, 'El proveedor no existe.', { campo: 'proveedor', cause: error });
    throw error;
  }
}
