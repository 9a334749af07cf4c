import { Form } from '@remix-run/react';
import { writeCount } from '~/core/count';
import type { Wire } from '~/core/list';
import type { listPorFacturar } from '~/domain/facturacion/emision/porFacturar.server';
import { EmptyState } from '~/ui/Blocks';
import { Boton } from '~/ui/Boton';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { Pesos } from '~/ui/Pesos';
import { TablaCaja } from '~/ui/TablaCaja';
import { Hidden } from '~/ui/useAnswer';

type Props = Wire<Awaited<ReturnType<typeof listPorFacturar>>> & {
  area: string;
  /** Whether this person may invoice several at once. */
  deUnaVez: boolean;
};

/** The sales that wait for a factura, under the box of the number: those whose buyer asked come first. */
export function PorFacturar({ piden, listas, ventas, area, deUnaVez }: Props) {
  return (
    <section className="hoja" aria-labelledby="por-facturar">
      <h2 id="por-facturar">Ventas por facturar</h2>
      <p className="nota">
        {piden === 0
          ? 'Ningún comprador con datos fiscales espera su factura.'
          : `${piden === 1 ? 'Un comprador dio' : `${writeCount(piden)} compradores dieron`} sus datos fiscales y ${piden === 1 ? 'espera' : 'esperan'} su factura. `}
        {piden > 0 && cuantasListas(listas.length)}
      </p>
      {deUnaVez && listas.length > 1 && (
        <Form method="post" action={`${area}/lote`} className="botones">
          <Hidden intent="preparar" lista="ordenes" hacer="facturar" />
          {listas.map((id) => (
            <input key={id} type="hidden" name="fila" value={id} />
          ))}
          <Boton type="submit">Facturar las {writeCount(listas.length)} listas</Boton>
        </Form>
      )}
      {ventas.length === 0 ? (
        <EmptyState>Las ventas de los últimos 45 días están en alguna factura.</EmptyState>
      ) : (
        <TablaCaja nombre="Ventas por facturar" conMandos>
          <table className="tabla tablero">
            <thead>
              <tr>
                <th>Venta</th>
                <th>Fecha</th>
                <th>Comprador</th>
                <th className="pesos">Pagado</th>
                <th>
                  <span className="oculto">Facturar</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {ventas.map(({ market, numOrden, titulo, desde, pagado, razonSocial, lista }) => (
                <tr key={`${market}-${numOrden}`}>
                  <td className="titular">
                    {numOrden}
                    <br />
                    <span className="nota">{titulo}</span>
                  </td>
                  <td data-campo="Fecha">
                    <Fecha valor={desde} />
                  </td>
                  <td data-campo="Comprador">
                    {razonSocial === null && '—'}
                    {razonSocial !== null && (
                      <Estatus tono={lista ? 'ok' : 'aviso'}>{lista ? 'Lista para facturar' : 'Pide factura'}</Estatus>
                    )}
                    {razonSocial && (
                      <>
                        <br />
                        <span className="nota">{razonSocial}</span>
                      </>
                    )}
                  </td>
                  <td className="pesos" data-campo="Pagado">
                    <Pesos valor={pagado} />
                  </td>
                  <td className="acciones">
                    <a
                      className="boton"
                      href={`${area}/facturacion?numOrden=${numOrden}`}
                      aria-label={`Facturar la orden ${numOrden}`}
                    >
                      Facturar
                    </a>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TablaCaja>
      )}
    </section>
  );
}

/** How many need one press, and what the others lack where none does. */
function cuantasListas(n: number): string {
  if (n === 0) return 'Ninguna se factura de una pulsación: falta guardar a su cliente, o su uso de CFDI.';
  return n === 1 ? 'Una está lista para facturar.' : `${writeCount(n)} están listas para facturar.`;
}
