import { Link } from '@remix-run/react';
import { Boton } from '~/ui/Boton';
import { Visto } from '~/ui/Choque';
import { Field, SelectField } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';

type Datos = { nombre: string; apellidos: string; email: string; proveedor: string; telefono: string };

/** The form of a salesman of a supplier, new or known. */
export function AgenteForm({
  agente,
  proveedores,
  cerrar,
}: {
  agente?: Omit<Datos, 'telefono'> & { telefono: string | null; id: string; version: number };
  proveedores: { value: string; label: string }[];
  cerrar: string;
}) {
  const form = useActionForm<Partial<Datos>>(
    agente ? 'editar' : 'agregar',
    agente && {
      defaultValue: {
        nombre: agente.nombre,
        apellidos: agente.apellidos,
        email: agente.email,
        proveedor: agente.proveedor,
        telefono: agente.telefono ?? '',
      },
    },
  );
  const { fields } = form;
  return (
    <ActionForm of={form} className="apilado">
      {agente && <Hidden id={agente.id} />}
      {agente && <Visto of={form} marcas={{ version: agente.version }} />}
      <div className="campos">
        <Field field={fields.nombre} label="Nombre" autoComplete="off" />
        <Field field={fields.apellidos} label="Apellidos" autoComplete="off" />
        <Field field={fields.email} label="Email" type="email" autoComplete="off" />
        <SelectField
          field={fields.proveedor}
          label="Proveedor"
          data={[{ value: '', label: 'Selecciona un proveedor' }, ...proveedores]}
        />
        <Field field={fields.telefono} label="Teléfono" type="tel" autoComplete="off" />
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
