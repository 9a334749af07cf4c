import { getFormProps, useForm } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { Button } from '@mantine/core';
import { Form, Link } from '@remix-run/react';
import type { z } from 'zod';
import { answerTo, type Answer } from '~/core/submission';
import { REGLA_LABEL, REGLAS } from '~/domain/proveedores/proveedor';
import { NewProveedor, ProveedorEditado } from '~/domain/proveedores/proveedorForm';
import type { Proveedor } from '~/domain/proveedores/proveedores.server';
import { Field, SelectField } from '~/ui/Field';
import { FormErrors } from '~/ui/FormErrors';

const TEXTOS = ['label', 'linkHome', 'linkProductos', 'linkFactura', 'sufijoFactura', 'rfc', 'email'] as const;
type Fields = Partial<Record<(typeof TEXTOS)[number] | 'value' | 'reglaFactura' | 'activo', string>>;

const DEBAJO: ('label' | 'input' | 'error' | 'description')[] = ['label', 'input', 'error', 'description'];

/** One supplier of the catalogue, new or known. */
export function ProveedorForm({
  proveedor,
  answer,
  cerrar,
}: {
  proveedor?: Proveedor;
  answer?: Answer;
  cerrar: string;
}) {
  const mine = answerTo('proveedor', answer);
  const schema: z.ZodType<unknown, Fields> = proveedor ? ProveedorEditado : NewProveedor;
  const [form, fields] = useForm<Fields, unknown>({
    id: 'proveedor',
    lastResult: mine,
    defaultValue: proveedor
      ? {
          ...Object.fromEntries(TEXTOS.map((name) => [name, proveedor[name] ?? ''])),
          reglaFactura: proveedor.reglaFactura,
          activo: proveedor.activo ? '1' : '0',
        }
      : { reglaFactura: 'ninguna', activo: '1' },
    onValidate: ({ formData }) => parseWithZod(formData, { schema }),
    shouldRevalidate: 'onInput',
  });
  return (
    <Form {...getFormProps(form)} method="post" className="apilado" preventScrollReset>
      <FormErrors form={form} answer={mine} />
      <input type="hidden" name="accion" value={proveedor ? 'editar' : 'agregar'} />
      {proveedor && (
        <>
          <input type="hidden" name="value" value={proveedor.value} />
          <input type="hidden" name="version" value={proveedor.version} />
        </>
      )}
      <div className="campos">
        {!proveedor && (
          <Field
            field={fields.value}
            label="Clave"
            description="Como aparece en el SKU"
            inputWrapperOrder={DEBAJO}
            autoComplete="off"
            autoCapitalize="none"
          />
        )}
        <Field field={fields.label} label="Nombre" autoComplete="off" />
        <Field
          field={fields.rfc}
          label="RFC"
          description="Reconoce sus facturas en XML"
          inputWrapperOrder={DEBAJO}
          autoComplete="off"
          className="mayusculas"
        />
        <Field
          field={fields.email}
          label="Email"
          type="email"
          description="Cuando no hay agentes activos"
          inputWrapperOrder={DEBAJO}
          autoComplete="off"
        />
        <Field field={fields.linkHome} label="Sitio" autoComplete="off" placeholder="https://" />
        <Field field={fields.linkProductos} label="Página de productos" autoComplete="off" placeholder="https://" />
        <Field field={fields.linkFactura} label="Página de facturas" autoComplete="off" placeholder="https://" />
        <SelectField
          field={fields.reglaFactura}
          label="Enlace de cada factura"
          data={REGLAS.map((regla) => ({ value: regla, label: REGLA_LABEL[regla] }))}
        />
        <Field field={fields.sufijoFactura} label="Sufijo del enlace" autoComplete="off" />
        <SelectField
          field={fields.activo}
          label="Estatus"
          data={[
            { value: '1', label: 'Activo' },
            { value: '0', label: 'Inactivo' },
          ]}
        />
      </div>
      <div className="botones">
        <Link className="boton" to={cerrar} preventScrollReset>
          Cancelar
        </Link>
        <Button type="submit">Guardar</Button>
      </div>
    </Form>
  );
}
