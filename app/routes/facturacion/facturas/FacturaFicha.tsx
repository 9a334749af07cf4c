import { Form, useLocation } from '@remix-run/react';
import type { Wire } from '~/core/list';
import { etiquetaEn, unidadOf } from '~/domain/facturacion/sat/opciones';
import { FORMAS_PAGO, REGIMENES, USOS } from '~/domain/facturacion/sat/sat';
import type { FacturaWhole } from '~/domain/facturacion/cfdi/factura.server';
import type { Correcciones as Vista } from '~/domain/facturacion/cancelacion/correcciones.server';
import { ventaUrl } from '~/domain/ventas/ordenes/orden';
import { Confirm } from '~/ui/Confirm';
import { Estatus } from '~/ui/Estatus';
import { Copiar } from '~/ui/Copiar';
import { Fecha } from '~/ui/Fecha';
import { Cambio, Ficha } from '~/ui/ficha/Ficha';
import type { DentroProps } from '~/ui/ficha/panel';
import { Pesos } from '~/ui/Pesos';
import { TablaCaja } from '~/ui/TablaCaja';
import { Hidden } from '~/ui/useAnswer';
import { Correcciones } from './Correcciones';
import { askResendFactura } from './questions';
import './correcciones.css';

export type FacturaAbierta = {
  id: string;
  factura: Wire<FacturaWhole>;
  correcciones: Wire<Vista> | null;
  puedeReenviar: boolean;
  puedeCorregir: boolean;
};

const TITULO: Record<string, string> = {
  individual: 'Factura',
  global: 'Factura global',
  notaCredito: 'Nota de crédito',
};

/** A factura whole: who received it, what it charges, its files, its corrections and all that happened to it. */
export function FacturaFicha({ ficha, area, cambio }: DentroProps<FacturaAbierta>) {
  const { search } = useLocation();
  const { factura, correcciones, puedeReenviar, puedeCorregir } = ficha;
  const { id, folio, numOrden, market, estatus, canceladaEn } = factura;
  const archivo = `${area}/descargas/factura/${id}`;
  const quien = [factura.nombre, factura.apellidos].filter(Boolean).join(' ');
  const estado = (
    <>
      <span className="monto">
        <Pesos valor={factura.total} />
      </span>
      {estatus === 'cancelada' ? (
        <Estatus tono="mal">Cancelada</Estatus>
      ) : estatus === 'cancelando' ? (
        <Estatus tono="aviso">En cancelación</Estatus>
      ) : (
        <Estatus tono="ok">Vigente</Estatus>
      )}
    </>
  );
  const principal = (
    <a className="boton" data-tono="acento" href={`${archivo}/pdf`} download>
      Descargar PDF
    </a>
  );
  const acciones = [
    puedeReenviar && (
      <Form method="post" preventScrollReset>
        <Hidden intent="reenviar" factura={id} />
        <Confirm plain="boton" {...askResendFactura(factura)}>
          Reenviar correo
        </Confirm>
      </Form>
    ),
    <a className="boton" href={`${archivo}/xml`} download>
      Descargar XML
    </a>,
  ];
  return (
    <Ficha
      que={TITULO[factura.tipo] ?? 'Factura'}
      numero={folio}
      estado={estado}
      principal={principal}
      acciones={acciones}
    >
      {cambio && <Cambio editando={false} quien={null} />}
      <dl className="ficha">
        <div>
          <dt>Fecha de timbrado</dt>
          <dd>
            <Fecha valor={factura.fechaTimbrado} />
          </dd>
        </div>
        <div>
          <dt>No. Orden</dt>
          <dd>
            {market && numOrden ? (
              <a href={ventaUrl(market, numOrden)} target="_blank" rel="noopener noreferrer">
                {numOrden}
              </a>
            ) : (
              '—'
            )}
          </dd>
        </div>
        <div>
          <dt>Cancelada</dt>
          <dd>
            {estatus === 'cancelada' ? (
              <Estatus tono="mal">
                Sí, <Fecha valor={canceladaEn} />
              </Estatus>
            ) : estatus === 'cancelando' ? (
              <Estatus tono="aviso">En proceso</Estatus>
            ) : (
              <Estatus tono="ok">No</Estatus>
            )}
          </dd>
        </div>
        <div className="ancha">
          <dt>Folio fiscal (UUID)</dt>
          <dd>
            {factura.uuid} <Copiar texto={factura.uuid} que="folio fiscal" />
          </dd>
        </div>
      </dl>
      <h3>Receptor</h3>
      <dl className="ficha">
        <div>
          <dt>RFC</dt>
          <dd>{factura.rfc}</dd>
        </div>
        <div className="ancha">
          <dt>Razón social</dt>
          <dd>{factura.razonSocial}</dd>
        </div>
        <div>
          <dt>Código postal</dt>
          <dd>{factura.cp}</dd>
        </div>
        <div className="ancha">
          <dt>Régimen fiscal</dt>
          <dd>{etiquetaEn(REGIMENES, factura.regimen)}</dd>
        </div>
        <div className="ancha">
          <dt>Uso de CFDI</dt>
          <dd>{etiquetaEn(USOS, factura.usoCfdi)}</dd>
        </div>
        <div className="ancha">
          <dt>Forma de pago</dt>
          <dd>{etiquetaEn(FORMAS_PAGO, factura.formaPago)}</dd>
        </div>
        <div className="ancha">
          <dt>Correo</dt>
          <dd>{factura.emails.join(', ') || '—'}</dd>
        </div>
        {quien && (
          <div>
            <dt>Facturó</dt>
            <dd>{quien}</dd>
          </div>
        )}
      </dl>
      <h3>Conceptos</h3>
      <TablaCaja nombre="Conceptos">
        <table className="tabla articulos">
          <thead>
            <tr>
              <th>Descripción</th>
              <th>Clave SAT</th>
              <th className="pesos">Cantidad</th>
              <th className="pesos">Precio unitario</th>
              <th className="pesos">Importe</th>
            </tr>
          </thead>
          <tbody>
            {factura.conceptos.map((concepto) => (
              <tr key={concepto.posicion}>
                <td className="ancha">
                  {concepto.descripcion}
                  {factura.tipo === 'global' && concepto.noIdentificacion && ` ${concepto.noIdentificacion}`}
                </td>
                <td data-campo="Clave SAT">{concepto.claveProdServ}</td>
                <td className="pesos" data-campo="Cantidad">
                  {Number(concepto.cantidad)} {unidadOf(concepto.claveUnidad)}
                </td>
                <td className="pesos" data-campo="Precio unitario">
                  <Pesos valor={concepto.valorUnitario} />
                </td>
                <td className="pesos" data-campo="Importe">
                  <Pesos valor={concepto.importe} />
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <td colSpan={4} className="pesos">
                Sub-Total
              </td>
              <td className="pesos">
                <Pesos valor={factura.subtotal} />
              </td>
            </tr>
            <tr>
              <td colSpan={4} className="pesos">
                I.V.A
              </td>
              <td className="pesos">
                <Pesos valor={factura.iva} />
              </td>
            </tr>
            <tr>
              <td colSpan={4} className="pesos">
                <strong>Total</strong>
              </td>
              <td className="pesos">
                <strong>
                  <Pesos valor={factura.total} />
                </strong>
              </td>
            </tr>
          </tfoot>
        </table>
      </TablaCaja>
      {correcciones && (
        <Correcciones
          factura={factura}
          estatus={estatus}
          correcciones={correcciones}
          puede={puedeCorregir}
          search={search}
          area={area}
        />
      )}
    </Ficha>
  );
}
