import { Link, useLocation } from '@remix-run/react';
import { Children, useEffect, useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { writeCount } from '~/core/count';
import { Copiar } from '../Copiar';
import { fillIn } from '../fillIn';
import { fieldsIn, focusOn, isFocusFree } from '../foco';
import { Icono } from '../Icono';
import { isPressed } from '../press';
import { useHydrated } from '../useHydrated';
import { useTeclas } from '../useTeclas';
import { useAncho } from './Ancho';
import { useRecorrido, type RecorridoVisto } from './recorrido';
import { keepTyped, takeTyped } from './tecleado';
import './ficha.css';

type Props = {
  /** The noun of the record: 'Orden'. */
  que: string;
  /** The whole number of the record, to be read and copied; undefined while the record is read. */
  numero: string | undefined;
  /** What the record says, where that names it better than its number does: the words of a question. */
  titulo?: string | undefined;
  /** The status, and other facts for the first glance. */
  estado?: ReactNode;
  /** The main act on the record. */
  principal?: ReactNode;
  /** The other acts. On a telephone they hang from 'Más', and on a desk those after the second do where there are four or more. */
  acciones?: readonly ReactNode[];
  children: ReactNode;
};

/**
 * The side panel of a record. The list stays alive beside it while there is room for both; on a narrow screen and without JavaScript the panel takes the list's
 * place like a page. The address is the list's, with `?ver=`.
 */
export function Ficha({ que, numero, titulo, estado, principal, acciones = [], children }: Props) {
  const titleId = useId();
  const title = useRef<HTMLHeadingElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const { search } = useLocation();
  const recorrido = useRecorrido();
  const way = useRef(recorrido);
  way.current = recorrido;
  const { ancho, cambiar } = useAncho(que);
  const params = new URLSearchParams(search);
  const [ver, editar] = [params.get('ver'), params.get('editar')];

  const hydrating = useRef(!useHydrated());
  const leida = numero !== undefined;
  useEffect(() => {
    const isServed = hydrating.current;
    hydrating.current = false;
    // What moves under a press loses it: a person who scrolled, typed or presses before the page listens stays where they are.
    const isAtWork = body.current!.scrollTop > 0 || window.scrollY > 0 || !isFocusFree() || isPressed();
    if (isServed && isAtWork) return;
    const forms = editar === null ? [] : [...body.current!.querySelectorAll('form')];
    const form = forms.find((one) => fieldsIn(one).length > 0);
    // A person who opens a record that waits for something to be filled in types next, as a person who asked for a form does.
    const campo = form ? fieldsIn(form)[0] : editar === null && !isServed ? oneToFill(body.current!) : undefined;
    body.current!.scrollTo({ top: 0 });
    (form ?? campo)?.scrollIntoView({ block: 'nearest' });
    // Under a thumb a field opens by touch.
    const escrito = leida ? takeTyped(ver ?? '') : '';
    const types = campo && (escrito !== '' || window.matchMedia('(pointer: fine)').matches);
    // A person who steps through records reads, and their next key is a step too.
    if (types && (form || !isStepping(way.current))) {
      focusOn(campo);
      // Once drafts of the field are drawn, what was typed before it came goes on from them.
      if (escrito !== '' && !form)
        queueMicrotask(() => fillIn(campo as HTMLInputElement, (campo as HTMLInputElement).value + escrito));
    } else if (way.current?.paso.current !== 'tabla') focusOn(title.current);
  }, [ver, editar, leida]);
  useTeclas({
    Escape: () => recorrido?.ahora().alCerrar(),
    '[': () => recorrido?.ahora().ir(-1),
    ']': () => recorrido?.ahora().ir(1),
    w: cambiar,
    // Of some records it stands in the foot.
    e: () => document.querySelector<HTMLElement>('.lado [data-editar]')?.click(),
  });

  const paso = (to: string | null, by: -1 | 1, label: string, tecla: string, icono: 'anterior' | 'siguiente') =>
    to === null ? (
      <span className="paso" aria-hidden="true" data-fin>
        <Icono nombre={icono} />
      </span>
    ) : (
      <a
        className="paso"
        href={to}
        aria-label={label}
        aria-keyshortcuts={tecla}
        title={`${label} (${tecla})`}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          recorrido?.ahora().ir(by);
        }}
      >
        <Icono nombre={icono} />
      </a>
    );

  const cabeza = { ref: title, id: titleId, tabIndex: -1 };
  const Nombre = titulo === undefined ? 'h2' : 'p';

  return (
    <aside className="lado" data-ancho={ancho ? '' : undefined} aria-labelledby={titleId}>
      <header>
        {recorrido && (
          <Link className="lado-volver" to={recorrido.cerrar} preventScrollReset>
            <Icono nombre="anterior" />
            <span>Volver a la lista</span>
          </Link>
        )}
        <div className="lado-titulo">
          <Nombre {...(titulo === undefined && cabeza)}>
            {que} <span>{numero ?? '…'}</span>
          </Nombre>
          {numero !== undefined && <Copiar texto={numero} que={que.toLowerCase()} />}
          {recorrido && (
            <nav aria-label="Registros de la lista">
              {/* A record that left the list while it is open has no position in it. */}
              {recorrido.posicion !== null && recorrido.posicion <= recorrido.total && (
                <span className="nota">
                  {writeCount(recorrido.posicion)} de {writeCount(recorrido.total)}
                </span>
              )}
              {paso(recorrido.anterior, -1, 'Anterior', '[', 'anterior')}
              {paso(recorrido.siguiente, 1, 'Siguiente', ']', 'siguiente')}
              <button
                type="button"
                className="paso solo-js lado-ancho"
                aria-pressed={ancho}
                aria-label="Panel ancho"
                aria-keyshortcuts="w"
                title="Panel ancho (W)"
                onClick={cambiar}
              >
                <Icono nombre="desplegar" />
              </button>
              <button
                type="button"
                className="paso solo-js lado-imprimir"
                aria-label="Imprimir"
                title="Imprimir"
                onClick={() => window.print()}
              >
                <Icono nombre="imprimir" />
              </button>
              <Link
                className="paso lado-cerrar"
                to={recorrido.cerrar}
                preventScrollReset
                aria-label="Cerrar"
                title="Cerrar (Esc)"
                onClick={(event) => {
                  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                  event.preventDefault();
                  recorrido.ahora().alCerrar();
                }}
              >
                <Icono nombre="cerrar" />
              </Link>
            </nav>
          )}
        </div>
        {titulo !== undefined && (
          <h2 {...cabeza} className="lado-asunto">
            {titulo}
          </h2>
        )}
        {estado && <div className="lado-estado">{estado}</div>}
      </header>
      <div ref={body} className="cuerpo">
        {children}
      </div>
      <Pie principal={principal} acciones={acciones.filter(Boolean)} />
    </aside>
  );
}

