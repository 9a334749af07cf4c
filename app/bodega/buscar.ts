import { leerCodigo, leerFolio } from '~/domain/compras/stock/folio';
import { recordada, recordar } from './almacen';
import { ligar, loQueDice, muestraEtiqueta } from './etiqueta';
import { h } from './hacer';
import { abrirCada, avisa, conecta, muestra, sinAviso } from './pantalla';
import { muestraPieza, muestraSinVer } from './pieza';
import { falloDe } from './porEnviar';
import { type Leido, leerDelServidor, leerPorRecibir, ServidorFalla, SinEntrar, SinSenal } from './red';
import { turno } from './turno';
import { muestraVenta } from './venta';

/** A folio whose letter does not fit its number was mistyped. */
const PARECE_FOLIO = /^dv[\s-]?\d/i;

/** Whoever scans faster than the signal is shown what they scanned last. */
let ultima = 0;

export async function buscar(leido: string): Promise<void> {
  const dice = loQueDice(leido).slice(0, 200);
  if (!dice) return;
  sinAviso();
  const [codigo, suya] = [leerCodigo(dice), turno.ligando];
  turno.ligando = undefined;
  if (suya && codigo) {
    if (await ligar(codigo, suya)) await abrir(suya);
    return;
  }
  await abrir(dice);
}

/** What a text names: a piece, a label that hangs on none, or a sale. */
export async function abrir(dice: string): Promise<void> {
  const mia = ++ultima;
  let found: Leido;
  try {
    found = await leerDelServidor(turno.base, dice);
  } catch (error) {
    if (mia === ultima) await sinServidor(dice, error);
    return;
  }
  if (mia !== ultima) return;
  conecta('bien');
  const abre = (folio: string) => void abrir(folio);
  switch (found.clase) {
    case 'pieza':
      await recordar(found.pieza);
      return muestraPieza(found.pieza);
    case 'etiqueta':
      return muestraEtiqueta(found.codigo, found.recientes, abre);
    case 'venta':
      return muestraVenta(found.venta, abre);
    case 'nada':
      return avisa({
        tono: 'mal',
        texto:
          leerFolio(dice) || PARECE_FOLIO.test(dice)
            ? 'Ese folio no existe. Léelo otra vez en la etiqueta.'
            : `No hay pieza ni orden ${dice}.`,
      });
  }
}

/** What the phone knows without anybody at the other end. */
async function sinServidor(dice: string, error: unknown): Promise<void> {
  if (error instanceof SinEntrar) return location.assign(`/login?volver=${encodeURIComponent(turno.base)}`);
  if (!(error instanceof SinSenal || error instanceof ServidorFalla)) throw error;
  conecta(falloDe(error));
  const [folio, codigo] = [leerFolio(dice), leerCodigo(dice)];
  const pieza = folio && (await recordada(folio));
  if (pieza) return muestraPieza(pieza);
  if (folio) return muestraSinVer(folio);
  if (codigo) return muestraEtiqueta(codigo, [], (suyo) => void abrir(suyo));
  const porque = error instanceof SinSenal ? 'Sin señal.' : (error.dice ?? 'El servidor falla.');
  avisa({ tono: 'aviso', texto: `${porque} Por ahora solo se puede abrir un folio.` });
}

/** What a shift begins with: what waits to be received. Without an answer there is only what to do first. */
export async function muestraInicio(): Promise<void> {
  const mia = ++ultima;
  const porRecibir = await leerPorRecibir(turno.base).catch(() => undefined);
  if (mia !== ultima || !porRecibir) return;
  const { total, ventas } = porRecibir;
  if (total === 0) return;
  await muestra({
    pinta: () => [
      h('p', {}, 'Escanea una etiqueta, o escribe su folio o el número de una orden.'),
      h(
        'h2',
        { tabindex: '-1', class: 'lista' },
        total === 1 ? 'Por recibir: 1 devolución' : `Por recibir: ${total} devoluciones`,
      ),
      abrirCada(
        ventas.map(({ numero, titulo, porque }) => ({ clave: numero, nota: `${porque} · ${titulo}` })),
        (numero) => void abrir(numero),
      ),
    ],
  });
}
