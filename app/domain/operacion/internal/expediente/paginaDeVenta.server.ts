import { rowOf, tableOf } from '~/core/table';
import { readInstant } from '~/core/time';
import { CONCEPTO_LABEL } from '~/domain/cierre/conciliacion/concepto';
import { ESTADO_LABEL } from '~/domain/compras/pedidos/pedido';
import { MERCADOS } from '~/domain/mercados/mercados';
import { direccionCompuesta } from '~/domain/ventas/ordenes/datosEnvio';
import { estatusLabel } from '~/domain/ventas/ordenes/estatus';
import { CLASE_LABEL } from '~/domain/ventas/ordenes/orden';
import { numeroOfEnvio } from '~/domain/ventas/envios/envio';
import { enlaceA, html, pagina, tabla, type Html } from './html.server';
import { listPapeles } from './listPapeles.server';
import { dia, fechaHora, pesos } from './palabras';
import type { PapelPuesto } from './papeles';
import type { Venta } from './ventas.server';

/** What became of a payment of the buyer. */
const PAGO = { aprobado: 'Aprobado', devuelto: 'Devuelto', sinEfecto: 'Sin efecto' } as const;

const LADO: Record<string, string> = tableOf({ comprador: 'Comprador', vendedor: 'Nosotros', mediador: 'Mercado' });

/** The page of a sale: what is there and what is missing, and everything that is kept of it, in words. */
export function paginaOfVenta(venta: Venta, papeles: readonly PapelPuesto[]): string[] {
  const { antes, despues } = pagina(`Venta ${venta.numOrden}`);
  const lista = html`<h2>Papeles</h2>
    ${listPapeles(papeles, '../')}`;
  const partes = [cabeza(venta), lista, cobro(venta), envio(venta), compra(venta), documentos(venta), mensajes(venta)];
  return [antes, ...partes.map(({ texto }) => texto), despues];
}

const dato = (de: string, valor: Html | string | null) =>
  html`<tr>
    <th>${de}</th>
    <td>${valor === null || valor === '' ? '—' : valor}</td>
  </tr>`;
const datos = (...filas: readonly Html[]) =>
  html`<table>
    <tbody>
      ${filas}
    </tbody>
  </table>`;

function cabeza(venta: Venta): Html {
  const { label } = MERCADOS[venta.market];
  return html`<p>${enlaceA('indice.html', 'Índice', '../')}</p>
    <h1>Venta ${venta.numOrden}</h1>
    <p>${venta.titulo}</p>
    ${datos(
      dato('Mercado', label),
      dato('Número de la venta', venta.marketId),
      dato('Fecha', fechaHora(venta.fechaCreacion)),
      dato('Cierre', fechaHora(venta.fechaCierre)),
      dato('Clase', CLASE_LABEL[venta.clase]),
      dato('Estatus', estatusLabel(venta.estatus)),
      dato('Comprador', venta.comprador),
      dato('Total', pesos(venta.total)),
      dato('Envío pagado aparte', pesos(venta.envioAdicional)),
      dato('Se quedó pagado', pesos(venta.pagado)),
      dato('Comisión', pesos(venta.comision)),
      dato('Retenciones', pesos(venta.retencion)),
      dato('Cobrado en CFDI', pesos(venta.cobrado)),
      dato('Acreditado', pesos(venta.acreditado)),
      ...(venta.cancelacion ? [dato('Cancelación', venta.cancelacion.motivo)] : []),
    )}
    <h2>Artículos</h2>
    ${tabla(
      ['Artículo', 'SKU', 'Cantidad', 'Precio', 'Importe'],
      venta.articulos.map(({ nombre, sku, cantidad, precioUnitario, importe }) => [
        nombre,
        sku,
        cantidad,
        pesos(precioUnitario),
        pesos(importe),
      ]),
    )}`;
}

function cobro({ pagosDelComprador, movimientos }: Venta): Html {
  return html`<h2>Cobro</h2>
    <h3>Pagos del comprador</h3>
    ${tabla(
      ['Pago', 'Estado', 'Medio', 'Aprobado', 'Importe', 'Devuelto'],
      pagosDelComprador.map(({ id, situacion, metodo, medio, aprobadoEn, monto, devuelto }) => [
        id,
        PAGO[situacion],
        metodo ?? medio,
        fechaHora(aprobadoEn),
        pesos(monto),
        pesos(devuelto),
      ]),
    )}
    <h3>Liquidación del mercado</h3>
    ${tabla(
      ['Fecha', 'Concepto', 'Detalle', 'Importe', 'Depósito'],
      movimientos.map(({ fecha, concepto, detalle, importe, deposito, depositadoEn }) => [
        fechaHora(fecha),
        CONCEPTO_LABEL[concepto],
        detalle,
        pesos(importe),
        deposito === null ? '—' : `${deposito}, ${fechaHora(depositadoEn)}`,
      ]),
    )}`;
}

