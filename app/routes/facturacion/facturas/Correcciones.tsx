import { Form, Link } from '@remix-run/react';
import { withParams, type Wire } from '~/core/list';
import { DIAS_SIN_NOTICIA, ESTADO_CANCELACION, MOTIVOS } from '~/domain/facturacion/cancelacion/cancelacion';
import type { Correcciones as Vista } from '~/domain/facturacion/cancelacion/correcciones.server';
import { Panel } from '~/ui/Blocks';
import { Confirm } from '~/ui/Confirm';
import { Fecha } from '~/ui/Fecha';
import { Hidden } from '~/ui/useAnswer';
import { askCancelFactura, askRequestCancelacionAgain, askSubstituteFactura, type Documento } from './questions';

type Props = {
  factura: Documento & { id: string };
  estatus: string;
  correcciones: Wire<Vista>;
  puede: boolean;
  search: string;
  area: string;
};

function tituloOf({ estado, sinNoticia }: NonNullable<Wire<Vista>['cancelacion']>): string {
  if (estado === 'cancelada') return 'Cancelada ante el SAT';
  const texto = ESTADO_CANCELACION[estado];
  return sinNoticia
    ? 'El SAT no tiene la solicitud de cancelación'
    : `Cancelación ${texto.charAt(0).toLowerCase()}${texto.slice(1)}`;
}

