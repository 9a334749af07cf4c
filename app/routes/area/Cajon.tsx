import { Form, useLocation, useNavigate } from '@remix-run/react';
import { useEffect, useState, type MouseEvent, type RefObject } from 'react';
import { pantallaOf, type MenuEntry, type MenuGroup } from '~/access/menu';
import type { Preferencias } from '~/core/aspecto';
import { Icono } from '~/ui/Icono';
import { remember } from '~/ui/remember';
import { Hidden } from '~/ui/useAnswer';
import { useOnChange } from '~/ui/useOnChange';

type Cuenta = { cuenta: number; tarde: boolean; dice: string; a: string | null };
/** What waits on a screen, by the screen's address: the things of one queue, what they are, and where they stand alone. */
export type Cuentas = Record<string, Cuenta>;

type Props = {
  area: string;
  primera: MenuEntry;
  menu: MenuGroup[];
  cuentas: Cuentas;
  preferencias: Preferencias;
  drawer: RefObject<HTMLElement>;
  /** Null until JavaScript takes over. */ open: boolean | null;
  onClose: (event: MouseEvent) => void;
  /** The drawer is narrowed to its icons, on a desk. */ plegado: boolean;
  onPlegar: (plegado: boolean) => void;
};

/** The menu: on a desk beside every screen, on a telephone a sheet over it. Groups fold, and the one of the screen in sight is open. */
export function Cajon({ area, primera, menu, cuentas, preferencias, drawer, open, onClose, plegado, onPlegar }: Props) {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const [folded, setFolded] = useState<readonly string[]>(preferencias.plegados);
  const [fijados, setFijados] = useState<readonly string[]>(preferencias.fijados);
  // A group pressed on this screen outranks the remembered state; the next screen opens its own group again.
  const [pressed, setPressed] = useState<Record<string, boolean>>({});
  // True while the keyboard is in the drawer. CSS could ask with `:has(:focus-visible)`, but a browser asks again for each row of a list that comes or goes, at
  // three quarters of the cost of a scroll.
  const [teclado, setTeclado] = useState(false);

  useOnChange(pathname, () => setPressed({}));
  useEffect(() => {
    drawer.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' });
  }, [drawer, pathname]);

  const isCurrent = ({ to }: MenuEntry) => pathname === to || pathname.startsWith(`${to}/`);
  // A single listener serves all entries: the router's `<Link>` costs several times an `<a>`, and each page holds some thirty entries.
  const go = (event: MouseEvent) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-discover]');
    const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0;
    if (!link || isElsewhere) return;
    event.preventDefault();
    const to = link.pathname + link.search;
    navigate(to, { replace: to === pathname + search });
  };
  // In a narrowed drawer nothing shows that a group is shut, so all groups are open.
  const isOpen = ({ grupo, entradas }: MenuGroup) =>
    plegado || (pressed[grupo] ?? (entradas.some(isCurrent) || !folded.includes(grupo)));
  const press = (group: MenuGroup) => (event: MouseEvent) => {
    // React draws the new state; the browser's own toggle on top would turn it twice.
    event.preventDefault();
    const { grupo } = group;
    const shuts = isOpen(group);
    setPressed((now) => ({ ...now, [grupo]: !shuts }));
    setFolded((now) => [...now.filter((one) => one !== grupo), ...(shuts ? [grupo] : [])]);
    remember(`${area}/preferencias`, { intent: 'grupo', grupo, plegado: shuts ? '1' : '0' });
  };

  const todas = menu.flatMap(({ entradas }) => entradas);
  const suyas = fijados.flatMap((pantalla) => todas.filter((entrada) => pantallaOf(entrada) === pantalla));
  const pin = (pantalla: string) => {
    const fija = !fijados.includes(pantalla);
    setFijados((now) => [...now.filter((one) => one !== pantalla), ...(fija ? [pantalla] : [])]);
    remember(`${area}/preferencias`, { intent: 'fijar', pantalla, fijada: fija ? '1' : '0' });
  };
  /** The pin stands beside the entry of the current screen, where a person notices that they come often. */
  const fijar = (entrada: MenuEntry) => {
    if (plegado || !isCurrent(entrada)) return null;
    const pantalla = pantallaOf(entrada);
    const fija = fijados.includes(pantalla);
    const dice = fija ? `Quitar ${entrada.label} de Fijados` : `Fijar ${entrada.label} al principio del menú`;
    return (
      <Form
        method="post"
        action={`${area}/preferencias`}
        className="fijar"
        onSubmit={(event) => {
          event.preventDefault();
          pin(pantalla);
        }}
      >
        <Hidden intent="fijar" pantalla={pantalla} fijada={!fija} volver={pathname + search} />
        <button type="submit" aria-label={dice} title={dice} aria-pressed={fija}>
          <Icono nombre="fijar" />
        </button>
      </Form>
    );
  };

  return (
    <nav
      id="menu"
      ref={drawer}
      className="cajon"
      aria-label="Menú principal"
      data-abierto={open ?? undefined}
      data-teclado={open === null ? 'sin' : teclado ? 'si' : 'no'}
      onFocus={({ target }) => setTeclado(target.matches(':focus-visible'))}
      onBlur={({ currentTarget, relatedTarget }) => setTeclado((is) => is && currentTarget.contains(relatedTarget))}
    >
      <a className="cerrar" href="#" onClick={onClose}>
        <Icono nombre="cerrar" />
        Cerrar menú
      </a>
      <div className="entradas" onClick={go}>
        <ul>
          <li>
            <Entrada {...primera} actual={pathname === primera.to} plegado={plegado} />
          </li>
        </ul>
        {suyas.length > 0 && (
          <section className="grupo-menu" aria-label="Fijados">
            <p>
              <span>Fijados</span>
            </p>
            <ul>
              {suyas.map((entrada) => (
                <li key={entrada.to}>
                  <Entrada {...entrada} actual={isCurrent(entrada)} plegado={plegado} />
                  <EnEspera waiting={cuentas[entrada.to]} plegado={plegado} />
                </li>
              ))}
            </ul>
          </section>
        )}
        {menu.map((group) => (
          <details key={group.grupo} className="grupo-menu" open={isOpen(group)}>
            <summary onClick={press(group)}>
              <span>{group.label}</span>
              <Icono nombre="siguiente" />
            </summary>
            <ul>
              {group.entradas.map((entrada) => (
                <li key={entrada.to}>
                  <Entrada {...entrada} actual={isCurrent(entrada)} plegado={plegado} />
                  <EnEspera waiting={cuentas[entrada.to]} plegado={plegado} />
                  {fijar(entrada)}
                </li>
              ))}
            </ul>
          </details>
        ))}
      </div>
      <Form
        method="post"
        action={`${area}/preferencias`}
        className="plegar"
        onSubmit={(event) => {
          event.preventDefault();
          onPlegar(!plegado);
        }}
      >
        <Hidden intent="cajon" plegado={!plegado} volver={pathname + search} />
        <button type="submit" title={plegado ? 'Desplegar menú' : undefined}>
          <Icono nombre={plegado ? 'desplegar' : 'plegar'} />
          <span>{plegado ? 'Desplegar menú' : 'Plegar menú'}</span>
        </button>
      </Form>
    </nav>
  );
}

function Entrada({ to, actual, label, icono, plegado }: MenuEntry & { actual: boolean; plegado: boolean }) {
  return (
    <a href={to} aria-current={actual ? 'page' : undefined} title={plegado ? label : undefined} data-discover="true">
      <Icono nombre={icono} />
      <span className="nombre" title={label}>
        {label}
      </span>
    </a>
  );
}

/** The number beside a screen's name, which leads to where those things stand alone. */
function EnEspera({ waiting, plegado }: { waiting?: Cuenta; plegado: boolean }) {
  if (waiting === undefined || waiting.cuenta === 0) return null;
  const { cuenta, tarde, a } = waiting;
  const dice = tarde ? `${waiting.dice}, y alguna ya es tarde` : waiting.dice;
  const inside = (
    <>
      <span data-tarde={tarde || undefined}>{cuenta}</span>
      <span className="oculto"> {dice}</span>
    </>
  );
  const props = { className: 'cuenta', title: `${cuenta} ${dice}` };
  return plegado || a === null ? (
    <span {...props}>{inside}</span>
  ) : (
    <a {...props} href={a} data-discover="true">
      {inside}
    </a>
  );
}
