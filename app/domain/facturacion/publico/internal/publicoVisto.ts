import type { Mostrado } from '~/core/choque';
import { Stale } from '~/core/errors';
import { enPesos } from '~/core/importe';
import type { Money } from '~/core/money';
import type { Articulo } from '~/domain/facturacion/cfdi/articulos';
import {
  clienteVacio,
  type DraftCliente,
  articulosInWords,
  choqueOf,
  receptorInWords,
  type Visto,
} from '~/domain/facturacion/emision/draft';
import type { FacturaDraft } from '~/domain/facturacion/emision/draft.server';
import { maskEmail } from './maskEmail';

/** The draft, when it is still as the page showed it. Throws Stale otherwise, with e-mail addresses on record masked. */
export function requireVistoPublico(draft: FacturaDraft, { version, mostrado }: Visto): FacturaDraft {
  if (draft.version === version) return draft;
  throw staleOf(draft.version, mostrado, mostradoPublico(draft.cliente));
}

/** The error for a draft that moved, with the differences. */
export const staleOf = (version: number, antes: Mostrado, ahora: Mostrado) =>
  new Stale(choqueOf(version, { antes, ahora }), {
    titulo: 'Facturación',
    texto: 'Los datos cambiaron mientras los veías.',
  });

/** The page of a link in words: the receiver and, in its review, rows and payment of the sale. */
export function mostradoPublico(
  cliente: DraftCliente | null,
  venta?: { articulos: readonly Articulo[]; pagado: Money },
): Mostrado {
  const { correoRegistrado, emails } = cliente ?? clienteVacio();
  return {
    'Datos de Facturación': cliente ? receptorInWords(cliente) : '',
    Email: (correoRegistrado ? emails.map(maskEmail) : emails).join(', '),
    ...(venta && { ...articulosInWords(venta.articulos), 'Total pagado': enPesos(venta.pagado) }),
  };
}
