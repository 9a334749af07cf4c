import { Form } from '@remix-run/react';
import { rowOf } from '~/core/table';
import {
  ESTADO_LABEL,
  conError,
  askRemove,
  mayConfirm,
  mayRemove,
  ESTIMADO,
  quedaEnBreve,
} from '~/domain/compras/pedidos/pedido';
import { ventaUrl } from '~/domain/ventas/ordenes/orden';
import { Dato, Datos } from '~/ui/Datos';
import { Panel } from '~/ui/Blocks';
import { Confirm } from '~/ui/Confirm';
import { Copiar } from '~/ui/Copiar';
import { Estatus } from '~/ui/Estatus';
import { AhoraProvider, Edad } from '~/ui/Edad';
import { Fecha } from '~/ui/Fecha';
import { Field } from '~/ui/Field';
import { Cambio, Ficha } from '~/ui/ficha/Ficha';
import { Presencia } from '~/ui/ficha/Presencia';
import type { DentroProps } from '~/ui/ficha/panel';
import { formatPesos, Pesos } from '~/ui/Pesos';
import { Retrato } from '~/ui/Retrato';
import { TablaCaja } from '~/ui/TablaCaja';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Rechazado } from '~/ui/Rechazado';
import { Hidden } from '~/ui/useAnswer';
import type { PedidoAbierto } from './record';
import { awaitsFolio } from './acciones';
import { ConfirmarForm, dineroDe, Hallazgos } from './Comprar';
import { estadoOf, tonoOfEstado } from './estado';
import './pedidos.css';

const POR = { pedido: 'dentro del pedido', api: 'por su API', correo: 'por correo' } as const;

