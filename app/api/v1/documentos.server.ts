import { z } from 'zod';
import { CancelarFactura, PedirOtraVez, UnaFactura } from '~/domain/facturacion/cancelacion/forms';
import { readCorrecciones } from '~/domain/facturacion/cancelacion/correcciones.server';
import { followCancelacion } from '~/domain/facturacion/cancelacion/followCancelaciones.server';
import { requestAgain, requestCancelacion } from '~/domain/facturacion/cancelacion/requestCancelacion.server';
import { readFactura, resendFacturaMail } from '~/domain/facturacion/cfdi/factura.server';
import { openSustitucion } from '~/domain/facturacion/emision/substituteFactura.server';
import { EnlacePorCorreo } from '~/domain/facturacion/enlaces/forms';
import { sendEnlaceByMail, sendEnlaceByMessage } from '~/domain/facturacion/enlaces/enlaceEnvios.server';
import { createEnlaceFor, listEnlaces, readEnlace, revokeEnlace } from '~/domain/facturacion/enlaces/enlaces.server';
import { EmitirMes, ReintentarLote } from '~/domain/facturacion/mes/forms';
import { generateGlobal, retryGlobal } from '~/domain/facturacion/mes/global.server';
import { readBatchOfMes, readMes } from '~/domain/facturacion/mes/mesView.server';
import { streamExpedienteOfMes } from '~/domain/operacion/expediente.server';
import { TABLA_KEYS, type Mes, type Tabla } from '~/domain/facturacion/mes/mes';
import { ReenviarNota } from '~/domain/facturacion/notaSencilla/forms';
import { resendNotaMail } from '~/domain/facturacion/notaSencilla/createNota.server';
import { issueNotas, retryNotas } from '~/domain/facturacion/notasCredito/notasCredito.server';
import { lookUpRfc } from '~/domain/facturacion/receptores/clientes.server';
import { readClaves } from '~/domain/facturacion/sat/catalogos.server';
import { REGIMENES } from '~/domain/facturacion/sat/sat';
import { ESTATUS_LABEL } from '~/domain/ventas/ordenes/estatus';
import { findCp } from '~/platform/direccion/codigosPostales.server';
import { isDoneSoon } from '~/platform/effects/effects.server';
import { requireRight } from '~/access/actions';
import { downloadZip } from '~/http/download.server';
import { Mes as DelMes, Rfc } from '~/core/fields';
import type { Usuario } from '~/core/usuario';
import type { Db } from '~db/client.server';
import { defineCall, type Call } from '../call.server';
import { defineFormCall } from '../form.server';
import { found } from '../problem.server';
import { Instante, Pesos } from '../wire';
import { ById, Hecho } from './ordenes.server';

const facturas = { pantalla: 'facturasClientes' } as const;
const enlaces = { alcance: 'facturas', acceso: { pantalla: 'enlaces' } } as const;
const cerrar = { alcance: 'facturas', acceso: { pantalla: 'facturacionGeneral' } } as const;
const emitir = { alcance: 'facturas', acceso: { pantalla: 'facturacionGeneral', derecho: 'mes.acreditar' } } as const;
/** Throws NotAllowed for a person who may issue credit notes but not the global. */
function requireTabla(usuario: Usuario, tabla: Tabla): void {
  if (tabla === 'ordenes') requireRight(usuario, 'mes.facturar');
}
const cancelar = { alcance: 'facturas', acceso: { ...facturas, derecho: 'facturas.cancelar' } } as const;

const texto = z.string().nullable();
const DeUna = z.object({ id: z.uuid(), folio: z.string() });

/** How far the cancellation of a document is, and what may be asked of it. */
const Correcciones = z.object({
  cancelable: z.object({
    plazo: z.string(),
    motivos: z.array(z.string()),
    sustituto: DeUna.extend({ uuid: z.string() }).nullable(),
    impedimento: texto,
    huella: z.string().meta({ description: 'La marca de estos términos: pedir la cancelación la lleva de regreso.' }),
  }),
  cancelacion: z
    .object({
      motivo: z.string(),
      estado: z.string(),
      respuesta: texto,
      pedidaEn: Instante,
      resueltaEn: Instante.nullable(),
      conAcuse: z.boolean(),
    })
    .nullable(),
  sustituye: DeUna.nullable(),
  acredita: DeUna.nullable(),
  notas: z.array(DeUna),
});
const correccionesOf = (db: Db, id: string, now: Date) => found(readCorrecciones(db, id, now));

