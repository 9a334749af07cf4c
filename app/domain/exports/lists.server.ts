import { reclamosList } from '~/domain/atencion/listReclamos.server';
import { preguntasList, responderList } from '~/domain/atencion/listPreguntas.server';
import { empresasList } from '~/domain/cuentas/empresas.server';
import { usuariosList } from '~/domain/cuentas/usuariosList.server';
import { datosFiscalesList } from '~/domain/receptores/datosFiscales.server';
import { cotizarList } from '~/domain/envios/listCotizar.server';
import { enviosList, enviosPendientesList } from '~/domain/envios/listEnvios.server';
import { facturasList, notasCreditoList } from '~/domain/emision/listFacturas.server';
import { notasList } from '~/domain/notaSencilla/listNotas.server';
import { loteList } from '~/domain/mes/loteList.server';
import { devueltasList, ordenesDelMesList, refacturacionList } from '~/domain/mes/mesLists.server';
import { ajustesList, conciliadasList, depositosList } from '~/domain/conciliacion/listConciliacion.server';
import { stockInternoList } from '~/domain/stock/listStock.server';
import type { List } from '~/domain/lists/list.server';
import { agentesList } from '~/domain/proveedores/agentes.server';
import { publicacionesList } from '~/domain/publicaciones/listPublicaciones.server';
import { productosList } from '~/domain/proveedores/listProductos.server';
import { proveedorFacturasList } from '~/domain/proveedores/listProveedorFacturas.server';
import { sinFacturaList } from '~/domain/proveedores/listSinFactura.server';
import { ordenesCtList, porConfirmarList } from '~/domain/pedidos/listPedidos.server';
import { SIN_PUBLICACION } from '~/domain/publicador/sinPublicacionList.server';
import { cotizacionesList } from '~/domain/pagos/listCotizaciones.server';
import { pagosList } from '~/domain/pagos/listPagos.server';
import { activasList, canceladasList, ordenesList } from '~/domain/ordenes/listOrdenes.server';
import { llenarReporteList, mensualList } from '~/domain/reportes/utilidadLists.server';

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
