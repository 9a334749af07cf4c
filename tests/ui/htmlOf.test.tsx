import { forwardRef, Fragment, memo, Suspense, useContext, createContext, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import {
  COLUMNAS,
  DOBLES,
  facturaColumn,
  pagado,
  proveedorFacturasDobles,
  type Fila,
} from '~/routes/ventas/ordenes/columns';
import { NOMBRE_EN, nombreCorto } from '~/domain/compras/catalogo/producto';
import { htmlOf } from '~/ui/htmlOf';

const Pie = createContext('nadie');
const Llamado = ({ que }: { que: string }) => <b title={que}>{useContext(Pie)}</b>;
const ConRef = forwardRef<HTMLAnchorElement, { a: string }>(function ConRef({ a }, ref) {
  return (
    <a ref={ref} href={a}>
      va
    </a>
  );
});
const Recordado = memo(Llamado);
/** A component that shows itself, one less, around what it was given. */
const Escalon = ({ de, children }: { de: number; children: ReactNode }): ReactNode =>
  de === 0 ? children : <span data-de={de}>{<Escalon de={de - 1}>{children}</Escalon>}</span>;

/** In place of its children, as a table does with its rows. */
const Escrito = ({ children }: { children: ReactNode }) => (
  <div dangerouslySetInnerHTML={{ __html: htmlOf(children) ?? 'no se pudo' }} />
);

const PARTES: Record<string, ReactNode> = {
  'texts in a row': ['a', 'b', 3, '', null, false, 'c', <i key="i">d</i>, 'e'],
  'texts around a part': (
    <p>
      {1} y {<Llamado que="él" />}
      {'fin'}
      <>
        {'uno'}
        <Fragment>{'dos'}</Fragment>
      </>
    </p>
  ),
  'letters that HTML reads otherwise': <p title={`"a" & 'b' <c>`}>{`"a" & 'b' <c>`}</p>,
  'a row': (
    <tr id="f1" data-i={1} aria-rowindex={3} data-activa={undefined} data-cambio aria-hidden={false} className="espera">
      <td colSpan={3} className={undefined}>
        <span className="hueso" />
      </td>
      <td rowSpan={2} hidden={false} style={{ '--fila': ' 2px', backgroundColor: 'red', width: '' } as object} />
    </tr>
  ),
  'its box': (
    <input
      type="checkbox"
      name={undefined}
      form="lote"
      value={'a"b'}
      checked={false}
      aria-label="Elegir"
      tabIndex={-1}
      readOnly
    />
  ),
  'its box, chosen': <input checked value={7} type="checkbox" disabled onChange={() => undefined} />,
  'links and buttons': (
    <>
      <a href="?a=1&b=2" download target="_blank" rel="noopener" onClick={() => undefined}>
        PDF
      </a>
      <a href="/x" download="x.pdf">
        <ConRef a="/y" />
        <Recordado que="x" />
      </a>
      <button type="submit" name="intent" value="ver" disabled>
        Ver
      </button>
      <label htmlFor="f1">f</label>
      <br />
      <img src="/a.png" width={3} height="4" />
    </>
  ),
  'a drawing': (
    <svg className="icono" aria-hidden="true">
      <use href="/iconos.svg#mas" />
    </svg>
  ),
  'nothing, and a zero': [null, undefined, true, '', 0, <p key="p">{false}</p>, <p key="q">{0}</p>],
  'parts of parts': (
    <Escalon de={3}>
      <ConRef a="/?a=1&amp;b=2" />
    </Escalon>
  ),
  'words of a table': (
    <table>
      <tbody>
        {[1, 2].map((n) => (
          <Fragment key={n}>
            <tr aria-rowindex={n} aria-selected={n === 1} data-tono={n === 1 ? 'mal' : undefined}>
              <th scope="row">{n}</th>
              <td className="num pesos">{`$${n}.00`}</td>
            </tr>
          </Fragment>
        ))}
      </tbody>
    </table>
  ),
  'a day': <time dateTime="2026-11-20">20/11/2026</time>,
};

test.each(Object.entries(PARTES))('%s is written letter for letter as React writes it', (_, parte) => {
  const within = (children: ReactNode) => renderToString(<Pie.Provider value="alguien">{children}</Pie.Provider>);
  expect(within(<Escrito>{parte}</Escrito>)).toBe(within(<div>{parte}</div>));
});

test.each<[string, ReactNode]>([
  ['a field of many lines', <textarea key="a" defaultValue="x" />],
  ['an attribute it never heard of', <p key="a" contentEditable />],
  ['a number of CSS', <p key="a" style={{ width: 3 }} />],
  ['what may have to wait', <Suspense key="a">x</Suspense>],
  ['a context', <Pie.Provider key="a" value="x" />],
])('%s is left to React', (_, parte) => {
  expect(htmlOf(<div>{parte}</div>)).toBeNull();
});

const ORDEN = {
  id: '01a205ff-3645-7a52-90eb-9fd0c0cd67cb',
  market: 'ml',
  numOrden: '2000000791905068',
  packId: '2000000791905069',
  fechaCreacion: '2026-11-01T05:59:19.036Z',
  titulo: 'Cámara "domo" & montura <4 MP> con un título de más de sesenta letras en total',
  pagado: '14792.86',
  estatus: 'enPreparacion',
  envio: '800000100000',
  envioEstatus: 'ready_to_ship',
  envioSubestatus: null,
  facturaId: '01a205ff-4dfa-7285-82f1-2debb9303d70',
  folio: 'A-57536',
  rfc: 'NUAR7111129Z2',
  facturado: '9930.16',
  proveedorFacturas: [
    { folio: 'S600000', linkFactura: 'https://x.test/', reglaFactura: 'sufijo', sufijoFactura: '.pdf' },
    { folio: 'S600001', linkFactura: null, reglaFactura: 'sufijo', sufijoFactura: null },
  ],
} as Partial<Fila> as Fila;

test('every cell of a list of sales can be written so', () => {
  const columns = [
    ...Object.values(COLUMNAS),
    ...Object.values(DOBLES),
    pagado,
    facturaColumn(() => '?x=1&y=2'),
    proveedorFacturasDobles,
  ];
  for (const { cell } of columns) expect(htmlOf(cell(ORDEN))).toBe(renderToString(<>{cell(ORDEN)}</>));
  // The number of a shipment that only we know is nobody's to read, and a name is cut in one way.
  const propio = { ...ORDEN, envio: `propio-${ORDEN.numOrden}` };
  for (const { cell } of [COLUMNAS.envio, DOBLES.numero]) expect(htmlOf(cell(propio))).not.toContain('propio-');
  expect(htmlOf(COLUMNAS.envio.cell(propio))).toContain('Propio');
  expect([
    nombreCorto('a'.repeat(60)),
    nombreCorto('a'.repeat(61)),
    nombreCorto('a'.repeat(41), NOMBRE_EN.stock),
  ]).toEqual(['a'.repeat(60), `${'a'.repeat(59)} ...`, `${'a'.repeat(40)} ...`]);
});
