import type { LoaderFunctionArgs, MetaFunction, SerializeFrom } from '@remix-run/node';
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react';
import { Button, TextInput } from '@mantine/core';
import { z } from 'zod';
import { useArea } from '~/access/useArea';
import { cuenta } from '~/core/cuenta';
import { Id } from '~/core/fields';
import { toWire } from '~/core/list';
import type { Answer } from '~/core/submission';
import { EFFECTS } from '~/domain/effectCatalog.server';
import { CONNECTIONS } from '~/domain/connections/registry.server';
import { effectRuntime } from '~/domain/effectRuntime.server';
import {
  BuscarOtraVez,
  Decision as DecisionForm,
  DecisionConUuid,
  DecisionRepetida,
} from '~/domain/effects/decisionForm';
import { dismissLateEvidence } from '~/domain/effects/late.server';
import {
  listAttempts,
  lookAgain,
  requireDecisionVista,
  resolveAsAbsent,
  resolveAsExisting,
  sendAgain,
} from '~/domain/effects/resolve.server';
import { listMensajesSinSalir } from '~/domain/enlaces/mensajesSinSalir.server';
import { cancelarRepetida } from '~/domain/cancelacion/cancelRepetida.server';
import { facturasPorAtender } from '~/domain/cancelacion/porAtender.server';
import { listSinTimbrar } from '~/domain/publico/sinTimbrar.server';
import { readPendiente, readTablero } from '~/domain/mantenimiento/tablero.server';
import { defineActions } from '~/http/actions.server';
import { readQuery } from '~/http/readForm.server';
import { EmptyState, PageHeader, Panel } from '~/ui/Blocks';
import { Confirm } from '~/ui/Confirm';
import { Dialog } from '~/ui/Dialog';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { Pesos } from '~/ui/Pesos';
import { Asked, Hidden, Refusal, SinEnter, useAnswer } from '~/ui/useActionForm';
import { db } from '~db/shared.server';
import { SinSalir } from '../facturacion/enlaces/SinSalir';
import { Correcciones } from '../catalogos/facturasClientes/PorAtender';

export const meta: MetaFunction = () => [{ title: 'Pendientes' }];

const PREGUNTA = {
  existe: {
    titulo: 'Sí existe',
    texto: 'Se leerá del PAC y se comparará con lo que se pidió antes de darla por hecha. ¿Continuar?',
  },
  hecho: { titulo: 'Sí se hizo', texto: '¿Confirmas que sí se hizo? Queda registrado con tu nombre.' },
  noExiste: {
    titulo: 'No existe',
    texto: '¿Confirmas que revisaste y no existe? Podrá intentarse otra vez. Queda registrado con tu nombre.',
  },
  enviar: {
    titulo: 'Enviar otra vez',
    texto:
      'Se buscará una vez más y, si no está, se timbrará. Si el primer envío llegara después habría dos, y se avisaría aquí. ¿Continuar?',
  },
  repetida: {
    titulo: 'Cancelar la repetida',
    texto: '¿Confirmas que ese CFDI sobra? Se pedirá su cancelación al SAT con el motivo 02 y no se puede deshacer.',
  },
  entendido: {
    titulo: 'Ya se atendió',
    texto: '¿Confirmas que ya se corrigió del otro lado, o que se queda así? Queda registrado con tu nombre.',
  },
} as const;

const RESULTADO: Record<string, string> = {
  answered: 'Contestó',
  refused: 'Rechazó',
  account: 'Problema con la cuenta',
  'not-sent': 'No se envió',
  unclear: 'Respuesta no clara',
  found: 'Encontrado',
  absent: 'No está',
};
const INTENTO: Record<string, string> = { send: 'Envío', find: 'Búsqueda', person: 'Decisión' };

const Abierta = z.object({ ver: Id.optional().catch(undefined) });

export async function loader({ request }: LoaderFunctionArgs) {
  const { ver } = readQuery(request, Abierta);
  const [{ filas, total }, abierta, intentos, correcciones, sinSalir, sinTimbrar] = await Promise.all([
    readTablero(db(), EFFECTS),
    ver ? readPendiente(db(), EFFECTS, ver) : null,
    ver ? listAttempts(db(), ver) : [],
    facturasPorAtender(db()),
    listMensajesSinSalir(db()),
    listSinTimbrar(db()),
  ]);
  return {
    filas: filas.map(named),
    total,
    abierta: abierta && named(abierta),
    resuelta: ver !== undefined && abierta === null,
    intentos,
    correcciones: toWire(correcciones),
    sinSalir,
    sinTimbrar,
  };
}

type Pendiente = NonNullable<Awaited<ReturnType<typeof readPendiente>>>;

