import { Fragment } from 'react';
import { enumerate } from '~/core/hechos';
import { esperaSegundoPaso } from '~/domain/compras/pedidos/pedido';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { Field } from '~/ui/Field';
import { Pesos } from '~/ui/Pesos';
import { TablaCaja } from '~/ui/TablaCaja';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import type { OrdenAbierta } from '~/routes/ventas/ordenes/record';
import { estadoOf, motivoOf, tonoOfEstado } from './estado';

type Props = {
  orden: Pick<OrdenAbierta, 'id' | 'pedidos' | 'porPedir' | 'surtido' | 'puede'>;
  area: string;
  /** The form whose button stands in the foot of the panel. */
  enPie: string | undefined;
};

/** The form that takes pieces from our stock. */
export const SURTIR = 'surtirVenta';
/** The form that orders at a supplier. */
export const formaOfPedido = (proveedor: string) => `hacerPedido-${proveedor}`;

/** The pedidos of a sale by supplier, and the articles that nobody ordered yet. */
export function PedidosDeOrden({ orden: { id, pedidos, porPedir, surtido, puede }, area, enPie }: Props) {
  if (pedidos.length === 0 && porPedir.length === 0 && surtido.length === 0) return null;
  const suyos = [
    ...new Set([...pedidos.map(({ proveedorLabel }) => proveedorLabel), ...porPedir.map(({ label }) => label)]),
  ];
  return (
    <section aria-label="Pedidos a proveedores">
      <h3>Pedidos a proveedores</h3>
      {suyos.length > 1 && (
        <p className="nota">La venta se reparte entre {enumerate(suyos)}: un pedido para cada uno.</p>
      )}
      {pedidos.length > 0 && (
        <TablaCaja nombre="Pedidos a proveedores">
          <table className="tabla">
            <thead>
              <tr>
                <th>Pedido</th>
                <th>Proveedor</th>
                <th>Estado</th>
                <th>Cotización</th>
                <th className="pesos">Costo</th>
                <th>Guía</th>
                <th>Factura</th>
              </tr>
            </thead>
            <tbody>
              {pedidos.map((pedido) => {
                const motivo = motivoOf(pedido);
                return (
                  <tr key={pedido.id}>
                    <td>
                      {puede.pedir ? (
                        <a href={`${area}/ordenesPorConfirmar?ver=${pedido.id}`}>{pedido.folio}</a>
                      ) : (
                        pedido.folio
                      )}
                    </td>
                    <td data-campo="Proveedor">{pedido.proveedorLabel}</td>
                    <td data-campo="Estado">
                      <Estatus tono={tonoOfEstado(pedido)}>{estadoOf(pedido)}</Estatus>
                      {puede.pedir && (pedido.estado === 'borrador' || esperaSegundoPaso(pedido)) && (
                        <>
                          {' '}
                          <a href={`${area}/ordenesPorConfirmar?ver=${pedido.id}`}>Falta confirmarlo</a>
                        </>
                      )}
                      {motivo && (
                        <>
                          <br />
                          <span className="nota">{motivo}</span>
                        </>
                      )}
                    </td>
                    <td data-campo="Cotización">{pedido.folioProveedor ?? '—'}</td>
                    <td className="pesos" data-campo="Costo">
                      <Pesos valor={pedido.costo} />
                    </td>
                    <td data-campo="Guía">
                      {pedido.guiaEnviadaEn ? <Fecha valor={pedido.guiaEnviadaEn} /> : 'Sin mandar'}
                    </td>
                    <td data-campo="Factura">{pedido.facturaFolio ?? '—'}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </TablaCaja>
      )}
      {puede.surtir && surtido.length > 0 && (
        <SurtirForm orden={id} surtido={surtido} area={area} enPie={enPie === SURTIR} />
      )}
      {puede.pedir &&
        porPedir.map(({ proveedor, label }) => (
          <HacerPedidoForm
            key={proveedor}
            orden={id}
            proveedor={proveedor}
            label={label}
            enPie={enPie === formaOfPedido(proveedor)}
          />
        ))}
    </section>
  );
}

/** The form that takes pieces from our stock before a supplier is asked. The form names the pieces, which leave on their own. */
function SurtirForm({
  orden,
  surtido,
  area,
  enPie,
}: {
  orden: string;
  surtido: OrdenAbierta['surtido'];
  area: string;
  enPie: boolean;
}) {
  const form = useActionForm(SURTIR);
  return (
    <ActionForm of={form}>
      <Hidden orden={orden} />
      <p>En el stock interno hay para esta venta:</p>
      <ul>
        {surtido.map(({ ordenId, nombre, piezas }, at) => (
          <li key={`${ordenId}-${at}`}>
            {nombre}:{' '}
            {piezas.map(({ id, folio }) => (
              <Fragment key={id}>
                <input type="hidden" name="piezas" value={id} />
                <a href={`${area}/stockInterno?ver=${id}`}>{folio}</a>{' '}
              </Fragment>
            ))}
          </li>
        ))}
      </ul>
      {!enPie && (
        <button type="submit" className="boton" data-tono="acento">
          Surtir con stock interno
        </button>
      )}
    </ActionForm>
  );
}

/** The form that orders. Before anything is sent the server tells cost, profit and objections, and asks for a reason where a reason is enough. */
function HacerPedidoForm({
  orden,
  proveedor,
  label,
  enPie,
}: {
  orden: string;
  proveedor: string;
  label: string;
  enPie: boolean;
}) {
  const form = useActionForm<{ motivo: string }>('hacerPedido', { id: formaOfPedido(proveedor) });
  const { motivo } = form.fields;
  const falta = motivo.errors !== undefined || form.answer?.error?.motivo !== undefined;
  return (
    <ActionForm of={form}>
      <Hidden orden={orden} proveedor={proveedor} />
      {falta && <Field field={motivo} label="Motivo para comprarlo así" autoComplete="off" />}
      {enPie ? (
        <p className="nota">Todavía no se pide a {label}.</p>
      ) : (
        <button type="submit" className="boton">
          Hacer pedido a {label}
        </button>
      )}
    </ActionForm>
  );
}
