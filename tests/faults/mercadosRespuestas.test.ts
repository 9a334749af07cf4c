/** Answers whose answer is lost, cut, late or refused, while others answer too: none is doubled, none is lost, and nobody else's is written over. */
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { savePreguntas } from '~/domain/atencion/preguntas/preguntas.server';
import { acceptRespuesta, respuestas } from '~/domain/atencion/preguntas/responderPregunta.server';
import { testDatabase } from '../support/db';
import { runJobs } from '../support/jobs';
import { buildUsuario, linkSandbox } from '../support/mercadolibre';
import { startTestSandbox, type FailOptions } from '../support/sandbox';
import { luck, pause, report, times } from './support/scene';

/** A call gives up after 1 s. */
process.env.EFFECT_PACE = '0.02';
delete process.env.EFFECT_DEADLINE;
const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
const { db } = testDatabase();
const next = luck(20261123);
const CUANTAS = times(14, Number(process.env.FAULTS_RESPUESTAS ?? 1_000));
const WITHIN_MS = times(240_000, 1_500_000);
const SUYA = 'La contesté desde el teléfono.';

type Fault = [mode: string, options?: FailOptions];
const FAULTS: (Fault | null)[] = [
  null,
  ['reset-after-doing'],
  ['500-after-doing'],
  ['half-answer'],
  ['html'],
  ['hang-after-doing', { ms: 1_200 }],
  // It is done after we gave up, while it is being looked for.
  ['slow', { ms: 1_200 }],
  ['429', { code: 'sinRetryAfter' }],
  ['503'],
  ['reset'],
  ['mantenimiento'],
  ['hang', { ms: 1_200 }],
  ['refuse', { message: 'invalid_question' }],
];
const MIRADAS = ['503', 'reset', 'html', 'half-answer', '429'];
let usuarioId: string;

beforeAll(async () => {
  await linkSandbox(db, sandbox);
  usuarioId = (await buildUsuario(db)).id;
}, 60_000);

/** A question that waits, what we answer it with, and what happens to that answer; `ajena`: somebody answers before ours is there. */
async function pedir(marketId: string, at: number) {
  const fault = FAULTS[at % FAULTS.length]!;
  const ajena = at % 5 === 3;
  const texto = `Hola, sí. Es la respuesta ${at} de hoy.`;
  if (fault)
    await sandbox.mercadolibre.failNext(fault[0], {
      ...fault[1],
      route: 'POST /answers',
      contains: `respuesta ${at} `,
    });
  const { id, version } = await db
    .selectFrom('pregunta')
    .select(['id', 'version'])
    .where('marketId', '=', marketId)
    .executeTakeFirstOrThrow();
  await db.transaction().execute((trx) => acceptRespuesta(trx, { pregunta: id, version, texto }, usuarioId));
  if (ajena) await sandbox.mercadolibre.post(`/preguntas/${marketId}`, { respuesta: SUYA, sinAviso: true });
  return { id, marketId, texto, fault: fault?.[0] ?? null, ajena };
}

test(
  `${CUANTAS} answers: none doubled, none lost, none over somebody else's`,
  async () => {
    const { ids } = await sandbox.mercadolibre.post<{ ids: string[] }>('/preguntas', {
      text: '¿Tienen disponible?',
      veces: CUANTAS,
      sinAviso: true,
    });
    const leidas = ids.map((marketId) => ({
      marketId,
      publicacionId: 'MLM2900010001',
      compradorId: null,
      texto: '¿Tienen disponible?',
      estatus: 'pendiente' as const,
      retenida: false,
      fecha: new Date(),
      respuesta: null,
      documento: {},
    }));
    await savePreguntas(db, 'ml', leidas, { leidaEn: new Date(), publicaciones: new Map() });
    const pedidas = [];
    for (const [at, id] of ids.entries()) pedidas.push(await pedir(id, at));
    for (let at = 0; at < CUANTAS / 3; at++)
      await sandbox.mercadolibre.failNext(MIRADAS[Math.floor(next() * MIRADAS.length)]!, { route: 'GET /questions/' });

    const began = Date.now();
    for (;;) {
      await runJobs();
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

    const rows = await db
      .selectFrom('effect')
      .innerJoin('effectSubject', 'effectSubject.effectId', 'effect.id')
      .innerJoin('pregunta', (join) => join.on(sql<boolean>`pregunta.id::text = effect_subject.entidad_id`))
      .select(['pregunta.id', 'effect.state', 'pregunta.estatus', 'pregunta.respuesta', 'pregunta.respondidaPor'])
      .where('effect.type', '=', respuestas.require('ml').type)
      .execute();
    const de = new Map(rows.map((row) => [row.id, row]));
    expect(rows).toHaveLength(CUANTAS);
    const mal = [];
    for (const { id, marketId, texto, fault, ajena } of pedidas) {
      const { state, estatus, respuesta, respondidaPor } = de.get(id)!;
      const { answer } = await sandbox.mercadolibre.get<{ answer: { text: string } | null }>(`/preguntas/${marketId}`);
      const bien = ajena
        ? state === 'refused' && answer?.text === SUYA
        : fault === 'refuse'
          ? state === 'refused' && answer === null && estatus === 'pendiente'
          : state === 'done' && answer?.text === texto && respuesta === texto && respondidaPor === usuarioId;
      if (!bien) mal.push({ marketId, fault, ajena, state, estatus, respuesta, alla: answer?.text });
    }
    expect(mal).toEqual([]);
    report('respuestas', {
      pedidas: CUANTAS,
      respondidas: rows.filter(({ state }) => state === 'done').length,
      deOtros: pedidas.filter(({ ajena }) => ajena).length,
      perdidas: mal.length,
      aPersonas: rows.filter(({ state }) => state === 'manual').length,
    });
  },
  WITHIN_MS + 60_000,
);
