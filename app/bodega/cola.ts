import { type Entrada, guardar, type Hecho, quitar, recordada, recordar, todas } from './almacen';
import { leerDelServidor, pedir, SinEntrar, SinSenal } from './red';

/** `folios`: of what was made, to be opened. */
export type Aviso = { tono: 'ok' | 'mal' | 'aviso'; texto: string; folios?: readonly string[] | undefined };
type Quien = { base: string; usuario: string; avisa(aviso: Aviso): void };

const sobreLaMisma = (una: Entrada, otra: Entrada) => una.sobre === otra.sobre && una.usuario === otra.usuario;

/**
 * Sends what waits, the oldest first, and nothing about a piece while something older about it waits for a person. Only one page of this phone sends at a time.
 * True when everything that could be sent was.
 */
export function enviar(quien: Quien): Promise<boolean> {
  if (!('locks' in navigator)) return enviarTodo(quien);
  return navigator.locks.request('bodega', { ifAvailable: true }, (lock) => (lock ? enviarTodo(quien) : true));
}

async function enviarTodo(quien: Quien): Promise<boolean> {
  for (;;) {
    const cola = (await todas()).filter(({ usuario }) => usuario === quien.usuario);
    const next = cola.find(
      (una, at) => una.estado === 'espera' && !cola.slice(0, at).some((antes) => sobreLaMisma(antes, una)),
    );
    if (!next) return true;
    try {
      await enviarUna(quien, next);
    } catch (error) {
      if (error instanceof SinSenal) return false;
      if (!(error instanceof SinEntrar)) throw error;
      quien.avisa({ tono: 'mal', texto: 'Tu sesión terminó. Entra otra vez y se envía lo que espera.' });
      return false;
    }
  }
}

/** What was pressed about a piece that nobody had seen is asked again once it is seen. */
const isACiegas = ({ que, campos }: Entrada) => (que === 'estado' || que === 'surtir') && !campos.version;

async function enviarUna({ base, usuario, avisa }: Quien, entrada: Entrada): Promise<void> {
  if ((isACiegas(entrada) || entrada.que === 'foto') && !entrada.campos.id) {
    const found = await leerDelServidor(base, entrada.sobre);
    if (found.clase !== 'pieza')
      return await deja(entrada, 'no', { titulo: 'Error.', texto: 'Ese folio no existe.', pieza: null });
    entrada.campos.id = found.pieza.id;
    if (isACiegas(entrada))
      return await deja(entrada, 'choque', {
        titulo: 'Esta pieza no se había visto.',
        texto: 'Lo pediste sin señal y sin ver cómo estaba.',
        pieza: found.pieza,
      });
  }
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...entrada.campos, que: entrada.que, clave: entrada.clave, usuario }))
    form.append(name, value);
  if (entrada.foto) form.append('foto', entrada.foto, 'foto.jpg');
  const { status, body } = await pedir(`${base}/enviar`, { method: 'POST', body: form });
  if (status === 200) {
    const hecho = body as Hecho;
    await sigue(entrada, hecho);
    await quitar(entrada.n!);
    avisa({ tono: 'ok', texto: hecho.aviso, folios: hecho.folios });
  } else {
    await deja(entrada, status === 409 ? 'choque' : 'no', body as Entrada['porque'] & object);
  }
}

const deja = async (entrada: Entrada, estado: Entrada['estado'], porque: NonNullable<Entrada['porque']>) => {
  await guardar({ ...entrada, estado, porque });
  if (porque.pieza) await recordar(porque.pieza);
};

/** What came after it was pressed about the piece as this one left it. */
async function sigue(hecha: Entrada, { version, estado }: Hecho): Promise<void> {
  if (version === undefined) return;
  for (const otra of await todas())
    if (otra.n !== hecha.n && sobreLaMisma(otra, hecha) && otra.campos.version)
      await guardar({ ...otra, campos: { ...otra.campos, version: String(version) } });
  const pieza = await recordada(hecha.sobre);
  if (pieza && estado) await recordar({ ...pieza, version });
}
