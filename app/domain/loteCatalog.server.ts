import { cambioAEntregado, correoAProveedores, enlaceAClientes } from '~/domain/atencion/lotesDeOrdenes.server';
import { correoAClientes, pdfYXml } from '~/domain/emision/lotesDeFacturas.server';
import { confirmarPedidos } from '~/domain/pedidos/lotesDePedidos.server';
import { aplicarRetenidas, descartarRetenidas } from '~/domain/publicaciones/lotesDeRetenidas.server';
import { codigosQr, estadosDeStock } from '~/domain/stock/lotesDeStock.server';
import type { Acciones } from '~/domain/lotes/lote.server';

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
