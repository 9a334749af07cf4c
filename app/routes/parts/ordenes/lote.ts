import { ACCION, type Accion } from '~/domain/atencion/lote';

/** Which lists have something to do to many sales at once. */
export const CON_LOTES: ReadonlySet<string> = new Set(['ordenes', 'ordenesActivas']);

const botones = (...acciones: Accion[]) => acciones.map((hacer) => ({ hacer, boton: ACCION[hacer].boton }));

export const DE_ORDENES = botones('enlace', 'correo');
export const DE_ACTIVAS = botones('correo', 'entregar');
