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
  const esperan = preguntas.filter(({ estatus }) => estatus === 'pendiente').length;
  return (
    <Ficha
      que={preguntas.length > 1 ? 'Publicación' : 'Pregunta'}
      numero={preguntas.length > 1 ? publicacionId : marketId}
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
        <Retrato foto={ficha.foto} />
        <Datos>
          <Dato de="Publicación" ancha>
            {publicacion && ficha.puedeVerPublicacion ? (
              <a href={`${area}/publicaciones?ver=${publicacion.id}`}>{titulo ?? publicacionId}</a>
            ) : (
              (titulo ?? publicacionId)
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
            <Una pregunta={pregunta} ficha={ficha} />
          </li>
        ))}
      </ol>
      {cliente && <Cliente cliente={cliente} puede={ficha.puede} cerrar={withParams(search, { editar: null })} />}
    </Ficha>
  );
}

function Una({ pregunta, ficha }: { pregunta: Pregunta; ficha: PreguntaAbierta }) {
  const { search } = useLocation();
  const { id, texto, estatus, fecha, compradorId } = pregunta;
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
      <p className="pregunta-texto">{texto || 'Mercado Libre no muestra su texto.'}</p>
      <Respuesta {...{ pregunta, ficha, escrito, escribir }} />
      {compradorId !== null && (
        <p>
          <Link className="boton" to={withParams(search, { editar: id })} preventScrollReset>
            Detalle cliente
          </Link>
        </p>
      )}
    </article>
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
