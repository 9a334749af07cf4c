import { Link, useFetcher } from '@remix-run/react';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { Fecha } from '~/ui/Fecha';
import { focusOn } from '~/ui/foco';
import { useModal } from '~/ui/useModal';
import { useOnChange } from '~/ui/useOnChange';
import type { loader } from '../inicio/buscar';
import { IR } from './Teclas';
import './paleta.css';

/** From the last key to the question. */
const PAUSA_MS = 120;
/** A cart of several sales has one number. */
const POCAS = 2;

/** A line leads to an address (`to`), or presses what the open record or the person's menu offers (`pulsa`), as it read when the palette opened. */
type Linea = {
  id: string;
  titulo: string;
  detalle?: string;
  fecha?: string | Date | null;
  /** The key that does the same without the palette. */
  tecla?: string | undefined;
  to: string;
  pulsa?: HTMLElement;
  fuera?: boolean;
};
type Seccion = { titulo: string; lineas: Linea[] };

/** The palette of Ctrl K: finds anything by name or number. Arrows choose, Enter opens, Escape closes. The search page shows the same results. */
export default function Paleta({ area, onClose }: { area: string; onClose(): void }) {
  const [q, setQ] = useState('');
  const [chosenId, setChosenId] = useState<string>();
  const { load, data, state } = useFetcher<typeof loader>();
  const lista = useRef<HTMLDivElement>(null);
  const id = useId();
  const modal = useModal((dialog) => focusOn(dialog.querySelector('input')));

  useEffect(() => {
    const timer = setTimeout(
      () => load(`${area}/buscar?${new URLSearchParams({ q: q.trim() })}`),
      q === '' ? 0 : PAUSA_MS,
    );
    return () => clearTimeout(timer);
  }, [area, load, q]);
  useOnChange(q, () => setChosenId(undefined));
  useEffect(() => {
    lista.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosenId]);

  // An answer to an earlier text is no answer to the current one.
  const fresh = data?.q === q.trim() ? data : undefined;
  const [aqui] = useState(() => ({
    ficha: actosDeFicha(),
    cuenta: actosDeCuenta(),
    ultimas: readUltimas(),
    letras: !document.querySelector('.marco[data-teclas="no"]'),
  }));
  const secciones = fresh ? seccionesOf(fresh, { area, ...aqui }) : [];
  const lineas = secciones.flatMap((seccion) => seccion.lineas);
  // A line stays chosen when the same question is answered again: Enter opens what was looked at. Nothing that acts is chosen by itself beside something that leads somewhere.
  const first = lineas.findIndex(({ pulsa }) => !pulsa);
  const chosen = Math.max(
    lineas.findIndex(({ id }) => id === (chosenId ?? lineas[first]?.id)),
    0,
  );
  const opcion = (at: number) => `${id}-${at}`;

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step && lineas.length > 0) {
      event.preventDefault();
      setChosenId(lineas[(chosen + step + lineas.length) % lineas.length]!.id);
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      if (!event.repeat) lista.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.click();
    }
  }

  return (
    <dialog
      ref={modal}
      className="paleta"
      aria-label="Buscar o ir a"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      <input
        type="text"
        role="combobox"
        aria-label="Buscar o ir a"
        aria-expanded={lineas.length > 0}
        aria-controls={`${id}-lista`}
        aria-activedescendant={lineas.length > 0 ? opcion(chosen) : undefined}
        placeholder="Orden, comprador, RFC, folio o pantalla"
        value={q}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setQ(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div ref={lista} id={`${id}-lista`} role="listbox" aria-label="Resultados">
        {secciones.map((seccion) => (
          <div key={seccion.titulo} role="group" aria-label={seccion.titulo}>
            <p aria-hidden="true">{seccion.titulo}</p>
            {seccion.lineas.map((linea) => {
              const at = lineas.indexOf(linea);
              return (
                <Link
                  key={linea.id}
                  id={opcion(at)}
                  role="option"
                  aria-selected={at === chosen}
                  tabIndex={-1}
                  to={linea.to}
                  reloadDocument={linea.fuera}
                  onClick={(event) => {
                    onClose();
                    if (!linea.pulsa) return keepUltima(linea);
                    event.preventDefault();
                    // What moved under the palette, or reads otherwise now, is not pressed.
                    const { pulsa, titulo } = linea;
                    setTimeout(() => pulsa.isConnected && pulsa.textContent?.trim() === titulo && pulsa.click());
                  }}
                >
                  <span className="titulo">{linea.titulo}</span>
                  {linea.detalle && <span className="detalle">{linea.detalle}</span>}
                  {linea.fecha && <Fecha valor={linea.fecha} />}
                  {linea.tecla && (aqui.letras || linea.tecla.startsWith('Ctrl')) && <kbd>{linea.tecla}</kbd>}
                </Link>
              );
            })}
          </div>
        ))}
      </div>
      <p role="status" className="estado">
        {estadoOf(q.trim(), fresh, state !== 'idle', lineas.length)}
      </p>
    </dialog>
  );
}

