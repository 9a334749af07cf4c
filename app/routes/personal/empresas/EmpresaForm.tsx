import { Link } from '@remix-run/react';
import { Boton } from '~/ui/Boton';
import { Visto } from '~/ui/Choque';
import { Field } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import { useFilled } from '~/ui/useFilled';

/** `cerrar`: the address that leaves the form without saving. */
type Props = { empresa?: { id: string; nombre: string; version: number }; cerrar: string };

/** The form that adds a company or renames one. */
export function EmpresaForm({ empresa, cerrar }: Props) {
  const [filled, { ref, ...watch }] = useFilled('nombre');
  const form = useActionForm<{ nombre: string }>(empresa ? 'editar' : 'agregar', {
    defaultValue: { nombre: empresa?.nombre ?? '' },
  });
  return (
    <ActionForm of={form} {...watch} formRef={ref} className="apilado">
      {empresa && <Hidden id={empresa.id} />}
      {empresa && <Visto of={form} marcas={{ version: empresa.version }} />}
      <Field field={form.fields.nombre} label="Nombre de la empresa" autoComplete="off" maxLength={80} />
      <div className="botones">
        <Link className="boton grande" to={cerrar} preventScrollReset>
          Cancelar
        </Link>
        <Boton tono="acento" type="submit" disabled={!filled}>
          Aceptar
        </Boton>
      </div>
    </ActionForm>
  );
}
