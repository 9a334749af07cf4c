import { parseFolio } from '~/domain/compras/stock/pieza';
import { scan, hasCamara } from './camara';
import { boton, h } from './hacer';
import { openEach, tell, show, titulo, uno } from './pantalla';
import { perform } from './porEnviar';
import type { Reciente } from './red';
import { puesto } from './puesto';

/** What a label holds is the address of its piece. */
export const loQueDice = (leido: string) => decodeURIComponent(/\/siqr\/([^/?#]+)/.exec(leido)?.[1] ?? leido).trim();

export const link = (codigo: string, folio: string) =>
  perform({ que: 'ligar', campos: { codigo, folio }, sobre: folio, dice: `${codigo} es de ${folio}` });

/** The next label that is scanned or typed is for this piece. */
export async function requestEtiqueta(folio: string): Promise<void> {
  puesto.ligando = folio;
  tell(
    { tono: 'aviso', texto: `Escanea o escribe la etiqueta que lleva ${folio}.` },
    boton('No ligar ninguna', () => {
      puesto.ligando = undefined;
      uno('aviso').replaceChildren();
    }),
  );
  if (hasCamara()) await openCamara();
}

/** Somebody else's to know: what was read, and where it leads. */
let alLeer: (texto: string) => Promise<void> = () => Promise.resolve();
export const alEscanear = (hazlo: typeof alLeer) => (alLeer = hazlo);

export async function openCamara(): Promise<void> {
  const dice = await scan(uno('camara'), puesto.lector).catch(() => null);
  if (dice === null) return tell({ tono: 'mal', texto: 'No se pudo abrir la cámara. Escribe el folio.' });
  if (dice) await alLeer(dice);
}

/** A label that was printed before its piece was known. */
export function showEtiqueta(codigo: string, recientes: readonly Reciente[], abre: (folio: string) => void) {
  const ligarA = async (suyo: string) => {
    if (await link(codigo, suyo)) abre(suyo);
  };
  const folio = h('input', { id: 'folio', required: true, autocomplete: 'off', autocapitalize: 'characters' });
  const form = h(
    'form',
    {
      submit: (event) => {
        event.preventDefault();
        const suyo = parseFolio(loQueDice(folio.value));
        if (!suyo) return tell({ tono: 'mal', texto: 'Ese folio no existe. Léelo otra vez en la etiqueta.' });
        void ligarA(suyo);
      },
    },
    h('label', { for: 'folio' }, 'Folio de la pieza'),
    folio,
    h('button', { class: 'principal' }, 'Ligar'),
  );
  return show({
    pinta: () => [
      titulo(codigo),
      h('p', {}, 'Esta etiqueta todavía no es de ninguna pieza.'),
      ...(recientes.length > 0
        ? [
            h('h3', {}, 'Ligar a una de las que acaban de llegar'),
            openEach(
              recientes.map(({ folio, nombre }) => ({ clave: folio, nota: nombre })),
              (suyo) => void ligarA(suyo),
            ),
          ]
        : []),
      form,
    ],
  });
}
