import { buscarReclamos } from '~/domain/atencion/reclamos/buscarReclamos.server';
import { buscarPorResponder, buscarPreguntas } from '~/domain/atencion/preguntas/buscarPreguntas.server';
import { buscarFacturas } from '~/domain/facturacion/emision/buscarFacturas.server';
import { buscarNotas } from '~/domain/facturacion/notaSencilla/buscarNotas.server';
import { buscarOrdenes } from '~/domain/ventas/ordenes/buscarOrdenes.server';
import { buscarProductos } from '~/domain/compras/catalogo/buscarProductos.server';
import { buscarPedidos } from '~/domain/compras/pedidos/buscarPedidos.server';
import { buscarPagos } from '~/domain/compras/pagos/buscarPagos.server';
import { buscarProveedorFacturas } from '~/domain/compras/facturas/buscarProveedorFacturas.server';
import { buscarStock } from '~/domain/compras/stock/buscarStock.server';
import { buscarPublicaciones } from '~/domain/publicaciones/publicaciones/buscarPublicaciones.server';
import { buscarClientes } from '~/domain/facturacion/receptores/buscarClientes.server';

/** What can be found from anywhere, in the order in which it is shown. */
export const BUSCADORES = [
  buscarOrdenes,
  buscarFacturas,
  buscarClientes,
  buscarPedidos,
  buscarProveedorFacturas,
  buscarPagos,
  buscarProductos,
  buscarStock,
  buscarPublicaciones,
  buscarNotas,
  buscarPorResponder,
  buscarPreguntas,
  buscarReclamos,
] as const;
