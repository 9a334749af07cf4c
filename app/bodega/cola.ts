import { type Entrada, save, type Hecho, remove, recall, remember, listEntradas } from './almacen';
import { readFromServer, requestFromServer, ServidorFalla, SinEntrar, SinSenal, textoOf } from './red';

/** `done` takes the server's answer to a press, by the key of the press. */
type Quien = { base: string; usuario: string; done(clave: string, hecho: Hecho): void };
/** Result of a round of sending. `nada`: no press was waiting, so the state of the signal is unknown. */
export type Envio = 'nada' | 'todo' | 'sinSenal' | 'falla' | 'sinEntrar';

const isAboutSame = (una: Entrada, otra: Entrada) => una.sobre === otra.sobre && una.usuario === otra.usuario;
/**
 * Returns whether the older press has to finish first. Photographs never block: a photograph does not change the piece.
 */
export const standsInTheWay = (antes: Entrada, una: Entrada) => antes.que !== 'foto' && isAboutSame(antes, una);

/**
 * Sends the waiting presses, the oldest first. Presses about a piece wait while an older press about the same piece
 * failed or waits for a person. Only a single page of this phone sends at a time.
 */
export function sendQueue(quien: Quien): Promise<Envio> {
  if (!('locks' in navigator)) return sendAll(quien);
  return navigator.locks.request('bodega', { ifAvailable: true }, (lock) =>
    lock ? sendAll(quien) : ('nada' as const),
  );
}

async function sendAll(quien: Quien): Promise<Envio> {
  let salio: Envio = 'nada';
  /** Presses that failed in this round; presses about other pieces go on. */
  const fallidas = new Set<number>();
  for (;;) {
    const cola = (await listEntradas()).filter(({ usuario }) => usuario === quien.usuario);
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

/**
 * Returns whether the press was made without seeing the piece. An unseen press is asked again once the piece is seen.
 */
const isUnseen = ({ que, campos }: Entrada) => (que === 'estado' || que === 'surtir') && !campos.version;

async function sendOne({ base, usuario, done }: Quien, entrada: Entrada): Promise<void> {
  if ((isUnseen(entrada) || entrada.que === 'foto') && !entrada.campos.id) {
    const found = await readFromServer(base, entrada.sobre);
    if (found.clase !== 'pieza')
      return await holdBack(entrada, 'no', { titulo: 'Error.', texto: 'Ese folio no existe.', pieza: null });
    entrada.campos.id = found.pieza.id;
    if (isUnseen(entrada))
      return await holdBack(entrada, 'choque', {
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
    await moveOn(entrada, hecho);
    await remove(entrada.n!);
    done(entrada.clave, hecho);
  } else {
    const {
      titulo = 'Error.',
      pieza = null,
      marcas = {},
    } = (answer.body ?? {}) as Partial<NonNullable<Entrada['porque']>>;
    await holdBack(entrada, answer.status === 409 ? 'choque' : 'no', { titulo, texto: textoOf(answer), pieza, marcas });
  }
}

const holdBack = async (entrada: Entrada, estado: Entrada['estado'], porque: NonNullable<Entrada['porque']>) => {
  await save({ ...entrada, estado, porque, fallo: undefined });
  if (porque.pieza) await remember(porque.pieza);
};

/** Version after this person's own press, by folio and version before. */
const propias = new Map<string, string>();

/**
 * Returns the version to decide about. A person's own later changes are added to the version they saw, so they never
 * collide with themselves.
 */
export function versionOf(folio: string, version: string): string {
  const luego = propias.get(`${folio} ${version}`);
  return luego === undefined ? version : versionOf(folio, luego);
}

/**
 * Gives the later presses about the same piece the new version: these presses decided about the piece as this press
 * leaves it.
 */
async function moveOn(hecha: Entrada, { version, estado }: Hecho): Promise<void> {
  if (version === undefined) return;
  if (hecha.campos.version && String(version) !== hecha.campos.version)
    propias.set(`${hecha.sobre} ${hecha.campos.version}`, String(version));
  for (const otra of await listEntradas())
    if (otra.n !== hecha.n && isAboutSame(otra, hecha) && otra.campos.version)
      await save({ ...otra, campos: { ...otra.campos, version: String(version) } });
  const pieza = await recall(hecha.sobre);
  if (pieza && estado) await remember({ ...pieza.value, version });
}
