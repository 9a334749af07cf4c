import type { VentaVista } from '~/domain/compras/stock/bodega.server';
import { h } from './hacer';
import { openEach, show, titulo } from './pantalla';
import { perform } from './porEnviar';
import { puesto } from './puesto';
import { readFromServer } from './red';

type Abre = (folio: string) => void;

/** The pieces that a sale offers, and their states, as one text. */
const piecesOf = ({ piezas, salieron }: VentaVista) =>
  [...piezas, ...salieron].map(({ folio, estadoLabel }) => `${folio} ${estadoLabel}`).join();

/** Shows a sale: pieces to pick for the sale, and returns to receive. What is typed into the return stays when the sale is read again. */
export function showVenta(venta: VentaVista, onOpen: Abre): Promise<void> {
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
  const recibir = h('details', { open: vuelve }, h('summary', {}, 'Recibir una devolución'), returnForm(venta));
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
    paint: () => [titulo(`Orden ${numero}`), ...llega(ahora), ...(vuelve ? [] : sale(ahora)), recibir],
    // A press that was still on its way when the sale was read may have made one of its pieces ready.
    async reread() {
      const found = await readFromServer(puesto.base, numero).catch(() => undefined);
      // Who fills the return is not disturbed.
      if (found?.clase !== 'venta' || recibir.contains(document.activeElement)) return false;
      const antes = piecesOf(ahora);
      ahora = found.venta;
      return piecesOf(ahora) !== antes;
    },
  });
}

/**
 * Returns the form of a return, filled so that a person checks and presses. Enter sends nothing, because a scanner ends
 * with Enter; only the button sends.
 */
function returnForm({ numero, articulos, estados }: VentaVista): HTMLFormElement {
  const cantidad = campo('cantidad', { inputmode: 'numeric', required: true, pattern: '\\d{1,3}' });
  const costo = campo('costo', { inputmode: 'decimal' });
  const observaciones = campo('observaciones', { maxlength: '2000' });
  const notaDeCosto = h('p', { class: 'nota', id: 'costo-nota' }, 'Vacío: lo que costó cuando se compró.');
  const yaLlegaron = h('p', { class: 'panel aviso', hidden: true });
  costo.setAttribute('aria-describedby', 'costo-nota');

  function choose(at: number): void {
    const articulo = articulos[at];
    if (!articulo) return;
    cantidad.value = String(articulo.faltan);
    observaciones.value = articulo.observaciones ?? '';
    costo.value = '';
    costo.required = !articulo.conCosto;
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
        }).then((quedo) => {
          if (!quedo) return;
          const llegan = Number(resto.cantidad);
          for (const otro of articulos) if (otro.orden === articulo.orden) otro.deLaOrden += llegan;
          articulo.recibidas += llegan;
          articulo.faltan = Math.max(1, articulo.faltan - llegan);
          choose(at);
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
    h('label', { for: 'costo' }, 'Costo por pieza con IVA'),
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
