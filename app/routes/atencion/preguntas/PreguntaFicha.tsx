import { Textarea } from '@mantine/core';
import { getTextareaProps } from '@conform-to/react';
import { Form, Link, useLocation } from '@remix-run/react';
import { useRef, useState } from 'react';
import { withParams } from '~/core/list';
import {
  estatusOfPregunta,
  MAX_RESPUESTA,
  POR_QUE_NO,
  askBlock,
  askAnswer,
  preguntaUrl,
  TITULO_PREGUNTA,
} from '~/domain/atencion/preguntas/pregunta';
import { nombreCorto } from '~/domain/compras/catalogo/producto';
import { CLASE_LABEL } from '~/domain/ventas/ordenes/orden';
import { estatusOf } from '~/domain/publicaciones/publicaciones/publicacion';
import { faltaLlenar, fill } from '~/domain/atencion/preguntas/plantilla';
import { Dato, Datos } from '~/ui/Datos';
import { Panel } from '~/ui/Blocks';
import { Confirm } from '~/ui/Confirm';
import { Copiar } from '~/ui/Copiar';
import { Dialog } from '~/ui/Dialog';
import { Estatus } from '~/ui/Estatus';
import { Fecha, formatFecha } from '~/ui/Fecha';
import { focusOn } from '~/ui/foco';
import { Cambio, Ficha } from '~/ui/ficha/Ficha';
import { Presencia } from '~/ui/ficha/Presencia';
import type { DentroProps } from '~/ui/ficha/panel';
import { usePantalla } from '~/ui/Pantallas';
import { Pesos } from '~/ui/Pesos';
import { Rechazado } from '~/ui/Rechazado';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden, Refusal, useAnswer } from '~/ui/useAnswer';
import type { PreguntaAbierta } from './record';
import { EsperaDe } from './EsperaDe';
import './preguntas.css';

type Pregunta = PreguntaAbierta['preguntas'][number];

const piezas = (stock: number | null) =>
  stock === null ? 'sin dato de stock' : `${stock} ${stock === 1 ? 'pieza' : 'piezas'}`;

/** The panel of a pregunta, or of all preguntas that wait on one listing, each with the field for its answer. */
export function PreguntaFicha({ ficha, area, cambio }: DentroProps<PreguntaAbierta>) {
  const { search } = useLocation();
  const { preguntas, producto, publicacion, titulo, market, marketId, publicacionId, cliente } = ficha;
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
            <Pesos valor={publicacion.precio} /> · {piezas(publicacion.stock)}{' '}
            <Estatus tono={estatusOf(market, publicacion.estatus).tono}>
              {estatusOf(market, publicacion.estatus).label}
            </Estatus>
          </Dato>
        )}
        <Dato de="Existencia del proveedor">
          {producto
            ? `${producto.proveedor}: ${producto.existencia ?? 'sin dato'}`
            : 'Su SKU no es de un producto nuestro'}
        </Dato>
      </Datos>
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

const formaOf = (preguntaId: string) => `responder-${preguntaId}`;
const llano = (texto: string) => texto.replace(/\s+/g, ' ').trim();

