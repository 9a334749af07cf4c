import { useRef } from 'react';
import type { z } from 'zod';
import type { NotaDraftView } from '~/domain/notaSencilla/notaDraft.server';
import type { RevisionNotaForm } from '~/domain/notaSencilla/notaForm';
import { Visto } from '~/ui/Choque';
import { Confirm } from '~/ui/Confirm';
import { Field } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { useFoco } from '~/ui/useFoco';
import { TablaArticulos } from '~/routes/parts/articulos/TablaArticulos';

type Props = { vista: Pick<NotaDraftView, 'articulos' | 'datos' | 'totales' | 'fechas' | 'visto'> };

/** 'Revisar Datos': what the note will say. */
export function Revision({ vista: { articulos, datos, totales, fechas, visto } }: Props) {
  const form = useActionForm<z.input<typeof RevisionNotaForm>>('crear', {
    defaultValue: { fecha: fechas.hoy },
    required: { fecha: true },
    shouldValidate: 'onBlur',
  });
  const { fields, question } = form;
  const formRef = useRef<HTMLFormElement>(null);
  useFoco(formRef);
  const calle = [datos.calle, datos.numeroExterior, datos.numeroInterior && `int. ${datos.numeroInterior}`]
    .filter(Boolean)
    .join(' ');
  const lugar = [
    ...new Set([calle, datos.colonia, `C.P. ${datos.cp}`, datos.ciudad, datos.municipio, datos.estado].filter(Boolean)),
  ].join(', ');
  return (
    <ActionForm of={form} formRef={formRef} preventScrollReset={false} className="apilado">
      <Visto of={form} marcas={visto} enVivo />
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
          <Confirm {...question} data-foco>
            Crear Nota Sencilla
          </Confirm>
        </div>
      </section>
    </ActionForm>
  );
}
