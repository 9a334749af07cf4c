import { getFormProps, useForm } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { Button } from '@mantine/core';
import { Form } from '@remix-run/react';
import { z } from 'zod';
import type { Answer } from '~/core/submission';
import { DatosNotaForm, type DraftDatosNota } from '~/domain/notaSencilla/notaSencilla';
import { Field } from '~/ui/Field';
import { FormErrors } from '~/ui/FormErrors';
import { CamposDireccion } from '~/routes/parts/direccion/CamposDireccion';

/** 'Datos de la nota': where and to whom. */
export function Datos({ datos, answer }: { datos: DraftDatosNota; answer?: Answer }) {
  const { colonias, aviso, listos: _listos, ...escrito } = datos;
  const [form, fields] = useForm({
    id: 'datos-nota',
    lastResult: answer,
    defaultValue: escrito,
    constraint: {
      cp: { required: true },
      nombre: { required: true },
      apellidos: { required: true },
      telefono: { required: true },
      email: { required: true },
    },
    shouldValidate: 'onBlur',
    shouldRevalidate: 'onInput',
    onValidate: ({ formData, submitter }) => {
      const looking = submitter instanceof HTMLButtonElement && submitter.value === 'buscarCp';
      return parseWithZod(formData, {
        schema: looking ? (z.looseObject({}) as unknown as typeof DatosNotaForm) : DatosNotaForm,
      });
    },
  });
  return (
    <Form method="post" {...getFormProps(form)} className="hoja">
      {/* Enter in any field goes on, instead of looking the postal code up. */}
      <button type="submit" name="intent" value="datos" className="oculto" tabIndex={-1} aria-hidden="true">
        Siguiente
      </button>
      <FormErrors form={form} answer={answer} />
      <h2>Datos de la nota</h2>
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
          <Field
            field={fields.telefono}
            label="Télefono"
            type="tel"
            inputMode="numeric"
            autoComplete="off"
            onInput={onlyTenDigits}
          />
          <Field field={fields.email} label="Email" type="email" autoComplete="off" />
        </div>
      </fieldset>
      <div className="botones">
        <Button type="submit" name="intent" value="datos">
          Siguiente
        </Button>
      </div>
    </Form>
  );
}

/** The mask: digits only, ten of them; a number pasted with its spaces and dashes loses them. */
function onlyTenDigits(event: React.FormEvent<HTMLInputElement>) {
  const input = event.currentTarget;
  const digits = input.value.replace(/\D/g, '').slice(0, 10);
  if (digits !== input.value) input.value = digits;
}
