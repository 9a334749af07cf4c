import { z } from 'zod';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { mailProveedores } from '~/domain/compras/directorio/mailProveedor.server';
import { SurtirVenta } from '~/domain/compras/stock/forms';
import { supplyVenta } from '~/domain/compras/pedidos/supplyVenta.server';
import { createEnlaceDatosEnvio } from '~/domain/facturacion/enlaces/enlaces.server';
import { decideDireccion } from '~/domain/ventas/envios/direccion.server';
import { buyGuia } from '~/domain/ventas/envios/buyGuia.server';
import { cancelGuia, reviewReembolso } from '~/domain/ventas/envios/cancelGuia.server';
import {
  ComprarGuiaForm,
  CorregirCostoForm,
  CostoForm,
  CotizarGuiaForm,
  DatosEnvioForm,
  DireccionForm,
  OcurreForm,
  PaqueteriaForm,
  UnaGuiaForm,
} from '~/domain/ventas/envios/forms';
import { quoteGuia } from '~/domain/ventas/envios/guiaComprada.server';
import { readPropio } from '~/domain/ventas/envios/propios.server';
import {
  correctCosto,
  saveCosto,
  saveDatosEnvio,
  saveOcurre,
  savePaqueteria,
} from '~/domain/ventas/envios/savePropio.server';
import { viewGuia } from '~/domain/ventas/envios/viewGuia.server';
import { changeToEntregado } from '~/domain/ventas/ordenes/changeToEntregado.server';
import { ajenaOf } from '~/domain/ventas/ordenes/datosEnvio.server';
import { readOrden } from '~/domain/ventas/ordenes/detalleOrden.server';
import { isDoneSoon } from '~/platform/effects/effects.server';
import { retryEffect } from '~/platform/effects/retry.server';
import type { Db, Trx } from '~db/client.server';
import { defineCall, type Call } from '../call.server';
import { defineFormCall, formOf } from '../form.server';
import { found } from '../problem.server';
import { HuellaLeida, Instante, Pesos } from '../wire';
import { ById, Hecho, Orden } from './ordenes.server';

const ver = { alcance: 'envios', acceso: { pantalla: 'cotizarEnvios' } } as const;
const operar = { alcance: 'envios', acceso: { derecho: 'ordenes.operar' } } as const;
const operarOrden = { alcance: 'ordenes', acceso: { derecho: 'ordenes.operar' } } as const;

const texto = z.string().nullable();
const EnvioPropio = z.object({
  orden: z.uuid(),
  numOrden: z.string(),
  huella: HuellaLeida,
  estatus: texto,
  ocurre: z.boolean(),
  costo: Pesos.nullable(),
  cotizado: Pesos.nullable(),
  paqueteria: texto,
  paqueteriaUrl: texto,
  guia: texto,
  nombreReceptor: texto,
  apellidos: texto,
  telefono: texto,
  cp: texto,
  calle: texto,
  calleA: texto,
  calleB: texto,
  numeroE: texto,
  numeroI: texto,
  colonia: texto,
  ciudad: texto,
  municipio: texto,
  estado: texto,
  referencia: texto,
  ajena: z
    .object({
      huella: z.string(),
      direccion: z.object({
        nombreReceptor: texto,
        telefono: texto,
        calle: texto,
        numeroE: texto,
        numeroI: texto,
        colonia: texto,
        cp: texto,
        ciudad: texto,
        municipio: texto,
        estado: texto,
        referencia: texto,
      }),
    })
    .nullable()
    .meta({ description: 'La dirección que tiene ahora el mercado, si cambió después de que alguien escribió otra.' }),
});

const SIN_ENVIO = Object.fromEntries(Object.keys(EnvioPropio.shape).map((campo) => [campo, null]));

/** The shipment, each of its fields null before somebody began it. */
async function envioOf(db: Db | Trx, orden: string) {
  const { numOrden, huella, envio } = await found(readPropio(db, orden));
  const ajena = envio && ajenaOf(envio);
  return { ...SIN_ENVIO, ocurre: false, ...envio, ajena, orden, numOrden, huella } as never;
}

