import { TextInput } from '@mantine/core';
import { Link } from '@remix-run/react';
import type { LugarBuscado } from '~/core/codigoPostal';
import type { Wire } from '~/core/list';
import { opcionesOf, regimenesFor } from '~/domain/facturacion/sat/opciones';
import type { ClienteEscrito } from '~/domain/facturacion/receptores/forms';
import type { ClienteFiscalWhole } from '~/domain/facturacion/receptores/datosFiscales.server';
import { Panel } from '~/ui/Blocks';
import { Confirm } from '~/ui/Confirm';
import { Visto } from '~/ui/Choque';
import { Field, SelectField } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import { CamposDireccion } from '~/routes/ventas/envios/CamposDireccion';
import { escritoOf, askSaveCliente } from './questions';

type Fields = Record<keyof typeof ClienteEscrito.shape, string>;

const SIN_LUGAR: LugarBuscado = { colonias: [], aviso: null };

type Props = {
  cliente: Wire<ClienteFiscalWhole>;
  /** The messages about catalogues that could not be loaded. */ avisos: string[];
  /** A sentence about the documents already stamped, which do not change. */ fijos: string | null;
  cerrar: string;
};

/** The form that corrects a customer's record. The RFC identifies the customer and does not change. */
export function ClienteForm({ cliente, avisos, fijos, cerrar }: Props) {
  const form = useActionForm<Fields>('guardar', {
    defaultValue: escritoOf(cliente),
  });
  const { fields, answer, ready } = form;
  const lugar = (answer?.resultado as LugarBuscado | undefined) ?? SIN_LUGAR;
  return (
    <ActionForm of={form} className="apilado">
      {avisos.map((texto) => (
        <Panel key={texto} tono="aviso">
          {texto} Se muestran los últimos datos conocidos.
        </Panel>
      ))}
      <Hidden id={cliente.id} />
      <Visto of={form} marcas={{ version: cliente.version }} />
      <div className="campos">
        <TextInput label="RFC" value={cliente.rfc} readOnly />
        <Field field={fields.razonSocial} label="Razón Social" className="mayusculas" autoComplete="off" />
        <SelectField
          field={fields.regimen}
          label="Regimen a facturar"
          data={[{ value: '', label: 'Elige un régimen' }, ...opcionesOf(regimenesFor(cliente.rfc))]}
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
        <Link className="boton grande" to={cerrar} preventScrollReset>
          Cancelar
        </Link>
        <Confirm {...askSaveCliente(cliente, form.form.value ?? {}, fijos)} ready={ready}>
          Guardar edición
        </Confirm>
      </div>
    </ActionForm>
  );
}
