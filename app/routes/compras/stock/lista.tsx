import { NativeSelect } from '@mantine/core';
import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData, useLocation } from '@remix-run/react';
import { can } from '~/access/actions';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { toWire, withParamOf, withParams } from '~/core/list';
import { Money } from '~/core/money';
import { openList } from '~/platform/lists/list.server';
import { NOMBRE_EN, nombreCorto } from '~/domain/compras/catalogo/producto';
import { listProveedorOptions } from '~/domain/compras/directorio/proveedores.server';
import { ESTADO_LABEL, ESTADO_TONO, ERROR_PROVEEDOR, nombreOfPieza, PIEZA_AUSENTE } from '~/domain/compras/stock/pieza';
import { advanceEstado } from '~/domain/compras/stock/piezas.server';
import { AdelantarEstado } from '~/domain/compras/stock/forms';
import { listEstados } from '~/domain/compras/stock/readPiezas.server';
import { stockInternoList, valorEnBodega } from '~/domain/compras/stock/listStock.server';
import { defineActions } from '~/http/actions.server';
import { stockActions } from './actions';
import { celdaOfCosto } from './celdas';
import { ListScreen } from '~/ui/ListScreen';
import { definePanel } from '~/ui/ficha/panel';
import { DosLineas, type AccionDeFila, type Column } from '~/ui/DataTable';
import { Estatus } from '~/ui/Estatus';
import { Fecha, formatHora } from '~/ui/Fecha';
import { deferredPart } from '~/ui/deferredPart';
import { ConRetrato } from '~/ui/lista/ConRetrato';
import { Pesos } from '~/ui/Pesos';
import { usePantalla } from '~/ui/Pantallas';
import { Colgado } from '~/ui/Colgado';
import { TablaCaja } from '~/ui/TablaCaja';
import { db } from '~db/shared.server';
import { FiltroProveedor } from '~/routes/cierre/reportes/FiltroProveedor';
import { openRecord } from '~/routes/area/openRecord';
import { accionesOfList as accionesDeLista } from '~/routes/operacion/lotes/lotes';
import { piezaOf } from './record';
import { IMPRIMIR, ImprimirDialog } from './Imprimir';

import './stock.css';

export { shouldRevalidate } from '~/ui/ficha/soloFicha';

const EstatusDialog = deferredPart('EstatusDialog', async () => (await import('./EstatusDialog')).EstatusDialog, {
  ahead: false,
});
/** The field of the address that opens the table of states. */
const ESTATUS = 'estatus';

const PANEL = definePanel('PiezaFicha', {
  load: async () => (await import('./PiezaFicha')).PiezaFicha,
  que: 'Devolución',
  ausente: PIEZA_AUSENTE,
  edita: true,
});

export const meta: MetaFunction = () => [{ title: 'Stock Interno' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const [lista, abierta, estados, proveedores, valor] = await Promise.all([
    openList(db(), stockInternoList, request, usuario),
    openRecord(request, usuario, piezaOf),
    listEstados(db()),
    listProveedorOptions(db()),
    valorEnBodega(db()),
  ]);
  return {
    lista,
    abierta,
    estados,
    proveedores,
    valor: toWire(valor),
    opera: can(usuario, 'stock.operar'),
    ordena: can(usuario, 'stock.ordenar'),
    acciones: accionesDeLista(stockInternoList.lista, usuario),
  };
}

export const action = defineActions({
  ...stockActions(),
  adelantarEstado: {
    schema: AdelantarEstado,
    right: 'stock.ordenar',
    commit: (trx, { estado }, usuario) => advanceEstado(trx, estado, usuario.id),
  },
});

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];
type Row = Lista['ventana']['filas'][number];

/** The columns of a piece, whose cost is changed in its cell by people who may. */
const columnsFor = (opera: boolean): Column<Row, Lista['totales']>[] => [
  {
    header: 'Fecha',
    tarjeta: 'fecha',
    sort: 'fecha',
    width: 92,
    cell: ({ creadaEn }) => (
      <DosLineas debajo={formatHora(creadaEn)}>
        <Fecha valor={creadaEn} hora={false} />
      </DosLineas>
    ),
  },
  {
    header: 'Folio / No. Orden',
    tarjeta: 'numero',
    width: 166,
    copia: ({ folio, numOrden }) => [folio, numOrden],
    opens: true,
    cell: ({ folio, numOrden }) => <DosLineas debajo={numOrden ?? 'Sin orden'}>{folio}</DosLineas>,
  },
  {
    header: 'Nombre',
    tarjeta: 'titulo',
    cell: (pieza) => (
      <ConRetrato lado={pieza.alLado}>
        <span className="dos-lineas" title={nombreOfPieza(pieza)}>
          {nombreCorto(nombreOfPieza(pieza), NOMBRE_EN.stock)}
        </span>
      </ConRetrato>
    ),
  },
  {
    header: 'Costo',
    tarjeta: 'monto',
    sort: 'costo',
    width: 104,
    align: 'right',
    hideUnder: 'sm',
    edita: opera ? celdaOfCosto : undefined,
    cell: (pieza) => <Pesos valor={pieza.costo} />,
    total: ({ costo }) => <Pesos valor={costo} />,
  },
  {
    header: 'Estatus',
    tarjeta: 'estatus',
    width: 128,
    cell: ({ estado }) => <Estatus tono={ESTADO_TONO[estado]}>{ESTADO_LABEL[estado]}</Estatus>,
  },
  { header: 'Folio Factura', width: 108, hideUnder: 'md', cell: (pieza) => pieza.facturaFolio ?? '—' },
  {
    header: 'Modelo / Proveedor',
    width: 148,
    hideUnder: 'md',
    cell: ({ modelo, link, proveedorLabel }) => (
      <DosLineas debajo={proveedorLabel ?? ERROR_PROVEEDOR}>
        {link ? (
          <a href={link} target="_blank" rel="noopener noreferrer">
            {modelo ?? 'Ver'}
          </a>
        ) : (
          (modelo ?? '—')
        )}
      </DosLineas>
    ),
  },
];

