import { Textarea } from '@mantine/core';
import { getTextareaProps } from '@conform-to/react';
import { useRef, useState } from 'react';
import { MAX_RESPUESTA, TITULO_PREGUNTA } from '~/domain/atencion/preguntas/pregunta';
import { faltaLlenar, fill } from '~/domain/atencion/preguntas/plantilla';
import { estatusOf } from '~/domain/publicaciones/publicaciones/publicacion';
import { Panel } from '~/ui/Blocks';
import { Boton } from '~/ui/Boton';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { focusOn } from '~/ui/foco';
import { useLugar } from '~/ui/lugar';
import { Pesos } from '~/ui/Pesos';
import { Rechazado } from '~/ui/Rechazado';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden, Refusal, useAnswer } from '~/ui/useAnswer';
import type { PreguntaAbierta } from './record';
import './preguntas.css';

export type Pregunta = PreguntaAbierta['preguntas'][number];

/** The id of the form that answers a pregunta. */
export const formaOf = (preguntaId: string) => `responder-${preguntaId}`;
const llano = (texto: string) => texto.replace(/\s+/g, ' ').trim();

/** Returns whether this person may answer the pregunta now. */
export const isRespondible = ({ puede }: PreguntaAbierta, { estatus, enCamino }: Pregunta): boolean =>
  puede && estatus === 'pendiente' && enCamino === null;

const piezas = (stock: number | null) =>
  stock === null ? 'sin dato de stock' : `${stock} ${stock === 1 ? 'pieza' : 'piezas'}`;

/** Price, stock and state of the listing that a pregunta is about; nothing where the listing is not known here. */
export function Publicada({ ficha: { market, publicacion } }: { ficha: PreguntaAbierta }) {
  if (!publicacion) return null;
  const { label, tono } = estatusOf(market, publicacion.estatus);
  return (
    <>
      <Pesos valor={publicacion.precio} /> · {piezas(publicacion.stock)} <Estatus tono={tono}>{label}</Estatus>
    </>
  );
}

type Props = {
  pregunta: Pregunta;
  ficha: PreguntaAbierta;
  /**
   * The draft; null until somebody types. It lives with the pregunta and not with its form: another person's answer removes the form, and the draft has to
   * stay readable.
   */
  escrito: string | null;
  escribir: (texto: string) => void;
};

/** The answer of a pregunta: given, under way, or the form that gives it; with what was typed where somebody else was faster. */
export function Respuesta({ pregunta, ficha, escrito, escribir }: Props) {
  const { id, respuesta, respondidaEn, respondio, enCamino, noSalio } = pregunta;
  const [entendido, entender] = useState<string>();
  const answer = useAnswer(formaOf(id));
  const responde = isRespondible(ficha, pregunta);
  // What was typed here, or sent and refused because somebody else was faster.
  const mio = escrito ?? (noSalio?.detenida === false ? noSalio.texto : '');
  const perdido = !responde && enCamino === null && llano(mio) !== '' && llano(mio) !== llano(respuesta ?? '');
  return (
    <>
      {respuesta !== null && (
        <div className="pregunta-respuesta">
          <p>{respuesta}</p>
          <span className="nota">
            <Fecha valor={respondidaEn} />
            {respondio ? ` · ${respondio}` : ' · desde Mercado Libre'}
          </span>
        </div>
      )}
      {enCamino !== null && (
        <Panel tono="aviso" titulo="La respuesta va en camino">
          {enCamino.texto}
          {enCamino.detenible && <Detener pregunta={id} respuesta={enCamino.id} />}
        </Panel>
      )}
      {responde && (
        <RespuestaForm {...{ pregunta, ficha, escrito, escribir }} alEntender={() => entender(answer?.id)} />
      )}
      {!responde && answer && answer.id !== entendido && (
        <Refusal of={formaOf(id)} titulo={TITULO_PREGUNTA} onClose={() => entender(answer.id)} />
      )}
      {perdido && (
        <Panel tono="aviso" titulo={escrito === null ? 'La respuesta no salió' : 'Lo que escribiste no se envió'}>
          {mio}
        </Panel>
      )}
    </>
  );
}

