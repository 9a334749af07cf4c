import { Form, Link, useLocation } from '@remix-run/react';
import { useId } from 'react';
import { faltaCorreo } from '~/domain/compras/directorio/proveedor';
import { usePantalla } from '~/ui/Pantallas';
import { withParams } from '~/core/list';
import {
  accionDe,
  isFromHere,
  ESTATUS_RECLAMO,
  etapaDe,
  PIDE,
  askCorreo,
  mayDo,
  objecionDe,
  recursoDe,
  reclamoUrl,
  RESOLUCIONES,
  RESPONSABLE,
  tipoDe,
} from '~/domain/atencion/reclamos/reclamo';
import {
  destinoDe,
  detalleDeCambio,
  devolucionDe,
  dineroDe,
  enRevision,
  envioDeDevolucion,
  estadoDeCambio,
  isCambioFallido,
  motivoDeCierre,
  papelDe,
} from '~/domain/atencion/reclamos/palabrasDeReclamo';
import { Dato, Datos } from '~/ui/Datos';
import { Panel } from '~/ui/Blocks';
import { Confirm } from '~/ui/Confirm';
import { Copiar } from '~/ui/Copiar';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { Cambio, Ficha } from '~/ui/ficha/Ficha';
import { Presencia } from '~/ui/ficha/Presencia';
import type { DentroProps } from '~/ui/ficha/panel';
import { Pesos } from '~/ui/Pesos';
import { Retrato } from '~/ui/Retrato';
import { Negados } from '~/ui/Rechazado';
import { Hidden, Refusal } from '~/ui/useAnswer';
import type { ReclamoAbierto } from './record';
import { MensajeForm, ObjetarForm, ResolverForm } from './Decisiones';
import { Plazo } from './Plazo';
import '../preguntas/preguntas.css';

const PARA = { comprador: 'al comprador', vendedor: 'a nosotros', mediador: 'a Mercado Libre' } as const;
const LADO = { comprador: 'Comprador', vendedor: 'Nosotros', mediador: 'Mercado Libre' } as const;
const ESCRIBE = [
  ['complainant', 'send_message_to_complainant'],
  ['mediator', 'send_message_to_mediator'],
] as const;

