import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData, useLocation } from '@remix-run/react';
import { z } from 'zod';
import { can } from '~/access/actions';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { markUnprocessable } from '~/core/answerStatus.server';
import { rangoProblem, toWire, withParams } from '~/core/list';
import { civilDay } from '~/core/time';
import { facturasParaNota, listNotas } from '~/domain/compras/facturas/notas.server';
import { listProveedorOptions } from '~/domain/compras/directorio/proveedores.server';
import { readComplementos } from '~/domain/compras/pagos/complementos.server';
import { periodoDeCuenta, readEstadoDeCuenta } from '~/domain/compras/pagos/estadoDeCuenta.server';
import { deudasPorProveedor } from '~/domain/compras/pagos/porPagar.server';
import { defineActions } from '~/http/actions.server';
import { FiltroProveedor } from '~/routes/cierre/reportes/FiltroProveedor';
import { EmptyState, PageHeader } from '~/ui/Blocks';
import { deferredPart } from '~/ui/deferredPart';
import { RangoFechas } from '~/ui/RangoFechas';
import { useAsked } from '~/ui/useAnswer';
import { db } from '~db/shared.server';
import { cuentaActions } from './actions';
import { Complementos } from './Complementos';
import { Cuenta } from './Cuenta';
import { Deudas } from './Deudas';
import { Notas } from './Notas';
import './cuenta.css';

const NotaDialog = deferredPart('NotaDialog', async () => (await import('./NotaDialog')).NotaDialog);

export const meta: MetaFunction = () => [{ title: 'Estado de cuenta' }];

/** The field of the address that opens a credit note. */
const NOTA = 'nota';

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const search = new URL(request.url).searchParams;
  const proveedores = await listProveedorOptions(db());
  const proveedor = proveedores.find(({ value }) => value === search.get('proveedor'))?.value ?? null;
  const periodo = periodoDeCuenta(search);
  const aviso = rangoProblem(search, periodo);
  if (aviso) markUnprocessable(request);
  const id = z.uuid().safeParse(search.get(NOTA)).data;
  const puede = can(usuario, 'proveedorFacturas.editar') && can(usuario, 'pagos.operar');
  const [estado, deudas, notas, complementos, [abierta], facturas] = await Promise.all([
    proveedor === null ? undefined : readEstadoDeCuenta(db(), proveedor, periodo),
    proveedor === null ? deudasPorProveedor(db()) : [],
    listNotas(db(), { proveedor }),
    readComplementos(db(), { proveedor }),
    id ? listNotas(db(), { nota: id }) : [],
    id && puede ? facturasParaNota(db(), id) : [],
  ]);
  return {
    proveedor,
    proveedores,
    periodo,
    aviso,
    puede,
    hoy: civilDay(new Date()),
    estado: estado ? toWire(estado) : null,
    deudas: toWire(deudas),
    notas: toWire(notas),
    complementos: toWire(complementos),
    abierta: abierta ? toWire(abierta) : null,
    facturas: toWire(facturas),
  };
}

export const action = defineActions(cuentaActions);

/** What was ordered from a supplier, invoiced, credited and paid, and the papers of suppliers that wait for a person. */
export default function EstadoDeCuenta() {
  const { proveedor, proveedores, periodo, aviso, puede, hoy, estado, deudas, notas, complementos, abierta, facturas } =
    useLoaderData<typeof loader>();
  const { search } = useLocation();
  const area = useArea();
  const asked = useAsked();
  const { desde, hasta } = periodo;
  return (
    <>
      <PageHeader
        titulo="Estado de cuenta"
        nota="Lo pedido, facturado, acreditado y pagado de cada proveedor, y sus papeles por atender."
      >
        {estado && (
          <a
            className="boton"
            href={`${area}/descargas/estadoDeCuenta/${estado.proveedor}?${new URLSearchParams({ desde, hasta })}`}
            download
          >
            Excel
          </a>
        )}
        {puede && (
          <Link className="boton" data-tono="acento" to={`${area}/facturasProveedores?xml=1`}>
            Subir XML
          </Link>
        )}
      </PageHeader>
      {aviso && (
        <p className="panel" data-tono="aviso" role="alert">
          {aviso}
        </p>
      )}
      <div className="barra-reporte cuenta-barra">
        <RangoFechas {...periodo} boton="Ver" without={['proveedor', NOTA]}>
          <FiltroProveedor valor={proveedor ?? ''} proveedores={proveedores} />
        </RangoFechas>
      </div>
      {notas.length > 0 && <Notas notas={notas} abre={NOTA} puede={puede} />}
      {complementos.length > 0 && <Complementos complementos={complementos} puede={puede} />}
      {estado ? (
        <Cuenta estado={estado} abre={NOTA} />
      ) : deudas.length > 0 ? (
        <Deudas deudas={deudas} />
      ) : (
        <EmptyState>No se debe nada a ningún proveedor. Elige uno para ver su cuenta.</EmptyState>
      )}
      {abierta && !asked && (
        <NotaDialog
          key={abierta.id}
          nota={abierta}
          facturas={facturas}
          hoy={hoy}
          puede={puede}
          cerrar={withParams(search, { [NOTA]: null })}
        />
      )}
    </>
  );
}
