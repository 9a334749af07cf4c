import { parseWithZod } from '@conform-to/zod/v4';
import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react';
import { TextInput } from '@mantine/core';
import { z } from 'zod';
import { usuarioOf } from '~/access/session.server';
import { requireRight } from '~/access/actions';
import { askFirst, isConfirmed, type PendingConfirmation } from '~/core/confirm';
import type { Answer } from '~/core/submission';
import { invalid, submit } from '~/core/submit.server';
import { EFFECTS } from '~/domain/effectCatalog.server';
import { CONNECTIONS } from '~/domain/effects/connections.server';
import type { ConnectionName } from '~/domain/effects/definition';
import { listAttempts, listUnresolved, lookAgain, resolveAsAbsent, resolveAsExisting } from '~/domain/effects/resolve.server';
import { EmptyState, PageHeader, Panel } from '~/ui/Blocks';
import { Confirm, ConfirmStep } from '~/ui/Confirm';
import { Dialog } from '~/ui/Dialog';
import { ErrorDialog } from '~/ui/ErrorDialog';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { db } from '~db/shared.server';

export const meta: MetaFunction = () => [{ title: 'Pendientes' }];

const Decision = z.discriminatedUnion('intent', [
  z.object({
    intent: z.literal('existe'),
    effectId: z.uuid(),
    uuid: z.string({ error: 'Escribe el folio fiscal (UUID).' }).trim().toUpperCase()
      .regex(/^[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}$/, 'El folio fiscal tiene 36 caracteres, como 6F1C…-…-…-…-….'),
  }),
  z.object({ intent: z.literal('hecho'), effectId: z.uuid() }),
  z.object({ intent: z.literal('otraVez'), effectId: z.uuid() }),
  z.object({ intent: z.literal('noExiste'), effectId: z.uuid() }),
]);

const PREGUNTA = {
  existe: { titulo: 'Sí existe', texto: 'Se leerá del PAC y se comparará con lo que se pidió antes de darla por hecha. ¿Continuar?' },
  hecho: { titulo: 'Sí se hizo', texto: '¿Confirmas que sí se hizo? Queda registrado con tu nombre.' },
  noExiste: { titulo: 'No existe', texto: '¿Confirmas que revisaste y no existe? Podrá intentarse otra vez. Queda registrado con tu nombre.' },
} as const;

const RESULTADO: Record<string, string> = {
  answered: 'Contestó', refused: 'Rechazó', account: 'Problema con la cuenta', 'not-sent': 'No se envió', unclear: 'Respuesta no clara', found: 'Encontrado', absent: 'No está',
};
const AVISO = { existe: 'Se está comprobando en el otro lado.', hecho: 'Se está comprobando en el otro lado.', otraVez: 'Se está buscando otra vez.', noExiste: 'Se puede intentar otra vez.' };
const INTENTO: Record<string, string> = { send: 'Envío', find: 'Búsqueda', person: 'Decisión' };

export async function loader({ request }: LoaderFunctionArgs) {
  const ver = new URL(request.url).searchParams.get('ver');
  const filas = (await listUnresolved(db())).map((fila) => {
    const kind = EFFECTS.get(fila.type);
    return { ...fila, asunto: kind?.label ?? fila.type, conexion: CONNECTIONS[fila.connection as ConnectionName].label, says: kind?.byHand?.says ?? null, seBusca: kind?.find !== undefined };
  });
  const abierta = filas.find(({ id }) => id === ver) ?? null;
  return { filas, abierta, intentos: abierta ? await listAttempts(db(), abierta.id) : [] };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const usuario = usuarioOf(context);
  requireRight(usuario, 'pendientes.resolver');
  const form = await request.formData();
  const submission = parseWithZod(form, { schema: Decision });
  if (submission.status !== 'success') return invalid(submission);
  const decision = submission.value;
  if (decision.intent !== 'otraVez' && !isConfirmed(form)) return data(askFirst(form, PREGUNTA[decision.intent]));
  return submit(
    submission,
    () => db().transaction().execute(async (trx) => {
      if (decision.intent === 'noExiste') return resolveAsAbsent(trx, EFFECTS, decision.effectId, usuario.id);
      if (decision.intent === 'otraVez') return lookAgain(trx, decision.effectId, usuario.id);
      return resolveAsExisting(trx, EFFECTS, decision.effectId, decision.intent === 'existe' ? decision.uuid : null, usuario.id);
    }),
    '?',
    { aviso: AVISO[decision.intent] },
  );
}

