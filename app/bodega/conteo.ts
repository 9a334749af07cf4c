import { type Lectura, nombreOfParte, type PorLeer, readHere } from '~/domain/compras/stock/conteo';
import { keepNote } from './almacen';
import { boton, h } from './hacer';
import { readOrRecall } from './leido';
import { conexionNow, openFromAddress, repaint, show, showConexion, tell, titulo } from './pantalla';
import { askSignIn, falloOf, listMine, onCounted, perform, sendsSoFar } from './porEnviar';
import { puesto } from './puesto';
import {
  beginConteo,
  type Conteo,
  fetchConteo,
  fetchPartes,
  type Partes,
  ServidorFalla,
  SinEntrar,
  SinSenal,
} from './red';
import { soundOf } from './sonido';

/** Text of the address of what can be counted; an open count adds its id. */
const CONTAR = 'contar';
const PARTES = 'conteos';
const noteOf = (id: string) => `conteo:${id}`;
/** Pieces to be found that the page names. */
const MAX_POR_LEER = 100;
/** Time between two readings of a count, in ms: the list of a whole shelf is long, and each scan shows at once what this phone knows. */
const ENTRE_LECTURAS_MS = 10_000;

/** Opens what an address of counting names. Returns whether the text was such an address. */
export function openContar(ver: string): boolean {
  if (ver === CONTAR) void showContar(true);
  else if (ver.startsWith(`${CONTAR} `)) void openConteo(ver.slice(CONTAR.length + 1), true);
  else return false;
  return true;
}

/** Shows what can be counted: the whole shelf, or one of its parts. */
export async function showContar(byAddress = false): Promise<void> {
  const mia = ++puesto.opening;
  openFromAddress(byAddress);
  const lista = await readOrRecall<Partes>(() => fetchPartes(puesto.base), PARTES);
  if (mia !== puesto.opening) return;
  const partes = (lista?.partes ?? []).filter(({ piezas, conteo }) => piezas > 0 || conteo !== null);
  await show({
    ver: CONTAR,
    paint: () => [
      titulo('Contar'),
      h(
        'p',
        {},
        lista === undefined
          ? 'Sin señal no se sabe qué hay por contar.'
          : partes.length > 0
            ? 'Elige qué se cuenta. Si alguien ya lo cuenta, sigues en su conteo.'
            : 'No hay piezas en el estante.',
      ),
      h(
        'ul',
        { class: 'piezas' },
        ...partes.map(({ parte, piezas, conteo, leidas, quien }) =>
          h(
            'li',
            {},
            h(
              'button',
              { type: 'button', click: () => void (conteo === null ? begin(parte) : openConteo(conteo)) },
              h('span', {}, nombreOfParte(parte)),
              h(
                'span',
                { class: 'nota' },
                conteo === null
                  ? piezasDe(piezas)
                  : `${piezasDe(piezas)} · ${quien ?? 'Alguien'} ya cuenta: ${leidas === 1 ? '1 leída' : `${leidas} leídas`}`,
              ),
            ),
          ),
        ),
      ),
      h('a', { class: 'boton ancho', href: conteosOf() }, 'Ver los conteos'),
      h('a', { class: 'boton ancho', href: puesto.base }, 'Dejar de contar'),
    ],
  });
}

const piezasDe = (cuantas: number) => (cuantas === 1 ? '1 pieza' : `${cuantas} piezas`);
/** The screen where a count ends and its differences are settled. */
const conteosOf = (id?: string) =>
  `${puesto.base.replace(/bodega$/, 'conteos')}${id === undefined ? '' : `?${String(new URLSearchParams({ ver: id }))}`}`;

async function begin(parte: string | null): Promise<void> {
  const { base, usuario } = puesto;
  if (!usuario) return tell({ tono: 'mal', texto: 'Entra una vez con señal para trabajar sin ella.' });
  try {
    await openConteo(await beginConteo(base, usuario, parte));
  } catch (error) {
    if (error instanceof SinEntrar) return askSignIn();
    if (!(error instanceof SinSenal || error instanceof ServidorFalla)) throw error;
    if (error instanceof SinSenal || error.dice === null) showConexion(falloOf(error));
    const porque = error instanceof ServidorFalla ? error.dice : null;
    tell({ tono: 'mal', texto: porque ?? 'No se empezó: para empezar un conteo hace falta señal.' });
  }
}

