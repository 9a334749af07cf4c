import { buscarReclamos } from '~/domain/atencion/buscarReclamos.server';
import { buscarPorResponder, buscarPreguntas } from '~/domain/atencion/buscarPreguntas.server';
import { buscarFacturas } from '~/domain/emision/buscarFacturas.server';
import { buscarNotas } from '~/domain/notaSencilla/buscarNotas.server';
import { buscarOrdenes } from '~/domain/ordenes/buscarOrdenes.server';
import { buscarProductos } from '~/domain/proveedores/buscarProductos.server';
import { buscarPedidos } from '~/domain/pedidos/buscarPedidos.server';
import { buscarPagos } from '~/domain/pagos/buscarPagos.server';
import { buscarProveedorFacturas } from '~/domain/proveedores/buscarProveedorFacturas.server';
import { buscarStock } from '~/domain/stock/buscarStock.server';
import { buscarPublicaciones } from '~/domain/publicaciones/buscarPublicaciones.server';
import { buscarClientes } from '~/domain/receptores/buscarClientes.server';

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
