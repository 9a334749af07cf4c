import { reclamosList } from '~/domain/atencion/reclamos/listReclamos.server';
import { preguntasList, responderList } from '~/domain/atencion/preguntas/listPreguntas.server';
import { empresasList } from '~/domain/personal/empresas.server';
import { usuariosList } from '~/domain/personal/usuariosList.server';
import { cotizarList } from '~/domain/ventas/envios/listCotizar.server';
import { enviosList, enviosPendientesList } from '~/domain/ventas/envios/listEnvios.server';
import { ajustesList, conciliadasList, depositosList } from '~/domain/cierre/conciliacion/listConciliacion.server';
import type { List } from '~/platform/lists/list.server';
import { publicacionesList } from '~/domain/publicaciones/publicaciones/listPublicaciones.server';
import { SIN_PUBLICACION } from '~/domain/publicaciones/publicador/sinPublicacionList.server';
import { activasList, canceladasList, ordenesList } from '~/domain/ventas/ordenes/listOrdenes.server';
import { llenarReporteList, mensualList } from '~/domain/cierre/reportes/utilidadLists.server';
import { OFFERS } from '../offers.server';

/** Every list of the product by its screen's key. Each may be scrolled in windows and exported to Excel. */
export const LISTS: Record<string, List> = {
  ...Object.fromEntries(OFFERS.flatMap(({ lists = [] }) => lists).map((list) => [list.lista, list])),
  [usuariosList.lista]: usuariosList,
  [empresasList.lista]: empresasList,
  ...Object.fromEntries(Object.values(SIN_PUBLICACION).map((una) => [una.lista, una])),
  [publicacionesList.lista]: publicacionesList,
  [ordenesList.lista]: ordenesList,
  [canceladasList.lista]: canceladasList,
  [activasList.lista]: activasList,
  [cotizarList.lista]: cotizarList,
  [enviosList.lista]: enviosList,
  [enviosPendientesList.lista]: enviosPendientesList,
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
