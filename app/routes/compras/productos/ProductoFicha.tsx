import { Form, Link, useLocation } from '@remix-run/react';
import { activoLabel, isActivo, nombreCorto } from '~/domain/compras/catalogo/producto';
import { withParams } from '~/core/list';
import { CLASE_LABEL } from '~/domain/ventas/ordenes/orden';
import { Dato, Datos } from '~/ui/Datos';
import { Panel } from '~/ui/Blocks';
import { Confirm } from '~/ui/Confirm';
import { Edad } from '~/ui/Edad';
import { Estatus } from '~/ui/Estatus';
import { Fecha, formatFecha } from '~/ui/Fecha';
import { Cambio, Ficha } from '~/ui/ficha/Ficha';
import type { DentroProps } from '~/ui/ficha/panel';
import { usePantalla } from '~/ui/Pantallas';
import { Pesos } from '~/ui/Pesos';
import { TablaCaja } from '~/ui/TablaCaja';
import { Hidden, Refusal } from '~/ui/useAnswer';
import type { ProductoAbierto } from './record';
import { FotosDeProducto } from './Fotos';
import { GananciaForm } from './GananciaForm';
import { Historia } from './Historia';
import { MismaPieza } from './MismaPieza';
import { enPorciento, Piezas, PrecioProveedor } from './Precio';
import { askChangeAutoOrden } from './questions';
import { ProductoForm } from './ProductoForm';
import { Publicaciones } from './Publicaciones';

/** The panel of a product: the supplier's data and when they were read, sale prices, movement, buyers, and our own data. */
export function ProductoFicha({ ficha: producto, area, cambio }: DentroProps<ProductoAbierto>) {
  const { search } = useLocation();
  const devoluciones = usePantalla('devoluciones');
  const { id, version, puede, editar, proveedorLabel, idProveedor } = producto;
  const actualizar = puede.leer && producto.conectado && (
    <Form method="post" preventScrollReset>
      <Hidden intent="leer" proveedor={producto.proveedor} idProveedor={idProveedor} />
      <button type="submit" className="boton">
        Actualizar producto
      </button>
    </Form>
  );
  const principal = puede.editar && editar !== '1' && editar !== 'ganancia' && (
    <Link
      className="boton"
      data-tono="acento"
      data-editar=""
      to={withParams(search, { editar: '1' })}
      preventScrollReset
    >
      Editar
    </Link>
  );
  const autoOrden = puede.editar && (
    <Form method="post" preventScrollReset>
      <Hidden intent="autoOrden" id={id} version={version} autoOrden={producto.autoOrden ? '0' : '1'} />
      <Confirm plain="boton" {...askChangeAutoOrden(producto, !producto.autoOrden)}>
        {producto.autoOrden ? 'Desactivar el auto orden' : 'Activar el auto orden'}
      </Confirm>
    </Form>
  );
  return (
    <Ficha
      que="Producto"
      numero={idProveedor}
      estado={<Estado producto={producto} />}
      principal={principal}
      acciones={[
        actualizar,
        autoOrden,
        devoluciones && (
          <a key="devoluciones" className="boton" href={`${devoluciones}?producto=${id}`}>
            Devoluciones
          </a>
        ),
      ]}
    >
      <Refusal of="autoOrden" />
      <Refusal of="par" />
      <Refusal of="tiendas" />
      {cambio && <Cambio editando={editar === '1'} quien={null} />}
      <h3 className="producto-nombre">{producto.nombre ?? nombreCorto(null)}</h3>
      <nav className="pestanas" aria-label="Partes del producto">
        {(
          [
            ['General', editar === 'datos' ? null : editar],
            ['Datos del proveedor', 'datos'],
          ] as const
        ).map(([texto, parte]) => (
          <Link
            key={texto}
            to={withParams(search, { editar: parte })}
            aria-current={(editar === 'datos') === (parte === 'datos') ? 'true' : undefined}
            preventScrollReset
          >
            {texto}
          </Link>
        ))}
      </nav>
      {producto.datos !== null ? (
        <pre className="crudo" tabIndex={0} aria-label="Como lo dijo el proveedor">
          {producto.datos}
        </pre>
      ) : (
        <>
          {editar === '1' && (
            <ProductoForm key={`${id}-${version}`} producto={producto} cerrar={withParams(search, { editar: null })} />
          )}
          <General producto={producto} />
          <h3>Precio de venta</h3>
          <Precios producto={producto} />
          {puede.ganancia &&
            (editar === 'ganancia' ? (
              <GananciaForm
                key={producto.ganancias.huella}
                producto={producto}
                cerrar={withParams(search, { editar: null })}
              />
            ) : (
              <Link className="boton" to={withParams(search, { editar: 'ganancia' })} preventScrollReset>
                Cambiar la ganancia de este producto
              </Link>
            ))}
          <h3>Publicaciones</h3>
          <Publicaciones producto={producto} />
          {editar !== '1' && (
            <>
              <h3>Condiciones de venta</h3>
              <Nuestros producto={producto} />
            </>
          )}
          <MismaPieza producto={producto} />
          <h3>Existencia por almacén</h3>
          <Almacenes producto={producto} />
          {producto.promociones.length > 0 && (
            <>
              <h3>Promociones del proveedor</h3>
              <Promociones producto={producto} />
            </>
          )}
          <h3>Historia de precio y existencia</h3>
          <Historia historia={producto.historia} moneda={producto.moneda} hasta={producto.precioEn} />
          {producto.ordenes && (
            <>
              <h3>Ordenes de este producto</h3>
              <Ordenes ordenes={producto.ordenes} pedir={puede.pedir} area={area} />
            </>
          )}
          {!producto.conectado && (
            <Panel tono="aviso" titulo={`${proveedorLabel} no está conectado.`}>
              El precio y la existencia son los últimos que se leyeron.
            </Panel>
          )}
        </>
      )}
    </Ficha>
  );
}

