import { Form, Link, NavLink, useLocation } from '@remix-run/react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { MenuEntry } from '~/access/menu';
import type { Preferencias } from '~/core/aspecto';
import { SALIR } from '~/domain/cuentas/preguntas';
import { nombreCompleto, ROL_LABEL, type Usuario } from '~/domain/cuentas/usuario';
import { Confirm } from '~/ui/Confirm';
import { forgetAll } from '~/ui/escrito';
import { focusOn } from '~/ui/foco';
import { Hidden } from '~/ui/useActionForm';
import { Apariencia } from './Apariencia';

type Props = {
  marca: string;
  area: string;
  usuario: Usuario;
  preferencias: Preferencias;
  menu: MenuEntry[];
  children: ReactNode;
};

/** Top bar, drawer and footer of everyone who is signed in. Under 768 px the drawer opens from the bar; without JavaScript, by its anchor. */
export function AreaFrame({ marca, area, usuario, preferencias, menu, children }: Props) {
  const { key } = useLocation();
  // Null until JavaScript takes over: before that the drawer belongs to :target.
  const [open, setOpen] = useState<boolean | null>(null);
  const burger = useRef<HTMLAnchorElement>(null);
  const drawer = useRef<HTMLElement>(null);

  useEffect(() => setOpen(false), [key]);
  useEffect(() => {
    if (!open) return;
    focusOn(drawer.current?.querySelector('a'));
    const close = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      focusOn(burger.current);
    };
    document.addEventListener('keydown', close);
    return () => document.removeEventListener('keydown', close);
  }, [open]);

  const toggle = (next: boolean) => (event: { preventDefault(): void }) => {
    event.preventDefault();
    setOpen(next);
  };

  return (
    <div className="marco">
      <a className="saltar" href="#contenido">
        Saltar al contenido
      </a>
      <header className="barra">
        <a
          ref={burger}
          className="hamburguesa"
          href="#menu"
          aria-label="Menú"
          aria-controls="menu"
          aria-expanded={open ?? undefined}
          onClick={toggle(true)}
        >
          <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
            <path d="M2 4.5h14M2 9h14M2 13.5h14" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
          </svg>
        </a>
        <Link to={area} className="marca">
          {marca}
        </Link>
        <span className="hueco" />
        <UserMenu usuario={usuario} area={area} preferencias={preferencias} />
      </header>
      <nav id="menu" ref={drawer} className="cajon" aria-label="Menú principal" data-abierto={open ?? undefined}>
        <a className="cerrar" href="#" onClick={toggle(false)}>
          ✕ Cerrar menú
        </a>
        <ul>
          <li>
            <NavLink to={area} end>
              Inicio
            </NavLink>
          </li>
          {menu.map(({ label, to, pendientes = 0 }) => (
            <li key={to}>
              <NavLink to={to}>
                {label}
                {pendientes > 0 && (
                  <span className="cuenta" title="Esperan una decisión">
                    {pendientes}
                  </span>
                )}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <a className="telon" href="#" tabIndex={-1} aria-hidden="true" onClick={toggle(false)} />
      <main id="contenido" className="contenido" tabIndex={-1}>
        {children}
      </main>
      <footer className="pie">© {marca}</footer>
    </div>
  );
}

function UserMenu({ usuario, area, preferencias }: Pick<Props, 'usuario' | 'area' | 'preferencias'>) {
  const box = useRef<HTMLDetailsElement>(null);
  const { pathname } = useLocation();
  const nombre = nombreCompleto(usuario);
  const iniciales = [usuario.nombre, usuario.apellidos]
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase();

  useEffect(() => {
    box.current?.removeAttribute('open');
  }, [pathname]);
  useEffect(() => {
    const close = (event: Event) => {
      const menu = box.current;
      if (!menu?.open || menu.querySelector('dialog')) return;
      if (event instanceof KeyboardEvent ? event.key === 'Escape' : !menu.contains(event.target as Node))
        menu.removeAttribute('open');
    };
    document.addEventListener('click', close);
    document.addEventListener('keydown', close);
    return () => {
      document.removeEventListener('click', close);
      document.removeEventListener('keydown', close);
    };
  }, []);

  return (
    <details ref={box} className="usuario">
      <summary aria-label={`Menú de ${nombre}`}>
        <span className="iniciales" aria-hidden="true">
          {iniciales}
        </span>
        <span className="quien">{nombre}</span>
      </summary>
      <div className="lista">
        <p>
          {usuario.usuario} · {ROL_LABEL[usuario.rol]}
        </p>
        <Link to={`${area}/datosUsuario`}>Editar Datos</Link>
        <Apariencia area={area} preferencias={preferencias} />
        <Form method="post" action="/salir" onSubmit={forgetAll}>
          <Hidden intent="salir" />
          <Confirm plain="menu" {...SALIR}>
            {SALIR.titulo}
          </Confirm>
        </Form>
      </div>
    </details>
  );
}
