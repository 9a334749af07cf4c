import { sql } from 'kysely';
import type { Db } from '~db/client.server';
import { CONNECTIONS } from './registry.server';

/** Effects that wait for the far side of a company. */
export const EN_ESPERA = sql<number>`(select count(*)::int from effect where effect.connection = empresa.conexion and effect.state in ('queued', 'sending', 'unknown'))`;

export type Pausada = {
  conexion: string;
  nombre: string;
  pausedAt: Date;
  enEspera: number;
  /** What stands still meanwhile, and the screens where that is told. */
  seDetiene: string;
  pantallas: readonly string[];
};

/** Of a far side that this version no longer knows. */
const FORGOTTEN = { stops: 'Lo que se le pida espera a que se active.', screens: [] };

/** The integrations that are paused, with how much waits for each. */
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
