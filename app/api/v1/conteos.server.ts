import { z } from 'zod';
import { ESTADOS } from '~/domain/compras/stock/pieza';
import { MOTIVOS, PARTES } from '~/domain/compras/stock/conteo';
import {
  countPieza,
  discardConteo,
  finishConteo,
  settleDiferencia,
  startConteo,
} from '~/domain/compras/stock/contar.server';
import { listConteos, listPartes, readConteo } from '~/domain/compras/stock/conteos.server';
import {
  DecidirDiferencia,
  DescartarConteo,
  EmpezarConteo,
  LeerEnConteo,
  TerminarConteo,
} from '~/domain/compras/stock/forms';
import type { Db, Trx } from '~db/client.server';
import { defineCall, type Call } from '../call.server';
import { defineFormCall } from '../form.server';
import { found } from '../problem.server';
import { Instante } from '../wire';
import { ById } from './ordenes.server';

const Estado = z.enum(ESTADOS);

const Parte = z.enum(PARTES).nullable().meta({ description: 'El estado que se cuenta; null es todo el estante.' });

const Hallazgo = z.enum(['encontrada', 'falta', 'fueraDeLugar', 'fuera', 'etiqueta']);

/** A count: of `esperadas` pieces `encontradas` were found, and `filas` tells each with its decision. */
const Conteo = z.object({
  id: z.uuid(),
  parte: Parte,
  empezadoEn: Instante,
  empezadoPor: z.string().nullable(),
  terminadoEn: Instante.nullable(),
  terminadoPor: z.string().nullable(),
  leidas: z.int().meta({ description: 'Cuántas lecturas tiene: lo que «termino» pide de vuelta.' }),
  encontradas: z.int(),
  esperadas: z.int(),
  porLeer: z.array(z.object({ folio: z.string(), nombre: z.string(), etiquetas: z.array(z.string()) })),
  filas: z.array(
    z.object({
      id: z.int(),
      hallazgo: Hallazgo,
      codigo: z.string(),
      piezaId: z.uuid().nullable(),
      estadoFinal: Estado.nullable(),
      estado: Estado.nullable(),
      version: z.int().meta({ description: 'La versión de la pieza: lo que una decisión pide de vuelta.' }),
      decision: z.enum(['pasada', 'apartada', 'aparecio', 'baja', 'pendiente']).nullable(),
      motivo: z.enum(MOTIVOS).nullable(),
      decididaPor: z.string().nullable(),
      decididaEn: Instante.nullable(),
      leidaPor: z.string().nullable(),
      leidaEn: Instante.nullable(),
      abierta: z.boolean(),
    }),
  ),
});

const conteoOf = (db: Db | Trx, id: string) => found(readConteo(db, id));

const operar = { alcance: 'stock', acceso: { derecho: 'stock.operar' } } as const;

/** Counts of the shelf, and what is decided about their differences. */
export const conteos: Call[] = [
  defineCall({
    method: 'GET',
    path: '/api/v1/stock/conteos',
    resumen: 'Lo que se puede contar del estante, con el conteo en curso, y los últimos conteos terminados.',
    alcance: 'stock',
    acceso: { pantalla: 'conteos' },
    answer: z.object({
      partes: z.array(z.object({ parte: Parte, piezas: z.int(), conteo: z.uuid().nullable(), leidas: z.int() })),
      terminados: z.array(
        z.object({
          id: z.uuid(),
          parte: Parte,
          terminadoEn: Instante,
          quien: z.string().nullable(),
          encontradas: z.int(),
          faltan: z.int(),
          deMas: z.int(),
          abiertas: z.int(),
        }),
      ),
    }),
    async run(db) {
      const [partes, terminados] = await Promise.all([listPartes(db), listConteos(db)]);
      return { partes, terminados };
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/stock/conteos/{id}',
    resumen: 'Un conteo del estante, con sus diferencias.',
    alcance: 'stock',
    acceso: { pantalla: 'conteos' },
    params: ById,
    answer: Conteo,
    run: (db, { params: { id } }) => conteoOf(db, id),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/stock/conteos',
    resumen: 'Empieza a contar el estante, o sigue el conteo que está en curso.',
    ...operar,
    status: 201,
    form: EmpezarConteo,
    answer: Conteo,
    commit: async (trx, form, { usuario }) => conteoOf(trx, await startConteo(trx, form, usuario.id)),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/stock/conteos/{id}/lecturas',
    resumen: 'Lee una pieza en un conteo.',
    ...operar,
    form: LeerEnConteo,
    de: { conteo: 'id' },
    answer: z.object({
      clase: z.enum(['encontrada', 'fueraDeLugar', 'fuera', 'etiqueta', 'ya', 'desconocida', 'aparecio']),
      codigo: z.string(),
      dice: z.string(),
    }),
    async commit(trx, form, { usuario }) {
      await conteoOf(trx, form.conteo);
      return countPieza(trx, form, usuario.id);
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/stock/conteos/{id}/termino',
    resumen: 'Termina un conteo: lo que nadie leyó queda como faltante.',
    ...operar,
    form: TerminarConteo,
    de: { conteo: 'id' },
    answer: Conteo,
    async commit(trx, form, { usuario }) {
      await conteoOf(trx, form.conteo);
      await finishConteo(trx, form, usuario.id);
      return conteoOf(trx, form.conteo);
    },
  }),
  defineFormCall({
    method: 'DELETE',
    path: '/api/v1/stock/conteos/{id}',
    resumen: 'Descarta un conteo en el que no se leyó nada.',
    ...operar,
    form: DescartarConteo,
    de: { conteo: 'id' },
    answer: z.object({ id: z.uuid() }),
    async commit(trx, { conteo: id }, { usuario }) {
      await conteoOf(trx, id);
      await discardConteo(trx, id, usuario.id);
      return { id };
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/stock/conteos/{id}/diferencias/{diferencia}',
    resumen: 'Resuelve una diferencia de un conteo terminado.',
    ...operar,
    form: DecidirDiferencia,
    de: { conteo: 'id', diferencia: 'diferencia' },
    answer: Conteo,
    async commit(trx, form, { usuario }) {
      await conteoOf(trx, form.conteo);
      await settleDiferencia(trx, form, usuario.id);
      return conteoOf(trx, form.conteo);
    },
  }),
];
