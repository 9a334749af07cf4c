import { getFormProps, useForm } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { Form } from '@remix-run/react';
import { z } from 'zod';
import type { Answer } from '~/core/submission';
import { etiquetaEn, opcionesDe, usosFor } from '~/domain/catalogo/opciones';
import { REGIMENES } from '~/domain/catalogo/sat';
import type { ClientePublico, VistaPublica } from '~/domain/publico/publico.server';
import { Confirm } from '~/ui/Confirm';
import { SelectField } from '~/ui/Field';
import { FormErrors } from '~/ui/FormErrors';
import { Pesos } from '~/ui/Pesos';
import { Titular } from '~/ui/Titular';
import { useHydrated } from '~/ui/useHydrated';

export const UsoForm = z.object({ usoCfdi: z.string({ error: 'Elige el Uso de CFDI.' }) });

export const CONFIRMAR = { titulo: 'Facturación', texto: '¿Estas seguro de generar la factura?' } as const;

type Props = NonNullable<Extract<VistaPublica, { tipo: 'paso' }>['revision']> & {
  cliente: ClientePublico;
  answer?: Answer;
};

/**
 * 'Revisar Datos' for the customer: what the CFDI will say. Only its use is theirs to choose. Uses and regimes are the constants the rules check with, so a
 * catalogue that could not be read is nothing a customer has to know: staff are told where they choose from it.
 */
export function Revision({ articulos, totales, usoCfdi, cliente, answer }: Props) {
  const hydrated = useHydrated();
  const [form, fields] = useForm({
    id: 'revision',
    lastResult: answer,
    defaultValue: { usoCfdi },
    constraint: { usoCfdi: { required: true } },
    shouldRevalidate: 'onInput',
    onValidate: ({ formData }) => parseWithZod(formData, { schema: UsoForm }),
  });
  return (
    <Form method="post" {...getFormProps(form)} className="apilado">
      <FormErrors form={form} answer={answer} />
      <section className="hoja">
        <Titular>Tu factura</Titular>
        <p>
          <strong>{cliente.razonSocial}</strong>
        </p>
        <p className="nota">
          {cliente.rfc} · C.P. {cliente.cp} · {etiquetaEn(REGIMENES, cliente.regimen)}
        </p>
        <p className="nota">
          Se enviará a {cliente.registrado ?? [cliente.email, cliente.email2].filter(Boolean).join(' y ')}
        </p>
        <table className="tabla articulos-publicos">
          <thead>
            <tr>
              <th>Descripción</th>
              <th className="num">Cantidad</th>
              <th className="num">Total</th>
            </tr>
          </thead>
          <tbody>
            {articulos.map((articulo, at) => (
              <tr key={at}>
                <td>
                  {articulo.nombre}
                  {articulo.cantidad > 1 && (
                    <span className="nota">
                      {' '}
                      · <Pesos valor={articulo.precioUnitario} /> c/u
                    </span>
                  )}
                </td>
                <td className="num">{articulo.cantidad}</td>
                <td className="pesos">
                  <Pesos valor={articulo.importe} />
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th colSpan={2} className="num">
                Sub-Total
              </th>
              <td className="pesos">
                <Pesos valor={totales.subTotal} />
              </td>
            </tr>
            <tr>
              <th colSpan={2} className="num">
                I.V.A
              </th>
              <td className="pesos">
                <Pesos valor={totales.iva} />
              </td>
            </tr>
            <tr>
              <th colSpan={2} className="num">
                Total
              </th>
              <td className="pesos">
                <strong>
                  <Pesos valor={totales.total} />
                </strong>
              </td>
            </tr>
          </tfoot>
        </table>
      </section>
      <section className="hoja">
        <SelectField
          field={fields.usoCfdi}
          label="Uso de CFDI"
          data={[{ value: '', label: 'Elige el uso' }, ...opcionesDe(usosFor(cliente.rfc, cliente.regimen))]}
        />
        <div className="botones">
          <Confirm
            name="intent"
            value="crear"
            titulo={CONFIRMAR.titulo}
            texto={CONFIRMAR.texto}
            disabled={hydrated && !fields.usoCfdi.value}
          >
            Crear Factura
          </Confirm>
        </div>
      </section>
    </Form>
  );
}