function Estado({ producto }: { producto: ProductoAbierto }) {
  return (
    <>
      <span className="monto">
        <PrecioProveedor {...producto} />
      </span>
      <Estatus tono={producto.existencia === null ? 'neutro' : producto.existencia > 0 ? 'ok' : 'mal'}>
        <span>
          <Piezas {...producto} /> {producto.existencia === 1 ? 'pieza' : 'piezas'}
        </span>
      </Estatus>
      <Edad valor={producto.existenciaEn} vieja={producto.caducada} />
      <Estatus tono={isActivo(producto) ? 'ok' : 'mal'}>{activoLabel(producto)}</Estatus>
      {producto.ausenteDesde !== null && <Estatus tono="aviso">Ya no está en su catálogo</Estatus>}
      {!producto.enVenta && <Estatus tono="aviso">Ya no lo venden</Estatus>}
      {producto.autoOrden && <Estatus tono="ok">Auto orden</Estatus>}
    </>
  );
}

/** The data of a product that we set ourselves. */
function Nuestros({ producto: { costoEnvio, productoMaximo, precioLista, autoOrden } }: { producto: ProductoAbierto }) {
  return (
    <Datos>
      <Dato de="Costo del envio">
        <Pesos valor={costoEnvio} />
      </Dato>
      <Dato de="Productos máximos por envio">{productoMaximo}</Dato>
      <Dato de="Precio de lista">
        <Pesos valor={precioLista} />
      </Dato>
      <Dato de="Auto orden">{autoOrden ? 'Activado' : 'Desactivado'}</Dato>
    </Datos>
  );
}

function General({ producto }: { producto: ProductoAbierto }) {
  return (
    <>
      <FotosDeProducto id={producto.id} fotos={producto.fotos} puede={producto.puede.editar} />
      <Datos>
        <Dato de="Proveedor">{producto.proveedorLabel}</Dato>
        <Dato de="Marca">{producto.marca}</Dato>
        <Dato de="Modelo">{producto.modelo}</Dato>
        <Dato de="Modelo fabricante">{producto.modeloFabricante}</Dato>
        <Dato de="Id Proveedor">{producto.idProveedor}</Dato>
        <Dato de="GTIN">{producto.gtins.join(', ')}</Dato>
        <Dato de="Clave SAT">{producto.claveSat}</Dato>
        <Dato de="Piezas vendidas">{String(producto.piezasVendidas)}</Dato>
        {producto.tipoCambio !== null && <Dato de="Su tipo de cambio">{Number(producto.tipoCambio).toFixed(2)}</Dato>}
        <Dato de="Precio leído">
          <Fecha valor={producto.precioEn} />
        </Dato>
        <Dato de="Stock leído">
          <Fecha valor={producto.existenciaEn} />
        </Dato>
        {producto.link && (
          <Dato de="Link Proveedor">
            <a href={producto.link} target="_blank" rel="noopener noreferrer">
              Ver en {producto.proveedorLabel}
            </a>
          </Dato>
        )}
      </Datos>
    </>
  );
}

