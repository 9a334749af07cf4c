import {
  DE_AHI_NO_SALE,
  ESTADO_LABEL,
  ESTADO_TONO,
  type EstadoDeStock,
  isFinal,
  puedePasar,
} from '~/domain/stock/estado';
import { leerCodigo, leerFolio } from '~/domain/stock/folio';
import { MAX_FOTOS } from '~/domain/stock/limites';
import type { VentaVista } from '~/domain/stock/bodega.server';
import { focusOn } from '~/ui/foco';
import {
  entra,
  type Entrada,
  guardar,
  olvidar,
  type Pieza,
  quien,
  quitar,
  recordada,
  recordar,
  todas,
} from './almacen';
import { escanear, hayCamara } from './camara';
import { type Aviso, enviar } from './cola';
import { encoger } from './foto';
import { boton, h, hora, preguntar } from './hacer';
import { type Leido, leerDelServidor, type Reciente, SinEntrar, SinSenal } from './red';

const { base = '', lector = '', obrero } = document.body.dataset;
const uno = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const [vista, lugarDeAviso, texto] = [uno('vista'), uno('aviso'), uno<HTMLInputElement>('texto')];

/** How often what waits is tried again. */
const OTRA_VEZ_MS = 15_000;
/** What the server says of what it cannot know yet. */
const SIN_SENAL = 'Sin señal.';

let usuario: string | undefined;
/** The sale that somebody picks pieces for. */
let surtiendo: string | undefined;
/** The piece that the next label is for. */
let ligando: string | undefined;
let aLaVista: Pieza | undefined;

function avisa({ tono, texto, folios = [] }: Aviso): void {
  lugarDeAviso.replaceChildren(
    h('p', { class: `panel ${tono}` }, texto),
    ...(folios.length > 0 ? [abrirFolios(folios.map((folio) => ({ folio })))] : []),
  );
}

const abrirFolios = (
  piezas: readonly { folio: string; nombre?: string }[],
  abre = (folio: string) => void buscar(folio),
) =>
  h(
    'ul',
    { class: 'piezas' },
    ...piezas.map(({ folio, nombre }) =>
      h(
        'li',
        {},
        boton(folio, () => abre(folio)),
        nombre !== undefined && h('span', { class: 'nota' }, nombre),
      ),
    ),
  );
const senal = (hay: boolean) => (uno('senal').hidden = hay);

function muestra(...hijos: HTMLElement[]): void {
  vista.replaceChildren(...hijos);
  window.scrollTo(0, 0);
  focusOn(vista.querySelector('h2'));
}

