import { Form, Link, useLocation } from '@remix-run/react';
import type { ReactNode } from 'react';
import { enumerate } from '~/core/hechos';
import { withParams } from '~/core/list';
import { tableOf } from '~/core/table';
import { isViva } from '~/domain/ventas/envios/envio';
import { estatusLabel, estatusTono, estatusVisible } from '~/domain/ventas/ordenes/estatus';
import { CLASE_LABEL, ventaUrl } from '~/domain/ventas/ordenes/orden';
import { medioPagoLabel, pagoEstatus } from '~/domain/ventas/ordenes/pagos';
import { Dato, Datos } from '~/ui/Datos';
import { Panel } from '~/ui/Blocks';
import { Confirm } from '~/ui/Confirm';
import { deferredPart } from '~/ui/deferredPart';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { Cambio, Ficha } from '~/ui/ficha/Ficha';
import { Presencia } from '~/ui/ficha/Presencia';
import type { DentroProps } from '~/ui/ficha/panel';
import { usePantallas } from '~/ui/Pantallas';
import { Pesos } from '~/ui/Pesos';
import { Retrato } from '~/ui/Retrato';
import { TablaCaja } from '~/ui/TablaCaja';
import { Hidden } from '~/ui/useAnswer';
import { formaOfPedido, PedidosDeOrden, SURTIR } from '~/routes/compras/pedidos/PedidosDeOrden';
import { FolioProveedor } from '~/routes/compras/facturas/FolioProveedor';
import { ABRE } from '~/routes/compras/facturas/textos';
import { CorregirCosto } from './CorregirCosto';
import { CorreoProveedor } from './CorreoProveedor';
import { Cronologia } from './Cronologia';
import { DatosEnvio } from './DatosEnvio';
import { Esperas } from './Esperas';
import type { OrdenAbierta } from './record';
import { siguienteOf } from './siguiente';
import { Mensajes } from './Mensajes';
import { askSendLink } from './questions';
import './orden.css';
import { MERCADOS } from '~/domain/mercados/mercados';

const GuiaDeMercado = deferredPart(
  'GuiaDeMercado',
  async () => (await import('~/routes/ventas/envios/GuiaDeMercado')).GuiaDeMercado,
  {
    ahead: false,
  },
);

const Devuelta = deferredPart('Devuelta', async () => (await import('./Devuelta')).Devuelta, { ahead: false });

const Dinero = deferredPart('Dinero', async () => (await import('./Dinero')).Dinero);

type AQuienProps = { receptor: string | null; envio: OrdenAbierta['envio'] };

/** Who receives a sale and in which town, in one line; what is not known is left out. */
function AQuien({ receptor, envio }: AQuienProps) {
  const dicho = [receptor, envio?.municipio ?? envio?.ciudad].filter(Boolean).join(' · ');
  return dicho && <p className="a-quien">{dicho}</p>;
}

