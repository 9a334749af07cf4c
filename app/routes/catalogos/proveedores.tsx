import { parseWithZod } from '@conform-to/zod/v4';
import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { requireRight } from '~/access/actions';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import type { Answer } from '~/core/submission';
import { invalid, submit } from '~/http/submit.server';
import { REGLA_LABEL, type ReglaFactura } from '~/domain/proveedores/proveedor';
import { NewProveedor, ProveedorEditado } from '~/domain/proveedores/proveedorForm';
import { createProveedor, listProveedores, saveProveedor } from '~/domain/proveedores/proveedores.server';
import { PageHeader } from '~/ui/Blocks';
import { Dialog } from '~/ui/Dialog';
import { Estatus } from '~/ui/Estatus';
import { db } from '~db/shared.server';
import { ProveedorForm } from './proveedores/ProveedorForm';

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

export async function action({ request, context }: ActionFunctionArgs) {
  const usuario = usuarioOf(context);
  requireRight(usuario, 'proveedores.editar');
  const form = await request.formData();
  const reply = { formId: 'proveedor' };
  if (form.get('accion') === 'agregar') {
    const submission = parseWithZod(form, { schema: NewProveedor });
    if (submission.status !== 'success') return invalid(submission, reply);
    const { value } = submission;
    return submit(
      submission,
      () =>
        db()
          .transaction()
          .execute((trx) => createProveedor(trx, value, usuario.id)),
      '?',
      { ...reply, aviso: 'Se agrego al proveedor correctamente.' },
    );
  }
  const submission = parseWithZod(form, { schema: ProveedorEditado });
  if (submission.status !== 'success') return invalid(submission, reply);
  const { value } = submission;
  return submit(
    submission,
    () =>
      db()
        .transaction()
        .execute((trx) => saveProveedor(trx, value, usuario.id)),
    '?',
    { ...reply, aviso: 'Se modifico la información general correctamente.' },
  );
}

/** The catalogue: few rows that change seldom. */
export default function Proveedores() {
  const { proveedores, abierto, agregar } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>() as Answer | undefined;
  const area = useArea();
  return (
    <>
      <PageHeader titulo="Proveedores">
        <Link className="boton" to={`${area}/agentesVentas`}>
          Venta Agentes
        </Link>
        <Link className="boton" data-tono="acento" to="?agregar=1" preventScrollReset>
          Agregar
        </Link>
      </PageHeader>
      <div className="tabla-caja" role="region" aria-label="Proveedores" tabIndex={0}>
        <table className="tabla">
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
                <td>{proveedor.value}</td>
                <td>
                  <Link to={`?ver=${proveedor.value}`} preventScrollReset>
                    {proveedor.label}
                  </Link>
                </td>
                <td>{proveedor.rfc ?? '—'}</td>
                <td>{proveedor.email ?? '—'}</td>
                <td className="sin-corte">
                  <Pagina url={proveedor.linkHome}>Sitio</Pagina>{' '}
                  <Pagina url={proveedor.linkProductos}>Productos</Pagina>{' '}
                  <Pagina url={proveedor.linkFactura}>Facturas</Pagina>
                </td>
                <td className="sin-corte">
                  {proveedor.linkFactura ? REGLA_LABEL[proveedor.reglaFactura as ReglaFactura] : REGLA_LABEL.ninguna}
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
      </div>
      {agregar && (
        <Dialog titulo="Agregar proveedor" cerrar="?" ancho="grande">
          <ProveedorForm answer={answer} cerrar="?" />
        </Dialog>
      )}
      {abierto && (
        <Dialog key={abierto.value} titulo={`Proveedor ${abierto.label}`} cerrar="?" ancho="grande">
          <ProveedorForm key={abierto.version} proveedor={abierto} answer={answer} cerrar="?" />
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
