import { ACTIVACION_AMZ } from './amz/activacion';
import { ACTIVACION_ML } from './ml/activacion';

/** How an activation of a marketplace ended. The key travels in the address back to the screen, which shows these words. */
export const ACTIVACION = {
  ...ACTIVACION_ML,
  ...ACTIVACION_AMZ,
  sinDatos: {
    titulo: 'Error de activación.',
    texto: 'La dirección no trae nada de ningún mercado. Activa la cuenta desde su tarjeta.',
  },
  conLlaves: {
    titulo: 'Error de activación.',
    texto: 'La dirección traía las llaves escritas, y esas no se guardan. Activa la cuenta desde su tarjeta.',
  },
  tercerCanal: {
    titulo: 'Error de activación.',
    texto: 'Llegó la respuesta de una tienda que Trastienda no maneja. No se guardó nada de ella.',
  },
} as const;
export type Activacion = keyof typeof ACTIVACION;

/** Tells whether the account was linked, so that its sales arrive. */
export const activada = (activacion: Activacion): boolean => 'hecha' in ACTIVACION[activacion];

/** Reads the key in an address; undefined for a text that is none of ours. */
export function activacionOf(text: string | null): Activacion | undefined {
  return text !== null && Object.hasOwn(ACTIVACION, text) ? (text as Activacion) : undefined;
}
