import { Link, NavLink, useLocation } from '@remix-run/react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { MenuEntry, MenuGroup } from '~/access/menu';
import type { Preferencias } from '~/core/aspecto';
import type { Usuario } from '~/core/usuario';
import type { Fuentes as Leidas } from '~/domain/sync/fuentes.server';
import { focusOn } from '~/ui/foco';
import { Icono } from '~/ui/Icono';
import { remember } from '~/ui/remember';
import { useOnChange } from '~/ui/useOnChange';
import { Buscador } from './Buscador';
import { Cajon, type Cuentas } from './Cajon';
import { Fuentes } from './Fuentes';
import { UsuarioMenu } from './UsuarioMenu';
import '~/ui/papel.css';

type Props = {
  marca: string;
  area: string;
  usuario: Usuario;
  preferencias: Preferencias;
  /** First in the menu. */ primera: MenuEntry;
  menu: MenuGroup[];
  /** At the thumb, on a telephone. */ pulgar: MenuEntry[];
  cuentas: Cuentas;
  fuentes: Leidas;
  puedeReintentar: boolean;
  /** Where the demo's sales are made; nowhere else. */ simulador: string;
  /** What somebody has to see to, in the bar. */ avisos: ReactNode;
  children: ReactNode;
};

/** The anchor of the sheet. */
const MENU = '#menu';

/** Top bar and menu of everyone who is signed in. Under 768 px the menu is a sheet, opened from the thumb's bar; without JavaScript, by its anchor. */
export function AreaFrame({
  marca,
  area,
  usuario,
  preferencias,
  primera,
  menu,
  pulgar,
  cuentas,
  fuentes,
  puedeReintentar,
  simulador,
  avisos,
  children,
}: Props) {
  const { key, hash } = useLocation();
  // Null until JavaScript takes over: before that the sheet belongs to :target.
  const [open, setOpen] = useState<boolean | null>(null);
  const [plegado, setPlegado] = useState(preferencias.cajonPlegado);
  const opener = useRef<HTMLAnchorElement>(null);
  const drawer = useRef<HTMLElement>(null);

  // A press before JavaScript took over went to the sheet's anchor, and the sheet it opened stays open. A press that came with JavaScript has its own answer.
  useEffect(() => setOpen((now) => now ?? location.hash === MENU), []);
  useOnChange(key, () => setOpen(hash === MENU));
  useEffect(() => {
    if (!open) return;
    focusOn(drawer.current?.querySelector('a'));
    const close = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      focusOn(opener.current);
    };
    document.addEventListener('keydown', close);
    return () => document.removeEventListener('keydown', close);
  }, [open]);

  const toggle = (next: boolean) => (event: { preventDefault(): void }) => {
    event.preventDefault();
    setOpen(next);
    if (!next && location.hash === MENU) history.replaceState(history.state, '', location.pathname + location.search);
  };
  const fold = (next: boolean) => {
    setPlegado(next);
    remember(`${area}/preferencias`, { intent: 'cajon', plegado: next ? '1' : '0' });
  };

  return (
    <div className="marco" data-plegado={plegado || undefined} data-teclas={preferencias.teclas ? undefined : 'no'}>
      <a className="saltar" href="#contenido">
        Saltar al contenido
      </a>
      <header className="barra">
        <Link to={area} className="marca">
          {marca}
        </Link>
        <Buscador area={area} />
        <span className="hueco" />
        {avisos}
        <Fuentes leidas={fuentes} area={area} puedeReintentar={puedeReintentar} />
        <UsuarioMenu usuario={usuario} area={area} preferencias={preferencias} simulador={simulador} />
      </header>
      <Cajon
        {...{ area, primera, menu, cuentas, preferencias, drawer, open, plegado }}
        onClose={toggle(false)}
        onPlegar={fold}
      />
      <a className="telon" href="#" tabIndex={-1} aria-hidden="true" onClick={toggle(false)} />
      <main id="contenido" className="contenido" tabIndex={-1}>
        {children}
      </main>
      <nav className="pulgar" aria-label="Accesos">
        {[primera, ...pulgar].map(({ to, label, icono }) => (
          <NavLink key={to} to={to} end={to === area}>
            <Icono nombre={icono} />
            {label}
          </NavLink>
        ))}
        <a ref={opener} href={MENU} aria-controls="menu" aria-expanded={open ?? undefined} onClick={toggle(true)}>
          <Icono nombre="menu" />
          Menú
        </a>
      </nav>
    </div>
  );
}
