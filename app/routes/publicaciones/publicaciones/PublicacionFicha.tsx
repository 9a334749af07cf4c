import { Form, Link, useLocation } from '@remix-run/react';
import { withParams } from '~/core/list';
import { MERCADOS, seCrea } from '~/domain/mercados/mercados';
import { editUrl, estatusOf, motivoOf, subestatusOf, tipoOf } from '~/domain/publicaciones/publicaciones/publicacion';
import { askRetenida } from '~/domain/publicaciones/publicaciones/retenida';
import { Dato, Datos } from '~/ui/Datos';
import { Panel } from '~/ui/Blocks';
import { Confirm } from '~/ui/Confirm';
import { Edad } from '~/ui/Edad';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { Cambio, Ficha } from '~/ui/ficha/Ficha';
import type { DentroProps } from '~/ui/ficha/panel';
import { usePantalla } from '~/ui/Pantallas';
import { Pesos } from '~/ui/Pesos';
import { Rechazado } from '~/ui/Rechazado';
import { Retrato } from '~/ui/Retrato';
import { Hidden } from '~/ui/useAnswer';
import type { PublicacionAbierta } from './record';
import { Competencia } from './Competencia';
import { Promociones } from './Promociones';
import { PublicacionForm } from './PublicacionForm';

/** The panel of a listing: the marketplace's data, the product, the waiting changes, and the history of changes with reasons. */
export function PublicacionFicha({ ficha: publicacion, area, cambio }: DentroProps<PublicacionAbierta>) {
  const { search } = useLocation();
  const { id, market, clave, marketId, version, puede, editar, estatus, subestatus } = publicacion;
  const { label, tono } = estatusOf(market, estatus);
  const creandose = seCrea(market, estatus);
  const cambiar = usePantalla('cambiarCategoria');
  const acciones = [
    puede.leer && !creandose && (
      <Form key="leer" method="post" preventScrollReset>
        <Hidden intent="leerPublicacion" id={id} />
        <button type="submit" className="boton">
          Actualizar publicación
        </button>
      </Form>
    ),
    <a
      key="modificar"
      className="boton"
      href={editUrl(market, { clave, marketId })}
      target="_blank"
      rel="noopener noreferrer"
    >
      Modificar Publicacion
    </a>,
    puede.editar && MERCADOS[market].publicador !== null && cambiar && (
      <Link key="categoria" className="boton" to={`${cambiar}?ver=${id}`}>
        Cambiar categoria
      </Link>
    ),
  ];
  return (
    <Ficha
      que="Publicación"
      numero={marketId ?? clave}
      estado={
        <>
          <span className="monto">
            <Pesos valor={publicacion.precio} />
          </span>
          <Estatus tono={tono}>{label}</Estatus>
          <span>
            {publicacion.stock ?? '—'} {publicacion.stock === 1 ? 'pieza' : 'piezas'}
          </span>
          {publicacion.autoSync && <Estatus tono="ok">Sincronización automática</Estatus>}
          {publicacion.ausenteDesde !== null && <Estatus tono="mal">Ya no está en el mercado</Estatus>}
        </>
      }
      principal={
        puede.editar &&
        !creandose &&
        editar !== '1' && (
          <Link
            className="boton"
            data-tono="acento"
            data-editar=""
            to={withParams(search, { editar: '1' })}
            preventScrollReset
          >
            Editar
          </Link>
        )
      }
      acciones={acciones}
    >
      {cambio && <Cambio editando={editar === '1'} quien={null} />}
      <div className="con-retrato">
        <Retrato foto={publicacion.alLado.foto} />
        <h3 className="producto-nombre">{publicacion.titulo}</h3>
      </div>
      <nav className="pestanas" aria-label="Partes de la publicación">
        {(
          [
            ['General', editar === 'datos' ? null : editar],
            ['Datos', 'datos'],
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
      {publicacion.datos !== null ? (
        <pre className="crudo" tabIndex={0} aria-label="Como lo dijo el mercado">
          {publicacion.datos}
        </pre>
      ) : (
        <>
          {editar === '1' && (
            <PublicacionForm
              key={`${id}-${version}`}
              publicacion={publicacion}
              cerrar={withParams(search, { editar: null })}
            />
          )}
          <Espera publicacion={publicacion} />
          {publicacion.problemas.length > 0 && (
            <Panel tono="mal" titulo={`${MERCADOS[market].label} dice que tiene un problema.`}>
              <ul>
                {publicacion.problemas.map((problema) => (
                  <li key={problema}>{problema}</li>
                ))}
              </ul>
            </Panel>
          )}
          <General publicacion={publicacion} area={area} subestatus={subestatus.map(subestatusOf).join(', ')} />
          <Competencia publicacion={publicacion} />
          <Promociones publicacion={publicacion} />
          <h3>Cambios de precio y stock</h3>
          <Historia publicacion={publicacion} />
        </>
      )}
    </Ficha>
  );
}

function Espera({ publicacion }: { publicacion: PublicacionAbierta }) {
  const { precio, stock, precioPendiente, stockPendiente, precioRetenido, stockRetenido, errorPendiente, sobreventa } =
    publicacion;
  const { sku, titulo, sinSurtir, rechazo } = publicacion;
  const [buscador, ordenes] = [usePantalla('buscador'), usePantalla('ordenes')];
  const cambia =
    (precioPendiente !== null && precioPendiente !== precio) || (stockPendiente !== null && stockPendiente !== stock);
  return (
    <>
      {sobreventa > 0 && (
        <Panel
          tono="mal"
          titulo={`Se vendieron ${sobreventa} ${sobreventa === 1 ? 'pieza' : 'piezas'} más de las que tiene el proveedor.`}
        >
          <p>
            {buscador ? (
              <Link to={`${buscador}?q=${encodeURIComponent(sku?.split('|')[3] ?? titulo)}`}>
                Busca la misma pieza con otro proveedor
              </Link>
            ) : (
              'Busca la misma pieza con otro proveedor'
            )}{' '}
            o habla con el comprador.
          </p>
          {sinSurtir.length > 0 && (
            <>
              <p>Sus ventas sin surtir, la más nueva primero:</p>
              <ul>
                {sinSurtir.map((venta) => (
                  <li key={venta.id}>
                    {ordenes ? <Link to={`${ordenes}?ver=${venta.id}`}>{venta.numOrden}</Link> : venta.numOrden} ·{' '}
                    {venta.piezas} {venta.piezas === 1 ? 'pieza' : 'piezas'} · <Fecha valor={venta.fechaCreacion} />
                  </li>
                ))}
              </ul>
            </>
          )}
        </Panel>
      )}
      {(precioRetenido !== null || stockRetenido) && (
        <Panel tono="aviso" titulo="Un cambio espera a una persona.">
          {precioRetenido !== null && (
            <p>
              El precio cambiaría de <Pesos valor={precio} /> a <Pesos valor={precioRetenido} />
              {publicacion.precioEscrito === null
                ? ': es más de 40 %.'
                : ', que es el de la regla. El de hoy lo escribió una persona.'}
            </p>
          )}
          {stockRetenido && (
            <p>
              El stock cambiaría de {stock ?? '—'} a 0: el proveedor dejó en 0 más de una de cada cinco publicaciones a
              la vez.
            </p>
          )}
          {publicacion.puede.editar && (
            <div className="botones">
              {[true, false].map((aplicar) => (
                <Form key={String(aplicar)} method="post" preventScrollReset>
                  <Hidden
                    intent="decidirRetenida"
                    id={publicacion.id}
                    huella={publicacion.secuencia}
                    aplicar={aplicar}
                  />
                  <Confirm plain="boton" {...askRetenida(publicacion, aplicar)}>
                    {aplicar ? 'Aplicar' : 'Descartar'}
                  </Confirm>
                </Form>
              ))}
            </div>
          )}
        </Panel>
      )}
      {(errorPendiente !== null || rechazo) && (
        <Panel tono="mal" titulo="El último cambio no se pudo hacer.">
          {errorPendiente !== null && (
            <>
              {errorPendiente} Se intenta otra vez <Fecha valor={publicacion.noAntes} />.
            </>
          )}
          {rechazo && <Rechazado rechazo={rechazo} />}
        </Panel>
      )}
      {cambia && errorPendiente === null && (
        <p className="nota" role="status">
          Va en camino: {precioPendiente !== null && precioPendiente !== precio && <Pesos valor={precioPendiente} />}{' '}
          {stockPendiente !== null && stockPendiente !== stock && `stock ${stockPendiente}`}
        </p>
      )}
    </>
  );
}

function General({
  publicacion,
  area,
  subestatus,
}: {
  publicacion: PublicacionAbierta;
  area: string;
  subestatus: string;
}) {
  const { market, tipo, categoriaRuta, categoriaId, link } = publicacion;
  return (
    <Datos>
      <Conocido de="Mercado" valor={MERCADOS[market].label} />
      <Conocido de="Tipo" valor={tipoOf(market, tipo) ?? tipo} />
      <Conocido de="Motivo del estatus" valor={subestatus} />
      <Conocido de="SKU" valor={publicacion.sku} />
      <Conocido de="Proveedor" valor={publicacion.proveedorLabel ?? publicacion.proveedor} />
      {publicacion.productoId && (
        <Dato de="Producto">
          <a href={`${area}/productos?ver=${publicacion.productoId}`}>{publicacion.productoNombre ?? 'Ver'}</a>
        </Dato>
      )}
      <Conocido de="Categoría" valor={categoriaRuta?.join(' > ') || categoriaId} />
      <Conocido de="Vendidas" valor={publicacion.vendido === null ? null : String(publicacion.vendido)} />
      {publicacion.variantes > 0 && <Conocido de="Variantes" valor={String(publicacion.variantes)} />}
      {publicacion.precioVenta !== null && publicacion.precioVenta !== publicacion.precio && (
        <Dato de="Se vende en">
          <Pesos valor={publicacion.precioVenta} /> <Edad valor={publicacion.precioVentaEn} />
        </Dato>
      )}
      {publicacion.precioAjeno && <Conocido de="Precio" valor="Lo mueve una regla puesta en el mercado" />}
      <DondeEstan publicacion={publicacion} />
      <Conocido de="Sincronización automática" valor={publicacion.autoSync ? 'Sí' : 'No'} />
      <Conocido de="Subtítulo" valor={publicacion.subtitulo} />
      <Cuando de="Fecha de creación" valor={publicacion.fechaCreacion} />
      <Cuando de="Fecha de inicio" valor={publicacion.empieza} />
      <Cuando de="Fecha de paro" valor={publicacion.para} />
      <Cuando de="Fecha de término" valor={publicacion.termina} />
      {publicacion.descripciones.length > 0 && (
        <Dato de="Descripciones">
          {publicacion.descripciones.join(' ')}{' '}
          <span className="nota">Como se leyó la última vez: «Actualizar publicación» trae la de ahora.</span>
        </Dato>
      )}
      <Cuando de="Leída" valor={publicacion.leidaEn} />
      {link && (
        <Dato de="Link">
          <a href={link} target="_blank" rel="noopener noreferrer">
            Ver en {MERCADOS[market].label}
          </a>
        </Dato>
      )}
    </Datos>
  );
}

/** Who keeps the pieces, where the marketplace keeps any of them. */
function DondeEstan({ publicacion }: { publicacion: PublicacionAbierta }) {
  const { market, stock, stockAjeno, piezasAjenas, sinAlmacen } = publicacion;
  const { label } = MERCADOS[market];
  if (piezasAjenas === null)
    return (
      <>
        <Conocido de="Stock" valor={stockAjeno ? 'Lo guarda y lo cuenta el mercado' : null} />
        <Conocido de="Almacén" valor={sinAlmacen} />
      </>
    );
  return (
    <>
      <Dato de="Piezas propias">
        {String(stock ?? '—')}{' '}
        {stockAjeno && <span className="nota">{label} no deja cambiarlas mientras guarda otras.</span>}
      </Dato>
      <Dato de={`Piezas con ${label}`}>
        {String(piezasAjenas)} <span className="nota">Las guarda y las cuenta {label}.</span>
      </Dato>
      <Conocido de="Almacén" valor={sinAlmacen} />
    </>
  );
}

/** A fact of the listing; an unknown fact is left out. */
const Conocido = ({ de, valor }: { de: string; valor: string | null | undefined }) =>
  valor ? <Dato de={de}>{valor}</Dato> : null;

const Cuando = ({ de, valor }: { de: string; valor: string | null }) =>
  valor ? (
    <Dato de={de}>
      <Fecha valor={valor} />
    </Dato>
  ) : null;

function Historia({ publicacion: { historia } }: { publicacion: PublicacionAbierta }) {
  if (historia.length === 0) return <p className="nota">Todavía no se ha cambiado desde aquí.</p>;
  return (
    <ol className="publicacion-historia">
      {historia.map(({ id, en, motivo, precioAntes, precio, stockAntes, stock, error, quien }) => (
        <li key={id}>
          <span>
            {precio !== null && (
              <>
                Precio <Pesos valor={precioAntes} /> → <Pesos valor={precio} />{' '}
              </>
            )}
            {stock !== null && `Stock ${stockAntes ?? '—'} → ${stock}`}
            {precio === null && stock === null && 'Titulo o estatus'}
          </span>
          <span className="nota">
            <Fecha valor={en} /> · {quien ?? motivoOf(motivo)}
          </span>
          {error && <Estatus tono="mal">{error}</Estatus>}
        </li>
      ))}
    </ol>
  );
}
