import { can, type Action } from '~/access/actions';
import { tableOf } from '~/core/table';
import type { Usuario } from '~/core/usuario';
import type { ScreenAction } from '~/http/actions.server';
import { action as confirmar } from '~/routes/compras/pedidos/porConfirmar';
import { action as recibir } from '~/routes/compras/stock/devoluciones';
import { action as facturar } from '~/routes/facturacion/emision/facturacion';
import { action as responder } from '~/routes/atencion/preguntas/responder';

type Aqui = {
  /** The right of those who act, beside the screen of the queue. */
  right: Action;
  /** The screen that takes the form, and its intents, whose description the form reads. Printing sends no form. */
  de?: ScreenAction;
  intents?: readonly string[];
};

/** The queues whose first thing is seen to on 'Hoy', by the form and the action of its own screen. */
const AQUI: Readonly<Record<string, Aqui>> = tableOf({
  preguntas: { right: 'preguntas.responder', de: responder, intents: ['responder', 'detenerRespuesta'] },
  porConfirmar: { right: 'pedidos.operar', de: confirmar, intents: ['confirmarPedido'] },
  listasParaFacturar: { right: 'ordenes.operar', de: facturar, intents: ['facturar'] },
  porEnviar: { right: 'ordenes.operar' },
  devolucionesPorRecibir: { right: 'stock.operar', de: recibir, intents: ['crear'] },
});

/** Returns the queues that this person sees to on 'Hoy' itself, with the description of their forms. */
export function aquiOf(usuario: Pick<Usuario, 'rol'>, claves: readonly string[]) {
  const suyas = claves.filter((clave) => AQUI[clave] && can(usuario, AQUI[clave].right));
  const formularios = suyas.flatMap((clave) => {
    const { de, intents = [] } = AQUI[clave]!;
    return intents.map((intent) => [intent, de!.formularios[intent]!] as const);
  });
  return { aqui: suyas, formularios: Object.fromEntries(formularios) };
}
