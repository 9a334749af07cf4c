import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Market } from '~/core/market';
import { fuenteOf } from '~/domain/mercados/registro.server';
import { editPublicacion } from '~/domain/publicaciones/publicaciones/publicaciones.server';
import { sendPendientes } from '~/domain/publicaciones/publicaciones/followProveedores.server';
import { bringTodas, bringPublicaciones } from '~/domain/publicaciones/publicaciones/syncPublicaciones.server';
import { ownerDatabase, testDatabase } from '../../support/db';
import { runJobs, runJobsUntil } from '../../support/jobs';
import { buildUsuario } from '../../support/mercadolibre';

/** What a marketplace shows of a listing of its world, and what reached it. */
export type Mostrada = { precio: string | null; stock: number | null };
export type MundoDePublicaciones = {
  market: Market;
  link(): Promise<void>;
  /** So many on sale, at 500 pesos or more and with 10 pieces; answers what the marketplace knows them by. */
  pone(cuantas: number): Promise<string[]>;
  mostrada(clave: string): Promise<Mostrada>;
  /** Changes that reached the marketplace about it. */
  cambios(clave: string): Promise<number>;
  /** The next change is done and its answer lost, or refused. */
  falla(como: 'hechaSinRespuesta' | 'no'): Promise<void>;
  /** What a marketplace works on by itself is worked on. */
  madura(): Promise<void>;
  /** Each way in which what nobody has confirmed may be. */
  maneras: readonly (readonly [que: string, poner: () => Promise<unknown>])[];
};

/** How the listings of every marketplace are read and changed; one is ready when its own world passes. */
export function publicacionesSuite(mundo: MundoDePublicaciones) {
  const { db } = testDatabase();
  const { market } = mundo;
  const limites = fuenteOf(market).publicaciones!.limites;
  let usuarioId: string;
  let claves: string[];
  let clave: string;

  const fila = () =>
    db
      .selectFrom('publicacion')
      .selectAll()
      .where('market', '=', market)
      .where('clave', '=', clave)
      .executeTakeFirstOrThrow();
  async function editar(cambio: { precio?: string; stock?: number }): Promise<string> {
    const { id, version, titulo, precio, stock, estatus, autoSync } = await fila();
    const editada = { id, version, titulo, precio: precio!.toFixed(2), stock: stock!, estatus, autoSync, ...cambio };
    const aceptado = await db.transaction().execute((trx) => editPublicacion(trx, editada, usuarioId));
    return aceptado!.id;
  }
  /** Looks as often as it takes, without waiting for the clock. */
  async function termina(id: string) {
    await runJobsUntil(async () => {
      await mundo.madura();
      await db
        .updateTable('effect')
        .set({ nextAt: sql<Date>`now()` })
        .where('state', '=', 'unknown')
        .execute();
      await sql`update graphile_worker._private_jobs set run_at = now()`.execute(ownerDatabase().db);
      const { state } = await db.selectFrom('effect').select('state').where('id', '=', id).executeTakeFirstOrThrow();
      return ['done', 'refused'].includes(state);
    });
    return db.selectFrom('effect').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  }

  beforeAll(async () => {
    ({ id: usuarioId } = await buildUsuario(db));
    await mundo.link();
    claves = await mundo.pone(45);
    clave = claves[0]!;
    await runJobs();
  }, 60_000);
  beforeEach(async () => {
    await mundo.pone(45);
    await db.updateTable('publicacion').set({ dichoEn: null }).execute();
    await bringPublicaciones(db, fuenteOf(market), [clave]);
  });

  test('all that is on sale is read, and nothing else', async () => {
    for (let n = 0; n < 5 && (await bringTodas(db, market)) !== 'fin'; n++) await mundo.madura();
    const leidas = await db
      .selectFrom('publicacion')
      .select('clave')
      .where('market', '=', market)
      .where('ausenteDesde', 'is', null)
      .execute();
    expect(new Set(leidas.map((una) => una.clave))).toEqual(new Set(claves));
  });

  test('one is read as it stands, and one that is not there is gone', async () => {
    const { precio, stock } = await fila();
    expect({ precio: precio?.toFixed(2), stock }).toEqual(await mundo.mostrada(clave));
    expect(await bringPublicaciones(db, fuenteOf(market), ['NO-EXISTE-0000'])).toEqual([]);
  });

  test.each(mundo.maneras)(
    'price and stock change as they were asked for, and are done when they show: %s',
    async (_, poner) => {
      await poner();
      const antes = await mundo.cambios(clave);
      const { state } = await termina(await editar({ precio: '612.50', stock: 7 }));
      expect([state, await mundo.mostrada(clave)]).toEqual(['done', { precio: '612.50', stock: 7 }]);
      const { precio, stock } = await fila();
      expect([precio?.toFixed(2), stock]).toEqual(['612.50', 7]);
      expect((await mundo.cambios(clave)) - antes).toBe(1);
    },
  );

  test('a no leaves everything as it stands, with its reason', async () => {
    const antes = await mundo.mostrada(clave);
    await mundo.falla('no');
    const { state, reason } = await termina(await editar({ stock: 3 }));
    expect([state, await mundo.mostrada(clave), (await fila()).stock]).toEqual(['refused', antes, antes.stock]);
    expect(reason).toBeTruthy();
  });

  test('a change whose answer was lost is found, and told once', async () => {
    const antes = await mundo.cambios(clave);
    await mundo.falla('hechaSinRespuesta');
    const { state, sends } = await termina(await editar({ stock: 4 }));
    expect([state, sends, (await fila()).stock]).toEqual(['done', 1, 4]);
    expect((await mundo.cambios(clave)) - antes).toBe(1);
  });

  test('no more calls are begun at once than its limit of a minute lets through', async () => {
    await bringPublicaciones(db, fuenteOf(market), claves);
    await db.deleteFrom('publicacionPendiente').execute();
    await sql`insert into publicacion_pendiente (publicacion_id, market, proveedor, stock, motivo, desde)
      select id, market, 'syscom', 2, 'proveedor', now() from publicacion p cross join generate_series(1, 1)
      where market = ${market} and ausente_desde is null`.execute(db);
    await sql`update connection set tokens = 0.5 where kind in (${`publicaciones:${market}`}, ${`archivos:${market}`})`.execute(
      db,
    );
    const antes = await db.selectFrom('effect').select('id').execute();
    for (let n = 0; n < 3; n++) await sendPendientes(db, market);
    const despues = await db.selectFrom('effect').select('id').execute();
    expect(despues.length - antes.length).toBeLessThanOrEqual(Math.ceil(limites.cambiosPorMinuto / 6) + 1);
    await db.deleteFrom('publicacionPendiente').execute();
  });
}
