import { useArea } from '~/access/useArea';
import type { Rechazo } from '~/core/rechazo';
import type { SinTimbrar as Factura } from '~/domain/facturacion/publico/sinTimbrar.server';
import { Panel } from '~/ui/Blocks';
import { Fecha } from '~/ui/Fecha';
import { Rechazado } from '~/ui/Rechazado';

/** Facturas that customers asked for and that we or the PAC refused. The fault is ours to mend; the customer only reads that somebody is at it. */
export function SinTimbrar({ facturas }: { facturas: (Factura & { rechazo: Rechazo | null })[] }) {
  const area = useArea();
  if (facturas.length === 0) return null;
  return (
    <Panel tono="mal" titulo="Facturas que pidieron clientes y no se timbraron por algo de la empresa">
      <ul>
        {facturas.map(({ venta, numOrden, fecha, motivo, rechazo }) => (
          <li key={venta}>
            <a href={`${area}/ordenes?q=${encodeURIComponent(numOrden)}`}>Orden {numOrden}</a>{' '}
            <span className="nota">
              <Fecha valor={fecha} />
            </span>{' '}
            {rechazo ? <Rechazado rechazo={rechazo} /> : motivo}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
