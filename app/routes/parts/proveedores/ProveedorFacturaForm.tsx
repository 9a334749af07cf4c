import { getFormProps, useForm } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { Button } from '@mantine/core';
import { Form, Link, useLocation, useNavigate } from '@remix-run/react';
import type { z } from 'zod';
import { answerTo, type Answer } from '~/core/submission';
import { leerImporte } from '~/core/importe';
import { NewProveedorFactura, ProveedorFacturaEditada, unmaskMonto } from '~/domain/proveedores/proveedorFacturaForm';
import { Confirm } from '~/ui/Confirm';
import { Field, SelectField } from '~/ui/Field';
import { FormErrors } from '~/ui/FormErrors';
import { useFilled } from '~/ui/useFilled';
import { editarFactura } from './textos';

type Fields = Partial<{ proveedor: string; monto: string; folio: string }>;
type Props = {
  proveedores: { value: string; label: string; activo: boolean }[];
  /** What is edited; without it a new one is added to `ordenId`. */
  factura?: { id: string; version: number; proveedor: string; monto: string; folio: string };
  ordenId?: string;
  /** What the fields begin with: the sale's supplier, or a document that was read. */
  inicial?: Fields & { cfdi?: string };
  answer?: Answer;
  cerrar: string;
};

/** Supplier, amount and folio of one invoice, new or known. */
export function ProveedorFacturaForm({ proveedores, factura, ordenId, inicial, answer, cerrar }: Props) {
  const mine = answerTo('proveedorFactura', answer);
  const { search } = useLocation();
  const navigate = useNavigate();
  const [filled, watch] = useFilled('proveedor', 'monto', 'folio');
  const schema: z.ZodType<Fields> = factura ? ProveedorFacturaEditada : NewProveedorFactura;
  const check = (formData: FormData) => parseWithZod(formData, { schema });
  const [form, fields] = useForm<Fields>({
    id: 'proveedorFactura',
    lastResult: mine,
    defaultValue: factura ?? inicial ?? {},
    onValidate: ({ formData }) => check(formData),
    shouldRevalidate: 'onInput',
  });
  const offered = proveedores.filter(
    ({ value, activo }) => activo || value === factura?.proveedor || value === inicial?.proveedor,
  );

  return (
    <Form {...getFormProps(form)} {...watch} method="post" className="apilado" preventScrollReset>
      <FormErrors
        form={form}
        answer={mine}
        onClose={() => navigate(search, { replace: true, preventScrollReset: true })}
      />
      <input type="hidden" name="accion" value={factura ? 'proveedorFactura.editar' : 'proveedorFactura.agregar'} />
      {factura ? (
        <>
          <input type="hidden" name="id" value={factura.id} />
          <input type="hidden" name="version" value={factura.version} />
        </>
      ) : (
        <input type="hidden" name="ordenId" value={ordenId} />
      )}
      {inicial?.cfdi && <input type="hidden" name="cfdi" value={inicial.cfdi} />}
      <div className="campos">
        <SelectField
          field={fields.proveedor}
          label="Proveedor"
          data={[
            { value: '', label: 'Selecciona un proveedor' },
            ...offered.map(({ value, label }) => ({ value, label })),
          ]}
        />
        <Field
          field={fields.monto}
          label="Monto"
          inputMode="decimal"
          autoComplete="off"
          placeholder="0.00"
          leftSection="$"
          onBlur={({ currentTarget }) => {
            currentTarget.value = withCents(currentTarget.value);
          }}
        />
        <Field field={fields.folio} label="Folio" autoComplete="off" maxLength={60} />
      </div>
      <div className="botones">
        <Link className="boton" to={cerrar} preventScrollReset>
          Cancelar
        </Link>
        {factura ? (
          <Confirm
            {...editarFactura(factura.folio)}
            disabled={!filled}
            ready={(element) => check(new FormData(element)).status === 'success'}
          >
            Guardar
          </Confirm>
        ) : (
          <Button type="submit" disabled={!filled}>
            Guardar
          </Button>
        )}
      </div>
    </Form>
  );
}

/** The amount understood, once the field is left: '1,50' shows 1.50. What is no amount, or could be two, stays as it was typed. */
function withCents(text: string): string {
  const lectura = leerImporte(unmaskMonto(text));
  return lectura.clase === 'importe' ? lectura.importe : text;
}