const accionesOf = ({ id, folio }: Row, con: ReturnType<typeof withParamOf>): AccionDeFila[] => [
  { texto: 'EDITAR', nombre: `Editar ${folio}`, href: con('ver', id) },
  { texto: 'IMPRIMIR', nombre: `Imprimir el código QR de ${folio}`, href: con(IMPRIMIR, id) },
];

type Valor = ReturnType<typeof useLoaderData<typeof loader>>['valor'];

/** The number and cost of the pieces on the shelf, by supplier and state. The filter of the list does not change the sums. */
function EnBodega({ valor }: { valor: Valor }) {
  if (valor.length === 0) return null;
  const piezas = valor.reduce((suma, suyo) => suma + suyo.piezas, 0);
  const costo = Money.sum(valor.map((suyo) => Money.of(suyo.costo)));
  return (
    <Colgado
      boton={
        <>
          En bodega: {piezas === 1 ? '1 pieza' : `${piezas} piezas`}, <Pesos valor={costo.toFixed(2)} />
        </>
      }
    >
      <TablaCaja nombre="En bodega">
        <table className="tabla">
          <thead>
            <tr>
              <th>Proveedor</th>
              <th>Estatus</th>
              <th className="pesos">Piezas</th>
              <th className="pesos">Costo</th>
            </tr>
          </thead>
          <tbody>
            {valor.flatMap((suyo) =>
              suyo.estados.map((uno, at) => (
                <tr key={`${suyo.proveedor}-${uno.estado}`}>
                  {at === 0 && <th rowSpan={suyo.estados.length}>{suyo.proveedor ?? ERROR_PROVEEDOR}</th>}
                  <td>{ESTADO_LABEL[uno.estado]}</td>
                  <td className="pesos">{uno.piezas}</td>
                  <td className="pesos">
                    <Pesos valor={uno.costo} />
                  </td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      </TablaCaja>
    </Colgado>
  );
}

/** The screen of our own stock: returned pieces, with the state and the value of each. */
export default function StockInterno() {
  const { lista, abierta, estados, proveedores, valor, opera, ordena, acciones } = useLoaderData<typeof loader>();
  const { search } = useLocation();
  const area = useArea();
  const [devoluciones, etiquetas, conteos] = [
    usePantalla('devoluciones'),
    usePantalla('etiquetasStock'),
    usePantalla('conteos'),
  ];
  const con = withParamOf(search, { ver: null, menu: null, [IMPRIMIR]: null });
  return (
    <ListScreen
      titulo="Stock Interno"
      botones={
        <>
          <EnBodega valor={valor} />
          <Link className="boton" to={withParams(search, { [ESTATUS]: '1', ver: null })} preventScrollReset>
            Estatus
          </Link>
          {conteos && (
            <Link className="boton" to={conteos}>
              Conteos
            </Link>
          )}
          {etiquetas && (
            <Link className="boton" to={etiquetas}>
              Etiquetas en blanco
            </Link>
          )}
          {devoluciones && (
            <Link className="boton" data-tono="acento" to={devoluciones}>
              Devoluciones
            </Link>
          )}
        </>
      }
      lista={lista}
      plegados
      rango={{
        ...lista.filtro,
        conHora: true,
        without: ['estado', 'proveedor'],
        children: (
          <>
            <NativeSelect
              key={`estado-${lista.filtro.estado}`}
              name="estado"
              label="Estatus"
              defaultValue={lista.filtro.estado}
              data={[{ value: '', label: 'Todos' }, ...estados.map((value) => ({ value, label: ESTADO_LABEL[value] }))]}
            />
            <FiltroProveedor valor={lista.filtro.proveedor} proveedores={proveedores} />
          </>
        ),
      }}
      columns={columnsFor(opera)}
      rowKey={(pieza) => pieza.id}
      nombra={({ folio }) => `la pieza ${folio}`}
      tone={({ estado }) => (estado === 'danado' ? 'mal' : estado === 'enRevision' ? 'aviso' : undefined)}
      lines={2}
      placeholder="Folio, orden, nombre, modelo o factura"
      vacia={{ nada: 'Todavía no hay piezas. Llegan con cada devolución.' }}
      enFila={{ ancho: 132, tarjeta: 'menu', de: (pieza) => accionesOf(pieza, con) }}
      acciones={acciones}
      panel={PANEL}
      abierta={abierta}
    >
      {new URLSearchParams(search).has(ESTATUS) && (
        <EstatusDialog estados={estados} puede={ordena} cerrar={withParams(search, { [ESTATUS]: null })} />
      )}
      <ImprimirDialog area={area} />
    </ListScreen>
  );
}
