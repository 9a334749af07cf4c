import { parseCodigo, parseFolio } from '~/domain/compras/stock/pieza';
import { recordada, remember } from './almacen';
import { link, loQueDice, showEtiqueta } from './etiqueta';
import { h } from './hacer';
import { openEach, tell, connects, show, sinAviso } from './pantalla';
import { showPieza, showUnseen } from './pieza';
import { falloOf } from './porEnviar';
import { type Leido, readFromServer, fetchPorRecibir, ServidorFalla, SinEntrar, SinSenal } from './red';
import { puesto } from './puesto';
import { showVenta } from './venta';

/** A folio whose letter does not fit its number was mistyped. */
const PARECE_FOLIO = /^dv[\s-]?\d/i;

/** Whoever scans faster than the signal is shown what they scanned last. */
let ultima = 0;

export async function searchHere(leido: string): Promise<void> {
  const dice = loQueDice(leido).slice(0, 200);
  if (!dice) return;
  sinAviso();
  const [codigo, suya] = [parseCodigo(dice), puesto.ligando];
  puesto.ligando = undefined;
  if (suya && codigo) {
    if (await link(codigo, suya)) await open(suya);
    return;
  }
  await open(dice);
}

/** What a text names: a piece, a label that hangs on none, or a sale. */
export async function open(dice: string): Promise<void> {
  const mia = ++ultima;
  let found: Leido;
  try {
    found = await readFromServer(puesto.base, dice);
  } catch (error) {
    if (mia === ultima) await sinServidor(dice, error);
    return;
  }
  if (mia !== ultima) return;
  connects('bien');
  const abre = (folio: string) => void open(folio);
  switch (found.clase) {
    case 'pieza':
      await remember(found.pieza);
      return showPieza(found.pieza);
    case 'etiqueta':
      return showEtiqueta(found.codigo, found.recientes, abre);
    case 'venta':
      return showVenta(found.venta, abre);
    case 'nada':
      return tell({
        tono: 'mal',
        texto:
          parseFolio(dice) || PARECE_FOLIO.test(dice)
            ? 'Ese folio no existe. Léelo otra vez en la etiqueta.'
            : `No hay pieza ni orden ${dice}.`,
      });
  }
}

/** What the phone knows without anybody at the other end. */
async function sinServidor(dice: string, error: unknown): Promise<void> {
  if (error instanceof SinEntrar) return location.assign(`/login?volver=${encodeURIComponent(puesto.base)}`);
  if (!(error instanceof SinSenal || error instanceof ServidorFalla)) throw error;
  connects(falloOf(error));
  const [folio, codigo] = [parseFolio(dice), parseCodigo(dice)];
  const pieza = folio && (await recordada(folio));
  if (pieza) return showPieza(pieza);
  if (folio) return showUnseen(folio);
  if (codigo) return showEtiqueta(codigo, [], (suyo) => void open(suyo));
  const porque = error instanceof SinSenal ? 'Sin señal.' : (error.dice ?? 'El servidor falla.');
  tell({ tono: 'aviso', texto: `${porque} Por ahora solo se puede abrir un folio.` });
}

/** What a shift begins with: what waits to be received. Without an answer there is only what to do first. */
export async function showInicio(): Promise<void> {
  const mia = ++ultima;
  const porRecibir = await fetchPorRecibir(puesto.base).catch(() => undefined);
  if (mia !== ultima || !porRecibir) return;
  const { total, ventas } = porRecibir;
  if (total === 0) return;
  await show({
    pinta: () => [
      h('p', {}, 'Escanea una etiqueta, o escribe su folio o el número de una orden.'),
      h(
        'h2',
        { tabindex: '-1', class: 'lista' },
        total === 1 ? 'Por recibir: 1 devolución' : `Por recibir: ${total} devoluciones`,
      ),
      openEach(
        ventas.map(({ numero, titulo, porque }) => ({ clave: numero, nota: `${porque} · ${titulo}` })),
        (numero) => void open(numero),
      ),
    ],
  });
}
