import { expect, test } from 'vitest';
import type { ScreenAction } from '~/http/actions.server';
import { screenName } from '../support/screenNames';

const modules = import.meta.glob<{ action?: ScreenAction }>('../../app/routes/**/*.{ts,tsx}', { eager: true });

/** The intents of a screen that may finish its record, after which the list opens the next one. */
const terminan = (screen: string) =>
  Object.entries(modules)
    .filter(([path]) => screenName(path) === screen)
    .flatMap(([, { action }]) => Object.entries(action?.formularios ?? {}))
    .flatMap(([intent, { termina }]) => (termina ? [intent] : []));

test.each([
  ['responderPreguntas', ['responder']],
  ['preguntas', ['responder']],
  ['reclamos', ['escribirEnReclamo', 'resolverReclamo']],
  ['ordenesPorConfirmar', ['confirmarPedido', 'quitarPedido', 'folioPedido', 'cancelarPedido']],
  ['pendientes', ['existe', 'conFolio', 'hecho', 'noExiste', 'enviar', 'repetida', 'entendido']],
  ['pagosProveedores', ['guardarPagos']],
  ['stockInterno', ['guardarPieza', 'moverPieza', 'venderPieza']],
])(
  'the queue of %s goes on by itself after what finishes a record, and stays after everything else',
  (screen, intents) => {
    expect(terminan(screen)).toEqual(intents);
  },
);