/** Takes a piece as found. */
function mark(conteo: Conteo, { folio, etiquetas }: PorLeer): void {
  conteo.faltan = conteo.faltan.filter((una) => una.folio !== folio);
  conteo.vistas.push(folio, ...etiquetas);
  conteo.encontradas++;
}

/** Adds the scans that wait on this phone to a count as the server has it. */
async function withWaiting(conteo: Conteo): Promise<Conteo> {
  for (const { que, campos, estado } of await listMine()) {
    if (que !== 'contar' || campos.conteo !== conteo.id || estado !== 'espera') continue;
    const lectura = readHere(conteo, campos.codigo!);
    if (lectura.clase === 'encontrada') mark(conteo, lectura.pieza);
    else if (lectura.clase === 'pregunta') conteo.vistas.push(lectura.codigo);
  }
  return conteo;
}

/** Opens a count, with what this phone has still to send. */
async function openConteo(id: string, byAddress = false): Promise<void> {
  const mia = ++puesto.opening;
  openFromAddress(byAddress);
  const found = await readOrRecall<Conteo>(() => fetchConteo(puesto.base, id), noteOf(id));
  if (mia !== puesto.opening) return;
  if (!found) return tell({ tono: 'mal', texto: 'No se puede abrir el conteo.' });
  await (found.terminado ? showTerminado(found) : showConteo(await withWaiting(found)));
}

const showTerminado = ({ id, titulo: que, encontradas, esperadas }: Conteo) =>
  show({
    ver: `${CONTAR} ${id}`,
    paint: () => [
      titulo(`Contar: ${que}`),
      h('p', { class: 'panel aviso' }, 'Este conteo ya se terminó.'),
      h('p', {}, `Se encontraron ${encontradas} de ${esperadas}.`),
      h('a', { class: 'boton principal', href: conteosOf(id) }, 'Ver las diferencias'),
      boton('Contar otra vez', () => void showContar(), 'ancho'),
    ],
  });

/** Takes the server's answer to a scan of the count on the screen. */
let answered: (lectura: Lectura) => void = () => undefined;

async function showConteo(conteo: Conteo): Promise<void> {
  const { id } = conteo;
  let ahora = conteo;
  let acts = 0;
  let leido = Date.now();
  /** Codes of which only the server knows what they are. */
  const preguntadas = new Set<string>();

  async function send(codigo: string): Promise<boolean> {
    acts++;
    // The scan is about the count, so it stands in no press's way that is about the piece.
    return (
      (await perform({
        que: 'contar',
        campos: { conteo: id, codigo },
        sobre: `${CONTAR} ${codigo}`,
        dice: `${codigo} en el conteo de ${conteo.titulo}`,
      })) !== undefined
    );
  }
  async function take(dice: string): Promise<void> {
    const lectura = readHere(ahora, dice);
    switch (lectura.clase) {
      case 'encontrada': {
        const { pieza } = lectura;
        if (!(await send(pieza.folio))) return soundOf('mal');
        mark(ahora, pieza);
        soundOf('ok');
        tell({ tono: 'ok', texto: `${pieza.folio} · ${pieza.nombre}` });
        return repaint();
      }
      case 'ya':
        soundOf('mal');
        return tell({ tono: 'aviso', texto: lectura.dice });
      case 'desconocida':
        soundOf('mal');
        return tell({ tono: 'mal', texto: lectura.dice });
      case 'pregunta': {
        const { codigo } = lectura;
        const luego =
          conexionNow() === 'bien' ? 'Se pregunta qué es…' : 'Se guardó: al volver la señal se sabrá qué es.';
        tell({ tono: 'aviso', texto: `${codigo} no se espera aquí. ${luego}` });
        soundOf('mal');
        preguntadas.add(codigo);
        if (await send(codigo)) ahora.vistas.push(codigo);
      }
    }
  }
  answered = ({ clase, codigo, dice }) => {
    if (clase === 'encontrada' && preguntadas.delete(codigo)) {
      // It came to the shelf after this phone had read what is expected.
      [ahora.encontradas, ahora.esperadas] = [ahora.encontradas + 1, ahora.esperadas + 1];
      tell({ tono: 'ok', texto: dice });
      void repaint();
    } else if ((clase === 'fuera' || clase === 'fueraDeLugar' || clase === 'etiqueta') && !ahora.deMas.includes(dice)) {
      ahora.deMas = [dice, ...ahora.deMas];
      void repaint();
    }
  };
  await show({
    ver: `${CONTAR} ${id}`,
    take,
    paint: () => contentOfConteo(ahora, () => void leaveToFinish(id)),
    async reread() {
      if (Date.now() - leido < ENTRE_LECTURAS_MS) return false;
      const [before, sends] = [acts, sendsSoFar()];
      const found = await fetchConteo(puesto.base, id).catch(() => undefined);
      if (!found) return false;
      await keepNote(noteOf(id), found);
      const suyo = await withWaiting(found);
      // A piece that was read meanwhile is missing from what the server told.
      if (before !== acts || sends !== sendsSoFar()) return false;
      [ahora, leido] = [suyo, Date.now()];
      return true;
    },
  });
}

