import { useLocation, useNavigation } from '@remix-run/react';
import { useEffect, useId, useMemo, useRef, useState, type CSSProperties } from 'react';
import { WINDOW, withParams } from '~/core/list';
import { deferredPart } from './deferredPart';
import { RecorridoProvider } from './ficha/recorrido';
import { usePrefetch } from './ficha/usePrefetch';
import { useRecorridoOf } from './ficha/useRecorridoOf';
import { columnaOfAcciones } from './lista/acciones';
import { Alcance, Chips } from './lista/Alcance';
import { claveOf, leastWidths, type Column } from './lista/column';
import type { Pulsada } from './lista/EditarCelda';
import { ElegirColumnas } from './lista/ElegirColumnas';
import { ExportButton, Exports } from './lista/Exports';
import { Headers, Widths } from './lista/Headers';
import { heightOf, OVERSCAN, type Heights } from './lista/heights';
import { Pages } from './lista/Pages';
import { Resumen } from './lista/Resumen';
import { Rows } from './lista/Rows';
import { casillas } from './lista/casillas';
import { Lote } from './lista/Lote';
import type { DataTableProps } from './lista/props';
import { tableKeys } from './lista/tableKeys';
import { useSeleccion } from './lista/useSeleccion';
import { Toolbar } from './lista/Toolbar';
import { Totals } from './lista/Totals';
import { useActive } from './lista/useActive';
import { useColumnas } from './lista/useColumnas';
import { useInSight } from './lista/useInSight';
import { useMenus } from './lista/useMenus';
import { usePlace } from './lista/usePlace';
import { useRowAddress } from './lista/useRowAddress';
import { useScrollMemory } from './lista/useScrollMemory';
import { hasTarjetas, useMedidas } from './lista/useMedidas';
import { Vistas } from './lista/Vistas';
import { useWindows } from './lista/useWindows';
import type { PorQueVacia } from './lista/Vacio';
import { focusOn, isFocusFree } from './foco';
import { Icono } from './Icono';
import { useTeclas } from './useTeclas';
import { useHydrated } from './useHydrated';
import './lista/lista.css';
import './lista/barra.css';
import './lista/tabla.css';
import './lista/lote.css';
import './lista/tarjetas.css';
import './lista/imprimir.css';

const Novedades = deferredPart('Novedades', async () => (await import('./lista/Novedades')).Novedades);
const Impresion = deferredPart('Impresion', async () => (await import('./lista/Impresion')).Impresion, {
  ahead: false,
});
const Vacio = deferredPart('Vacio', async () => (await import('./lista/Vacio')).Vacio, { ahead: false });
const Encima = deferredPart('Encima', async () => (await import('./lista/Encima')).Encima);

export type { AccionDeFila, AccionesDeFila } from './lista/acciones';
export type { Column } from './lista/column';
export { DosLineas, NombreDe } from './lista/DosLineas';
export type { RowDetail } from './lista/props';

const NOTHING = 160;
const SIN_RAZON: PorQueVacia = {};

/**
 * The one table of all lists: continuous over server windows, with search, sort, totals and Excel. The whole state lies in the URL. The server writes one
 * window, which without JavaScript is a page; with JavaScript only the rows in sight are in the document. The parts of the table are in `lista/`.
 */
