import { useRef, useState } from 'react';
import { Presencia } from '~/ui/ficha/Presencia';
import { EnOtroLugar } from '~/ui/lugar';
import type { AquiProps } from '~/routes/inicio/hoy/aqui';
import { Huesos, NoSeLeyo } from '~/routes/inicio/hoy/Huesos';
import { useAqui } from '~/routes/inicio/hoy/useAqui';
import { formaOf, isRespondible, Publicada, Respuesta } from './Respuesta';
import type { PreguntaAbierta } from './record';

/** A pregunta that waits, to be answered where it is told: the form of 'Responder preguntas', which that screen takes. */
export function PreguntaAqui(props: AquiProps) {
  const { cosa, area, alTerminar } = props;
  const caja = useRef<HTMLDivElement>(null);
  const [escrito, escribir] = useState<string | null>(null);
  const preguntaOf = ({ preguntas }: PreguntaAbierta) => preguntas.find(({ id }) => id === cosa.id);
  const { ficha, estado, ocupada, lugar, fallo, reintentar } = useAqui<PreguntaAbierta>(props, {
    ficha: `responderPreguntas/${cosa.id}?sola=1`,
    pantalla: 'responderPreguntas',
    formId: formaOf(cosa.id),
    escrito: (escrito?.trim() ?? '') !== '',
    espera: (ficha) => {
      const pregunta = preguntaOf(ficha);
      return pregunta !== undefined && isRespondible(ficha, pregunta) ? 'aqui' : 'hecha';
    },
    caja,
  });
  const pregunta = ficha ? preguntaOf(ficha) : undefined;
  if (!ficha || !pregunta) return fallo ? <NoSeLeyo reintentar={reintentar} /> : <Huesos />;
  return (
    <div ref={caja} className="pregunta-aqui">
      <p className="nota">
        <Publicada ficha={ficha} />
        {ocupada && <Presencia que={`pregunta:${ficha.publicacionId}`} url={`${area}/presencia`} />}
      </p>
      {pregunta.texto !== cosa.titulo && (
        <p className="pregunta-texto">{pregunta.texto || 'Mercado Libre no muestra su texto.'}</p>
      )}
      <EnOtroLugar.Provider value={lugar}>
        <Respuesta {...{ pregunta, ficha, escrito, escribir }} />
      </EnOtroLugar.Provider>
      {estado === 'hecha' && (
        <div className="botones">
          <button type="button" className="boton" onClick={alTerminar}>
            Siguiente pregunta
          </button>
        </div>
      )}
    </div>
  );
}
