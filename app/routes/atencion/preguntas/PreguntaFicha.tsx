import { Form, Link, useLocation } from '@remix-run/react';
import { useEffect, useRef, useState } from 'react';
import { withParams } from '~/core/list';
import { estatusOfPregunta, POR_QUE_NO, askBlock, preguntaUrl } from '~/domain/atencion/preguntas/pregunta';
import { nombreCorto } from '~/domain/compras/catalogo/producto';
import { CLASE_LABEL } from '~/domain/ventas/ordenes/orden';
import { Dato, Datos } from '~/ui/Datos';
import { Panel } from '~/ui/Blocks';
import { Confirm } from '~/ui/Confirm';
import { Copiar } from '~/ui/Copiar';
import { Dialog } from '~/ui/Dialog';
import { Estatus } from '~/ui/Estatus';
import { Fecha, formatFecha } from '~/ui/Fecha';
import { focusOn, isFocusFree } from '~/ui/foco';
import { Cambio, Ficha } from '~/ui/ficha/Ficha';
import { Presencia } from '~/ui/ficha/Presencia';
import { Retrato } from '~/ui/Retrato';
import type { DentroProps } from '~/ui/ficha/panel';
import { usePantalla } from '~/ui/Pantallas';
import { Pesos } from '~/ui/Pesos';
import { Hidden, Refusal } from '~/ui/useAnswer';
import type { PreguntaAbierta } from './record';
import { EsperaDe } from './EsperaDe';
import { Publicada, Respuesta, type Pregunta } from './Respuesta';
import './preguntas.css';

/** The panel of a pregunta, or of all preguntas that wait on one listing, each with the field for its answer. */
export function PreguntaFicha({ ficha, area, cambio }: DentroProps<PreguntaAbierta>) {
  const { search } = useLocation();
  const { preguntas, producto, publicacion, titulo, marketId, publicacionId, cliente } = ficha;
  const [una, ...demas] = preguntas;
  const sola = demas.length === 0;
  // The name of the listing stands once: as the title of its panel, or beside its picture.
  const laPublicacion = (sola && titulo) || publicacionId;
  const esperan = preguntas.filter(({ estatus }) => estatus === 'pendiente').length;
  return (
    <Ficha
      que={sola ? 'Pregunta' : 'Publicación'}
      numero={sola ? marketId : publicacionId}
      titulo={sola ? una?.texto || SIN_TEXTO : (titulo ?? undefined)}
      estado={
        <>
          {esperan > 0 ? (
            <Estatus tono="aviso">{esperan === 1 ? 'Pendiente' : `${esperan} pendientes`}</Estatus>
          ) : (
            <Estatus tono="ok">Respondida</Estatus>
          )}
          <Presencia que={`pregunta:${publicacionId}`} url={`${area}/presencia`} />
        </>
      }
      acciones={[
        <a key="publicacion" className="boton" href={preguntaUrl(ficha)} target="_blank" rel="noopener noreferrer">
          Ver la publicación
        </a>,
        producto?.link && (
          <a key="proveedor" className="boton" href={producto.link} target="_blank" rel="noopener noreferrer">
            Link Proveedor
          </a>
        ),
        producto && ficha.puedeVerProducto && (
          <a key="producto" className="boton" href={`${area}/productos?ver=${producto.id}`}>
            Ver el producto
          </a>
        ),
      ]}
    >
      {cambio && !cliente && <Cambio editando={false} quien={null} />}
      <Refusal of="bloquear" />
      <div className="con-retrato">
        <Retrato foto={ficha.alLado.foto} />
        <Datos>
          <Dato de="Publicación" ancha>
            {publicacion && ficha.puedeVerPublicacion ? (
              <a href={`${area}/publicaciones?ver=${publicacion.id}`}>{laPublicacion}</a>
            ) : (
              laPublicacion
            )}{' '}
            <Copiar texto={publicacionId} que="publicación" />
          </Dato>
          <Dato de="Marca y modelo">{[ficha.marca, ficha.modelo].filter(Boolean).join(' · ')}</Dato>
          {publicacion && (
            <Dato de="Precio y stock publicados">
              <Publicada ficha={ficha} />
            </Dato>
          )}
          <Dato de="Existencia del proveedor">
            {producto
              ? `${producto.proveedor}: ${producto.existencia ?? 'sin dato'}`
              : 'Su SKU no es de un producto nuestro'}
          </Dato>
        </Datos>
      </div>
      <ol className="preguntas">
        {preguntas.map((pregunta) => (
          <li key={pregunta.id}>
            <Una pregunta={pregunta} ficha={ficha} sola={sola} />
          </li>
        ))}
      </ol>
      {ficha.alLado.respondidas.length > 0 && (
        <>
          <h3>Respondido antes en esta publicación</h3>
          <Otras preguntas={ficha.alLado.respondidas} />
        </>
      )}
      {cliente && <Cliente cliente={cliente} puede={ficha.puede} cerrar={withParams(search, { editar: null })} />}
    </Ficha>
  );
}

