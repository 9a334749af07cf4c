import { sql } from 'kysely';
import { NotAllowed, Stale } from '~/core/errors';
import { enPesos } from '~/core/importe';
import { Money } from '~/core/money';
import { ZONA_HORARIA } from '~/core/time';
import { record } from '~/platform/bitacora.server';
import type { Db, Trx } from '~db/client.server';
import type { NotaDeFactura, NotaUsada, NotaVista, SaldoDevuelto, UsoQuitado } from './forms';

const TITULO = 'Error.';
/** Relations of a note that give an amount back: a credit note, and returned goods. Any other one, as the use of an advance, is for people. */
const DE_CREDITO = new Set(['01', '03']);

type Factura = { id: string; monto: Money; pagada: Money; acreditada: Money; notas: Money };

/** Locks the note until the transaction ends. `NotAllowed` when it is none, or was discarded. */
async function lockNota(trx: Trx, id: string) {
  const nota = await trx
    .selectFrom('proveedorCfdi')
    .select(['id', 'uuid', 'folio', 'emisorRfc', 'total', 'tipoRelacion', 'relacionados'])
    .where('id', '=', id)
    .where('tipo', '=', 'E')
    .where('descartadoEn', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (!nota) throw new NotAllowed(TITULO, 'La nota de crédito ya no está: vuelve a subir su XML.');
  const { rows } = await sql<{ relacionado: Money; acreditado: Money; usado: Money }>`
    select coalesce((select sum(importe) from proveedor_nota_factura where nota_id = ${id}), 0) as relacionado,
      coalesce((select sum(acreditado) from proveedor_nota_factura where nota_id = ${id}), 0) as acreditado,
      coalesce((select sum(importe) from proveedor_nota_uso where nota_id = ${id}), 0) as usado`.execute(trx);
  const { relacionado, acreditado, usado } = rows[0]!;
  return {
    ...nota,
    /** The part that no invoice of ours was told yet. */
    porRelacionar: nota.total.minus(relacionado),
    /** The part of what was related that was not owed, and was not used since. */
    aFavor: relacionado.minus(acreditado).minus(usado),
  };
}

const facturasLocked = (trx: Trx) =>
  trx
    .selectFrom('proveedorFactura')
    .innerJoin('proveedor', 'proveedor.value', 'proveedorFactura.proveedor')
    .leftJoin('proveedorCfdi', 'proveedorCfdi.id', 'proveedorFactura.cfdiId')
    .select([
      'proveedorFactura.id',
      'proveedorFactura.folio',
      'proveedorFactura.ordenId',
      'proveedorFactura.proveedor',
      'proveedorFactura.monto',
      'proveedorFactura.pagada',
      'proveedorFactura.acreditada',
      'proveedor.label',
      'proveedor.rfc',
      'proveedorCfdi.emisorRfc',
    ])
    .select(
      sql<Money>`coalesce((select sum(n.importe) from proveedor_nota_factura n where n.factura_id = proveedor_factura.id), 0)`.as(
        'notas',
      ),
    )
    .orderBy('proveedorFactura.id')
    .forUpdate('proveedorFactura');

/**
 * Relates a note to our invoices where its CFDI leaves no doubt: it gives an amount back, each document that it names is kept here and divided whole
 * among sales, and it is of a single invoice or of all of what they come to. Otherwise nothing is written, and the note waits for a person.
 */
export async function relateNota(trx: Trx, id: string, usuarioId: string | null): Promise<void> {
  const nota = await lockNota(trx, id);
  if (!nota.porRelacionar.equals(nota.total) || nota.relacionados.length === 0) return;
  if (nota.tipoRelacion === null || !DE_CREDITO.has(nota.tipoRelacion)) return;
  const documentos = await trx
    .selectFrom('proveedorCfdi')
    .select(['id', 'total'])
    .where('uuid', 'in', nota.relacionados)
    .where('tipo', '=', 'I')
    .where('emisorRfc', '=', nota.emisorRfc)
    .execute();
  if (documentos.length < nota.relacionados.length) return;
  const facturas = await facturasLocked(trx)
    .where(
      'proveedorFactura.cfdiId',
      'in',
      documentos.map((documento) => documento.id),
    )
    .execute();
  const repartido = Money.sum(facturas.map(({ monto }) => monto));
  if (!repartido.equals(Money.sum(documentos.map(({ total }) => total)))) return;
  const libres = facturas.map((factura) => ({ factura, libre: factura.monto.minus(factura.notas) }));
  const todo = Money.sum(libres.map(({ libre }) => libre));
  if (libres.length === 1 && nota.total.compare(todo) <= 0) libres[0]!.libre = nota.total;
  else if (!nota.total.equals(todo)) return;
  for (const { factura, libre } of libres) if (!libre.isZero()) await apply(trx, nota, factura, libre, usuarioId);
}

/** Relates the notes that waited for this document, now that it is divided among sales. */
export async function relateNotasOf(trx: Trx, cfdiId: string, usuarioId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select n.id from proveedor_cfdi n join proveedor_cfdi c on c.uuid = any(n.relacionados)
    where c.id = ${cfdiId} and n.tipo = 'E' and n.descartado_en is null
      and not exists (select from proveedor_nota_factura x where x.nota_id = n.id)
    order by n.id`.execute(trx);
  for (const { id } of rows) await relateNota(trx, id, usuarioId);
}

/** Writes that a note is of an invoice. What is still owed on it is taken off; the rest is a balance in favour of us. */
async function apply(
  trx: Trx,
  nota: { id: string; uuid: string; folio: string; tipoRelacion: string | null },
  factura: Factura & { ordenId: string; proveedor: string; folio: string },
  importe: Money,
  usuarioId: string | null,
): Promise<void> {
  const falta = faltaOf(factura);
  const acreditado = falta.compare(importe) < 0 ? falta : importe;
  await trx
    .insertInto('proveedorNotaFactura')
    .values({ notaId: nota.id, facturaId: factura.id, importe, acreditado, usuarioId })
    .execute();
  await trx.updateTable('proveedorCfdi').set({ proveedor: factura.proveedor }).where('id', '=', nota.id).execute();
  const { uuid, folio, tipoRelacion } = nota;
  await record(trx, {
    usuarioId,
    entidad: 'orden',
    entidadId: factura.ordenId,
    accion: 'agregar nota de crédito de proveedor',
    datos: { id: nota.id, uuid, folio, factura: factura.folio, importe, acreditado, tipoRelacion },
  });
}

const faltaOf = ({ monto, pagada, acreditada }: Factura) => monto.minus(pagada).minus(acreditada);

/** Throws `Stale` when an amount is no longer what the screen showed. */
function requireVisto(campo: string, visto: Money, ahora: Money): void {
  if (!visto.equals(ahora))
    throw new Stale(
      { cambios: [{ campo, mio: enPesos(visto.toFixed(2)), suyo: enPesos(ahora.toFixed(2)) }], marcas: {} },
      { titulo: TITULO },
    );
}

async function lockFactura(trx: Trx, elegida: { id: string; falta: Money }, nota: { emisorRfc: string }) {
  const factura = await facturasLocked(trx).where('proveedorFactura.id', '=', elegida.id).executeTakeFirst();
  if (!factura) throw new NotAllowed(TITULO, 'La factura ya no está. Vuelve a cargar la página.', { campo: 'factura' });
  const rfc = factura.emisorRfc ?? factura.rfc;
  if (rfc !== nota.emisorRfc)
    throw new NotAllowed(
      TITULO,
      rfc === null
        ? `${factura.label} no tiene RFC guardado: escríbelo en Proveedores para relacionar sus notas.`
        : `La nota la emitió ${nota.emisorRfc} y la factura es de ${rfc}.`,
      { campo: 'factura' },
    );
  requireVisto(`Por pagar de ${factura.folio}`, elegida.falta, faltaOf(factura));
  return factura;
}

/** Relates a part of a note, or all that is left of it, to an invoice that a person chose. */
export async function relateNotaByHand(
  trx: Trx,
  { nota: id, queda, factura: elegida, importe: escrito }: NotaDeFactura,
  usuarioId: string,
): Promise<void> {
  const nota = await lockNota(trx, id);
  requireVisto('Por relacionar', queda, nota.porRelacionar);
  const factura = await lockFactura(trx, elegida, nota);
  const importe = Money.of(escrito);
  const no = (texto: string) => new NotAllowed(TITULO, texto, { campo: 'importe' });
  if (importe.isZero()) throw no('Escribe cuánto de la nota es de esta factura.');
  if (importe.compare(nota.porRelacionar) > 0)
    throw no(`De la nota ${nota.folio} solo quedan ${enPesos(nota.porRelacionar)} por relacionar.`);
  const libre = factura.monto.minus(factura.notas);
  if (importe.compare(libre) > 0)
    throw no(
      `La factura ${factura.folio} es de ${enPesos(factura.monto)}: sus notas no pueden pasar de ${enPesos(libre)} más.`,
    );
  if (await isRelacionada(trx, id, factura.id))
    throw new NotAllowed(TITULO, `La nota ya es de la factura ${factura.folio}: quita esa relación para cambiarla.`, {
      campo: 'factura',
    });
  await apply(trx, nota, factura, importe, usuarioId);
}

const isRelacionada = async (trx: Trx, notaId: string, facturaId: string) =>
  (await trx
    .selectFrom('proveedorNotaFactura')
    .select('notaId')
    .where('notaId', '=', notaId)
    .where('facturaId', '=', facturaId)
    .executeTakeFirst()) !== undefined;

/** Takes a note off all of its invoices, so that a person can relate it anew. A balance that was used since is taken back first. */
export async function detachNota(trx: Trx, { nota: id, queda }: NotaVista, usuarioId: string): Promise<void> {
  const nota = await lockNota(trx, id);
  requireVisto('A favor', queda, nota.aFavor);
  const usos = await trx.selectFrom('proveedorNotaUso').select('id').where('notaId', '=', id).execute();
  if (usos.length > 0)
    throw new NotAllowed(TITULO, `El saldo de la nota ${nota.folio} ya se usó: quita primero sus usos.`);
  const facturas = await trx
    .deleteFrom('proveedorNotaFactura')
    .using('proveedorFactura')
    .whereRef('proveedorFactura.id', '=', 'proveedorNotaFactura.facturaId')
    .where('notaId', '=', id)
    .returning(['proveedorFactura.ordenId', 'proveedorFactura.folio', 'proveedorNotaFactura.importe'])
    .execute();
  for (const { ordenId, folio, importe } of facturas)
    await record(trx, {
      usuarioId,
      entidad: 'orden',
      entidadId: ordenId,
      accion: 'quitar nota de crédito de proveedor',
      datos: { id, uuid: nota.uuid, folio: nota.folio, factura: folio, importe },
    });
}

/** Takes a note of which nothing was related off the waiting ones. Uploading it again brings it back. */
export async function discardNota(trx: Trx, { nota: id, queda }: NotaVista, usuarioId: string): Promise<void> {
  const nota = await lockNota(trx, id);
  requireVisto('Por relacionar', queda, nota.porRelacionar);
  if (!nota.porRelacionar.equals(nota.total))
    throw new NotAllowed(TITULO, `La nota ${nota.folio} ya es de una factura: quita primero esa relación.`);
  await trx.updateTable('proveedorCfdi').set({ descartadoEn: new Date() }).where('id', '=', id).execute();
  await record(trx, { usuarioId, entidad: 'proveedorCfdi', entidadId: id, accion: 'descartar' });
}

/** Uses the balance of a note on another invoice of the same supplier, as far as both reach. */
export async function spendNota(
  trx: Trx,
  { nota: id, queda, factura: elegida, fecha }: NotaUsada,
  usuarioId: string,
): Promise<void> {
  const nota = await lockNota(trx, id);
  requireVisto('A favor', queda, nota.aFavor);
  const factura = await lockFactura(trx, elegida, nota);
  const falta = faltaOf(factura);
  const importe = falta.compare(nota.aFavor) < 0 ? falta : nota.aFavor;
  if (importe.isZero())
    throw new NotAllowed(
      TITULO,
      falta.isZero() ? `La factura ${factura.folio} ya no se debe.` : `La nota ${nota.folio} ya no tiene saldo.`,
      { campo: 'factura' },
    );
  await insertUso(trx, { notaId: id, facturaId: factura.id, importe, fecha, folio: null }, usuarioId);
  await record(trx, {
    usuarioId,
    entidad: 'orden',
    entidadId: factura.ordenId,
    accion: 'usar nota de crédito de proveedor',
    datos: { id, uuid: nota.uuid, folio: nota.folio, factura: factura.folio, importe },
  });
}

/** Writes that the supplier returned a part of a balance as money. */
export async function noteDevuelto(
  trx: Trx,
  { nota: id, queda, importe: escrito, fecha, folio }: SaldoDevuelto,
  usuarioId: string,
): Promise<void> {
  const nota = await lockNota(trx, id);
  requireVisto('A favor', queda, nota.aFavor);
  const importe = Money.of(escrito);
  if (importe.isZero() || importe.compare(nota.aFavor) > 0)
    throw new NotAllowed(TITULO, `De la nota ${nota.folio} quedan ${enPesos(nota.aFavor)} a favor.`, {
      campo: 'importe',
    });
  await insertUso(trx, { notaId: id, facturaId: null, importe, fecha, folio }, usuarioId);
  await record(trx, {
    usuarioId,
    entidad: 'proveedorCfdi',
    entidadId: id,
    accion: 'recibir devolución de proveedor',
    datos: { importe, fecha, folio },
  });
}

const insertUso = (
  trx: Trx,
  uso: { notaId: string; facturaId: string | null; importe: Money; fecha: string; folio: string | null },
  usuarioId: string,
) =>
  trx
    .insertInto('proveedorNotaUso')
    .values({ ...uso, usuarioId })
    .execute();

/** Takes back one use of a balance. A use that is gone already is no error. */
export async function removeUso(trx: Trx, { uso }: UsoQuitado, usuarioId: string): Promise<void> {
  const quitado = await trx
    .deleteFrom('proveedorNotaUso')
    .where('id', '=', uso)
    .returning(['notaId', 'facturaId', 'importe', 'fecha'])
    .executeTakeFirst();
  if (!quitado) return;
  const { notaId, ...datos } = quitado;
  await record(trx, { usuarioId, entidad: 'proveedorCfdi', entidadId: notaId, accion: 'quitar uso de nota', datos });
}

/** A note with what became of it. */
export type NotaDeProveedor = {
  id: string;
  uuid: string;
  folio: string;
  fecha: string;
  emisorRfc: string;
  emisorNombre: string;
  proveedor: string | null;
  label: string | null;
  total: Money;
  porRelacionar: Money;
  /** Zero while nothing was related. */
  aFavor: Money;
  relacionados: string[];
  facturas: { id: string; folio: string; numOrden: string; importe: string; acreditado: string }[];
  usos: { id: string; folio: string | null; factura: string | null; importe: string; fecha: string }[];
};

/** Returns the notes that ask for a person, oldest first: those not related whole, and those with a balance in favour of us. */
export async function listNotas(
  db: Db | Trx,
  {
    proveedor = null,
    nota = null,
    todas = nota !== null,
  }: { proveedor?: string | null; nota?: string | null; todas?: boolean } = {},
): Promise<NotaDeProveedor[]> {
  const { rows } = await sql<NotaDeProveedor>`
    with nota as (
      select c.*, p.value as suyo, p.label,
        coalesce((select sum(importe) from proveedor_nota_factura x where x.nota_id = c.id), 0) as relacionado,
        coalesce((select sum(acreditado) from proveedor_nota_factura x where x.nota_id = c.id), 0) as acreditado,
        coalesce((select sum(importe) from proveedor_nota_uso u where u.nota_id = c.id), 0) as usado
      from proveedor_cfdi c left join proveedor p on p.value = c.proveedor or (c.proveedor is null and p.rfc = c.emisor_rfc)
      where c.tipo = 'E' and c.descartado_en is null
    )
    select n.id, n.uuid, n.folio, (n.fecha at time zone ${ZONA_HORARIA})::date as fecha, n.emisor_rfc, n.emisor_nombre,
      n.suyo as proveedor, n.label, n.total, n.total - n.relacionado as por_relacionar, n.relacionado - n.acreditado - n.usado as a_favor,
      n.relacionados,
      (select coalesce(json_agg(json_build_object('id', f.id, 'folio', f.folio, 'numOrden', o.num_orden, 'importe', x.importe::text,
          'acreditado', x.acreditado::text) order by x.creado_en, f.id), '[]')
        from proveedor_nota_factura x join proveedor_factura f on f.id = x.factura_id join orden o on o.id = f.orden_id
        where x.nota_id = n.id) as facturas,
      (select coalesce(json_agg(json_build_object('id', u.id, 'folio', u.folio, 'factura', f.folio, 'importe', u.importe::text,
          'fecha', u.fecha) order by u.fecha, u.id), '[]')
        from proveedor_nota_uso u left join proveedor_factura f on f.id = u.factura_id where u.nota_id = n.id) as usos
    from nota n
    where (${proveedor}::text is null or n.suyo = ${proveedor}) and (${nota}::uuid is null or n.id = ${nota})
      and (${todas} or n.total > n.relacionado or n.relacionado - n.acreditado > n.usado)
    order by n.fecha, n.id limit 200`.execute(db);
  return rows;
}

/** Returns how many of these notes are not of invoices whole yet. */
export async function countPorRelacionar(db: Db | Trx, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ cuantas: number }>`
    select count(*)::int as cuantas from proveedor_cfdi c
    where c.id = any(${[...ids]}::uuid[])
      and c.total > coalesce((select sum(n.importe) from proveedor_nota_factura n where n.nota_id = c.id), 0)`.execute(
    db,
  );
  return rows[0]!.cuantas;
}

/** Invoices that are offered for one note. */
const MAX_OFRECIDAS = 60;
export type FacturaDeNota = {
  id: string;
  folio: string;
  numOrden: string;
  monto: Money;
  falta: Money;
  nombrada: boolean;
};

/** Returns the invoices of the issuer of a note that it may be of: those that it names, then those that are owed, then the newest. */
export async function facturasParaNota(db: Db | Trx, notaId: string): Promise<FacturaDeNota[]> {
  const { rows } = await sql<FacturaDeNota>`
    select f.id, f.folio, o.num_orden, f.monto, f.monto - f.pagada - f.acreditada as falta, coalesce(c.uuid = any(n.relacionados), false) as nombrada
    from proveedor_cfdi n join proveedor p on true join proveedor_factura f on f.proveedor = p.value
      join orden o on o.id = f.orden_id left join proveedor_cfdi c on c.id = f.cfdi_id
    where n.id = ${notaId} and coalesce(c.emisor_rfc, p.rfc) = n.emisor_rfc
    order by coalesce(c.uuid = any(n.relacionados), false) desc, f.pagada + f.acreditada < f.monto desc, f.fecha_creacion desc
    limit ${MAX_OFRECIDAS}`.execute(db);
  return rows;
}
