import type { Task } from '../task.server';
import cfdiCotejar from './cfdi.cotejar';
import cfdiFollowCancel from './cfdi.followCancel';
import avisosColas from './avisos.colas';
import catalogosRefresh from './catalogos.refresh';
import comisionesPreguntar from './comisiones.preguntar';
import condicionesWatch from './condiciones.watch';
import effectSweep from './effect.sweep';
import effectsLookLate from './effects.lookLate';
import effects from './effects';
import enlacesSend from './enlaces.send';
import exportRun from './export.run';
import ganchosBarrer from './ganchos.barrer';
import ganchosEntregar from './ganchos.entregar';
import ganchosRepartir from './ganchos.repartir';
import impuestosLeer from './impuestos.leer';
import inboxDrain from './inbox.drain';
import inboxProcess from './inbox.process';
import inboxSweep from './inbox.sweep';
import libroAsentar from './libro.asentar';
import libroCuadrar from './libro.cuadrar';
import liquidacionTraer from './liquidacion.traer';
import loteRun from './lote.run';
import maintenanceClean from './maintenance.clean';
import pedidosSeguir from './pedidos.seguir';
import catalogoLeer from './catalogo.leer';
import catalogoVigilar from './catalogo.vigilar';
import costosVer from './costos.ver';
import plazosAvisar from './plazos.avisar';
import productosContar from './productos.contar';
import productosFotos from './productos.fotos';
import productosRetratos from './productos.retratos';
import publicacionesSeguir from './publicaciones.seguir';
import publicacionesSync from './publicaciones.sync';
import proveedoresProbar from './proveedores.probar';
import respaldoProbar from './respaldo.probar';
import respaldoTrasladar from './respaldo.trasladar';
import guiasReembolsos from './guias.reembolsos';
import stockCuadrar from './stock.cuadrar';
import ventasSync from './ventas.sync';

/** Every task of the worker. */
export const TASK_LIST: Task[] = [
  avisosColas,
  catalogosRefresh,
  cfdiCotejar,
  cfdiFollowCancel,
  comisionesPreguntar,
  condicionesWatch,
  ...effects,
  effectSweep,
  effectsLookLate,
  enlacesSend,
  exportRun,
  ganchosBarrer,
  ganchosEntregar,
  ganchosRepartir,
  impuestosLeer,
  inboxDrain,
  inboxProcess,
  inboxSweep,
  libroAsentar,
  libroCuadrar,
  liquidacionTraer,
  loteRun,
  maintenanceClean,
  catalogoLeer,
  pedidosSeguir,
  catalogoVigilar,
  costosVer,
  plazosAvisar,
  productosContar,
  productosFotos,
  productosRetratos,
  proveedoresProbar,
  publicacionesSeguir,
  publicacionesSync,
  respaldoProbar,
  respaldoTrasladar,
  guiasReembolsos,
  stockCuadrar,
  ...ventasSync,
];
