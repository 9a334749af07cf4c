import { Link, useLocation } from '@remix-run/react';
import { withParams } from '~/core/list';
import { numeroOfEnvio } from '~/domain/ventas/envios/envio';
import { ventaUrl } from '~/domain/ventas/ordenes/orden';
import { Dato, Datos } from '~/ui/Datos';
import { Visto } from '~/ui/Choque';
import { Copiar } from '~/ui/Copiar';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { Field } from '~/ui/Field';
import { Cambio, Ficha } from '~/ui/ficha/Ficha';
import type { DentroProps } from '~/ui/ficha/panel';
import { Pesos } from '~/ui/Pesos';
import { TablaCaja } from '~/ui/TablaCaja';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import type { CotizacionAbierta } from './record';
import { Archivos, SIN_ARCHIVOS } from './Archivos';
import { SubirForm } from './SubirForm';

/** The panel of a sale's quotation: the supplier's folio, the payments, and their files. */
export function CotizacionFicha({ ficha: cotizacion, area, cambio }: DentroProps<CotizacionAbierta>) {
  const { numOrden, market, lasPagan, archivos, facturas, puede, editar } = cotizacion;
  const { search } = useLocation();
  return (
    <Ficha
      que="Orden"
      numero={numOrden}
      estado={
        <>
          <Estatus tono={lasPagan.length > 0 ? 'ok' : 'aviso'}>{lasPagan.length > 0 ? 'Pagado' : 'Sin pago'}</Estatus>
          {cotizacion.cotizacion && <span>Cotización {cotizacion.cotizacion}</span>}
        </>
      }
      principal={
        puede &&
        editar === null && (
          <Link
            className="boton"
            data-tono="acento"
            data-editar
            to={withParams(search, { editar: 'subir' })}
            preventScrollReset
          >
            Subir archivo
          </Link>
        )
      }
      acciones={[
        <a key="orden" className="boton" href={`${area}/ordenes?ver=${cotizacion.id}`}>
          Abrir la orden
        </a>,
      ]}
    >
      {cambio && <Cambio editando={editar !== null} quien={null} />}
      {editar === 'subir' && <SubirForm key={cotizacion.id} cotizacion={cotizacion} />}

      <Datos>
        <Dato de="Id de la Venta">
          <a href={ventaUrl(market, numOrden)} target="_blank" rel="noopener noreferrer">
            {numOrden}
          </a>
        </Dato>
        <Dato de="Numero de envio">{cotizacion.envio && numeroOfEnvio(cotizacion.envio)}</Dato>
        <Dato de="Cotización">
          {cotizacion.cotizacion ? (
            <>
              {cotizacion.cotizacion} <Copiar texto={cotizacion.cotizacion} que="folio de la cotización" />
            </>
          ) : (
            '—'
          )}
        </Dato>
        <Dato de="Monto Pagado">
          <Pesos valor={cotizacion.pagado} />
        </Dato>
        <Dato de="Título" ancha>
          {cotizacion.titulo}
        </Dato>
      </Datos>
      {puede && !cotizacion.delPedido && <FolioForm key={cotizacion.escrita.version} cotizacion={cotizacion} />}

      <h3>Pagos</h3>
      {lasPagan.length === 0 ? (
        <p className="nota">Todavía no tiene pagos.</p>
      ) : (
        <TablaCaja nombre="Pagos">
          <table className="tabla tablero">
            <thead>
              <tr>
                <th>Folio</th>
                <th>Proveedor</th>
                <th>Usuario alta</th>
                <th>Fecha creacion</th>
                <th className="pesos">Total</th>
              </tr>
            </thead>
            <tbody>
              {lasPagan.map((pago) => (
                <tr key={pago.id}>
                  <td className="titular">
                    <a href={`${area}/pagosProveedores?ver=${pago.id}`}>{pago.folio}</a>
                    {pago.ordenes > 1 && <span className="nota"> de {pago.ordenes} ordenes</span>}
                  </td>
                  <td data-campo="Proveedor">{pago.proveedorLabel}</td>
                  <td data-campo="Usuario alta">{pago.usuario ?? 'Automático'}</td>
                  <td data-campo="Fecha creacion">
                    <Fecha valor={pago.creadoEn} />
                  </td>
                  <td className="pesos" data-campo="Total">
                    <Pesos valor={pago.total} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TablaCaja>
      )}

      <h3>Archivos</h3>
      {archivos.length === 0 ? <p>{SIN_ARCHIVOS}</p> : <Archivos archivos={archivos} area={area} />}

      {facturas.length > 0 && (
        <>
          <h3>Facturas de proveedores</h3>
          <ul className="nota">
            {facturas.map(({ id, folio, label, monto }) => (
              <li key={id}>
                {folio} · {label} · <Pesos valor={monto} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Ficha>
  );
}

/** The form for the supplier's folio, where no pedido of ours tells it. */
function FolioForm({ cotizacion: { id, escrita } }: { cotizacion: CotizacionAbierta }) {
  const form = useActionForm<{ folio: string }>('folioCotizacion', {
    id: `folioCotizacion-${id}`,
    defaultValue: { folio: escrita.folio ?? '' },
  });
  return (
    <ActionForm of={form} className="folio-de-pago">
      <Hidden ordenId={id} />
      <Visto of={form} marcas={{ version: escrita.version }} />
      <Field field={form.fields.folio} label="Folio de la cotización" autoComplete="off" />
      <button type="submit" className="boton">
        Guardar el folio
      </button>
    </ActionForm>
  );
}
