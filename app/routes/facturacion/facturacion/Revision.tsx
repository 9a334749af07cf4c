import { getFormProps, useForm } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { Checkbox } from '@mantine/core';
import { Form } from '@remix-run/react';
import { useRef } from 'react';
import { z } from 'zod';
import type { Answer } from '~/core/submission';
import { etiquetaEn, FORMAS_PAGO_PUE, opcionesDe, usosFor } from '~/domain/catalogo/opciones';
import { REGIMENES } from '~/domain/catalogo/sat';
import type { Articulo } from '~/domain/cfdi/articulos';
import type { DraftCliente, DraftRevision } from '~/domain/emision/draft';
import { Panel } from '~/ui/Blocks';
import { Confirm } from '~/ui/Confirm';
import { Field, SelectField } from '~/ui/Field';
import { FormErrors } from '~/ui/FormErrors';
import { Pesos } from '~/ui/Pesos';
import { useFoco } from '~/ui/useFoco';
import { useHydrated } from '~/ui/useHydrated';
import { TablaArticulos, type Totales } from '~/routes/parts/articulos/TablaArticulos';

export const RevisionForm = z.object({
  formaPago: z.string({ error: 'Elige la Forma de Pago.' }),
  usoCfdi: z.string({ error: 'Elige el Uso de CFDI.' }),
  fecha: z.string({ error: 'Elige la Fecha de Facturación.' }),
  diferencia: z.string().optional(),
});

export const CONFIRMAR = { titulo: 'Facturación', texto: '¿Estas seguro de generar la factura?' } as const;

type Props = {
  articulos: Articulo[];
  cliente: DraftCliente;
  revision: DraftRevision;
  totales: Totales;
  pagado: string;
  fechas: { min: string; max: string };
  answer?: Answer;
};

/** 'Revisar Datos': what the CFDI will say, to the cent. */
export function Revision({ articulos, cliente, revision, totales, pagado, fechas, answer }: Props) {
  const hydrated = useHydrated();
  const formRef = useRef<HTMLFormElement>(null);
  useFoco(formRef);
  const [form, fields] = useForm({
    id: 'revision',
    lastResult: answer,
    defaultValue: { ...revision, diferencia: '' },
    constraint: { formaPago: { required: true }, usoCfdi: { required: true }, fecha: { required: true } },
    shouldValidate: 'onBlur',
    shouldRevalidate: 'onInput',
    onValidate: ({ formData }) => parseWithZod(formData, { schema: RevisionForm }),
  });
  const difiere = pagado !== totales.total;
  const usos = usosFor(cliente.rfc, cliente.regimen);
  return (
    <Form method="post" {...getFormProps(form)} ref={formRef} className="apilado">
      <FormErrors form={form} answer={answer} />
      <section className="hoja">
        <h2>Artículos</h2>
        <TablaArticulos articulos={articulos} totales={totales} />
      </section>
      <section className="hoja">
        <h2>Cliente</h2>
        <p>
          <strong>{cliente.razonSocial}</strong> · {cliente.rfc} · C.P. {cliente.cp}
        </p>
        <p className="nota">
          {etiquetaEn(REGIMENES, cliente.regimen)} · {cliente.emails.join(', ')}
        </p>
      </section>
      <section className="hoja">
        <h2>Factura</h2>
        <div className="campos">
          <SelectField
            field={fields.formaPago}
            label="Forma de Pago"
            data={[{ value: '', label: 'Elige la forma de pago' }, ...opcionesDe(FORMAS_PAGO_PUE)]}
          />
          <SelectField
            field={fields.usoCfdi}
            label="Uso de CFDI"
            data={[{ value: '', label: 'Elige el uso' }, ...opcionesDe(usos)]}
            data-foco={revision.usoCfdi === '' || undefined}
          />
          <Field field={fields.fecha} label="Fecha de Facturación" type="date" min={fechas.min} max={fechas.max} />
        </div>
        {difiere && (
          <Panel tono="aviso" titulo="El total no es lo que se pagó">
            El marketplace dice que se pagaron <Pesos valor={pagado} /> y la factura suma{' '}
            <Pesos valor={totales.total} />. La diferencia queda registrada con tu nombre.
            <Checkbox
              name={fields.diferencia.name}
              value="aceptada"
              label="Facturar con esta diferencia"
              mt={8}
              error={fields.diferencia.errors?.[0]}
            />
          </Panel>
        )}
        <div className="botones">
          <Confirm
            name="intent"
            value="crear"
            titulo={CONFIRMAR.titulo}
            texto={CONFIRMAR.texto}
            disabled={hydrated && !fields.usoCfdi.value}
            data-foco={revision.usoCfdi !== '' || undefined}
          >
            Crear Factura
          </Confirm>
        </div>
      </section>
    </Form>
  );
}
