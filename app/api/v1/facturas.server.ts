import { z } from 'zod';
import { Cp, Dia, Rfc, Texto } from '~/core/fields';
import { ArticuloForm } from '~/domain/cfdi/articuloForm';
import { EmailReceptor, RazonSocial } from '~/domain/cfdi/receptorForm';
import { estadoOf } from '~/domain/emision/draftView.server';
import { facturarVenta } from '~/domain/emision/facturarVenta.server';
import { defineCall, type Call } from '../call.server';

const Receptor = z.object({
  rfc: Rfc,
  razonSocial: RazonSocial,
  cp: Cp,
  regimen: Texto(10),
  email: EmailReceptor,
  email2: EmailReceptor.optional(),
});

export const Pedida = z.object({
  estado: z.enum(['lista', 'proceso', 'manual', 'rechazada']),
  facturaId: z.uuid().optional(),
  folio: z.string().optional(),
  uuid: z.string().optional(),
  detalle: z.string().nullable().optional(),
});

export const facturas: Call[] = [
  defineCall({
    method: 'POST',
    path: '/api/v1/facturas',
    resumen: 'Factura una orden. Responde lo que se sabe: lista, en proceso, rechazada o en manos de personas.',
    alcance: 'facturas',
    acceso: { pantalla: 'facturacion' },
    status: 202,
    body: z.object({
      numOrden: Texto(120),
      cliente: Receptor,
      usoCfdi: Texto(10, 'Elige el Uso de CFDI.'),
      formaPago: Texto(10, 'Elige la Forma de Pago.'),
      fecha: Dia('Elige la Fecha de Facturación.'),
      articulos: z.array(ArticuloForm).min(1).max(500).optional(),
      diferenciaAceptada: z.boolean().default(false),
    }),
    answer: Pedida,
    async run(db, { body, usuario, now }) {
      const { usoCfdi, formaPago, fecha, numOrden, cliente, articulos, diferenciaAceptada } = body;
      const { email2, ...datos } = cliente;
      const effect = await facturarVenta(
        db,
        {
          numOrden,
          articulos,
          diferenciaAceptada,
          cliente: { ...datos, ...(email2 !== undefined && { email2 }) },
          revision: { usoCfdi, formaPago, fecha },
        },
        usuario,
        now,
      );
      return pedidaOf(await estadoOf(db, effect));
    },
  }),
];

export function pedidaOf(estado: Awaited<ReturnType<typeof estadoOf>>): z.output<typeof Pedida> {
  switch (estado.tipo) {
    case 'lista':
      return { estado: 'lista', facturaId: estado.facturaId, folio: estado.folio, uuid: estado.uuid };
    case 'rechazada':
      return { estado: 'rechazada', detalle: [estado.texto, estado.detalle].filter(Boolean).join(' ') };
    case 'proceso':
      return { estado: 'proceso', detalle: estado.detalle };
    default:
      return { estado: 'manual' };
  }
}
