import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { menuOf } from '~/access/menu';
import { usuarioOf } from '~/access/session.server';
import { PageHeader } from '~/ui/Blocks';

export const meta: MetaFunction = () => [{ title: 'Inicio' }];

export function loader({ context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  return { nombre: usuario.nombre, menu: menuOf(usuario.rol) };
}

/** The home of a role that has no screen of its own for it: its menu, in the page. */
export default function Bienvenida() {
  const { nombre, menu } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader titulo={`Hola, ${nombre}`} />
      <nav className="campos" aria-label="Pantallas">
        {menu.map(({ label, to }) => <Link key={to} to={to} className="hoja" style={{ margin: 0, textDecoration: 'none' }}>{label}</Link>)}
      </nav>
    </>
  );
}