const SIN_TEXTO = 'Mercado Libre no muestra su texto.';

/** One pregunta with its answer. Its words are the title of the panel where it is the only one. */
function Una({ pregunta, ficha, sola }: { pregunta: Pregunta; ficha: PreguntaAbierta; sola: boolean }) {
  const { search } = useLocation();
  const { id, texto, estatus, fecha, compradorId } = pregunta;
  const comprador = (compradorId !== null && ficha.alLado.compradores[compradorId]) || null;
  const [escrito, escribir] = useState<string | null>(null);
  const enCamino = pregunta.enCamino !== null;
  const estaba = useRef(enCamino);
  useEffect(() => {
    // The field left with its answer: what is typed next belongs to the next question of the listing.
    if (enCamino && !estaba.current && isFocusFree()) focusOn(document.querySelector<HTMLElement>('.lado [data-foco]'));
    estaba.current = enCamino;
  }, [enCamino]);
  return (
    <article className="pregunta" aria-label={`Pregunta del ${formatFecha(fecha, { hora: false })}`}>
      <header>
        <span className="nota">
          <Fecha valor={fecha} /> · {estatusOfPregunta(estatus)}
          {POR_QUE_NO[estatus] && ` · ${POR_QUE_NO[estatus]}`}
          {pregunta.retenida && ' · Mercado Libre la tiene retenida'}
        </span>
        <EsperaDe pregunta={pregunta} ahora={ficha.ahora} />
      </header>
      {!sola && <p className="pregunta-texto">{texto || SIN_TEXTO}</p>}
      <Respuesta {...{ pregunta, ficha, escrito, escribir }} />
      {compradorId !== null && (
        <section className="pregunta-comprador" aria-label="Comprador">
          <p className="nota">
            {historiaOf(comprador)}{' '}
            <Link to={withParams(search, { editar: id })} preventScrollReset>
              Detalle cliente
            </Link>
          </p>
          {comprador && <Otras preguntas={comprador.otras} de={ficha.titulo} />}
        </section>
      )}
    </article>
  );
}

/** Counts stop at ten on the server. */
const MUCHAS = 10;
const veces = (cuantas: number, una: string, muchas: string) =>
  cuantas >= MUCHAS ? `${MUCHAS} ${muchas} o más` : `${cuantas} ${cuantas === 1 ? una : muchas}`;

/** Returns what is known of the buyer, in words. */
function historiaOf(comprador: PreguntaAbierta['alLado']['compradores'][string] | null): string {
  if (!comprador) return 'Es lo primero que pregunta este comprador, y todavía no compra.';
  const { preguntas, compras } = comprador;
  return [
    compras > 0 ? `Este comprador tiene ${veces(compras, 'compra', 'compras')}` : 'Este comprador todavía no compra',
    preguntas > 0 ? `preguntó además ${veces(preguntas, 'vez', 'veces')}:` : 'no ha preguntado otra cosa.',
  ].join(' y ');
}