export function DataTable<Row, Totales extends { registros: number } | null>({
  lista,
  columns: propias,
  rowKey,
  tone,
  label,
  area,
  lines = 1,
  opens = false,
  detail,
  ficha,
  vacia = SIN_RAZON,
  enFila,
  nombra = rowKey,
  acciones,
  placeholder,
  de,
  excel,
  resumen = false,
  plegados,
  children,
}: DataTableProps<Row, Totales>) {
  const { search, pathname } = useLocation();
  const navigation = useNavigation();
  const hydrated = useHydrated();
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [cambiadas, setCambiadas] = useState({ keys: [] as string[], corte: '' });
  const source = `${area}/listas/${lista.lista}`;
  const todas = useMemo(
    () => (enFila ? [...propias, columnaOfAcciones<Row, Totales>(enFila, `${id}fila`, rowKey, nombra)] : propias),
    [propias, enFila, id, rowKey, nombra],
  );
  const { columns: elegidas, widen } = useColumnas(todas, lista.columnas, source);
  const windows = useWindows(lista, source);
  const { total, totales, show, query } = windows;
  const keyAt = (index: number) => {
    const row = windows.row(index);
    return row === undefined ? undefined : rowKey(row);
  };
  const seleccion = useSeleccion(keyAt, { query, total });
  const columns = acciones
    ? [casillas<Row, Totales>(`${id}lote`, rowKey, nombra, seleccion, hydrated), ...elegidas]
    : elegidas;
  const { fila: rowHeight, linea, titulos } = useMedidas(columns, { lines, search });
  const hasTotals = columns.some((column) => column.total);

  const { isOpen, hrefOf, shut, ver, abriendo, open } = useRowAddress(rowKey, { opens, detail });
  const places = { total, keyAt, indexOf: (key: string) => windows.find((row) => rowKey(row) === key) };
  const opened = usePlace(detail?.key ?? null, places).index;
  const { active, place, setActive } = useActive(ficha ? abriendo : null, query, places);
  const extra = detail && opened !== null ? detail.lines * linea : 0;
  const heights: Heights = { total, row: rowHeight, opened, extra, head: titulos, foot: hasTotals ? titulos : 0 };

  const start = lista.ventana.indice * WINDOW;
  const { scrollTo, ...inSight } = useInSight(box, heights);
  const impresas = lista.impresion?.filas ?? null;
  const live = hydrated && !impresas;
  const written = impresas ?? lista.ventana.filas;
  const from = impresas ? 0 : start;
  const { first, last } = live ? inSight : { first: from, last: from + written.length - 1 };
  useScrollMemory(box, { query, ready: hydrated, whole: totales !== null, first: start * rowHeight });
  useEffect(() => {
    if (live) show(first + OVERSCAN / 2, last - OVERSCAN / 2);
  }, [live, show, first, last, windows.corte]);

  const busy = navigation.state !== 'idle' && navigation.location?.pathname === pathname;
  const table = useRef<HTMLTableElement>(null);
  const recorrido = useRecorridoOf({
    ver: ficha ? ver : null,
    place,
    total,
    row: windows.row,
    hrefOf,
    shut,
    showAt: (index) => {
      scrollTo(index);
      show(index, index);
    },
    table,
  });
  // The file of the fields may come later than the press, and the rows may have moved by then.
  const [pulsada, setPulsada] = useState<Pulsada | null>(null);
  const cambiar = (index: number, at: number) => {
    const [clave, column] = [keyAt(index), columns[at]];
    if (clave !== undefined && column) setPulsada({ clave, columna: claveOf(column) });
  };
  const openAt = (index: number) => {
    recorrido.paso.current = null;
    open(windows.row(index));
  };
  /** Puts the keyboard on a row. An open panel goes along: keys, outline and panel are about one record. */
  const moveTo = (index: number) => {
    const next = Math.min(total - 1, Math.max(0, index));
    if (ficha && ver !== null) return recorrido.irA(next);
    setActive(next);
    scrollTo(next);
  };
  // The row at the keys' place may lie far from those in sight, and is then nowhere in the document.
  const dibujada = active !== null && first <= active && active <= last && windows.row(active) !== undefined;
  const precarga = usePrefetch(
    ficha === undefined || opens !== true ? null : `${area}/fichas/${lista.lista}/`,
    lista.corte,
    windows.row,
    rowKey,
    active,
  );
  const menus = useMenus(enFila, {
    id,
    row: windows.row,
    rowKey,
    nombra,
    escritas: { desde: from, filas: written },
    caja: live ? box : null,
    setActive,
  });
  const step = (by: 1 | -1) => () => {
    if (total === 0) return;
    const beside = by === 1 ? place.next : place.previous;
    moveTo(active === null ? (beside ?? 0) : active + by);
    // A screen reader reads the row once the table has the focus.
    if (isFocusFree()) focusOn(table.current);
  };
  useTeclas({
    j: step(1),
    k: step(-1),
    ...(acciones && active !== null && { x: () => seleccion.alternar(active) }),
    ...(opens && active !== null && { Enter: () => openAt(active) }),
    ...(menus &&
      active !== null && {
        '.': () => menus.pedir(active, lastIn(document.getElementById(`${id}${active}`)), 'tecla'),
      }),
  });
  const onKeyDown = tableKeys({
    total,
    active,
    topRow: () => Math.ceil((box.current?.scrollTop ?? 0) / rowHeight),
    pageRows: () => Math.max(1, Math.floor(((box.current?.clientHeight ?? 0) - titulos * 2) / rowHeight) - 1),
    moveTo,
    elegir: acciones && ((index, extend) => seleccion.alternar(index, extend)),
    open: opens && active !== null ? () => openAt(active) : undefined,
  });

  return (
    <section className="lista" id="lista" aria-busy={busy} data-impresa={impresas ? true : undefined}>
      {lista.impresion && <Impresion {...lista.impresion} total={total} label={label} filtro={lista.filtro} />}
      <div className="lista-cabeza">
        <Vistas {...lista} action={source}>
          <Chips chips={lista.chips} />
          {live && (
            <Novedades
              source={source}
              query={query}
              corte={windows.corte}
              total={total}
              indice={Math.floor((first + OVERSCAN / 2) / WINDOW)}
              keyAt={keyAt}
              held={windows.held}
              replace={windows.replace as (indice: number, filas: unknown[]) => void}
              keyOf={rowKey as (row: unknown) => string}
              onChanged={(keys, corte) => setCambiadas({ keys, corte })}
              box={box}
              rowHeight={rowHeight}
              active={!busy && totales !== null}
            />
          )}
          <ElegirColumnas columns={todas} columnas={lista.columnas} action={source} />
        </Vistas>
        <Toolbar
          filtro={lista.filtro}
          total={totales && total}
          de={totales ? de?.(totales) : undefined}
          filtros={lista.chips.length}
          label={label}
          placeholder={placeholder}
          plegados={plegados}
          actions={
            <>
              <a
                className="boton imprime"
                href={withParams(search, { imprimir: '1', pagina: null, ver: null })}
                aria-label="Imprimir"
                title="Imprimir"
              >
                <Icono nombre="imprimir" />
              </a>
              <ExportButton lista={lista.lista} query={query} area={area} empty={total === 0} boton={excel} />
            </>
          }
        >
          {children}
        </Toolbar>
      </div>
      {lista.aviso && (
        <p className="panel" data-tono="aviso" role="alert">
          {lista.aviso}
        </p>
      )}
      <Alcance lista={lista} registros={totales && total} query={query} source={source} />
      <Exports lista={lista.lista} area={area} exportaciones={lista.exportaciones} />
      {menus?.pedida}
      {resumen && hasTotals && <Resumen columns={columns} totales={totales} label={label} />}
      <div className="lista-avance" data-activo={busy || undefined} />
      <div
        className="lista-caja"
        ref={box}
        style={
          {
            '--fila': `${rowHeight}px`,
            '--titulos': `${titulos}px`,
            '--alto': `${titulos + (total === 0 ? NOTHING : heightOf(heights, 0, total)) + heights.foot + 2}px`,
          } as CSSProperties
        }
      >
        <table
          ref={table}
          className="lista-tabla"
          data-tarjetas={hasTarjetas(columns) || undefined}
          role="grid"
          aria-label={label}
          aria-rowcount={totales ? total + 1 : -1}
          aria-activedescendant={dibujada ? `${id}${active}` : undefined}
          tabIndex={0}
          onKeyDown={onKeyDown}
          onPointerOver={precarga}
          style={leastWidths(columns)}
        >
          <Widths columns={columns} />
          <Headers columns={columns} orden={lista.filtro.orden} search={search} widen={widen} />
          <Rows
            columns={columns}
            id={id}
            total={total}
            first={first}
            last={last}
            gaps={live}
            served={!hydrated && !impresas}
            heightOf={(from, to) => heightOf(heights, from, to)}
            row={impresas ? (index) => impresas[index] : windows.row}
            tone={tone}
            changed={(row) => cambiadas.corte === windows.corte && cambiadas.keys.includes(rowKey(row))}
            active={active}
            nada={totales !== null && <Vacio filtro={lista.filtro} chips={lista.chips} porQue={vacia} />}
            elegir={acciones && seleccion.alternar}
            pedir={menus?.pedir}
            cambiar={columns.some((column) => column.edita) ? cambiar : undefined}
            opening={
              opens
                ? {
                    isOpen,
                    hrefOf,
                    open: (index) => {
                      setActive(index);
                      openAt(index);
                    },
                  }
                : undefined
            }
            detail={detail}
            linea={linea}
          />
          {hasTotals && <Totals columns={columns} totales={totales} />}
        </table>
        {live && (
          <Encima
            caja={box}
            columns={columns as Column<unknown, never>[]}
            row={windows.row}
            rowKey={rowKey as (row: unknown) => string}
            indexOf={places.indexOf}
            nombra={nombra as (row: unknown) => string}
            activa={active}
            setActive={setActive}
            conPanel={ver !== null}
            pulsada={pulsada}
            atendida={() => setPulsada(null)}
            dibujada={dibujada}
            id={`${id}edades`}
          />
        )}
      </div>
      {menus?.colgado}
      {windows.failed && (
        <p className="lista-fallo" role="alert">
          No se pudieron cargar algunas filas.{' '}
          <button type="button" className="boton" onClick={windows.retry}>
            Reintentar
          </button>
        </p>
      )}
      {acciones && (
        <Lote
          id={`${id}lote`}
          lista={lista.lista}
          area={area}
          query={query}
          corte={windows.corte}
          total={total}
          acciones={acciones}
          seleccion={seleccion}
          aLaVista={[...seleccion.elegidas].filter((key) => places.indexOf(key) !== null).length}
        />
      )}
      <Pages indice={lista.ventana.indice} total={total} search={search} />
      {ficha && <RecorridoProvider value={recorrido}>{ficha}</RecorridoProvider>}
    </section>
  );
}

/** The element from which the menu of a row hangs. */
const lastIn = (row: Element | null) => row && ([...row.querySelectorAll('button[name="menu"]')].at(-1) ?? row);
