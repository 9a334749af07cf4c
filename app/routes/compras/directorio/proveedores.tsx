import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { useArea } from '~/access/useArea';
import { defineActions } from '~/http/actions.server';
import { REGLA_LABEL } from '~/domain/compras/directorio/proveedor';
import { NewProveedor, ProveedorEditado } from '~/domain/compras/directorio/forms';
import { createProveedor, listProveedores, saveProveedor } from '~/domain/compras/directorio/proveedores.server';
import { Agregar } from '~/ui/Agregar';
import { PageHeader } from '~/ui/Blocks';
import { Dialog } from '~/ui/Dialog';
import { deferredPart } from '~/ui/deferredPart';
import { Estatus } from '~/ui/Estatus';
import { TablaCaja } from '~/ui/TablaCaja';
import { RecorridoProvider } from '~/ui/ficha/recorrido';
import { useRecorridoCorto } from '~/ui/ficha/useRecorridoCorto';
import { db } from '~db/shared.server';
import '~/ui/ficha/ficha.css';

const ProveedorFicha = deferredPart('ProveedorFicha', () =>
  import('./ProveedorFicha').then(({ ProveedorFicha }) => ProveedorFicha),
);
const ProveedorForm = deferredPart('ProveedorForm', () =>
  import('./ProveedorForm').then(({ ProveedorForm }) => ProveedorForm),
);

export const meta: MetaFunction = () => [{ title: 'Proveedores' }];

export async function loader({ request }: LoaderFunctionArgs) {
  const search = new URL(request.url).searchParams;
  const proveedores = await listProveedores(db());
  return {
    proveedores,
    abierto: proveedores.find(({ value }) => value === search.get('ver')) ?? null,
    agregar: search.get('agregar') === '1',
  };
}

export const action = defineActions({
  agregar: {
    schema: NewProveedor,
    right: 'proveedores.editar',
    commit: (trx, proveedor, usuario) => createProveedor(trx, proveedor, usuario.id),
    to: '?',
    aviso: 'Se agrego al proveedor correctamente.',
  },
  editar: {
    schema: ProveedorEditado,
    right: 'proveedores.editar',
    commit: (trx, proveedor, usuario) => saveProveedor(trx, proveedor, usuario.id),
    aviso: 'Se modifico la información general correctamente.',
  },
});

/** The screen of suppliers: few rows that seldom change. */
export default function Proveedores() {
  const { proveedores, abierto, agregar } = useLoaderData<typeof loader>();
  const area = useArea();
  const recorrido = useRecorridoCorto(
    proveedores.map(({ value }) => value),
    abierto?.value ?? null,
  );
  return (
    <>
      <PageHeader titulo="Proveedores">
        <Link className="boton" to={`${area}/agentesVentas`}>
          Venta Agentes
        </Link>
        <Agregar />
      </PageHeader>
      <div className="catalogo">
        <TablaCaja nombre="Proveedores">
          <table className="tabla tablero">
            <thead>
              <tr>
                <th>Clave</th>
                <th>Nombre</th>
                <th>RFC</th>
                <th>Email</th>
                <th>Páginas</th>
                <th>Enlace de factura</th>
                <th>Estatus</th>
                <th>Administración</th>
              </tr>
            </thead>
            <tbody>
              {proveedores.map((proveedor) => (
                <tr key={proveedor.value}>
                  <td data-campo="Clave">{proveedor.value}</td>
                  <td className="titular">
                    <Link to={`?ver=${proveedor.value}`} preventScrollReset>
                      {proveedor.label}
                    </Link>
                  </td>
                  <td data-campo="RFC">{proveedor.rfc ?? '—'}</td>
                  <td data-campo="Email">{proveedor.email ?? '—'}</td>
                  <td className="sin-corte" data-campo="Páginas">
                    <Pagina url={proveedor.linkHome}>Sitio</Pagina>{' '}
                    <Pagina url={proveedor.linkProductos}>Productos</Pagina>{' '}
                    <Pagina url={proveedor.linkFactura}>Facturas</Pagina>
                    {!(proveedor.linkHome ?? proveedor.linkProductos ?? proveedor.linkFactura) && '—'}
                  </td>
                  <td className="sin-corte" data-campo="Enlace de factura">
                    {proveedor.linkFactura ? REGLA_LABEL[proveedor.reglaFactura] : REGLA_LABEL.ninguna}
                  </td>
                  <td>
                    <Estatus tono={proveedor.activo ? 'ok' : 'mal'}>{proveedor.activo ? 'Activo' : 'Inactivo'}</Estatus>
                  </td>
                  <td>
                    <Link
                      className="boton"
                      to={`?ver=${proveedor.value}`}
                      preventScrollReset
                      aria-label={`Editar ${proveedor.label}`}
                    >
                      Editar
                    </Link>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TablaCaja>
        {abierto && (
          <RecorridoProvider value={recorrido}>
            <ProveedorFicha proveedor={abierto} />
          </RecorridoProvider>
        )}
      </div>
      {agregar && (
        <Dialog titulo="Agregar proveedor" cerrar="?" ancho="grande">
          <ProveedorForm cerrar="?" />
        </Dialog>
      )}
    </>
  );
}

function Pagina({ url, children }: { url: string | null; children: string }) {
  return url ? (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  ) : null;
}
