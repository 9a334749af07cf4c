import { Link, useLocation } from '@remix-run/react';
import { withParams } from '~/core/list';
import { ventaUrl } from '~/domain/ventas/ordenes/orden';
import { labelOf } from '~/domain/compras/directorio/proveedor';
import { Dialog } from '~/ui/Dialog';
import { Fecha } from '~/ui/Fecha';
import { Pesos } from '~/ui/Pesos';
import { TablaCaja } from '~/ui/TablaCaja';
import { Asked, Refusal } from '~/ui/useAnswer';
import type { ProveedorFacturasAbiertas } from './dialog';
import { EliminarFactura } from './EliminarFactura';
import { FolioProveedor } from './FolioProveedor';
import { ProveedorFacturaForm } from './ProveedorFacturaForm';
import { RepartoForm } from './RepartoForm';
import { ABRE } from './textos';
import { XmlDrop } from './XmlDrop';
import './proveedores.css';

/** The dialog of a sale's supplier invoices: the known ones, a form for another, and documents just read, which fill the form or are divided among sales. */
export function ProveedorFacturaDialog({ abierta }: { abierta: ProveedorFacturasAbiertas }) {
  const { search } = useLocation();
  const { orden, facturas, articulos, proveedores, cfdis, editada, param, ordenId, dichas, puedeAgregar, puedeEditar } =
    abierta;
  const cerrar = withParams(search, { [param]: null, editar: null, cfdi: null });

  // A document of this sale alone, or of no known sale, fills the form; a document of several sales is divided.
  const own = cfdis.find(
    ({ propuesta: { filas } }) => filas.length === 0 || (filas.length === 1 && filas[0]!.ordenId === ordenId),
  );
  const suyos = [...new Set(articulos.map(({ proveedor }) => proveedor?.toLowerCase()))].filter((value) =>
    proveedores.some((proveedor) => proveedor.value === value),
  );
  const dicha = dichas[0];
  const inicial = own
    ? {
        cfdi: own.id,
        proveedor: own.proveedor ?? (suyos.length === 1 ? suyos[0] : ''),
        folio: own.folio,
        monto: own.propuesta.filas[0]?.monto ?? own.restante,
      }
    : dicha
      ? { proveedor: dicha.proveedor, folio: dicha.folio ?? '', monto: dicha.monto ?? '' }
      : { proveedor: suyos.length === 1 ? suyos[0] : '' };

  return (
    <Dialog titulo={`Facturas de proveedor · ${orden.numOrden}`} cerrar={cerrar} ancho="grande">
      <Asked cancelar={search} />
      <Refusal of="eliminarFactura" />
      <p className="nota">
        <a href={ventaUrl(orden.market, orden.numOrden)} target="_blank" rel="noopener noreferrer">
          {orden.numOrden}
        </a>{' '}
        · {orden.titulo} · Monto Pagado <Pesos valor={orden.pagado} />
        {param === ABRE && (
          <>
            {' '}
            ·{' '}
            <Link to={withParams(search, { [ABRE]: null, editar: null, cfdi: null, ver: ordenId })} preventScrollReset>
              Ver la orden
            </Link>
          </>
        )}
      </p>
      <ul className="articulos-orden">
        {articulos.map(({ nombre, cantidad, modelo, proveedor }, at) => (
          <li key={at}>
            {cantidad} × {nombre}
            {modelo && ` · ${modelo}`}
            {proveedor && ` · ${labelOf(proveedores, proveedor)}`}
          </li>
        ))}
      </ul>
      {facturas.length === 0 ? (
        <p className="nota">La orden no tiene facturas de proveedor.</p>
      ) : (
        <TablaCaja nombre="Facturas de la orden">
          <table className="tabla facturas-orden" aria-label="Facturas de la orden">
            <thead>
              <tr>
                <th>Fecha</th>
                <th>Proveedor</th>
                <th>Folio</th>
                <th className="pesos">Monto</th>
                {puedeEditar && <th>Administración</th>}
              </tr>
            </thead>
            <tbody>
              {facturas.map((factura) => (
                <tr key={factura.id}>
                  <td>
                    <Fecha valor={factura.fechaCreacion} />
                  </td>
                  <td>{factura.proveedorLabel}</td>
                  <td>
                    <FolioProveedor factura={factura} />
                  </td>
                  <td className="pesos">
                    <Pesos valor={factura.monto} />
                  </td>
                  {puedeEditar && (
                    <td>
                      <div className="acciones">
                        <Link
                          className="boton"
                          to={withParams(search, { editar: factura.id, cfdi: null })}
                          preventScrollReset
                          aria-label={`Editar ${factura.folio}`}
                        >
                          Editar
                        </Link>
                        <EliminarFactura factura={factura} />
                      </div>
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </TablaCaja>
      )}
      {editada && puedeEditar ? (
        <>
          <h3>Editar {editada.folio}</h3>
          <ProveedorFacturaForm
            key={`${editada.id}-${editada.version}`}
            proveedores={proveedores}
            factura={editada}
            cerrar={withParams(search, { editar: null })}
          />
        </>
      ) : (
        puedeAgregar && (
          <>
            <h3>Agregar factura</h3>
            <XmlDrop />
            {!own && dicha && (
              <p className="nota">
                {labelOf(proveedores, dicha.proveedor)} dice que facturó el pedido: revisa folio y monto, y agrégala.
              </p>
            )}
            <ProveedorFacturaForm
              key={`nueva-${own?.id ?? ''}-${facturas.length}`}
              proveedores={proveedores}
              ordenId={ordenId}
              inicial={inicial}
              cerrar={cerrar}
            />
            {cfdis
              .filter((cfdi) => cfdi !== own)
              .map((cfdi) => (
                <RepartoForm key={`${cfdi.id}-${cfdi.restante}`} cfdi={cfdi} proveedores={proveedores} />
              ))}
          </>
        )
      )}
    </Dialog>
  );
}
