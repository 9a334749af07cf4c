import { Form } from '@remix-run/react';
import type { ReactNode } from 'react';
import { ventaUrl } from '~/domain/ventas/ordenes/orden';
import { ESTADO_LABEL, ESTADO_TONO, mayPass, ERROR_PROVEEDOR, nombreOfPieza } from '~/domain/compras/stock/pieza';
import { Visto } from '~/ui/Choque';
import { Dato, Datos } from '~/ui/Datos';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { Field, SelectField } from '~/ui/Field';
import { Cambio, Ficha } from '~/ui/ficha/Ficha';
import type { DentroProps } from '~/ui/ficha/panel';
import { Pesos } from '~/ui/Pesos';
import { TablaCaja } from '~/ui/TablaCaja';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden, Refusal } from '~/ui/useAnswer';
import type { PiezaAbierta } from './record';
import { Fotos } from './Fotos';
import { Imprimir } from './Imprimir';
import { PiezaForm } from './PiezaForm';
import './stock.css';

/** The panel of a piece: its data, corrected in place, the states it went through, and its invoice. */
export function PiezaFicha({ ficha: pieza, area, cambio }: DentroProps<PiezaAbierta>) {
  const { id, folio, estado, version, puede, regresaA } = pieza;
  return (
    <Ficha
      que="Devolución"
      numero={folio}
      estado={
        <>
          <span className="monto">
            <Pesos valor={pieza.costo} />
          </span>
          <Estatus tono={ESTADO_TONO[estado]}>{ESTADO_LABEL[estado]}</Estatus>
        </>
      }
      acciones={[
        <Imprimir key="imprimir" que={id} nombre={folio} />,
        puede && regresaA && (
          <Form key="deshacer" method="post" preventScrollReset>
            <Hidden intent="deshacerPieza" id={id} version={version} />
            <button type="submit" className="boton">
              Deshacer: regresar a {ESTADO_LABEL[regresaA]}
            </button>
          </Form>
        ),
        pieza.ordenId && (
          <a key="orden" className="boton" href={`${area}/ordenes?ver=${pieza.ordenId}`}>
            Abrir la orden
          </a>
        ),
      ]}
    >
      <Refusal of="deshacerPieza" />
      {cambio && <Cambio editando={puede} quien={null} />}
      <h3 className="pieza-nombre">{nombreOfPieza(pieza, 'Error de nombre')}</h3>
      {puede && pieza.proveedor === null && pieza.estados.length > 1 && <Mover pieza={pieza} />}
      {puede && <PiezaForm key={`${id}-${version}`} pieza={pieza} area={area} />}
      {puede && mayPass(estado, 'vendido') && <Vender pieza={pieza} />}
      {(puede || pieza.etiquetas.length > 0) && <Etiquetas pieza={pieza} />}
      {pieza.ventaNumOrden && pieza.ventaMarket && (
        <p>
          {ESTADO_LABEL[estado]} en la orden{' '}
          <a href={ventaUrl(pieza.ventaMarket, pieza.ventaNumOrden)} target="_blank" rel="noopener noreferrer">
            {pieza.ventaNumOrden}
          </a>
        </p>
      )}
      {pieza.productoId && <InformacionGeneral pieza={pieza} />}
      <h3>Cambios de estado</h3>
      <Movimientos movimientos={pieza.movimientos} />
      {pieza.fotos.length > 0 && (
        <>
          <h3>Fotografías</h3>
          <Fotos fotos={pieza.fotos} folio={folio} area={area} />
        </>
      )}
      {pieza.facturaId && (
        <>
          <h3>Factura</h3>
          <iframe
            className="pieza-factura"
            title={`Factura ${pieza.facturaFolio ?? ''}`}
            src={`${area}/descargas/facturaStock/${id}?ver=1`}
            loading="lazy"
          />
        </>
      )}
    </Ficha>
  );
}

