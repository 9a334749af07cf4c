import { z } from 'zod';
import { Texto } from '~/core/fields';
import { CostoPropioForm, costosList, readCosto, saveCosto } from '~/domain/ventas/ordenes/costos.server';
import { defineCall, type Call } from '../call.server';
import { defineFormCall } from '../form.server';
import { defineListCall } from '../list.server';
import { found } from '../problem.server';
import { DiaCivil, Instante, Pesos } from '../wire';

const ver = { alcance: 'reportes', acceso: { pantalla: 'costosPropios' } } as const;

const CostoDeSku = z.object({
  sku: z.string(),
  titulo: z.string(),
  huella: z.string().meta({ description: 'Se manda al escribir: dice qué se había visto.' }),
  sePide: z.boolean().meta({ description: 'Un proveedor toma pedidos de este producto.' }),
  filas: z.array(
    z.object({
      id: z.uuid(),
      desde: DiaCivil,
      costo: Pesos.nullable().meta({ description: 'De una pieza, con IVA; null: desde ese día no se sabe.' }),
      soloAlmacen: z.boolean().meta({ description: 'Solo para lo que sale del almacén del mercado.' }),
      usuario: z.string().nullable(),
      escritoEn: Instante,
    }),
  ),
});

/** The typed costs of what nobody orders for a sale, as programs read and write them. */
export const costos: readonly Call[] = [
  defineListCall({
    path: '/api/v1/costos',
    resumen: 'Los costos escritos de lo que no se pide para una venta.',
    ...ver,
    list: costosList,
    fila: z.object({
      id: z.uuid(),
      sku: z.string(),
      titulo: z.string().nullable(),
      desde: DiaCivil,
      costo: Pesos.nullable(),
      soloAlmacen: z.boolean(),
      escritoEn: Instante,
      usuario: z.string().nullable(),
    }),
    totales: { productos: z.int() },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/costos/sku',
    resumen: 'El costo escrito de un SKU, por día.',
    ...ver,
    query: z.object({ sku: Texto(200) }),
    answer: CostoDeSku,
    run: (db, { query: { sku } }) => found(readCosto(db, sku)),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/costos',
    resumen: 'Escribe el costo de una pieza de un SKU desde un día.',
    alcance: 'reportes',
    acceso: { pantalla: 'costosPropios', derecho: 'costos.editar' },
    form: CostoPropioForm,
    answer: CostoDeSku,
    async commit(trx, form, { usuario }) {
      await saveCosto(trx, form, usuario.id);
      return found(readCosto(trx, form.sku));
    },
  }),
];
