/** Publications whose answers are lost, cut, late or refused: none is doubled and none is lost, and what nobody can know is with people. */
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { acceptEffect } from '~/platform/effects/effects.server';
import { puestas } from '~/domain/publicaciones/publicador/internal/puestas.server';
import { buildPorPublicar } from '../support/builders/publicador';
import { testDatabase } from '../support/db';
import { runJobs } from '../support/jobs';
import { linkSandbox } from '../support/mercadolibre';
import { startTestSandbox, type FailOptions } from '../support/sandbox';
import { luck, pause, report, times } from './support/scene';

/** A call gives up after 1 s. */
process.env.EFFECT_PACE = '0.02';
delete process.env.EFFECT_DEADLINE;
const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
const { db } = testDatabase();
const next = luck(20261123);
const CUANTAS = times(9, Number(process.env.FAULTS_PUBLICACIONES ?? 1_000));
const WITHIN_MS = times(240_000, 1_500_000);
/** Runners that take turns, as a worker has them. */
const A_LA_VEZ = times(1, 4);

type Fault = [mode: string, options?: FailOptions];
const HECHAS: Fault[] = [
  ['reset-after-doing'],
  ['500-after-doing'],
  ['half-answer'],
  ['html'],
  ['hang-after-doing', { ms: 1_200 }],
  // It is done after we gave up, while it is being looked for.
  ['slow', { ms: 1_200 }],
];
const NO_HECHAS: Fault[] = [
  ['429', { code: 'sinRetryAfter' }],
  ['503'],
  ['reset'],
  ['mantenimiento'],
  ['hang', { ms: 1_200 }],
  ['refuse', { message: 'Seller unable to list' }],
];
const TODAS: (Fault | null)[] = [...HECHAS, ...NO_HECHAS, null, null];
const MIRADAS = ['503', 'reset', 'html', 'half-answer', '429'];

beforeAll(async () => {
  await linkSandbox(db, sandbox);
  // What a new link reads by itself would take the faults that are meant for our looks.
  await runJobs();
}, 60_000);

const cuerpoDe = (sku: string) => ({
  title: 'Cámara',
  category_id: 'MLM167538',
  price: 1_000,
  currency_id: 'MXN',
  available_quantity: 3,
  buying_mode: 'buy_it_now',
  condition: 'new',
  listing_type_id: 'gold_special',
  attributes: [
    { id: 'BRAND', value_name: 'Hikvision' },
    { id: 'MODEL', value_name: 'DS' },
    { id: 'CAMERA_TYPE', value_id: '7000' },
    { id: 'RESOLUTION', value_name: '1080p' },
    { id: 'IS_WIRELESS', value_id: '242084' },
    { id: 'EMPTY_GTIN_REASON', value_id: '17055160' },
    { id: 'SELLER_SKU', value_name: sku },
  ],
});

async function pedir(fault: Fault | null) {
  const producto = await buildPorPublicar(db);
  const sku = `AMS|${producto.idProveedor}|syscom|${producto.modelo}|`;
  if (fault) await sandbox.mercadolibre.failNext(fault[0], { ...fault[1], route: 'POST /items', contains: sku });
  await db.transaction().execute((trx) =>
    acceptEffect(trx, puestas.require('ml'), {
      request: {
        productoId: producto.id,
        proveedor: 'syscom',
        sku,
        tipo: 'gold_special',
        titulo: 'Cámara',
        descripcion: null,
        cuerpo: cuerpoDe(sku),
        imagenes: [{ archivoId: null, url: 'https://ftp3.syscom.mx/foto.png' }],
        seguir: true,
        escrito: null,
      },
    }),
  );
  return { sku, productoId: producto.id, fault };
}

test(
  `${CUANTAS} publications: none doubled, none lost`,
  async () => {
    const pedidas = [];
    for (let at = 0; at < CUANTAS; at++) pedidas.push(await pedir(TODAS[at % TODAS.length]!));
    for (let at = 0; at < CUANTAS / 3; at++)
      await sandbox.mercadolibre.failNext(MIRADAS[Math.floor(next() * MIRADAS.length)]!, { route: '/items/search' });
    const began = Date.now();
    for (;;) {
      await Promise.all(Array.from({ length: A_LA_VEZ }, runJobs));
      // So many faults rest the connection, and the pace of the account is not what is proven here.
      await sql`delete from connection`.execute(db);
      const { open } = await db
        .selectFrom('effect')
        .select(({ fn }) => fn.countAll<string>().as('open'))
        .where('state', 'in', ['queued', 'sending', 'unknown'])
        .executeTakeFirstOrThrow();
      if (Number(open) === 0) break;
      if (Date.now() - began > WITHIN_MS) throw new Error(`${open} are still open`);
      await pause(50);
    }

    const alla = new Map<string, string[]>();
    for (const { id, sku } of await sandbox.mercadolibre.get<{ id: string; sku: string }[]>('/publicadas'))
      alla.set(sku, [...(alla.get(sku) ?? []), id]);
    const rows = await db
      .selectFrom('effect')
      .innerJoin('effectSubject', 'effectSubject.effectId', 'effect.id')
      .leftJoin('publicacion', (join) =>
        join.on(sql<boolean>`publicacion.producto_id::text = effect_subject.entidad_id`),
      )
      .select(['effectSubject.entidadId', 'effect.state', 'effect.sends', 'publicacion.clave'])
      .where('effect.type', '=', puestas.require('ml').type)
      .execute();
    const deProducto = new Map(rows.map((row) => [row.entidadId, row]));
    const mal = pedidas.flatMap(({ sku, productoId, fault }) => {
      const { state, clave } = deProducto.get(productoId)!;
      const [esta, ...repetidas] = alla.get(sku) ?? [];
      const bien =
        repetidas.length === 0 &&
        (esta === undefined ? state === 'manual' || state === 'refused' : state === 'done' && clave === esta);
      return bien ? [] : [{ sku, fault: fault?.[0], state, clave, esta, repetidas }];
    });
    expect(mal).toEqual([]);
    // A no that was clear is the only one that ends as refused.
    const negadas = pedidas.filter(({ fault }) => fault?.[0] === 'refuse');
    expect(rows.filter(({ state }) => state === 'refused')).toHaveLength(negadas.length);
    // A look that failed before anything was sent sends nobody to people: only these may end there.
    const dudosas = pedidas.filter(({ fault }) => ['503', 'reset', 'mantenimiento', 'hang'].includes(fault?.[0] ?? ''));
    expect(rows.filter(({ state }) => state === 'manual').length).toBeLessThanOrEqual(dudosas.length);
    report('publicaciones', {
      pedidas: CUANTAS,
      publicadas: rows.filter(({ state }) => state === 'done').length,
      repetidas: [...alla.values()].filter((ids) => ids.length > 1).length,
      perdidas: mal.length,
      aPersonas: rows.filter(({ state }) => state === 'manual').length,
    });
  },
  WITHIN_MS + 60_000,
);
