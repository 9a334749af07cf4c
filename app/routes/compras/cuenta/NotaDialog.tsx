import { Form } from '@remix-run/react';
import { useState } from 'react';
import { useArea } from '~/access/useArea';
import type { Wire } from '~/core/list';
import type { FacturaDeNota, NotaDeProveedor } from '~/domain/compras/facturas/notas.server';
import { Boton } from '~/ui/Boton';
import { Dato, Datos } from '~/ui/Datos';
import { Dialog } from '~/ui/Dialog';
import { formatFecha } from '~/ui/Fecha';
import { FechaField } from '~/ui/FechaField';
import { Field, SelectField } from '~/ui/Field';
import { formatPesos, Pesos } from '~/ui/Pesos';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden, Refusal } from '~/ui/useAnswer';

type Nota = Wire<NotaDeProveedor>;
type Factura = Wire<FacturaDeNota>;
type Props = { nota: Nota; facturas: Factura[]; hoy: string; puede: boolean; cerrar: string };

const NADA = '0.00';

/** A supplier's credit note: of which invoices it is, what became of its balance, and what can be done with both. */
export function NotaDialog({ nota, facturas, hoy, puede, cerrar }: Props) {
  const area = useArea();
  const { id, folio, label, emisorNombre, fecha, total, porRelacionar, aFavor, usos } = nota;
  return (
    <Dialog titulo={`Nota de crédito ${folio}`} cerrar={cerrar} ancho="grande">
      <Datos>
        <Dato de="Proveedor">{label ?? emisorNombre}</Dato>
        <Dato de="Fecha">{formatFecha(fecha)}</Dato>
        <Dato de="Total">
          <Pesos valor={total} />
        </Dato>
        <Dato de="Por relacionar">
          <Pesos valor={porRelacionar} />
        </Dato>
        <Dato de="A favor nuestro">
          <Pesos valor={aFavor} />
        </Dato>
        <Dato de="XML">
          <a href={`${area}/descargas/proveedorXml/${id}`} download>
            Descargar
          </a>
        </Dato>
      </Datos>
      {nota.facturas.length > 0 && (
        <section className="cuenta-parte" aria-label="De qué facturas es">
          <h3>De qué facturas es</h3>
          <ul>
            {nota.facturas.map(({ id: suya, folio: suyo, numOrden, importe, acreditado }) => (
              <li key={suya}>
                {suyo}, orden {numOrden}: {formatPesos(importe)}
                {acreditado !== importe && `, de los que se debían ${formatPesos(acreditado)}`}
              </li>
            ))}
          </ul>
          {puede && usos.length === 0 && (
            <Suelta intent="separarNota" nota={id} queda={aFavor} texto="Separar de sus facturas" />
          )}
        </section>
      )}
      {usos.length > 0 && (
        <section className="cuenta-parte" aria-label="Qué fue de su saldo">
          <h3>Qué fue de su saldo</h3>
          <ul>
            {usos.map((uso) => (
              <li key={uso.id} className="cuenta-uso">
                <span>
                  {formatFecha(uso.fecha)}:{' '}
                  {uso.factura === null ? `devuelto como dinero (${uso.folio})` : `pagó la factura ${uso.factura}`},{' '}
                  {formatPesos(uso.importe)}
                </span>
                {puede && (
                  <Form method="post" preventScrollReset>
                    <Hidden intent="quitarUso" uso={uso.id} />
                    <Boton type="submit">Quitar</Boton>
                  </Form>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {puede && porRelacionar !== NADA && <Relacionar key={porRelacionar} nota={nota} facturas={facturas} />}
      {puede && aFavor !== NADA && <Usar key={aFavor} nota={nota} facturas={facturas} hoy={hoy} />}
      {(['separarNota', 'descartarNota', 'quitarUso'] as const).map((of) => (
        <Refusal key={of} of={of} />
      ))}
    </Dialog>
  );
}

function Suelta({ intent, nota, queda, texto }: { intent: string; nota: string; queda: string; texto: string }) {
  return (
    <Form method="post" preventScrollReset>
      <Hidden intent={intent} nota={nota} queda={queda} />
      <Boton type="submit">{texto}</Boton>
    </Form>
  );
}

const valorDe = ({ id, falta }: Factura) => `${id}|${falta}`;
const opcionDe = (factura: Factura) => ({
  value: valorDe(factura),
  label: `${factura.folio}, orden ${factura.numOrden}: ${formatPesos(factura.monto)}${factura.falta === NADA ? ' (pagada)' : ` (se deben ${formatPesos(factura.falta)})`}${factura.nombrada ? ', la nombra la nota' : ''}`,
});
const ELIGE = { value: '', label: 'Elige una factura' };

/** Says of which invoice a note is, and how much of it. */
function Relacionar({
  nota: { id, porRelacionar, total, emisorNombre, emisorRfc },
  facturas,
}: {
  nota: Nota;
  facturas: Factura[];
}) {
  const form = useActionForm<{ factura: string; importe: string }>('relacionarNota', {
    defaultValue: { importe: porRelacionar },
    required: { factura: true, importe: true },
  });
  const { fields, pending } = form;
  const entera = porRelacionar === total;
  return (
    <section className="cuenta-parte" aria-label="Relacionar con una factura">
      <h3>Relacionar con…</h3>
      {facturas.length === 0 ? (
        <p className="nota">
          No hay facturas de {emisorNombre} ({emisorRfc}) aquí. Sube el XML de la factura, o escribe ese RFC en
          Proveedores si la factura se escribió a mano.
        </p>
      ) : (
        <ActionForm of={form} className="apilado">
          <Hidden nota={id} queda={porRelacionar} />
          <div className="campos">
            <SelectField field={fields.factura} label="Factura" data={[ELIGE, ...facturas.map(opcionDe)]} />
            <Field
              field={fields.importe}
              label="Cuánto es de ella"
              inputMode="decimal"
              autoComplete="off"
              leftSection="$"
            />
          </div>
          <p className="nota">
            Baja lo que se debe de la factura y el costo de su venta. Lo que ya estaba pagado queda a favor.
          </p>
          <div className="botones">
            <Boton tono="acento" type="submit" ocupado={pending !== undefined}>
              Relacionar
            </Boton>
          </div>
        </ActionForm>
      )}
      {entera && <Suelta intent="descartarNota" nota={id} queda={porRelacionar} texto="Descartar la nota" />}
    </section>
  );
}

/** Uses the balance of a note: on another invoice, or as money that the supplier returned. */
function Usar({ nota, facturas, hoy }: { nota: Nota; facturas: Factura[]; hoy: string }) {
  const { id, aFavor } = nota;
  const [devuelve, setDevuelve] = useState(false);
  const usar = useActionForm<{ factura: string; fecha: string }>('usarNota', {
    defaultValue: { fecha: hoy },
    required: { factura: true, fecha: true },
  });
  const abiertas = facturas.filter(({ falta }) => falta !== NADA);
  return (
    <section className="cuenta-parte" aria-label="Usar el saldo">
      <h3>Usar {formatPesos(aFavor)} a favor</h3>
      {abiertas.length === 0 ? (
        <p className="nota">No se debe ninguna otra factura de este proveedor.</p>
      ) : (
        <ActionForm of={usar} className="apilado">
          <Hidden nota={id} queda={aFavor} />
          <div className="campos">
            <SelectField
              field={usar.fields.factura}
              label="En otra factura"
              data={[ELIGE, ...abiertas.map(opcionDe)]}
            />
            <FechaField field={usar.fields.fecha} label="Fecha" max={hoy} />
          </div>
          <div className="botones">
            <Boton tono="acento" type="submit" ocupado={usar.pending !== undefined}>
              Usar en la factura
            </Boton>
          </div>
        </ActionForm>
      )}
      <details open={devuelve} onToggle={({ currentTarget }) => setDevuelve(currentTarget.open)}>
        <summary>El proveedor lo devolvió como dinero</summary>
        <Devolver nota={nota} hoy={hoy} />
      </details>
    </section>
  );
}

function Devolver({ nota: { id, aFavor }, hoy }: { nota: Nota; hoy: string }) {
  const form = useActionForm<{ importe: string; fecha: string; folio: string }>('devolverNota', {
    defaultValue: { importe: aFavor, fecha: hoy },
    required: { importe: true, fecha: true, folio: true },
  });
  const { fields, pending } = form;
  return (
    <ActionForm of={form} className="apilado">
      <Hidden nota={id} queda={aFavor} />
      <div className="campos">
        <Field field={fields.importe} label="Importe" inputMode="decimal" autoComplete="off" leftSection="$" />
        <FechaField field={fields.fecha} label="Fecha" max={hoy} />
        <Field field={fields.folio} label="Folio o referencia" autoComplete="off" />
      </div>
      <div className="botones">
        <Boton type="submit" ocupado={pending !== undefined}>
          Anotar devolución
        </Boton>
      </div>
    </ActionForm>
  );
}
