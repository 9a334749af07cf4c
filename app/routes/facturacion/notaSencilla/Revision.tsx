import { useRef } from 'react';
import type { z } from 'zod';
import type { NotaDraftView } from '~/domain/facturacion/notaSencilla/notaDraft.server';
import type { RevisionNotaForm } from '~/domain/facturacion/notaSencilla/forms';
import { Visto } from '~/ui/Choque';
import { Confirm } from '~/ui/Confirm';
import { FechaField } from '~/ui/FechaField';
import { formatPesos } from '~/ui/Pesos';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { useFoco } from '~/ui/useFoco';
import { TablaArticulos } from '~/routes/facturacion/articulos/TablaArticulos';

type Props = { vista: Pick<NotaDraftView, 'articulos' | 'datos' | 'totales' | 'fechas' | 'fecha' | 'visto'> };

/** Returns the receiver and the total of the note, in one line. */
export function hechosOf({ datos, totales }: Pick<NotaDraftView, 'datos' | 'totales'>): string {
  return `${datos.nombre} ${datos.apellidos} · ${formatPesos(totales.total)}`;
}

/** 'Revisar Datos': the contents of the note before it is made. */
export function Revision({ vista: { articulos, datos, totales, fechas, fecha, visto } }: Props) {
  const form = useActionForm<z.input<typeof RevisionNotaForm>>('crear', {
    defaultValue: { fecha },
    required: { fecha: true },
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
      <h2 tabIndex={-1}>Revisar Datos</h2>
      <section className="hoja">
        <h3>Artículos</h3>
        <TablaArticulos articulos={articulos} totales={totales} />
      </section>
      <section className="hoja">
        <h3>Cliente</h3>
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
        <h3>Nota</h3>
        <div className="corto">
          <FechaField field={fields.fecha} label="Fecha de la nota" min={fechas.min} max={fechas.hoy} />
        </div>
        <div className="botones">
          <Confirm {...question} hechos={hechosOf({ datos, totales })} ready={form.ready}>
            Crear Nota Sencilla
          </Confirm>
        </div>
      </section>
    </ActionForm>
  );
}
