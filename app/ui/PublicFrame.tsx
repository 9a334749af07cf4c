import { Link, useLocation } from '@remix-run/react';
import type { ReactNode } from 'react';

const TERMINOS = '/terminosYCondiciones';

/** The page of someone who is not signed in: brand, content, copyright and the terms (not on the terms themselves). */
export function PublicFrame({ marca, children }: { marca: string; children: ReactNode }) {
  const { pathname } = useLocation();
  return (
    <div className="publico">
      <a className="saltar" href="#contenido">
        Saltar al contenido
      </a>
      <header>
        <Link to="/">{marca}</Link>
      </header>
      <main id="contenido" tabIndex={-1}>
        {children}
      </main>
      <footer>
        <span>
          © {new Date().getUTCFullYear()} {marca}. Todos los derechos reservados.
        </span>
        {pathname !== TERMINOS && <Link to={TERMINOS}>Términos y condiciones</Link>}
      </footer>
    </div>
  );
}
