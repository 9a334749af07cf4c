import { parseWithZod } from '@conform-to/zod/v4';
import {
  data,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  type SerializeFrom,
} from '@remix-run/node';
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react';
import { Button, TextInput } from '@mantine/core';
import { z } from 'zod';
import { usuarioOf } from '~/access/session.server';
import { requireRight } from '~/access/actions';
import { useArea } from '~/access/useArea';
import { askFirst, isConfirmed } from '~/core/confirm';
import { cuenta } from '~/core/cuenta';
import { toWire } from '~/core/list';
import type { Answer, PendingConfirmation } from '~/core/submission';
import { invalid, submit } from '~/http/submit.server';
import { EFFECTS } from '~/domain/effectCatalog.server';
import { CONNECTIONS } from '~/domain/connections/registry.server';
import { effectRuntime } from '~/domain/effectRuntime.server';
import { dismissLateEvidence } from '~/domain/effects/late.server';
import {
  listAttempts,
  lookAgain,
  resolveAsAbsent,
  resolveAsExisting,
  sendAgain,
} from '~/domain/effects/resolve.server';
import { listMensajesSinSalir } from '~/domain/enlaces/mensajesSinSalir.server';
import { cancelarRepetida } from '~/domain/cancelacion/cancelRepetida.server';
import { facturasPorAtender } from '~/domain/cancelacion/porAtender.server';
import { listSinTimbrar } from '~/domain/publico/sinTimbrar.server';
import { readPendiente, readTablero } from '~/domain/mantenimiento/tablero.server';
import { EmptyState, PageHeader, Panel } from '~/ui/Blocks';
import { Confirm, ConfirmStep } from '~/ui/Confirm';
import { Dialog } from '~/ui/Dialog';
import { ErrorDialog } from '~/ui/ErrorDialog';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { Pesos } from '~/ui/Pesos';
import { db } from '~db/shared.server';
import { SinSalir } from '../facturacion/enlaces/SinSalir';
import { Correcciones } from '../catalogos/facturasClientes/PorAtender';

export const meta: MetaFunction = () => [{ title: 'Pendientes' }];

const Decidido = z.discriminatedUnion('intent', [
  z.object({
    intent: z.literal('existe'),
    effectId: z.uuid(),
    uuid: z
      .string({ error: 'Escribe el folio fiscal (UUID).' })
      .trim()
      .toUpperCase()
      .regex(
        /^[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}$/,
        'El folio fiscal tiene 36 caracteres, como 6F1C…-…-…-…-….',
      ),
  }),
  z.object({ intent: z.literal('hecho'), effectId: z.uuid() }),
  z.object({ intent: z.literal('otraVez'), effectId: z.uuid() }),
  z.object({ intent: z.literal('entendido'), effectId: z.uuid() }),
  z.object({ intent: z.literal('noExiste'), effectId: z.uuid() }),
  z.object({ intent: z.literal('enviar'), effectId: z.uuid() }),
  z.object({ intent: z.literal('repetida'), effectId: z.uuid(), repetida: z.uuid() }),
]);

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
const AVISO = {
  existe: 'Se está comprobando en el otro lado.',
  hecho: 'Se está comprobando en el otro lado.',
  otraVez: 'Se está buscando otra vez.',
  entendido: 'Quedó registrado.',
  noExiste: 'Se puede intentar otra vez.',
  enviar: 'Se está enviando otra vez.',
  repetida: 'Se está cancelando la repetida.',
};
const INTENTO: Record<string, string> = { send: 'Envío', find: 'Búsqueda', person: 'Decisión' };

