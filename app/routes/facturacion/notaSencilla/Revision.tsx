import { getFormProps, useForm } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { Form } from '@remix-run/react';
import { useRef } from 'react';
import { z } from 'zod';
import type { Answer } from '~/core/submission';
import type { NotaDraftView } from '~/domain/notaSencilla/notaDraft.server';
import { NOTA } from '~/domain/notaSencilla/notaSencilla';
import { Confirm } from '~/ui/Confirm';
import { Field } from '~/ui/Field';
import { FormErrors } from '~/ui/FormErrors';
import { useFoco } from '~/ui/useFoco';
import { TablaArticulos } from '~/routes/parts/articulos/TablaArticulos';

export const RevisionNotaForm = z.object({
  fecha: z.string({ error: 'Elige la fecha de la nota.' }),
  version: z.number().int(),
});

export const CONFIRMAR_NOTA = { titulo: NOTA, texto: '¿Estas seguro de generar la nota sencilla?' } as const;

type Props = { vista: Pick<NotaDraftView, 'articulos' | 'datos' | 'totales' | 'fechas' | 'version'>; answer?: Answer };

/** 'Revisar Datos': what the note will say. */
export function Revision({ vista: { articulos, datos, totales, fechas, version }, answer }: Props) {
  const [form, fields] = useForm({
    id: `revision-nota-${version}`,
    lastResult: answer,
    defaultValue: { fecha: fechas.hoy },
    constraint: { fecha: { required: true } },
    shouldValidate: 'onBlur',
    shouldRevalidate: 'onInput',
    onValidate: ({ formData }) => parseWithZod(formData, { schema: RevisionNotaForm }),
  });
  const formRef = useRef<HTMLFormElement>(null);
  useFoco(formRef);
  const calle = [datos.calle, datos.numeroExterior, datos.numeroInterior && `int. ${datos.numeroInterior}`]
    .filter(Boolean)
    .join(' ');
  const lugar = [
    ...new Set([calle, datos.colonia, `C.P. ${datos.cp}`, datos.ciudad, datos.municipio, datos.estado].filter(Boolean)),
  ].join(', ');
  return (
    <Form method="post" {...getFormProps(form)} ref={formRef} className="apilado">
      <FormErrors form={form} answer={answer} />
      <input type="hidden" name="version" value={version} />
      <section className="hoja">
        <h2>Artículos</h2>
        <TablaArticulos articulos={articulos} totales={totales} />
      </section>
      <section className="hoja">
        <h2>Cliente</h2>
        <p>
          <strong>
            {datos.nombre} {datos.apellidos}
          </strong>
        </p>
        <p className="nota">{lugar}</p>
        <p className="nota">
          Tel. {datos.telefono} · {datos.email}
        </p>
      </section>
      <section className="hoja">
        <h2>Nota</h2>
        <div className="campos">
          <Field
            field={fields.fecha}
            label="Fecha de la nota"
            type="date"
            min={fechas.min}
            max={fechas.hoy}
            maw={260}
          />
        </div>
        <div className="botones">
          <Confirm name="intent" value="crear" {...CONFIRMAR_NOTA} data-foco>
            Crear Nota Sencilla
          </Confirm>
        </div>
      </section>
    </Form>
  );
}
