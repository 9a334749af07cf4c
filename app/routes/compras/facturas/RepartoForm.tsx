import { getInputProps } from '@conform-to/react';
import { Form } from '@remix-run/react';
import type { Wire } from '~/core/list';
import type { CfdiPropuesto } from '~/domain/compras/facturas/cfdis.server';
import { MOTIVO_LABEL } from '~/domain/compras/facturas/motivo';
import { Boton } from '~/ui/Boton';
import { Fecha } from '~/ui/Fecha';
import { Visto } from '~/ui/Choque';
import { Field, SelectField } from '~/ui/Field';
import { formatPesos } from '~/ui/Pesos';
import { TablaCaja } from '~/ui/TablaCaja';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden, Refusal } from '~/ui/useAnswer';
import './proveedores.css';

type Fields = { proveedor?: string; folio?: string; filas?: { orden?: string; monto?: string }[] };
type Props = {
  cfdi: Wire<CfdiPropuesto>;
  proveedores: { value: string; label: string; activo: boolean }[];
};

/** Empty rows for sales that a person knows and the document does not name. */
const BLANK = 2;

/** The form that divides one document's total among sales: the proposal, the part that fits no sale, and room to correct both. */
export function RepartoForm({ cfdi, proveedores }: Props) {
  const id = `reparto-${cfdi.id}`;
  const { filas, sinOrden } = cfdi.propuesta;
  const form = useActionForm<Fields>('repartirXml', {
    id,
    defaultValue: {
      proveedor: cfdi.proveedor ?? '',
      folio: cfdi.folio,
      filas: [
        ...filas.map(({ numero, monto }) => ({ orden: numero, monto })),
        ...Array.from({ length: BLANK }, () => ({ orden: '', monto: '' })),
      ],
    },
  });
  const { fields } = form;
  return (
    <section className="hoja cfdi" aria-label={`Factura ${cfdi.folio}`}>
      <h3>
        {cfdi.folio} · {formatPesos(cfdi.total)}
        {cfdi.restante !== cfdi.total && ` (quedan ${formatPesos(cfdi.restante)})`}
      </h3>
      <p className="nota">
        {cfdi.emisorNombre} · {cfdi.emisorRfc} · <Fecha valor={cfdi.fecha} />
      </p>
      <ActionForm of={form} className="apilado">
        <Hidden cfdi={cfdi.id} />
        <Visto of={form} marcas={cfdi.visto} />
        <div className="campos">
          <SelectField
            field={fields.proveedor}
            label="Proveedor"
            data={[
              { value: '', label: 'Selecciona un proveedor' },
              ...proveedores.filter(({ activo }) => activo).map(({ value, label }) => ({ value, label })),
            ]}
          />
          <Field field={fields.folio} label="Folio" autoComplete="off" />
        </div>
        <TablaCaja nombre="Reparto" conMandos>
          <table className="tabla reparto">
            <thead>
              <tr>
                <th>No. Orden</th>
                <th>Título</th>
                <th>Coincide por</th>
                <th className="num">Monto</th>
              </tr>
            </thead>
            <tbody>
              {fields.filas.getFieldList().map((fila, at) => {
                const { orden, monto } = fila.getFieldset();
                const { key: ordenKey, ...ordenProps } = getInputProps(orden, { type: 'text' });
                const { key: montoKey, ...montoProps } = getInputProps(monto, { type: 'text' });
                const propuesta = filas[at];
                return (
                  <tr key={fila.key}>
                    <td>
                      <input
                        key={ordenKey}
                        {...ordenProps}
                        className="celda"
                        aria-label={`Orden ${at + 1}`}
                        autoComplete="off"
                        placeholder={propuesta ? undefined : 'Otra orden'}
                      />
                    </td>
                    <td className="titulo">{propuesta?.titulo}</td>
                    <td>
                      {propuesta?.motivos.map((motivo) => MOTIVO_LABEL[motivo]).join(', ')}
                      {propuesta?.conFactura && <p className="error">Ya tiene factura de proveedor.</p>}
                      {propuesta?.excede && <p className="error">Es más de lo que pagó el cliente.</p>}
                    </td>
                    <td className="num">
                      <input
                        key={montoKey}
                        {...montoProps}
                        className="celda"
                        inputMode="decimal"
                        aria-label={`Monto ${at + 1}`}
                        autoComplete="off"
                      />
                      {monto.errors && <p className="error">{monto.errors[0]}</p>}
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </TablaCaja>
        {cfdi.ilegible && (
          <p className="error" role="alert">
            No se pudo leer lo que vende esta factura: escribe sus ordenes a mano o descártala.
          </p>
        )}
        {sinOrden.length > 0 && (
          <div className="panel" data-tono="aviso">
            <strong>No coincide con ninguna orden</strong>
            <ul>
              {sinOrden.map(({ descripcion, monto }) => (
                <li key={descripcion}>
                  {descripcion}: {formatPesos(monto)}
                </li>
              ))}
            </ul>
          </div>
        )}
        {fields.filas.errors && (
          <p className="error" role="alert">
            {fields.filas.errors[0]}
          </p>
        )}
        <div className="botones">
          <button type="submit" className="boton" form={`${id}-descartar`}>
            Descartar
          </button>
          <Boton tono="acento" type="submit">
            Agregar a las ordenes
          </Boton>
        </div>
      </ActionForm>
      <Refusal of="descartarXml" />
      <Form method="post" id={`${id}-descartar`} preventScrollReset>
        <Hidden intent="descartarXml" cfdi={cfdi.id} {...cfdi.visto} />
      </Form>
    </section>
  );
}
