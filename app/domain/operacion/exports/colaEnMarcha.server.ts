import { sql } from 'kysely';
import { writeCount } from '~/core/count';
import { nombreOfMes } from '~/core/time';
import { recentBatches } from '~/platform/batches/batches.server';
import { DIA } from '~/platform/hoy/reloj';
import type { Cola, Cosa } from '~/platform/hoy/cola';
import { countCosas } from '~/platform/hoy/countCosas.server';
import { recentPreparedBatches } from '~/platform/batches/prepared.server';
import type { Db } from '~db/client.server';
import type { ExportState } from '~/core/list';
import { EXPEDIENTE } from '../expediente.server';
import { findList } from './lists.server';

const MOST = 10;
const PLAZOS = { aviso: DIA, mal: DIA };

/**
 * The queue of work under way: exports and bulk acts that this person asked for, and for an sa the batches of a month, whoever asked
 * for them. Failed work stays for a day.
 */
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
    const [exportaciones, suyos, lotes] = await Promise.all([
      listExportaciones(db, mirada.quien.id),
      listSuyos(db, mirada.quien.id),
      mirada.quien.rol === 'sa' ? listLotes(db) : [],
    ]);
    return countCosas([...exportaciones, ...suyos, ...lotes], PLAZOS, mirada);
  },
};

async function listExportaciones(db: Db, usuarioId: string): Promise<Cosa[]> {
  const runs = await db
    .selectFrom('exportRun')
    .select(['id', 'list', 'state', 'written', 'total', 'createdAt', sql<string>`filter ->> 'search'`.as('search')])
    .where('usuarioId', '=', usuarioId)
    .where('dismissedAt', 'is', null)
    .where('state', 'in', ['queued', 'running', 'failed'] satisfies ExportState[])
    .where('createdAt', '>', sql<Date>`now() - interval '1 day'`)
    .orderBy('id', 'desc')
    .limit(MOST)
    .execute();
  return runs.map(({ id, list, state, written, total, createdAt, search }) => {
    const mes = list === EXPEDIENTE ? search : null;
    return {
      id,
      titulo: mes === null ? `Excel de ${findList(list)?.titulo ?? list}` : `Expediente de ${nombreOfMes(mes)}`,
      detalle:
        total === null ? '' : `${writeCount(written)} de ${writeCount(total)} ${mes === null ? 'registros' : 'ventas'}`,
      a: mes === null ? list.split('.')[0]! : `balanceFiscal?mes=${mes}`,
      desde: createdAt,
      vence: null,
      dice: state === 'failed' ? { texto: 'No se pudo', tono: 'mal' as const } : avance(written, total),
    };
  });
}

/** Batches over many rows of a list that this person asked for. */
async function listSuyos(db: Db, usuarioId: string): Promise<Cosa[]> {
  const lotes = await recentPreparedBatches(db, usuarioId, MOST);
  return lotes.map(({ id, label, pedidoEn, total, hechas, fallidas }) => ({
    id,
    titulo: label,
    detalle: `${writeCount(hechas)} de ${writeCount(total)}`,
    a: `lote?lote=${id}`,
    desde: pedidoEn,
    vence: null,
    dice:
      hechas + fallidas < total
        ? avance(hechas + fallidas, total)
        : { texto: `${writeCount(fallidas)} no ${fallidas === 1 ? 'se hizo' : 'se hicieron'}`, tono: 'mal' as const },
  }));
}

async function listLotes(db: Db): Promise<Cosa[]> {
  const lotes = await recentBatches(db, MOST);
  return lotes.map(({ id, label, total, clave, createdAt, done, failed, unclear, waiting }) => ({
    id,
    titulo: label,
    detalle: `${writeCount(done)} de ${writeCount(total)}`,
    a: `facturacionGeneral?mes=${clave}`,
    desde: createdAt,
    vence: null,
    dice:
      waiting > 0
        ? avance(total - waiting, total)
        : { texto: `${writeCount(failed + unclear)} no salieron`, tono: 'mal' as const },
  }));
}

function avance(hechas: number, total: number | null) {
  return {
    texto: total ? `${Math.floor((100 * hechas) / total)} %` : 'En espera',
    tono: 'neutro' as const,
  };
}