/** The form that changes only the state, for a piece that no supplier is known of: the form of all facts asks for one. */
function Mover({ pieza: { id, version, estado, estados } }: { pieza: PiezaAbierta }) {
  const form = useActionForm<{ estado: string }>('moverPieza', {
    id: `mover-${id}-${version}`,
    defaultValue: { estado },
  });
  return (
    <ActionForm of={form} className="pieza-vender">
      <Hidden id={id} />
      <Visto of={form} marcas={{ version }} />
      <SelectField
        field={form.fields.estado}
        label="Cambiar solo el estatus"
        data={estados}
        description="Para corregir sus demás datos hace falta elegir un proveedor."
      />
      <button type="submit" className="boton">
        Cambiar estatus
      </button>
    </ActionForm>
  );
}

/** The form that sells a piece. The piece leaves the list once its sale is chosen. */
function Vender({ pieza: { id, version } }: { pieza: PiezaAbierta }) {
  const form = useActionForm<{ venta: string }>('venderPieza', { id: `vender-${id}` });
  return (
    <ActionForm of={form} className="pieza-vender">
      <Hidden id={id} version={version} />
      <Field field={form.fields.venta} label="Sale en la orden" autoComplete="off" placeholder="No. Orden" />
      <button type="submit" className="boton">
        Marcar como vendida
      </button>
    </ActionForm>
  );
}

/** The form that ties a label printed in advance to its piece, for good. */
function Etiquetas({ pieza: { id, folio, puede, etiquetas } }: { pieza: PiezaAbierta }) {
  const form = useActionForm<{ codigo: string }>('ligarEtiqueta', { id: `ligar-${id}` });
  return (
    <>
      {etiquetas.length > 0 && <p>{`Su etiqueta es ${etiquetas.join(', ')}.`}</p>}
      {puede && (
        <ActionForm of={form} className="pieza-vender">
          <Hidden folio={folio} />
          <Field field={form.fields.codigo} label="Etiqueta en blanco" autoComplete="off" placeholder="ET-0000001-A" />
          <button type="submit" className="boton">
            Ligar
          </button>
        </ActionForm>
      )}
    </>
  );
}

function InformacionGeneral({ pieza }: { pieza: PiezaAbierta }) {
  const datos: [string, ReactNode][] = [
    ['Nombre', pieza.productoNombre],
    ['Proveedor', pieza.productoProveedor ?? ERROR_PROVEEDOR],
    ['Marca', pieza.marca],
    ['Modelo', pieza.modelo],
    ['Id Proveedor', pieza.idProveedor],
    ['Stock', pieza.existencia],
    ['Costo del envio', pieza.costoEnvio === null ? null : <Pesos valor={pieza.costoEnvio} />],
    ['Unidades vendidas', pieza.piezasVendidas],
  ];
  return (
    <>
      <h3>Información Gral.</h3>
      <Datos>
        {datos.map(([etiqueta, valor]) => (
          <Dato key={etiqueta} de={etiqueta} ancha={etiqueta === 'Nombre'}>
            {valor}
          </Dato>
        ))}
      </Datos>
    </>
  );
}

export function Movimientos({ movimientos }: { movimientos: PiezaAbierta['movimientos'] }) {
  return (
    <TablaCaja nombre="Movimientos">
      <table className="tabla">
        <thead>
          <tr>
            <th>Estatus</th>
            <th>Fecha</th>
            <th>Quién</th>
          </tr>
        </thead>
        <tbody>
          {movimientos.map(({ id, a, en, quien, venta, deshace, detalle }) => (
            <tr key={id}>
              <td>
                {ESTADO_LABEL[a]}
                {deshace !== null && ' (se deshizo el cambio)'}
                {venta && ` · orden ${venta}`}
                {detalle && (
                  <>
                    <br />
                    <span className="nota">{detalle}</span>
                  </>
                )}
              </td>
              <td>
                <Fecha valor={en} />
              </td>
              <td>{quien ?? 'Automático'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TablaCaja>
  );
}
