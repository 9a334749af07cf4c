import { z } from 'zod';
import { NotAllowed } from '~/core/errors';
import { MARKETS } from '~/core/market';
import { Cp, Rfc, Texto } from '~/core/fields';
import { RazonSocial } from '~/domain/facturacion/cfdi/forms';
import { findEnlace, type Enlace } from '~/domain/facturacion/enlaces/enlaces.server';
import { DatosForm } from '~/domain/facturacion/publico/forms';
import {
  searchPublico,
  invoicePublico,
  savePublicoAtOnce,
  ventaOfEnlace,
} from '~/domain/facturacion/publico/publicoDeUnaVez.server';
import type { EscritoPublico } from '~/domain/facturacion/publico/publicoDraft.server';
import type { Db } from '~db/client.server';
import { defineOpenCall, type Call } from '../call.server';
import { formOf } from '../form.server';
import { ApiProblem, found } from '../problem.server';
import { Facturada, facturadaOf, sinConfirmar, untilConfirmed } from './facturada.server';
import { Instante, Numero, numero } from './shapes';

/* What a customer does with the link of their sale. The same draft and the same limits as its page; no id of ours, and of an address on record only its mask. */

const ConToken = z.object({ token: z.string().min(1).max(200) });

async function enlaceOf(db: Db, token: string): Promise<Enlace> {
  const enlace = await findEnlace(db, token);
  if (enlace) return enlace;
  throw new ApiProblem('sin-autenticar', 'El token no existe, venció o se revocó.', {
    titulo: 'Error de verificación.',
  });
}

const RegistroPublico = z.object({
  _id: z.null(),
  rfc: z.string(),
  razonS: z.string(),
  emails: z.array(z.string()).meta({ description: 'Los guardados, enmascarados: mandarlos así los conserva.' }),
  cp: z.string(),
  regimen: z.string(),
});

const MASCARA = '•';

const Datos = z.object({
  rfc: Rfc,
  razonS: RazonSocial,
  emails: z.array(z.string().max(254)).max(3).default([]),
  cp: Cp,
  regimen: Texto(10),
});

/** As its page sends it. Addresses that come as masks, or not at all, are those on record. */
function escritoOf({ rfc, razonS, emails, cp, regimen }: z.output<typeof Datos>): EscritoPublico {
  const propios = emails.filter((email) => email.trim() !== '' && !email.includes(MASCARA));
  const {
    version: _version,
    mostrado: _mostrado,
    email,
    email2,
    ...datos
  } = formOf(DatosForm, {
    version: 0,
    rfc,
    razonSocial: razonS,
    cp,
    regimen,
    ...(propios.length === 0 ? { usarRegistrado: 'on' } : { email: propios[0], email2: propios[1] }),
  });
  return { ...datos, ...(email !== undefined && { email }), ...(email2 !== undefined && { email2 }) };
}

const save = (method: 'POST' | 'PUT') =>
  defineOpenCall({
    method,
    path: '/api/factura.com/datosFiscales/publico/{token}',
    resumen: 'Los datos a los que se factura la venta de un enlace.',
    params: ConToken,
    campos: { razonSocial: 'razonS', email: 'emails.0', email2: 'emails.1' },
    body: Datos,
    answer: RegistroPublico,
    async run(db, { params: { token }, body, ip }) {
      const enlace = await enlaceOf(db, token);
      if (!(await savePublicoAtOnce(db, enlace, escritoOf(body), ip)))
        throw sinConfirmar('factura.com todavía no confirma tus datos.');
      return { _id: null, ...body };
    },
  });

export const facturacionPublica: Call[] = [
  defineOpenCall({
    method: 'GET',
    path: '/api/ordenes/token/{token}',
    resumen: 'La venta de un enlace de facturación.',
    params: ConToken,
    answer: z.object({
      ordeni: z.string(),
      market: z.enum(MARKETS),
      orden: z.array(
        z.object({
          marketId: z.string(),
          dateCreated: Instante,
          pagado: Numero,
          productos: z.array(
            z.object({ nombre: z.string(), cantidad: z.number(), precioUnitario: Numero, codigoSat: z.string() }),
          ),
        }),
      ),
    }),
    async run(db, { params: { token } }) {
      const enlace = await enlaceOf(db, token);
      const ordenes = await ventaOfEnlace(db, enlace);
      return {
        ordeni: enlace.numOrden,
        market: enlace.market,
        orden: ordenes.map(({ marketId, fechaCreacion, pagado, articulos }) => ({
          marketId,
          dateCreated: fechaCreacion,
          pagado: numero(pagado),
          productos: articulos.map(({ nombre, cantidad, precioUnitario, codigoSat }) => ({
            nombre,
            cantidad,
            precioUnitario: numero(precioUnitario),
            codigoSat,
          })),
        })),
      };
    },
  }),
  defineOpenCall({
    method: 'GET',
    path: '/api/factura.com/datosFiscales/publico/{rfc}/{token}',
    resumen: 'Lo que hay guardado de un RFC, para el cliente de un enlace.',
    params: ConToken.extend({ rfc: z.string().max(40) }),
    answer: RegistroPublico.extend({
      opciones: z.array(RegistroPublico).meta({ description: 'Todas las razones sociales de ese RFC.' }),
    }),
    async run(db, { params: { token, rfc }, ip }) {
      const hallados = await searchPublico(db, await enlaceOf(db, token), rfc, ip);
      const opciones = hallados.map(({ razonSocial, ...uno }) => ({ ...uno, _id: null, razonS: razonSocial }));
      return { ...(await found(Promise.resolve(opciones[0]))), opciones };
    },
  }),
  save('POST'),
  save('PUT'),
  defineOpenCall({
    method: 'POST',
    path: '/api/factura.com/CFDI/publico/{token}',
    resumen: 'Factura la venta de un enlace. Artículos, precios, fecha y forma de pago son los de la venta.',
    params: ConToken,
    body: z.object({
      cliente: z
        .object({
          rfc: Rfc,
          razons: RazonSocial,
          codpos: Cp,
          regimen: Texto(10),
          email: z.string().max(254).optional(),
          email2: z.string().max(254).optional(),
        })
        .optional()
        .meta({ description: 'Sin él, los datos que ya se guardaron.' }),
      usoCFDI: Texto(10, 'Elige el Uso de CFDI.'),
      articulos: z.array(z.unknown()).max(500).optional(),
      tipoPago: z.unknown().optional(),
      ticket: z.unknown().optional(),
      expira: z.unknown().optional(),
      fechaFacturacion: z.unknown().optional(),
    }),
    conResponse: true,
    answer: Facturada,
    async run(db, { params: { token }, body: { cliente, usoCFDI: usoCfdi }, ip, now }) {
      const enlace = await enlaceOf(db, token);
      const escrito =
        cliente &&
        escritoOf({
          rfc: cliente.rfc,
          razonS: cliente.razons,
          cp: cliente.codpos,
          regimen: cliente.regimen,
          emails: [cliente.email, cliente.email2].filter((email) => email !== undefined),
        });
      const asked = invoicePublico(db, enlace, { cliente: escrito ?? null, usoCfdi }, { ip, now });
      const estado = await untilConfirmed(asked);
      if (estado.tipo === 'rechazada')
        throw new NotAllowed('Facturación', [estado.texto, estado.detalle].filter(Boolean).join(' '));
      return facturadaOf(estado.tipo === 'lista' ? estado.folio : undefined);
    },
  }),
];
