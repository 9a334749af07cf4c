import { reclamosList } from '~/domain/atencion/reclamos/listReclamos.server';
import { preguntasList, responderList } from '~/domain/atencion/preguntas/listPreguntas.server';
import { empresasList } from '~/domain/personal/empresas.server';
import { usuariosList } from '~/domain/personal/usuariosList.server';
import { datosFiscalesList } from '~/domain/facturacion/receptores/datosFiscales.server';
import { cotizarList } from '~/domain/ventas/envios/listCotizar.server';
import { enviosList, enviosPendientesList } from '~/domain/ventas/envios/listEnvios.server';
import { facturasList, notasCreditoList } from '~/domain/facturacion/emision/listFacturas.server';
import { notasList } from '~/domain/facturacion/notaSencilla/listNotas.server';
import { loteList } from '~/domain/facturacion/mes/loteList.server';
import { devueltasList, ordenesDelMesList, refacturacionList } from '~/domain/facturacion/mes/mesLists.server';
import { ajustesList, conciliadasList, depositosList } from '~/domain/cierre/conciliacion/listConciliacion.server';
import { stockInternoList } from '~/domain/compras/stock/listStock.server';
import type { List } from '~/platform/lists/list.server';
import { agentesList } from '~/domain/compras/directorio/agentes.server';
import { publicacionesList } from '~/domain/publicaciones/publicaciones/listPublicaciones.server';
import { productosList } from '~/domain/compras/catalogo/listProductos.server';
import { proveedorFacturasList } from '~/domain/compras/facturas/listProveedorFacturas.server';
import { sinFacturaList } from '~/domain/compras/facturas/listSinFactura.server';
import { ordenesCtList, porConfirmarList } from '~/domain/compras/pedidos/listPedidos.server';
import { SIN_PUBLICACION } from '~/domain/publicaciones/publicador/sinPublicacionList.server';
import { cotizacionesList } from '~/domain/compras/pagos/listCotizaciones.server';
import { pagosList } from '~/domain/compras/pagos/listPagos.server';
import { activasList, canceladasList, ordenesList } from '~/domain/ventas/ordenes/listOrdenes.server';
import { llenarReporteList, mensualList } from '~/domain/cierre/reportes/utilidadLists.server';

/** Every list of the product by its screen's key: what may be scrolled in windows and exported to Excel. */
export const LISTS: Record<string, List> = {
  [facturasList.lista]: facturasList,
  [notasCreditoList.lista]: notasCreditoList,
  [ordenesDelMesList.lista]: ordenesDelMesList,
  [refacturacionList.lista]: refacturacionList,
  [devueltasList.lista]: devueltasList,
  [loteList.lista]: loteList,
  [notasList.lista]: notasList,
  [datosFiscalesList.lista]: datosFiscalesList,
  [usuariosList.lista]: usuariosList,
  [empresasList.lista]: empresasList,
  [agentesList.lista]: agentesList,
  [productosList.lista]: productosList,
  ...Object.fromEntries(Object.values(SIN_PUBLICACION).map((una) => [una.lista, una])),
  [publicacionesList.lista]: publicacionesList,
  [proveedorFacturasList.lista]: proveedorFacturasList,
  [sinFacturaList.lista]: sinFacturaList,
  [ordenesList.lista]: ordenesList,
  [canceladasList.lista]: canceladasList,
  [activasList.lista]: activasList,
  [porConfirmarList.lista]: porConfirmarList,
  [ordenesCtList.lista]: ordenesCtList,
  [cotizacionesList.lista]: cotizacionesList,
  [pagosList.lista]: pagosList,
  [cotizarList.lista]: cotizarList,
  [enviosList.lista]: enviosList,
  [enviosPendientesList.lista]: enviosPendientesList,
  [stockInternoList.lista]: stockInternoList,
  [depositosList.lista]: depositosList,
  [conciliadasList.lista]: conciliadasList,
  [ajustesList.lista]: ajustesList,
  [preguntasList.lista]: preguntasList,
  [responderList.lista]: responderList,
  [reclamosList.lista]: reclamosList,
  [llenarReporteList.lista]: llenarReporteList,
  [mensualList.lista]: mensualList,
};

export function findList(lista: string): List | undefined {
  return Object.hasOwn(LISTS, lista) ? LISTS[lista] : undefined;
}