/** Stops an answer that has not left yet. */
function Detener({ pregunta, respuesta }: { pregunta: string; respuesta: string }) {
  const form = useActionForm('detenerRespuesta', { id: `detener-${pregunta}`, required: false });
  return (
    <ActionForm of={form}>
      <Hidden pregunta={pregunta} respuesta={respuesta} />
      <div className="botones">
        <button type="submit" className="boton">
          Detener la respuesta
        </button>
      </div>
    </ActionForm>
  );
}

/** The form of an answer. Earlier answers to similar preguntas and the templates are one press away and are never sent by themselves. */
function RespuestaForm({
  pregunta: { id, version, sugerencias, noSalio, rechazo },
  ficha,
  escrito,
  escribir,
  alEntender,
}: {
  pregunta: Pregunta;
  ficha: PreguntaAbierta;
  /** Null until somebody types. */
  escrito: string | null;
  escribir: (texto: string) => void;
  alEntender: () => void;
}) {
  const form = useActionForm<{ texto: string }>('responder', { id: formaOf(id), required: false });
  const texto = escrito ?? form.fields.texto.initialValue ?? noSalio?.texto ?? '';
  const campo = useRef<HTMLTextAreaElement>(null);
  const puesto = useRef('');
  const deOtraPantalla = useLugar() !== null;
  const { key: _key, ...props } = getTextareaProps(form.fields.texto);
  /** A press replaces the text of an earlier press, and is appended to text that was typed. */
  const poner = (nuevo: string) => {
    const sigue = texto.trim() !== '' && texto !== puesto.current;
    puesto.current = sigue ? `${texto.trimEnd()}\n${nuevo}` : nuevo;
    escribir(puesto.current);
    focusOn(campo.current);
  };
  const sugeridas = (
    <>
      <Sugeridas titulo="Se respondió antes" textos={sugerencias.map((texto) => ({ texto }))} poner={poner} />
      <Sugeridas
        titulo="Plantillas"
        textos={ficha.plantillas.map((plantilla) => ({
          nombre: plantilla.nombre,
          texto: fill(plantilla.texto, ficha.variables),
        }))}
        poner={poner}
      />
    </>
  );
  return (
    <ActionForm of={form} onUnderstood={alEntender}>
      <Hidden pregunta={id} version={version} />
      {noSalio && !noSalio.detenida && (
        <Panel tono="mal" titulo="La respuesta no salió">
          {rechazo ? <Rechazado rechazo={rechazo} /> : noSalio.motivo}
        </Panel>
      )}
      {!deOtraPantalla && sugeridas}
      <Textarea
        {...props}
        ref={campo}
        data-foco
        defaultValue={undefined}
        value={texto}
        onChange={(event) => escribir(event.currentTarget.value)}
        label="Respuesta"
        rows={deOtraPantalla ? 2 : 4}
        error={form.fields.texto.errors?.[0]}
        description={faltaLlenar(texto) ?? loQueQueda(texto)}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
      />
      <div className="botones">
        {deOtraPantalla && sugeridas}
        {deOtraPantalla && form.pending && (
          <span role="status" className="nota">
            Enviando…
          </span>
        )}
        <Boton tono="acento" type="submit" ocupado={form.pending !== undefined} data-principal>
          Responder pregunta
        </Boton>
      </div>
    </ActionForm>
  );
}

/** Returns the number of letters left, near the limit and beyond it. */
function loQueQueda(texto: string): string | undefined {
  const quedan = MAX_RESPUESTA - texto.trim().length;
  if (quedan >= 200) return undefined;
  return quedan < 0 ? `Sobran ${-quedan} caracteres` : `Quedan ${quedan} caracteres`;
}

type SugeridasProps = {
  titulo: string;
  textos: { nombre?: string; texto: string }[];
  poner: (texto: string) => void;
};

function Sugeridas({ titulo, textos, poner }: SugeridasProps) {
  if (textos.length === 0) return null;
  return (
    <div className="sugeridas solo-js" role="group" aria-label={titulo}>
      <span className="nota">{titulo}</span>
      {textos.map(({ nombre, texto }) => (
        <button key={nombre ?? texto} type="button" className="boton" title={texto} onClick={() => poner(texto)}>
          <span>{nombre ?? texto}</span>
        </button>
      ))}
    </div>
  );
}
