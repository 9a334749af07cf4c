import { NativeSelect } from '@mantine/core';
import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData, useLocation } from '@remix-run/react';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { withParamOf } from '~/core/list';
import { openList } from '~/domain/lists/list.server';
import { ventaUrl } from '~/domain/ordenes/orden';
import { nombreCorto } from '~/domain/proveedores/producto';
import { listProveedorOptions } from '~/domain/proveedores/proveedores.server';
import { ESTADO_LABEL, ESTADO_TONO } from '~/domain/stock/estado';
import { listEstados } from '~/domain/stock/leerPieza.server';
import { stockInternoList } from '~/domain/stock/listStock.server';
import { ERROR_PROVEEDOR, nombreDePieza } from '~/domain/stock/pieza';
import { defineActions } from '~/http/actions.server';
import { PageHeader } from '~/ui/Blocks';
import { DataTable, type AccionDeFila, type Column } from '~/ui/DataTable';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { useFichaDe } from '~/ui/ficha/FichaDe';
import { perezoso } from '~/ui/perezoso';
import { Pesos } from '~/ui/Pesos';
import { usePantalla } from '~/ui/Pantallas';
import { RangoFechas } from '~/ui/RangoFechas';
import { db } from '~db/shared.server';
import { FiltroProveedor } from '../reportes/FiltroProveedor';
import { abiertaIn } from '../parts/abierta';
import { accionesDe as accionesDeLista } from '../parts/lotes';
import { piezaDe } from '../parts/stock/abierta';
import { stockActions } from '../parts/stock/actions';
import { IMPRIMIR, ImprimirDialog } from '../parts/stock/Imprimir';

export { shouldRevalidate } from '~/ui/ficha/soloFicha';

const { Part: PiezaFicha, anticipar } = perezoso('PiezaFicha', async () => ({
  default: (await import('../parts/stock/PiezaFicha')).PiezaFicha,
}));
const AUSENTE = { titulo: 'La pieza no existe', texto: 'El enlace nombra una pieza que no está aquí.' };
/** As many letters of a name as its column shows. */
const MAX_NOMBRE = 40;

export const meta: MetaFunction = () => [{ title: 'Stock Interno' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const [lista, abierta, estados, proveedores] = await Promise.all([
    openList(db(), stockInternoList, request, usuario),
    abiertaIn(request, usuario, piezaDe),
    listEstados(db()),
    listProveedorOptions(db()),
  ]);
  return { lista, abierta, estados, proveedores, acciones: accionesDeLista(stockInternoList.lista, usuario) };
}

export const action = defineActions(stockActions());

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];
type Row = Lista['ventana']['filas'][number];

const COLUMNS: Column<Row, Lista['totales']>[] = [
  { header: 'Fecha', tarjeta: 'fecha', sort: 'fecha', width: 150, cell: (pieza) => <Fecha valor={pieza.creadaEn} /> },
  {
    header: 'Folio',
    tarjeta: 'numero',
    width: 156,
    opens: true,
    copia: ({ folio }) => [folio],
    cell: (pieza) => pieza.folio,
  },
  {
    header: 'No. Orden',
    width: 154,
    copia: ({ numOrden }) => [numOrden],
    cell: ({ numOrden, market }) =>
      numOrden && market ? (
        <a href={ventaUrl(market, numOrden)} target="_blank" rel="noopener noreferrer">
          {numOrden}
        </a>
      ) : (
        '—'
      ),
  },
  {
    header: 'Nombre',
    tarjeta: 'titulo',
    cell: (pieza) => <span title={nombreDePieza(pieza)}>{nombreCorto(nombreDePieza(pieza), MAX_NOMBRE)}</span>,
  },
  {
    header: 'Costo',
    tarjeta: 'monto',
    sort: 'costo',
    width: 112,
    align: 'right',
    cell: (pieza) => <Pesos valor={pieza.costo} />,
    total: ({ costo }) => <Pesos valor={costo} />,
  },
  {
    header: 'Estatus',
    tarjeta: 'estatus',
    width: 168,
    cell: ({ estado }) => <Estatus tono={ESTADO_TONO[estado]}>{ESTADO_LABEL[estado]}</Estatus>,
  },
  { header: 'Folio Factura', width: 120, hideUnder: 'md', cell: (pieza) => pieza.facturaFolio ?? '—' },
  {
    header: 'Modelo',
    width: 140,
    hideUnder: 'md',
    cell: ({ modelo, link }) =>
      link ? (
        <a href={link} target="_blank" rel="noopener noreferrer">
          {modelo ?? 'Ver'}
        </a>
      ) : (
        (modelo ?? '—')
      ),
  },
  { header: 'Proveedor', width: 116, cell: (pieza) => pieza.proveedorLabel ?? ERROR_PROVEEDOR },
];

const accionesDe = ({ id, folio }: Row, con: ReturnType<typeof withParamOf>): AccionDeFila[] => [
  { texto: 'EDITAR', nombre: `Editar ${folio}`, href: con('ver', id) },
  { texto: 'IMPRIMIR', nombre: `Imprimir el código QR de ${folio}`, href: con(IMPRIMIR, id) },
];

/** What came back and is ours: where each piece stands and what it is worth. */
export default function StockInterno() {
  const { lista, abierta, estados, proveedores, acciones } = useLoaderData<typeof loader>();
  const { search } = useLocation();
  const area = useArea();
  const devoluciones = usePantalla('devoluciones');
  const con = withParamOf(search, { ver: null, menu: null, [IMPRIMIR]: null });
  const ficha = useFichaDe({
    lista,
    area,
    inicial: abierta,
    que: 'Devolución',
    ausente: AUSENTE,
    Dentro: PiezaFicha,
    anticipar,
    edita: true,
  });
  return (
    <>
      <PageHeader titulo="Stock Interno">
        {devoluciones && (
          <Link className="boton" data-tono="acento" to={devoluciones}>
            Devoluciones
          </Link>
        )}
      </PageHeader>
      <DataTable
        lista={lista}
        columns={COLUMNS}
        rowKey={(pieza) => pieza.id}
        tone={({ estado }) => (estado === 'danado' ? 'mal' : estado === 'enRevision' ? 'aviso' : undefined)}
        vacia={{ nada: 'Todavía no hay piezas. Llegan con cada devolución.' }}
        label="Stock Interno"
        placeholder="Folio, orden, nombre, modelo o factura"
        area={area}
        opens
        ficha={ficha}
        nombra={({ folio }) => `la pieza ${folio}`}
        enFila={{ ancho: 150, tarjeta: 'menu', de: (pieza) => accionesDe(pieza, con) }}
        acciones={acciones}
      >
        <RangoFechas {...lista.filtro} conHora without={['estado', 'proveedor']}>
          <NativeSelect
            key={`estado-${lista.filtro.estado}`}
            name="estado"
            label="Estatus"
            defaultValue={lista.filtro.estado}
            data={[{ value: '', label: 'Todos' }, ...estados.map((value) => ({ value, label: ESTADO_LABEL[value] }))]}
          />
          <FiltroProveedor valor={lista.filtro.proveedor} proveedores={proveedores} />
        </RangoFechas>
      </DataTable>
      <ImprimirDialog area={area} />
    </>
  );
}