const Enlace = z.object({
  id: z.uuid(),
  origen: z.string(),
  creadoEn: Instante,
  creadoPor: texto,
  venceEn: Instante,
  usos: z.int(),
  usadoEn: Instante.nullable(),
  estado: z.enum(['vigente', 'vencido', 'revocado']),
});

const Lote = z.object({
  id: z.uuid(),
  mes: z.string(),
  tabla: z.enum(TABLA_KEYS),
  total: z.int(),
  hechas: z.int(),
  fallidas: z.int(),
  enProceso: z.int(),
  terminado: Instante.nullable(),
});
async function loteOf(db: Db, id: string) {
  const { lote, tabla, mes } = await found(readBatchOfMes(db, id));
  const { total, done, failed, waiting, unclear, endedAt } = lote;
  return { id, mes, tabla, total, hechas: done, fallidas: failed, enProceso: waiting + unclear, terminado: endedAt };
}

const Opcion = z.object({ clave: z.string(), nombre: z.string() });
const catalogo = (
  nombre: string,
  resumen: string,
  acceso: Exclude<Call['acceso'], 'abierta'>,
  list: (db: Db) => Promise<z.output<typeof Opcion>[]>,
) =>
  defineCall({
    method: 'GET',
    path: `/api/v1/catalogos/${nombre}`,
    resumen,
    alcance: 'catalogos',
    acceso,
    answer: z.array(Opcion),
    run: (db) => list(db),
  });
const facturar = { pantalla: 'facturacion' } as const;
const claves = (cuales: readonly { id: string; texto: string }[]) =>
  cuales.map(({ id, texto: nombre }) => ({ clave: id, nombre }));

const Cliente = z.object({
  id: z.uuid().nullable(),
  uid: z.string(),
  razonSocial: z.string(),
  cp: z.string(),
  regimen: z.string(),
  emails: z.array(z.string()),
  usoCfdi: texto,
});