/** The panel of a claim: whose turn it is and until when, the messages, the return, and the actions that are allowed. */
export function ReclamoFicha({ ficha: reclamo, area, cambio }: DentroProps<ReclamoAbierto>) {
  const { marketId, estatus, acciones, mensajes, devoluciones, cambios, puede, enCamino, pagado } = reclamo;
  const { search } = useLocation();
  const actua = puede && estatus === 'abierto';
  const falta = faltaCorreo(reclamo.correo);
  const agentes = usePantalla('agentesVentas');
  const conCosto =
    devoluciones.length > 0 ||
    cambios.length > 0 ||
    mayDo(acciones, 'allow_return', 'allow_return_label', 'allow_replace', 'return_review_ok', 'return_review');
  const ocupado = enCamino.some(({ type }) => type === 'reclamo.resolver');
  const ofrecidas = actua && !ocupado ? RESOLUCIONES.filter((resolucion) => mayDo(acciones, ...PIDE[resolucion])) : [];
  const decisiones = ofrecidas.flatMap((resolucion) => {
    if (resolucion === 'return-review-fail')
      return (
        <Link
          key={resolucion}
          className="boton"
          to={withParams(search, { editar: reclamo.objecion ? null : 'objetar' })}
          preventScrollReset
        >
          {accionDe(PIDE[resolucion][0]!)}
        </Link>
      );
    const ofertas = resolucion === 'partial-refund' ? reclamo.ofertas : [null];
    if (ofertas.length > 1) return <Partes key={resolucion} reclamo={reclamo} />;
    return ofertas.map((oferta) => <ResolverForm key={resolucion} {...{ reclamo, resolucion, oferta }} />);
  });
  const otras = [
    reclamo.ordenId && (
      <a key="orden" className="boton" href={`${area}/ordenes?ver=${reclamo.ordenId}`}>
        Abrir la orden
      </a>
    ),
    <a key="alla" className="boton" href={reclamoUrl(reclamo)} target="_blank" rel="noopener noreferrer">
      Ver en la tienda
    </a>,
    puede && reclamo.ordenId && falta && agentes && (
      <Link key="correo" className="boton" to={agentes}>
        {falta}
      </Link>
    ),
    puede && reclamo.ordenId && !(falta && agentes) && (
      <Form key="correo" method="post" preventScrollReset>
        <Hidden intent="correoReclamo" reclamo={reclamo.id} />
        <Confirm plain="boton" {...askCorreo(reclamo.correo)}>
          Enviar correo
        </Confirm>
      </Form>
    ),
  ];
  return (
    <Ficha
      que="Reclamo"
      numero={marketId}
      estado={
        <>
          <Estatus tono={estatus === 'abierto' ? 'aviso' : 'ok'}>{ESTATUS_RECLAMO[estatus]}</Estatus>
          {estatus === 'abierto' && <Plazo reclamo={reclamo} ahora={reclamo.ahora} />}
          <Presencia que={`reclamo:${reclamo.id}`} url={`${area}/presencia`} />
        </>
      }
      acciones={decisiones.length > 0 ? decisiones : otras}
    >
      {cambio && <Cambio editando={false} quien={null} />}
      <Refusal of="correoReclamo" />
      <Refusal of="resolverReclamo" />
      <Negados negados={reclamo.negados} />
      {reclamo.sinLeer.length > 0 && (
        <Panel tono="aviso" titulo="No se pudo leer todo">
          {reclamo.sinLeer.join('; ')}
        </Panel>
      )}
      {enCamino.length > 0 && (
        <Panel tono="aviso" titulo="Algo va en camino a Mercado Libre">
          {enCamino.map(
            ({ id, texto, quien }) =>
              texto !== null && (
                <p key={id}>
                  {quien && `${quien}: `}«{texto}»
                </p>
              ),
          )}
        </Panel>
      )}
      <p className="pregunta-texto">{reclamo.titulo ?? tipoDe(reclamo.tipo)}</p>
      {reclamo.problema && <p>{reclamo.problema}</p>}
      <div className="con-retrato">
        <Retrato foto={reclamo.alLado.foto} />
        <Datos>
          <Dato de="Producto" ancha>
            {reclamo.producto ?? '—'}
          </Dato>
          <Dato de="Orden">{reclamo.numOrden ?? reclamo.ordenMarketId ?? '—'}</Dato>
          <Dato de="Monto Pagado">{pagado === null ? '—' : <Pesos valor={pagado} />}</Dato>
          <Dato de="Tipo y etapa">
            {tipoDe(reclamo.tipo)} · {etapaDe(reclamo.etapa)}
          </Dato>
          <Dato de="Recurso">
            {recursoDe(reclamo.recurso)} {reclamo.recursoId}
          </Dato>
          <Dato de="A quién le toca">{reclamo.responsable ? RESPONSABLE[reclamo.responsable] : '—'}</Dato>
          <Dato de="Fecha">
            <Fecha valor={reclamo.fecha} />
          </Dato>
          {reclamo.jugadores.length > 0 && (
            <Dato de="Quiénes participan" ancha>
              {[...new Set(reclamo.jugadores.map(jugadorOf))].join(' · ')}
            </Dato>
          )}
          {reclamo.resolucion && (
            <Dato de="Cómo terminó" ancha>
              {comoTermino(reclamo.resolucion)}
              {reclamo.resolucion.fecha && (
                <span className="nota">
                  {' '}
                  <Fecha valor={reclamo.resolucion.fecha} />
                </span>
              )}
            </Dato>
          )}
        </Datos>
      </div>
      {decisiones.length > 0 && <div className="botones">{otras}</div>}

      {acciones.length > 0 && (
        <>
          <h3>Qué se puede hacer</h3>
          <ul className="preguntas-antes reclamo-acciones">
            {acciones.map(({ accion, obligatoria, vence }) => (
              <li key={accion}>
                {accionDe(accion)}
                {obligatoria && (
                  <>
                    {' '}
                    <Estatus tono="mal">Obligatorio</Estatus>
                  </>
                )}
                {vence && (
                  <span className="nota">
                    {' '}
                    hasta <Fecha valor={vence} />
                  </span>
                )}
                {!isFromHere(accion) && (
                  <span className="nota">
                    {' · '}
                    <a href={reclamoUrl(reclamo)} target="_blank" rel="noopener noreferrer">
                      Se hace en la tienda
                    </a>
                  </span>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      <h3>Mensajes</h3>
      <ol className="preguntas">
        {mensajes.map((mensaje) => (
          <li key={mensaje.clave} className="pregunta">
            <span className="nota">
              {mensaje.de ? LADO[mensaje.de] : 'Sin remitente'}
              {mensaje.para && ` ${PARA[mensaje.para]}`}
              {mensaje.fecha && (
                <>
                  {' · '}
                  <Fecha valor={mensaje.fecha} />
                </>
              )}
            </span>
            <p>{mensaje.texto}</p>
            {mensaje.adjuntos.length > 0 && <p className="nota">Archivos: {mensaje.adjuntos.join(', ')}</p>}
          </li>
        ))}
      </ol>
      {mensajes.length === 0 && <p className="nota">Nadie ha escrito.</p>}
      {actua &&
        ESCRIBE.map(
          ([para, accion]) =>
            mayDo(acciones, accion) && (
              <MensajeForm key={`${para}-${mensajes.length}-${enCamino.length}`} reclamo={reclamo} para={para} />
            ),
        )}

      {cambios.map((cambio, at) => (
        <section key={at} aria-label={tipoDe(cambio.tipo)}>
          <h3>{tipoDe(cambio.tipo)}</h3>
          <Datos>
            <Dato de="Estado" ancha>
              <Estatus tono={isCambioFallido(cambio) ? 'mal' : 'neutro'}>
                {cambio.estado === null ? 'Sin estado' : estadoDeCambio(cambio.estado)}
              </Estatus>
              {cambio.detalle && <span className="nota"> {detalleDeCambio(cambio.detalle)}</span>}
            </Dato>
            <Dato de="Qué se cambia" ancha>
              {cambio.articulos
                .map(({ publicacionId, titulo, cantidad }) => `${cantidad ?? '—'} × ${titulo ?? publicacionId}`)
                .join(' · ') || '—'}
            </Dato>
            <Dato de="Venta del nuevo">
              {cambio.ordenes.length === 0
                ? '—'
                : cambio.ordenes.map(({ marketId: numero, id }) =>
                    id ? (
                      <a key={numero} href={`${area}/ordenes?ver=${id}`}>
                        {numero}
                      </a>
                    ) : (
                      <span key={numero}>{numero}</span>
                    ),
                  )}
            </Dato>
            <Dato de="Envío del nuevo">{cambio.envios.join(', ') || '—'}</Dato>
            <Dato de="Devolución del anterior">{cambio.devolucionId ?? '—'}</Dato>
            <Dato de="Fecha estimada">
              {cambio.desde || cambio.hasta ? <Fecha valor={cambio.hasta ?? cambio.desde} hora={false} /> : '—'}
            </Dato>
          </Datos>
          {cambio.ordenes.length > 0 && (
            <p className="nota">
              La venta del nuevo se paga con el dinero de esta o con su diferencia: no es otra compra del mismo cliente.
            </p>
          )}
        </section>
      ))}
      {conCosto && (
        <Datos>
          <Dato de="Costo de la devolución">
            <Pesos valor={reclamo.costoDevolucion} />
          </Dato>
        </Datos>
      )}
      {devoluciones.length > 0 && (
        <>
          <h3>Devolución</h3>
          <ul className="preguntas-antes">
            {devoluciones.map((devolucion, at) => (
              <li key={devolucion.id ?? at}>
                {devolucion.estatus === null ? 'Sin estatus' : devolucionDe(devolucion.estatus)}
                {devolucion.dinero && <span className="nota"> · {dineroDe(devolucion.dinero)}</span>}
                {devolucion.envios.map((envio, n) => (
                  <p key={envio.id ?? n} className="nota">
                    {envio.guia ? (
                      <>
                        Etiqueta {envio.guia} <Copiar texto={envio.guia} que="guía" />
                      </>
                    ) : (
                      'Sin etiqueta todavía'
                    )}
                    {envio.estatus && ` · ${envioDeDevolucion(envio.estatus)}`}
                    {envio.destino && ` · ${destinoDe(envio.destino)}`}
                  </p>
                ))}
                {(devolucion.revisiones ?? []).map((revision, n) => (
                  <Revision key={n} revision={revision} />
                ))}
              </li>
            ))}
          </ul>
        </>
      )}

      {actua && !ocupado && reclamo.objecion && (
        <>
          <h3>{accionDe(PIDE['return-review-fail'][0]!)}</h3>
          <ObjetarForm reclamo={reclamo} objecion={reclamo.objecion} />
        </>
      )}
    </Ficha>
  );
}

/** The parts that Mercado Libre offers to give back, behind one button of the foot. The browser itself opens them, with and without scripts. */
function Partes({ reclamo }: { reclamo: ReclamoAbierto }) {
  const id = useId();
  return (
    <>
      <button type="button" className="boton" data-tono="mal" {...{ popovertarget: id }}>
        {accionDe(PIDE['partial-refund'][0]!)}…
      </button>
      <div className="reclamo-partes" id={id} {...{ popover: '' }}>
        {reclamo.ofertas.map((oferta) => (
          <ResolverForm key={oferta.porcentaje} {...{ reclamo, resolucion: 'partial-refund', oferta }} />
        ))}
      </div>
    </>
  );
}

type Revisiones = NonNullable<ReclamoAbierto['devoluciones'][number]['revisiones']>;

/** What a review found of the product that came back: what we said, what Mercado Libre decided, and who keeps product and money. */
function Revision({
  revision: { etapa, resultado, producto, destino, favorece, deNosotros, motivo, faltan },
}: {
  revision: Revisiones[number];
}) {
  return (
    <Datos>
      <Dato de="Revisión" ancha>
        {etapa === null ? '—' : enRevision.etapa(etapa)}
      </Dato>
      {deNosotros && (
        <Dato de="Lo que dijimos" ancha>
          {enRevision.dicho(deNosotros)}
          {motivo && <span className="nota"> · {objecionDe({ id: motivo, nombre: motivo })}</span>}
        </Dato>
      )}
      <Dato de="Resultado">
        {resultado === null ? (
          'Todavía no se decide'
        ) : (
          <Estatus tono={resultado === 'failed' ? 'mal' : 'ok'}>{enRevision.resultado(resultado)}</Estatus>
        )}
      </Dato>
      {favorece && <Dato de="A quién favorece">{enRevision.favorece(favorece)}</Dato>}
      {producto && (
        <Dato de="El producto">
          {enRevision.producto(producto)}
          {faltan !== null && faltan > 0 && ` · ${faltan === 1 ? 'falta 1 pieza' : `faltan ${faltan} piezas`}`}
        </Dato>
      )}
      {destino && <Dato de="Se lo queda">{enRevision.queda(destino)}</Dato>}
    </Datos>
  );
}

const jugadorOf = ({ rol, tipo, usuario }: ReclamoAbierto['jugadores'][number]) => {
  const papel = papelDe(rol);
  return usuario === null || papel === 'Nosotros'
    ? papel
    : `${papel === rol && tipo ? papelDe(tipo) : papel} ${usuario}`;
};

function comoTermino({ motivo, favorece, cerro }: NonNullable<ReclamoAbierto['resolucion']>): string {
  const partes = [
    motivo && motivoDeCierre(motivo),
    favorece && favorece.length > 0 && `a favor: ${[...new Set(favorece.map(papelDe))].join(', ')}`,
    cerro && `lo cerró: ${papelDe(cerro)}`,
  ].filter(Boolean);
  return partes.join(' · ') || '—';
}
