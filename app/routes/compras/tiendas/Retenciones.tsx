import type { Wire } from '~/core/list';
import { writeDias } from '~/core/periodo';
import { PERSONA_LABEL } from '~/core/persona';
import type { Tasas } from '~/domain/ventas/ordenes/tasas.server';
import { Boton } from '~/ui/Boton';
import { Visto } from '~/ui/Choque';
import { Estatus } from '~/ui/Estatus';
import { FechaField } from '~/ui/FechaField';
import { Field, SelectField } from '~/ui/Field';
import { TablaCaja } from '~/ui/TablaCaja';
import { ActionForm, useActionForm } from '~/ui/useActionForm';

type Props = { retenciones: Wire<Tasas> };

const writeDia = (dia: string) => writeDias({ desde: dia, hasta: dia });
const porcentaje = { inputMode: 'decimal', maxLength: 20, autoComplete: 'off' } as const;

/** The card of what the law withholds, by day. Marketplaces tell most of it; these rates estimate what they have not told yet. */
export function Retenciones({ retenciones }: Props) {
  const { filas, fin } = retenciones;
  return (
    <section className="hoja" aria-labelledby="titulo-retenciones">
      <h2 id="titulo-retenciones">Retenciones por ley</h2>
      {fin && (
        <p>
          <Estatus tono={fin.pasado ? 'mal' : 'aviso'}>
            {fin.pasado
              ? `Terminaron el ${writeDia(fin.dia)}: lo que se estima sigue con las últimas.`
              : `Terminan el ${writeDia(fin.dia)}. Escribe las que siguen.`}
          </Estatus>
        </p>
      )}
      <p className="nota">
        Lo que los mercados retienen del precio sin IVA, según el día de la venta. Se usa mientras un mercado no diga lo
        que retuvo; confírmalo con tu contador.
      </p>
      <PersonaDe retenciones={retenciones} />
      <TablaCaja nombre="Tasas de retención por ley">
        <table className="tabla">
          <thead>
            <tr>
              <th scope="col">Desde</th>
              <th scope="col">Hasta</th>
              <th scope="col" className="pesos">
                IVA (%)
              </th>
              <th scope="col" className="pesos">
                ISR (%)
              </th>
            </tr>
          </thead>
          <tbody>
            {filas.map(({ desde, hasta, iva, isr }) => (
              <tr key={desde}>
                <td>{writeDia(desde)}</td>
                <td>{hasta ? writeDia(hasta) : '—'}</td>
                <td className="pesos">{iva}</td>
                <td className="pesos">{isr}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TablaCaja>
      <TasaDe retenciones={retenciones} />
    </section>
  );
}

function PersonaDe({ retenciones: { persona, huella } }: Props) {
  const form = useActionForm<{ persona: string }>('persona', {
    id: 'persona',
    defaultValue: { persona },
    required: { persona: true },
  });
  return (
    <ActionForm of={form}>
      <Visto of={form} marcas={{ huella }} />
      <div className="campos">
        <SelectField
          field={form.fields.persona}
          label="Quién vende"
          data={Object.entries(PERSONA_LABEL).map(([value, label]) => ({ value, label }))}
        />
      </div>
      <div className="botones">
        <Boton type="submit" ocupado={form.pending !== undefined} aria-label="Guardar quién vende">
          Guardar
        </Boton>
      </div>
    </ActionForm>
  );
}

function TasaDe({ retenciones: { huella } }: Props) {
  const form = useActionForm<{ desde: string; hasta: string; iva: string; isr: string }>('tasa', {
    id: 'tasa',
    required: { desde: true, iva: true, isr: true },
  });
  return (
    <ActionForm of={form}>
      <h3>Tasas desde un día</h3>
      <Visto of={form} marcas={{ huella }} />
      <div className="campos">
        <FechaField field={form.fields.desde} label="Desde" />
        <FechaField field={form.fields.hasta} label="Hasta (vacío si no termina)" />
        <Field field={form.fields.iva} label="IVA (%)" {...porcentaje} />
        <Field field={form.fields.isr} label="ISR (%)" {...porcentaje} />
      </div>
      <p className="nota">
        Las de un día que ya está en la tabla se cambian. Lo estimado desde ese día se calcula de nuevo.
      </p>
      <div className="botones">
        <Boton
          tono="acento"
          type="submit"
          ocupado={form.pending !== undefined}
          aria-label="Guardar las tasas desde un día"
        >
          Guardar
        </Boton>
      </div>
    </ActionForm>
  );
}
