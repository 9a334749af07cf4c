import { Textarea } from '@mantine/core';
import { getTextareaProps } from '@conform-to/react';
import { useRef, useState } from 'react';
import { VARIABLES } from '~/domain/atencion/preguntas/plantilla';
import { Panel } from '~/ui/Blocks';
import { Boton } from '~/ui/Boton';
import { focusOn } from '~/ui/foco';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import { useFoco } from '~/ui/useFoco';
import './preguntas.css';

type Props = {
  lote: string;
  /** What was said before; null while nothing was. */
  texto: string | null;
  plantillas: readonly { id: string; nombre: string; texto: string }[];
};

/** Asks for the text that answers all chosen questions. The page shows next what it becomes for each of them. */
export function RespuestaDeLote({ lote, texto, plantillas }: Props) {
  const form = useActionForm<{ texto: string }>('decirRespuesta', { defaultValue: { texto: texto ?? '' } });
  const [escrito, escribir] = useState(form.fields.texto.initialValue ?? '');
  const campo = useRef<HTMLTextAreaElement>(null);
  const forma = useRef<HTMLFormElement>(null);
  useFoco(forma);
  const { key: _key, ...props } = getTextareaProps(form.fields.texto);
  return (
    <Panel titulo={texto === null ? '¿Qué se responde?' : 'Lo que se responde'}>
      <ActionForm of={form} formRef={forma}>
        <Hidden lote={lote} />
        {plantillas.length > 0 && (
          <div className="sugeridas solo-js" role="group" aria-label="Plantillas">
            <span className="nota">Plantillas</span>
            {plantillas.map((plantilla) => (
              <button
                key={plantilla.id}
                type="button"
                className="boton"
                title={plantilla.texto}
                onClick={() => {
                  escribir(plantilla.texto);
                  focusOn(campo.current);
                }}
              >
                <span>{plantilla.nombre}</span>
              </button>
            ))}
          </div>
        )}
        <Textarea
          {...props}
          ref={campo}
          data-foco={texto === null || undefined}
          defaultValue={undefined}
          value={escrito}
          onChange={(event) => escribir(event.currentTarget.value)}
          label="Respuesta"
          rows={4}
          error={form.fields.texto.errors?.[0]}
          description={`Con los datos de cada publicación: ${Object.keys(VARIABLES)
            .map((nombre) => `{${nombre}}`)
            .join(' ')}`}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
        />
        <div className="botones">
          <Boton
            tono={texto === null ? 'acento' : undefined}
            type="submit"
            ocupado={form.pending !== undefined}
            disabled={texto !== null && escrito === texto}
          >
            {texto === null ? 'Ver las respuestas' : 'Cambiar la respuesta'}
          </Boton>
        </div>
      </ActionForm>
    </Panel>
  );
}