/** The sale prices of a product with the amount left of each. The price is a mark-up of the cost, the amount a margin of the sale. */
function Precios({ producto: { precios, precioEn } }: { producto: ProductoAbierto }) {
  const porque = precios.find((uno) => uno.porque !== null)?.porque;
  if (porque) return <p className="nota">Sin precio de venta. {porque}</p>;
  return (
    <>
      <TablaCaja nombre="Precios">
        <table className="tabla">
          <thead>
            <tr>
              <th>Mercado</th>
              <th className="pesos">Precio</th>
              <th className="pesos">Queda</th>
            </tr>
          </thead>
          <tbody>
            {precios.map(({ key, label, ganancia, propia, precio, queda, margen }) => (
              <tr key={key}>
                <td>
                  {label}
                  <div className="nota">
                    ganancia {enPorciento(ganancia)}
                    {propia && ' (propia)'}
                  </div>
                </td>
                <td className="pesos">
                  <Pesos valor={precio} />
                </td>
                <td className={queda?.startsWith('-') ? 'pesos pierde' : 'pesos'}>
                  <Pesos valor={queda} />
                  {margen !== null && <div className="nota">{enPorciento(margen)} del precio</div>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TablaCaja>
      <p className="nota">
        Con el costo leído <Edad valor={precioEn} />. La ganancia es sobre el costo; lo que queda, del precio, como en
        la venta: sin el IVA que después se acredita o se paga.
      </p>
    </>
  );
}

function Almacenes({ producto: { almacenes, existencia, tope, existenciaEn } }: { producto: ProductoAbierto }) {
  if (almacenes.length === 0)
    return (
      <p className="nota">
        {existencia === null
          ? 'El proveedor no dijo una existencia que se pueda leer.'
          : existencia === 0
            ? 'No hay piezas en ningún almacén.'
            : 'El proveedor no dice en qué almacén están.'}{' '}
        Leído <Edad valor={existenciaEn} />.
      </p>
    );
  return (
    <TablaCaja nombre="Existencias por almacén">
      <table className="tabla">
        <thead>
          <tr>
            <th>Almacén</th>
            <th className="pesos">Piezas</th>
          </tr>
        </thead>
        <tbody>
          {almacenes.map(({ almacen, nombre, cantidad }) => (
            <tr key={almacen}>
              <td>{nombre ?? almacen}</td>
              <td className="pesos">
                <Piezas existencia={cantidad} tope={tope} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TablaCaja>
  );
}

/** Promotions, which hold only within their days and at their warehouse. The sale price never rests on a promotion. */
function Promociones({ producto: { promociones, almacenes } }: { producto: ProductoAbierto }) {
  return (
    <>
      <TablaCaja nombre="Promociones">
        <table className="tabla">
          <thead>
            <tr>
              <th>Vale</th>
              <th>Almacén</th>
              <th className="pesos">Piezas</th>
              <th className="pesos">Costo</th>
            </tr>
          </thead>
          <tbody>
            {promociones.map(({ importe, moneda, almacen, desde, hasta, piezas }) => (
              <tr key={`${almacen} ${desde} ${hasta} ${importe}`}>
                <td>{valeOf(desde, hasta)}</td>
                <td>
                  {almacen === null ? 'Todos' : (almacenes.find((uno) => uno.almacen === almacen)?.nombre ?? almacen)}
                </td>
                <td className="pesos">{piezas ?? '—'}</td>
                <td className="pesos">
                  <PrecioProveedor precio={importe} moneda={moneda} sinPrecio={null} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TablaCaja>
      <p className="nota">El precio de venta se calcula sin ellas.</p>
    </>
  );
}

const valeOf = (desde: string | null, hasta: string | null) =>
  [desde && `desde ${formatFecha(desde, { hora: false })}`, hasta && `hasta ${formatFecha(hasta, { hora: false })}`]
    .filter(Boolean)
    .join(' ') || 'Sin fechas';

type OrdenesProps = {
  ordenes: NonNullable<ProductoAbierto['ordenes']>;
  /** The person may buy. */ pedir: boolean;
  area: string;
};

function Ordenes({ ordenes, pedir, area }: OrdenesProps) {
  if (ordenes.length === 0) return <p className="nota">Todavía no se ha vendido.</p>;
  return (
    <TablaCaja nombre="Ventas">
      <table className="tabla">
        <thead>
          <tr>
            <th>Fecha</th>
            <th>No. Orden</th>
            <th className="pesos">Piezas</th>
            <th className="pesos">Precio</th>
          </tr>
        </thead>
        <tbody>
          {ordenes.map(({ id, numOrden, fechaCreacion, clase, cantidad, precioUnitario, porPedir }) => (
            <tr key={id}>
              <td>
                <Fecha valor={fechaCreacion} hora={false} />
              </td>
              <td>
                <a href={`${area}/ordenes?q=${encodeURIComponent(numOrden)}&ver=${id}`}>{numOrden}</a>
                {clase !== 'normal' && <div className="nota">{CLASE_LABEL[clase]}</div>}
                {porPedir && pedir && (
                  <div>
                    <a
                      className="boton"
                      href={`${area}/ordenes?q=${encodeURIComponent(numOrden)}&ver=${id}`}
                      aria-label={`Hacer pedido de la orden ${numOrden}`}
                    >
                      Hacer pedido
                    </a>
                  </div>
                )}
              </td>
              <td className="pesos">{cantidad}</td>
              <td className="pesos">
                <Pesos valor={precioUnitario} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TablaCaja>
  );
}