/** What no program can decide: a call whose answer was lost, with the evidence and two buttons. */
export default function Pendientes() {
  const { filas, abierta, intentos } = useLoaderData<typeof loader>();
  const respuesta = useActionData<typeof action>() as Answer | { confirmar: PendingConfirmation } | undefined;
  const confirmar = respuesta && 'confirmar' in respuesta ? respuesta.confirmar : undefined;
  const answer = respuesta && 'status' in respuesta ? respuesta : undefined;
  const errorUuid = answer?.error?.uuid?.[0];
  const rechazo = answer?.error?.['']?.[0];
  return (
    <>
      <PageHeader titulo="Pendientes" nota="Solicitudes a servicios externos cuya respuesta no se pudo leer sin duda. Nada de esto se repite hasta que alguien decida." />
      {rechazo && <ErrorDialog key={answer?.id} titulo={answer?.titulo ?? 'Aviso'} texto={rechazo} />}
      {confirmar && <ConfirmStep pending={confirmar} cancelar="?" />}
      {filas.length === 0 ? <div className="hoja"><EmptyState>No hay nada pendiente de decidir.</EmptyState></div> : (
        <div className="tabla-caja">
          <table className="tabla">
            <thead><tr><th>Fecha</th><th>Asunto</th><th>Referencia</th><th>Servicio</th><th>Estado</th><th>Motivo</th><th><span className="oculto">Administración</span></th></tr></thead>
            <tbody>
              {filas.map((fila) => (
                <tr key={fila.id}>
                  <td><Fecha valor={fila.createdAt} /></td>
                  <td>{fila.asunto}</td>
                  <td>{fila.ref}</td>
                  <td>{fila.conexion}</td>
                  <td>{fila.state === 'manual' ? <Estatus tono="mal">Espera una decisión</Estatus> : <Estatus tono="aviso">Se sigue buscando</Estatus>}</td>
                  <td>{fila.reason ?? 'La respuesta se perdió.'}</td>
                  <td className="acciones"><Link className="boton" to={`?ver=${fila.id}`} preventScrollReset>Revisar</Link></td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {abierta && !confirmar && (
        <Dialog titulo={`${abierta.asunto} · ${abierta.ref}`} cerrar="?" ancho="grande">
          <Panel tono="aviso" titulo={abierta.reason ?? 'La respuesta se perdió.'}>{abierta.detail}</Panel>
          <h3>Lo que se sabe</h3>
          <div className="tabla-caja">
            <table className="tabla">
              <thead><tr><th>Fecha</th><th>Qué</th><th>Resultado</th><th className="num">HTTP</th><th className="num">ms</th><th>Mensaje</th></tr></thead>
              <tbody>
                {intentos.map((intento) => (
                  <tr key={intento.id}>
                    <td><Fecha valor={intento.at} /></td>
                    <td>{INTENTO[intento.kind] ?? intento.kind}</td>
                    <td>{RESULTADO[intento.outcome ?? ''] ?? intento.outcome}</td>
                    <td className="num">{intento.status ?? '—'}</td>
                    <td className="num">{intento.ms ?? '—'}</td>
                    <td>{intento.message}</td>
                  </tr>
                ))}
                {intentos.length === 0 && <tr><td colSpan={6} className="vacio">El proceso se interrumpió antes de registrar una respuesta.</td></tr>}
              </tbody>
            </table>
          </div>
          <h3>Busca «{abierta.ref}» en {abierta.conexion} y decide</h3>
          <Form method="post" className="decision">
            <input type="hidden" name="effectId" value={abierta.id} />
            {abierta.says === 'uuid' ? (
              <>
                <TextInput name="uuid" label="Folio fiscal (UUID)" placeholder="Como aparece en factura.com" error={errorUuid} aria-invalid={errorUuid ? true : undefined} autoComplete="off" />
                <Confirm name="intent" value="existe" {...PREGUNTA.existe}>Sí existe (capturar folio/UUID)</Confirm>
              </>
            ) : abierta.says === 'done' && <Confirm name="intent" value="hecho" {...PREGUNTA.hecho}>Sí se hizo</Confirm>}
            {abierta.seBusca && <button type="submit" name="intent" value="otraVez" className="boton">Buscar otra vez</button>}
            <Confirm name="intent" value="noExiste" variant="default" {...PREGUNTA.noExiste}>No existe (permitir reintento)</Confirm>
          </Form>
        </Dialog>
      )}
    </>
  );
}