const deOrden = { de: { orden: 'id' }, answer: EnvioPropio } as const;
const cambio = (save: (trx: Trx, form: never, usuarioId: string) => Promise<unknown>) => ({
  ...operar,
  ...deOrden,
  async commit(trx: Trx, form: { orden: string }, { usuario }: { usuario: { id: string } }) {
    await save(trx, form as never, usuario.id);
    return envioOf(trx, form.orden);
  },
});

/** The form with any state: one that a marketplace gave is no choice of people, and may be put back as it was read. */
const DatosLeidos = z.object({ ...DatosEnvioForm.shape, estatus: z.string().max(60).optional() });

const Guia = z.object({
  compras: z.array(
    z.object({
      id: z.uuid(),
      estado: z.string(),
      servicio: z.string(),
      paqueteria: z.string(),
      numero: z.string(),
      costo: Pesos,
      compradaEn: Instante,
      canceladaEn: Instante.nullable(),
    }),
  ),
  enCurso: z.object({ que: z.enum(['compra', 'cancelacion']), estado: z.string() }).nullable(),
  rechazo: texto,
  impide: texto.meta({ description: 'Por qué no se puede comprar; null cuando se puede.' }),
  huella: z.string(),
});

async function guiaOf(db: Db, orden: string) {
  const { market, huella } = await found(readPropio(db, orden));
  return { ...(await found(viewGuia(db, { id: orden, market }))), huella };
}