/** The panel of a sale, on every screen that lists sales: articles and payments, documents, shipment, and history. */
export function OrdenFicha({ ficha: orden, area, cambio }: DentroProps<OrdenAbierta>) {
  const { search, pathname } = useLocation();
  const { numOrden, market, marketId, packId, clase, comprador, envio, pagos, facturas, articulos, puede } = orden;
  const estatus = estatusVisible(orden, envio);
  // The sale and its shipment may both tell one payment.
  const delEnvio = (envio?.pagos ?? []).filter(({ id }) => !pagos.some((pago) => pago.id === id));
  const viva = facturas.some((factura) => factura.tipo !== 'notaCredito' && factura.estatus !== 'cancelada');
  const facturable = !viva && !orden.meliResale && (clase === 'normal' || clase === 'invalida');
  const ultimo = orden.cronologia[0];
  const quienCambio = ultimo && [ultimo.titulo, ultimo.quien].filter(Boolean).join(' · ');
  const receptor = envio?.nombreReceptor ?? comprador;
  const estado = (
    <>
      <AQuien receptor={receptor} envio={envio} />
      <span className="monto">
        <Pesos valor={orden.pagado} />
      </span>
      <Estatus tono={estatusTono(estatus)}>{estatusLabel(estatus)}</Estatus>
      {viva ? <Estatus tono="ok">Facturada</Estatus> : facturable && <Estatus tono="mal">No Facturado</Estatus>}
      <Presencia que={`venta:${numOrden}`} url={`${area}/presencia`} />
    </>
  );
  const hrefOf = usePantallas();
  const seCotiza = pathname.endsWith('/cotizarEnvios') && orden.envioPropio && isViva(orden);
  const conCosto = Number(envio?.costo ?? 0) > 0;
  // Where shipments of ours are seen to, the next step of a sale is its shipment; elsewhere it is what waits first.
  const deEnvio = puede.operar && seCotiza && (
    <Link
      className="boton"
      data-tono="acento"
      to={withParams(search, { ver: null, editar: null, [conCosto ? 'paqueteria' : 'costo']: orden.id })}
      preventScrollReset
    >
      {conCosto ? 'Datos paqueteria' : 'Costo del envio'}
    </Link>
  );
  const siguiente = deEnvio ? undefined : siguienteOf({ orden, area, search, hrefOf });
  const sigue = deEnvio || siguiente?.boton;
  const facturar = puede.operar && facturable && siguiente?.espera.paso !== 'facturar' && (
    <a
      className="boton"
      data-tono={sigue ? undefined : 'acento'}
      href={`${area}/facturacion?numOrden=${encodeURIComponent(numOrden)}`}
    >
      Facturar
    </a>
  );
  const acciones = [
    sigue && facturar,
    <Link className="boton" to={withParams(search, { editar: null, [ABRE]: orden.id })} preventScrollReset>
      Facturas de proveedor
    </Link>,
    puede.operar && envio && isViva(orden) && (
      <CorreoProveedor orden={{ id: orden.id, numOrden, envio: envio.marketId }} destinatarios={orden.destinatarios}>
        Correo al proveedor
      </CorreoProveedor>
    ),
    puede.operar && facturable && MERCADOS[market].mensajes && (
      <Form method="post" preventScrollReset>
        <Hidden intent="enlace" numero={numOrden} />
        <Confirm plain="boton" {...askSendLink(orden)}>
          Enviar link al cliente
        </Confirm>
      </Form>
    ),
  ];
  return (
    <Ficha que="Orden" numero={numOrden} estado={estado} principal={sigue || facturar} acciones={acciones}>
      {cambio && <Cambio editando={orden.editar !== null && orden.editar !== 'mensajes'} quien={quienCambio} />}
      {orden.devuelta && <Devuelta orden={orden} devuelta={orden.devuelta} />}
      {clase !== 'normal' && !orden.devuelta && (
        <Panel tono={clase === 'invalida' ? 'aviso' : 'mal'} titulo={CLASE_LABEL[clase]}>
          {CLASE_NOTA[clase]}
        </Panel>
      )}
      {orden.meliResale && (
        <Panel titulo="La factura el mercado">
          Esta venta la factura el mercado donde se vendió y aquí no se factura.
        </Panel>
      )}
      <Esperas esperas={orden.esperas} ahora={orden.ahora} />
      <Datos>
        <Dato de="Fecha">
          <Fecha valor={orden.fechaCreacion} />
        </Dato>
        {comprador && comprador !== receptor && <Dato de="Comprador">{comprador}</Dato>}
        <Dato de="La venta">
          <a href={ventaUrl(market, numOrden)} target="_blank" rel="noopener noreferrer">
            Ver en {MERCADOS[market].label}
          </a>
        </Dato>
        {marketId !== numOrden && <Dato de="Id de la venta">{marketId}</Dato>}
        {packId && packId !== numOrden && <Dato de="Paquete">{packId}</Dato>}
      </Datos>

      <h3>Artículos</h3>
      <Caja label="Artículos">
        <table className="tabla articulos">
          <thead>
            <tr>
              <th>Nombre</th>
              <th>Proveedor</th>
              <th>Modelo</th>
              <th className="num">Cantidad</th>
              <th className="pesos">Precio</th>
              <th className="pesos">Importe</th>
            </tr>
          </thead>
          <tbody>
            {articulos.map((articulo) => (
              <tr key={articulo.posicion}>
                <td className="ancha">
                  <div className="con-retrato">
                    <Retrato foto={orden.alLado.fotos[articulo.posicion] ?? null} lado={40} />
                    <div>
                      {articulo.nombre}
                      <br />
                      <span className="nota">{articulo.sku ?? 'Sin SKU'}</span>
                      {articulo.lugares.length > 0 && (
                        <span className="nota"> · Sale de {enumerate(articulo.lugares)}</span>
                      )}
                      {puede.operar && (
                        <>
                          {' · '}
                          <a href={`${area}/devoluciones?orden=${orden.id}&articulo=${articulo.posicion}`}>
                            Devolución
                          </a>
                        </>
                      )}
                    </div>
                  </div>
                </td>
                <td data-campo="Proveedor">{articulo.proveedorLabel ?? articulo.proveedor ?? '—'}</td>
                <td data-campo="Modelo">{articulo.modelo ?? '—'}</td>
                <td className="num" data-campo="Cantidad">
                  {articulo.cantidad}
                </td>
                <td className="pesos" data-campo="Precio">
                  <Pesos valor={articulo.precioUnitario} />
                </td>
                <td className="pesos" data-campo="Importe">
                  <Pesos valor={articulo.importe} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Caja>

      <DatosEnvio orden={orden} />
      {(orden.guia ?? orden.porImprimir) && (
        <GuiaDeMercado orden={orden} area={area} enPie={siguiente?.espera.paso === 'enviar'} />
      )}

      <h3>Dinero</h3>
      <Datos>
        {(clase === 'cancelada' || clase === 'devuelta') && (
          <Dato de="Monto cancelado">
            <Pesos valor={orden.pagadoAbs} />
          </Dato>
        )}
        <Dato de="Envío cobrado">
          <Pesos valor={envio?.cobrado ?? null} />
          {envio?.costoComprador && envio.cobrado && String(envio.costoComprador) !== String(envio.cobrado) && (
            <span className="nota">
              {' '}
              {MERCADOS[market].label} lo calcula en <Pesos valor={envio.costoComprador} />
            </span>
          )}
        </Dato>
        <Dato de="Envío cotizado">
          <Pesos valor={envio?.cotizado ?? null} />
        </Dato>
      </Datos>
      {orden.dinero && <Dinero dinero={orden.dinero} skus={orden.articulos.map(({ sku }) => sku)} />}
      <CorregirCosto orden={orden} />
      {(pagos.length > 0 || delEnvio.length > 0) && (
        <Caja label="Pagos">
          <table className="tabla tablero">
            <thead>
              <tr>
                <th>Pago</th>
                <th>Estatus</th>
                <th className="pesos">Monto</th>
                <th className="pesos">Devuelto</th>
              </tr>
            </thead>
            <tbody>
              {pagos.map((pago) => {
                const { label, tono } = pagoEstatus(pago.estatus);
                return (
                  <tr key={pago.id}>
                    <td>
                      {medioPagoLabel(pago.medio)}
                      {pago.adicional && ' (adicional)'}
                      <br />
                      <span className="nota">
                        <Fecha valor={pago.aprobadoEn ?? pago.modificadoEn} />
                      </span>
                    </td>
                    <td>
                      <Estatus tono={tono}>{label}</Estatus>
                    </td>
                    <td className="pesos" data-campo="Monto">
                      <Pesos valor={pago.monto} />
                    </td>
                    <td className="pesos" data-campo="Devuelto">
                      <Pesos valor={pago.devuelto} />
                    </td>
                  </tr>
                );
              })}
              {delEnvio.map(({ id, estatus, importe }) => {
                const { label, tono } = pagoEstatus(estatus);
                return (
                  <tr key={id}>
                    <td>Envío del carrito</td>
                    <td>
                      <Estatus tono={tono}>{label}</Estatus>
                    </td>
                    <td className="pesos" data-campo="Monto">
                      <Pesos valor={importe} />
                    </td>
                    <td className="pesos" data-campo="Devuelto">
                      —
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </Caja>
      )}

      <h3>Facturas del cliente</h3>
      {facturas.length === 0 ? (
        <p className="nota">La orden no tiene facturas.</p>
      ) : (
        <Caja label="Facturas del cliente">
          <table className="tabla">
            <thead>
              <tr>
                <th>Folio</th>
                <th>Fecha de timbrado</th>
                <th>Documento</th>
                <th>RFC</th>
                <th className="pesos">Total</th>
                <th>Descargar</th>
              </tr>
            </thead>
            <tbody>
              {facturas.map((factura) => (
                <tr key={factura.id}>
                  <td>
                    <Estatus tono={factura.estatus === 'cancelada' ? 'mal' : 'ok'}>{factura.folio}</Estatus>
                  </td>
                  <td>
                    <Fecha valor={factura.fechaTimbrado} />
                  </td>
                  <td>
                    {DOCUMENTO[factura.tipo] ?? factura.tipo}
                    {factura.estatus === 'cancelada'
                      ? ', cancelada'
                      : factura.estatus === 'cancelando'
                        ? ', en cancelación'
                        : ''}
                  </td>
                  <td>
                    {factura.rfc}
                    <br />
                    <span className="nota">{factura.razonSocial}</span>
                  </td>
                  <td className="pesos">
                    <Pesos valor={factura.total} />
                  </td>
                  <td className="acciones">
                    <a
                      className="boton"
                      href={`${area}/descargas/factura/${factura.id}/pdf`}
                      download
                      aria-label={`PDF de ${factura.folio}`}
                    >
                      PDF
                    </a>{' '}
                    <a
                      className="boton"
                      href={`${area}/descargas/factura/${factura.id}/xml`}
                      download
                      aria-label={`XML de ${factura.folio}`}
                    >
                      XML
                    </a>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Caja>
      )}

      <PedidosDeOrden orden={orden} area={area} enPie={enPieOf(siguiente?.espera)} />

      <h3>Facturas de proveedores</h3>
      {orden.proveedorFacturas.length === 0 ? (
        <p className="nota">La orden no tiene facturas de proveedores.</p>
      ) : (
        <Caja label="Facturas de proveedores">
          <table className="tabla">
            <thead>
              <tr>
                <th>Folio</th>
                <th>Proveedor</th>
                <th>Fecha</th>
                <th>Agregó</th>
                <th className="pesos">Monto</th>
              </tr>
            </thead>
            <tbody>
              {orden.proveedorFacturas.map((factura) => (
                <tr key={factura.id}>
                  <td>
                    <FolioProveedor factura={factura} />
                  </td>
                  <td>{factura.proveedorLabel}</td>
                  <td>
                    <Fecha valor={factura.fechaCreacion} />
                  </td>
                  <td>{[factura.nombre, factura.apellidos].filter(Boolean).join(' ') || '—'}</td>
                  <td className="pesos">
                    <Pesos valor={factura.monto} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Caja>
      )}

      <Mensajes orden={orden} />
      <Cronologia numOrden={numOrden} sucesos={orden.cronologia} puedeReintentar={puede.reintentar} area={area} />
    </Ficha>
  );
}

/** The form of the panel whose button stands in the foot, by the step that it does. */
const enPieOf = (espera: { paso: string; de: string } | undefined) =>
  espera?.paso === 'surtir' ? SURTIR : espera?.paso === 'pedir' ? formaOfPedido(espera.de) : undefined;

/** The box of a table that may be wider than the panel; the keyboard can scroll it. */
function Caja({ label, children }: { label: string; children: ReactNode }) {
  return <TablaCaja nombre={label}>{children}</TablaCaja>;
}

const CLASE_NOTA = {
  cancelada: 'La venta se canceló: su monto cuenta 0.',
  devuelta: 'La venta se pagó y no se cumplió: su monto cuenta 0.',
  invalida: 'Algún producto no tiene SKU, o su SKU no es de la casa.',
} as const;

const DOCUMENTO: Readonly<Record<string, string>> = tableOf({
  individual: 'Factura',
  global: 'Factura global',
  notaCredito: 'Nota de crédito',
});
