import type { VentaVista } from '~/domain/compras/stock/bodega.server';
import { printPdf } from '~/ui/printPdf';
import { boton, h } from './hacer';
import { clearAviso, openEach, show, titulo, wasSeen } from './pantalla';
import { hechoOf, perform } from './porEnviar';
import { puesto } from './puesto';
import { readFromServer } from './red';

type Abre = (folio: string) => void;

/** The pieces that a sale offers, and their states, as one text. */
const piecesOf = ({ piezas, salieron }: VentaVista) =>
  [...piezas, ...salieron].map(({ folio, estadoLabel }) => `${folio} ${estadoLabel}`).join();

/** Shows a sale: pieces to pick for the sale, and returns to receive. What is typed into the return stays when the sale is read again. */
export function showVenta(venta: VentaVista, onOpen: Abre, onEnd: () => void): Promise<void> {
  const { numero, vuelve } = venta;
  let ahora = venta;
  // A returned sale needs no pieces picked.
  puesto.surtiendo = vuelve ? undefined : numero;
  const deCada = (cuales: VentaVista['piezas']) =>
    openEach(
      cuales.map(({ folio, nombre, estadoLabel }) => ({
        clave: folio,
        dice: `${folio} · ${estadoLabel}`,
        nota: nombre,
      })),
      onOpen,
    );
  const recibir = h(
    'details',
    { open: vuelve },
    h('summary', {}, 'Recibir una devolución'),
    returnForm(venta, (clave) => showRecibida(clave, venta, onOpen, onEnd)),
  );
  const llega = ({ salieron }: VentaVista) =>
    salieron.length > 0
      ? [h('h3', {}, 'Salieron de aquí'), h('p', {}, 'Si una regresa, ábrela: vuelve con su folio.'), deCada(salieron)]
      : [];
  const sale = ({ piezas }: VentaVista) => [
    h('h3', {}, 'Surtir'),
    h(
      'p',
      {},
      piezas.length > 0
        ? 'Escanea la pieza que sale, o ábrela aquí.'
        : 'No hay piezas nuestras de lo que se vendió. Puedes escanear otra.',
    ),
    deCada(piezas),
  ];
  return show({
    ver: numero,
    paint: () => [titulo(`Orden ${numero}`), ...llega(ahora), ...(vuelve ? [] : sale(ahora)), recibir],
    // A press that was still on its way when the sale was read may have made one of its pieces ready.
    async reread() {
      const found = await readFromServer(puesto.base, numero).catch(() => undefined);
      // Who fills the return is not disturbed.
      if (found?.clase !== 'venta' || recibir.contains(document.activeElement)) return false;
      const antes = piecesOf(ahora);
      ahora = found.venta;
      return piecesOf(ahora) !== antes || wasSeen();
    },
  });
}

/** Paper of the label that a phone prints at the bench. */
const PAPEL = 'rollo50';

/**
 * Shows what can be done after a return was received: print its labels, or receive the next piece. `clave` is the key of the press. The folios come with the
 * answer of the server, and until then the press waits on the phone.
 */
function showRecibida(clave: string, venta: VentaVista, onOpen: Abre, onEnd: () => void): Promise<void> {
  const { numero, articulos } = venta;
  const faltan = articulos.some(({ cantidad, recibidas }) => recibidas < cantidad);
  const again = boton(
    'Otra pieza',
    () => {
      clearAviso();
      if (faltan) void showVenta(venta, onOpen, onEnd);
      else onEnd();
    },
    'ancho',
  );
  const labels = () => {
    const folios = hechoOf(clave)?.folios;
    if (!folios) return h('p', { class: 'nota' }, 'Los folios llegan cuando se envíe.');
    const address = `${puesto.base.replace(/bodega$/, 'descargas/etiquetas')}?${String(new URLSearchParams({ alta: clave, papel: PAPEL, ver: '1' }))}`;
    const dice = folios.length === 1 ? 'Imprimir etiqueta' : `Imprimir ${folios.length} etiquetas`;
    return boton(dice, () => printPdf(address, 'Etiquetas'), 'principal ancho');
  };
  return show({
    paint: () => [titulo(`Recibido de la orden ${numero}`), labels(), again],
    reread: () => Promise.resolve(true),
  });
}

