import { ESTADO_LABEL, type EstadoDeStock, mayPass } from '~/domain/compras/stock/pieza';
import { type Entrada, save, remove, todas } from './almacen';
import { alDia, type Envio, sendQueue, standsInTheWay } from './cola';
import { boton, h, hora, ask } from './hacer';
import { tell, comoEsta, connects, otraVez, uno } from './pantalla';
import { fetchPorRecibir, ServidorFalla, SinEntrar, SinSenal } from './red';
import { puesto } from './puesto';

export type Hace = Pick<Entrada, 'que' | 'campos' | 'sobre' | 'dice'> & Partial<Pick<Entrada, 'foto' | 'visto'>>;

let open: (folio: string) => void = () => undefined;
/** What opens the pieces that were just made. */
export const alAbrir = (hazlo: typeof open) => (open = hazlo);

/**
 * It is on the phone before anything is sent: whatever becomes of the signal, and of this page, it is not lost. True once it is kept, false where it is not; it is
 * sent meanwhile.
 */
export async function perform({ visto = null, ...hace }: Hace): Promise<boolean> {
  const { usuario } = puesto;
  if (!usuario) {
    tell({ tono: 'mal', texto: 'Entra una vez con señal para trabajar sin ella.' });
    return false;
  }
  const { version } = hace.campos;
  const campos = version ? { ...hace.campos, version: alDia(hace.sobre, version) } : hace.campos;
  try {
    await save({
      ...hace,
      campos,
      visto,
      usuario,
      clave: crypto.randomUUID(),
      cuando: Date.now(),
      estado: 'espera',
    });
  } catch {
    tell({ tono: 'mal', texto: 'No se hizo: este teléfono ya no tiene espacio. Libera algo y vuelve a intentarlo.' });
    return false;
  }
  await paintCola();
  void send();
  return true;
}

