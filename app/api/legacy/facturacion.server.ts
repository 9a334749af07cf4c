import { z } from 'zod';
import { civilDay, readMonth } from '~/core/time';
import { isMes } from '~/core/text';
import { generateGlobal } from '~/domain/facturacion/mes/global.server';
import { type Mes } from '~/domain/facturacion/mes/mes';
import { vistoOfVentas, readBatchOfMes } from '~/domain/facturacion/mes/mesView.server';
import { issueNotas } from '~/domain/facturacion/notasCredito/notasCredito.server';
import { DatosNotaForm } from '~/domain/facturacion/notaSencilla/forms';
import { notaAtOnce } from '~/domain/facturacion/notaSencilla/createNota.server';
import { readNota } from '~/domain/facturacion/notaSencilla/listNotas.server';
import { findClientes, lookUpRfc } from '~/domain/facturacion/receptores/clientes.server';
import { saveCliente } from '~/domain/facturacion/receptores/saveCliente.server';
import type { Db } from '~db/client.server';
import { defineCall, type Call } from '../call.server';
import { formOf } from '../form.server';
import { found } from '../problem.server';
import { Articulos, articulosOf } from './articulos.server';
import { DatosFiscales, Registro } from './datosFiscales';
import { sinConfirmar } from './facturada.server';
import { DiaEscrito, Instante, vacio } from './shapes';

const alcance = 'facturas';
const cerrar = { pantalla: 'facturacionGeneral' } as const;
const facturar = { pantalla: 'facturacion' } as const;

/** A month, a day of it, or an instant, which is of the month it has in the zone of the business. */
const DelMes = z
  .string()
  .max(40)
  .transform((text, ctx): Mes => {
    const mes = readMonth(text);
    if (mes && isMes(mes)) return mes;
    ctx.addIssue({ code: 'custom', message: 'Selecciona un mes.' });
    return z.NEVER;
  });

/** The sales that whoever asks has seen: one that is not among them is in no document of theirs. */
const Vistas = z
  .array(z.object({ _id: z.uuid() }))
  .max(60_000)
  .optional()
  .meta({ description: 'Las que se vieron. Si hay otras se rechaza; sin ellas, las que haya.' });

const Lote = z.object({
  response: z.literal('success'),
  error: z.literal(false),
  message: z.string(),
  lote: z.object({
    _id: z.uuid(),
    total: z.int(),
    hechas: z.int(),
    fallidas: z.int(),
    enProceso: z.int(),
    terminado: Instante.nullable(),
  }),
});

const HECHO = {
  ordenes: 'La factura Se genero correctamente',
  refacturacion: 'Las notas de credito se generaron correctamente',
  devueltas: 'Las notas de credito se generaron correctamente',
} as const;

async function issue(
  db: Db,
  { tabla, mes, vistas }: { tabla: keyof typeof HECHO; mes: Mes; vistas: z.output<typeof Vistas> },
  usuarioId: string,
  now: Date,
) {
  const visto =
    vistas &&
    (await vistoOfVentas(
      db,
      { tabla, mes },
      vistas.map(({ _id }) => _id),
    ));
  const pedido = { mes, usuarioId, now, ...(visto && { visto }) };
  const id = await (tabla === 'ordenes' ? generateGlobal(db, pedido) : issueNotas(db, { ...pedido, tabla }));
  const { total, done, failed, waiting, unclear, endedAt } = (await found(readBatchOfMes(db, id))).lote;
  const lote = { _id: id, total, hechas: done, fallidas: failed, enProceso: waiting + unclear, terminado: endedAt };
  const message = done === total ? HECHO[tabla] : `Se están timbrando: ${done} de ${total}.`;
  return { response: 'success' as const, error: false as const, message, lote };
}

const emision = (path: string, resumen: string, tabla: keyof typeof HECHO, campo: 'datos' | 'ordenes') =>
  defineCall({
    method: 'POST',
    path,
    resumen: `${resumen} Si en el mes hay otras que las nombradas, no emite nada.`,
    alcance,
    acceso: { ...cerrar, derecho: tabla === 'ordenes' ? 'mes.facturar' : 'mes.acreditar' },
    sinPrisa: true,
    body: z.object({ fecha: DelMes, [campo]: Vistas }),
    answer: Lote,
    run: (db, { body, usuario, now }) => {
      const { fecha: mes, [campo]: vistas } = body as { fecha: Mes } & Partial<
        Record<typeof campo, z.output<typeof Vistas>>
      >;
      return issue(db, { tabla, mes, vistas }, usuario.id, now);
    },
  });