function contentOfConteo({ titulo: que, encontradas, esperadas, faltan, deMas }: Conteo, onFinish: () => void) {
  return [
    titulo(`Contar: ${que}`),
    h('p', { class: 'cuenta' }, h('strong', {}, String(encontradas)), ` de ${Math.max(esperadas, encontradas)}`),
    h('p', { class: 'nota' }, 'Escanea cada pieza del estante. Lo que nadie lea quedará como faltante.'),
    ...(deMas.length > 0
      ? [
          h('h3', {}, `No deberían estar aquí (${deMas.length})`),
          h('ul', {}, ...deMas.map((dice) => h('li', { class: 'panel mal' }, dice))),
        ]
      : []),
    ...(faltan.length === 0
      ? []
      : [
          h(
            'details',
            { 'data-parte': 'porEncontrar' },
            h('summary', {}, `Por encontrar (${faltan.length})`),
            h(
              'ul',
              { class: 'por-encontrar' },
              ...faltan
                .slice(0, MAX_POR_LEER)
                .map(({ folio, nombre }) => h('li', {}, folio, ' ', h('span', { class: 'nota' }, nombre))),
              faltan.length > MAX_POR_LEER && h('li', { class: 'nota' }, `Y ${faltan.length - MAX_POR_LEER} más.`),
            ),
          ),
        ]),
    h(
      'div',
      { class: 'botones enteros' },
      boton('Terminar y ver diferencias', onFinish, 'principal'),
      boton('Dejarlo para después', () => void showContar()),
    ),
  ];
}

/** Goes to where the count ends, once nothing of this phone is missing there. */
async function leaveToFinish(id: string): Promise<void> {
  const esperan = (await listMine()).filter(({ que, campos }) => que === 'contar' && campos.conteo === id).length;
  if (esperan === 0) return location.assign(conteosOf(id));
  const cuantas = esperan === 1 ? 'Falta 1 lectura' : `Faltan ${esperan} lecturas`;
  tell({ tono: 'mal', texto: `${cuantas} por enviar. El conteo se termina con todas.` });
}

const TONO = {
  encontrada: 'ok',
  aparecio: 'ok',
  ya: 'aviso',
  fueraDeLugar: 'mal',
  fuera: 'mal',
  etiqueta: 'mal',
  desconocida: 'mal',
} as const;

onCounted((lectura) => {
  answered(lectura);
  if (lectura.clase === 'encontrada') return;
  tell({ tono: TONO[lectura.clase], texto: lectura.dice });
  if (TONO[lectura.clase] === 'mal') soundOf('mal');
});
