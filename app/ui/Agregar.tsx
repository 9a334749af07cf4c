import { Link, useLocation } from '@remix-run/react';
import { withParams } from '~/core/list';

/** The way to the form of something new, over a list: `?agregar=1`. */
export function Agregar({ children = 'Agregar' }: { children?: string }) {
  const { search } = useLocation();
  return (
    <Link
      className="boton"
      data-tono="acento"
      to={withParams(search, { agregar: '1', ver: null, editar: null })}
      preventScrollReset
    >
      {children}
    </Link>
  );
}
