import { z } from 'zod';
import { Mes } from '~/core/fields';
import { readDiot, readDiotTxt } from '~/domain/compras/pagos/diot.server';
import { downloadMade } from '~/http/download.server';
import { defineCall, type Call } from '../call.server';
import { notFound } from '../problem.server';
import { Pesos } from '../wire';

const ver = { alcance: 'facturas', acceso: { pantalla: 'diot' } } as const;

const Cifras = z.object({
  base16: Pesos,
  iva16: Pesos,
  base8: Pesos,
  iva8: Pesos,
  base8Sur: Pesos,
  iva8Sur: Pesos,
  base0: Pesos,
  exento: Pesos,
  noObjeto: Pesos,
  ivaRetenido: Pesos,
  devuelto16: Pesos,
  devuelto8: Pesos,
  devuelto8Sur: Pesos,
});

/** The DIOT, as programs ask it. */
export const diot: readonly Call[] = [
  defineCall({
    method: 'GET',
    path: '/api/v1/mes/{mes}/diot',
    resumen: 'Lo que se pagó a cada proveedor en un mes, con su IVA por tasa, y lo que falta saber.',
    ...ver,
    params: z.object({ mes: Mes() }),
    answer: z.object({
      filas: z.array(
        z.object({
          rfc: z.string().nullable(),
          nombre: z.string(),
          facturas: z.int(),
          pagado: Pesos.nullable(),
          cifras: Cifras.nullable().meta({
            description: 'Vacías mientras no se sabe el IVA de ninguna de sus facturas.',
          }),
          sinSaber: Pesos.nullable(),
        }),
      ),
      faltas: z.array(
        z.object({
          motivo: z.enum(['sinXml', 'porLeer', 'ilegible', 'sinFactura', 'sinFecha', 'notaIlegible', 'notaDeMas']),
          proveedor: z.string(),
          rfc: z.string().nullable(),
          cuantas: z.int(),
          importe: Pesos.nullable(),
        }),
      ),
    }),
    async run(db, { params: { mes } }) {
      const { filas, faltas } = await readDiot(db, mes);
      return {
        filas,
        faltas: faltas.map(({ motivo, proveedor, rfc, cuantas, importe }) => ({
          motivo,
          proveedor,
          rfc,
          cuantas,
          importe,
        })),
      };
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/mes/{mes}/diot/txt',
    resumen: 'La DIOT de un mes, en el archivo de texto del SAT.',
    ...ver,
    archivo: 'text/plain',
    params: z.object({ mes: Mes() }),
    answer: z.string(),
    async run(db, { params: { mes } }) {
      const contenido = await readDiotTxt(db, mes);
      if (contenido === null) throw notFound();
      return downloadMade({ nombre: `DIOT ${mes}.txt`, tipo: 'text/plain; charset=utf-8', contenido });
    },
  }),
];
