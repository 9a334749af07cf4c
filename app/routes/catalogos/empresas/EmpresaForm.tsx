import { getFormProps, useForm } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { Button } from '@mantine/core';
import { Form, Link } from '@remix-run/react';
import { answerTo, type Answer } from '~/core/submission';
import { NewEmpresa } from '~/domain/cuentas/empresa';
import { Field } from '~/ui/Field';
import { FormErrors } from '~/ui/FormErrors';
import { useFilled } from '~/ui/useFilled';

type Props = { empresa?: { id: string; nombre: string; version: number }; answer?: Answer; cerrar: string };

/** One form to add a company and to change the name of one. */
export function EmpresaForm({ empresa, answer, cerrar }: Props) {
  const mine = answerTo('empresa', answer);
  const [filled, watch] = useFilled('nombre');
  const [form, fields] = useForm({
    id: 'empresa',
    lastResult: mine,
    defaultValue: { nombre: empresa?.nombre ?? '' },
    constraint: { nombre: { required: true } },
    shouldRevalidate: 'onInput',
    onValidate: ({ formData }) => parseWithZod(formData, { schema: NewEmpresa }),
  });
  return (
    <Form {...getFormProps(form)} {...watch} method="post" className="apilado" preventScrollReset>
      <FormErrors form={form} answer={mine} />
      <input type="hidden" name="accion" value={empresa ? 'editar' : 'agregar'} />
      {empresa && <input type="hidden" name="id" value={empresa.id} />}
      {empresa && <input type="hidden" name="version" value={empresa.version} />}
      <Field field={fields.nombre} label="Nombre de la empresa" autoComplete="off" maxLength={80} />
      <div className="botones">
        <Button component={Link} to={cerrar} variant="default">
          Cancelar
        </Button>
        <Button type="submit" disabled={!filled}>
          Aceptar
        </Button>
      </div>
    </Form>
  );
}