export async function send(): Promise<Envio> {
  const { base, usuario } = puesto;
  if (!usuario) return 'nada';
  const salio = await sendQueue({
    base,
    usuario,
    avisa: (aviso) => tell(aviso, ...(aviso.folios ? [folios(aviso.folios)] : [])),
  });
  if (salio === 'sinEntrar') sinEntrar();
  else if (salio === 'todo') connects('bien');
  else if (salio !== 'nada') connects(salio);
  await paintCola();
  if (salio === 'todo') await otraVez();
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

export function sinEntrar(): void {
  tell(
    { tono: 'mal', texto: 'Tu sesión terminó. Entra otra vez y se envía lo que espera.' },
    h('a', { class: 'boton principal', href: `/login?volver=${encodeURIComponent(puesto.base)}` }, 'Entrar'),
  );
}

/** Sends what waits; where nothing does, asks whether somebody answers by now. */
export async function attempt(): Promise<void> {
  // What was sent told how it is at the other end.
  if ((await send()) !== 'nada' || comoEsta() === 'bien' || !puesto.usuario) return;
  try {
    await fetchPorRecibir(puesto.base);
    connects('bien');
  } catch (error) {
    if (error instanceof SinEntrar) sinEntrar();
    else if (error instanceof SinSenal || error instanceof ServidorFalla) connects(falloOf(error));
    else throw error;
  }
}

export const falloOf = (error: unknown) => (error instanceof SinSenal ? 'sinSenal' : 'falla');
export const misEntradas = async () => (await todas()).filter(({ usuario }) => usuario === puesto.usuario);

/** What waits, with what stands in its way. Of what somebody else left here only how much it is. */
export async function paintCola(): Promise<void> {
  const cola = await todas();
  const mias = cola.filter((entrada) => entrada.usuario === puesto.usuario);
  const ajenas = cola.length - mias.length;
  const seccion = uno('cola');
  seccion.hidden = cola.length === 0;
  uno('cola-titulo').textContent = `Por enviar (${mias.length})`;
  seccion.querySelector('ul')!.replaceChildren(
    ...mias.map((entrada, at) => {
      const detras = mias.slice(0, at).some((antes) => antes.estado !== 'espera' && standsInTheWay(antes, entrada));
      return h('li', { class: entrada.estado }, ...deEntrada(entrada, detras));
    }),
    ...(ajenas > 0
      ? [h('li', { class: 'nota' }, `${ajenas} de otra persona: se envía cuando vuelva a entrar en este teléfono.`)]
      : []),
  );
}

/** What a person decided about it holds at once. */
const resuelve = (work: () => Promise<unknown>) => () => void work().then(paintCola).then(send);

/** `detras`: of something about the same piece that waits for a person. */
function deEntrada(entrada: Entrada, detras: boolean): HTMLElement[] {
  const { dice, cuando, porque, estado, fallo } = entrada;
  const que = h('p', {}, h('strong', {}, dice), h('span', { class: 'nota' }, ` ${hora(cuando)}`));
  if (estado === 'espera' && detras) return [que, h('p', { class: 'nota' }, 'Espera a que decidas lo de arriba.')];
  if (estado === 'espera' || !porque) return fallo === undefined ? [que] : [que, ...deFallo(entrada, fallo)];
  const { pieza, marcas = {} } = porque;
  if (estado === 'choque' && pieza && entrada.que !== 'deshacer') return [que, ...deChoque(entrada, porque, pieza)];
  // What was refused did nothing. It is sent as it was: somebody may have mended what stood in its way, or has seen by now what came between.
  const intentar = resuelve(() =>
    save({ ...entrada, campos: { ...entrada.campos, ...enTexto(marcas) }, estado: 'espera', porque: undefined }),
  );
  return [
    que,
    h('p', { class: 'mal' }, porque.texto),
    h(
      'div',
      { class: 'botones' },
      boton(
        'Quitar',
        resuelve(() => remove(entrada.n!)),
      ),
      boton(estado === 'choque' ? 'Hacerlo de todos modos' : 'Intentar otra vez', intentar),
    ),
  ];
}

const enTexto = (marcas: Record<string, string | number>) =>
  Object.fromEntries(Object.entries(marcas).map(([name, value]) => [name, String(value)]));

/** It goes on by itself. Who does not want to wait for it any more takes it away, and is asked first: it is done nowhere else. */
function deFallo(entrada: Entrada, fallo: string): HTMLElement[] {
  const olvidarla = async () => {
    const texto = `${entrada.dice}: no se ha hecho, y ya no se hará.`;
    if (await ask({ titulo: 'Quitar lo que espera', texto })) await remove(entrada.n!);
  };
  return [
    h('p', { class: 'mal' }, fallo || 'El servidor falló con esto. Se intenta otra vez solo.'),
    h(
      'div',
      { class: 'botones' },
      boton('Quitar', resuelve(olvidarla)),
      boton('Intentar ahora', () => void send()),
    ),
  ];
}

function deChoque(
  entrada: Entrada,
  { titulo, texto }: NonNullable<Entrada['porque']>,
  pieza: NonNullable<NonNullable<Entrada['porque']>['pieza']>,
): HTMLElement[] {
  const { visto, cuando } = entrada;
  const quiere = entrada.que === 'surtir' ? 'vendido' : (entrada.campos.estado as EstadoDeStock);
  const aplicar = resuelve(() =>
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
      h('dd', {}, `${visto ?? 'Sin ver'} → ${ESTADO_LABEL[quiere]}, ${hora(cuando)}`),
      h('dt', {}, 'Ahora'),
      h('dd', {}, [pieza.estadoLabel, pieza.quien, hora(pieza.cuando)].filter(Boolean).join(', ')),
    ),
    h(
      'div',
      { class: 'botones' },
      boton(
        'Dejarla como está',
        resuelve(() => remove(entrada.n!)),
      ),
      mayPass(pieza.estado, quiere) && boton('Aplicar lo mío', aplicar, 'principal'),
    ),
  ];
}
