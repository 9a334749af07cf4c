import { Link } from '@remix-run/react';
import { Boton } from '~/ui/Boton';
import { Field, SelectField } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';

type Fields = Partial<{ nombre: string; apellidos: string; email: string; proveedor: string }>;

/** A salesman of a supplier, to be written to. */
export function AgenteForm({
  proveedores,
  cerrar,
}: {
  proveedores: { value: string; label: string }[];
  cerrar: string;
}) {
  const form = useActionForm<Fields>('agregar');
  const { fields } = form;
  return (
    <ActionForm of={form} className="apilado">
      <div className="campos">
        <Field field={fields.nombre} label="Nombre" autoComplete="off" />
        <Field field={fields.apellidos} label="Apellidos" autoComplete="off" />
        <Field field={fields.email} label="Email" type="email" autoComplete="off" />
        <SelectField
          field={fields.proveedor}
          label="Proveedor"
          data={[{ value: '', label: 'Selecciona un proveedor' }, ...proveedores]}
        />
      </div>
      <div className="botones">
        <Link className="boton" to={cerrar} preventScrollReset>
          Cancelar
        </Link>
        <Boton tono="acento" type="submit">
          Aceptar
        </Boton>
      </div>
    </ActionForm>
  );
}
