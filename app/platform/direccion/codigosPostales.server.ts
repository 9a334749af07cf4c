import { sql } from 'kysely';
import { z } from 'zod';
import { avisoPostal, isCp, type HallazgoPostal, type LugarBuscado, type LugarPostal } from '~/core/codigoPostal';
import { env } from '~/core/env.server';
import { log } from '~/core/log.server';
import { createCodigosPostales, type CodigosPostales } from '~/integrations/codigosPostales/client.server';
import { Refused, Unavailable, UnexpectedShape } from '~/integrations/errors';
import type { Db } from '~db/client.server';
import { withLugar } from './direccion';

/** Days after which an answer of the service is asked for again: new settlements are few, and a code that was unknown may be new. */
const KEEP_DAYS = { encontrado: 90, desconocido: 7 } as const;

const Lugar = z.object({
  cp: z.string(),
  estado: z.string(),
  municipio: z.string(),
  ciudad: z.string(),
  colonias: z.array(z.string()),
});

/**
 * Looks a postal code up: in our table, then among recent answers of the service, then at the service. A service that fails throws nothing: the
 * address is typed by hand.
 */
export async function findCp(
  db: Db,
  cp: string,
  servicio: CodigosPostales | null = configured(),
): Promise<HallazgoPostal> {
  if (!isCp(cp)) return { tipo: 'desconocido' };
  const own = await ofTable(db, cp);
  if (own) return { tipo: 'encontrado', lugar: own };
  const kept = await db
    .selectFrom('codigoPostalConsulta')
    .select(['lugar', 'consultadoEn'])
    .where('cp', '=', cp)
    .executeTakeFirst();
  const lugar = kept?.lugar ? Lugar.parse(kept.lugar) : null;
  const days = KEEP_DAYS[lugar ? 'encontrado' : 'desconocido'];
  if (kept && (!servicio || Date.now() - kept.consultadoEn.getTime() < days * 86_400_000)) return hallazgoOf(lugar);
  if (!servicio) return { tipo: 'desconocido' };
  try {
    return hallazgoOf(await askAndKeep(db, servicio, cp));
  } catch (error) {
    if (!(error instanceof Unavailable || error instanceof Refused || error instanceof UnexpectedShape)) throw error;
    log.warn('el buscador de códigos postales no sirvió', { error: error.message });
    return lugar ? hallazgoOf(lugar) : { tipo: 'sinRespuesta' };
  }
}

/** Returns the parts of an address that the postal code of a form fills in (`direccion`), and the facts that the form shows beside it (`lugar`). */
export async function lookUpLugar(db: Db, { cp = '', colonia = '' }: { cp?: string; colonia?: string }) {
  const hallazgo = await findCp(db, cp.trim());
  const lugar = hallazgo.tipo === 'encontrado' ? hallazgo.lugar : undefined;
  const beside: LugarBuscado = { colonias: lugar?.colonias ?? [], aviso: avisoPostal(hallazgo) };
  return { lugar: beside, direccion: lugar ? withLugar({ colonia }, lugar) : {} };
}

/** Reads a code of our table, with its settlements in alphabetical order, each name once. */
async function ofTable(db: Db, cp: string): Promise<LugarPostal | undefined> {
  const rows = await db
    .selectFrom('codigoPostal')
    .select(['asentamiento', 'municipio', 'ciudad', 'estado'])
    .where('cp', '=', cp)
    .execute();
  const [first] = rows;
  if (!first) return undefined;
  const ciudad = rows.find((row) => row.ciudad !== '')?.ciudad ?? '';
  const colonias = [...new Set(rows.map(({ asentamiento }) => asentamiento))].sort(new Intl.Collator('es-MX').compare);
  return { cp, estado: first.estado, municipio: first.municipio, ciudad, colonias };
}

async function askAndKeep(db: Db, servicio: CodigosPostales, cp: string): Promise<LugarPostal | null> {
  const lugar = (await servicio.find(cp)) ?? null;
  const values = { lugar: lugar && JSON.stringify(lugar), consultadoEn: sql<Date>`now()` };
  await db
    .insertInto('codigoPostalConsulta')
    .values({ cp, ...values })
    .onConflict((conflict) => conflict.column('cp').doUpdateSet(values))
    .execute();
  return lugar;
}

const hallazgoOf = (lugar: LugarPostal | null): HallazgoPostal =>
  lugar ? { tipo: 'encontrado', lugar } : { tipo: 'desconocido' };

/** Returns the service of the settings; null without an address. */
function configured(): CodigosPostales | null {
  const { COPOMEX_URL, COPOMEX_TOKEN } = env();
  return COPOMEX_URL === '' ? null : createCodigosPostales({ baseUrl: COPOMEX_URL, token: COPOMEX_TOKEN });
}
