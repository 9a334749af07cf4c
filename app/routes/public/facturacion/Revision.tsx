import type { z } from 'zod';
import { etiquetaEn, opcionesOf, usosFor } from '~/domain/facturacion/sat/opciones';
import { REGIMENES } from '~/domain/facturacion/sat/sat';
import type { ClientePublico, VistaPublica } from '~/domain/facturacion/publico/publico.server';
import type { UsoForm } from '~/domain/facturacion/publico/forms';
import { Visto } from '~/ui/Choque';
import { Confirm } from '~/ui/Confirm';
import { SelectField } from '~/ui/Field';
import { formatPesos, Pesos } from '~/ui/Pesos';
import { Titular } from '~/ui/Titular';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { SumasPie } from '~/routes/facturacion/articulos/SumasPie';

type Props = NonNullable<Extract<VistaPublica, { tipo: 'paso' }>['revision']> & {
  cliente: ClientePublico;
  visto: { version: number; mostrado: string };
  numOrden: string;
  /** The factura that this one corrects. */
  sustituye: string | null;
};

/** Returns the factura that is about to be stamped, in one line. */
export function hechosOf(
  numOrden: string,
  { razonSocial, rfc }: ClientePublico,
  { total }: Props['totales'],
  sustituye: string | null,
): string {
  const corrige = sustituye === null ? '' : ` · sustituye a la factura ${sustituye}, que se cancela`;
  return `Compra ${numOrden} · ${razonSocial} · ${rfc} · ${formatPesos(total)}${corrige}`;
}

/**
 * 'Revisar Datos' for the customer: the contents of the CFDI. Only the use can be chosen. Uses and regimes are the constants of the rules, so an unreadable
 * catalogue does not concern the customer; staff are told at their own form.
 */
export function Revision({ articulos, totales, usoCfdi, cliente, numOrden, visto, sustituye }: Props) {
  const form = useActionForm<z.input<typeof UsoForm>>('crear', {
    defaultValue: { usoCfdi },
    required: { usoCfdi: true },
  });
  const { fields, question } = form;
  return (
    <ActionForm of={form} className="hoja" data-llenos="usoCfdi">
      <Visto of={form} marcas={visto} enVivo />
      <section className="parte">
        <Titular>Tu factura</Titular>
        <p className="a-nombre">{cliente.razonSocial}</p>
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
          <SumasPie totales={totales} antes={2} />
        </table>
      </section>
      <section className="parte">
        <SelectField
          field={fields.usoCfdi}
          label="Uso de CFDI"
          description="Elígelo para crear la factura."
          data={[{ value: '', label: 'Elige el uso' }, ...opcionesOf(usosFor(cliente.rfc, cliente.regimen))]}
        />
      </section>
      <div className="botones al-pie">
        <p className="total">
          Total <Pesos valor={totales.total} />
        </p>
        <Confirm {...question} hechos={hechosOf(numOrden, cliente, totales, sustituye)}>
          Crear Factura
        </Confirm>
      </div>
    </ActionForm>
  );
}
