import { formatPesos } from '~/ui/Pesos';
import { toWire, withParams } from '~/core/list';
import { defineRows, outcome } from '~/http/actions.server';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { UnEfecto } from '~/platform/effects/forms';
import { effectView, isDoneSoon } from '~/platform/effects/effects.server';
import { summariesOf } from '~/platform/effects/resolve.server';
import { retryEffect } from '~/platform/effects/retry.server';
import { EnlacePorMensaje, UnEnlace } from '~/domain/facturacion/enlaces/forms';
import { sendEnlaceByMessage } from '~/domain/facturacion/enlaces/enlaceEnvios.server';
import { readEnlace, revokeEnlace } from '~/domain/facturacion/enlaces/enlaces.server';
import {
  ComprarGuiaForm,
  CorregirCostoForm,
  CotizarGuiaForm,
  DatosEnvioForm,
  DireccionForm,
  UnaGuiaForm,
} from '~/domain/ventas/envios/forms';
import { cancelGuia, reviewReembolso } from '~/domain/ventas/envios/cancelGuia.server';
import { decideDireccion } from '~/domain/ventas/envios/direccion.server';
import { buyGuia } from '~/domain/ventas/envios/buyGuia.server';
import { quoteGuia } from '~/domain/ventas/envios/guiaComprada.server';
import { viewGuia } from '~/domain/ventas/envios/viewGuia.server';
import { requirePropio } from '~/domain/ventas/envios/propios.server';
import { correctCosto, saveDatosEnvio } from '~/domain/ventas/envios/savePropio.server';
import { afectadosOfCosto } from '~/domain/ventas/ordenes/afectados.server';
import { changeToEntregado } from '~/domain/ventas/ordenes/changeToEntregado.server';
import { decideDevuelta, readDevuelta } from '~/domain/ventas/ordenes/devueltas.server';
import { readFila, readFilaOfNumero } from '~/domain/ventas/ordenes/listOrdenes.server';
import { DecidirDevueltaForm, UnaOrden } from '~/domain/ventas/ordenes/ordenForm';
import { destinatariosOf } from '~/domain/compras/directorio/proveedor';
import { readDirectorio } from '~/domain/compras/directorio/proveedores.server';
import { mailProveedores } from '~/domain/compras/directorio/mailProveedor.server';
import { pedidoActions } from '~/routes/compras/pedidos/actions';
import { askRevoke } from '~/routes/facturacion/enlaces/questions';
import {
  askCancelGuia as preguntaDeCancelar,
  askBuyGuia as preguntaDeComprar,
  askCorrectCosto,
  askDeliverOrden,
  askKeepDevuelta,
  askSendCorreo,
  askSendLink,
  askRetry,
} from './questions';

