import { useArea } from '~/access/useArea';
import type { SinTimbrar as Factura } from '~/domain/facturacion/publico/sinTimbrar.server';
import { Panel } from '~/ui/Blocks';
import { Fecha } from '~/ui/Fecha';

/** A customer asked, we or the PAC said no, and it is ours to mend: they were told only that it is being seen to. */
export function SinTimbrar({ facturas }: { facturas: Factura[] }) {
  const area = useArea();
  if (facturas.length === 0) return null;
  return (
    <Panel tono="mal" titulo="Facturas que pidieron clientes y no se timbraron por algo de la empresa">
      <ul>
        {facturas.map(({ venta, numOrden, fecha, motivo }) => (
          <li key={venta}>
            <a href={`${area}/ordenes?q=${encodeURIComponent(numOrden)}`}>Orden {numOrden}</a>{' '}
            <span className="nota">
              <Fecha valor={fecha} />
            </span>{' '}
            {motivo}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
