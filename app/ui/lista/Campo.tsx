import { useFetcher, useFormAction, useRevalidator } from '@remix-run/react';
import { useEffect, useId, useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import type { Question as Asked } from '~/core/fieldRules';
import { enPesos } from '~/core/importe';
import { EN_SU_LUGAR, wordsOf, type Answer } from '~/core/submission';
import { Question } from '../Confirm';
import { focusOn } from '../foco';
import { pideOf, type Celda } from './celda';
import './celda.css';

/** A field that was opened: the record and column it is about, with the fact as it was shown then. */
export type Abierto = {
  id: number;
  clave: string;
  columna: string;
  celda: Celda;
  /** The name of the row, read aloud. */ nombre: string;
  /** How many changes of the record had been taken from here by then. */ desde: number;
};

type Props = {
  abierto: Abierto;
  caja: RefObject<HTMLElement>;
  /** Returns the cell under the field; undefined while its row is not drawn. */
  celda: () => HTMLElement | undefined;
  /** True once the record has left the list. */
  ausente: boolean;
  /** The fact as the list shows it now; null where it cannot be changed any more. */
  ahora: Celda | null;
  /** How many changes of the record were taken from here so far. */
  cuantos: number;
  /** True while this field may be sent. */
  turno: boolean;
  /** A new object each time that a person asks for this field. */
  pedido: object | null;
  formarse: () => void;
  contestado: () => void;
  hecho: () => void;
  /** Takes the field away. A text is said aloud. */
  cerrar: (texto?: string) => void;
  /** Leads the keyboard to the next field of the row, to the one before, or back to the row. */
  salir: (by?: 1 | -1) => void;
};
type Lugar = { top: number; left: number; width: number; derecha: boolean };
type Campos = Record<string, string>;
type Dicho = { titulo: string; texto: string; cambios: { campo: string; mio: string; suyo: string }[] };

const ALTO = 28;
/** The longest wait for the list to show what the change before left. */
const ESPERA_MS = 3_000;
const SE_QUEDO = 'se quedó como estaba.';

/** One field over its cell, from the press that opens it to the answer of the server. What is refused stays in it, with the reason below. */
export function Campo(props: Props) {
  const { abierto, caja, ausente, ahora, cuantos, turno, pedido, formarse, contestado, hecho, cerrar, salir } = props;
  const id = useId();
  const campo = useRef<HTMLInputElement>(null);
  const fetcher = useFetcher<Answer>({ key: `celda-${abierto.id}` });
  const action = useFormAction();
  const { revalidate } = useRevalidator();
  const [vista, setVista] = useState(abierto.celda);
  const [texto, setTexto] = useState(abierto.celda.valor);
  const [envio, setEnvio] = useState<{ campos?: Campos; desde: number } | null>(null);
  const [pregunta, setPregunta] = useState<{ que: Asked; si: () => void } | null>(null);
  const [dicho, setDicho] = useState<Dicho | null>(null);
  const [movido, setMovido] = useState(false);
  const lugar = useLugar(caja, props.celda);
  /** False once the field has given its focus away by itself, so that the blur that follows is no second answer. */
  const atento = useRef(true);
  /** The text of the last refusal: a field that is left with it again is not sent again. */
  const negado = useRef<string | null>(null);
  const leida = useRef<Answer>();

  /** How many changes of the record had been taken from here when its fact was shown as `vista` has it. */
  const desde = useRef(abierto.desde);
  const atendido = useRef<object | null>(null);
  /** The way of the keyboard once a question is answered, whose dialog gives the focus back to this field first. */
  const tras = useRef<'campo' | 'fila' | null>(null);

  useLayoutEffect(() => {
    // A field without a place is hidden, and takes no focus.
    if (!pedido || pedido === atendido.current || !lugar || !focusOn(campo.current)) return;
    atendido.current = pedido;
    campo.current!.select();
  });
  useEffect(() => {
    if (pregunta || !tras.current) return;
    const a = tras.current;
    tras.current = null;
    if (a === 'campo') focusOn(campo.current);
    else {
      atento.current = false;
      salir();
    }
  });

  const mirar = (celda: Celda) => {
    desde.current = cuantos;
    setVista(celda);
  };
  const enviar = (campos?: Campos) => {
    setDicho(null);
    setEnvio({ ...(campos && { campos }), desde: performance.now() });
    formarse();
  };
  const preguntar = (que: Asked, si: () => void) => {
    atento.current = false;
    setPregunta({ que, si });
  };
  /** Answers Enter, Tab or a field that is left. True where the field has nothing more to say to its person. */
  const decidir = (como: 'tecla' | 'salida'): boolean => {
    const pide = pideOf(texto, vista);
    if (pide === 'nada') cerrar();
    else if (pide === 'vacio') cerrar(`${vista.nombre} ${SE_QUEDO}`);
    else if (pide === 'cero' && !vista.cero) cerrar(`${vista.nombre} no puede ser 0: ${SE_QUEDO}`);
    else {
      const que = pide === 'cero' ? vista.cero!() : como === 'salida' ? vista.alSalir?.(texto.trim()) : undefined;
      if (que) {
        preguntar(que, () => enviar());
        return false;
      }
      enviar();
    }
    return true;
  };

  useEffect(() => {
    if (!envio || !turno || fetcher.state !== 'idle') return;
    const send = (de: Celda) => {
      fetcher.submit(
        envio.campos ?? { ...wordsOf(de.envia), [de.campo]: texto.trim(), [EN_SU_LUGAR]: '1', formulario: id },
        { method: 'post', action },
      );
      setEnvio(null);
    };
    // After a refusal because something moved, and after another change from here, the press is about the record as the list shows it now.
    const own = cuantos > desde.current && ahora?.valor === vista.valor;
    if (!movido && !own) return send(vista);
    const isFresh = movido || JSON.stringify(ahora?.envia) !== JSON.stringify(vista.envia);
    const rest = envio.desde + ESPERA_MS - performance.now();
    if (isFresh || rest <= 0) {
      if (ahora) mirar(ahora);
      return send(ahora ?? vista);
    }
    const timer = setTimeout(() => setEnvio({ ...envio }), rest);
    return () => clearTimeout(timer);
  });
  const contestar = (answer: Answer) => {
    contestado();
    if (answer.confirmar) {
      const { campos, ...que } = answer.confirmar;
      return preguntar(que, () => enviar({ ...Object.fromEntries(campos), confirmado: '1' }));
    }
    const porQue = Object.values(answer.error ?? {}).flat();
    if (!answer.choque && !answer.probar && porQue.length === 0) {
      hecho();
      return cerrar();
    }
    negado.current = texto;
    setMovido(answer.choque !== undefined);
    setDicho({
      titulo: answer.titulo ?? 'No se guardó.',
      texto: answer.probar ? 'Pide confirmar quién eres: hazlo desde su panel.' : [...new Set(porQue)].join(' '),
      cambios: answer.choque?.cambios ?? [],
    });
    // An answer of 4xx does not run the loaders again.
    if (answer.choque) revalidate();
  };
  const enviando = envio !== null || fetcher.state !== 'idle';
  const escrito = texto !== vista.valor;
  // A field in which nobody typed yet shows what the list shows.
  const nueva = enviando || escrito || JSON.stringify(ahora?.envia) === JSON.stringify(vista.envia) ? null : ahora;
  const adoptar = (celda: Celda) => {
    mirar(celda);
    setTexto(celda.valor);
  };
  useEffect(() => {
    if (!escrito && !enviando) return;
    const leaving = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', leaving);
    return () => window.removeEventListener('beforeunload', leaving);
  }, [escrito, enviando]);
  const latest = useRef({ decidir, cerrar, salir, enviando, contestar, adoptar });
  latest.current = { decidir, cerrar, salir, enviando, contestar, adoptar };
  const answer = fetcher.state === 'idle' ? fetcher.data : undefined;
  useEffect(() => {
    if (answer === undefined || answer === leida.current) return;
    leida.current = answer;
    latest.current.contestar(answer);
  }, [answer]);
  useEffect(() => {
    if (nueva) latest.current.adoptar(nueva);
  }, [nueva]);
  // With the focus: a key that comes first is the field's too.
  useLayoutEffect(() => {
    const input = campo.current!;
    // The field's own keys end here: nothing around it, as the panel's Escape or the list's Enter, hears them.
    const onKeyDown = (event: KeyboardEvent) => {
      const { decidir, cerrar, salir, enviando } = latest.current;
      if (!/^(?:Enter|Escape|Tab)$/.test(event.key) || event.isComposing) return;
      event.stopPropagation();
      event.preventDefault();
      if (event.key === 'Enter' && event.repeat) return;
      const by = event.key === 'Tab' ? (event.shiftKey ? -1 : 1) : undefined;
      if (enviando) return salir(by);
      if (event.key === 'Escape') {
        atento.current = false;
        cerrar(`${abierto.celda.nombre} ${SE_QUEDO}`);
        return salir();
      }
      if (!decidir('tecla')) return;
      atento.current = false;
      salir(by);
    };
    input.addEventListener('keydown', onKeyDown);
    return () => input.removeEventListener('keydown', onKeyDown);
  }, [abierto]);

  const nombre = `${vista.nombre} de ${abierto.nombre}`;
  const vivo = !enviando && ahora !== null && ahora.valor !== vista.valor;
  const mensaje: Dicho | null =
    dicho ??
    (ausente && !enviando
      ? { titulo: 'Esta fila ya no está en la lista.', texto: 'Enter lo envía de todos modos.', cambios: [] }
      : vivo
        ? {
            titulo: 'Cambió mientras lo veías.',
            texto: '',
            cambios: [{ campo: vista.nombre, mio: enPantalla(vista), suyo: enPantalla(ahora) }],
          }
        : null);
  return (
    <>
      <input
        ref={campo}
        className="campo-celda"
        value={texto}
        readOnly={enviando}
        data-derecha={lugar?.derecha || undefined}
        style={lugar ? { top: lugar.top, left: lugar.left, width: lugar.width } : { visibility: 'hidden' }}
        inputMode={vista.tipo === 'importe' ? 'decimal' : vista.tipo === 'entero' ? 'numeric' : undefined}
        autoComplete="off"
        aria-label={nombre}
        aria-busy={enviando}
        aria-invalid={dicho !== null || undefined}
        aria-describedby={mensaje ? `${id}dicho` : undefined}
        title={enviando ? 'Guardando…' : 'Enter lo guarda, Esc lo deja como estaba'}
        onChange={(event) => setTexto(event.target.value)}
        onFocus={() => {
          atento.current = true;
        }}
        onBlur={() => {
          // A window that goes to the back has left nothing.
          if (!atento.current || enviando || !document.hasFocus() || texto === negado.current) return;
          decidir('salida');
        }}
      />
      {enviando && (
        <span role="status" className="oculto">
          Guardando…
        </span>
      )}
      {mensaje && (
        <Mensaje id={`${id}dicho`} campo={campo} caja={caja} lugar={lugar}>
          <strong>{mensaje.titulo}</strong>
          <p className="nota">{nombre}</p>
          {mensaje.cambios.length === 0
            ? mensaje.texto && <p>{mensaje.texto}</p>
            : mensaje.cambios.map(({ campo, mio, suyo }) => (
                <p key={campo}>
                  {campo}: aquí «{mio}», ahora «{suyo}».
                </p>
              ))}
          {movido && dicho && <p>Enter guarda lo que escribiste sobre lo de ahora.</p>}
          {dicho && (
            <div className="botones">
              <button type="button" className="boton" onClick={() => decidir('tecla')}>
                Guardar otra vez
              </button>
              <button
                type="button"
                className="boton"
                onClick={() => {
                  cerrar();
                  salir();
                }}
              >
                Dejarlo como estaba
              </button>
            </div>
          )}
        </Mensaje>
      )}
      {pregunta && (
        <Question
          {...pregunta.que}
          onAnswer={(yes) => {
            setPregunta(null);
            if (yes) pregunta.si();
            tras.current = yes ? 'fila' : 'campo';
          }}
        />
      )}
    </>
  );
}

const enPantalla = ({ tipo, valor }: Celda) => (tipo === 'importe' && valor !== '' ? enPesos(valor) : valor || '—');

/** Returns where the field stands in the box of the rows, over the first line of its cell. A cell that is not drawn leaves it where it was. */
function useLugar(caja: RefObject<HTMLElement>, celda: () => HTMLElement | undefined): Lugar | null {
  const [lugar, setLugar] = useState<Lugar | null>(null);
  const look = useRef(() => {});
  look.current = () => {
    const [box, cell] = [caja.current, celda()];
    if (!box || !cell) return;
    // A panel may leave its column out.
    if (cell.getClientRects().length === 0) return setLugar(null);
    const frame = box.getBoundingClientRect();
    const { left, width } = cell.getBoundingClientRect();
    const line = (cell.querySelector('.linea') ?? cell).getBoundingClientRect();
    const next = {
      top: Math.round(line.top + line.height / 2 - ALTO / 2 - frame.top - box.clientTop + box.scrollTop),
      left: Math.round(left - frame.left - box.clientLeft + box.scrollLeft),
      width: Math.round(width),
      derecha: cell.classList.contains('der'),
    };
    setLugar((was) => (JSON.stringify(was) === JSON.stringify(next) ? was : next));
  };
  useLayoutEffect(() => look.current());
  useEffect(() => {
    const watch = new ResizeObserver(() => look.current());
    watch.observe(caja.current!);
    return () => watch.disconnect();
  }, [caja]);
  return lugar;
}

type MensajeProps = {
  id: string;
  campo: RefObject<HTMLElement>;
  caja: RefObject<HTMLElement>;
  lugar: Lugar | null;
  children: ReactNode;
};

/** The words about a field, beside it: they lie over the page and move nothing. */
function Mensaje({ id, campo, caja, lugar, children }: MensajeProps) {
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const [own, box] = [panel.current!, caja.current!];
    if (!own.matches(':popover-open')) own.showPopover();
    const place = () => {
      const frame = box.getBoundingClientRect();
      const field = (lugar && campo.current?.getBoundingClientRect()) ?? frame;
      const { width, height } = own.getBoundingClientRect();
      // Of a field that is out of sight it stays at the edge of the rows.
      const [top, bottom] = lugar
        ? [field.top, field.bottom].map((edge) => Math.min(Math.max(edge, frame.top), frame.bottom))
        : [frame.top, frame.top];
      const [aside, last] = [field.left - width - 8, document.documentElement.clientWidth - width - 8];
      // Beside the field, where the cells below it stay free; under it or over it where there is no room.
      const beside = lugar !== null && aside >= frame.left;
      const below = bottom! + height + 8 < window.innerHeight;
      const highest = window.innerHeight - height - 8;
      own.style.top = `${beside ? Math.min(top!, highest) : below ? bottom! + 4 : top! - height - 4}px`;
      own.style.left = `${beside ? aside : Math.max(8, Math.min(field.left, last))}px`;
    };
    place();
    box.addEventListener('scroll', place, { passive: true });
    window.addEventListener('resize', place);
    return () => {
      box.removeEventListener('scroll', place);
      window.removeEventListener('resize', place);
    };
  }, [campo, caja, lugar, children]);
  return (
    <div ref={panel} id={id} className="celda-dicho" role="alert" {...{ popover: 'manual' }}>
      {children}
    </div>
  );
}