/** The actions of lists of sales and of the panel of a sale, on every screen. */
export const ordenActions = defineRows({
  entregar: {
    schema: UnaOrden,
    right: 'ordenes.operar',
    confirm: async (db, { orden }, _usuario, { now }) => {
      const fila = await readFila(db, orden);
      return fila ? askDeliverOrden(fila, now) : null;
    },
    commit: (trx, { orden }, usuario) => changeToEntregado(trx, orden, usuario.id),
    aviso: 'Se realizo el cambio de estatus.',
  },
  decidirDevuelta: {
    schema: DecidirDevueltaForm,
    right: 'ordenes.operar',
    confirm: async (db, { orden, decision }) => {
      const [fila, devuelta] = await Promise.all([readFila(db, orden), readDevuelta(db, orden)]);
      return decision === 'facturar' && fila && devuelta ? askKeepDevuelta(fila, toWire(devuelta)) : null;
    },
    commit: (trx, decision, usuario) => decideDevuelta(trx, decision, usuario.id),
    aviso: 'Se guardó la decisión.',
  },
  enlace: {
    schema: EnlacePorMensaje,
    right: 'ordenes.operar',
    confirm: async (db, { numero }) => {
      const fila = await readFilaOfNumero(db, numero);
      return fila ? askSendLink(fila) : null;
    },
    run: async (db, { numero }, { id: usuarioId }) => {
      const mensaje = await sendEnlaceByMessage(db, { numero, usuarioId });
      const done = await isDoneSoon(db, mensaje, 'Error al enviar el link.');
      return outcome({ aviso: done ? 'Se envio el link al cliente.' : 'El link está en camino.' });
    },
  },
  correo: {
    schema: UnaOrden,
    right: 'ordenes.operar',
    confirm: async (db, { orden }) => {
      const [fila, directorio] = await Promise.all([readFila(db, orden), readDirectorio(db)]);
      return fila ? askSendCorreo(fila, destinatariosOf(directorio, fila.proveedores)) : null;
    },
    run: async (db, { orden }, usuario) => {
      const done = await mailProveedores(db, orden, usuario.id);
      return outcome({ aviso: done ? 'Se envio el correo.' : 'El correo está en camino.' });
    },
  },
  envio: {
    schema: DatosEnvioForm,
    right: 'ordenes.operar',
    commit: (trx, datos, usuario) => saveDatosEnvio(trx, datos, usuario.id),
    to: (_, { search }) => withParams(search, { editar: null }),
    aviso: 'Datos del envio. Datos del envio guarados de forma correcta',
  },
  direccion: {
    schema: DireccionForm,
    right: 'ordenes.operar',
    commit: (trx, decision, usuario) => decideDireccion(trx, decision, usuario.id),
    aviso: 'Datos actualizados correctamente',
  },
  corregirCosto: {
    schema: CorregirCostoForm,
    right: 'ordenes.operar',
    confirm: async (db, { orden, costo, cotizado = null }) => {
      const { envio } = await requirePropio(db, orden);
      const antes = { costo: envio?.costo?.toFixed(2) ?? null, cotizado: envio?.cotizado?.toFixed(2) ?? null };
      return askCorrectCosto(antes, { costo, cotizado }, await afectadosOfCosto(db, orden));
    },
    commit: (trx, costo, usuario) => correctCosto(trx, costo, usuario.id),
    to: (_, { search }) => withParams(search, { editar: null }),
    aviso: 'Datos actualizados correctamente',
  },
  cotizarGuia: {
    schema: CotizarGuiaForm,
    right: 'ordenes.operar',
    run: async (db, form) => {
      const { peso, largo, ancho, alto } = form;
      const paquete = { peso, largo, ancho, alto };
      return outcome({ resultado: { cotizacion: toWire(await quoteGuia(db, form)), paquete }, valores: paquete });
    },
  },
  comprarGuia: {
    schema: ComprarGuiaForm,
    right: 'ordenes.operar',
    confirm: (_db, form) => preguntaDeComprar(form),
    run: async (db, form, usuario) => {
      const { id } = await db.transaction().execute((trx) => buyGuia(trx, form, usuario.id));
      const done = await isDoneSoon(db, id, 'Error al comprar la guía.');
      return outcome({ aviso: done ? 'Se compró la guía.' : 'La compra de la guía está en camino.' });
    },
    to: (_, { search }) => withParams(search, { editar: null }),
  },
  cancelarGuia: {
    schema: UnaGuiaForm,
    right: 'ordenes.operar',
    confirm: async (db, { orden }) => {
      const { market } = await requirePropio(db, orden);
      const guia = await viewGuia(db, { id: orden, market });
      const viva = guia?.compras.find(({ estado }) => estado === 'comprada');
      return guia && viva
        ? preguntaDeCancelar({ ...viva, costo: viva.costo.toFixed(2), mandadaA: guia.mandadaA })
        : null;
    },
    run: async (db, form, usuario) => {
      const { id } = await db.transaction().execute((trx) => cancelGuia(trx, form, usuario.id));
      const done = await isDoneSoon(db, id, 'Error al cancelar la guía.');
      return outcome({ aviso: done ? 'La guía se canceló.' : 'La cancelación de la guía está en camino.' });
    },
  },
  revisarReembolso: {
    schema: UnaOrden,
    right: 'ordenes.operar',
    run: async (db, { orden }, usuario) => outcome({ aviso: await reviewReembolso(db, orden, usuario.id) }),
  },
  revocarEnlace: {
    schema: UnEnlace,
    right: 'ordenes.operar',
    confirm: async (db, { enlace }) => askRevoke(await readEnlace(db, enlace)),
    run: (db, { enlace }, usuario) => revokeEnlace(db, enlace, usuario.id),
    aviso: 'El enlace se revocó.',
  },
  hacerPedido: pedidoActions.hacerPedido,
  surtirVenta: pedidoActions.surtirVenta,
  reintentar: {
    schema: UnEfecto,
    right: 'ordenes.reintentar',
    confirm: async (db, { efecto }) => {
      const [resumen, kind] = [(await summariesOf(db, EFFECTS, [efecto])).get(efecto), await effectView(db, efecto)];
      return askRetry(
        kind && EFFECTS.get(kind.type)?.label,
        resumen?.que,
        resumen?.rfc,
        resumen?.total && formatPesos(resumen.total),
      );
    },
    run: async (db, { efecto }, usuario) => {
      const { id } = await db.transaction().execute((trx) => retryEffect(trx, EFFECTS, efecto, usuario.id));
      const done = await isDoneSoon(db, id, 'Error.');
      return outcome({ aviso: done ? 'Se hizo.' : 'Se está intentando otra vez.' });
    },
  },
});