export async function loader({ request }: LoaderFunctionArgs) {
  const ver = z.uuid().safeParse(new URL(request.url).searchParams.get('ver')).data;
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

export async function action({ request, context }: ActionFunctionArgs) {
  const usuario = usuarioOf(context);
  requireRight(usuario, 'pendientes.resolver');
  const form = await request.formData();
  const submission = parseWithZod(form, { schema: Decidido });
  if (submission.status !== 'success') return invalid(submission);
  const decision = submission.value;
  if (decision.intent !== 'otraVez' && !isConfirmed(form)) return data(askFirst(form, PREGUNTA[decision.intent]));
  return submit(
    submission,
    () =>
      decision.intent === 'noExiste'
        ? resolveAsAbsent(effectRuntime(db()), decision.effectId, usuario.id)
        : db()
            .transaction()
            .execute(async (trx) => {
              if (decision.intent === 'entendido') return dismissLateEvidence(trx, decision.effectId, usuario.id);
              if (decision.intent === 'enviar') return sendAgain(trx, EFFECTS, decision.effectId, usuario.id);
              if (decision.intent === 'repetida')
                return cancelarRepetida(trx, {
                  ...decision,
                  uuid: decision.repetida.toUpperCase(),
                  usuarioId: usuario.id,
                });
              if (decision.intent === 'otraVez') return lookAgain(trx, decision.effectId, usuario.id);
              return resolveAsExisting(
                trx,
                EFFECTS,
                decision.effectId,
                decision.intent === 'existe' ? decision.uuid : null,
                usuario.id,
              );
            }),
    '?',
    { aviso: AVISO[decision.intent] },
  );
}

type Fila = SerializeFrom<typeof loader>['filas'][number];

/** What no program can decide: a call whose answer was lost, with the evidence and what a person may say of it. */
export default function Pendientes() {
  const { filas, total, abierta, resuelta, intentos, correcciones, sinSalir, sinTimbrar } =
    useLoaderData<typeof loader>();
  const area = useArea();
  const respuesta = useActionData<typeof action>() as Answer | { confirmar: PendingConfirmation } | undefined;
  const confirmar = respuesta && 'confirmar' in respuesta ? respuesta.confirmar : undefined;
  const answer = respuesta && 'status' in respuesta ? respuesta : undefined;
  const rechazo = answer?.error?.['']?.[0];
  return (
    <>
      <PageHeader
        titulo="Pendientes"
        nota="Solicitudes a servicios externos cuya respuesta no se pudo leer sin duda. Nada de esto se repite hasta que alguien decida."
      />
      {rechazo && <ErrorDialog key={answer?.id} titulo={answer?.titulo ?? 'Aviso'} texto={rechazo} />}
      {confirmar && <ConfirmStep pending={confirmar} cancelar="?" />}
      {resuelta && !rechazo && (
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
      {abierta && !confirmar && <Decision abierta={abierta} intentos={intentos} errorUuid={answer?.error?.uuid?.[0]} />}
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

function Decision({
  abierta,
  intentos,
  errorUuid,
}: {
  abierta: Fila;
  intentos: SerializeFrom<typeof loader>['intentos'];
  errorUuid?: string;
}) {
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
      {!abierta.alarma && (!abierta.tardia || abierta.state === 'manual') && (
        <Opciones abierta={abierta} errorUuid={errorUuid} />
      )}
    </Dialog>
  );
}

function ConRepetidas({ abierta, alarma }: { abierta: Fila; alarma: Alarma }) {
  return (
    <>
      {alarma.repetidas.map(({ uuid, folio, respuesta }) => (
        <Form method="post" className="decision" key={uuid}>
          <input type="hidden" name="effectId" value={abierta.id} />
          <input type="hidden" name="repetida" value={uuid} />
          <p>
            <strong>{folio}</strong> <span className="nota sin-corte">{uuid}</span>
            {respuesta && <span className="nota bloque">{respuesta}</span>}
          </p>
          <div className="botones">
            <Confirm
              name="intent"
              value="repetida"
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
      <input type="hidden" name="effectId" value={abierta.id} />
      <div className="botones">
        <Confirm name="intent" value="entendido" {...PREGUNTA.entendido}>
          Ya se atendió
        </Confirm>
      </div>
    </Form>
  );
}

function Opciones({ abierta, errorUuid }: { abierta: Fila; errorUuid?: string }) {
  return (
    <>
      <h3>{COMPRUEBA[abierta.says === 'uuid' ? 'uuid' : 'done'](abierta)}</h3>
      <Form method="post" className="decision">
        <input type="hidden" name="effectId" value={abierta.id} />
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
