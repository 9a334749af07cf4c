import { type Entrada, save, type Hecho, remove, recordada, remember, todas } from './almacen';
import type { Aviso } from './pantalla';
import { readFromServer, requestFromServer, ServidorFalla, SinEntrar, SinSenal, textoOf } from './red';

type Quien = { base: string; usuario: string; avisa(aviso: Aviso): void };
/** `nada`: there was nothing to send, so nobody knows whether there is a signal. */
export type Envio = 'nada' | 'todo' | 'sinSenal' | 'falla' | 'sinEntrar';

const sobreLaMisma = (una: Entrada, otra: Entrada) => una.sobre === otra.sobre && una.usuario === otra.usuario;
/** Nothing waits for a photograph: its piece is the same with it and without. */
export const standsInTheWay = (antes: Entrada, una: Entrada) => antes.que !== 'foto' && sobreLaMisma(antes, una);

/**
 * Sends what waits, the oldest first, and nothing about a piece while something older about it waits for a person, or could not be done. Only one page of this
 * phone sends at a time.
 */
export function sendQueue(quien: Quien): Promise<Envio> {
  if (!('locks' in navigator)) return sendAll(quien);
  return navigator.locks.request('bodega', { ifAvailable: true }, (lock) =>
    lock ? sendAll(quien) : ('nada' as const),
  );
}

async function sendAll(quien: Quien): Promise<Envio> {
  let salio: Envio = 'nada';
  /** What the server failed at this time: what waits about other pieces does not wait for it. */
  const fallidas = new Set<number>();
  for (;;) {
    const cola = (await todas()).filter(({ usuario }) => usuario === quien.usuario);
    const next = cola.find(
      (una, at) =>
        una.estado === 'espera' &&
        !fallidas.has(una.n!) &&
        !cola.slice(0, at).some((antes) => standsInTheWay(antes, una)),
    );
    if (!next) return fallidas.size > 0 ? 'falla' : salio;
    try {
      await sendOne(quien, next);
      salio = 'todo';
    } catch (error) {
      if (error instanceof SinSenal) return 'sinSenal';
      if (error instanceof SinEntrar) return 'sinEntrar';
      if (!(error instanceof ServidorFalla)) throw error;
      await save({ ...next, fallo: error.dice ?? '' });
      if (!error.suya) return 'falla';
      fallidas.add(next.n!);
    }
  }
}

/** What was pressed about a piece that nobody had seen is asked again once it is seen. */
const isACiegas = ({ que, campos }: Entrada) => (que === 'estado' || que === 'surtir') && !campos.version;

async function sendOne({ base, usuario, avisa }: Quien, entrada: Entrada): Promise<void> {
  if ((isACiegas(entrada) || entrada.que === 'foto') && !entrada.campos.id) {
    const found = await readFromServer(base, entrada.sobre);
    if (found.clase !== 'pieza')
      return await lets(entrada, 'no', { titulo: 'Error.', texto: 'Ese folio no existe.', pieza: null });
    entrada.campos.id = found.pieza.id;
    if (isACiegas(entrada))
      return await lets(entrada, 'choque', {
        titulo: 'Esta pieza no se había visto.',
        texto: 'Lo pediste sin señal y sin ver cómo estaba.',
        pieza: found.pieza,
      });
  }
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...entrada.campos, que: entrada.que, clave: entrada.clave, usuario }))
    form.append(name, value);
  if (entrada.foto) form.append('foto', entrada.foto, 'foto.jpg');
  const answer = await requestFromServer(`${base}/enviar`, { method: 'POST', body: form });
  if (answer.status === 200) {
    const hecho = answer.body as Hecho;
    await sigue(entrada, hecho);
    await remove(entrada.n!);
    avisa({ tono: 'ok', texto: hecho.aviso, folios: hecho.folios });
  } else {
    const {
      titulo = 'Error.',
      pieza = null,
      marcas = {},
    } = (answer.body ?? {}) as Partial<NonNullable<Entrada['porque']>>;
    await lets(entrada, answer.status === 409 ? 'choque' : 'no', { titulo, texto: textoOf(answer), pieza, marcas });
  }
}

const lets = async (entrada: Entrada, estado: Entrada['estado'], porque: NonNullable<Entrada['porque']>) => {
  await save({ ...entrada, estado, porque, fallo: undefined });
  if (porque.pieza) await remember(porque.pieza);
};

/** What this page's own presses made of a version of a piece. */
const propias = new Map<string, string>();

/** The version that somebody decides about who saw `version`, with what they did to it since: nobody is told that they moved it themselves. */
export function alDia(folio: string, version: string): string {
  const luego = propias.get(`${folio} ${version}`);
  return luego === undefined ? version : alDia(folio, luego);
}

/** What came after it was pressed about the piece as this one left it. */
async function sigue(hecha: Entrada, { version, estado }: Hecho): Promise<void> {
  if (version === undefined) return;
  if (hecha.campos.version && String(version) !== hecha.campos.version)
    propias.set(`${hecha.sobre} ${hecha.campos.version}`, String(version));
  for (const otra of await todas())
    if (otra.n !== hecha.n && sobreLaMisma(otra, hecha) && otra.campos.version)
      await save({ ...otra, campos: { ...otra.campos, version: String(version) } });
  const pieza = await recordada(hecha.sobre);
  if (pieza && estado) await remember({ ...pieza, version });
}
