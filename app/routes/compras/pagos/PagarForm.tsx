import { Link } from '@remix-run/react';
import { useState } from 'react';
import { ACEPTA, MAX_ARCHIVO_MB } from '~/platform/files/tipos';
import { ArchivoInput } from '~/ui/ArchivoInput';
import { Boton } from '~/ui/Boton';
import { Dialog } from '~/ui/Dialog';
import { formatFecha } from '~/ui/Fecha';
import { FechaField } from '~/ui/FechaField';
import { Field } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import { Elegibles, sumOf, useElegidas } from './Elegibles';
import type { PorElegir } from './openPorPagar';

type Fields = { folio: string; fecha: string; total: string; facturas: string[]; archivos: string };

/** 'Registrar pago': the invoices that one transfer to a supplier pays. The total is proposed as their sum until a person writes another. */
export function PagarForm({
  proveedor,
  label,
  hoy,
  facturas,
  elegidas: primeras,
  tope,
  cerrar,
}: PorElegir & {
  /** How many are offered at the most. */ tope: number;
  cerrar: string;
}) {
  const form = useActionForm<Fields>('pagarFacturas', {
    defaultValue: { fecha: hoy },
    required: { folio: true, fecha: true, total: true },
  });
  const { fields, pending } = form;
  const eleccion = useElegidas(fields.facturas.initialValue, primeras);
  const [escrito, setEscrito] = useState<string | null>(fields.total.initialValue ?? null);
  const suma = sumOf(
    facturas.map(({ id, falta }) => ({ id, monto: falta })),
    eleccion.elegidas,
  );
  const error = fields.archivos.errors?.[0];
  return (
    <Dialog titulo={`Registrar pago a ${label}`} cerrar={cerrar} ancho="grande">
      <ActionForm of={form} encType="multipart/form-data" className="apilado">
        <Hidden proveedor={proveedor} />
        <Elegibles
          legend="Facturas que paga"
          filas={facturas.map(({ id, folio, numOrden, vence, falta }) => ({
            id,
            monto: falta,
            titulo: folio,
            nota: `orden ${numOrden}`,
            cuando: vence === null ? 'Sin plazo' : `${vence < hoy ? 'Venció' : 'Vence'} el ${formatFecha(vence)}`,
            tarde: vence !== null && vence < hoy,
          }))}
          {...eleccion}
          suma={suma}
          error={fields.facturas.errors?.[0]}
        />
        <div className="campos">
          <Field field={fields.folio} label="Folio del pago" autoComplete="off" />
          <FechaField field={fields.fecha} label="Fecha del pago" max={hoy} />
          <Field
            field={fields.total}
            key="total"
            label="Total"
            value={escrito ?? suma}
            onChange={({ currentTarget }) => setEscrito(currentTarget.value)}
            inputMode="decimal"
            autoComplete="off"
            leftSection="$"
          />
        </div>
        <p className="nota">
          {facturas.length === tope && `Se ofrecen ${tope}, las que vencen primero. `}
          Si el total es menos que la suma, paga primero lo que vence primero.
        </p>
        <div className="archivo">
          <label htmlFor="pago-archivos">Comprobante</label>
          <ArchivoInput
            id="pago-archivos"
            name="archivos"
            multiple
            accept={ACEPTA}
            aria-invalid={error !== undefined || undefined}
            aria-describedby="pago-archivos-nota"
          />
          <p id="pago-archivos-nota" className={error ? 'error' : 'nota'}>
            {error ?? `CEP en XML, PDF o fotos de hasta ${MAX_ARCHIVO_MB} MB.`}
          </p>
        </div>
        <div className="botones">
          <Link className="boton" to={cerrar} preventScrollReset>
            Cancelar
          </Link>
          <Boton tono="acento" type="submit" ocupado={pending === 'pagarFacturas'}>
            Registrar pago
          </Boton>
        </div>
      </ActionForm>
    </Dialog>
  );
}
