import { sql } from 'kysely';
import type { Db } from '~db/client.server';
import { CONNECTIONS } from '~/platform/connections/registry.server';

/** SQL: how many effects wait for the far side of a row of `empresa`. */
export const EN_ESPERA = sql<number>`(
  select count(*)::int from effect
  where effect.connection = empresa.conexion and effect.state in ('queued', 'sending', 'unknown'))`;

/** A far side that people paused, as screens tell it. */
export type Pausada = {
  conexion: string;
  nombre: string;
  pausedAt: Date;
  enEspera: number;
  /** Text of the work that stands still meanwhile; `pantallas` are the screens that tell it. */
  seDetiene: string;
  pantallas: readonly string[];
};

/** The words of a far side that this version no longer knows. */
const FORGOTTEN = { stops: 'Lo que se le pida espera a que se active.', screens: [] };

/** Lists the far sides that are paused, by the name of their company, with how many effects wait for each. */
export async function listPausadas(db: Db): Promise<Pausada[]> {
  const rows = await db
    .selectFrom('empresa')
    .innerJoin('connection', (on) =>
      on.onRef('connection.kind', '=', 'empresa.conexion').on('connection.account', '=', ''),
    )
    .select(['empresa.conexion', 'empresa.nombre', 'connection.pausedAt', EN_ESPERA.as('enEspera')])
    .where('connection.pausedAt', 'is not', null)
    .orderBy('empresa.nombre')
    .execute();
  return rows.map(({ conexion, pausedAt, ...row }) => {
    const { stops, screens } = CONNECTIONS.find(conexion!)?.paused ?? FORGOTTEN;
    return { ...row, conexion: conexion!, pausedAt: pausedAt!, seDetiene: stops, pantallas: screens };
  });
}
