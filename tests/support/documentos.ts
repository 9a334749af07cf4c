import { sql } from 'kysely';
import type { NotAllowed } from '~/core/errors';
import { requestCancelacion } from '~/domain/facturacion/cancelacion/requestCancelacion.server';
import type { Motivo } from '~/domain/facturacion/cancelacion/cancelacion';
import { createFactura } from '~/domain/facturacion/emision/createFactura.server';
import { requireDraft } from '~/domain/facturacion/emision/draft.server';
import { generateGlobal } from '~/domain/facturacion/mes/global.server';
import { lineaOfFactura } from '~/domain/facturacion/cancelacion/internal/lineaFactura.server';
import { mesOf } from '~/domain/facturacion/mes/mes';
import { porFacturar } from '~/domain/facturacion/mes/mes.server';
import { issueNotas } from '~/domain/facturacion/notasCredito/notasCredito.server';
import { openSustitucion } from '~/domain/facturacion/emision/substituteFactura.server';
import { buildOrden } from './builders/mes';
import { buildBorrador, REVISION, type Venta } from './builders/ventas';
import { runJobsUntil } from './jobs';
import { openPac, settle } from './pac';

const now = () => new Date();
const mes = mesOf(now());

/**
 * Opens a file about documents that take one another's place, with the verbs of a story: a factura, its substitute, a cancellation, the month's global and its
 * credit notes, each waited for to its end at the PAC.
 */
export async function openDocumentos() {
  const { db, sandbox, sa } = await openPac();
  const facturaOf = (effectId: string) =>
    db.selectFrom('factura').selectAll().where('effectId', '=', effectId).executeTakeFirstOrThrow();
  const create = async (draft: Awaited<ReturnType<typeof requireDraft>>) => {
    const effectId = await db.transaction().execute((trx) =>
      createFactura(trx, draft, {
        revision: draft.revision ?? REVISION(),
        diferenciaAceptada: true,
        usuarioId: sa.id,
        now: now(),
      }),
    );
    await settle();
    return facturaOf(effectId);
  };
  const facturar = async (venta: Venta) => create(await buildBorrador(db, venta, sa));
  const sustituir = async (viejaId: string) =>
    create(await requireDraft(db, await openSustitucion(db, viejaId, sa.id, now()), sa));
  const cancelar = async (facturaId: string, motivo: Motivo = '02') => {
    await requestCancelacion(db, { facturaId, motivo, usuarioId: sa.id, now: now() });
    await settle();
  };
  async function global() {
    const asked = generateGlobal(db, { mes, usuarioId: sa.id, now: now() });
    asked.catch(() => undefined);
    await runJobsUntil(() =>
      Promise.race([
        asked.then(
          () => true,
          () => true,
        ),
        new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 20)),
      ]),
    );
    await settle();
    await sql`update batch set created_at = created_at - interval '2 minutes'`.execute(db);
  }
  async function notas(tabla: 'refacturacion' | 'devueltas', { wait = true } = {}) {
    await issueNotas(db, { mes, tabla, usuarioId: sa.id, now: now() });
    if (wait) await settle();
    await sql`update batch set created_at = created_at - interval '2 minutes'`.execute(db);
  }
  const ventaDe = ({ id, numOrden }: { id: string; numOrden: string }): Venta => ({
    numOrden,
    ordenIds: [id],
    total: '',
  });
  const unaVenta = async (precio: string) =>
    ventaDe(await buildOrden(db, { fecha: new Date(Date.now() - 60_000), precio }));
  const estatus = async (id: string) =>
    (await db.selectFrom('factura').select('estatus').where('id', '=', id).executeTakeFirstOrThrow()).estatus;
  const claimsOf = (venta: Venta) =>
    db.selectFrom('fiscalClaim').select(['kind', 'facturaId']).where('ordenId', 'in', venta.ordenIds).execute();
  const isFree = async (venta: Venta) =>
    (await sql<{ id: string }>`select id from orden where ${porFacturar(mes)}`.execute(db)).rows.some(({ id }) =>
      venta.ordenIds.includes(id),
    );
  const vivos = async (venta: Venta) =>
    (
      await db
        .selectFrom('factura')
        .innerJoin('facturaOrden', 'facturaOrden.facturaId', 'factura.id')
        .select('factura.id')
        .where('ordenId', 'in', venta.ordenIds)
        .where('estatus', '<>', 'cancelada')
        .orderBy('factura.id')
        .execute()
    ).map(({ id }) => id);
  const notaOf = (venta: Venta) =>
    db
      .selectFrom('factura')
      .selectAll()
      .where('tipo', '=', 'notaCredito')
      .where('numOrden', '=', venta.numOrden)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
  const says = (promise: Promise<unknown>) =>
    promise.then(
      () => '',
      (error: NotAllowed) => error.message,
    );
  const texts = async (id: string) => (await lineaOfFactura(db, id)).map(({ texto }) => texto);
  const age = (facturaId: string, days: number) =>
    sql`update cancelacion set pedida_en = pedida_en - make_interval(days => ${days}),
    resuelta_en = resuelta_en - make_interval(days => ${days}) where factura_id = ${facturaId}`.execute(db);
  const due = () => sql`update cancelacion set revisada_en = now() - interval '2 hours'`.execute(db);
  return {
    db,
    sandbox,
    sa,
    mes,
    facturar,
    sustituir,
    cancelar,
    global,
    notas,
    ventaDe,
    unaVenta,
    estatus,
    claimsOf,
    isFree,
    vivos,
    notaOf,
    says,
    texts,
    age,
    due,
  };
}
