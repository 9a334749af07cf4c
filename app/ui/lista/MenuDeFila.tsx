import { useNavigate, useNavigation, useSubmit } from '@remix-run/react';
import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { wordsOf } from '~/core/submission';
import { Question } from '../Confirm';
import { focusOn } from '../foco';
import type { AccionDeFila, Pedido } from './acciones';

type Props = {
  pedido: Pedido | null;
  terminar: () => void;
  /** The box in which the rows scroll. */ caja: RefObject<HTMLElement>;
};
type Envio = Extract<AccionDeFila, { envia: unknown }>;

const MARGEN = 8;

/**
 * The one menu of a table: the acts on the requested row, and the question before an act. The focus stands on the menu itself and points at its lines, so that
 * no stray key presses a button.
 */
export function MenuDeFila({ pedido, terminar, caja }: Props) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(-1);
  const [pregunta, setPregunta] = useState<Envio | null>(null);
  const navigate = useNavigate();
  const submit = useSubmit();
  const enviando = useNavigation().formMethod === 'POST';
  const manda = (envio: Envio, confirmado?: '1') =>
    submit(
      { ...wordsOf(envio.envia), ...(confirmado && { confirmado }) },
      { method: 'post', preventScrollReset: true },
    );
  const enviar = (envio: Envio) => (envio.pregunta === 'del servidor' ? manda(envio) : setPregunta(envio));
  const latest = useRef({ terminar, enviando, enviar });
  latest.current = { terminar, enviando, enviar };
  const hungFrom = useRef<Element | null>(null);
  const justShut = useRef<Element | null>(null);

  useLayoutEffect(() => {
    const menu = panel.current;
    if (!pedido || !menu) return;
    const { una, boton, tecla } = pedido;
    const { terminar, enviando } = latest.current;
    setAt(tecla ? 0 : -1);
    if (una || (!tecla && justShut.current === boton)) {
      if (una && 'envia' in una && !enviando) latest.current.enviar(una);
      return terminar();
    }
    const standing = standingFor(boton, caja.current);
    if (!standing) return terminar();
    hungFrom.current = standing;
    menu.showPopover();
    placeAt(menu, standing.getBoundingClientRect());
    focusOn(menu);
    const shut = () => menu.hidePopover();
    const rows = caja.current;
    rows?.addEventListener('scroll', shut, { passive: true, once: true });
    return () => rows?.removeEventListener('scroll', shut);
  }, [pedido, caja]);
  useEffect(() => {
    const menu = panel.current!;
    // A press that closes the menu may hit its own button, which does not open the menu again. A key never closes and opens at once.
    const before = (event: Event) => {
      if ((event as ToggleEvent).newState === 'open') return;
      justShut.current = hungFrom.current;
      setTimeout(() => (justShut.current = null));
    };
    const after = (event: Event) => (event as ToggleEvent).newState === 'closed' && latest.current.terminar();
    menu.addEventListener('beforetoggle', before);
    menu.addEventListener('toggle', after);
    return () => {
      menu.removeEventListener('beforetoggle', before);
      menu.removeEventListener('toggle', after);
    };
  }, []);

  const acciones = (!pedido?.una && pedido?.acciones) || [];
  const hacer = (elegida: AccionDeFila) => {
    // First: the keyboard goes back to where it was, and from there to the question.
    panel.current?.hidePopover();
    if ('envia' in elegida) enviar(elegida);
    else if (elegida.href.startsWith('?')) navigate(elegida.href, { preventScrollReset: true });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const last = acciones.length - 1;
    const to = { ArrowDown: at === last ? 0 : at + 1, ArrowUp: at <= 0 ? last : at - 1, Home: 0, End: last }[event.key];
    if (to !== undefined) setAt(to);
    else if (event.key === 'Tab') panel.current?.hidePopover();
    else if (event.key === 'Enter' || event.key === ' ')
      panel.current?.querySelectorAll<HTMLElement>('[role="menuitem"]')[at]?.click();
    // Letters go to the list under the menu.
    else if (event.key.length > 1) return;
    event.preventDefault();
  };

  return (
    <>
      <div
        ref={panel}
        className="emergente menu-fila"
        role="menu"
        tabIndex={-1}
        aria-label={pedido ? `Acciones de ${pedido.nombre}` : 'Acciones'}
        aria-activedescendant={at < 0 ? undefined : `${id}${at}`}
        onKeyDown={onKeyDown}
        {...{ popover: '' }}
      >
        {pedido && (
          <p className="de-fila" aria-hidden="true">
            Acciones de {pedido.nombre}
          </p>
        )}
        {acciones.map((accion, index) => {
          const common = {
            id: `${id}${index}`,
            role: 'menuitem',
            tabIndex: -1,
            'aria-label': accion.nombre,
            'data-tono': accion.tono,
            'data-activa': index === at || undefined,
          };
          return 'href' in accion ? (
            <a
              {...common}
              key={accion.texto}
              href={accion.href}
              download={accion.download}
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                if (accion.href.startsWith('?')) event.preventDefault();
                hacer(accion);
              }}
            >
              {accion.texto}
            </a>
          ) : (
            <button {...common} key={accion.texto} type="button" disabled={enviando} onClick={() => hacer(accion)}>
              {accion.texto}
            </button>
          );
        })}
      </div>
      {pregunta && pregunta.pregunta !== 'del servidor' && (
        <Question
          {...pregunta.pregunta()}
          onAnswer={(yes) => {
            setPregunta(null);
            if (yes) manda(pregunta, '1');
          }}
        />
      )}
    </>
  );
}

/** Returns the button of the same record, since rows may have been drawn anew between its press and this menu; undefined where the record has left. */
function standingFor(boton: Element, rows: Element | null): Element | undefined {
  if (boton.isConnected) return boton;
  const key = boton.getAttribute('value');
  return [...(rows?.querySelectorAll('button[name="menu"]') ?? [])].find((one) => one.getAttribute('value') === key);
}

/** Places the menu under its button, or above where there is more room. */
function placeAt(menu: HTMLElement, { top, bottom, right }: DOMRect) {
  const { height } = menu.getBoundingClientRect();
  const above = bottom + height + MARGEN > window.innerHeight && top > height + MARGEN;
  menu.style.top = `${above ? top - height - 4 : Math.min(bottom + 4, window.innerHeight - height - MARGEN)}px`;
  menu.style.right = `${Math.max(MARGEN, document.documentElement.clientWidth - right)}px`;
}