export const envios: Call[] = [
  defineCall({
    method: 'GET',
    path: '/api/v1/ordenes/{id}/envio',
    resumen: 'El envío de una venta que enviamos nosotros, haya o no empezado.',
    ...ver,
    params: ById,
    answer: EnvioPropio,
    run: (db, { params: { id } }) => envioOf(db, id),
  }),
  defineFormCall({
    method: 'PUT',
    path: '/api/v1/ordenes/{id}/envio',
    resumen: 'Los datos del envío, enteros: lo que no se dice queda vacío. Sin estatus, el que tenía.',
    form: DatosLeidos,
    ...cambio(async (trx, { estatus, ...form }: z.output<typeof DatosLeidos>, usuarioId) => {
      const { envio } = await found(readPropio(trx, form.orden));
      const nuevo = estatus !== envio?.estatus && { estatus };
      await saveDatosEnvio(trx, formOf(DatosEnvioForm, { ...form, ...nuevo }), usuarioId);
    }),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/ordenes/{id}/envio/direccion',
    resumen: 'Toma la dirección que tiene ahora el mercado, o deja la escrita aquí.',
    form: DireccionForm,
    ...cambio(decideDireccion),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/ordenes/{id}/envio',
    resumen: 'Empieza el envío de una venta. Sin código postal solo cuenta su costo.',
    form: OcurreForm,
    ...cambio(saveOcurre),
  }),
  defineFormCall({
    method: 'PUT',
    path: '/api/v1/ordenes/{id}/envio/costo',
    resumen: 'Lo que costó el envío, y su paquetería con su guía si ya se sabe.',
    form: CostoForm,
    ...cambio(saveCosto),
  }),
  defineFormCall({
    method: 'PUT',
    path: '/api/v1/ordenes/{id}/envio/costos',
    resumen: 'Corrige lo que cobró la paquetería y lo cotizado, cada uno por su lado.',
    form: CorregirCostoForm,
    ...cambio(correctCosto),
  }),
  defineFormCall({
    method: 'PUT',
    path: '/api/v1/ordenes/{id}/envio/paqueteria',
    resumen: 'La paquetería, la guía y el estatus del envío.',
    form: PaqueteriaForm,
    ...cambio(savePaqueteria),
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/ordenes/{id}/envio/enlace',
    resumen: 'Un enlace para que el cliente diga a dónde se le envía.',
    ...operar,
    params: ById,
    secreta: true,
    answer: z.object({ url: z.url(), venceEn: Instante }),
    async run(db, { params: { id }, usuario }) {
      await found(readOrden(db, id));
      return createEnlaceDatosEnvio(db, id, usuario.id);
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/ordenes/{id}/guia',
    resumen: 'Las guías que se compraron para una venta, y si se puede comprar otra.',
    ...ver,
    params: ById,
    answer: Guia,
    run: (db, { params: { id } }) => guiaOf(db, id),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/ordenes/{id}/guia/cotizacion',
    resumen: 'Cuánto cuesta la guía de un paquete: kilogramos y centímetros.',
    ...operar,
    soloLee: true,
    form: CotizarGuiaForm,
    de: { orden: 'id' },
    answer: z.object({
      servicios: z.array(
        z.object({
          id: z.string(),
          nombre: z.string(),
          paqueteria: z.string(),
          precio: Pesos,
          desde: Instante.nullable(),
          hasta: Instante.nullable(),
          impide: texto,
        }),
      ),
      rechazados: z.array(z.object({ nombre: z.string(), motivo: z.string() })),
      sinTerminos: z.array(z.string()),
      suspendidas: z.array(z.string()),
    }),
    run: (db, form) => quoteGuia(db, form),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/ordenes/{id}/guia',
    resumen: 'Compra la guía de un servicio cotizado, por el precio que se cotizó.',
    ...operar,
    status: 202,
    form: ComprarGuiaForm,
    de: { orden: 'id' },
    answer: Hecho,
    async run(db, form, { usuario }) {
      const { id } = await db.transaction().execute((trx) => buyGuia(trx, form, usuario.id));
      return { hecho: await isDoneSoon(db, id, 'Error al comprar la guía.') };
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/ordenes/{id}/guia/cancelacion',
    resumen: 'Cancela la guía comprada de una venta.',
    ...operar,
    status: 202,
    form: UnaGuiaForm,
    de: { orden: 'id' },
    answer: Hecho,
    async run(db, form, { usuario }) {
      const { id } = await db.transaction().execute((trx) => cancelGuia(trx, form, usuario.id));
      return { hecho: await isDoneSoon(db, id, 'Error al cancelar la guía.') };
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/ordenes/{id}/guia/reembolso',
    resumen: 'Pregunta otra vez por el reembolso de la guía cancelada.',
    ...operar,
    params: ById,
    answer: z.object({ dice: z.string() }),
    run: async (db, { params: { id }, usuario }) => ({ dice: await reviewReembolso(db, id, usuario.id) }),
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/ordenes/{id}/entrega',
    resumen: 'Una venta quedó entregada.',
    ...operarOrden,
    params: ById,
    answer: Orden,
    async commit(trx, { params: { id }, usuario }) {
      await changeToEntregado(trx, id, usuario.id);
      return found(readOrden(trx, id));
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/ordenes/{id}/correo',
    resumen: 'Manda la venta por correo a sus proveedores.',
    ...operarOrden,
    status: 202,
    params: ById,
    answer: Hecho,
    run: async (db, { params: { id }, usuario }) => ({ hecho: await mailProveedores(db, id, usuario.id) }),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/ordenes/{id}/surtido',
    resumen: 'Surte una venta con piezas del stock interno.',
    alcance: 'stock',
    acceso: { derecho: 'stock.operar' },
    form: SurtirVenta,
    de: { orden: 'id' },
    answer: ById,
    async commit(trx, form, { usuario }) {
      await supplyVenta(trx, form, usuario.id);
      return { id: form.orden };
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/efectos/{id}/reintento',
    resumen: 'Intenta otra vez lo que el otro lado rechazó.',
    alcance: 'ordenes',
    acceso: { derecho: 'ordenes.reintentar' },
    status: 202,
    params: ById,
    answer: Hecho,
    async run(db, { params: { id: efecto }, usuario }) {
      const { id } = await db.transaction().execute((trx) => retryEffect(trx, EFFECTS, efecto, usuario.id));
      return { hecho: await isDoneSoon(db, id, 'Error.') };
    },
  }),
];
