import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import { log } from '~/core/log.server';
import { MARKETS } from '~/core/market';
import { civilDay, dayRange, monthRange } from '~/core/time';
import { PENDIENTE } from '~/domain/facturacion/cfdi/adopcion.server';
import { folioOf } from '~/domain/facturacion/cfdi/timbrado.server';
import { connectPacReader } from '~/domain/facturacion/cfdi/emisor.server';
import { numerosOfRef } from '~/domain/facturacion/emision/adoptFactura.server';
import type { CfdiPac } from '~/integrations/facturacom/nouns';
import { isPaused } from '~/platform/connections/pause.server';
import type { Db } from '~db/client.server';
import {
  cancelHere,
  keepPorAdoptar,
  monthsBetween,
  pendienteOf,
  takeAll,
  type LectorDeCfdis,
  type Pendiente,
} from './internal/cfdisDelPac.server';

const UNIQUE_VIOLATION = '23505';
/** References of ours that name no sale: of globals and of credit notes. */
const DE_VARIAS = /^(?:GLOBAL-\d{4}-\d{2}-|NC-)/;

type Conocida = { id: string; estatus: string; cancelando: boolean };
type Leido = {
  conocidos: number;
  ajenos: number;
  uuids: string[];
  desconocidas: CfdiPac[];
  canceladas: (CfdiPac & { id: string })[];
};

/**
 * Compares the CFDI that the PAC has with those that are here, and takes over what was done there by somebody else: a CFDI of one of our sales, and a
 * cancellation that the SAT confirms. So nobody invoices a sale twice, and none is counted as invoiced by a document that is gone. Nothing is sent. What cannot be
 * taken is named for people, and the sales that it may charge wait. Reads this month, the one before, those with something unexplained, and of the months
 * in which a document can still be cancelled the one that was read the longest ago. Does nothing while the PAC is paused or has never stamped anything
 * here. Returns the months that were read.
 */
export async function comparePac(db: Db, signal?: AbortSignal, now = new Date()): Promise<string[]> {
  const meses = await monthsToRead(db, now);
  if (meses.length === 0 || (await isPaused(db, 'facturacom'))) return [];
  const pac = await connectPacReader(db);
  const leidos: string[] = [];
  for (const mes of meses) {
    if (signal?.aborted) break;
    await compareMonth(db, pac, mes, now);
    leidos.push(mes);
  }
  return leidos;
}

async function monthsToRead(db: Db, now: Date): Promise<string[]> {
  const hoy = civilDay(now);
  const cancelable = `${Number(hoy.slice(0, 4)) - 1}-01-01`;
  const first = await db
    .selectFrom('factura')
    .select('fechaTimbrado')
    .where('estatus', '<>', 'cancelada')
    .where('fechaTimbrado', '>=', dayRange(cancelable).from)
    .orderBy('fechaTimbrado')
    .limit(1)
    .executeTakeFirst();
  if (!first) return [];
  const all = monthsBetween(civilDay(first.fechaTimbrado), hoy);
  const read = await db.selectFrom('cotejoMes').select(['mes', 'leidoEn']).execute();
  const open = await db
    .selectFrom('cotejoHallazgo')
    .select('mes')
    .distinct()
    .where('que', '=', 'inexplicado')
    .where('resueltoEn', 'is', null)
    .execute();
  const at = new Map(read.map(({ mes, leidoEn }) => [mes, leidoEn.getTime()]));
  const [oldest] = all.slice(0, -2).toSorted((a, b) => (at.get(a) ?? 0) - (at.get(b) ?? 0));
  return [...new Set([...all.slice(-2), ...open.map(({ mes }) => mes), ...(oldest ? [oldest] : [])])];
}

