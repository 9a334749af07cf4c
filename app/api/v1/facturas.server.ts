import { z } from 'zod';
import { Cp, Dia, Rfc, Texto } from '~/core/fields';
import { civilDay } from '~/core/time';
import { ArticuloForm, EmailReceptor, RazonSocial } from '~/domain/facturacion/cfdi/forms';
import { fetchFactura } from '~/domain/facturacion/cfdi/factura.server';
import { invoiceVenta } from '~/domain/facturacion/emision/invoiceVenta.server';
import { readSolicitud, withdrawSolicitud } from '~/domain/facturacion/emision/solicitud.server';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { streamExpediente } from '~/domain/operacion/expediente.server';
import { readNota } from '~/domain/facturacion/notaSencilla/listNotas.server';
import { notaAtOnce } from '~/domain/facturacion/notaSencilla/createNota.server';
import { DatosNotaForm } from '~/domain/facturacion/notaSencilla/forms';
import { download, downloadZip } from '~/http/download.server';
import { defineCall, type Call } from '../call.server';
import { found } from '../problem.server';
import { DiaCivil, Instante, Pesos } from '../wire';
import { ById } from './ordenes.server';

const Receptor = z.object({
  rfc: Rfc,
  razonSocial: RazonSocial,
  cp: Cp,
  regimen: Texto(10),
  email: EmailReceptor,
  email2: EmailReceptor.or(z.literal('')).nullish(),
});

/** A factura that was asked for. */
export const Solicitud = z.object({
  id: z.uuid().meta({ description: 'De la solicitud: con él se pregunta otra vez.' }),
  numOrden: z.string(),
  estado: z.enum(['lista', 'proceso', 'manual', 'rechazada']),
  facturaId: z.uuid().optional(),
  folio: z.string().optional(),
  uuid: z.string().optional(),
  detalle: z.string().nullable().optional(),
  retirable: z.boolean().optional().meta({ description: 'Todavía no sale hacia el PAC.' }),
});

const archivoOf = (formato: 'pdf' | 'xml', archivo: string, resumen: string) =>
  defineCall({
    method: 'GET',
    path: `/api/v1/facturas/{id}/${formato}`,
    resumen,
    alcance: 'facturas',
    acceso: { pantalla: 'facturasClientes' },
    archivo,
    params: ById,
    answer: z.string(),
    run: async (db, { params: { id }, request }) => download(request, await found(fetchFactura(db, id, formato))),
  });

const NOTA = { alcance: 'facturas', acceso: { pantalla: 'notasSencillas' } } as const;

const Nota = z.object({
  id: z.uuid(),
  folio: z.string(),
  fecha: DiaCivil,
  nombre: z.string(),
  apellidos: z.string(),
  telefono: z.string(),
  email: z.string(),
  cp: z.string(),
  colonia: z.string(),
  calle: z.string(),
  numeroExterior: z.string(),
  numeroInterior: z.string(),
  ciudad: z.string(),
  municipio: z.string(),
  estado: z.string(),
  articulos: z.array(
    z.object({ nombre: z.string(), codigoSat: z.string(), cantidad: z.number(), precioUnitario: z.string() }),
  ),
  subtotal: Pesos,
  iva: Pesos,
  total: Pesos,
  creadaEn: Instante,
});

export const facturas: Call[] = [
  archivoOf('xml', 'application/xml', 'El XML timbrado de una factura.'),
  archivoOf('pdf', 'application/pdf', 'El PDF de una factura. El que no se tenía se pide al PAC.'),
  defineCall({
    method: 'GET',
    path: '/api/v1/facturas/{id}/expediente',
    resumen: 'Lo que prueba las ventas de un CFDI, en un ZIP con un índice de lo que está y lo que falta.',
    alcance: 'facturas',
    acceso: { pantalla: 'facturasClientes', derecho: 'facturas.expediente' },
    archivo: 'application/zip',
    params: ById,
    answer: z.string(),
    run: async (db, { params: { id }, usuario }) => downloadZip(await found(streamExpediente(db, id, usuario.id))),
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/notas-sencillas/{id}',
    resumen: 'Una nota sencilla.',
    ...NOTA,
    params: ById,
    answer: Nota,
    run: (db, { params: { id } }) => found(readNota(db, id)),
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/notas-sencillas',
    resumen: 'Genera una nota sencilla y la manda a su cliente.',
    alcance: 'facturas',
    acceso: { pantalla: 'notaSencilla' },
    status: 201,
    body: z.object({
      cliente: DatosNotaForm,
      articulos: z.array(ArticuloForm).min(1).max(500),
      fecha: Dia().optional().meta({ description: 'Hoy, si no se dice.' }),
    }),
    answer: Nota,
    async commit(trx, { body: { cliente, articulos, fecha }, usuario, now }) {
      const id = await notaAtOnce(trx, { articulos, datos: cliente, fecha: fecha ?? civilDay(now) }, usuario, now);
      return found(readNota(trx, id));
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/facturas',
    resumen:
      'Factura una orden. Responde lo que se sabe: lista, en proceso, rechazada o en manos de personas. Location dice dónde preguntar otra vez.',
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
    answer: Solicitud,
    location: ({ id }) => `/api/v1/facturas/solicitudes/${id}`,
    again: async (db, { id }) => solicitudOf(await found(readSolicitud(db, id))),
    async run(db, { body, usuario, now }) {
      const { usoCfdi, formaPago, fecha, numOrden, cliente, articulos, diferenciaAceptada } = body;
      const { email2, ...datos } = cliente;
      const effect = await invoiceVenta(
        db,
        {
          numOrden,
          articulos,
          diferenciaAceptada,
          cliente: { ...datos, ...(email2 && { email2 }) },
          revision: { usoCfdi, formaPago, fecha },
        },
        usuario,
        now,
      );
      return solicitudOf(await found(readSolicitud(db, effect)));
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/facturas/solicitudes/{id}',
    resumen: 'En qué va una factura que se pidió.',
    alcance: 'facturas',
    acceso: { pantalla: 'facturacion' },
    params: ById,
    answer: Solicitud,
    run: async (db, { params: { id } }) => solicitudOf(await found(readSolicitud(db, id))),
  }),
  defineCall({
    method: 'DELETE',
    path: '/api/v1/facturas/solicitudes/{id}',
    resumen: 'Retira una factura que se pidió y todavía no sale hacia el PAC.',
    alcance: 'facturas',
    acceso: { pantalla: 'facturacion' },
    params: ById,
    answer: Solicitud,
    async run(db, { params: { id }, usuario }) {
      await found(readSolicitud(db, id));
      await withdrawSolicitud(db, EFFECTS, id, usuario.id);
      return solicitudOf(await found(readSolicitud(db, id)));
    },
  }),
];

type SolicitudLeida = NonNullable<Awaited<ReturnType<typeof readSolicitud>>>;

export const solicitudOf = ({ id, numOrden, estado }: SolicitudLeida) => ({ id, numOrden, ...pedidaOf(estado) });

export function pedidaOf(estado: SolicitudLeida['estado']): Omit<z.output<typeof Solicitud>, 'id' | 'numOrden'> {
  switch (estado.tipo) {
    case 'lista':
      return { estado: 'lista', facturaId: estado.facturaId, folio: estado.folio, uuid: estado.uuid };
    case 'rechazada':
      return { estado: 'rechazada', detalle: [estado.texto, estado.detalle].filter(Boolean).join(' ') };
    case 'proceso':
      return { estado: 'proceso', detalle: estado.detalle, retirable: estado.retirable };
    default:
      return { estado: 'manual' };
  }
}
