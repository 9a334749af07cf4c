import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { cambiosEntre } from '~/core/choque';
import { Stale } from '~/core/errors';
import { MARKETS } from '~/core/market';
import { Money } from '~/core/money';
import { writeDias } from '~/core/periodo';
import { civilDay } from '~/core/time';
import { record } from '~/platform/bitacora.server';
import type { Db, Trx } from '~db/client.server';
import { PERSONAS, type Persona } from '~db/columns';
import { lockName } from '~db/locks.server';
import { enqueue } from '~db/queue/catalog.server';
import { ETIQUETA_PERSONA, type PersonaForm, type Tasa, tasaOf, type TasaForm, type Tasas } from './tasas';

const CLAVE = 'persona';
const OMISION: Persona = 'moral';

/** Reads what the law withholds of this shop (LISR 113-A, LIVA 18-J). A shop that never said who sells is a company. */
export async function readTasas(db: Db | Trx): Promise<Tasas> {
  const row = await db.selectFrom('ajuste').select('valor').where('clave', '=', CLAVE).executeTakeFirst();
  const persona = PERSONAS.find((one) => one === row?.valor) ?? OMISION;
  const filas = await db
    .selectFrom('tasaRetencion')
    .select(['desde', 'hasta', 'iva', 'isr'])
    .where('persona', '=', persona)
    .orderBy('desde', 'desc')
    .execute();
  return { persona, filas };
}

/** '2.5' for 0.025. */
const enCien = (fraccion: Money) => fraccion.times(100).toShort();

/** Returns the mark of who sells and of every rate that a screen showed. */
function huellaOfTasas({ persona, filas }: Tasas): string {
  const escritas = filas.map(({ desde, hasta, iva, isr }) => [desde, hasta, enCien(iva), enCien(isr)]);
  return createHash('sha256')
    .update(JSON.stringify([persona, escritas]))
    .digest('base64url');
}

const writeDia = (dia: string) => writeDias({ desde: dia, hasta: dia });
const writeTasa = (tasa: Tasa) =>
  `IVA ${enCien(tasa.iva)} %, ISR ${enCien(tasa.isr)} %` + (tasa.hasta ? ` hasta el ${writeDia(tasa.hasta)}` : '');

const mostrado = ({ persona, filas }: Tasas) =>
  Object.fromEntries([
    ['Quién vende', ETIQUETA_PERSONA[persona]],
    ...filas.map((tasa) => [`Desde el ${writeDia(tasa.desde)}`, writeTasa(tasa)]),
  ]) as Record<string, string>;

/** Rates of the law from a day on, in percent. */
export type TasaEscrita = { desde: string; hasta: string | null; iva: string; isr: string };

/** What the law withholds of this shop, as a screen shows it. */
export type TasasEscritas = {
  persona: Persona;
  filas: TasaEscrita[];
  /** The rates that hold today; null where a law is over and no other was written. */
  hoy: TasaEscrita | null;
  huella: string;
};

/** Reads the rates of the law for a screen or a call. */
export async function readTasasEscritas(db: Db | Trx, hoy = civilDay(new Date())): Promise<TasasEscritas> {
  const tasas = await readTasas(db);
  const escrita = ({ iva, isr, ...dias }: Tasa) => ({ ...dias, iva: enCien(iva), isr: enCien(isr) });
  const vigente = tasaOf(tasas, hoy);
  return {
    persona: tasas.persona,
    filas: tasas.filas.map(escrita),
    hoy: vigente && escrita(vigente),
    huella: huellaOfTasas(tasas),
  };
}

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
  const tasa = { desde, hasta, iva: Money.of(iva).dividedBy(100), isr: Money.of(isr).dividedBy(100) };
  const filas = [tasa, ...antes.filas.filter((otra) => otra.desde !== desde)];
  requireVistas(antes, { ...antes, filas }, huella);
  const row = { hasta, iva: tasa.iva.toFixed(6), isr: tasa.isr.toFixed(6) };
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

function requireVistas(antes: Tasas, despues: Tasas, huella: string): void {
  const ahora = huellaOfTasas(antes);
  if (huella === ahora) return;
  throw new Stale({ cambios: cambiosEntre(mostrado(despues), mostrado(antes)), marcas: { huella: ahora } });
}

async function noteChange(trx: Trx, datos: Record<string, unknown>, usuarioId: string | null): Promise<void> {
  await record(trx, { usuarioId, entidad: 'ajuste', entidadId: 'tasasDeRetencion', accion: 'guardar', datos });
  // What is estimated by these rates is estimated anew.
  for (const market of MARKETS) await enqueue(trx, 'libro.asentar', { market });
}
