import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import { rowOf } from '~/core/table';
import { addDays, civilDay } from '~/core/time';
import { noteOutcome } from '~/platform/connections/breaker.server';
import { isPaused } from '~/platform/connections/pause.server';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import { LIVE_STATES } from '~/platform/effects/effects.server';
import { explainDoubt, lookAgainAbout } from '~/platform/effects/resolve.server';
import { effectsAbout } from '~/platform/effects/subjects.server';
import { sinGuia } from '~/domain/ventas/envios/guia';
import { requestGuia } from '~/domain/ventas/envios/traerGuia.server';
import { Refused, Unavailable, UnexpectedShape } from '~/integrations/errors';
import type { EstatusLeido, FacturaLeida, Lector } from '~/integrations/proveedores/cara';
import type { Db, Trx } from '~db/client.server';
import { confirmarEnCt } from './internal/confirmarEnCt.server';
import { CREAR } from './internal/crearEffects.server';
import { facturasSueltas } from './internal/facturasSueltas.server';
import { sendGuia } from './internal/guia.server';
import { notePedido, lockPedido, movePedido, type Puesto } from './internal/movePedido.server';
import { isVivo } from './pedido';

/** Pedidos of one run. The rest wait for the next run. */
const POR_VEZ = 20;
/** Time between two questions about one order: short where the supplier tells a status, long where its invoices have to be searched. */
const CADA = { estatus: sql<Date>`now() + interval '10 minutes'`, facturas: sql<Date>`now() + interval '30 minutes'` };

/**
 * Asks suppliers about the orders that are due, brings and sends missing labels, and closes shipped pedidos. A supplier that fails is noted on its
 * connection and asked again later.
 */
export async function followPedidos(db: Db): Promise<void> {
  const debidos = await db
    .selectFrom('pedido')
    .select(['id', 'proveedor', 'estado'])
    .where('revisarEn', '<=', sql<Date>`now()`)
    .orderBy('revisarEn')
    .limit(POR_VEZ)
    .execute();
  for (const { id, proveedor, estado } of debidos) {
    const side = CONNECTIONS.find(proveedor);
    const lector: Partial<Lector> = side?.proveedor?.leer(db, 'maquina') ?? {};
    // The next question is scheduled before this one is asked, so that a failure cannot repeat it at once.
    const sigue = lector.pedidosDe ? CADA.estatus : CADA.facturas;
    await db.updateTable('pedido').set({ revisarEn: sigue }).where('id', '=', id).execute();
    if (!side || !CONNECTIONS.isKind(side.kind) || (await isPaused(db, side.kind))) continue;
    try {
      if (estado === 'incierto') await watchFacturas(db, id, lector);
      else await ask(db, id, lector, side.label);
      await noteOutcome(db, side.kind, 'read');
    } catch (error) {
      if (!(error instanceof Unavailable || error instanceof Refused || error instanceof UnexpectedShape)) throw error;
      await noteOutcome(db, side.kind, 'read', error);
    }
  }
  await sendGuias(db);
  await assumeEnviados(db);
}

async function ask(db: Db, id: string, lector: Partial<Lector>, label: string): Promise<void> {
  const { folioProveedor: folio } = await db
    .selectFrom('pedido')
    .select('folioProveedor')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (folio === null || !lector.estatus) return;
  const leido = await lector.estatus(folio).catch((error: unknown) => {
    // Some suppliers answer a lapsed order with an error.
    if (error instanceof Refused && !error.details.account) return error;
    throw error;
  });
  const facturado = !(leido instanceof Refused) && leido?.estado === 'facturado';
  const factura = facturado ? ((await lector.factura?.(folio)) ?? null) : null;
  await db.transaction().execute((trx) => applyEstatus(trx, id, leido, factura, label));
}

/** Applies a status. The supplier's word decides; our clock only interprets its silence about an order. */
async function applyEstatus(
  trx: Trx,
  id: string,
  leido: EstatusLeido | null | Refused,
  factura: FacturaLeida | null,
  label: string,
): Promise<void> {
  const pedido = await lockPedido(trx, id);
  if (!pedido || !isVivo(pedido.estado)) return;
  if (leido === null || leido instanceof Refused || leido.estado === 'cancelado') {
    const dice = leido instanceof Refused ? leido.message : (leido?.dice ?? `${label} ya no lo tiene.`);
    if (!(await hasSolicitud(trx, id))) await giveUp(trx, pedido, dice, leido !== null && !(leido instanceof Refused));
    return;
  }
  const { estado, dice } = leido;
  if (
    estado === 'confirmado' &&
    (await movePedido(trx, id, 'confirmado', { set: { dice, venceEn: null, confirmadoEn: sql<Date>`now()` } }))
  )
    await lookAgainAbout(trx, ['pedido', id], confirmarEnCt.type);
  else if (estado === 'facturado') {
    const set: Puesto = {
      dice,
      venceEn: null,
      revisarEn: null,
      facturaFolio: factura?.folio ?? leido.factura,
      facturaUuid: factura?.uuid ?? null,
      facturaTotal: factura?.total?.importe ?? null,
      facturaMoneda: factura?.total?.moneda ?? null,
      facturaEn: sql<Date>`now()`,
    };
    if (await movePedido(trx, id, 'facturado', { set })) {
      await lookAgainAbout(trx, ['pedido', id], confirmarEnCt.type);
      // The label may have gone before the invoice.
      if (pedido.guiaEnviadaEn !== null) await movePedido(trx, id, 'guiaEnviada');
    }
  } else if (dice !== pedido.dice) await notePedido(trx, id, { dice });
  await sendGuia(trx, id, null);
}

