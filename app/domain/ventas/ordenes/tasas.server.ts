import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { z } from 'zod';
import { cambiosEntre } from '~/core/choque';
import { Stale } from '~/core/errors';
import { MARKETS } from '~/core/market';
import { Money } from '~/core/money';
import { writeDias } from '~/core/periodo';
import { PERSONA_LABEL, PERSONAS, type Persona } from '~/core/persona';
import { addDays, civilDay } from '~/core/time';
import { record } from '~/platform/bitacora.server';
import type { Db, Trx } from '~db/client.server';
import { lockName } from '~db/locks.server';
import { enqueue } from '~db/queue/catalog.server';
import type { PersonaForm, TasaForm } from './tasas';

const CLAVE = 'persona';
const OMISION: Persona = 'moral';
/** Days before the end of a law from which it is told. */
const AVISO_DIAS = 31;

/** Rates that platforms withhold of a price without IVA from a day on, in percent. `hasta` is the last day of their law; null without an end. */
export type Tasa = { desde: string; hasta: string | null; iva: string; isr: string };

/** What the law withholds of this shop. */
export type Tasas = {
  persona: Persona;
  /** The newest first. */
  filas: Tasa[];
  /** The rates of today as fractions. Those of a law that is over go on until others are written. */
  hoy: { iva: Money; isr: Money };
  /** The last day of the newest rates, once it is near or over. */
  fin: { dia: string; pasado: boolean } | null;
  huella: string;
};

/** Reads what the law withholds of this shop (LISR 113-A, LIVA 18-J). A shop that never said who sells is a company. */
export async function readTasas(db: Db | Trx, hoy = civilDay(new Date())): Promise<Tasas> {
  const row = await db.selectFrom('ajuste').select('valor').where('clave', '=', CLAVE).executeTakeFirst();
  const persona = PERSONAS.find((one) => one === row?.valor) ?? OMISION;
  const rows = await db
    .selectFrom('tasaRetencion')
    .select(['desde', 'hasta', 'iva', 'isr'])
    .where('persona', '=', persona)
    .orderBy('desde', 'desc')
    .execute();
  const filas = rows.map(({ iva, isr, ...dias }) => ({ ...dias, iva: enCien(iva), isr: enCien(isr) }));
  const { rows: vigentes } = await sql<{ iva: Money; isr: Money }>`
    select iva, isr from tasa_de_ley((${hoy} || ' 12:00')::timestamp at time zone 'America/Mexico_City')`.execute(db);
  const dia = filas[0]?.hasta ?? null;
  return {
    persona,
    filas,
    hoy: vigentes[0]!,
    fin: dia !== null && dia <= addDays(hoy, AVISO_DIAS) ? { dia, pasado: dia < hoy } : null,
    huella: createHash('sha256')
      .update(JSON.stringify([persona, filas]))
      .digest('base64url'),
  };
}

/** '2.5' for 0.025. */
const enCien = (fraccion: Money) => fraccion.times(100).toShort();

const writeDia = (dia: string) => writeDias({ desde: dia, hasta: dia });
const writeTasa = ({ iva, isr, hasta }: Tasa) =>
  `IVA ${iva} %, ISR ${isr} %${hasta ? ` hasta el ${writeDia(hasta)}` : ''}`;

const mostrado = ({ persona, filas }: Pick<Tasas, 'persona' | 'filas'>): Record<string, string> =>
  Object.fromEntries([
    ['Quién vende', PERSONA_LABEL[persona]],
    ...filas.map((tasa) => [`Desde el ${writeDia(tasa.desde)}`, writeTasa(tasa)]),
  ]);

/** Saves who sells. Throws `Stale` when the rates moved since the screen showed them. */
export async function savePersona(
  trx: Trx,
  { persona, huella }: z.infer<typeof PersonaForm>,
  usuarioId: string | null,
): Promise<void> {
  const antes = await lockTasas(trx);
  const valor = JSON.stringify(persona);
  requireVistas(antes, { ...antes, persona }, huella);
  await trx
    .insertInto('ajuste')
    .values({ clave: CLAVE, valor })
    .onConflict((conflict) => conflict.column('clave').doUpdateSet({ valor, actualizadoEn: new Date() }))
    .execute();
  await noteChange(trx, { antes: antes.persona, despues: persona }, usuarioId);
}

/**
 * Saves the rates of the law from a day on, for who sells here. Rates of that very day are replaced. Throws `Stale` when the rates moved since the
 * screen showed them.
 */
export async function saveTasa(
  trx: Trx,
  { huella, desde, hasta, iva, isr }: z.infer<typeof TasaForm>,
  usuarioId: string | null,
): Promise<void> {
  const antes = await lockTasas(trx);
  const tasa = { desde, hasta, iva: Money.of(iva).toShort(), isr: Money.of(isr).toShort() };
  requireVistas(antes, { ...antes, filas: [tasa, ...antes.filas.filter((otra) => otra.desde !== desde)] }, huella);
  const row = {
    hasta,
    iva: Money.of(iva).dividedBy(100).toFixed(6),
    isr: Money.of(isr).dividedBy(100).toFixed(6),
  };
  await trx
    .insertInto('tasaRetencion')
    .values({ persona: antes.persona, desde, ...row })
    .onConflict((conflict) => conflict.columns(['persona', 'desde']).doUpdateSet(row))
    .execute();
  const suya = antes.filas.find((otra) => otra.desde === desde);
  await noteChange(trx, { desde, antes: suya ? writeTasa(suya) : null, despues: writeTasa(tasa) }, usuarioId);
}

async function lockTasas(trx: Trx): Promise<Tasas> {
  await lockName(trx, 'retenciones');
  return readTasas(trx);
}

function requireVistas(antes: Tasas, despues: Pick<Tasas, 'persona' | 'filas'>, huella: string): void {
  if (huella === antes.huella) return;
  throw new Stale({ cambios: cambiosEntre(mostrado(despues), mostrado(antes)), marcas: { huella: antes.huella } });
}

async function noteChange(trx: Trx, datos: Record<string, unknown>, usuarioId: string | null): Promise<void> {
  await record(trx, { usuarioId, entidad: 'ajuste', entidadId: 'tasasDeRetencion', accion: 'guardar', datos });
  // What is estimated by these rates is estimated anew.
  for (const market of MARKETS) await enqueue(trx, 'libro.asentar', { market });
}
