import { useRef } from 'react';
import type { z } from 'zod';
import type { DatosNotaForm, DraftDatosNota } from '~/domain/facturacion/notaSencilla/forms';
import { Boton } from '~/ui/Boton';
import { Visto } from '~/ui/Choque';
import { Field } from '~/ui/Field';
import { useFoco } from '~/ui/useFoco';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { CamposDireccion } from '~/routes/ventas/envios/CamposDireccion';

export const FORM_DATOS = 'datos-nota';

/** 'Datos de la nota': the place and the receiver. */
export function Datos({ datos, visto }: { datos: DraftDatosNota; visto: { version: number; mostrado: string } }) {
  const { colonias, aviso, listos: _listos, ...escrito } = datos;
  const form = useActionForm<z.input<typeof DatosNotaForm>>('datos', {
    id: FORM_DATOS,
    defaultValue: escrito,
  });
  const { fields } = form;
  const formRef = useRef<HTMLFormElement>(null);
  useFoco(formRef);
  return (
    <ActionForm of={form} formRef={formRef} preventScrollReset={false} className="hoja">
      <Visto of={form} marcas={visto} />
      {/* Enter in any field goes on, instead of looking the postal code up. */}
      <button type="submit" className="oculto" tabIndex={-1} aria-hidden="true">
        Siguiente
      </button>
      <h2 tabIndex={-1}>Datos de la nota</h2>
      <fieldset className="grupo">
        <legend>Dirección</legend>
        <CamposDireccion
          fields={fields}
          colonias={colonias}
          aviso={aviso}
          buscar={{ name: 'intent', value: 'buscarCp' }}
        />
      </fieldset>
      <fieldset className="grupo">
        <legend>Información de Contacto</legend>
        <div className="campos">
          <Field field={fields.nombre} label="Nombre" autoComplete="off" />
          <Field field={fields.apellidos} label="Apellidos" autoComplete="off" />
          <Field field={fields.telefono} label="Télefono" type="tel" autoComplete="off" />
          <Field field={fields.email} label="Email" type="email" autoComplete="off" />
        </div>
      </fieldset>
      <div className="botones">
        <Boton tono="acento" type="submit" data-principal>
          Siguiente
        </Boton>
      </div>
    </ActionForm>
  );
}
