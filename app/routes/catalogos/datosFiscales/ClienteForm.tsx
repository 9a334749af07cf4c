import { getFormProps, useForm } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { Button, TextInput } from '@mantine/core';
import { Form, Link } from '@remix-run/react';
import { z } from 'zod';
import type { Wire } from '~/core/list';
import type { Answer } from '~/core/submission';
import { opcionesDe, regimenesFor } from '~/domain/catalogo/opciones';
import { ClienteFiscalForm } from '~/domain/receptores/clienteFiscal';
import type { ClienteFiscalWhole } from '~/domain/receptores/datosFiscales.server';
import { Panel } from '~/ui/Blocks';
import { Confirm } from '~/ui/Confirm';
import { Dialog } from '~/ui/Dialog';
import { Field, SelectField } from '~/ui/Field';
import { FormErrors } from '~/ui/FormErrors';
import { CamposDireccion } from '~/routes/parts/direccion/CamposDireccion';
import { nombreDe } from './ClienteDialog';

export const GUARDAR_CLIENTE = {
  titulo: 'Guardar información',
  texto: '¿Esta seguro que desea guardar la información?',
};

export type LugarBuscado = { colonias: string[]; aviso: string | null };

type Props = {
  cliente: Wire<ClienteFiscalWhole>;
  lugar: LugarBuscado;
  /** Catalogues that could not be loaded. */ avisos: string[];
  answer?: Answer;
  cerrar: string;
};

/** The same record, to be corrected. Its RFC is who it is and does not change. */
export function ClienteForm({ cliente, lugar, avisos, answer, cerrar }: Props) {
  const [email = '', email2 = '', email3 = ''] = cliente.emails;
  const text = (value: string | null) => value ?? '';
  const [form, fields] = useForm({
    id: `cliente-${cliente.id}`,
    lastResult: answer,
    defaultValue: {
      razonSocial: cliente.razonSocial,
      cp: cliente.cp,
      regimen: cliente.regimen,
      email,
      email2,
      email3,
      nombre: text(cliente.nombre),
      apellidos: text(cliente.apellidos),
      telefono: text(cliente.telefono),
      colonia: text(cliente.colonia),
      calle: text(cliente.calle),
      numeroExterior: text(cliente.numeroExterior),
      numeroInterior: text(cliente.numeroInterior),
      ciudad: text(cliente.ciudad),
      municipio: text(cliente.delegacion),
      estado: text(cliente.estado),
    },
    constraint: {
      razonSocial: { required: true },
      cp: { required: true },
      regimen: { required: true },
      email: { required: true },
    },
    shouldValidate: 'onBlur',
    shouldRevalidate: 'onInput',
    onValidate: ({ formData, submitter }) => {
      const looking = submitter instanceof HTMLButtonElement && submitter.value === 'buscarCp';
      return parseWithZod(formData, {
        schema: looking ? (z.looseObject({}) as unknown as typeof ClienteFiscalForm) : ClienteFiscalForm,
      });
    },
  });
  return (
    <Dialog titulo={nombreDe(cliente)} cerrar={cerrar} ancho="lleno">
      <Form method="post" {...getFormProps(form)} preventScrollReset>
        <button type="submit" name="intent" value="guardar" className="oculto" tabIndex={-1} aria-hidden="true">
          Guardar
        </button>
        <FormErrors form={form} answer={answer} />
        {avisos.map((texto) => (
          <Panel key={texto} tono="aviso">
            {texto} Se muestran los últimos datos conocidos.
          </Panel>
        ))}
        <input type="hidden" name="id" value={cliente.id} />
        <input type="hidden" name="version" value={cliente.version} />
        <div className="campos">
          <TextInput label="RFC" value={cliente.rfc} readOnly />
          <Field field={fields.razonSocial} label="Razón Social" className="mayusculas" autoComplete="off" />
          <SelectField
            field={fields.regimen}
            label="Regimen a facturar"
            data={[{ value: '', label: 'Elige un régimen' }, ...opcionesDe(regimenesFor(cliente.rfc))]}
          />
        </div>
        <fieldset className="grupo">
          <legend>Dirección</legend>
          <CamposDireccion
            fields={fields}
            {...lugar}
            buscar={{ name: 'intent', value: 'buscarCp' }}
            etiquetaCp="Código postal"
          />
        </fieldset>
        <fieldset className="grupo">
          <legend>Información de Contacto</legend>
          <div className="campos">
            <Field field={fields.nombre} label="Nombre" autoComplete="off" />
            <Field field={fields.apellidos} label="Apellidos" autoComplete="off" />
            <Field field={fields.telefono} label="Telefono" type="tel" autoComplete="off" />
            <Field field={fields.email} label="Email" type="email" autoComplete="off" />
            <Field field={fields.email2} label="Email 2" type="email" autoComplete="off" />
            <Field field={fields.email3} label="Email 3" type="email" autoComplete="off" />
          </div>
        </fieldset>
        <div className="botones">
          <Button component={Link} to={cerrar} variant="default" preventScrollReset>
            Cancelar
          </Button>
          <Confirm
            name="intent"
            value="guardar"
            {...GUARDAR_CLIENTE}
            ready={(element) => parseWithZod(new FormData(element), { schema: ClienteFiscalForm }).status === 'success'}
          >
            Guardar edición
          </Confirm>
        </div>
      </Form>
    </Dialog>
  );
}
