import { ESTADO_LABEL, type EstadoDeStock, mayPass } from '~/domain/compras/stock/pieza';
import { type Entrada, type Hecho, save, remove, listEntradas } from './almacen';
import { versionOf, type Envio, sendQueue, standsInTheWay } from './cola';
import { boton, h, hora, ask } from './hacer';
import { tell, conexionNow, place, showConexion, rereadView, uno, wasSeen } from './pantalla';
import { fetchPorRecibir, ServidorFalla, SinEntrar, SinSenal } from './red';
import { puesto } from './puesto';

export type Hace = Pick<Entrada, 'que' | 'campos' | 'sobre' | 'dice'> & Partial<Pick<Entrada, 'foto' | 'visto'>>;

let open: (folio: string) => void = () => undefined;
/**
 * Sets the function that opens a new piece: the search depends on this module, so this module cannot import the search.
 */
export const onOpenNew = (handler: typeof open) => (open = handler);

let packed: (paquete: NonNullable<Hecho['paquete']>) => void = () => undefined;
/** Sets what follows the last piece of a parcel, once the server has it. */
export const onPacked = (handler: typeof packed) => (packed = handler);

let counted: (lectura: NonNullable<Hecho['lectura']>) => void = () => undefined;
/** Sets what follows a scan of a count, once the server has it. */
export const onCounted = (handler: typeof counted) => (counted = handler);

/**
 * Stores a press on the phone, then sends in the background: the press survives a lost signal and a closed page.
 * Returns the key of the press; undefined when the phone did not store the press.
 */
export async function perform({ visto = null, ...hace }: Hace): Promise<string | undefined> {
  const { usuario } = puesto;
  if (!usuario) {
    tell({ tono: 'mal', texto: 'Entra una vez con señal para trabajar sin ella.' });
    return undefined;
  }
  const { version } = hace.campos;
  const clave = crypto.randomUUID();
  const campos = version ? { ...hace.campos, version: versionOf(hace.sobre, version) } : hace.campos;
  try {
    await save({
      ...hace,
      campos,
      visto,
      usuario,
      clave,
      cuando: Date.now(),
      estado: 'espera',
    });
  } catch {
    tell({ tono: 'mal', texto: 'No se hizo: este teléfono ya no tiene espacio. Libera algo y vuelve a intentarlo.' });
    return undefined;
  }
  await paintCola();
  void send();
  return clave;
}

const hechas = new Map<string, Hecho>();
/** Returns the server's answer to a press of this page, by the key of the press; undefined while there is none. */
export const hechoOf = (clave: string) => hechas.get(clave);

let sent = 0;
/**
 * Returns the number of times that presses reached the server. What was read under another number may be older than the
 * presses of this phone.
 */
export const sendsSoFar = () => sent;

/** Sends the waiting presses and shows the result. */
export async function send(): Promise<Envio> {
  const { base, usuario } = puesto;
  if (!usuario) return 'nada';
  const salio = await sendQueue({
    base,
    usuario,
    done(clave, hecho) {
      hechas.set(clave, hecho);
      if (hecho.paquete) packed(hecho.paquete);
      else if (hecho.lectura) counted(hecho.lectura);
      else if (hecho.aviso) tell({ tono: 'ok', texto: hecho.aviso }, ...(hecho.folios ? [folios(hecho.folios)] : []));
    },
  });
  if (salio !== 'nada') sent++;
  if (salio === 'sinEntrar') askSignIn();
  else if (salio === 'todo') showConexion('bien');
  else if (salio !== 'nada') showConexion(salio);
  await paintCola();
  if (salio === 'todo') await rereadView();
  return salio;
}

const folios = (cuales: readonly string[]) =>
  h(
    'ul',
    { class: 'piezas' },
    ...cuales.map((folio) =>
      h(
        'li',
        {},
        boton(folio, () => open(folio)),
      ),
    ),
  );

/** Returns the address of the login that comes back to what is open here. */
export const addressToSignIn = () => `/login?volver=${encodeURIComponent(location.pathname + location.search)}`;

/** Tells the person that the session ended, with a link to sign in. */
export function askSignIn(): void {
  tell(
    { tono: 'mal', texto: 'Tu sesión terminó. Entra otra vez y se envía lo que espera.' },
    h('a', { class: 'boton principal', href: addressToSignIn() }, 'Entrar'),
  );
}

/** Sends the waiting presses. Without waiting presses, asks the server whether the connection works again. */
export async function attempt(): Promise<void> {
  // A press that was sent has already shown the state of the connection.
  if ((await send()) !== 'nada' || conexionNow() === 'bien' || !puesto.usuario) return;
  try {
    await fetchPorRecibir(puesto.base);
    showConexion('bien');
    if (wasSeen()) await rereadView();
  } catch (error) {
    if (error instanceof SinEntrar) askSignIn();
    else if (error instanceof SinSenal || error instanceof ServidorFalla) showConexion(falloOf(error));
    else throw error;
  }
}

/** Returns the state of the connection after a failure of `requestFromServer`. */
export const falloOf = (error: unknown) => (error instanceof SinSenal ? 'sinSenal' : 'falla');
/** Returns the waiting presses of the person who works here. */
export const listMine = async () => (await listEntradas()).filter(({ usuario }) => usuario === puesto.usuario);

