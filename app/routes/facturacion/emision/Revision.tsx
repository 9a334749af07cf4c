import type { FieldMetadata } from '@conform-to/react';
import { useRef } from 'react';
import type { z } from 'zod';
import { enLinea } from '~/core/hechos';
import { etiquetaEn, FORMAS_PAGO_PUE, opcionesOf, usosFor } from '~/domain/facturacion/sat/opciones';
import { REGIMENES, USOS } from '~/domain/facturacion/sat/sat';
import type { Articulo } from '~/domain/facturacion/cfdi/articulos';
import type { DraftCliente, DraftRevision } from '~/domain/facturacion/emision/draft';
import type { RevisionForm } from '~/domain/facturacion/emision/forms';
import { Panel } from '~/ui/Blocks';
import { Visto } from '~/ui/Choque';
import { Confirm } from '~/ui/Confirm';
import { FechaField } from '~/ui/FechaField';
import { SelectField } from '~/ui/Field';
import { formatFecha } from '~/ui/Fecha';
import { formatPesos, Pesos } from '~/ui/Pesos';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { useFoco } from '~/ui/useFoco';
import { useHydrated } from '~/ui/useHydrated';
import type { Totales } from '~/routes/facturacion/articulos/SumasPie';
import { TablaArticulos } from '~/routes/facturacion/articulos/TablaArticulos';

type Props = {
  numOrden: string;
  articulos: Articulo[];
  cliente: DraftCliente;
  revision: DraftRevision;
  totales: Totales;
  pagado: string;
  fechas: { min: string; max: string };
  /** A sentence about everything else that this factura changes. */ alcance: string | null;
  visto: { version: number; mostrado: string };
};

/** Returns the factura that is about to be stamped in one line, as the document will say it. */
export function hechosOf(
  numOrden: string,
  { razonSocial, rfc }: DraftCliente,
  { total }: Pick<Totales, 'total'>,
  revision?: Partial<Record<keyof DraftRevision, string | undefined>>,
): string {
  return enLinea(
    `Orden ${numOrden}`,
    razonSocial,
    rfc,
    ...(revision ? hechosDeRevision(revision) : []),
    formatPesos(total),
  );
}

/** Use, payment form and day of a factura, as its question tells them. */
export const hechosDeRevision = ({
  usoCfdi,
  formaPago,
  fecha,
}: Partial<Record<keyof DraftRevision, string | undefined>>) => [
  usoCfdi && `Uso ${etiquetaEn(USOS, usoCfdi)}`,
  formaPago && `Pago ${etiquetaEn(FORMAS_PAGO_PUE, formaPago)}`,
  fecha && formatFecha(fecha),
];

/** 'Revisar Datos': what the CFDI will say, to the cent. */
export function Revision({ numOrden, articulos, cliente, revision, totales, pagado, fechas, alcance, visto }: Props) {
  const hydrated = useHydrated();
  const formRef = useRef<HTMLFormElement>(null);
  useFoco(formRef);
  const form = useActionForm<z.input<typeof RevisionForm>>('crear', {
    defaultValue: revision,
  });
  const { fields, question } = form;
  const difiere = pagado !== totales.total;
  return (
    <ActionForm of={form} formRef={formRef} preventScrollReset={false} className="apilado">
      <Visto of={form} marcas={{ ...visto, pagado }} enVivo />
      <h2 tabIndex={-1}>Revisar Datos</h2>
      <section className="hoja">
        <h3>Artículos</h3>
        <TablaArticulos articulos={articulos} totales={totales} />
        {alcance && <p className="nota">{alcance}</p>}
      </section>
      <section className="hoja">
        <h3>Cliente</h3>
        <p>
          <strong>{cliente.razonSocial}</strong> · {cliente.rfc} · C.P. {cliente.cp}
        </p>
        <p className="nota">
          {etiquetaEn(REGIMENES, cliente.regimen)} · {cliente.emails.join(', ')}
        </p>
      </section>
      <section className="hoja">
        <h3>Factura</h3>
        <CamposDeFactura fields={fields} cliente={cliente} fechas={fechas} />
        {difiere && (
          <Panel tono="aviso" titulo="El total no es lo que se pagó">
            El marketplace dice que se pagaron <Pesos valor={pagado} /> y la factura suma{' '}
            <Pesos valor={totales.total} />. La diferencia queda registrada con tu nombre.
            <label className="con-casilla">
              <input
                className="casilla"
                type="checkbox"
                name={fields.diferencia.name}
                value="aceptada"
                aria-invalid={fields.diferencia.errors ? true : undefined}
                aria-describedby={fields.diferencia.errorId}
              />
              Facturar con esta diferencia
            </label>
            {fields.diferencia.errors && (
              <p id={fields.diferencia.errorId} className="error">
                {fields.diferencia.errors[0]}
              </p>
            )}
          </Panel>
        )}
        <div className="botones">
          <Confirm
            {...question}
            hechos={hechosOf(numOrden, cliente, totales, valoresOf(fields))}
            disabled={hydrated && !fields.usoCfdi.value}
            ready={form.ready}
          >
            Crear Factura
          </Confirm>
        </div>
        {hydrated && !fields.usoCfdi.value && <p className="nota">Falta elegir el Uso de CFDI.</p>}
      </section>
    </ActionForm>
  );
}

type Campos = { [K in keyof DraftRevision]: FieldMetadata<string> };

/** The present values of the review, as the question tells them. */
export const valoresOf = ({ formaPago, usoCfdi, fecha }: Campos) => ({
  formaPago: formaPago.value,
  usoCfdi: usoCfdi.value,
  fecha: fecha.value,
});

type CamposProps = { fields: Campos; cliente: DraftCliente; fechas: Props['fechas'] };

/** Payment form, use and day of a factura. */
export function CamposDeFactura({ fields, cliente, fechas }: CamposProps) {
  return (
    <div className="campos">
      <SelectField
        field={fields.formaPago}
        label="Forma de Pago"
        data={[{ value: '', label: 'Elige la forma de pago' }, ...opcionesOf(FORMAS_PAGO_PUE)]}
      />
      <SelectField
        field={fields.usoCfdi}
        label="Uso de CFDI"
        data={[{ value: '', label: 'Elige el uso' }, ...opcionesOf(usosFor(cliente.rfc, cliente.regimen))]}
      />
      <FechaField field={fields.fecha} label="Fecha de Facturación" min={fechas.min} max={fechas.max} />
    </div>
  );
}