function Una({ pregunta, ficha }: { pregunta: Pregunta; ficha: PreguntaAbierta }) {
  const { search } = useLocation();
  const { id, texto, estatus, fecha, respuesta, respondidaEn, respondio, enCamino, compradorId } = pregunta;
  // The draft lives with the pregunta and not with its form: another person's answer removes the form, and the draft has to stay readable.
  const [escrito, escribir] = useState<string | null>(null);
  const [entendido, entender] = useState<string>();
  const answer = useAnswer(formaOf(id));
  const responde = ficha.puede && estatus === 'pendiente' && enCamino === null;
  const perdido = !responde && enCamino === null && escrito !== null && llano(escrito) !== llano(respuesta ?? '');
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
      {respuesta !== null && (
        <div className="pregunta-respuesta">
          <p>{respuesta}</p>
          <span className="nota">
            <Fecha valor={respondidaEn} />
            {respondio ? ` · ${respondio}` : ' · desde Mercado Libre'}
          </span>
        </div>
      )}
      {enCamino !== null && (
        <Panel tono="aviso" titulo="La respuesta va en camino">
          {enCamino}
        </Panel>
      )}
      {responde && (
        <RespuestaForm {...{ pregunta, ficha, escrito, escribir }} alEntender={() => entender(answer?.id)} />
      )}
      {!responde && answer && answer.id !== entendido && (
        <Refusal of={formaOf(id)} titulo={TITULO_PREGUNTA} onClose={() => entender(answer.id)} />
      )}
      {perdido && escrito.trim() !== '' && (
        <Panel tono="aviso" titulo="Lo que escribiste no se envió">
          {escrito}
        </Panel>
      )}
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

/** The form of an answer. Earlier answers to similar preguntas and the templates are one press away and are never sent by themselves. */
function RespuestaForm({
  pregunta: { id, version, sugerencias, noSalio, rechazo },
  ficha,
  escrito,
  escribir,
  alEntender,
}: {
  pregunta: Pregunta;
  ficha: PreguntaAbierta;
  /** Null until somebody types. */
  escrito: string | null;
  escribir: (texto: string) => void;
  alEntender: () => void;
}) {
  const form = useActionForm<{ texto: string }>('responder', { id: formaOf(id), required: false });
  const texto = escrito ?? form.fields.texto.initialValue ?? noSalio?.texto ?? '';
  const campo = useRef<HTMLTextAreaElement>(null);
  const puesto = useRef('');
  const { key: _key, ...props } = getTextareaProps(form.fields.texto);
  /** A press replaces the text of an earlier press, and is appended to text that was typed. */
  const poner = (nuevo: string) => {
    const sigue = texto.trim() !== '' && texto !== puesto.current;
    puesto.current = sigue ? `${texto.trimEnd()}\n${nuevo}` : nuevo;
    escribir(puesto.current);
    focusOn(campo.current);
  };
  return (
    <ActionForm of={form} onUnderstood={alEntender}>
      <Hidden pregunta={id} version={version} />
      {noSalio && (
        <Panel tono="mal" titulo="La respuesta no salió">
          {rechazo ? <Rechazado rechazo={rechazo} /> : noSalio.motivo}
        </Panel>
      )}
      <Sugeridas titulo="Se respondió antes" textos={sugerencias.map((texto) => ({ texto }))} poner={poner} />
      <Sugeridas
        titulo="Plantillas"
        textos={ficha.plantillas.map((plantilla) => ({
          nombre: plantilla.nombre,
          texto: fill(plantilla.texto, ficha.variables),
        }))}
        poner={poner}
      />
      <Textarea
        {...props}
        ref={campo}
        data-foco
        defaultValue={undefined}
        value={texto}
        onChange={(event) => escribir(event.currentTarget.value)}
        label="Respuesta"
        rows={4}
        error={form.fields.texto.errors?.[0]}
        description={faltaLlenar(texto) ?? loQueQueda(texto)}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
      />
      <div className="botones">
        <Confirm {...askAnswer(texto)} ready={(element) => form.ready(element) && faltaLlenar(texto) === null}>
          Responder pregunta
        </Confirm>
      </div>
    </ActionForm>
  );
}

/** Returns the number of letters left, near the limit and beyond it. */
function loQueQueda(texto: string): string | undefined {
  const quedan = MAX_RESPUESTA - texto.trim().length;
  if (quedan >= 200) return undefined;
  return quedan < 0 ? `Sobran ${-quedan} caracteres` : `Quedan ${quedan} caracteres`;
}

type SugeridasProps = {
  titulo: string;
  textos: { nombre?: string; texto: string }[];
  poner: (texto: string) => void;
};

function Sugeridas({ titulo, textos, poner }: SugeridasProps) {
  if (textos.length === 0) return null;
  return (
    <div className="sugeridas solo-js" role="group" aria-label={titulo}>
      <span className="nota">{titulo}</span>
      {textos.map(({ nombre, texto }) => (
        <button key={nombre ?? texto} type="button" className="boton" title={texto} onClick={() => poner(texto)}>
          <span>{nombre ?? texto}</span>
        </button>
      ))}
    </div>
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
