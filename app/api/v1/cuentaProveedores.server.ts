import { z } from 'zod';
import { Dia, Texto } from '~/core/fields';
import { addDays, civilDay } from '~/core/time';
import { NotaDeFactura, NotaUsada, NotaVista, SaldoDevuelto } from '~/domain/compras/facturas/forms';
import {
  noteDevuelto,
  discardNota,
  listNotas,
  removeUso,
  relateNotaByHand,
  detachNota,
  spendNota,
} from '~/domain/compras/facturas/notas.server';
import { readComplementos } from '~/domain/compras/pagos/complementos.server';
import { DE_MOVIMIENTO } from '~/domain/compras/pagos/estadoDeCuenta';
import { readEstadoDeCuenta } from '~/domain/compras/pagos/estadoDeCuenta.server';
import type { Db, Trx } from '~db/client.server';
import { defineCall, type Call } from '../call.server';
import { defineFormCall } from '../form.server';
import { notFound } from '../problem.server';
import { DiaCivil, Pesos } from '../wire';
import { ById } from './ordenes.server';

const ver = { alcance: 'proveedor-facturas', acceso: { pantalla: 'estadoDeCuenta' } } as const;
const relacionar = { alcance: 'proveedor-facturas', acceso: { derecho: 'proveedorFacturas.editar' } } as const;
const usar = { alcance: 'proveedor-facturas', acceso: { derecho: 'pagos.operar' } } as const;

const Nota = z.object({
  id: z.uuid(),
  uuid: z.string(),
  folio: z.string(),
  fecha: DiaCivil,
  proveedor: z.string().nullable(),
  emisorRfc: z.string(),
  total: Pesos,
  porRelacionar: Pesos.meta({ description: 'Lo que todavía no es de ninguna factura de aquí.' }),
  aFavor: Pesos.meta({ description: 'Lo que ya estaba pagado y todavía no se usa.' }),
  facturas: z.array(
    z.object({ id: z.uuid(), folio: z.string(), numOrden: z.string(), importe: Pesos, acreditado: Pesos }),
  ),
  usos: z.array(
    z.object({
      id: z.uuid(),
      folio: z.string().nullable(),
      factura: z.string().nullable(),
      importe: Pesos,
      fecha: DiaCivil,
    }),
  ),
});

const notaOf = async (db: Db | Trx, id: string) => {
  const [nota] = await listNotas(db, { nota: id });
  if (!nota) throw notFound();
  return nota as never;
};

/** The account of suppliers, with their credit notes and payment complements. */
export const cuentaProveedores: readonly Call[] = [
  defineCall({
    method: 'GET',
    path: '/api/v1/proveedores/{proveedor}/estado-de-cuenta',
    resumen: 'El estado de cuenta de un proveedor: lo pedido, facturado, acreditado, pagado y devuelto, con su saldo.',
    ...ver,
    params: z.object({ proveedor: Texto(20) }),
    query: z.object({
      desde: Dia().optional().meta({ description: 'Primer día; sin él, hace un año.' }),
      hasta: Dia().optional().meta({ description: 'Último día; sin él, hoy.' }),
    }),
    answer: z.object({
      proveedor: z.string(),
      label: z.string(),
      rfc: z.string().nullable(),
      inicial: Pesos,
      final: Pesos,
      totales: z.object({ pedido: Pesos, facturado: Pesos, acreditado: Pesos, pagado: Pesos, devuelto: Pesos }),
      hoy: z.object({
        saldo: Pesos,
        porPagar: Pesos,
        pagosSinAplicar: Pesos,
        notasSinAplicar: Pesos,
        sinImporte: z.int(),
      }),
      movimientos: z.array(
        z.object({
          id: z.uuid(),
          fecha: DiaCivil,
          que: z.enum(Object.keys(DE_MOVIMIENTO) as (keyof typeof DE_MOVIMIENTO)[]),
          folio: z.string().nullable(),
          detalle: z.string().nullable(),
          pedido: Pesos.nullable(),
          importe: Pesos.nullable(),
          saldo: Pesos,
        }),
      ),
    }),
    async run(db, { params: { proveedor }, query: { desde, hasta = civilDay(new Date()) } }) {
      const estado = await readEstadoDeCuenta(db, proveedor, { desde: desde ?? addDays(hasta, -365), hasta });
      if (!estado) throw notFound();
      return estado;
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/proveedor-facturas/notas',
    resumen: 'Las notas de crédito de proveedores que no son de una factura, o que tienen saldo a favor.',
    ...ver,
    answer: z.array(Nota),
    run: (db) => listNotas(db) as never,
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/proveedor-facturas/notas/{id}',
    resumen: 'Una nota de crédito de proveedor.',
    ...ver,
    params: ById,
    answer: Nota,
    run: (db, { params: { id } }) => notaOf(db, id),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/proveedor-facturas/notas/{id}/facturas',
    resumen: 'Dice de qué factura es una nota, y cuánto de ella.',
    ...relacionar,
    form: NotaDeFactura,
    de: { nota: 'id' },
    answer: Nota,
    async commit(trx, form, { usuario }) {
      await relateNotaByHand(trx, form, usuario.id);
      return notaOf(trx, form.nota);
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/proveedor-facturas/notas/{id}/separacion',
    resumen: 'Separa una nota de sus facturas.',
    ...relacionar,
    form: NotaVista,
    de: { nota: 'id' },
    answer: Nota,
    async commit(trx, form, { usuario }) {
      await detachNota(trx, form, usuario.id);
      return notaOf(trx, form.nota);
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/proveedor-facturas/notas/{id}/descarte',
    resumen: 'Descarta una nota que no es de ninguna factura.',
    ...relacionar,
    form: NotaVista,
    de: { nota: 'id' },
    answer: ById,
    async commit(trx, form, { usuario }) {
      await discardNota(trx, form, usuario.id);
      return { id: form.nota };
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/proveedor-facturas/notas/{id}/usos',
    resumen: 'Usa el saldo de una nota en otra factura del mismo proveedor.',
    ...usar,
    form: NotaUsada,
    de: { nota: 'id' },
    answer: Nota,
    async commit(trx, form, { usuario }) {
      await spendNota(trx, form, usuario.id);
      return notaOf(trx, form.nota);
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/proveedor-facturas/notas/{id}/devoluciones',
    resumen: 'Anota el dinero que devolvió el proveedor del saldo de una nota.',
    ...usar,
    form: SaldoDevuelto,
    de: { nota: 'id' },
    answer: Nota,
    async commit(trx, form, { usuario }) {
      await noteDevuelto(trx, form, usuario.id);
      return notaOf(trx, form.nota);
    },
  }),
  defineCall({
    method: 'DELETE',
    path: '/api/v1/proveedor-facturas/notas/usos/{id}',
    resumen: 'Quita un uso del saldo de una nota.',
    ...usar,
    params: ById,
    answer: ById,
    async commit(trx, { params: { id }, usuario }) {
      await removeUso(trx, { uso: id }, usuario.id);
      return { id };
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/proveedor-facturas/complementos',
    resumen: 'Lo que los complementos de pago y nuestros pagos no dicen igual, y las facturas PPD sin complemento.',
    ...ver,
    answer: z.array(
      z.object({
        motivo: z.enum(['sinFactura', 'sinPago', 'faltaComplemento', 'otroSaldo']),
        proveedor: z.string().nullable(),
        uuid: z.string(),
        folio: z.string(),
        dice: Pesos.nullable(),
        aqui: Pesos.nullable(),
        desde: DiaCivil,
      }),
    ),
    run: (db) => readComplementos(db),
  }),
];
