import { Form } from '@remix-run/react';
import { ESTADO_LABEL, conError, askConfirm, askRemove, mayConfirm, mayRemove, quedaEnBreve } from '~/domain/compras/pedidos/pedido';
import { ventaUrl } from '~/domain/ventas/ordenes/orden';
import { Money } from '~/core/money';
import { Panel } from '~/ui/Blocks';
import { Confirm } from '~/ui/Confirm';
import { Copiar } from '~/ui/Copiar';
import { Estatus } from '~/ui/Estatus';
import { AhoraProvider, Edad } from '~/ui/Edad';
import { Fecha } from '~/ui/Fecha';
import { Field } from '~/ui/Field';
import { Cambio, Ficha } from '~/ui/ficha/Ficha';
import type { DentroProps } from '~/ui/ficha/panel';
import { formatPesos, Pesos } from '~/ui/Pesos';
import { TablaCaja } from '~/ui/TablaCaja';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import type { PedidoAbierto } from './abierta';
import { estadoOf, tonoOfEstado } from './estado';
import './pedidos.css';

const TONO = { detiene: 'mal', motivo: 'aviso', avisa: 'neutro' } as const;
const QUE_HACE = { detiene: 'Detiene', motivo: 'Pide motivo', avisa: 'Aviso' } as const;
const POR = { pedido: 'dentro del pedido', api: 'por su API', correo: 'por correo' } as const;

