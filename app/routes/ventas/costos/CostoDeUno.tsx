import { Link, useLocation } from '@remix-run/react';
import { withParams, type Wire } from '~/core/list';
import { DONDE_VALE } from '~/domain/ventas/ordenes/costos';
import type { CostoDeSku } from '~/domain/ventas/ordenes/costos.server';
import { Boton } from '~/ui/Boton';
import { Visto } from '~/ui/Choque';
import { Fecha } from '~/ui/Fecha';
import { FechaField } from '~/ui/FechaField';
import { Field, SelectField } from '~/ui/Field';
import { Pesos } from '~/ui/Pesos';
import { TablaCaja } from '~/ui/TablaCaja';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';

type Props = { costo: Wire<CostoDeSku>; puede: boolean };

/** The typed costs of one product, by day, and the form that adds one. */
export function CostoDeUno({ costo, puede }: Props) {
  const { search } = useLocation();
  const { sku, titulo, filas } = costo;
  return (
    <section className="hoja" aria-labelledby="costo-de-uno">
      <h2 id="costo-de-uno">{titulo}</h2>
      <p className="nota">
        {sku}{' '}
        <Link to={withParams(search, { sku: null })} preventScrollReset discover="none">
          Cerrar
        </Link>
      </p>
      {filas.length > 0 && (
        <TablaCaja nombre={`Costos de ${sku}`}>
          <table className="tabla">
            <thead>
              <tr>
                <th>Desde</th>
                <th className="pesos">Costo con IVA</th>
                <th>Vale para</th>
                <th>Escrito</th>
              </tr>
            </thead>
            <tbody>
              {filas.map(({ id, desde, costo: importe, soloAlmacen, escritoEn, usuario }) => (
                <tr key={id}>
                  <td>
                    <Fecha valor={desde} hora={false} />
                  </td>
                  <td className="pesos">
                    <Pesos valor={importe} />
                  </td>
                  <td>{DONDE_VALE(soloAlmacen)}</td>
                  <td>
                    <Fecha valor={escritoEn} /> {usuario}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TablaCaja>
      )}
      {puede ? <Formulario costo={costo} /> : filas.length === 0 && <p className="nota">Nadie ha escrito su costo.</p>}
    </section>
  );
}

function Formulario({ costo: { sku, huella, sePide } }: { costo: Wire<CostoDeSku> }) {
  const form = useActionForm<{ desde: string; costo: string; soloAlmacen: string }>('costo', {
    defaultValue: { soloAlmacen: sePide ? '1' : '0' },
    required: { desde: true, soloAlmacen: true },
  });
  return (
    <ActionForm of={form} className="apilado">
      <Hidden sku={sku} />
      <Visto of={form} marcas={{ huella }} />
      <div className="campos">
        <FechaField field={form.fields.desde} label="Desde" />
        <Field
          field={form.fields.costo}
          label="Costo de una pieza, con IVA"
          leftSection="$"
          inputMode="decimal"
          maxLength={20}
          autoComplete="off"
        />
        <SelectField
          field={form.fields.soloAlmacen}
          label="Vale para"
          data={['0', '1'].map((value) => ({ value, label: DONDE_VALE(value === '1') }))}
        />
      </div>
      <p className="nota">
        Vacío, el costo deja de saberse desde ese día. El costo de una venta queda fijo cuando el mercado la liquida; si
        cambió en el camino, escribe primero el del día más reciente.
      </p>
      <div className="botones">
        <Boton tono="acento" type="submit" ocupado={form.pending !== undefined}>
          Guardar
        </Boton>
      </div>
    </ActionForm>
  );
}
