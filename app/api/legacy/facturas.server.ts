import { z } from 'zod';
import { Cp, Rfc, Texto } from '~/core/fields';
import type { Money } from '~/core/money';
import { civilDay } from '~/core/time';
import { NotAllowed } from '~/core/errors';
import { REGIMENES } from '~/domain/facturacion/sat/sat';
import { readClaves } from '~/domain/facturacion/sat/catalogos.server';
import { EmailReceptor, RazonSocial } from '~/domain/facturacion/cfdi/forms';
import { facturaOfOrden, readFacturaFile } from '~/domain/facturacion/cfdi/factura.server';
import { estadoOf } from '~/domain/facturacion/emision/draftSteps.server';
import { invoiceVenta } from '~/domain/facturacion/emision/invoiceVenta.server';
import { facturasList } from '~/domain/facturacion/emision/listFacturas.server';
import { findEnlace } from '~/domain/facturacion/enlaces/enlaces.server';
import { listasDelMes } from '~/domain/facturacion/mes/mesLists.server';
import { mesOf } from '~/domain/facturacion/mes/mes';
import { datosFiscalesList, domiciliosFiscales } from '~/domain/facturacion/receptores/datosFiscales.server';
import { lookUpRfc } from '~/domain/facturacion/receptores/clientes.server';
import type { Db } from '~db/client.server';
import { defineCall, defineOpenCall, type Call } from '../call.server';
import { gather } from '../gather.server';
import { ApiProblem, found } from '../problem.server';
import { pedidaOf } from '../v1/facturas.server';
import { Articulos, articulosOf } from './articulos.server';
import { Registro } from './datosFiscales';
import { Facturada, facturadaOf, untilConfirmed } from './facturada.server';
import { DiaEscrito, diasOf, Id, Instante, Numero, numero, Rango, shapeOf, vacio } from './shapes';

const alcance = 'facturas';
const acceso = { pantalla: 'facturasClientes' } as const;
const facturar = { pantalla: 'facturacion' } as const;

const Opciones = z.array(z.object({ key: z.string(), name: z.string() }));
const ConToken = z.object({ token: z.string().min(1).max(200) });

const usos = async (db: Db) => (await readClaves(db, 'usos')).map(({ id, texto }) => ({ key: id, name: texto }));
const regimenes = () => REGIMENES.map(({ id, texto }) => ({ key: id, name: texto }));

/** For whoever has the link of a customer. */
async function requireEnlace(db: Db, token: string): Promise<void> {
  if (await findEnlace(db, token)) return;
  throw new ApiProblem('sin-autenticar', 'El token no existe, venció o se revocó.', {
    titulo: 'Error de verificación.',
  });
}

type DelMes = {
  id: string;
  fechaCreacion: Date;
  market: string;
  numOrden: string;
  marketId: string;
  titulo: string;
  importe: Money;
};
const venta = shapeOf<DelMes>()({
  _id: [z.uuid(), 'id'],
  dateCreated: [Instante, 'fechaCreacion'],
  market: [z.string(), 'market'],
  numOrden: [z.string(), 'numOrden'],
  marketId: [z.string(), 'marketId'],
  titulo: [z.string(), 'titulo'],
  pagado: [Numero, ({ importe }) => numero(importe)],
});
type Domicilio = NonNullable<ReturnType<Awaited<ReturnType<typeof domiciliosFiscales>>['get']>>;
/** The address by the names of factura.com. */
function domicilioOf(domicilio: Domicilio | undefined) {
  if (!domicilio) return SIN_DOMICILIO;
  const { numeroExterior: numero_exterior, numeroInterior: numero_interior, ...resto } = domicilio;
  return { ...resto, numero_exterior, numero_interior };
}

/** What a customer typed to be invoiced has no address of its own. */
const SIN_DOMICILIO = {
  uid: null,
  nombre: null,
  apellidos: null,
  calle: null,
  numero_exterior: null,
  numero_interior: null,
  colonia: null,
  ciudad: null,
  delegacion: null,
  estado: null,
  pais: 'MEX',
};

const refacturadas = (db: Db, mes: string, usuario: Parameters<typeof gather>[3]) =>
  gather(db, listasDelMes.refacturacion, { mes }, usuario);

