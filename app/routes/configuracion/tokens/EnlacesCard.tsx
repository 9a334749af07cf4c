import { getFormProps, useForm } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { Button, Checkbox } from '@mantine/core';
import { Form } from '@remix-run/react';
import { z } from 'zod';
import { answerTo, type Answer } from '~/core/submission';
import type { AjustesFacturacion } from '~/domain/cfdi/ajustesFacturacion.server';
import { Field } from '~/ui/Field';
import { FormErrors } from '~/ui/FormErrors';

const on = z
  .string()
  .optional()
  .transform((text) => text === 'on');
const DIAS = 'Escribe de 1 a 365 días.';
export const AjustesForm = z.object({
  enlaceDias: z
    .string({ error: DIAS })
    .trim()
    .regex(/^\d{1,3}$/, DIAS)
    .transform(Number)
    .pipe(z.number().min(1, DIAS).max(365, DIAS)),
  enlaceAutomatico: on,
  subirCfdiMl: on,
});

/** How customers get their links and their CFDI. */
export function EnlacesCard({ ajustes, answer }: { ajustes: AjustesFacturacion; answer?: Answer }) {
  const mine = answerTo('ajustes', answer);
  const [form, fields] = useForm({
    id: 'ajustes',
    lastResult: mine,
    defaultValue: { enlaceDias: String(ajustes.enlaceDias) },
    constraint: { enlaceDias: { required: true } },
    onValidate: ({ formData }) => parseWithZod(formData, { schema: AjustesForm }),
  });
  return (
    <section className="hoja" aria-labelledby="titulo-enlaces">
      <h2 id="titulo-enlaces">Facturación por el cliente</h2>
      <Form {...getFormProps(form)} method="post" className="apilado" preventScrollReset>
        <FormErrors form={form} answer={mine} />
        <Field
          field={fields.enlaceDias}
          label="Vigencia de los enlaces (días)"
          inputMode="numeric"
          maxLength={3}
          autoComplete="off"
          style={{ maxWidth: 240 }}
        />
        <Checkbox
          name="enlaceAutomatico"
          value="on"
          defaultChecked={ajustes.enlaceAutomatico !== null}
          label="Enviar el enlace por mensaje al confirmarse el pago (uno por venta, solo ventas nuevas)"
        />
        <Checkbox
          name="subirCfdiMl"
          value="on"
          defaultChecked={ajustes.subirCfdiMl}
          label="Subir el PDF y el XML de cada factura a su venta de Mercado Libre"
        />
        <div className="botones">
          <Button type="submit" name="intent" value="ajustes">
            Guardar
          </Button>
        </div>
      </Form>
    </section>
  );
}