async function compareMonth(db: Db, pac: LectorDeCfdis, mes: string, now: Date): Promise<void> {
  const { conocidos, ajenos, uuids, desconocidas, canceladas } = await readMonth(db, pac, mes, now);
  const pendientes: Pendiente[] = canceladas.map(({ id, ...cfdi }) => ({
    cfdi,
    adopt: () => cancelHere(db, pac, { ...cfdi, id }),
  }));
  for (const cfdi of desconocidas) pendientes.push(guarded(await pendienteOf(db, pac, cfdi)));
  const motivos = await takeAll(pendientes);
  const canceladasUuid = new Set(canceladas.map(({ uuid }) => uuid));
  const hallazgos = pendientes.flatMap(({ cfdi }) => {
    const motivo = motivos.get(cfdi.uuid) ?? null;
    // Its own effect finds it.
    if (motivo === PENDIENTE) return [];
    const que = motivo !== null ? 'inexplicado' : canceladasUuid.has(cfdi.uuid) ? 'cancelado' : 'adoptado';
    return [{ uuid: cfdi.uuid, mes, que, folio: folioOf(cfdi), motivo } as const];
  });
  if (hallazgos.length > 0)
    log.warn('cfdi distintos en el PAC', {
      mes,
      folios: hallazgos.map(({ folio, que }) => `${folio} ${que}`).join(', '),
    });
  const inexplicados = new Set(hallazgos.filter(({ que }) => que === 'inexplicado').map(({ uuid }) => uuid));
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('cotejoMes')
      .values({ mes, conocidos, ajenos })
      .onConflict((on) => on.column('mes').doUpdateSet({ conocidos, ajenos, leidoEn: sql<Date>`now()` }))
      .execute();
    await sql`update cotejo_hallazgo set resuelto_en = now()
      where mes = ${mes} and que = 'inexplicado' and resuelto_en is null and uuid <> all(${[...inexplicados]}::text[])`.execute(
      trx,
    );
    for (const hallazgo of hallazgos)
      await trx
        .insertInto('cotejoHallazgo')
        .values({ ...hallazgo, resueltoEn: hallazgo.que === 'inexplicado' ? null : sql<Date>`now()` })
        .onConflict((on) =>
          on.column('uuid').doUpdateSet((is) => ({
            que: is.ref('excluded.que'),
            motivo: is.ref('excluded.motivo'),
            resueltoEn: is.ref('excluded.resueltoEn'),
          })),
        )
        .execute();
    await sql`delete from cfdi_por_adoptar where uuid = any(${uuids}::text[])`.execute(trx);
    await keepPorAdoptar(
      trx,
      pendientes.filter(({ cfdi }) => inexplicados.has(cfdi.uuid) && !cfdi.cancelada),
    );
  });
}

/** A document that another one of ours stands in the way of is named, like any that cannot be taken. */
const guarded = (pendiente: Pendiente): Pendiente => ({
  ...pendiente,
  adopt: () =>
    pendiente.adopt().catch((error: unknown) => {
      if ((error as { code?: unknown }).code === UNIQUE_VIOLATION)
        throw new NotAllowed(
          'Cotejo',
          'aquí hay otra solicitud de lo mismo: compáralas y cancela en factura.com el que sobre',
        );
      throw error;
    }),
});

async function readMonth(db: Db, pac: LectorDeCfdis, mes: string, now: Date): Promise<Leido> {
  const here = await conocidasOf(db, mes);
  const read: Leido = { conocidos: 0, ajenos: 0, uuids: [], desconocidas: [], canceladas: [] };
  const others: CfdiPac[] = [];
  for await (const cfdi of pac.cfdisOfMonth(mes)) {
    const known = here.get(cfdi.uuid);
    read.uuids.push(cfdi.uuid);
    if (!known) others.push(cfdi);
    else {
      read.conocidos += 1;
      if (known.estatus === 'vigente' && !known.cancelando && cfdi.cancelada)
        read.canceladas.push({ ...cfdi, id: known.id });
    }
  }
  // The list tells a day. A document of today may be one of ours that is still being kept.
  const living = others.filter(
    ({ cancelada, fechaTimbrado }) => !cancelada && fechaTimbrado.slice(0, 10) < civilDay(now),
  );
  const ours = await ofOurSales(db, living);
  read.desconocidas = living.filter((cfdi) => ours.has(cfdi.uuid));
  read.ajenos = others.length - read.desconocidas.length;
  return read;
}

/** Returns our documents of a month and of the days around it, by UUID: the PAC's day and ours may differ. */
async function conocidasOf(db: Db, mes: string): Promise<Map<string, Conocida>> {
  const { from, to } = monthRange(mes);
  const rows = await db
    .selectFrom('factura')
    .select(['id', 'uuid', 'estatus'])
    .select(
      sql<boolean>`exists (select from cancelacion c where c.factura_id = factura.id and c.estado = 'enProceso')`.as(
        'cancelando',
      ),
    )
    .where('fechaTimbrado', '>=', new Date(from.getTime() - 4 * 86_400_000))
    .where('fechaTimbrado', '<', new Date(to.getTime() + 4 * 86_400_000))
    .execute();
  return new Map(rows.map(({ uuid, ...factura }) => [uuid, factura]));
}

/** Returns the UUID of those that may charge or credit our sales, by their reference. The shop may stamp whatever else it likes at its PAC. */
async function ofOurSales(db: Db, cfdis: readonly CfdiPac[]): Promise<Set<string>> {
  const numbers = [...new Set(cfdis.flatMap(({ numOrder }) => numerosOfRef(numOrder)))];
  const { rows } = await sql<{ numero: string }>`
    select numero from unnest(${numbers}::text[]) numero
    where exists (select from orden o where o.num_orden = numero)
      or exists (select from orden o where o.market in (${sql.join(MARKETS)}) and o.market_id = numero)`.execute(db);
  const sold = new Set(rows.map(({ numero }) => numero));
  return new Set(
    cfdis
      .filter(({ numOrder }) => DE_VARIAS.test(numOrder) || numerosOfRef(numOrder).some((numero) => sold.has(numero)))
      .map(({ uuid }) => uuid),
  );
}