type Found = NonNullable<ReturnType<typeof useFetcher<typeof loader>>['data']>;

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

function seccionesOf(
  { q, grupos, pantallas, actos }: Found,
  { area, ficha, cuenta, ultimas }: { area: string; ficha: Linea[]; cuenta: Linea[]; ultimas: Linea[] },
): Seccion[] {
  const acciones = grupos.flatMap(({ hallazgos }) => hallazgos.flatMap((hallazgo) => hallazgo.acciones));
  // Actions are offered for an exact match, not for each record that shares a word.
  const ofrecidas = acciones.length <= POCAS ? acciones : [];
  const words = plain(q).split(/\s+/);
  const called = (lineas: Linea[]) =>
    lineas.filter(({ titulo }) => words.every((word) => plain(titulo).includes(word)));
  return [
    { titulo: 'Lo último', lineas: q === '' ? ultimas : [] },
    ...grupos.map(({ titulo, hallazgos }) => ({
      titulo,
      lineas: hallazgos.map(({ id, titulo, detalle, fecha, a }) => ({
        id,
        titulo,
        detalle,
        fecha,
        to: `${area}/${a}`,
      })),
    })),
    { titulo: 'Este registro', lineas: called(ficha) },
    { titulo: 'Mi cuenta', lineas: q === '' ? [] : called(cuenta) },
    {
      titulo: 'Acciones',
      lineas: [
        // The stepper may be open already, so it begins anew with the requested sale.
        ...ofrecidas.map(({ titulo, a }) => ({ id: a, titulo, to: `${area}/${a}`, fuera: true })),
        ...actos.map(({ titulo, to }) => ({ id: `acto ${titulo}`, titulo, to })),
      ],
    },
    {
      titulo: 'Pantallas',
      lineas: pantallas.map(({ label, to }) => ({ id: to, titulo: label, to, tecla: teclaOf(to, area) })),
    },
  ].filter(({ lineas }) => lineas.length > 0);
}

/** Returns the keys that go to a screen from anywhere; undefined where it has none. */
function teclaOf(to: string, area: string): string | undefined {
  const found = Object.entries(IR).find(([, pantalla]) => to === (pantalla === '' ? area : `${area}/${pantalla}`));
  return found && `G ${found[0].toUpperCase()}`;
}

/** Returns what the foot of the open record offers now, and what edits it, in their order. */
const actosDeFicha = () =>
  actosOf('.lado > footer :is(a.boton, button:not(.lado-mas, :disabled)), .lado > .cuerpo [data-editar]');
/** Returns what the menu of the person offers: scheme, height of rows, way out. */
const actosDeCuenta = () => actosOf('details.usuario :is(a, button)');

function actosOf(donde: string): Linea[] {
  return [...document.querySelectorAll<HTMLElement>(donde)].flatMap((pulsa, at) => {
    const titulo = pulsa.textContent?.trim() ?? '';
    return titulo === '' ? [] : [{ id: `${donde} ${at}`, titulo, to: '', pulsa, tecla: teclaDe(pulsa) }];
  });
}

/** Returns the key that presses this without the palette; undefined where it has none. */
function teclaDe(pulsa: HTMLElement): string | undefined {
  if (pulsa.matches('[data-editar]')) return 'E';
  const principales = document.querySelectorAll('main [data-principal]:not(:disabled)');
  if (principales.length === 1 && principales[0] === pulsa) return 'Ctrl Enter';
  return pulsa.getAttribute('aria-keyshortcuts') ?? undefined;
}

/** Name of the lines last chosen, in what the tab keeps: it goes when the person leaves (`forgetAll`). */
const ULTIMAS = 'paleta';
const MOST_ULTIMAS = 5;

function readUltimas(): Linea[] {
  try {
    return JSON.parse(sessionStorage.getItem(ULTIMAS) ?? '[]') as Linea[];
  } catch {
    return [];
  }
}

function keepUltima({ titulo, detalle, to, fuera }: Linea): void {
  const una = { id: `ultima ${to}`, titulo, to, ...(detalle && { detalle }), ...(fuera && { fuera }) };
  const otras = readUltimas().filter((otra) => otra.to !== to);
  try {
    sessionStorage.setItem(ULTIMAS, JSON.stringify([una, ...otras].slice(0, MOST_ULTIMAS)));
  } catch {
    // A browser may keep nothing.
  }
}

function estadoOf(q: string, found: Found | undefined, busy: boolean, lineas: number): string {
  if (found?.problema) return found.problema;
  if (found && lineas === 0) return `No hay nada con «${q}».`;
  if (found && q !== '' && q.length < found.minimo)
    return `Con ${found.minimo} letras o números se buscan también ventas y documentos.`;
  return busy && !found ? 'Buscando…' : '';
}
