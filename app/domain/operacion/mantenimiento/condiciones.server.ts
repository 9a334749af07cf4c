import { sql } from 'kysely';
import { log } from '~/core/log.server';
import type { Db, Trx } from '~db/client.server';
import { CONDICIONES } from './internal/condicionCatalog.server';
import { SIN_MIRAR, type Condicion, type Hallazgo } from './internal/condicion';
import { mailCondicion } from './mailCondicion.server';
import { announce } from '~/platform/webhooks/announce.server';
import { acceptEffect } from '~/platform/effects/effects.server';

/** A condition that was not found for this long is over, so one that comes and goes each minute is one story and two letters. */
const OVER_AFTER_MINUTES = 5;

export type CondicionActiva = Hallazgo & { clave: string; desde: Date };

/** Lists the conditions that hold now, the gravest and oldest first. */
export async function listCondiciones(db: Db): Promise<CondicionActiva[]> {
  const rows = await db
    .selectFrom('condicion')
    .select(['clave', 'nivel', 'texto', 'remedio', 'pantalla', 'desde'])
    .orderBy(sql`nivel = 'grave'`, 'desc')
    .orderBy('desde')
    .execute();
  return rows.map(({ nivel, pantalla, ...row }) => ({
    ...row,
    nivel: nivel === 'grave' ? 'grave' : 'aviso',
    ...(pantalla !== null && { pantalla }),
  }));
}

/**
 * Looks at every condition, and tells each change of state: a line in the log, a letter to every sa, and a notice to the webhooks that want it. A condition
 * that cannot look changes nothing of itself, and all of those are one condition more.
 */
export async function watchCondiciones(db: Db, condiciones: readonly Condicion[] = CONDICIONES): Promise<void> {
  const ciegas: string[] = [];
  const held = new Set((await db.selectFrom('condicion').select('clave').execute()).map(({ clave }) => clave));
  for (const { clave, mira } of condiciones) {
    try {
      const hallazgo = await mira(db);
      if (hallazgo) await db.transaction().execute((trx) => begin(trx, clave, hallazgo));
      else if (held.has(clave)) await db.transaction().execute((trx) => end(trx, clave));
    } catch (error) {
      ciegas.push(clave);
      log.error('una condición no se pudo mirar', error, { clave });
    }
  }
  if (ciegas.length > 0) await db.transaction().execute((trx) => begin(trx, SIN_MIRAR, sinMirar(ciegas)));
  else if (held.has(SIN_MIRAR)) await db.transaction().execute((trx) => end(trx, SIN_MIRAR));
}

const sinMirar = (ciegas: readonly string[]): Hallazgo => ({
  nivel: 'grave',
  texto: `No se sabe si hay algo que atender: no se pudo mirar ${ciegas.join(', ')}.`,
  remedio: 'Busca «una condición no se pudo mirar» en el registro del worker: ahí está la causa de cada una.',
  pantalla: 'estado',
});

async function begin(trx: Trx, clave: string, { nivel, texto, remedio, pantalla = undefined }: Hallazgo) {
  const before = await trx
    .selectFrom('condicion')
    .select('nivel')
    .where('clave', '=', clave)
    .forUpdate()
    .executeTakeFirst();
  await trx
    .insertInto('condicion')
    .values({ clave, nivel, texto, remedio, pantalla })
    .onConflict((on) =>
      on.column('clave').doUpdateSet({ nivel, texto, remedio, pantalla: pantalla ?? null, vistaEn: sql`now()` }),
    )
    .execute();
  if (before && (before.nivel === nivel || nivel === 'aviso')) return;
  log.warn('condición', { clave, nivel });
  await tell(
    trx,
    {
      asunto: nivel === 'grave' ? `Atención: ${texto}` : `Aviso: ${texto}`,
      texto: [texto, '', `Qué hacer: ${remedio}`].join('\n'),
    },
    { clave, estado: nivel, texto, remedio, pantalla: pantalla ?? null },
  );
}

async function end(trx: Trx, clave: string) {
  const over = await trx
    .deleteFrom('condicion')
    .where('clave', '=', clave)
    .where('vistaEn', '<', sql<Date>`now() - make_interval(mins => ${OVER_AFTER_MINUTES})`)
    .returning('texto')
    .executeTakeFirst();
  if (!over) return;
  log.info('condición resuelta', { clave });
  await tell(
    trx,
    { asunto: `Resuelto: ${over.texto}`, texto: `Ya no ocurre: ${over.texto}` },
    { clave, estado: 'resuelta', texto: over.texto, remedio: null, pantalla: null },
  );
}

/** What receivers of webhooks are told (`condicion.cambiada`). */
type Cambio = {
  clave: string;
  estado: 'aviso' | 'grave' | 'resuelta';
  texto: string;
  remedio: string | null;
  pantalla: string | null;
};

async function tell(trx: Trx, letter: { asunto: string; texto: string }, cambio: Cambio) {
  const { clave, remedio } = cambio;
  const text = remedio === null ? letter.asunto : `${letter.asunto} ${remedio}`;
  await announce(trx, 'condicion.cambiada', clave, { text, data: cambio });
  const people = await trx
    .selectFrom('usuario')
    .select('email')
    .where('rol', '=', 'sa')
    .where('activo', '=', true)
    .orderBy('email')
    .execute();
  const emails = [...new Set(people.map(({ email }) => email))];
  if (emails.length === 0) return;
  const { rows } = await sql<{ id: string }>`select uuidv7() as id`.execute(trx);
  await acceptEffect(trx, mailCondicion, { request: { clave, cambio: rows[0]!.id, emails, ...letter } });
}