export const documentos: Call[] = [
  defineCall({
    method: 'GET',
    path: '/api/v1/facturas/{id}/correcciones',
    resumen: 'Si una factura se puede cancelar, y en qué va su cancelación.',
    alcance: 'facturas',
    acceso: facturas,
    params: ById,
    answer: Correcciones,
    run: (db, { params: { id }, now }) => correccionesOf(db, id, now),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/facturas/{id}/correo',
    resumen: 'Manda una factura otra vez a su cliente.',
    alcance: 'facturas',
    acceso: { ...facturas, derecho: 'facturas.reenviar' },
    status: 202,
    form: UnaFactura,
    de: { factura: 'id' },
    answer: Hecho,
    async run(db, { factura }, { usuario }) {
      await found(readFactura(db, factura));
      const { id } = await db.transaction().execute((trx) => resendFacturaMail(trx, factura, usuario.id));
      return { hecho: await isDoneSoon(db, id, 'Error al enviar el correo.') };
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/facturas/{id}/cancelacion',
    resumen: 'Pide al SAT cancelar una factura o nota de crédito, en los términos que se leyeron.',
    ...cancelar,
    status: 202,
    form: CancelarFactura.omit({ tipo: true }),
    de: { factura: 'id' },
    answer: Correcciones,
    async run(db, { factura: facturaId, motivo, huella }, { usuario, now }) {
      await found(readFactura(db, facturaId));
      const effectId = await requestCancelacion(db, { facturaId, motivo, huella, usuarioId: usuario.id, now });
      await isDoneSoon(db, effectId, 'Error al cancelar.');
      return correccionesOf(db, facturaId, now);
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/facturas/{id}/cancelacion/lectura',
    resumen: 'Pregunta al SAT en qué va una cancelación.',
    alcance: 'facturas',
    acceso: { ...facturas, derecho: 'facturas.seguir' },
    form: UnaFactura,
    de: { factura: 'id' },
    answer: Correcciones,
    async run(db, { factura }, { now }) {
      await found(readFactura(db, factura));
      await followCancelacion(db, factura);
      return correccionesOf(db, factura, now);
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/facturas/{id}/cancelacion/reintento',
    resumen: 'Pide otra vez una cancelación que el receptor rechazó.',
    ...cancelar,
    status: 202,
    form: PedirOtraVez.omit({ tipo: true }),
    de: { factura: 'id' },
    answer: Correcciones,
    async run(db, { factura: facturaId }, { usuario, now }) {
      await found(readFactura(db, facturaId));
      const pedida = await requestAgain(db, { facturaId, usuarioId: usuario.id, now });
      if ('effectId' in pedida) await isDoneSoon(db, pedida.effectId, 'Error al cancelar.');
      return correccionesOf(db, facturaId, now);
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/facturas/{id}/sustitucion',
    resumen: 'Abre el borrador de la factura que sustituye a otra. Una persona lo termina en Facturación.',
    ...cancelar,
    status: 201,
    form: UnaFactura,
    de: { factura: 'id' },
    answer: z.object({ borrador: z.uuid() }),
    async run(db, { factura }, { usuario, now }) {
      await found(readFactura(db, factura));
      return { borrador: await openSustitucion(db, factura, usuario.id, now) };
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/notas-sencillas/{id}/correo',
    resumen: 'Manda una nota sencilla otra vez a su cliente.',
    alcance: 'facturas',
    acceso: { pantalla: 'notasSencillas' },
    status: 202,
    form: ReenviarNota,
    de: { nota: 'id' },
    answer: Hecho,
    async run(db, { nota }, { usuario }) {
      const { id } = await db.transaction().execute((trx) => resendNotaMail(trx, nota, usuario.id));
      return { hecho: await isDoneSoon(db, id, 'Error al enviar el correo.') };
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/enlaces/{numOrden}',
    resumen: 'Los enlaces de facturación de una venta, por su número.',
    ...enlaces,
    params: z.object({ numOrden: z.string().min(1).max(120) }),
    query: z.object({ proposito: z.enum(['facturacion', 'datosEnvio']).default('facturacion') }),
    answer: z.array(Enlace),
    run: (db, { params: { numOrden }, query: { proposito } }) => listEnlaces(db, numOrden, proposito),
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/enlaces/{numOrden}',
    resumen: 'Un enlace para que el cliente facture su venta.',
    ...enlaces,
    secreta: true,
    status: 201,
    params: z.object({ numOrden: z.string().min(1).max(120) }),
    answer: z.object({ url: z.url(), venceEn: Instante }),
    run: (db, { params: { numOrden }, usuario }) => createEnlaceFor(db, numOrden, usuario.id),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/enlaces/{numOrden}/correo',
    resumen: 'Manda un enlace de facturación por correo.',
    ...enlaces,
    status: 202,
    form: EnlacePorCorreo,
    answer: Hecho,
    async run(db, { email }, { usuario, params: { numOrden: numero = '' } }) {
      const id = await sendEnlaceByMail(db, { numero, email, usuarioId: usuario.id });
      return { hecho: await isDoneSoon(db, id, 'Error al enviar el correo.') };
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/enlaces/{numOrden}/mensaje',
    resumen: 'Manda un enlace de facturación por los mensajes del mercado.',
    ...enlaces,
    status: 202,
    params: z.object({ numOrden: z.string().min(1).max(120) }),
    answer: Hecho,
    async run(db, { usuario, params: { numOrden: numero } }) {
      const id = await sendEnlaceByMessage(db, { numero, usuarioId: usuario.id });
      return { hecho: await isDoneSoon(db, id, 'Error al enviar el link.') };
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/enlaces/{id}/revocacion',
    resumen: 'Revoca un enlace: deja de abrir.',
    ...enlaces,
    params: ById,
    answer: Enlace,
    async run(db, { params: { id }, usuario }) {
      await found(readEnlace(db, id));
      await revokeEnlace(db, id, usuario.id);
      return found(readEnlace(db, id));
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/mes/{mes}',
    resumen:
      'Un mes por cerrar: cuánto hay en cada tabla, con la marca que su emisión lleva de regreso, y lo que queda fuera.',
    ...cerrar,
    params: z.object({ mes: DelMes() }),
    answer: z.object({
      mes: z.string(),
      tablas: z.array(
        z.object({
          tabla: z.enum(TABLA_KEYS),
          registros: z.int(),
          total: Pesos,
          huella: z.string(),
          lote: z.uuid().nullable(),
        }),
      ),
    }),
    async run(db, { params: { mes }, now }) {
      const { tablas } = await readMes(db, mes as Mes, now);
      return {
        mes,
        tablas: tablas.map(({ visto: { huella }, lote, ...tabla }) => ({ ...tabla, huella, lote: lote?.id ?? null })),
      };
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/mes/{mes}/expediente',
    resumen: 'Lo que prueba las ventas de un mes, en un ZIP con un índice de lo que está y lo que falta.',
    alcance: 'facturas',
    acceso: { pantalla: 'balanceFiscal', derecho: 'facturas.expediente' },
    archivo: 'application/zip',
    params: z.object({ mes: DelMes() }),
    answer: z.string(),
    run: async (db, { params: { mes }, usuario }) => downloadZip(await streamExpedienteOfMes(db, mes, usuario.id)),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/mes/{mes}/{tabla}',
    resumen: 'Emite una tabla de un mes: la factura general, o las notas de crédito de lo refacturado o lo devuelto.',
    ...emitir,
    sinPrisa: true,
    status: 202,
    form: EmitirMes,
    de: { mes: 'mes', tabla: 'tabla' },
    answer: Lote,
    async run(db, { tabla, mes, ...visto }, { usuario, now }) {
      requireTabla(usuario, tabla);
      const pedido = { mes, usuarioId: usuario.id, now, visto };
      return loteOf(
        db,
        await (tabla === 'ordenes' ? generateGlobal(db, pedido) : issueNotas(db, { ...pedido, tabla })),
      );
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/mes/lotes/{id}',
    resumen: 'En qué va la emisión de un mes.',
    ...cerrar,
    params: ById,
    answer: Lote,
    run: (db, { params: { id } }) => loteOf(db, id),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/mes/lotes/{id}/reintento',
    resumen: 'Intenta otra vez lo que de una emisión no se hizo.',
    ...emitir,
    sinPrisa: true,
    status: 202,
    form: ReintentarLote,
    de: { lote: 'id' },
    answer: Lote,
    async run(db, { lote }, { usuario, now }) {
      const { mes, tabla } = await found(readBatchOfMes(db, lote));
      requireTabla(usuario, tabla);
      const otra = { batchId: lote, mes, usuarioId: usuario.id, now };
      await (tabla === 'ordenes' ? retryGlobal(db, otra) : retryNotas(db, { ...otra, tabla }));
      return loteOf(db, lote);
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/receptores/{rfc}',
    resumen: 'Los datos fiscales guardados de un RFC, aquí y en el PAC.',
    alcance: 'clientes',
    acceso: facturar,
    sucesor: 'POST /api/v1/receptores/buscar',
    params: z.object({ rfc: Rfc }),
    answer: z.array(Cliente),
    run: async (db, { params: { rfc } }) => (await lookUpRfc(db, rfc)).clientes,
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/receptores/buscar',
    resumen: 'Los datos fiscales guardados de un RFC, aquí y en el PAC. El RFC va en el cuerpo.',
    alcance: 'clientes',
    acceso: facturar,
    soloLee: true,
    body: z.object({ rfc: Rfc }),
    answer: z.array(Cliente),
    run: async (db, { body: { rfc } }) => (await lookUpRfc(db, rfc)).clientes,
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/codigos-postales/{cp}',
    resumen: 'Las colonias, el municipio y el estado de un código postal.',
    alcance: 'catalogos',
    acceso: 'sesion',
    params: z.object({ cp: z.string().regex(/^\d{5}$/) }),
    answer: z.object({
      cp: z.string(),
      estado: z.string(),
      municipio: z.string(),
      ciudad: z.string(),
      colonias: z.array(z.string()),
    }),
    async run(db, { params: { cp } }) {
      const hallazgo = await findCp(db, cp);
      return found(Promise.resolve(hallazgo.tipo === 'encontrado' ? hallazgo.lugar : undefined));
    },
  }),
  catalogo('usos-cfdi', 'Los usos de CFDI.', facturar, async (db) => claves(await readClaves(db, 'usos'))),
  catalogo('regimenes-fiscales', 'Los regímenes fiscales.', facturar, async () => claves(REGIMENES)),
  catalogo('formas-pago', 'Las formas de pago.', facturar, async (db) => claves(await readClaves(db, 'formasPago'))),
  catalogo('estatus-orden', 'Los estatus de una orden, con su nombre.', 'sesion', async () =>
    Object.entries(ESTATUS_LABEL).map(([clave, nombre]) => ({ clave, nombre })),
  ),
];
