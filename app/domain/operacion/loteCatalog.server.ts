import {
  cambioAEntregado,
  correoAProveedores,
  enlaceAClientes,
} from '~/domain/operacion/internal/lotesDeOrdenes.server';
import { correoAClientes, pdfYXml } from '~/domain/facturacion/emision/lotesDeFacturas.server';
import { confirmarPedidos } from '~/domain/compras/pedidos/lotesDePedidos.server';
import { aplicarRetenidas, descartarRetenidas } from '~/domain/publicaciones/publicaciones/lotesDeRetenidas.server';
import { codigosQr, estadosDeStock } from '~/domain/compras/stock/lotesDeStock.server';
import type { Acciones } from '~/platform/batches/lote.server';

const TODAS = [
  enlaceAClientes,
  correoAProveedores,
  cambioAEntregado,
  pdfYXml,
  correoAClientes,
  confirmarPedidos,
  ...estadosDeStock,
  codigosQr,
  aplicarRetenidas,
  descartarRetenidas,
];

/** Everything that can be done to many rows, by the word that names it. Which list offers what to whom is a row of `access/lotes`. */
export const ACCIONES: Acciones = Object.fromEntries(TODAS.map((accion) => [accion.accion, accion]));