/**
 * Returns the form of a return, filled so that a person checks and presses. Enter sends nothing, because a scanner ends
 * with Enter; only the button sends.
 */
function returnForm(
  { numero, articulos, estados }: VentaVista,
  onReceive: (clave: string) => Promise<void>,
): HTMLFormElement {
  const cantidad = campo('cantidad', { inputmode: 'numeric', required: true, pattern: '\\d{1,3}' });
  const costo = campo('costo', { inputmode: 'decimal', required: true });
  const observaciones = campo('observaciones', { maxlength: '2000' });
  const pideCosto = h('label', { for: 'costo' }, 'Costo por pieza con IVA');
  const notaDeCosto = h('p', { class: 'nota' }, 'El costo es el de la venta.');
  const yaLlegaron = h('p', { class: 'panel aviso', hidden: true });

  function choose(at: number): void {
    const articulo = articulos[at];
    if (!articulo) return;
    cantidad.value = String(articulo.faltan);
    observaciones.value = articulo.observaciones ?? '';
    costo.value = '';
    // A hidden field that is required would stop the form without a word.
    costo.hidden = costo.disabled = pideCosto.hidden = articulo.conCosto;
    notaDeCosto.hidden = !articulo.conCosto;
    yaLlegaron.hidden = articulo.recibidas === 0;
    yaLlegaron.textContent =
      articulo.recibidas === 1
        ? 'Ya se recibió 1 de esta orden.'
        : `Ya se recibieron ${articulo.recibidas} de esta orden.`;
  }

  const form = h(
    'form',
    {
      submit: (event) => {
        event.preventDefault();
        const dado = Object.fromEntries(new FormData(form)) as Record<string, string>;
        const at = Number(dado.articulo);
        const articulo = articulos[at];
        if (!articulo) return;
        const { articulo: _, ...resto } = dado;
        void perform({
          que: 'recibir',
          campos: {
            ...resto,
            orden: articulo.orden,
            recibidas: String(articulo.deLaOrden),
            ...(articulo.producto ? { producto: articulo.producto } : {}),
            ...(articulo.proveedor ? { proveedor: articulo.proveedor } : {}),
            descripcion: (articulo.nombre ?? '').slice(0, 300),
          },
          sobre: numero,
          dice: `Devolución de ${resto.cantidad} × ${articulo.nombre ?? 'pieza'} de la orden ${numero}`,
        }).then((clave) => {
          if (clave === undefined) return undefined;
          const llegan = Number(resto.cantidad);
          for (const otro of articulos) if (otro.orden === articulo.orden) otro.deLaOrden += llegan;
          articulo.recibidas += llegan;
          articulo.faltan = Math.max(1, articulo.faltan - llegan);
          return onReceive(clave);
        });
      },
    },
    h('button', { type: 'submit', disabled: true, hidden: true }),
    h(
      'fieldset',
      {},
      h('legend', {}, 'Qué regresó'),
      ...articulos.map(({ nombre, cantidad: vendidas }, at) =>
        h(
          'label',
          { class: 'opcion' },
          h('input', {
            type: 'radio',
            name: 'articulo',
            value: String(at),
            required: true,
            checked: at === 0,
            change: () => choose(at),
          }),
          `${vendidas} × ${nombre ?? 'Artículo'}`,
        ),
      ),
    ),
    yaLlegaron,
    h('label', { for: 'cantidad' }, 'Cantidad'),
    cantidad,
    pideCosto,
    costo,
    notaDeCosto,
    h('label', { for: 'estado' }, 'Estatus'),
    h('select', { id: 'estado', name: 'estado' }, ...estados.map(({ value, label }) => h('option', { value }, label))),
    h('label', { for: 'observaciones' }, 'Observaciones'),
    observaciones,
    h('button', { class: 'principal' }, 'Crear devolución'),
  );
  choose(0);
  return form;
}

const campo = (name: string, dichos: Record<string, string | boolean>) =>
  h('input', { id: name, name, autocomplete: 'off', ...dichos });
