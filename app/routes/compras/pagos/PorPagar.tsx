import { NativeSelect } from '@mantine/core';
import { Form, Link, useLocation } from '@remix-run/react';
import type { ReactNode } from 'react';
import { useArea } from '~/access/useArea';
import { writeCount } from '~/core/count';
import { withParamOf, withParams } from '~/core/list';
import { CUALES } from '~/domain/compras/pagos/pago';
import { FiltroProveedor } from '~/routes/cierre/reportes/FiltroProveedor';
import { Boton } from '~/ui/Boton';
import { Colgado } from '~/ui/Colgado';
import { DosLineas, type Column } from '~/ui/DataTable';
import { deferredPart } from '~/ui/deferredPart';
import { Estatus } from '~/ui/Estatus';
import { formatFecha } from '~/ui/Fecha';
import { HiddenParams } from '~/ui/HiddenParams';
import { ListScreen } from '~/ui/ListScreen';
import { Pesos } from '~/ui/Pesos';
import { TablaCaja } from '~/ui/TablaCaja';
import type { PorPagarAbierto } from './openPorPagar';
import { ANUNCIADAS, PAGAR } from './pagar';

const AnunciadasForm = deferredPart('AnunciadasForm', async () => (await import('./AnunciadasForm')).AnunciadasForm);
const PagarForm = deferredPart('PagarForm', async () => (await import('./PagarForm')).PagarForm);

type Lista = PorPagarAbierto['lista'];
type Fila = Lista['ventana']['filas'][number];
type Cuentas = PorPagarAbierto['cuentas'];

const COLUMNS: Column<Fila, Lista['totales']>[] = [
  {
    header: 'Vence',
    tarjeta: 'fecha',
    sort: 'vence',
    width: 112,
    cell: ({ vence, vencida }) =>
      vence === null ? (
        <Estatus tono="neutro">Sin plazo</Estatus>
      ) : (
        <DosLineas debajo={vencida && <Estatus tono="mal">Vencida</Estatus>}>{formatFecha(vence)}</DosLineas>
      ),
  },
  {
    header: 'Folio',
    tarjeta: 'titulo',
    sort: 'folio',
    copia: ({ folio }) => [folio],
    cell: ({ folio, fecha }) => <DosLineas debajo={`del ${formatFecha(fecha)}`}>{folio}</DosLineas>,
  },
  {
    header: 'Proveedor',
    tarjeta: 'estatus',
    sort: 'proveedor',
    width: 140,
    cell: ({ proveedorLabel }) => proveedorLabel,
  },
  {
    header: 'No. Orden',
    tarjeta: 'numero',
    width: 168,
    copia: ({ numOrden }) => [numOrden],
    cell: (factura) => <DeOrden {...factura} />,
  },
  {
    header: 'Monto',
    width: 124,
    align: 'right',
    hideUnder: 'sm',
    cell: ({ monto }) => <Pesos valor={monto} />,
    total: ({ monto }) => <Pesos valor={monto} />,
  },
  {
    header: 'Pagado',
    width: 124,
    align: 'right',
    hideUnder: 'sm',
    cell: ({ pagada }) => <Pesos valor={pagada} />,
    total: ({ pagada }) => <Pesos valor={pagada} />,
  },
  {
    header: 'Notas',
    width: 110,
    align: 'right',
    hideUnder: 'md',
    cell: ({ acreditada }) => <Pesos valor={acreditada} />,
    total: ({ acreditada }) => <Pesos valor={acreditada} />,
  },
  {
    header: 'Falta',
    tarjeta: 'monto',
    sort: 'falta',
    width: 124,
    align: 'right',
    cell: ({ falta }) => <Pesos valor={falta} />,
    total: ({ falta }) => <Pesos valor={falta} />,
  },
];

function DeOrden({ ordenId, numOrden, titulo }: Fila) {
  const area = useArea();
  return (
    <DosLineas debajo={titulo}>
      <Link to={`${area}/cotizaciones?ver=${ordenId}&pago=todos`}>{numOrden}</Link>
    </DosLineas>
  );
}

type Props = PorPagarAbierto & { puede: boolean; vistas: ReactNode };

