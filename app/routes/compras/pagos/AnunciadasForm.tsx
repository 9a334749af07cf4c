import { Link } from '@remix-run/react';
import { Boton } from '~/ui/Boton';
import { Dialog } from '~/ui/Dialog';
import { formatFecha } from '~/ui/Fecha';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Elegibles, sumOf, useElegidas } from './Elegibles';
import type { PorPagarAbierto } from './openPorPagar';

type Fields = { facturas: string[] };

/** The invoices that suppliers announced and nobody added: one press adds those that are chosen, all of them at first. */
export function AnunciadasForm({ anunciadas, cerrar }: Pick<PorPagarAbierto, 'anunciadas'> & { cerrar: string }) {
  const form = useActionForm<Fields>('agregarAnunciadas');
  const eleccion = useElegidas(
    form.fields.facturas.initialValue,
    anunciadas.map(({ id }) => id),
  );
  return (
    <Dialog titulo="Facturas anunciadas" cerrar={cerrar} ancho="grande">
      <ActionForm of={form} className="apilado">
        <Elegibles
          legend="Facturas que se agregan"
          filas={anunciadas.map(({ id, label, folio, numOrden, monto, emitida }) => ({
            id,
            monto,
            titulo: `${label} ${folio}`,
            nota: `orden ${numOrden}`,
            cuando: `del ${formatFecha(emitida)}`,
          }))}
          {...eleccion}
          suma={sumOf(anunciadas, eleccion.elegidas)}
          error={form.fields.facturas.errors?.[0]}
        />
        <div className="botones">
          <Link className="boton" to={cerrar} preventScrollReset>
            Cancelar
          </Link>
          <Boton tono="acento" type="submit" ocupado={form.pending !== undefined}>
            Agregar
          </Boton>
        </div>
      </ActionForm>
    </Dialog>
  );
}