function envio(venta: Venta): Html {
  const { envio: suyo, estados, guias } = venta;
  const pasos = tabla(
    ['Fecha', 'De', 'De estado', 'A estado'],
    estados.map(({ en, entidad, antes, despues }) => [
      fechaHora(en),
      entidad === 'envio' ? 'Envío' : 'Venta',
      estatusLabel(antes),
      estatusLabel(despues),
    ]),
  );
  if (!suyo)
    return html`<h2>Envío</h2>
      <p class="nota">Sin envío.</p>
      <h3>Historia de sus estados</h3>
      ${pasos}`;
  return html`<h2>Envío</h2>
    ${datos(
      dato('Envío', numeroOfEnvio(suyo.marketId)),
      dato('Estado', estatusLabel(suyo.estatus)),
      dato('Leído', fechaHora(suyo.actualizadoEn)),
      dato('Paquetería', suyo.paqueteria ?? guias.at(-1)?.paqueteria ?? null),
      dato('Guía', suyo.guia ?? guias.at(-1)?.numero ?? null),
      dato('Costo', pesos(suyo.costo)),
      dato('Recibe', suyo.nombreReceptor),
      dato('Teléfono', suyo.telefono),
      dato('Dirección', direccionCompuesta(suyo)),
    )}
    <h3>Historia de sus estados</h3>
    ${pasos}`;
}

function compra({ pedidos, piezas, compras, pagos }: Venta): Html {
  return html`<h2>Compra al proveedor</h2>
    ${pedidos.map(
      ({ folio, folioProveedor, proveedor, estado, lineas, historia }) =>
        html`<h3>Pedido ${folio} a ${proveedor}</h3>
          <p>Folio del proveedor: ${folioProveedor ?? '—'}. Estado: ${ESTADO_LABEL[estado]}.</p>
          ${tabla(
            ['Producto', 'Modelo', 'Cantidad', 'Precio'],
            lineas.map(({ descripcion, modelo, cantidad, precio, moneda }) => [
              descripcion,
              modelo,
              cantidad,
              precio === null ? '—' : `${pesos(precio)} ${moneda ?? ''}`,
            ]),
          )}${tabla(
            ['Fecha', 'Estado', 'Detalle'],
            historia.map(({ en, a, detalle }) => [fechaHora(en), rowOf(ESTADO_LABEL, a) ?? a, detalle]),
          )}`,
    )}${piezas.map(({ folio, proveedor }) => html`<p>Salió del stock interno: pieza ${folio}, de ${proveedor ?? '—'}.</p>`)}
    <h3>Facturas de sus proveedores</h3>
    ${tabla(
      ['Folio', 'Proveedor', 'Fecha', 'Monto', 'Pagado', 'Notas de crédito', 'UUID'],
      compras.map(({ folio, proveedor, emitida, monto, pagada, acreditada, uuid }) => [
        folio,
        proveedor,
        dia(emitida),
        pesos(monto),
        pesos(pagada),
        pesos(acreditada),
        uuid,
      ]),
    )}
    <h3>Pagos a sus proveedores</h3>
    ${tabla(
      ['Folio', 'Proveedor', 'Fecha', 'De esta venta', 'Clave de rastreo', 'Banco'],
      pagos.map(({ folio, proveedor, fecha, aplicado, claveRastreo, banco }) => [
        folio,
        proveedor,
        dia(fecha),
        pesos(aplicado),
        claveRastreo,
        banco,
      ]),
    )}`;
}

function documentos({ cfdis }: Venta): Html {
  return html`<h2>CFDI</h2>
    ${tabla(
      ['Folio', 'Tipo', 'Timbrado', 'Receptor', 'Total', 'De esta venta', 'Estado', 'UUID'],
      cfdis.map(({ folio, tipo, fechaTimbrado, rfc, razonSocial, total, importe, estatus, uuid }) => [
        folio,
        { individual: 'Factura', global: 'Global', notaCredito: 'Nota de crédito' }[tipo],
        fechaHora(fechaTimbrado),
        `${rfc} ${razonSocial}`,
        pesos(total),
        pesos(importe),
        { vigente: 'Vigente', cancelando: 'En cancelación', cancelada: 'Cancelada' }[estatus],
        uuid,
      ]),
    )}`;
}

function mensajes({ preguntas, reclamos }: Venta): Html {
  return html`<h2>Mensajes</h2>
    <h3>Preguntas del comprador</h3>
    ${tabla(
      ['Fecha', 'Pregunta', 'Respuesta', 'Respondida'],
      preguntas.map(({ fecha, texto, respuesta, respondidaEn }) => [
        fechaHora(fecha),
        texto,
        respuesta,
        fechaHora(respondidaEn),
      ]),
    )}${reclamos.map(
      ({ marketId, titulo, problema, abierto, fecha, mensajes: suyos }) =>
        html`<h3>Reclamo ${marketId}</h3>
          <p>${abierto ? 'Abierto' : 'Cerrado'}, del ${fechaHora(fecha)}. ${titulo} ${problema}</p>
          ${tabla(
            ['Fecha', 'De', 'Mensaje'],
            suyos.map((mensaje) => [fechaOf(mensaje.fecha), LADO[mensaje.de ?? ''] ?? '—', mensaje.texto]),
          )}`,
    )}`;
}

/** Returns the moment of a message, which its claim keeps as text; '—' where nobody can read one. */
const fechaOf = (fecha: string | null) => fechaHora(fecha === null ? null : readInstant(fecha));