/** Ends a pedido that the supplier no longer has. `dicho` means that the supplier said so; otherwise only a pedido whose time is over ends. */
async function giveUp(
  trx: Trx,
  { id, estado, venceEn, dice: antes }: NonNullable<Awaited<ReturnType<typeof lockPedido>>>,
  dice: string,
  dicho: boolean,
): Promise<void> {
  const { rows } = await sql<{
    pasado: boolean;
  }>`select coalesce(${venceEn}::timestamptz <= now(), false) as pasado`.execute(trx);
  const set = { dice, revisarEn: null, venceEn: null };
  if (estado === 'solicitado' && rows[0]!.pasado)
    await movePedido(trx, id, 'vencido', { detalle: 'Nadie lo confirmó a tiempo y venció.', set });
  else if (dicho) await movePedido(trx, id, 'cancelado', { detalle: 'El proveedor lo canceló.', set });
  else if (dice !== antes) await notePedido(trx, id, { dice });
}

async function hasSolicitud(trx: Trx, pedidoId: string): Promise<boolean> {
  const viva = await effectsAbout(trx, ['pedido', pedidoId])
    .where('effect.state', 'in', LIVE_STATES)
    .select('effect.id')
    .limit(1)
    .executeTakeFirst();
  return viva !== undefined;
}

/**
 * Looks through a supplier's invoices for an order whose answer was lost, where nothing can be asked by our reference. Invoices of the same pieces
 * that belong to no known order are shown to whoever decides.
 */
async function watchFacturas(db: Db, id: string, lector: Partial<Lector>): Promise<void> {
  if (!lector.facturasDesde) return;
  const pedido = await db
    .selectFrom('pedido')
    .select(['proveedor', 'creadoEn', 'detalle'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const lineas = await db
    .selectFrom('pedidoLinea')
    .select(['idProveedor', 'cantidad'])
    .where('pedidoId', '=', id)
    .execute();
  const dia = addDays(civilDay(pedido.creadoEn), -1);
  const iguales = await facturasSueltas(db, { proveedor: pedido.proveedor, lineas, dia }, lector);
  if (iguales.length === 0) return;
  const cuales = iguales.map(({ folio, pedido: de }) => `${folio}${de ? ` (pedido ${de})` : ''}`).join(', ');
  const detalle = `Facturó las mismas piezas desde entonces: ${cuales}. Puede ser este pedido.`;
  if (detalle === pedido.detalle) return;
  await db.transaction().execute(async (trx) => {
    await notePedido(trx, id, { detalle });
    await explainDoubt(trx, ['pedido', id], rowOf(CREAR, pedido.proveedor)!.type, detalle);
  });
}

/** Time until a refused label is tried again. */
const OTRA_GUIA = sql`interval '10 minutes'`;
/** Time until a label that the marketplace did not give is asked for again. A label that is here leaves at once. */
const OTRA_LECTURA = sql`interval '30 minutes'`;

/** Asks for the missing labels of pedidos, and sends those that are here. */
async function sendGuias(db: Db): Promise<void> {
  const { rows } = await sql<{ id: string; envioId: string; tieneGuia: boolean }>`
    select distinct on (p.id) p.id, o.envio_id, tiene_guia
    from pedido p
    join pedido_linea l on l.pedido_id = p.id
    join orden o on o.id = l.orden_id
    cross join lateral (
      select exists (select from guia g where g.envio_id = o.envio_id and g.anulada_en is null) as tiene_guia) guia
    where p.guia_enviada_en is null and p.estado in ('borrador', 'solicitado', 'confirmado', 'facturado')
      and o.envio_id is not null
      and p.creado_en > now() - interval '30 days'
      and not exists (select from effect_subject s join effect e on e.id = s.effect_id
        where s.entidad = 'pedido' and s.entidad_id = p.id::text and e.type like 'pedido.guia.%'
          and (e.state in ('queued', 'sending', 'unknown', 'manual') or e.settled_at > now() - ${OTRA_GUIA}))
      and (tiene_guia or not exists (select from effect_subject s join effect e on e.id = s.effect_id
        where s.entidad = 'envio' and s.entidad_id = o.envio_id::text and e.type = 'ml.guia'
          and e.settled_at > now() - ${OTRA_LECTURA}))
    order by p.id limit ${POR_VEZ * 5}`.execute(db);
  for (const { id, envioId, tieneGuia } of rows)
    await db.transaction().execute(async (trx) => {
      if (tieneGuia) return sendGuia(trx, id, null);
      const envio = await trx
        .selectFrom('envio')
        .select(['market', 'estatus', 'subestatus', 'modo', 'tipoLogistico'])
        .where('id', '=', envioId)
        .executeTakeFirst();
      if (!envio || sinGuia(envio.market, envio) !== null) return;
      try {
        await requestGuia(trx, envioId, null);
      } catch (error) {
        if (!(error instanceof NotAllowed)) throw error;
      }
    });
}

/** Closes the pedidos whose parcel has left, by the word of the marketplace. */
async function assumeEnviados(db: Db): Promise<void> {
  const salidos = await db
    .selectFrom('pedido')
    .select('id')
    .where('estado', 'in', ['facturado', 'guiaEnviada'])
    .where('id', 'in', (lineas) =>
      lineas
        .selectFrom('pedidoLinea')
        .innerJoin('orden', 'orden.id', 'pedidoLinea.ordenId')
        .innerJoin('envio', 'envio.id', 'orden.envioId')
        .select('pedidoId')
        .where('envio.estatus', 'in', ['shipped', 'delivered', 'enCamino', 'enSucursal', 'entregado']),
    )
    .limit(POR_VEZ * 5)
    .execute();
  for (const { id } of salidos)
    await db.transaction().execute((trx) => movePedido(trx, id, 'enviado', { set: { revisarEn: null } }));
}