/** A pedido whole: what speaks against it, what was asked and answered, the prices of then and now, its label and its invoice. */
export function PedidoFicha({ ficha: pedido, area, cambio }: DentroProps<PedidoAbierto>) {
  const { folio, proveedorLabel, market, numOrden, revision, lineas, estado, errores, puede } = pedido;
  const dinero = {
    costo: revision.costo === null ? null : Money.of(revision.costo),
    recibe: Money.of(revision.recibe),
    pagado: Money.of(revision.pagado),
  };
  const confirmable = puede && mayConfirm(pedido);
  const detenido = revision.hallazgos.some(({ severidad }) => severidad === 'detiene');
  const pideMotivo = revision.hallazgos[0]?.severidad === 'motivo';
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
          {errores.length > 0 ? errores.join('; ') : (pedido.detalle ?? 'El proveedor no dijo por qué.')}
        </Panel>
      )}
      {confirmable && (
        <section aria-label="Antes de comprar">
          <h3>Antes de comprar</h3>
          {revision.hallazgos.length === 0 ? (
            <p>
              <Estatus tono="ok">Nada lo detiene</Estatus>
            </p>
          ) : (
            <ul className="hallazgos">
              {revision.hallazgos.map(({ clave, severidad, texto }) => (
                <li key={`${clave}${texto}`}>
                  <Estatus tono={TONO[severidad]}>{QUE_HACE[severidad]}</Estatus> {texto}
                </li>
              ))}
            </ul>
          )}
          <div className="comprar">
            <ConfirmarForm key={pedido.version} pedido={pedido} {...{ dinero, pideMotivo, detenido }} />
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
      {puede && estado === 'solicitado' && pedido.via === 'correo' && (
        <FolioForm key={pedido.version} pedido={pedido} />
      )}

      <dl className="ficha">
        <div>
          <dt>Proveedor</dt>
          <dd>{proveedorLabel}</dd>
        </div>
        <div>
          <dt>Id de la Venta</dt>
          <dd>
            <a href={ventaUrl(market, numOrden)} target="_blank" rel="noopener noreferrer">
              {numOrden}
            </a>
          </dd>
        </div>
        {pedido.otros.length > 0 && (
          <div className="ancha">
            <dt>La misma venta también se pide a</dt>
            <dd>
              {pedido.otros.map(({ id, folio, label }) => (
                <span key={id} className="otro">
                  {label} <a href={`?ver=${id}`}>{folio}</a>
                </span>
              ))}
            </dd>
          </div>
        )}
        <div>
          <dt>Cotización</dt>
          <dd>
            {pedido.folioProveedor ? (
              <>
                {pedido.folioProveedor} <Copiar texto={pedido.folioProveedor} que="folio del proveedor" />
              </>
            ) : (
              '—'
            )}
          </dd>
        </div>
        <div>
          <dt>Almacén</dt>
          <dd>{pedido.almacen ?? '—'}</dd>
        </div>
        <div>
          <dt>Se hizo</dt>
          <dd>
            <Fecha valor={pedido.creadoEn} />
            {pedido.automatico && ' · Automático'}
          </dd>
        </div>
        <div>
          <dt>Vence</dt>
          <dd>
            <Fecha valor={pedido.venceEn} />
          </dd>
        </div>
        {pedido.motivo && (
          <div className="ancha">
            <dt>Motivo para comprarlo</dt>
            <dd>{pedido.motivo}</dd>
          </div>
        )}
      </dl>

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
                    {linea.modelo ?? linea.idProveedor}
                    <br />
                    <span className="nota">{linea.descripcion}</span>
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
      <dl className="ficha">
        <div>
          <dt>Monto Pagado</dt>
          <dd>
            <Pesos valor={revision.pagado} />
          </dd>
        </div>
        <div>
          <dt>Se recibe de la venta</dt>
          <dd>
            <Pesos valor={revision.recibe} />
          </dd>
        </div>
        <div>
          <dt>Costo con IVA</dt>
          <dd>
            <Pesos valor={revision.costo} />
          </dd>
        </div>
        <div>
          <dt>Utilidad estimada</dt>
          <dd>{quedaEnBreve(dinero) ?? '—'}</dd>
        </div>
      </dl>

      <h3>Guía y factura</h3>
      <dl className="ficha">
        <div>
          <dt>Guía</dt>
          <dd>{pedido.guia ? `${pedido.guia.paqueteria} ${pedido.guia.numero}` : 'Todavía no la hay'}</dd>
        </div>
        <div>
          <dt>Se mandó al proveedor</dt>
          <dd>
            {pedido.guiaEnviadaEn && pedido.guiaPor ? (
              <>
                <Fecha valor={pedido.guiaEnviadaEn} />, {POR[pedido.guiaPor]}
              </>
            ) : (
              'No'
            )}
          </dd>
        </div>
        <div>
          <dt>Factura del proveedor</dt>
          <dd>{pedido.facturaFolio ?? pedido.facturaUuid ?? 'Todavía no la dice'}</dd>
        </div>
        <div>
          <dt>Monto de la factura</dt>
          <dd>
            <Precio importe={pedido.facturaTotal} moneda={pedido.facturaMoneda} />
          </dd>
        </div>
        {pedido.dice && (
          <div>
            <dt>El proveedor dice</dt>
            <dd>{pedido.dice}</dd>
          </div>
        )}
      </dl>

      <h3>Cómo ha ido</h3>
      <ol className="historia">
        {pedido.historia.map((paso) => (
          <li key={paso.id}>
            <strong>{ESTADO_LABEL[paso.a as keyof typeof ESTADO_LABEL] ?? paso.a}</strong>
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

/** In the currency it was told in. */
function Precio({ importe, moneda }: { importe: string | null; moneda: string | null }) {
  if (importe === null) return <>—</>;
  return (
    <span className="pesos">
      {formatPesos(importe)}
      {moneda && moneda !== 'MXN' && ` ${moneda}`}
    </span>
  );
}

type Dinero = Parameters<typeof askConfirm>[0]['dinero'];

type ConfirmarProps = { pedido: PedidoAbierto; dinero: Dinero; pideMotivo: boolean; detenido: boolean };

/** What stops it is not asked about: the server looks once more, and says so or asks. */
function ConfirmarForm({ pedido, dinero, pideMotivo, detenido }: ConfirmarProps) {
  const form = useActionForm<{ motivo: string }>('confirmarPedido', {
    id: `confirmarPedido-${pedido.id}`,
    required: { motivo: pideMotivo },
  });
  const { id, version, revision } = pedido;
  return (
    <ActionForm of={form}>
      <Hidden pedido={id} version={version} costo={revision.costo} />
      {pideMotivo && <Field field={form.fields.motivo} label="Motivo para comprarlo así" autoComplete="off" />}
      <Confirm
        {...askConfirm({
          ...pedido,
          dinero,
          avisos: revision.hallazgos.map(({ texto }) => texto),
        })}
        ready={(element) => !detenido && form.ready(element)}
      >
        Confirmar pedido
      </Confirm>
    </ActionForm>
  );
}

/** What a supplier that is written to answers by letter or telephone. */
function FolioForm({ pedido: { id, version, proveedorLabel } }: { pedido: PedidoAbierto }) {
  const form = useActionForm<{ folio: string }>('folioPedido', { id: `folioPedido-${id}` });
  return (
    <ActionForm of={form}>
      <Hidden pedido={id} version={version} />
      <Field field={form.fields.folio} label={`Folio que dijo ${proveedorLabel}`} autoComplete="off" />
      <button type="submit" className="boton">
        Guardar el folio
      </button>
    </ActionForm>
  );
}