export const facturasAnteriores: Call[] = [
  defineCall({
    method: 'GET',
    path: '/api/facturas/{from}/{to}',
    resumen: 'Las facturas a clientes de un rango.',
    alcance,
    acceso,
    params: Rango,
    answer: z.array(
      z.object({
        _id: z.uuid(),
        folio: z.string(),
        numOrden: z.string().nullable(),
        datosSat: z.object({ FechaTimbrado: Instante }),
        datoFiscal: z.object({ rfc: z.string(), razonS: z.string() }),
        cancelada: z.boolean(),
        total: Numero,
      }),
    ),
    run: async (db, { params, usuario }) =>
      (await gather(db, facturasList, diasOf(params), usuario)).map((factura) => ({
        _id: factura.id,
        folio: factura.folio,
        numOrden: factura.numOrden,
        datosSat: { FechaTimbrado: factura.fechaTimbrado },
        datoFiscal: { rfc: factura.rfc, razonS: factura.razonSocial },
        cancelada: factura.estatus === 'cancelada',
        total: numero(factura.total),
      })),
  }),
  defineCall({
    method: 'GET',
    path: '/api/ordenes/rangoFecha/factura/{from}/{to}',
    resumen: 'Lo que espera nota de crédito en el mes del rango.',
    alcance,
    acceso: { pantalla: 'facturacionGeneral' },
    params: Rango,
    answer: z.object({ ordenesDevueltas: z.array(venta.wire), refacturacion: z.array(venta.wire) }),
    async run(db, { params: { from }, usuario }) {
      const mes = mesOf(from);
      const [devueltas, otras] = await Promise.all([
        gather(db, listasDelMes.devueltas, { mes }, usuario),
        refacturadas(db, mes, usuario),
      ]);
      return { ordenesDevueltas: devueltas.map(venta.of), refacturacion: otras.map(venta.of) };
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/factura.co/descargar/factura/{id}',
    resumen: 'El PDF y el XML de la factura de una orden, como listas de bytes.',
    alcance,
    acceso,
    params: Id,
    answer: z.object({
      facturaPDF: z.object({ data: z.array(z.number()) }).nullable(),
      facturaXML: z.object({ data: z.array(z.number()) }).nullable(),
    }),
    async run(db, { params: { id } }) {
      const factura = await found(facturaOfOrden(db, id));
      const [pdf, xml] = await Promise.all(
        (['pdf', 'xml'] as const).map(async (formato) => (await readFacturaFile(db, factura, formato))?.archivo),
      );
      const bytes = (archivo: typeof pdf) => (archivo ? { data: [...new Uint8Array(archivo.contenido)] } : null);
      return { facturaPDF: bytes(pdf), facturaXML: bytes(xml) };
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/factura.com/usosCFDI',
    resumen: 'Los usos de CFDI.',
    alcance,
    acceso: facturar,
    answer: Opciones,
    run: usos,
  }),
  defineOpenCall({
    method: 'GET',
    path: '/api/factura.com/usosCFDI/publico/{token}',
    resumen: 'Los usos de CFDI, para el cliente de un enlace.',
    params: ConToken,
    answer: Opciones,
    async run(db, { params: { token } }) {
      await requireEnlace(db, token);
      return usos(db);
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/factura.com/regimenesfiscales',
    resumen: 'Los regímenes fiscales.',
    alcance,
    acceso: facturar,
    answer: Opciones,
    run: () => Promise.resolve(regimenes()),
  }),
  defineOpenCall({
    method: 'GET',
    path: '/api/factura.com/regimenesfiscales/publico/{token}',
    resumen: 'Los regímenes fiscales, para el cliente de un enlace.',
    params: ConToken,
    answer: Opciones,
    async run(db, { params: { token } }) {
      await requireEnlace(db, token);
      return regimenes();
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/factura.com/formasPago',
    resumen: 'Las formas de pago.',
    alcance,
    acceso: facturar,
    answer: Opciones,
    run: async (db) => (await readClaves(db, 'formasPago')).map(({ id, texto }) => ({ key: id, name: texto })),
  }),
  defineCall({
    method: 'GET',
    path: '/api/datosFiscales',
    resumen: 'Los datos fiscales de clientes.',
    alcance: 'clientes',
    acceso: { pantalla: 'datosFiscales' },
    answer: z.array(
      z.object({
        _id: z.uuid(),
        rfc: z.string(),
        razonS: z.string(),
        emails: z.array(z.string()),
        cp: z.string(),
        regimen: z.string(),
        telefono: z.string().nullable(),
        fechaCreacion: Instante,
        uid: z.string().nullable(),
        email: z.string().nullable(),
        nombre: z.string().nullable(),
        apellidos: z.string().nullable(),
        calle: z.string().nullable(),
        numero_exterior: z.string().nullable(),
        numero_interior: z.string().nullable(),
        colonia: z.string().nullable(),
        ciudad: z.string().nullable(),
        delegacion: z.string().nullable(),
        estado: z.string().nullable(),
        pais: z.string(),
      }),
    ),
    async run(db, { usuario }) {
      const clientes = await gather(db, datosFiscalesList, '', usuario);
      const domicilios = await domiciliosFiscales(
        db,
        clientes.map(({ id }) => id),
      );
      return clientes.map(({ id, razonSocial, ...cliente }) => ({
        ...cliente,
        ...domicilioOf(domicilios.get(id)),
        _id: id,
        razonS: razonSocial,
        email: cliente.emails[0] ?? null,
      }));
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/factura.com/datosFiscales/{rfc}',
    resumen: 'Los datos fiscales guardados de un RFC.',
    sucesor: 'POST /api/v1/receptores/buscar',
    alcance: 'clientes',
    acceso: facturar,
    params: z.object({ rfc: Rfc }),
    answer: Registro.extend({
      opciones: z
        .array(Registro)
        .meta({ description: 'Todas las razones sociales de ese RFC, la última usada primero.' }),
    }),
    async run(db, { params: { rfc } }) {
      const { clientes } = await lookUpRfc(db, rfc);
      const opciones = clientes.map(({ id: _id, razonSocial: razonS, emails, cp, regimen, uid }) => ({
        _id,
        rfc,
        razonS,
        emails,
        cp,
        regimen,
        uid,
      }));
      return { ...(await found(Promise.resolve(opciones[0]))), opciones };
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/factura.com/CFDI',
    resumen:
      'Factura una orden con los artículos que se mandan, también si no suman lo pagado. Dice «success» solo con Serie y Folio; pedida otra vez, los mismos.',
    alcance,
    acceso: facturar,
    body: z.object({
      cliente: z.object({
        rfc: Rfc,
        razons: RazonSocial,
        codpos: Cp,
        regimen: Texto(10),
        email: EmailReceptor,
        email2: vacio(EmailReceptor),
        email3: vacio(EmailReceptor),
      }),
      usoCFDI: Texto(10, 'Elige el Uso de CFDI.'),
      tipoPago: Texto(10, 'Elige la Forma de Pago.'),
      ticket: Texto(120).meta({ description: 'El número de la orden.' }),
      fechaFacturacion: vacio(z.union([z.literal(false), DiaEscrito])),
      expira: z.unknown().optional(),
      articulos: vacio(Articulos).meta({ description: 'Lo que se factura. Sin ellos, lo que se vendió.' }),
    }),
    conResponse: true,
    answer: Facturada,
    async run(db, { body, usuario, now }) {
      const { cliente, usoCFDI, tipoPago, ticket, fechaFacturacion, articulos } = body;
      const { razons, codpos, email, email2, email3, rfc, regimen } = cliente;
      const asked = invoiceVenta(
        db,
        {
          numOrden: ticket,
          // The old client has no second question: who sends the rows has seen their sum.
          diferenciaAceptada: articulos !== undefined,
          ...(articulos && { articulos: (deLaVenta, ordenes) => articulosOf(articulos, deLaVenta, ordenes) }),
          cliente: {
            rfc,
            regimen,
            email,
            razonSocial: razons,
            cp: codpos,
            ...(email2 !== undefined && { email2 }),
            ...(email3 !== undefined && { email3 }),
          },
          revision: { usoCfdi: usoCFDI, formaPago: tipoPago, fecha: fechaFacturacion || civilDay(now) },
        },
        usuario,
        now,
      );
      const { estado, folio, detalle } = pedidaOf(await estadoOf(db, await untilConfirmed(asked)));
      if (estado === 'rechazada') throw new NotAllowed('Facturación', detalle ?? 'El PAC no aceptó la factura.');
      return facturadaOf(estado === 'lista' ? folio : undefined);
    },
  }),
];
