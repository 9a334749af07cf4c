import { Textarea } from '@mantine/core';
import { getTextareaProps } from '@conform-to/react';
import { Form } from '@remix-run/react';
import { askRemove, VARIABLES } from '~/domain/atencion/preguntas/plantilla';
import type { Plantilla } from '~/domain/atencion/preguntas/plantillas.server';
import { EmptyState } from '~/ui/Blocks';
import { Confirm } from '~/ui/Confirm';
import { Dialog } from '~/ui/Dialog';
import { Field } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden, Refusal } from '~/ui/useAnswer';
import './preguntas.css';

/** The templates of answers. A word between braces is filled from the listing. */
export function Plantillas({ plantillas }: { plantillas: readonly Plantilla[] }) {
  return (
    <Dialog titulo="Plantillas" cerrar="?" ancho="grande">
      <Refusal of="eliminarPlantilla" />
      <p className="nota">
        Variables:{' '}
        {Object.entries(VARIABLES)
          .map(([nombre, que]) => `{${nombre}} ${que.toLowerCase()}`)
          .join(' · ')}
        .
      </p>
      <ul className="preguntas">
        {plantillas.map((plantilla) => (
          <li key={plantilla.id} className="pregunta">
            <PlantillaForm key={plantilla.version} plantilla={plantilla} />
          </li>
        ))}
      </ul>
      {plantillas.length === 0 && <EmptyState>Todavía no hay plantillas.</EmptyState>}
      <h3>Agregar plantilla</h3>
      <PlantillaForm key={plantillas.length} plantilla={null} />
    </Dialog>
  );
}

function PlantillaForm({ plantilla }: { plantilla: Plantilla | null }) {
  const form = useActionForm<{ nombre: string; texto: string }>(plantilla ? 'editarPlantilla' : 'agregarPlantilla', {
    ...(plantilla && { id: `plantilla-${plantilla.id}` }),
    defaultValue: { nombre: plantilla?.nombre ?? '', texto: plantilla?.texto ?? '' },
  });
  const { key, ...props } = getTextareaProps(form.fields.texto);
  return (
    <>
      <ActionForm of={form} sinEnter>
        {plantilla && <Hidden plantilla={plantilla.id} version={plantilla.version} />}
        <Field field={form.fields.nombre} label="Nombre" autoComplete="off" />
        <Textarea key={key} {...props} label="Texto" rows={3} error={form.fields.texto.errors?.[0]} />
        <div className="botones">
          <button type="submit" className="boton" data-tono="acento">
            {plantilla ? 'Guardar' : 'Agregar'}
          </button>
        </div>
      </ActionForm>
      {plantilla && (
        <Form method="post" preventScrollReset>
          <Hidden intent="eliminarPlantilla" plantilla={plantilla.id} version={plantilla.version} />
          <Confirm plain="boton" data-tono="mal" {...askRemove(plantilla.nombre)}>
            Eliminar
          </Confirm>
        </Form>
      )}
    </>
  );
}
