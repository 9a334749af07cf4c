import { codeIn, parseFolio } from '~/domain/compras/stock/pieza';
import { scan, hasCamara } from './camara';
import { boton, h } from './hacer';
import { clearAviso, openEach, tell, show, titulo, uno } from './pantalla';
import { perform } from './porEnviar';
import type { Reciente } from './red';
import { puesto } from './puesto';

/** Links a label to a piece; see `perform`. */
export const link = (codigo: string, folio: string) =>
  perform({ que: 'ligar', campos: { codigo, folio }, sobre: folio, dice: `${codigo} es de ${folio}` });

/** Asks for the label of a piece: the next scanned or typed label is linked to the piece. */
export async function requestEtiqueta(folio: string): Promise<void> {
  puesto.ligando = folio;
  tell(
    { tono: 'aviso', texto: `Escanea o escribe la etiqueta que lleva ${folio}.` },
    boton('No ligar ninguna', () => {
      puesto.ligando = undefined;
      clearAviso();
    }),
  );
  if (hasCamara()) await openCamara();
}

/**
 * Receiver of the scanned text, set by `onScan`: the search depends on this module, so this module cannot import the
 * search.
 */
let receiver: (texto: string) => Promise<void> = () => Promise.resolve();
/** Sets the receiver of scanned text. */
export const onScan = (handler: typeof receiver) => (receiver = handler);

/** Opens the camera and hands the scanned text to the receiver. */
export async function openCamara(): Promise<void> {
  const dice = await scan(uno('camara'), puesto.lector).catch(() => null);
  if (dice === null) return tell({ tono: 'mal', texto: 'No se pudo abrir la cámara. Escribe el folio.' });
  if (dice) await receiver(dice);
}

/** Shows a label without a piece, with the pieces that it may be linked to. */
export function showEtiqueta(codigo: string, recientes: readonly Reciente[], onOpen: (folio: string) => void) {
  const linkTo = async (suyo: string) => {
    if (await link(codigo, suyo)) onOpen(suyo);
  };
  const folio = h('input', { id: 'folio', required: true, autocomplete: 'off', autocapitalize: 'characters' });
  const form = h(
    'form',
    {
      submit: (event) => {
        event.preventDefault();
        const suyo = parseFolio(codeIn(folio.value));
        if (!suyo) return tell({ tono: 'mal', texto: 'Ese folio no existe. Léelo otra vez en la etiqueta.' });
        void linkTo(suyo);
      },
    },
    h('label', { for: 'folio' }, 'Folio de la pieza'),
    folio,
    h('button', { class: 'principal' }, 'Ligar'),
  );
  return show({
    ver: codigo,
    paint: () => [
      titulo(codigo),
      h('p', {}, 'Esta etiqueta todavía no es de ninguna pieza.'),
      ...(recientes.length > 0
        ? [
            h('h3', {}, 'Ligar a una de las que acaban de llegar'),
            openEach(
              recientes.map(({ folio, nombre }) => ({ clave: folio, nota: nombre })),
              (suyo) => void linkTo(suyo),
            ),
          ]
        : []),
      form,
    ],
  });
}
