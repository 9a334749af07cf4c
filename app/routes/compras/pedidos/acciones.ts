import type { Wire } from '~/core/list';
import { Money } from '~/core/money';
import type { PedidoRow } from '~/domain/compras/pedidos/listPedidos.server';
import { conError, askRemove, mayConfirm, mayRemove } from '~/domain/compras/pedidos/pedido';
import type { AccionDeFila } from '~/ui/DataTable';

export type Fila = Wire<PedidoRow> & { alLado?: { retrato: string | null } };

export const dineroOf = ({
  costo,
  recibe,
  pagado,
  estimado,
}: Pick<Fila, 'costo' | 'recibe' | 'pagado' | 'estimado'>) => ({
  costo: costo === null ? null : Money.of(costo),
  recibe: Money.of(recibe),
  pagado: Money.of(pagado),
  estimado,
});

export const piezasOf = ({ lineas }: { lineas: readonly { cantidad: number }[] }) =>
  lineas.reduce((sum, { cantidad }) => sum + cantidad, 0);

/** Tells whether a pedido awaits the folio that its supplier answers to a letter. */
export const awaitsFolio = ({ estado, via }: Pick<Fila, 'estado' | 'via'>) =>
  estado === 'solicitado' && via === 'correo';

/** Returns the acts on a pedido: removal from the list where the pedido has an error, otherwise its confirmation, once the sale has a shipment. */
export function accionesOfPedido(fila: Fila): AccionDeFila[] {
  const { id, version, folio } = fila;
  const dinero = dineroOf(fila);
  const quitar: AccionDeFila = {
    texto: 'Quitar de la lista',
    corto: 'Quitar',
    nombre: `Quitar de la lista el pedido ${folio}`,
    tono: 'mal',
    envia: { intent: 'quitarPedido', pedido: id, version },
    pregunta: () => askRemove({ ...fila, costo: dinero.costo }),
  };
  if (conError(fila)) return [quitar];
  const confirmar: AccionDeFila[] = mayConfirm(fila)
    ? [
        {
          texto: 'Confirmar pedido',
          corto: '✓ Confirmar',
          nombre: `Confirmar pedido ${folio}`,
          tono: 'ok',
          // The server checks the objections first, and its question tells the current cost.
          envia: { intent: 'confirmarPedido', pedido: id, version },
          pregunta: 'del servidor',
        },
      ]
    : [];
  // The answer to a letter is written down in the panel.
  const folioDeCorreo: AccionDeFila[] = awaitsFolio(fila)
    ? [
        {
          texto: 'Guardar el folio',
          corto: 'Folio',
          nombre: `Guardar el folio del pedido ${folio}`,
          href: `?ver=${id}`,
        },
      ]
    : [];
  return [...confirmar, ...folioDeCorreo, ...(mayRemove(fila) ? [quitar] : [])];
}

export const nombreOfPedido = ({ folio }: Pick<Fila, 'folio'>) => `el pedido ${folio}`;
