import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { entradasOf } from '~/access/menu';
import { usuarioOf } from '~/access/session.server';
import { useArea, useUsuario } from '~/access/useArea';
import { nombreCompleto, ROL_LABEL } from '~/domain/cuentas/usuario';
import { PageHeader, Panel } from '~/ui/Blocks';
import { Icono } from '~/ui/Icono';

export const meta: MetaFunction = () => [{ title: 'Inicio' }];

export function loader({ context }: LoaderFunctionArgs) {
  return { menu: entradasOf(usuarioOf(context).rol) };
}

/** The home of a role that has no screen of its own for it: its menu, in the page, and who it is that entered. */
export default function Bienvenida() {
  const { menu } = useLoaderData<typeof loader>();
  const usuario = useUsuario();
  const area = useArea();
  return (
    <>
      <PageHeader titulo={`Hola, ${usuario.nombre}`} />
      {menu.length === 0 ? (
        <Panel tono="aviso" titulo={`El rol ${ROL_LABEL[usuario.rol]} todavía no tiene pantallas de trabajo.`}>
          Aquí aparecerán en cuanto las haya. Si necesitas entrar a otra pantalla, pide a un administrador que cambie tu
          rol.
        </Panel>
      ) : (
        <nav className="atajos" aria-label="Pantallas">
          {menu.map(({ label, to, icono }) => (
            <Link key={to} to={to} className="hoja">
              <Icono nombre={icono} />
              {label}
            </Link>
          ))}
        </nav>
      )}
      <section className="hoja media">
        <h2>Tus datos</h2>
        <dl className="ficha">
          <div>
            <dt>Nombre</dt>
            <dd>{nombreCompleto(usuario)}</dd>
          </div>
          <div>
            <dt>Usuario</dt>
            <dd>{usuario.usuario}</dd>
          </div>
          <div>
            <dt>Rol</dt>
            <dd>{ROL_LABEL[usuario.rol]}</dd>
          </div>
          <div className="ancha">
            <dt>Email</dt>
            <dd>{usuario.email}</dd>
          </div>
        </dl>
        <div className="botones">
          <Link className="boton" to={`${area}/datosUsuario`}>
            Editar Datos
          </Link>
        </div>
      </section>
    </>
  );
}