/** Draws the list of waiting presses, with the reasons to wait. Presses of other people appear only as a count. */
export async function paintCola(): Promise<void> {
  const cola = await listEntradas();
  const mias = cola.filter((entrada) => entrada.usuario === puesto.usuario);
  const ajenas = cola.length - mias.length;
  const lines = mias.map((entrada, at) => {
    const detras = mias.slice(0, at).some((antes) => antes.estado !== 'espera' && standsInTheWay(antes, entrada));
    return h('li', { class: entrada.estado }, ...contentOf(entrada, detras));
  });
  if (ajenas > 0)
    lines.push(
      h('li', { class: 'nota' }, `${ajenas} de otra persona: se envía cuando vuelva a entrar en este teléfono.`),
    );
  place(() => {
    const seccion = uno('cola');
    seccion.hidden = cola.length === 0;
    uno('cola-titulo').textContent = `Por enviar (${mias.length})`;
    seccion.querySelector('ul')!.replaceChildren(...lines);
  });
}

/** Returns a listener that applies a person's decision, draws the list and sends. */
const deciding = (work: () => Promise<unknown>) => () => void work().then(paintCola).then(send);

/** Returns the content of a waiting press. `detras`: an older press about the same piece waits for a person. */
function contentOf(entrada: Entrada, detras: boolean): HTMLElement[] {
  const { dice, cuando, porque, estado, fallo } = entrada;
  const que = h('p', {}, h('strong', {}, dice), h('span', { class: 'nota' }, ` ${hora(cuando)}`));
  if (estado === 'espera' && detras) return [que, h('p', { class: 'nota' }, 'Espera a que decidas lo de arriba.')];
  if (estado === 'espera' || !porque) return fallo === undefined ? [que] : [que, ...contentOfFallo(entrada, fallo)];
  const { pieza, marcas = {} } = porque;
  if (estado === 'choque' && pieza && entrada.que !== 'deshacer')
    return [que, ...contentOfChoque(entrada, porque, pieza)];
  // A refused press changed nothing, so the press is sent again unchanged. The obstacle may be gone, or the person has
  // now seen the change in between.
  const retry = deciding(() =>
    save({ ...entrada, campos: { ...entrada.campos, ...asText(marcas) }, estado: 'espera', porque: undefined }),
  );
  return [
    que,
    h('p', { class: 'mal' }, porque.texto),
    h(
      'div',
      { class: 'botones' },
      boton(
        'Quitar',
        deciding(() => remove(entrada.n!)),
      ),
      boton(estado === 'choque' ? 'Hacerlo de todos modos' : 'Intentar otra vez', retry),
    ),
  ];
}

const asText = (marcas: Record<string, string | number>) =>
  Object.fromEntries(Object.entries(marcas).map(([name, value]) => [name, String(value)]));

/**
 * Returns the content of a press that the server failed at. The press is tried again without a person. 'Quitar' asks
 * first, because the press exists nowhere else.
 */
function contentOfFallo(entrada: Entrada, fallo: string): HTMLElement[] {
  const discard = async () => {
    const texto = `${entrada.dice}: no se ha hecho, y ya no se hará.`;
    if (await ask({ titulo: 'Quitar lo que espera', texto })) await remove(entrada.n!);
  };
  return [
    h('p', { class: 'mal' }, fallo || 'El servidor falló con esto. Se intenta otra vez solo.'),
    h(
      'div',
      { class: 'botones' },
      boton('Quitar', deciding(discard)),
      boton('Intentar ahora', () => void send()),
    ),
  ];
}

function contentOfChoque(
  entrada: Entrada,
  { titulo, texto }: NonNullable<Entrada['porque']>,
  pieza: NonNullable<NonNullable<Entrada['porque']>['pieza']>,
): HTMLElement[] {
  const { visto, cuando } = entrada;
  const wanted = entrada.que === 'surtir' ? 'vendido' : (entrada.campos.estado as EstadoDeStock);
  const apply = deciding(() =>
    save({
      ...entrada,
      estado: 'espera',
      porque: undefined,
      visto: pieza.estadoLabel,
      campos: { ...entrada.campos, id: pieza.id, version: String(pieza.version) },
    }),
  );
  return [
    h('p', { class: 'mal' }, h('strong', {}, titulo), ' ', visto === null ? texto : 'Otra persona la movió.'),
    h(
      'dl',
      { class: 'versiones' },
      h('dt', {}, 'Lo tuyo'),
      h('dd', {}, `${visto ?? 'Sin ver'} → ${ESTADO_LABEL[wanted]}, ${hora(cuando)}`),
      h('dt', {}, 'Ahora'),
      h('dd', {}, [pieza.estadoLabel, pieza.quien, hora(pieza.cuando)].filter(Boolean).join(', ')),
    ),
    h(
      'div',
      { class: 'botones' },
      boton(
        'Dejarla como está',
        deciding(() => remove(entrada.n!)),
      ),
      mayPass(pieza.estado, wanted) && boton('Aplicar lo mío', apply, 'principal'),
    ),
  ];
}