/** The invoices of suppliers that are still to be paid, and what is owed to each. */
export function PorPagar({ lista, cuentas, anunciadas, tope, agregar, pagar, puede, proveedores, vistas }: Props) {
  const { search } = useLocation();
  const { proveedor, cuales } = lista.filtro;
  const sinPagar = withParams(search, { [PAGAR.proveedor]: null, [PAGAR.factura]: null });
  const con = withParamOf(search, { menu: null, [PAGAR.factura]: null });
  return (
    <ListScreen
      titulo="Pagos a proveedores"
      label="Facturas por pagar"
      nota="Lo que se debe de cada factura de proveedor, de cualquier fecha."
      botones={
        <>
          {vistas}
          {cuentas.length > 0 && <PorProveedor cuentas={cuentas} con={puede ? con : undefined} />}
        </>
      }
      encima={
        anunciadas.length > 0 && (
          <p className="panel" data-tono="aviso">
            {anunciadas.length === 1
              ? 'Un proveedor anunció 1 factura que no está aquí.'
              : `Los proveedores anunciaron ${anunciadas.length === tope ? 'al menos ' : ''}${writeCount(anunciadas.length)} facturas que no están aquí.`}{' '}
            {puede && (
              <Link to={withParams(search, { [ANUNCIADAS]: '1' })} preventScrollReset>
                {anunciadas.length === 1 ? 'Agregarla' : 'Agregarlas'}
              </Link>
            )}
          </p>
        )
      }
      lista={lista}
      filtros={
        <Form method="get" className="rango" preventScrollReset>
          <HiddenParams
            search={search}
            without={['proveedor', 'cuales', 'pagina', ANUNCIADAS, ...Object.values(PAGAR)]}
          />
          <FiltroProveedor valor={proveedor} proveedores={proveedores} />
          <NativeSelect
            key={cuales}
            name="cuales"
            label="Cuáles"
            defaultValue={cuales}
            data={Object.entries(CUALES).map(([value, label]) => ({ value, label }))}
          />
          <Boton tono="acento" type="submit">
            Buscar
          </Boton>
        </Form>
      }
      columns={COLUMNS}
      rowKey={(factura) => factura.id}
      nombra={({ folio }) => `la factura ${folio}`}
      lines={2}
      placeholder="Folio, proveedor u orden"
      vacia={{ nada: 'No se debe ninguna factura de las que están aquí.' }}
      enFila={
        puede
          ? {
              ancho: 132,
              tarjeta: 'menu',
              de: ({ id, proveedor: suyo, folio }) => [
                {
                  texto: 'Pagar',
                  nombre: `Pagar ${folio}`,
                  href: `${con(PAGAR.proveedor, suyo)}&${PAGAR.factura}=${id}`,
                },
              ],
            }
          : undefined
      }
    >
      {agregar && anunciadas.length > 0 && (
        <AnunciadasForm anunciadas={anunciadas} cerrar={withParams(search, { [ANUNCIADAS]: null })} />
      )}
      {puede && pagar && <PagarForm key={pagar.proveedor} {...pagar} tope={tope} cerrar={sinPagar} />}
    </ListScreen>
  );
}

/** What is owed to each supplier, and what was ordered without an invoice of theirs. */
function PorProveedor({ cuentas, con }: { cuentas: Cuentas; con: ReturnType<typeof withParamOf> | undefined }) {
  const area = useArea();
  return (
    <Colgado boton="Por proveedor">
      <TablaCaja nombre="Lo que se debe a cada proveedor">
        <table className="tabla tablero">
          <thead>
            <tr>
              <th>Proveedor</th>
              <th>Plazo</th>
              <th className="num">Facturas</th>
              <th className="pesos">Por pagar</th>
              <th className="pesos">Vencido</th>
              <th className="pesos">Pedido sin factura</th>
              {con && <th>Pagar</th>}
            </tr>
          </thead>
          <tbody>
            {cuentas.map(({ proveedor, label, plazoDias, facturas, falta, vencido, pesos, dolares }) => (
              <tr key={proveedor}>
                <td className="titular">{label}</td>
                <td data-campo="Plazo">
                  <Link to={`${area}/proveedores?ver=${proveedor}`}>
                    {plazoDias === null ? 'Decir su plazo' : `${plazoDias} días`}
                  </Link>
                </td>
                <td className="num" data-campo="Facturas">
                  {facturas}
                </td>
                <td className="pesos" data-campo="Por pagar">
                  <Pesos valor={falta} />
                </td>
                <td className="pesos" data-campo="Vencido">
                  <Pesos valor={plazoDias === null ? null : vencido} />
                </td>
                <td className="pesos" data-campo="Pedido sin factura">
                  <Pesos valor={pesos} />
                  {dolares !== null && <> y USD {dolares}</>}
                </td>
                {con && (
                  <td data-campo="Pagar">
                    {facturas > 0 && (
                      <Link
                        className="boton"
                        to={con(PAGAR.proveedor, proveedor)}
                        preventScrollReset
                        aria-label={`Pagar a ${label}`}
                      >
                        Pagar
                      </Link>
                    )}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </TablaCaja>
    </Colgado>
  );
}
