import { useEffect, useRef } from 'react';
import { withParamOf } from '~/core/list';
import { FILTRO_LABEL } from '~/domain/compras/pagos/pago';
import { DosLineas, type AccionDeFila, type Column } from '~/ui/DataTable';
import { Estatus } from '~/ui/Estatus';
import { COLUMNAS, DOBLES, type Fila } from '~/routes/ventas/ordenes/columns';
import './cotizaciones.css';

/** The table of sales whose supplier is paid, as 'Cotizaciones' and 'Pagos a proveedores' show it. */

type FiltroDePago = keyof typeof FILTRO_LABEL;
type Filtro = { pago: FiltroDePago; canceladas: '' | '1' };

export const DE_LA_VENTA = [
  { ...DOBLES.fecha, header: 'Fecha de Creación', width: 140 },
  {
    header: 'Id de la Venta',
    tarjeta: 'numero',
    sort: 'orden',
    width: 168,
    copia: ({ numOrden }) => [numOrden],
    cell: (orden) => <DosLineas debajo={orden.packId && 'Paquete'}>{COLUMNAS.numero.cell(orden)}</DosLineas>,
  },
  { ...COLUMNAS.envio, header: 'Numero de envio', width: 172 },
] as const satisfies readonly Column<Fila, never>[];

export const PAGO = {
  header: 'Pago',
  tarjeta: 'estatus',
  width: 112,
  cell: ({ pagos, conArchivos }) => (
    <DosLineas debajo={pagos > 0 && (conArchivos ? 'con archivo' : 'sin archivo')}>
      <Estatus tono={pagos > 0 ? 'ok' : 'aviso'}>{pagos > 0 ? 'Pagado' : 'Sin pago'}</Estatus>
    </DosLineas>
  ),
} as const satisfies Column<Fila, never>;

export const nadaPorPagar = ({ pago }: Pick<Filtro, 'pago'>) =>
  pago === 'sinPago' ? 'Todo lo de estas fechas está pagado.' : 'No hay ventas en estas fechas.';

/** The actions of a row: both open the panel of the sale, where its payments are seen and added. */
export function accionesDePago(search: string, puedeOperar: boolean): (orden: Fila) => AccionDeFila[] {
  const con = withParamOf(search, { ver: null, editar: null, menu: null });
  return ({ id, numOrden }) => [
    { texto: 'Ver archivos', corto: 'Archivos', nombre: `Ver archivos de la orden ${numOrden}`, href: con('ver', id) },
    ...(puedeOperar
      ? [
          {
            texto: 'Subir archivo',
            corto: 'Subir',
            nombre: `Subir archivo a la orden ${numOrden}`,
            href: `${con('ver', id)}&editar=subir`,
          },
        ]
      : []),
  ];
}

const FILTROS: readonly FiltroDePago[] = ['todos', 'sinPago', 'pagado'];

/** The radio buttons of payment and the box of cancelled sales; a change sends their form, also one that was made before the page listened. */
export function ElegirPago({ pago, canceladas }: Filtro) {
  const fieldset = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    const inputs = fieldset.current?.querySelectorAll('input') ?? [];
    if ([...inputs].some((input) => input.checked !== input.defaultChecked)) fieldset.current?.form?.requestSubmit();
  }, [pago, canceladas]);
  return (
    <fieldset
      ref={fieldset}
      key={`${pago}${canceladas}`}
      className="elige-pago"
      onChange={({ currentTarget }) => currentTarget.form?.requestSubmit()}
    >
      <legend className="oculto">Pago</legend>
      {FILTROS.map((filtro) => (
        <label key={filtro}>
          <input type="radio" name="pago" value={filtro} defaultChecked={pago === filtro} />
          {FILTRO_LABEL[filtro]}
        </label>
      ))}
      <label>
        <input type="checkbox" name="canceladas" value="1" defaultChecked={canceladas === '1'} />
        Canceladas
      </label>
    </fieldset>
  );
}
