import { cambioAEntregado, correoAProveedores, enlaceAClientes } from './internal/lotesDeOrdenes.server';
import { OFFERS } from './offers.server';
import type { Acciones } from '~/platform/batches/prepared.server';

const TODAS = [
  ...OFFERS.flatMap(({ acciones = [] }) => acciones),
  enlaceAClientes,
  correoAProveedores,
  cambioAEntregado,
];

/** Every act on many rows at once, by the word that names it. Which list offers which act to whom is a row of `access/lotes`. */
export const ACCIONES: Acciones = Object.fromEntries(TODAS.map((accion) => [accion.accion, accion]));