/** True where the open record was reached by a step from another one. */
const isStepping = (way: RecorridoVisto | null) => (way?.paso.current ?? null) !== null;

/** Returns the first field that a panel marks as what it waits for: an answer, a folio, a reason. */
const oneToFill = (body: HTMLElement) => fieldsIn(body).find((field) => field.hasAttribute('data-foco'));

/**
 * The foot of the panel. On a telephone it is one line: the main act, and beside it the other act, or 'Más' for several. On a desk it is at most two. The
 * browser itself opens 'Más', with and without scripts.
 */
function Pie({ principal, acciones }: { principal: ReactNode; acciones: ReactNode[] }) {
  const id = useId();
  if (!principal && acciones.length === 0) return null;
  const otras = Children.toArray(acciones);
  const varias = acciones.length > 1;
  return (
    <footer className="botones" data-varias={varias ? acciones.length : undefined}>
      {varias ? (
        <div className="lado-otras" id={id} {...{ popover: '' }}>
          {otras}
        </div>
      ) : (
        otras
      )}
      {principal}
      {varias && (
        <button type="button" className="boton lado-mas" {...{ popovertarget: id }}>
          Más
        </button>
      )}
    </footer>
  );
}

/** The panel while its record is read, at its later height. */
export function FichaPorLeer({ que, fallo, reintentar }: { que: string; fallo: boolean; reintentar: () => void }) {
  return (
    <Ficha que={que} numero={undefined}>
      {fallo ? (
        <p role="alert">
          No se pudo cargar.{' '}
          <button type="button" className="boton" onClick={reintentar}>
            Reintentar
          </button>
        </p>
      ) : (
        <Huesos />
      )}
    </Ficha>
  );
}

/** What is typed meanwhile waits for the field of the record. */
function Huesos() {
  const ver = new URLSearchParams(useLocation().search).get('ver') ?? '';
  const way = useRef(useRecorrido());
  // Before it is seen: on a busy machine the first letters come before what waits for the paint.
  useLayoutEffect(() => keepTyped(ver, () => isStepping(way.current)), [ver]);
  return (
    <div className="lado-huesos" aria-busy="true">
      {[1, 2, 3, 4, 5, 6].map((line) => (
        <span key={line} className="hueso" />
      ))}
    </div>
  );
}

/** The notice that another person changed the record while it was open. */
export function Cambio({ editando, quien }: { editando: boolean; quien: ReactNode }) {
  return (
    <p className="panel" data-tono="aviso" role="status">
      {editando
        ? 'Otra persona modificó este registro mientras lo editas. Lo que guardes se compara antes con lo suyo.'
        : 'Este registro cambió mientras lo veías. Ya se muestra como está ahora.'}{' '}
      {quien}
    </p>
  );
}