const Cliente = z.object({
  nombre: z.string().max(200).default(''),
  apellidos: z.string().max(200).default(''),
  email: z.string().max(254).default(''),
  telefono: z.string().max(40).default(''),
  calle: z.string().max(200).default(''),
  numero_exterior: z.string().max(60).default(''),
  numero_interior: z.string().max(60).default(''),
  codpos: z.string().max(20).default(''),
  colonia: z.string().max(200).default(''),
  estado: z.string().max(200).default(''),
  ciudad: z.string().max(200).default(''),
  delegacion: z.string().max(200).default(''),
});

/** The client at the PAC of the record that is said to be changed: the one of that name, or the only one there is. */
async function uidOf(db: Db, { rfc, razonS, _id }: z.output<typeof DatosFiscales>): Promise<string> {
  const suyos = await findClientes(db, rfc);
  const cual = suyos.find(({ id }) => id === _id) ?? suyos.find(({ razonSocial }) => razonSocial === razonS);
  return (await found(Promise.resolve(cual ?? (suyos.length === 1 ? suyos[0] : undefined)))).uid;
}

async function registroOf(db: Db, rfc: string, razonSocial: string): Promise<z.output<typeof Registro>> {
  const cliente = (await lookUpRfc(db, rfc)).clientes.find((one) => one.razonSocial === razonSocial);
  const { id, emails, cp, regimen, uid } = await found(Promise.resolve(cliente));
  return { _id: id, rfc, razonS: razonSocial, emails, cp, regimen, uid };
}

const requireDone = (done: boolean) => {
  if (!done) throw sinConfirmar('factura.com todavía no confirma los datos del cliente.');
};

export const facturacionAnterior: Call[] = [
  emision('/api/factura.com/CFDI/general', 'Factura al público en general las ventas de un mes.', 'ordenes', 'datos'),
  emision(
    '/api/factura.com/CFDI/notasCreditoR',
    'Notas de crédito de lo que se facturó después de la general.',
    'refacturacion',
    'datos',
  ),
  emision('/api/factura.com/CFDI/notasCreditoC', 'Notas de crédito de lo devuelto.', 'devueltas', 'ordenes'),
  defineCall({
    method: 'POST',
    path: '/api/factura/notaSecilla',
    resumen: 'Genera una nota sencilla y la manda a su cliente.',
    alcance,
    acceso: { pantalla: 'notaSencilla' },
    campos: {
      cp: 'codpos',
      numeroExterior: 'numero_exterior',
      numeroInterior: 'numero_interior',
      municipio: 'delegacion',
    },
    body: z.object({
      cliente: Cliente,
      articulos: Articulos,
      ticket: z.unknown().optional(),
      fechaNota: vacio(z.union([z.literal(false), DiaEscrito])),
    }),
    answer: z.object({ error: z.literal(false), message: z.string(), _id: z.uuid(), folio: z.string() }),
    async commit(trx, { body: { cliente, articulos, fechaNota }, usuario, now }) {
      const { codpos, numero_exterior, numero_interior, delegacion, ...resto } = cliente;
      const datos = formOf(DatosNotaForm, {
        ...resto,
        cp: codpos,
        numeroExterior: numero_exterior,
        numeroInterior: numero_interior,
        municipio: delegacion,
      });
      const fecha = fechaNota || civilDay(now);
      const id = await notaAtOnce(trx, { articulos: articulosOf(articulos), datos, fecha }, usuario, now);
      const { folio } = await found(readNota(trx, id));
      return {
        error: false as const,
        message: `La nota con folio: ${folio} se ha creado correctamente. Se enviara la informacion al correo de contacto.`,
        _id: id,
        folio,
      };
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/factura.com/datosFiscales',
    resumen: 'Guarda los datos fiscales de un cliente.',
    alcance: 'clientes',
    acceso: facturar,
    body: DatosFiscales,
    answer: Registro,
    async run(db, { body: { rfc, razonS: razonSocial, emails, cp, regimen }, usuario }) {
      requireDone(await saveCliente(db, { rfc, razonSocial, cp, regimen, emails }, usuario.id));
      return registroOf(db, rfc, razonSocial);
    },
  }),
  defineCall({
    method: 'PUT',
    path: '/api/factura.com/datosFiscales',
    resumen: 'Corrige los datos fiscales guardados de un RFC.',
    alcance: 'clientes',
    acceso: facturar,
    body: DatosFiscales,
    answer: Registro,
    async run(db, { body, usuario }) {
      const { rfc, razonS: razonSocial, emails, cp, regimen } = body;
      const uid = await uidOf(db, body);
      requireDone(await saveCliente(db, { rfc, razonSocial, cp, regimen, emails }, usuario.id, uid));
      return registroOf(db, rfc, razonSocial);
    },
  }),
];
