import { Form } from '@remix-run/react';
import { ventaUrl } from '~/domain/ventas/ordenes/orden';
import { Boton } from '~/ui/Boton';
import { Dato, Datos } from '~/ui/Datos';
import { Visto } from '~/ui/Choque';
import { Fecha, formatFecha } from '~/ui/Fecha';
import { FechaField } from '~/ui/FechaField';
import { Field } from '~/ui/Field';
import { Cambio, Ficha } from '~/ui/ficha/Ficha';
import type { DentroProps } from '~/ui/ficha/panel';
import { Pesos } from '~/ui/Pesos';
import { TablaCaja } from '~/ui/TablaCaja';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import { Archivos } from '~/routes/compras/cotizaciones/Archivos';
import '../cotizaciones/subir.css';
import type { PagoAbierto } from './record';
import { Queda } from './Queda';

type Orden = PagoAbierto['ordenes'][number];

/** The panel of a payment to a supplier: its data, the invoices it pays, the rest, and its files. */
export function PagoFicha({ ficha: pago, area, cambio }: DentroProps<PagoAbierto>) {
  const { id, version, folio, proveedorLabel, puede, ordenes, archivos, total } = pago;
  const [faltaTotal, faltanOrdenes] = [total === null, ordenes.length === 0];
  return (
    <Ficha
      que="Pago"
      numero={folio}
      estado={
        <>
          <span className="monto">
            <Pesos valor={pago.total} />
          </span>
          <Queda restante={pago.restante} />
        </>
      }
      acciones={[
        puede && ordenes.length === 0 && (
          <Form key="eliminar" method="post" preventScrollReset>
            <Hidden intent="eliminarPago" id={id} version={version} />
            <button type="submit" className="boton" data-tono="mal">
              Eliminar el pago
            </button>
          </Form>
        ),
      ]}
    >
      {cambio && <Cambio editando={false} quien={null} />}
      <Datos>
        <Dato de="Proveedor">{proveedorLabel}</Dato>
        <Dato de="Usuario alta">{pago.usuario ?? 'Automático'}</Dato>
        <Dato de="Fecha creacion">
          <Fecha valor={pago.creadoEn} />
        </Dato>
        <Dato de="Facturas que paga">
          <Pesos valor={pago.aplicado} />
        </Dato>
      </Datos>
      {puede && <Propuestas pago={pago} />}
      {puede && <DatosForm key={version} pago={pago} espera={faltaTotal && !faltanOrdenes} />}

      <h3>Ordenes que paga</h3>
      {ordenes.length === 0 ? (
        <p className="nota">Todavía no es de ninguna orden.</p>
      ) : (
        <TablaCaja nombre="Ordenes que paga">
          <table className="tabla tablero">
            <thead>
              <tr>
                <th>No. Orden</th>
                <th className="pesos">Facturado</th>
                <th className="pesos">De este pago</th>
                {puede && <th>Administración</th>}
              </tr>
            </thead>
            <tbody>
              {ordenes.map((orden) => (
                <tr key={orden.id}>
                  <td className="ancha titular">
                    <a href={`${area}/cotizaciones?ver=${orden.id}`}>{orden.numOrden}</a>
                    <br />
                    <span className="nota">
                      {orden.titulo}{' '}
                      <a href={ventaUrl(orden.market, orden.numOrden)} target="_blank" rel="noopener noreferrer">
                        Ver la venta
                      </a>
                    </span>
                    {orden.compartida && (
                      <p className="error">Otro pago también es de esta orden: di cuánto es de cada uno.</p>
                    )}
                  </td>
                  <td className="pesos" data-campo="Facturado">
                    <Pesos valor={orden.facturado} />
                    <br />
                    <span className="nota">{orden.folios || 'Sin factura'}</span>
                  </td>
                  <td className="pesos" data-campo="De este pago">
                    {puede ? <MontoForm key={version} pago={pago} orden={orden} /> : <Pesos valor={orden.aplicado} />}
                  </td>
                  {puede && (
                    <td data-campo="Administración">
                      <Form method="post" preventScrollReset>
                        <Hidden intent="quitarOrden" id={id} version={version} ordenId={orden.id} />
                        <button type="submit" className="boton" aria-label={`Quitar la orden ${orden.numOrden}`}>
                          Quitar
                        </button>
                      </Form>
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </TablaCaja>
      )}
      {puede && <OrdenesForm key={`ordenes-${version}`} pago={pago} espera={faltanOrdenes && !faltaTotal} />}

      <h3>Archivos</h3>
      <Archivos archivos={archivos} area={area} />
    </Ficha>
  );
}

const DATOS = [
  ['fecha', 'Fecha del pago'],
  ['total', 'Total'],
  ['claveRastreo', 'Clave de rastreo'],
  ['banco', 'Banco'],
] as const;

/** The values read from the files beside the saved values. None is saved until somebody confirms it. */
function Propuestas({ pago }: { pago: PagoAbierto }) {
  const utiles = pago.archivos.filter(({ lectura }) =>
    DATOS.some(([campo]) => lectura?.[campo] != null && lectura[campo] !== pago[campo]),
  );
  return utiles.map(({ archivoId, nombre, lectura }) => (
    <section key={archivoId} className="panel" data-tono="aviso" aria-label={`Lo que dice ${nombre}`}>
      <strong>{nombre} dice</strong>
      <Datos>
        {DATOS.map(([campo, label]) =>
          lectura?.[campo] == null ? null : (
            <Dato key={campo} de={label}>
              {campo === 'total' ? (
                <Pesos valor={lectura.total} />
              ) : campo === 'fecha' ? (
                formatFecha(lectura[campo])
              ) : (
                lectura[campo]
              )}
              {pago[campo] !== null && pago[campo] !== lectura[campo] && (
                <span className="nota"> (aquí {pago[campo]})</span>
              )}
            </Dato>
          ),
        )}
      </Datos>
      <Form method="post" preventScrollReset>
        <Hidden
          intent="editarPago"
          id={pago.id}
          version={pago.version}
          formulario={`editarPago-${pago.id}`}
          folio={pago.folio}
          {...Object.fromEntries(DATOS.map(([campo]) => [campo, lectura?.[campo] ?? pago[campo]]))}
        />
        <button type="submit" className="boton">
          Usar estos datos
        </button>
      </Form>
    </section>
  ));
}

type Fields = { folio: string; fecha: string; total: string; claveRastreo: string; banco: string };

/** `espera`: the payment waits for its total alone. */
function DatosForm({ pago, espera }: { pago: PagoAbierto; espera: boolean }) {
  const { id, version, folio, fecha, total, claveRastreo, banco } = pago;
  const form = useActionForm<Fields>('editarPago', {
    id: `editarPago-${id}`,
    defaultValue: {
      folio,
      fecha: fecha ?? '',
      total: total ?? '',
      claveRastreo: claveRastreo ?? '',
      banco: banco ?? '',
    },
  });
  const { fields } = form;
  return (
    <ActionForm of={form} className="apilado">
      <Hidden id={id} />
      <Visto of={form} marcas={{ version }} />
      <div className="campos">
        <Field field={fields.folio} label="Folio del pago" autoComplete="off" />
        <FechaField field={fields.fecha} label="Fecha del pago" />
        <Field
          field={fields.total}
          label="Total"
          inputMode="decimal"
          autoComplete="off"
          leftSection="$"
          data-foco={espera || undefined}
        />
        <Field field={fields.claveRastreo} label="Clave de rastreo" autoComplete="off" />
        <Field field={fields.banco} label="Banco" autoComplete="off" />
      </div>
      <div className="botones">
        <Boton tono="acento" type="submit" ocupado={form.pending !== undefined}>
          Guardar
        </Boton>
      </div>
    </ActionForm>
  );
}

/** The part of the payment that belongs to one sale; empty means the sum of the sale's invoices. */
function MontoForm({ pago, orden }: { pago: PagoAbierto; orden: Orden }) {
  const form = useActionForm<{ monto: string }>('repartirPago', {
    id: `repartir-${orden.id}`,
    defaultValue: { monto: orden.monto ?? '' },
  });
  return (
    <ActionForm of={form} className="folio-de-pago">
      <Hidden id={pago.id} ordenId={orden.id} />
      <Visto of={form} marcas={{ version: pago.version }} />
      <Field
        field={form.fields.monto}
        aria-label={`Monto de la orden ${orden.numOrden}`}
        placeholder={orden.aplicado}
        inputMode="decimal"
        autoComplete="off"
      />
      <button type="submit" className="boton" aria-label={`Guardar el monto de la orden ${orden.numOrden}`}>
        Guardar
      </button>
    </ActionForm>
  );
}

/** `espera`: the payment waits for its sales alone. */
function OrdenesForm({ pago: { id, version }, espera }: { pago: PagoAbierto; espera: boolean }) {
  const form = useActionForm<{ otras: string }>('agregarOrdenes', { id: `agregarOrdenes-${id}` });
  return (
    <ActionForm of={form} className="folio-de-pago">
      <Hidden id={id} />
      <Visto of={form} marcas={{ version }} />
      <Field
        field={form.fields.otras}
        label="Agregar ordenes"
        data-foco={espera || undefined}
        placeholder="Sus números, separados por comas"
        autoComplete="off"
      />
      <button type="submit" className="boton">
        Agregar
      </button>
    </ActionForm>
  );
}
