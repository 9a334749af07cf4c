import { sql } from 'kysely';
import { z } from 'zod';
import { listFields } from '~/core/listFields';
import type { Money } from '~/core/money';
import { nombreOfMes } from '~/core/time';
import { askedAgain } from '~/platform/effects/subjects.server';
import { defineList } from '~/platform/lists/list.server';
import { ESTADO_DE_PARTIDA, motivoOf } from './lote';
import { isMes } from '~/core/text';

const NADIE = '00000000-0000-0000-0000-000000000000';
const SORTS = ['referencia', 'estado', 'folio', 'total'] as const;
const LoteFilter = z.object({
  ...listFields(SORTS, 'estado'),
  lote: z.uuid().catch(NADIE),
  /** Of the page it is read on: names its Excel. */ mes: z.string().refine(isMes).catch(''),
});

/** What became of each item of a batch: of one tried again, its last effect. Failures first. */
export const loteList = defineList({
  lista: 'facturacionGeneral.lote',
  titulo: 'Resultado',
  filtro: LoteFilter,
  id: 'effect.id',
  idsGrow: true,
  sorts: {
    referencia: sql.ref('effect.ref'),
    estado: sql`array_position(array['refused', 'cancelled', 'manual', 'unknown', 'queued', 'sending', 'done'], effect.state)`,
    folio: sql.ref('factura.folio'),
    total: sql.ref('factura.total'),
  },
  matches: (db, { lote, q }) =>
    db
      .selectFrom('effect')
      .innerJoin('batch', 'batch.id', 'effect.batchId')
      .leftJoin('factura', 'factura.effectId', 'effect.id')
      .where('effect.batchId', '=', lote)
      .where('batch.clave', '<>', '')
      .where(({ not }) => not(askedAgain('effect', { inBatch: true })))
      .$if(q !== '', (partidas) =>
        partidas.where(
          sql<boolean>`position(f_norm(${q}) in f_norm(effect.ref || ' ' || coalesce(effect.reason, ''))) > 0`,
        ),
      ),
  rows: (db) =>
    db
      .selectFrom('effect')
      .innerJoin('batch', 'batch.id', 'effect.batchId')
      .leftJoin('factura', 'factura.effectId', 'effect.id')
      .select([
        'effect.id',
        'effect.type',
        'effect.ref',
        'effect.state',
        'effect.reason',
        'effect.detail',
        'effect.sends',
        'factura.id as facturaId',
        'factura.serie',
        'factura.folio',
        'factura.uuid',
        'factura.total',
      ]),
  totales: (partidas) => partidas.select(sql<Money>`coalesce(sum(factura.total), 0)`.as('total')),
  excel: {
    hoja: 'Resultado',
    sufijo: ({ mes }) => (mes === '' ? '' : nombreOfMes(mes)),
    columnas: [
      { header: 'Referencia', tipo: 'texto', ancho: 34, valor: (partida) => partida.ref },
      { header: 'Estado', tipo: 'texto', ancho: 20, valor: (partida) => ESTADO_DE_PARTIDA[partida.state] },
      {
        header: 'Folio',
        tipo: 'texto',
        ancho: 12,
        valor: (partida) => (partida.serie === null ? null : `${partida.serie}-${partida.folio}`),
      },
      { header: 'Folio fiscal (UUID)', tipo: 'texto', ancho: 40, valor: (partida) => partida.uuid },
      { header: 'Total', tipo: 'pesos', valor: (partida) => partida.total },
      { header: 'Motivo', tipo: 'texto', ancho: 90, valor: motivoOf },
    ],
  },
});
