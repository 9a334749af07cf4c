import { Form, useLocation } from '@remix-run/react';
import type { Wire } from '~/core/list';
import { tableOf } from '~/core/table';
import { etiquetaEn, unidadOf } from '~/domain/facturacion/sat/opciones';
import { FORMAS_PAGO, REGIMENES, USOS } from '~/domain/facturacion/sat/sat';
import type { FacturaWhole } from '~/domain/facturacion/cfdi/factura.server';
import type { Correcciones as Vista } from '~/domain/facturacion/cancelacion/correcciones.server';
import type { Negado } from '~/domain/operacion/negados.server';
import { ventaUrl } from '~/domain/ventas/ordenes/orden';
import { Dato, Datos } from '~/ui/Datos';
import { Confirm } from '~/ui/Confirm';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { Cambio, Ficha } from '~/ui/ficha/Ficha';
import { Presencia } from '~/ui/ficha/Presencia';
import type { DentroProps } from '~/ui/ficha/panel';
import { Pesos } from '~/ui/Pesos';
import { Negados } from '~/ui/Rechazado';
import { TablaCaja } from '~/ui/TablaCaja';
import { Hidden } from '~/ui/useAnswer';
import { Correcciones } from './Correcciones';
import { askResendFactura } from './questions';
import './correcciones.css';

export type FacturaAbierta = {
  id: string;
  factura: Wire<FacturaWhole>;
  correcciones: Wire<Vista> | null;
  negados: Negado[];
  puedeReenviar: boolean;
  puedeCorregir: boolean;
  /** The ZIP with everything that proves its sales. */
  conExpediente: boolean;
};

const TITULO: Record<string, string> = tableOf({
  individual: 'Factura',
  global: 'Factura global',
  notaCredito: 'Nota de crédito',
});

/** The panel of a factura: receiver, amounts, files, corrections, and history. */
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
      <Presencia que={`factura:${id}`} url={`${area}/presencia`} />
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
    ficha.conExpediente && (
      <a className="boton" href={`${area}/descargas/expediente/${id}`} download>
        Expediente
      </a>
    ),
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
      <Negados negados={ficha.negados} />
      <Datos>
        <Dato de="Fecha de timbrado">
          <Fecha valor={factura.fechaTimbrado} />
        </Dato>
        <Dato de="No. Orden">
          {market && numOrden ? (
            <a href={ventaUrl(market, numOrden)} target="_blank" rel="noopener noreferrer">
              {numOrden}
            </a>
          ) : (
            '—'
          )}
        </Dato>
        <Dato de="Cancelada">
          {estatus === 'cancelada' ? (
            <Estatus tono="mal">
              Sí, <Fecha valor={canceladaEn} />
            </Estatus>
          ) : estatus === 'cancelando' ? (
            <Estatus tono="aviso">En proceso</Estatus>
          ) : (
            <Estatus tono="ok">No</Estatus>
          )}
        </Dato>
        <Dato de="Folio fiscal (UUID)" ancha copia="folio fiscal">
          {factura.uuid}
        </Dato>
      </Datos>
      <h3>Receptor</h3>
      <Datos>
        <Dato de="RFC">{factura.rfc}</Dato>
        <Dato de="Razón social" ancha>
          {factura.razonSocial}
        </Dato>
        <Dato de="Código postal">{factura.cp}</Dato>
        <Dato de="Régimen fiscal" ancha>
          {etiquetaEn(REGIMENES, factura.regimen)}
        </Dato>
        <Dato de="Uso de CFDI" ancha>
          {etiquetaEn(USOS, factura.usoCfdi)}
        </Dato>
        <Dato de="Forma de pago" ancha>
          {etiquetaEn(FORMAS_PAGO, factura.formaPago)}
        </Dato>
        <Dato de="Correo" ancha>
          {factura.emails.join(', ')}
        </Dato>
        {quien && <Dato de="Facturó">{quien}</Dato>}
      </Datos>
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