/** The buttons that cancel and replace, and the history of the document. */
export function Correcciones({ factura, estatus, correcciones, puede, search, area }: Props) {
  const { id, tipo } = factura;
  const { cancelable, cancelacion, otraVigente, sustituye, acredita, notas, linea, cliente } = correcciones;
  const { impedimento, motivos, sustituto, plazo } = cancelable;
  return (
    <>
      {acredita && (
        <p>
          Devuelve importe de la factura{' '}
          <Link to={withParams(search, { ver: acredita.id })} preventScrollReset>
            {acredita.folio}
          </Link>
          , folio fiscal <span className="uuid">{acredita.uuid}</span>.
        </p>
      )}
      {notas.length > 0 && (
        <p>
          {notas.length === 1 ? 'Tiene una nota de crédito: ' : 'Notas de crédito: '}
          {notas.map((nota, at) => (
            <span key={nota.id}>
              {at > 0 && ', '}
              <Link to={withParams(search, { ver: nota.id })} preventScrollReset>
                {nota.folio}
              </Link>
            </span>
          ))}
          .
        </p>
      )}
      {sustituye && (
        <p>
          Sustituye a la factura{' '}
          <Link to={withParams(search, { ver: sustituye.id })} preventScrollReset>
            {sustituye.folio}
          </Link>
          .
        </p>
      )}
      {sustituto && (
        <p>
          La sustituye la factura{' '}
          <Link to={withParams(search, { ver: sustituto.id })} preventScrollReset>
            {sustituto.folio}
          </Link>
          .
        </p>
      )}
      {cliente && (estatus === 'vigente' || cliente.pedida) && <DelCliente cliente={cliente} estatus={estatus} />}
      {otraVigente && (
        <Panel tono="mal" titulo="Dos facturas vigentes de la misma venta">
          <p>
            Esta y la{' '}
            <Link to={withParams(search, { ver: otraVigente.id })} preventScrollReset>
              {otraVigente.folio}
            </Link>{' '}
            cobran la misma venta.{' '}
            {otraVigente.sobra
              ? 'Pide otra vez la cancelación de esta: la otra la sustituye.'
              : `Pide otra vez la cancelación de la ${otraVigente.folio}: esta la sustituye.`}{' '}
            Si el receptor no la acepta, ponte de acuerdo con él: tiene tres días hábiles en el Buzón Tributario.
          </p>
        </Panel>
      )}
      {cancelacion && (
        <Panel
          tono={cancelacion.estado === 'rechazada' || cancelacion.estado === 'cancelada' ? 'mal' : 'aviso'}
          titulo={tituloOf(cancelacion)}
        >
          <p>
            Motivo {cancelacion.motivo}, solicitada el <Fecha valor={cancelacion.pedidaEn} />. {cancelacion.respuesta}
          </p>
          {cancelacion.conAcuse && (
            <p>
              <a href={`${area}/descargas/factura/${id}/acuse`} download>
                Descargar acuse del SAT
              </a>
            </p>
          )}
          {cancelacion.sinNoticia && (
            <p>
              Hace más de {DIAS_SIN_NOTICIA} días que se pidió: lo que el PAC envió no llegó o se perdió.
              {!puede && ' Un administrador puede pedirla otra vez.'}
            </p>
          )}
          {puede && cancelacion.sinNoticia && (
            <Form method="post" preventScrollReset>
              <Hidden intent="pedirOtraVez" factura={id} tipo={tipo} />
              <Confirm plain="boton" {...askRequestCancelacionAgain(factura)}>
                Pedir otra vez
              </Confirm>
            </Form>
          )}
          {puede && cancelacion.estado === 'enProceso' && !cancelacion.sinNoticia && (
            <Form method="post" preventScrollReset>
              <Hidden intent="seguir" factura={id} />
              <button type="submit" className="boton">
                Consultar al SAT
              </button>
            </Form>
          )}
        </Panel>
      )}
      {puede && estatus === 'vigente' && (
        <>
          <h3>Corregir</h3>
          {impedimento ? (
            <p className="nota">{impedimento}</p>
          ) : (
            <div className="corregir">
              <Form method="post" preventScrollReset className="corregir-cancelar">
                <Hidden intent="cancelar" factura={id} tipo={tipo} huella={cancelable.huella} />
                <label>
                  Motivo de cancelación
                  <select name="motivo" defaultValue={motivos[0]}>
                    {motivos.map((motivo) => (
                      <option key={motivo} value={motivo}>
                        {motivo} - {MOTIVOS[motivo]}
                      </option>
                    ))}
                  </select>
                </label>
                <Confirm plain="boton" {...askCancelFactura(factura)}>
                  {askCancelFactura(factura).titulo}
                </Confirm>
              </Form>
              {tipo === 'individual' && !sustituto && (
                <Form method="post" preventScrollReset>
                  <Hidden intent="sustituir" factura={id} />
                  <Confirm plain="boton" {...askSubstituteFactura(factura)}>
                    Sustituir
                  </Confirm>
                </Form>
              )}
              <p className="nota">
                Se puede cancelar hasta el {plazo.split('-').reverse().join('/')}. Si el SAT pide la aceptación del
                receptor, tiene tres días hábiles para contestar.
              </p>
            </div>
          )}
        </>
      )}
      <details className="linea-de-tiempo" open={linea.length <= 6}>
        <summary>Historial</summary>
        <ol>
          {linea.map((hito, at) => (
            <li key={at} data-tono={hito.tono ?? undefined}>
              <Fecha valor={hito.at} /> <strong>{hito.texto}</strong> <span>{hito.quien}</span>
              {hito.detalle && <p>{hito.detalle}</p>}
            </li>
          ))}
        </ol>
      </details>
    </>
  );
}

/** The corrections that the customer asked for through their enlace, and those still allowed. */
function DelCliente({ cliente, estatus }: { cliente: NonNullable<Wire<Vista>['cliente']>; estatus: string }) {
  const { pedida, quedan, hasta, impedimento } = cliente;
  return (
    <p className="nota">
      {pedida && 'El cliente la pidió desde su enlace para corregir sus datos (relación 04; la anterior, motivo 01). '}
      {estatus === 'vigente' &&
        (impedimento === null
          ? `El cliente puede corregir sus datos ${quedan === 1 ? 'una vez más' : `${quedan} veces más`}, hasta el ${hasta.split('-').reverse().join('/')}.`
          : `El cliente ya no puede corregirla. En su enlace lee: «${impedimento}»`)}
    </p>
  );
}
