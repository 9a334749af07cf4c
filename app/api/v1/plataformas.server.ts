import { z } from 'zod';
import { Mes } from '~/core/fields';
import { MARKETS } from '~/core/market';
import { RetencionesSubidas, RetencionQuitada } from '~/domain/facturacion/plataformas/forms';
import { readLoQueVe } from '~/domain/facturacion/plataformas/loQueVe.server';
import {
  listRetenciones,
  MAX_RETENCION,
  receiveRetenciones,
  removeRetencion,
} from '~/domain/facturacion/plataformas/retenciones.server';
import { subidosOf } from '~/platform/files/xmlSubidos.server';
import { defineCall, type Call } from '../call.server';
import { defineFormCall } from '../form.server';
import { Instante, Pesos } from '../wire';
import { ById } from './ordenes.server';

const ver = { alcance: 'facturas', acceso: { pantalla: 'loQueVeElSat' } } as const;
const subir = { alcance: 'facturas', acceso: { pantalla: 'loQueVeElSat', derecho: 'plataformas.subir' } } as const;

const Mercado = z.object({
  market: z.enum(MARKETS),
  comparados: z.array(
    z.object({
      concepto: z.enum(['sinIva', 'iva', 'isrRetenido', 'ivaRetenido', 'retenido']),
      suyo: Pesos.nullable(),
      nuestro: Pesos.nullable(),
      diferencia: Pesos.nullable(),
    }),
  ),
  pasos: z.array(z.object({ paso: z.string(), importe: Pesos })),
  porQue: z
    .object({ porBase: Pesos, porTasa: Pesos, tasaSuya: z.string(), tasaNuestra: z.string() })
    .nullable()
    .meta({ description: 'La diferencia retenida, por operaciones distintas y por tasa, en por ciento.' }),
});

const Retencion = z.object({
  id: z.uuid(),
  uuid: z.string(),
  market: z.enum(MARKETS),
  emisorRfc: z.string(),
  emisorNombre: z.string(),
  emitidoEn: Instante,
  sinIva: Pesos,
  isrRetenido: Pesos,
  ivaRetenido: Pesos,
  observaciones: z.array(z.string()),
  sustituida: z.boolean(),
});

/** What platforms tell the SAT, as programs ask it. */
export const plataformas: readonly Call[] = [
  defineCall({
    method: 'GET',
    path: '/api/v1/mes/{mes}/plataformas',
    resumen: 'Lo que cada mercado reporta al SAT de un mes, según sus CFDI de retenciones, contra lo nuestro.',
    ...ver,
    params: z.object({ mes: Mes() }),
    answer: z.object({ mercados: z.array(Mercado), documentos: z.array(Retencion) }),
    async run(db, { params: { mes } }) {
      const [mercados, documentos] = await Promise.all([readLoQueVe(db, mes), listRetenciones(db, mes)]);
      return {
        mercados: mercados.map(({ market, comparados, pasos, porQue }) => ({ market, comparados, pasos, porQue })),
        documentos,
      };
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/plataformas/xml',
    resumen: 'Recibe CFDI de retenciones de los mercados. Lo que no se pudo leer se dice uno por uno.',
    ...subir,
    status: 201,
    recibe: { campo: 'xml', varios: true },
    form: RetencionesSubidas,
    answer: z.object({
      leidos: z.array(z.uuid()),
      rechazados: z.array(z.object({ nombre: z.string(), motivo: z.string() })),
    }),
    commit: async (trx, { xml, market }, { usuario }) =>
      receiveRetenciones(trx, await subidosOf(xml, MAX_RETENCION), { market, usuarioId: usuario.id }),
  }),
  defineFormCall({
    method: 'DELETE',
    path: '/api/v1/plataformas/xml/{id}',
    resumen: 'Quita un CFDI de retenciones.',
    ...subir,
    form: RetencionQuitada,
    de: { id: 'id' },
    answer: ById,
    async commit(trx, { id }, { usuario }) {
      await removeRetencion(trx, id, usuario.id);
      return { id };
    },
  }),
];