/** What a label holds is the address of its piece. */
const loQueDice = (leido: string) => decodeURIComponent(/\/siqr\/([^/?#]+)/.exec(leido)?.[1] ?? leido).trim();

async function buscar(leido: string): Promise<void> {
  const dice = loQueDice(leido).slice(0, 200);
  if (!dice) return;
  lugarDeAviso.replaceChildren();
  const [codigo, suya] = [leerCodigo(dice), ligando];
  ligando = undefined;
  if (suya && codigo) return ligar(codigo, suya);
  return abrir(dice);
}

/** What a text names: a piece, a label that hangs on none, or a sale. */
async function abrir(dice: string): Promise<void> {
  const [folio, codigo] = [leerFolio(dice), leerCodigo(dice)];
  let found: Leido;
  try {
    found = await leerDelServidor(base, dice);
    senal(true);
  } catch (error) {
    if (error instanceof SinEntrar) return location.assign(`/login?volver=${encodeURIComponent(base)}`);
    if (!(error instanceof SinSenal)) throw error;
    senal(false);
    const pieza = folio && (await recordada(folio));
    if (pieza) return muestraPieza(pieza);
    if (folio) return muestraSinVer(folio);
    if (codigo) return muestraEtiqueta(codigo);
    return avisa({ tono: 'aviso', texto: `${SIN_SENAL} Solo se puede abrir un folio.` });
  }
  switch (found.clase) {
    case 'pieza':
      await recordar(found.pieza);
      return muestraPieza(found.pieza);
    case 'etiqueta':
      return muestraEtiqueta(found.codigo, found.recientes);
    case 'venta':
      return muestraVenta(found.venta);
    case 'nada':
      return avisa({
        tono: 'mal',
        texto: folio ? 'Ese folio no existe. Léelo otra vez en la etiqueta.' : `No hay pieza ni orden ${dice}.`,
      });
  }
}

type Hace = Pick<Entrada, 'que' | 'campos' | 'sobre' | 'dice'> & Partial<Pick<Entrada, 'foto' | 'visto'>>;

/** It is on the phone before anything is sent: whatever becomes of the signal, and of this page, it is not lost. */
async function hacer({ visto = null, ...hace }: Hace): Promise<void> {
  if (!usuario) return avisa({ tono: 'mal', texto: 'Entra una vez con señal para trabajar sin ella.' });
  await guardar({ ...hace, visto, usuario, clave: crypto.randomUUID(), cuando: Date.now(), estado: 'espera' });
  await pintaCola();
  await envia();
}

async function envia(): Promise<void> {
  if (!usuario) return;
  const salio = await enviar({ base, usuario, avisa });
  senal(salio);
  await pintaCola();
  if (!salio) return;
  const folio = aLaVista?.folio;
  const pieza = folio && (await leerDelServidor(base, folio).catch(() => undefined));
  if (!pieza || pieza.clase !== 'pieza' || aLaVista?.folio !== folio) return;
  await recordar(pieza.pieza);
  await muestraPieza(pieza.pieza, true);
}

/** A piece as the phone knows it, with what waits to be sent on top. */
async function conLoQueEspera(pieza: Pieza): Promise<Vista> {
  const suyas = (await todas()).filter(
    (una) => una.sobre === pieza.folio && una.usuario === usuario && una.estado === 'espera',
  );
  const aTiempo = pieza.regresaHasta !== null && Date.parse(pieza.regresaHasta) > Date.now();
  let [estado, regresaA] = [pieza.estado, aTiempo ? pieza.regresaA : null];
  for (const { que, campos } of suyas) {
    if (que === 'deshacer' && regresaA) [estado, regresaA] = [regresaA, null];
    if (que === 'surtir' || que === 'estado')
      [estado, regresaA] = [que === 'surtir' ? 'vendido' : (campos.estado as EstadoDeStock), estado];
  }
  return { estado, regresaA, esperan: suyas.length, fotos: suyas.filter(({ que }) => que === 'foto').length };
}
type Vista = { estado: EstadoDeStock; regresaA: EstadoDeStock | null; esperan: number; fotos: number };

const chip = (estado: EstadoDeStock) => h('span', { class: `chip ${ESTADO_TONO[estado]}` }, ESTADO_LABEL[estado]);

async function muestraPieza(pieza: Pieza, quieta = false): Promise<void> {
  aLaVista = pieza;
  const { estado, regresaA, esperan, fotos } = await conLoQueEspera(pieza);
  const { id, folio, version } = pieza;
  const campos = { id, version: String(version) };
  const datos: [string, string | null][] = [
    ['Modelo', pieza.modelo],
    ['Proveedor', pieza.proveedor],
    ['Orden', pieza.orden],
    ['Sale en la orden', pieza.venta],
    ['Observaciones', pieza.observaciones],
    ['Etiqueta', pieza.etiquetas.join(', ')],
  ];
  const hijos = [
    h('h2', { tabindex: '-1' }, folio),
    h('p', { class: 'nombre' }, pieza.nombre),
    h('p', {}, chip(estado), esperan > 0 && h('span', { class: 'chip aviso' }, 'Por enviar')),
    h('dl', {}, ...datos.flatMap(([dt, dd]) => (dd ? [h('dt', {}, dt), h('dd', {}, dd)] : []))),
    retratos(pieza, fotos),
    surtir({ estado, campos, folio }),
    regresaA ? deshacer({ estado, campos, folio }, regresaA) : h('div', { hidden: true }),
    cambios({ estado, orden: pieza.estados, campos, folio }),
    boton('Ligar una etiqueta', () => void pedirEtiqueta(folio), 'ancho'),
  ];
  if (quieta) vista.replaceChildren(...hijos);
  else muestra(...hijos);
}

/** A piece that this phone never saw: what is asked of it waits, and is asked again once it is seen. */
function muestraSinVer(folio: string): void {
  aLaVista = undefined;
  muestra(
    h('h2', { tabindex: '-1' }, folio),
    h('p', { class: 'panel aviso' }, 'Sin señal: no se sabe cómo está. Lo que pidas se te pregunta otra vez al verla.'),
    surtir({ estado: null, campos: {}, folio }),
    cambios({ estado: null, orden: Object.keys(ESTADO_LABEL) as EstadoDeStock[], campos: {}, folio }),
  );
}

type Sobre = { estado: EstadoDeStock | null; campos: Record<string, string>; folio: string };

/** At the thumb, one button for each state it may go to. It is sold to a sale, never by itself. */
function cambios({ estado, orden, campos, folio }: Sobre & { orden: readonly EstadoDeStock[] }): HTMLElement {
  const pasos = orden.filter((a) => a !== 'vendido' && (estado === null || puedePasar(estado, a)));
  if (pasos.length === 0) return h('p', { class: 'nota' }, 'De este estatus no se pasa a otro.');
  return h(
    'section',
    { class: 'pasos', 'aria-label': 'Cambiar estatus' },
    ...pasos.map((a) =>
      boton(
        ESTADO_LABEL[a],
        () =>
          void pasar({
            que: 'estado',
            campos: { ...campos, estado: a },
            sobre: folio,
            dice: `${folio} pasa a «${ESTADO_LABEL[a]}»`,
            visto: estado && ESTADO_LABEL[estado],
          }),
      ),
    ),
  );
}

/** What a piece does not come back from is asked about first: the thumb slips. */
async function pasar(hace: Hace): Promise<void> {
  const a = hace.campos.estado as EstadoDeStock;
  const texto = `¿Está seguro que desea pasar ${hace.sobre} a ${ESTADO_LABEL[a]}? ${DE_AHI_NO_SALE}`;
  if (isFinal(a) && !(await preguntar({ titulo: 'Cambiar el estatus', texto }))) return;
  await hacer(hace);
  if (aLaVista?.folio === hace.sobre) await muestraPieza(aLaVista, true);
}

function deshacer({ estado, campos, folio }: Sobre, regresaA: EstadoDeStock): HTMLElement {
  return boton(
    `Deshacer: regresar a ${ESTADO_LABEL[regresaA]}`,
    () =>
      void hacer({
        que: 'deshacer',
        campos,
        sobre: folio,
        dice: `${folio} regresa a «${ESTADO_LABEL[regresaA]}»`,
        visto: estado && ESTADO_LABEL[estado],
      }).then(async () => {
        if (aLaVista?.folio === folio) await muestraPieza(aLaVista, true);
      }),
    'ancho',
  );
}

/** The next label that is scanned or typed is for this piece. */
async function pedirEtiqueta(folio: string): Promise<void> {
  ligando = folio;
  avisa({ tono: 'aviso', texto: `Escanea o escribe la etiqueta que lleva ${folio}.` });
  if (hayCamara()) await abrirCamara();
}

const ligar = (codigo: string, folio: string) =>
  hacer({ que: 'ligar', campos: { codigo, folio }, sobre: folio, dice: `${codigo} es de ${folio}` });

function surtir({ estado, campos, folio }: Sobre): HTMLElement {
  if (!surtiendo || (estado && !puedePasar(estado, 'vendido'))) return h('div', { hidden: true });
  const venta = surtiendo;
  return h(
    'div',
    { class: 'botones' },
    boton('Dejar de surtir', () => {
      surtiendo = undefined;
      if (aLaVista) void muestraPieza(aLaVista, true);
    }),
    boton(
      `Surtir en la orden ${venta}`,
      () =>
        void hacer({
          que: 'surtir',
          campos: { ...campos, venta },
          sobre: folio,
          dice: `${folio} sale en la orden ${venta}`,
          visto: estado && ESTADO_LABEL[estado],
        }),
      'principal',
    ),
  );
}

function retratos({ id, folio, fotos }: Pieza, esperan: number): HTMLElement {
  const quedan = MAX_FOTOS - fotos.length - esperan;
  const archivo = h('input', {
    type: 'file',
    accept: 'image/*',
    capture: 'environment',
    change: () => void tomar(),
  });
  async function tomar(): Promise<void> {
    const [file] = archivo.files ?? [];
    const foto = file && (await encoger(file));
    if (!foto) return avisa({ tono: 'mal', texto: 'El archivo no es una fotografía.' });
    await hacer({ que: 'foto', campos: { id }, foto, sobre: folio, dice: `Fotografía de ${folio}` });
    if (aLaVista?.folio === folio) await muestraPieza(aLaVista, true);
  }
  return h(
    'section',
    { class: 'fotos', 'aria-label': 'Fotografías' },
    ...fotos.map((foto, at) =>
      h('img', { src: `${base}/foto/${foto}`, alt: `Fotografía ${at + 1} de ${folio}`, loading: 'lazy' }),
    ),
    quedan > 0 && h('label', { class: 'boton' }, `Fotografiar (quedan ${quedan})`, archivo),
  );
}

/** A label that was printed before its piece was known. */
function muestraEtiqueta(codigo: string, recientes: readonly Reciente[] = []): void {
  aLaVista = undefined;
  const folio = h('input', { id: 'folio', required: true, autocomplete: 'off', autocapitalize: 'characters' });
  muestra(
    h('h2', { tabindex: '-1' }, codigo),
    h('p', {}, 'Esta etiqueta todavía no es de ninguna pieza.'),
    ...(recientes.length > 0
      ? [
          h('h3', {}, 'Ligar a una de las que acaban de llegar'),
          abrirFolios(recientes, (suyo) => void ligar(codigo, suyo).then(() => abrir(suyo))),
        ]
      : []),
    h(
      'form',
      {
        submit: (event) => {
          event.preventDefault();
          const suyo = leerFolio(loQueDice(folio.value));
          if (!suyo) return avisa({ tono: 'mal', texto: 'Ese folio no existe. Léelo otra vez en la etiqueta.' });
          void ligar(codigo, suyo).then(() => abrir(suyo));
        },
      },
      h('label', { for: 'folio' }, 'Folio de la pieza'),
      folio,
      h('button', { class: 'principal' }, 'Ligar'),
    ),
  );
}

/** A sale: what came back of it is received, and what leaves for it is picked. */
function muestraVenta({ numero, articulos, piezas, estados }: VentaVista): void {
  aLaVista = undefined;
  surtiendo = numero;
  const campo = (name: string, etiqueta: string, dichos: Record<string, string | boolean>) => {
    const input = h('input', { id: name, name, autocomplete: 'off', ...dichos });
    return [h('label', { for: name }, etiqueta), input];
  };
  const form = h(
    'form',
    {
      submit: (event) => {
        event.preventDefault();
        const dado = Object.fromEntries(new FormData(form)) as Record<string, string>;
        const articulo = articulos[Number(dado.articulo)];
        if (!articulo) return;
        const { articulo: _, ...resto } = dado;
        void hacer({
          que: 'recibir',
          campos: {
            ...resto,
            orden: articulo.orden,
            ...(articulo.producto ? { producto: articulo.producto } : {}),
            ...(articulo.proveedor ? { proveedor: articulo.proveedor } : {}),
            descripcion: articulo.nombre ?? '',
          },
          sobre: numero,
          dice: `Devolución de ${resto.cantidad} × ${articulo.nombre ?? 'pieza'} de la orden ${numero}`,
        }).then(() => form.reset());
      },
    },
    h(
      'fieldset',
      {},
      h('legend', {}, 'Qué regresó'),
      ...articulos.map(({ nombre, cantidad }, at) =>
        h(
          'label',
          { class: 'opcion' },
          h('input', { type: 'radio', name: 'articulo', value: String(at), required: true, checked: at === 0 }),
          `${cantidad} × ${nombre ?? 'Artículo'}`,
        ),
      ),
    ),
    ...campo('cantidad', 'Cantidad', { inputmode: 'numeric', required: true, value: '1', pattern: '\\d{1,3}' }),
    ...campo('costo', 'Costo por pieza con IVA', { inputmode: 'decimal', required: true }),
    h('label', { for: 'estado' }, 'Estatus'),
    h('select', { id: 'estado', name: 'estado' }, ...estados.map(({ value, label }) => h('option', { value }, label))),
    ...campo('observaciones', 'Observaciones', { maxlength: '2000' }),
    h('button', { class: 'principal' }, 'Crear devolución'),
  );
  muestra(
    h('h2', { tabindex: '-1' }, `Orden ${numero}`),
    h('h3', {}, 'Surtir'),
    h(
      'p',
      {},
      piezas.length > 0
        ? 'Escanea la pieza que sale, o ábrela aquí.'
        : 'No hay piezas nuestras de lo que se vendió. Puedes escanear otra.',
    ),
    h(
      'ul',
      { class: 'piezas' },
      ...piezas.map(({ folio, nombre, estadoLabel }) =>
        h(
          'li',
          {},
          boton(`${folio} · ${estadoLabel}`, () => void buscar(folio)),
          h('span', { class: 'nota' }, nombre),
        ),
      ),
    ),
    h('details', {}, h('summary', {}, 'Recibir una devolución'), form),
  );
}

/** What waits, with what stands in its way. Of what somebody else left here only how much it is. */
async function pintaCola(): Promise<void> {
  const cola = await todas();
  const mias = cola.filter((entrada) => entrada.usuario === usuario);
  const ajenas = cola.length - mias.length;
  const seccion = uno('cola');
  seccion.hidden = cola.length === 0;
  uno('cola-titulo').textContent = `Por enviar (${mias.length})`;
  seccion
    .querySelector('ul')!
    .replaceChildren(
      ...mias.map((entrada) => h('li', { class: entrada.estado }, ...deEntrada(entrada))),
      ...(ajenas > 0
        ? [h('li', { class: 'nota' }, `${ajenas} de otra persona: se envía cuando vuelva a entrar en este teléfono.`)]
        : []),
    );
}

function deEntrada(entrada: Entrada): HTMLElement[] {
  const { dice, cuando, visto, porque, estado } = entrada;
  const que = h('p', {}, h('strong', {}, dice), h('span', { class: 'nota' }, ` ${hora(cuando)}`));
  if (estado === 'espera' || !porque) return [que];
  const resuelve = (work: () => Promise<unknown>) => () => void work().then(pintaCola).then(envia);
  const soltar = resuelve(() => quitar(entrada.n!));
  const pieza = porque.pieza;
  if (estado === 'no' || !pieza || entrada.que === 'deshacer') {
    // What was refused did nothing. It is sent as it was: somebody may have mended what stood in its way.
    const otraVez = resuelve(() => guardar({ ...entrada, estado: 'espera', porque: undefined }));
    return [
      que,
      h('p', { class: 'mal' }, porque.texto),
      h('div', { class: 'botones' }, boton('Quitar', soltar), boton('Intentar otra vez', otraVez)),
    ];
  }
  const quiere = entrada.que === 'surtir' ? 'vendido' : (entrada.campos.estado as EstadoDeStock);
  const puede = puedePasar(pieza.estado, quiere);
  return [
    que,
    h(
      'p',
      { class: 'mal' },
      h('strong', {}, porque.titulo),
      ' ',
      visto === null ? porque.texto : 'Otra persona la movió.',
    ),
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
      boton('Dejarla como está', soltar),
      puede &&
        boton(
          'Aplicar lo mío',
          resuelve(() =>
            guardar({
              ...entrada,
              estado: 'espera',
              porque: undefined,
              visto: pieza.estadoLabel,
              campos: { ...entrada.campos, id: pieza.id, version: String(pieza.version) },
            }),
          ),
          'principal',
        ),
    ),
  ];
}

/** Who leaves with something unsent is told so: it stays on this phone, under their name. */
async function salir(): Promise<void> {
  const pendientes = (await todas()).filter((entrada) => entrada.usuario === usuario).length;
  const ir = async () => {
    await olvidar();
    location.assign('/salir');
  };
  if (pendientes === 0) return ir();
  aLaVista = undefined;
  muestra(
    h('h2', { tabindex: '-1' }, 'Falta por enviar'),
    h(
      'p',
      { class: 'panel aviso' },
      `${pendientes === 1 ? 'Queda 1 cambio' : `Quedan ${pendientes} cambios`} sin enviar. Se guarda en este teléfono, nadie más lo ve, y se envía cuando vuelvas a entrar aquí.`,
    ),
    h(
      'div',
      { class: 'botones' },
      boton('Seguir aquí', () => vista.replaceChildren()),
      boton('Salir de todos modos', () => void ir(), 'principal'),
    ),
  );
}

async function abrirCamara(): Promise<void> {
  const dice = await escanear(uno('camara'), lector).catch(() => null);
  if (dice === null) return avisa({ tono: 'mal', texto: 'No se pudo abrir la cámara. Escribe el folio.' });
  if (dice) await buscar(dice);
}

async function empieza(): Promise<void> {
  const { usuario: dicho } = document.body.dataset;
  if (dicho) await entra(dicho);
  usuario = dicho ?? (await quien());
  // The shell names nobody: whoever opens it out of the phone has no signal.
  senal(dicho !== undefined);
  uno('escanear').hidden = !hayCamara();
  uno('escanear').addEventListener('click', () => void abrirCamara());
  uno('pulgar').addEventListener('submit', (event) => {
    event.preventDefault();
    void buscar(texto.value).then(() => (texto.value = ''));
  });
  uno('salir').addEventListener('click', (event) => {
    event.preventDefault();
    void salir();
  });
  const otraVez = () => void envia();
  window.addEventListener('online', otraVez);
  window.addEventListener('offline', () => senal(false));
  document.addEventListener('visibilitychange', () => !document.hidden && otraVez());
  setInterval(() => void todas().then((cola) => (cola.length > 0 ? envia() : undefined)), OTRA_VEZ_MS);
  await pintaCola();
  document.body.dataset.listo = '1';
  // From the bar of any other screen, who presses 'Escanear' is before the camera at once.
  if (new URLSearchParams(location.search).has('escanear')) {
    history.replaceState(null, '', base);
    if (hayCamara()) void abrirCamara();
  }
  await envia();
  if (obrero && dicho && 'serviceWorker' in navigator) {
    const registro = await navigator.serviceWorker.register(obrero, { scope: base });
    registro.active?.postMessage('nueva');
  }
}

await empieza();
