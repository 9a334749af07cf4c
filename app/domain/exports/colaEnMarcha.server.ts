import { sql } from 'kysely';
import { cuenta } from '~/core/cuenta';
import { recentBatches } from '~/domain/effects/batches.server';
import { DIA } from '~/domain/hoy/reloj';
import type { Cola, Cosa } from '~/domain/hoy/cola';
import { contar } from '~/domain/hoy/contar.server';
import type { Db } from '~db/client.server';
import type { ExportState } from '~/core/list';
import { findList } from './lists.server';

const MOST = 10;
const PLAZOS = { aviso: DIA, mal: DIA };

/** What this person asked for and is being made: exports, and batches that everybody who closes a month sees. One that failed stays for a day. */
export const enMarcha: Cola = {
  clave: 'enMarcha',
  titulo: 'En marcha',
  icono: 'excel',
  pantallas: ['hoy'],
  ver: '',
  plazos: PLAZOS,
  sola: true,
  dePersona: true,
  async mira(db, mirada) {
    const [exportaciones, lotes] = await Promise.all([
      listExportaciones(db, mirada.quien.id),
      mirada.quien.rol === 'sa' ? listLotes(db) : [],
    ]);
    return contar([...exportaciones, ...lotes], PLAZOS, mirada);
  },
};

async function listExportaciones(db: Db, usuarioId: string): Promise<Cosa[]> {
  const runs = await db
    .selectFrom('exportRun')
    .select(['id', 'list', 'state', 'written', 'total', 'createdAt'])
    .where('usuarioId', '=', usuarioId)
    .where('dismissedAt', 'is', null)
    .where('state', 'in', ['queued', 'running', 'failed'] satisfies ExportState[])
    .where('createdAt', '>', sql<Date>`now() - interval '1 day'`)
    .orderBy('id', 'desc')
    .limit(MOST)
    .execute();
  return runs.map(({ id, list, state, written, total, createdAt }) => ({
    id,
    titulo: `Excel de ${findList(list)?.titulo ?? list}`,
    detalle: total === null ? '' : `${cuenta(written)} de ${cuenta(total)} registros`,
    a: list.split('.')[0]!,
    desde: createdAt,
    vence: null,
    dice: state === 'failed' ? { texto: 'No se pudo', tono: 'mal' as const } : avance(written, total),
  }));
}

async function listLotes(db: Db): Promise<Cosa[]> {
  const lotes = await recentBatches(db, MOST);
  return lotes.map(({ id, label, total, clave, createdAt, done, failed, unclear, waiting }) => ({
    id,
    titulo: label,
    detalle: `${cuenta(done)} de ${cuenta(total)}`,
    a: `facturacionGeneral?mes=${clave}`,
    desde: createdAt,
    vence: null,
    dice:
      waiting > 0
        ? avance(total - waiting, total)
        : { texto: `${cuenta(failed + unclear)} no salieron`, tono: 'mal' as const },
  }));
}

function avance(hechas: number, total: number | null) {
  return {
    texto: total ? `${Math.floor((100 * hechas) / total)} %` : 'En espera',
    tono: 'neutro' as const,
  };
}
