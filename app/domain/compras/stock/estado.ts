import type { EstadoDeStock } from '~db/columns';

export type { EstadoDeStock } from '~db/columns';

/** As they were first ordered; people see them in the order of `stock_estado`. */
export const ESTADOS = [
  'enRevision',
  'disponible',
  'reservado',
  'vendido',
  'enGarantia',
  'devueltoProveedor',
  'danado',
  'baja',
] as const satisfies readonly EstadoDeStock[];

export const ESTADO_LABEL: Readonly<Record<EstadoDeStock, string>> = {
  enRevision: 'En revisión',
  disponible: 'Disponible',
  reservado: 'Reservado',
  vendido: 'Vendido',
  enGarantia: 'En garantía',
  devueltoProveedor: 'Devuelto al proveedor',
  danado: 'Dañado',
  baja: 'Baja',
};

/** What a new return is. */
export const ESTADO_INICIAL: EstadoDeStock = 'enRevision';

export const ESTADO_TONO: Readonly<Record<EstadoDeStock, 'ok' | 'aviso' | 'mal' | 'neutro'>> = {
  enRevision: 'aviso',
  disponible: 'ok',
  reservado: 'neutro',
  vendido: 'neutro',
  enGarantia: 'neutro',
  devueltoProveedor: 'neutro',
  danado: 'mal',
  baja: 'mal',
};

/** Where each may go next. The database has the same steps (`stock_paso`) and refuses any other. */
export const PASOS: Readonly<Record<EstadoDeStock, readonly EstadoDeStock[]>> = {
  enRevision: ['disponible', 'enGarantia', 'devueltoProveedor', 'danado', 'baja'],
  disponible: ['enRevision', 'reservado', 'vendido', 'enGarantia', 'devueltoProveedor', 'danado', 'baja'],
  reservado: ['enRevision', 'disponible', 'vendido', 'danado'],
  vendido: ['enRevision'],
  enGarantia: ['enRevision', 'disponible', 'devueltoProveedor', 'danado', 'baja'],
  devueltoProveedor: ['enRevision', 'baja'],
  danado: ['enRevision', 'enGarantia', 'devueltoProveedor', 'baja'],
  baja: [],
};

export const mayPass = (de: EstadoDeStock, a: EstadoDeStock): boolean => PASOS[de].includes(a);

/** What goes there does not come back: it is asked about first. */
export const isFinal = (a: EstadoDeStock): boolean => PASOS[a].length === 0;
export const DE_AHI_NO_SALE = 'De ahí no pasa a otro estatus. Se puede deshacer durante diez minutos.';

/** How long what somebody did a moment ago can be taken back. */
export const DESHACER_MS = 10 * 60_000;

/** What is kept for a sale, or left with it. */
export const isOfVenta = (estado: EstadoDeStock): boolean => estado === 'reservado' || estado === 'vendido';