/** The panel of a pedido: the objections, the request and its answer, the prices of then and now, the label, and the invoice. */
export function PedidoFicha({ ficha: pedido, area, cambio }: DentroProps<PedidoAbierto>) {
  const { folio, proveedorLabel, market, numOrden, revision, lineas, estado, errores, puede } = pedido;
  const dinero = dineroDe(pedido);
  const confirmable = puede && mayConfirm(pedido);
  return (
    <Ficha
      que="Pedido"
      numero={folio}
      estado={
        <>
          {(pedido.total ?? revision.costo) === null ? (
            <span className="nota">Falta un precio</span>
          ) : (
            <span className="monto">
              <Pesos valor={pedido.total ?? revision.costo} />
            </span>
          )}
          <Estatus tono={tonoOfEstado(pedido)}>{estadoOf(pedido)}</Estatus>
          <Presencia que={`pedido:${pedido.id}`} url={`${area}/presencia`} />
        </>
      }
      acciones={[
        <a key="orden" className="boton" href={`${area}/ordenes?ver=${pedido.ordenId}`}>
          Abrir la orden
        </a>,
        puede && mayRemove(pedido) && (
          <Form key="quitar" method="post" preventScrollReset>
            <Hidden intent="quitarPedido" pedido={pedido.id} version={pedido.version} />
            <Confirm plain="boton" data-tono="mal" {...askRemove({ ...pedido, costo: dinero.costo })}>
              Quitar de la lista
            </Confirm>
          </Form>
        ),
      ]}
    >
      {cambio && <Cambio editando={false} quien={null} />}
      {conError(pedido) && (
        <Panel tono="mal" titulo={estadoOf(pedido)}>
          {errores.length > 0
            ? errores.join('; ')
            : pedido.rechazo === null && (pedido.detalle ?? 'El proveedor no dijo por qué.')}
          {pedido.rechazo && <Rechazado rechazo={pedido.rechazo} />}
        </Panel>
      )}
      {!conError(pedido) && pedido.rechazo && (
        <Panel tono="aviso" titulo={`${proveedorLabel} no aceptó lo último que se le mandó.`}>
          <Rechazado rechazo={pedido.rechazo} />
        </Panel>
      )}
      {confirmable && (
        <section aria-label="Antes de comprar">
          <h3>Antes de comprar</h3>
          <Hallazgos revision={revision} />
          <div className="comprar">
            <ConfirmarForm key={pedido.version} pedido={pedido} />
            {estado === 'borrador' && (
              <Form method="post" preventScrollReset>
                <Hidden intent="releerPedido" pedido={pedido.id} version={pedido.version} />
                <button type="submit" className="boton">
                  Leer otra vez precio y existencia
                </button>
              </Form>
            )}
          </div>
        </section>
      )}
      {puede && awaitsFolio(pedido) && <FolioForm key={pedido.version} pedido={pedido} />}

      <Datos>
        <Dato de="Proveedor">{proveedorLabel}</Dato>
        <Dato de="Id de la Venta">
          <a href={ventaUrl(market, numOrden)} target="_blank" rel="noopener noreferrer">
            {numOrden}
          </a>
        </Dato>
        {pedido.otros.length > 0 && (
          <Dato de="La misma venta también se pide a" ancha>
            {pedido.otros.map(({ id, folio, label }) => (
              <span key={id} className="otro">
                {label} <a href={`?ver=${id}`}>{folio}</a>
              </span>
            ))}
          </Dato>
        )}
        <Dato de="Cotización">
          {pedido.folioProveedor ? (
            <>
              {pedido.folioProveedor} <Copiar texto={pedido.folioProveedor} que="folio del proveedor" />
            </>
          ) : (
            '—'
          )}
        </Dato>
        <Dato de="Almacén">{pedido.almacen}</Dato>
        <Dato de="Se hizo">
          <Fecha valor={pedido.creadoEn} />
          {pedido.automatico && ' · Automático'}
        </Dato>
        <Dato de="Vence">
          <Fecha valor={pedido.venceEn} />
        </Dato>
        {pedido.motivo && (
          <Dato de="Motivo para comprarlo" ancha>
            {pedido.motivo}
          </Dato>
        )}
      </Datos>

      <h3>Lo que se pide</h3>
      <AhoraProvider ahora={pedido.ahora}>
        <TablaCaja nombre="Lo que se pide">
          <table className="tabla articulos">
            <thead>
              <tr>
                <th>Modelo</th>
                <th className="num">Cantidad</th>
                <th className="pesos">Precio al pedir</th>
                <th className="pesos">Precio ahora</th>
                <th className="num">Existencia</th>
              </tr>
            </thead>
            <tbody>
              {lineas.map((linea) => (
                <tr key={linea.posicion}>
                  <td className="ancha">
                    <div className="con-retrato">
                      <Retrato foto={pedido.alLado.fotos[linea.posicion] ?? null} />
                      <div>
                        {linea.modelo ?? linea.idProveedor}
                        <br />
                        <span className="nota">{linea.descripcion}</span>
                      </div>
                    </div>
                  </td>
                  <td className="num" data-campo="Cantidad">
                    {linea.cantidad}
                  </td>
                  <td className="pesos" data-campo="Precio al pedir">
                    <Precio importe={linea.precio} moneda={linea.moneda} />
                  </td>
                  <td className="pesos" data-campo="Precio ahora">
                    <Precio importe={linea.precioAhora} moneda={linea.monedaAhora} />
                    {linea.precioAhora && (
                      <>
                        <br />
                        <span className="nota">
                          <Edad valor={linea.precioEn} vieja={linea.caducada} />
                        </span>
                      </>
                    )}
                  </td>
                  <td className="num" data-campo="Existencia">
                    {linea.existencia === null ? '—' : `${linea.existencia}${linea.tope ? ' o más' : ''}`}
                    {linea.existencia !== null && (
                      <>
                        <br />
                        <span className="nota">
                          <Edad valor={linea.existenciaEn} vieja={linea.caducada} />
                        </span>
                      </>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TablaCaja>
      </AhoraProvider>

      <h3>Dinero</h3>
      <Datos>
        <Dato de="Monto Pagado">
          <Pesos valor={revision.pagado} />
        </Dato>
        <Dato de="Se recibe de la venta" ancha={revision.estimado}>
          {revision.estimado && '≈ '}
          <Pesos valor={revision.recibe} />
          {revision.estimado && <span className="nota"> {ESTIMADO}</span>}
        </Dato>
        <Dato de="Costo con IVA">
          <Pesos valor={revision.costo} />
        </Dato>
        <Dato de="Utilidad estimada">{quedaEnBreve(dinero)}</Dato>
      </Datos>

      <h3>Guía y factura</h3>
      <Datos>
        <Dato de="Guía">{pedido.guia ? `${pedido.guia.paqueteria} ${pedido.guia.numero}` : 'Todavía no la hay'}</Dato>
        <Dato de="Se mandó al proveedor">
          {pedido.guiaEnviadaEn && pedido.guiaPor ? (
            <>
              <Fecha valor={pedido.guiaEnviadaEn} />, {POR[pedido.guiaPor]}
            </>
          ) : (
            'No'
          )}
        </Dato>
        <Dato de="Factura del proveedor">{pedido.facturaFolio ?? pedido.facturaUuid ?? 'Todavía no la dice'}</Dato>
        <Dato de="Monto de la factura">
          <Precio importe={pedido.facturaTotal} moneda={pedido.facturaMoneda} />
        </Dato>
        {pedido.dice && <Dato de="El proveedor dice">{pedido.dice}</Dato>}
      </Datos>

      <h3>Cómo ha ido</h3>
      <ol className="historia">
        {pedido.historia.map((paso) => (
          <li key={paso.id}>
            <strong>{rowOf(ESTADO_LABEL, paso.a) ?? paso.a}</strong>
            <span className="nota">
              <Fecha valor={paso.en} /> · {[paso.nombre, paso.apellidos].filter(Boolean).join(' ') || 'Automático'}
            </span>
            {paso.detalle && <span>{paso.detalle}</span>}
          </li>
        ))}
      </ol>
    </Ficha>
  );
}

/** A price in the currency in which the supplier told it. */
function Precio({ importe, moneda }: { importe: string | null; moneda: string | null }) {
  if (importe === null) return <>—</>;
  return (
    <span className="pesos">
      {formatPesos(importe)}
      {moneda && moneda !== 'MXN' && ` ${moneda}`}
    </span>
  );
}

/** The form for the folio that a supplier answers by letter or telephone. */
function FolioForm({ pedido: { id, version, proveedorLabel } }: { pedido: PedidoAbierto }) {
  const form = useActionForm<{ folio: string }>('folioPedido', { id: `folioPedido-${id}` });
  return (
    <ActionForm of={form}>
      <Hidden pedido={id} version={version} />
      <Field field={form.fields.folio} label={`Folio que dijo ${proveedorLabel}`} autoComplete="off" data-foco />
      <button type="submit" className="boton">
        Guardar el folio
      </button>
    </ActionForm>
  );
}
