import { leido } from '~/core/importe';
import type { Question } from '~/core/fieldRules';
import {
  deCuantoACuanto,
  documentosFijos,
  gananciaQueCambia,
  hechosDe,
  type Afectados,
} from '~/domain/ordenes/afectados';

/** What is asked before something is done to a sale, word for word from the spec where it has the words. */
export const PREGUNTAS = {
  entregar: {
    titulo: 'Cambio de estatus',
    texto: '¿Está seguro que desea cambiar el estatus de la orden a Entregado?',
  },
  enlace: { titulo: 'Enviar link', texto: '¿Está seguro que desea enviar el link al cliente?' },
  correo: { titulo: 'Enviar correo', texto: '¿Está seguro que desea enviar el correo?' },
  revocarEnlace: {
    titulo: 'Revocar enlace',
    texto: '¿Estas seguro de revocar el enlace? El cliente ya no podrá abrirlo.',
  },
  reintentar: { titulo: 'Reintentar', texto: '¿Está seguro que desea intentarlo otra vez?' },
} as const;

type Importes = Record<'costo' | 'cotizado', string | null>;
const IMPORTES = [
  ['costo', 'Costo del envío'],
  ['cotizado', 'Envío cotizado'],
] as const;

/** With what it changes, from what, and what else it reaches. */
export function corregirCosto(antes: Importes, despues: Importes, { documentos, conGanancia }: Afectados): Question {
  const cambios = IMPORTES.map(([name, campo]) => ({ campo, antes: antes[name], despues: leido(despues[name]) }))
    .filter((cambio) => cambio.antes !== cambio.despues)
    .map((cambio) => `${deCuantoACuanto(cambio)}.`);
  const movido = leido(despues.costo) !== antes.costo;
  return {
    titulo: 'Corregir costo',
    texto: '¿Esta seguro que desea guardar la información?',
    hechos: hechosDe(...cambios, movido && gananciaQueCambia(conGanancia), documentosFijos('Esta venta', documentos)),
  };
}

export const DESCARGAR = '¿Desea descargar la factura?';