/** In the words of its kind, with what a person may say of it. */
function named(fila: Pendiente) {
  const [kind, side] = [EFFECTS.get(fila.type), CONNECTIONS.find(fila.connection)];
  return {
    ...fila,
    que: kind?.label ?? fila.type,
    conexion: side?.label ?? fila.connection,
    wire: side?.wire ?? 'HTTP',
    says: kind?.byHand?.says ?? null,
    seBusca: kind?.find !== undefined,
    seEnvia: fila.sinRastro && kind?.mayRepeat !== undefined,
  };
}

const right = 'pendientes.resolver';
const COMPROBANDO = 'Se está comprobando en el otro lado.';

export const action = defineActions({
  existe: {
    schema: DecisionConUuid,
    right,
    confirm: PREGUNTA.existe,
    commit: async (trx, decision, { id }) => {
      await requireDecisionVista(trx, decision);
      await resolveAsExisting(trx, EFFECTS, decision.effectId, decision.uuid, id);
    },
    to: '?',
    aviso: COMPROBANDO,
  },
  hecho: {
    schema: DecisionForm,
    right,
    confirm: PREGUNTA.hecho,
    commit: async (trx, decision, { id }) => {
      await requireDecisionVista(trx, decision);
      await resolveAsExisting(trx, EFFECTS, decision.effectId, null, id);
    },
    to: '?',
    aviso: COMPROBANDO,
  },
  noExiste: {
    schema: DecisionForm,
    right,
    confirm: PREGUNTA.noExiste,
    run: async (db, decision, { id }) => {
      await requireDecisionVista(db, decision);
      await resolveAsAbsent(effectRuntime(db), decision.effectId, id);
    },
    to: '?',
    aviso: 'Se puede intentar otra vez.',
  },
  otraVez: {
    schema: BuscarOtraVez,
    right,
    commit: (trx, { effectId }, { id }) => lookAgain(trx, effectId, id),
    to: '?',
    aviso: 'Se está buscando otra vez.',
  },
  enviar: {
    schema: DecisionForm,
    right,
    confirm: PREGUNTA.enviar,
    commit: async (trx, decision, { id }) => {
      await requireDecisionVista(trx, decision);
      await sendAgain(trx, EFFECTS, decision.effectId, id);
    },
    to: '?',
    aviso: 'Se está enviando otra vez.',
  },
  repetida: {
    schema: DecisionRepetida,
    right,
    confirm: PREGUNTA.repetida,
    commit: async (trx, { repetida, ...decision }, { id: usuarioId }) => {
      await requireDecisionVista(trx, decision);
      return cancelarRepetida(trx, { effectId: decision.effectId, uuid: repetida.toUpperCase(), usuarioId });
    },
    to: '?',
    aviso: 'Se está cancelando la repetida.',
  },
  entendido: {
    schema: DecisionForm,
    right,
    confirm: PREGUNTA.entendido,
    commit: async (trx, decision, { id }) => {
      await requireDecisionVista(trx, decision);
      await dismissLateEvidence(trx, decision.effectId, id);
    },
    to: '?',
    aviso: 'Quedó registrado.',
  },
});
const DECISIONES = ['existe', 'hecho', 'noExiste', 'otraVez', 'enviar', 'repetida', 'entendido'];

type Fila = SerializeFrom<typeof loader>['filas'][number];

/** What no program can decide: a call whose answer was lost, with the evidence and what a person may say of it. */
export default function Pendientes() {
  const { filas, total, abierta, resuelta, intentos, correcciones, sinSalir, sinTimbrar } =
    useLoaderData<typeof loader>();
  const area = useArea();
  const answer = useActionData<Answer>();
  const rechazada = answer?.status === 'error';
  return (
    <>
      <PageHeader
        titulo="Pendientes"
        nota="Solicitudes a servicios externos cuya respuesta no se pudo leer sin duda. Nada de esto se repite hasta que alguien decida."
      />
      {DECISIONES.map((decision) => (
        <Refusal key={decision} of={decision} titulo="Aviso" shown={['uuid']} />
      ))}
      <Asked cancelar="?" />
      {resuelta && !rechazada && (
        <p className="nota" role="status">
          Esta solicitud ya no espera una decisión.
        </p>
      )}
      {total > filas.length && (
        <p className="nota">
          Se ven las {cuenta(filas.length)} más antiguas de {cuenta(total)}. Las demás aparecen conforme se deciden.
        </p>
      )}
      {filas.length > 0 && <Tablero filas={filas} />}
      <SinTimbrar facturas={sinTimbrar} />
      {filas.length === 0 && correcciones.length === 0 && sinTimbrar.length === 0 && (
        <div className="hoja">
          <EmptyState>No hay nada pendiente de decidir.</EmptyState>
        </div>
      )}
      <Correcciones facturas={correcciones} area={area} />
      <SinSalir mensajes={sinSalir} area={area} />
      {abierta && !answer?.confirmar && <Decision abierta={abierta} intentos={intentos} />}
    </>
  );
}

