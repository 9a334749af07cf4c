import { writeCount } from '~/core/count';
import { tableOf } from '~/core/table';
import type { Excluidas as Excluida } from '~/domain/facturacion/mes/mes.server';
import type { ventasSinNota } from '~/domain/facturacion/notasCredito/notasCredito.server';
import { SIN_NOTA } from '~/domain/facturacion/notasCredito/notasCreditoPlan';
import { Panel } from '~/ui/Blocks';

const MOTIVO: Record<string, string> = tableOf({
  dudosa: 'con una factura cuya respuesta se perdió: se está aclarando si existe',
  enProceso: 'con una factura que se está generando',
  sinPagar: 'sin pago confirmado',
  meliResale: 'que el mercado factura por su cuenta',
  sinImporte: 'sin importe pagado',
  cancelada: 'canceladas',
  devuelta: 'devueltas',
  facturada: 'que ya están en una factura',
});

/** The sales of the month that the global leaves out, with the reasons. Doubtful ones open by themselves, since a person has to look at them. */
export function Excluidas({ excluidas, area }: { excluidas: Excluida[]; area: string }) {
  if (excluidas.length === 0) return null;
  const ventas = excluidas.reduce((sum, one) => sum + one.ventas, 0);
  const dudosas = excluidas.some(({ motivo }) => motivo === 'dudosa');
  return (
    <details className="mes-excluidas" open={dudosas}>
      <summary>
        {writeCount(ventas)} {ventas === 1 ? 'venta del mes no entra' : 'ventas del mes no entran'} en la próxima
        factura general
      </summary>
      <ul>
        {excluidas.map(({ motivo, ventas: cuantas, ejemplos }) => (
          <li key={motivo}>
            {writeCount(cuantas)} {MOTIVO[motivo] ?? motivo}
            {ejemplos.length > 0 && (
              <>
                : {ejemplos.join(', ')}
                {cuantas > ejemplos.length && '…'}
              </>
            )}
            {motivo === 'dudosa' && (
              <>
                {' '}
                <a href={`${area}/pendientes`}>Ver pendientes</a>
              </>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The sales that 'Notas de Credito' cannot credit, each with its reason and the remedy. */
export function SinNota({ ventas }: { ventas: Awaited<ReturnType<typeof ventasSinNota>> }) {
  if (ventas.length === 0) return null;
  return (
    <Panel
      tono="aviso"
      titulo={
        ventas.length === 1
          ? 'Una venta se queda sin nota de crédito'
          : `${writeCount(ventas.length)} ventas se quedan sin nota de crédito`
      }
    >
      <ul>
        {[...new Set(ventas.map(({ motivo }) => motivo))].map((motivo) => (
          <li key={motivo}>
            {ventas
              .filter((venta) => venta.motivo === motivo)
              .map(({ numOrden, folio }) => `${numOrden} (factura ${folio})`)
              .join(', ')}
            : {SIN_NOTA[motivo]}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