/** Questions beside the one that is answered, each with its answer; the listing is named where it is not `de`. */
function Otras({ preguntas, de }: { preguntas: PreguntaAbierta['alLado']['respondidas']; de?: string | null }) {
  return (
    <ul className="preguntas-antes otras">
      {preguntas.map(({ id, fecha, titulo, texto, respuesta }) => (
        <li key={id}>
          <span className="nota">
            <Fecha valor={fecha} />
            {de !== undefined && titulo !== null && titulo !== de && ` · ${titulo}`}
          </span>
          <p>{texto || SIN_TEXTO}</p>
          {respuesta && <p className="nota">{respuesta}</p>}
        </li>
      ))}
    </ul>
  );
}

type Cliente = NonNullable<PreguntaAbierta['cliente']>;

/** 'Detalle cliente': the buyer, the buyer's earlier preguntas, and the block on the buyer. */
function Cliente({ cliente, puede, cerrar }: { cliente: Cliente; puede: boolean; cerrar: string }) {
  const { comprador, fallo, preguntas, compras, compradorId, pregunta } = cliente;
  const ordenes = usePantalla('ordenes');
  const quien = comprador?.apodo ?? `cliente ${compradorId}`;
  return (
    <Dialog titulo="Detalle cliente" cerrar={cerrar} ancho="grande">
      {comprador ? (
        <Datos>
          <Dato de="Cliente">
            {comprador.enlace ? (
              <a href={comprador.enlace} target="_blank" rel="noopener noreferrer">
                {quien}
              </a>
            ) : (
              quien
            )}
          </Dato>
          <Dato de="Ciudad">{[comprador.ciudad, comprador.estado].filter(Boolean).join(', ')}</Dato>
          <Dato de="Estatus">
            <Estatus tono={comprador.bloqueado ? 'mal' : 'ok'}>{comprador.bloqueado ? 'Bloqueado' : 'Activo'}</Estatus>
          </Dato>
        </Datos>
      ) : (
        <Panel tono="aviso" titulo="Mercado Libre no dijo quién es.">
          {fallo ?? 'Vuelve a abrirlo en un momento.'}
        </Panel>
      )}
      <h3>Lo que ha preguntado</h3>
      <ul className="preguntas-antes">
        {preguntas.map((una) => (
          <li key={una.id}>
            <span className="nota">
              <Fecha valor={una.fecha} /> · {una.titulo ?? 'Sin título'} · {estatusOfPregunta(una.estatus)}
            </span>
            <p>{una.texto}</p>
            {una.respuesta && <p className="nota">{una.respuesta}</p>}
          </li>
        ))}
      </ul>
      <h3>Lo que ha comprado</h3>
      {compras.length === 0 && <p className="nota">Todavía no compra aquí.</p>}
      <ul className="preguntas-antes">
        {compras.map((una) => (
          <li key={una.id}>
            <span className="nota">
              <Fecha valor={una.fechaCreacion} /> ·{' '}
              {ordenes ? <a href={`${ordenes}?ver=${una.id}`}>{una.numOrden}</a> : una.numOrden} ·{' '}
              <Pesos valor={una.pagado} />
              {una.clase !== 'normal' && ` · ${CLASE_LABEL[una.clase]}`}
            </span>
            <p>{nombreCorto(una.titulo)}</p>
          </li>
        ))}
      </ul>
      {puede && comprador && (
        <Form method="post" preventScrollReset className="botones">
          <Hidden intent="bloquear" pregunta={pregunta} bloquear={comprador.bloqueado ? '0' : '1'} />
          <Confirm
            plain="boton"
            data-tono={comprador.bloqueado ? undefined : 'mal'}
            {...askBlock(!comprador.bloqueado, quien)}
          >
            {comprador.bloqueado ? 'Activar' : 'Bloquear'}
          </Confirm>
        </Form>
      )}
    </Dialog>
  );
}