/** A customer asked, the PAC refused, and it is ours to mend: they were told only that it is being seen to. */
function SinTimbrar({ facturas }: { facturas: SerializeFrom<typeof loader>['sinTimbrar'] }) {
  const area = useArea();
  if (facturas.length === 0) return null;
  return (
    <Panel tono="mal" titulo="Facturas que pidieron clientes y no se timbraron por algo de la empresa">
      <ul>
        {facturas.map(({ effectId, numOrden, fecha, motivo }) => (
          <li key={effectId}>
            <a href={`${area}/ordenes?q=${encodeURIComponent(numOrden)}`}>Orden {numOrden}</a>{' '}
            <span className="nota">
              <Fecha valor={fecha} />
            </span>{' '}
            {motivo}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Tablero({ filas }: { filas: Fila[] }) {
  return (
    <div className="tabla-caja">
      <table className="tabla tablero">
        <thead>
          <tr>
            <th>Fecha</th>
            <th>Solicitud</th>
            <th>De qué</th>
            <th>Estado</th>
            <th>Motivo</th>
            <th>
              <span className="oculto">Administración</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {filas.map((fila) => (
            <tr key={fila.id}>
              <td>
                <Fecha valor={fila.createdAt} />
              </td>
              <td>
                <strong>{fila.que}</strong>
              </td>
              <td>
                <DeQue fila={fila} />
              </td>
              <td>
                {fila.alarma ? (
                  <Estatus tono="mal">Hay más de uno vigente</Estatus>
                ) : fila.tardia ? (
                  <Estatus tono="mal">Existe, y se dio por no hecho</Estatus>
                ) : fila.state === 'manual' ? (
                  <Estatus tono="mal">Espera una decisión</Estatus>
                ) : (
                  <Estatus tono="aviso">Se sigue buscando</Estatus>
                )}
              </td>
              <td>{fila.alarma ? foliosDe(fila.alarma).join(' y ') : (fila.reason ?? 'La respuesta se perdió.')}</td>
              <td className="acciones">
                <Link
                  className="boton"
                  to={`?ver=${fila.id}`}
                  preventScrollReset
                  aria-label={`Revisar: ${fila.que}, ${fila.asunto.texto}`}
                >
                  Revisar
                </Link>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type Alarma = NonNullable<Fila['alarma']>;
const foliosDe = ({ vigente, repetidas }: Alarma) =>
  [...(vigente ? [vigente] : []), ...repetidas].map(({ folio }) => folio);

/** What the call is about, whom it is for and how much it is. */
function DeQue({ fila: { asunto, rfc, total, emails } }: { fila: Fila }) {
  const area = useArea();
  return (
    <>
      {asunto.pantalla ? <a href={`${area}/${asunto.pantalla}`}>{asunto.texto}</a> : asunto.texto}
      <span className="nota bloque">
        {[rfc, emails].filter(Boolean).join(' · ')}
        {total && (
          <>
            {' '}
            <Pesos valor={total} />
          </>
        )}
      </span>
    </>
  );
}

const COMPRUEBA = {
  uuid: (fila: Fila) => `Busca «${fila.ref}» en ${fila.conexion} y decide`,
  done: (fila: Fila) =>
    fila.wire === 'SMTP'
      ? 'Comprueba si el destinatario lo recibió y decide'
      : `Comprueba en ${fila.conexion} si ya se hizo y decide`,
};

function Decision({ abierta, intentos }: { abierta: Fila; intentos: SerializeFrom<typeof loader>['intentos'] }) {
  return (
    <Dialog titulo={abierta.que} cerrar="?" ancho="grande">
      <p>
        <DeQue fila={abierta} />
      </p>
      {abierta.alarma ? (
        <Panel
          tono="mal"
          titulo={`factura.com tiene ${foliosDe(abierta.alarma).length} CFDI vigentes de esta solicitud: ${foliosDe(abierta.alarma).join(' y ')}.`}
        >
          {abierta.alarma.vigente
            ? `El de la venta es ${abierta.alarma.vigente.folio}. Cancela el que se repite.`
            : 'Cancela el que se repite y después busca otra vez.'}
        </Panel>
      ) : abierta.tardia ? (
        <Panel tono="mal" titulo="Sí existe del otro lado: la respuesta llegó cuando ya se había decidido que no.">
          Revisa que la venta no quede con dos, y cancela allá el que sobre.
        </Panel>
      ) : (
        <Panel tono="aviso" titulo={abierta.reason ?? 'La respuesta se perdió.'}>
          {abierta.detail}
        </Panel>
      )}
      {abierta.uuid && (
        <p>
          Folio fiscal que se conoce: <strong className="sin-corte">{abierta.uuid}</strong>
        </p>
      )}
      <h3>Lo que se sabe</h3>
      {intentos.length === 0 ? (
        <p className="nota">El proceso se interrumpió antes de registrar una respuesta.</p>
      ) : (
        <ol className="intentos">
          {intentos.map(({ id, at, kind, outcome, status, ms, message }) => (
            <li key={id}>
              <span className="nota sin-corte">
                <Fecha valor={at} />
              </span>
              <span>
                <strong>
                  {INTENTO[kind] ?? kind}
                  {outcome && `: ${RESULTADO[outcome] ?? outcome}`}
                </strong>
                <span className="nota">
                  {' '}
                  {[status !== null && `${abierta.wire} ${status}`, ms !== null && `${ms} ms`]
                    .filter(Boolean)
                    .join(', ')}
                </span>
                {message && <span className="bloque">{message}</span>}
              </span>
            </li>
          ))}
        </ol>
      )}
      {abierta.alarma && <ConRepetidas abierta={abierta} alarma={abierta.alarma} />}
      {abierta.tardia && abierta.state !== 'manual' && <Tardia abierta={abierta} />}
      {!abierta.alarma && (!abierta.tardia || abierta.state === 'manual') && <Opciones abierta={abierta} />}
    </Dialog>
  );
}

function ConRepetidas({ abierta, alarma }: { abierta: Fila; alarma: Alarma }) {
  return (
    <>
      {alarma.repetidas.map(({ uuid, folio, respuesta }) => (
        <Form method="post" className="decision" key={uuid}>
          <Hidden intent="repetida" effectId={abierta.id} huella={abierta.huella} repetida={uuid} />
          <p>
            <strong>{folio}</strong> <span className="nota sin-corte">{uuid}</span>
            {respuesta && <span className="nota bloque">{respuesta}</span>}
          </p>
          <div className="botones">
            <Confirm
              titulo={PREGUNTA.repetida.titulo}
              texto={`¿Confirmas que ${folio} sobra${alarma.vigente ? ` y que ${alarma.vigente.folio} es el de la venta` : ''}? Se pedirá su cancelación al SAT con el motivo 02 y no se puede deshacer.`}
            >
              Cancelar la repetida
            </Confirm>
          </div>
        </Form>
      ))}
    </>
  );
}

function Tardia({ abierta }: { abierta: Fila }) {
  return (
    <Form method="post" className="decision">
      <Hidden intent="entendido" effectId={abierta.id} huella={abierta.huella} />
      <div className="botones">
        <Confirm {...PREGUNTA.entendido}>Ya se atendió</Confirm>
      </div>
    </Form>
  );
}

function Opciones({ abierta }: { abierta: Fila }) {
  const errorUuid = useAnswer('existe')?.error?.uuid?.[0];
  return (
    <>
      <h3>{COMPRUEBA[abierta.says === 'uuid' ? 'uuid' : 'done'](abierta)}</h3>
      <Form method="post" className="decision">
        <SinEnter />
        <Hidden effectId={abierta.id} huella={abierta.huella} />
        {abierta.says === 'uuid' && (
          <div className="con-boton">
            <TextInput
              name="uuid"
              label="Folio fiscal (UUID)"
              placeholder={`Como aparece en ${abierta.conexion}`}
              error={errorUuid}
              aria-invalid={errorUuid ? true : undefined}
              autoComplete="off"
            />
            <Confirm name="intent" value="existe" {...PREGUNTA.existe}>
              Sí existe (capturar folio/UUID)
            </Confirm>
          </div>
        )}
        <div className="botones">
          {abierta.says === 'done' && (
            <Confirm name="intent" value="hecho" {...PREGUNTA.hecho}>
              Sí se hizo
            </Confirm>
          )}
          {abierta.seEnvia && (
            <Confirm name="intent" value="enviar" {...PREGUNTA.enviar}>
              Enviar otra vez
            </Confirm>
          )}
          {abierta.seBusca && (
            <Button type="submit" name="intent" value="otraVez" variant="default">
              Buscar otra vez
            </Button>
          )}
          <Confirm name="intent" value="noExiste" variant="default" {...PREGUNTA.noExiste}>
            No existe (permitir reintento)
          </Confirm>
        </div>
      </Form>
    </>
  );
}
