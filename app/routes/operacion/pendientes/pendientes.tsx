import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { useArea } from '~/access/useArea';
import { writeCount } from '~/core/count';
import { Id } from '~/core/fields';
import { toWire } from '~/core/list';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { effectRuntime } from '~/domain/operacion/effectRuntime.server';
import {
  BuscarOtraVez,
  Decision as DecisionForm,
  DecisionConFolio,
  DecisionConUuid,
  DecisionRepetida,
} from '~/platform/effects/forms';
import { readDudosa, withRechazo } from '~/platform/effects/rechazos.server';
import { dismissLateEvidence } from '~/platform/effects/late.server';
import {
  listAttempts,
  lookAgain,
  requireDecisionVista,
  resolveAsAbsent,
  resolveAsExisting,
  sendAgain,
} from '~/platform/effects/resolve.server';
import { listMensajesSinSalir } from '~/domain/facturacion/enlaces/enlaceEnvios.server';
import { acceptCancelRepetida } from '~/domain/facturacion/cancelacion/cancelRepetida.server';
import { facturasPorAtender } from '~/domain/facturacion/cancelacion/porAtender.server';
import { listSinTimbrar } from '~/domain/facturacion/publico/sinTimbrar.server';
import { readPendiente, readTablero } from '~/domain/operacion/mantenimiento/tablero.server';
import { defineActions } from '~/http/actions.server';
import { readQuery } from '~/http/readForm.server';
import { EmptyState, PageHeader } from '~/ui/Blocks';
import { Asked, Refusal } from '~/ui/useAnswer';
import { useDicho } from '~/ui/useDicho';
import type { Db } from '~db/client.server';
import { db } from '~db/shared.server';
import { SinSalir } from '~/routes/facturacion/enlaces/SinSalir';
import { Correcciones } from '~/routes/facturacion/facturas/PorAtender';
import { Decision } from './Decision';
import type { Leida, Pendiente } from './pendiente';
import { askCancelRepetida as preguntaDeRepetida, questionOf } from './questions';
import { SinTimbrar } from './SinTimbrar';
import { Tablero } from './Tablero';
import { useSiguiente } from './useSiguiente';

export const meta: MetaFunction = () => [{ title: 'Pendientes' }];

const Abierta = z.object({ ver: Id.optional().catch(undefined) });

export async function loader({ request }: LoaderFunctionArgs) {
  const { ver } = readQuery(request, Abierta);
  const [{ filas, total }, abierta, intentos, dudosa, correcciones, sinSalir, sinTimbrar] = await Promise.all([
    readTablero(db(), EFFECTS),
    ver ? readPendiente(db(), EFFECTS, ver) : null,
    ver ? listAttempts(db(), ver) : [],
    ver ? readDudosa(db(), ver) : null,
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
    dudosa,
    correcciones: toWire(correcciones),
    sinSalir: await withRechazo(db(), sinSalir),
    sinTimbrar: await withRechazo(db(), sinTimbrar),
  };
}

/** Returns a call in the words of its kind. */
function named(fila: Leida): Pendiente {
  const [kind, side] = [EFFECTS.get(fila.type), CONNECTIONS.find(fila.connection)];
  return {
    ...fila,
    que: kind?.label ?? fila.type,
    conexion: side?.label ?? fila.connection,
    wire: side?.wire ?? 'HTTP',
    says: kind?.byHand?.says ?? null,
    llama: (kind?.byHand?.says === 'folio' && kind.byHand.llama) || null,
    seBusca: kind?.find !== undefined,
    seEnvia: fila.sinRastro && kind?.mayRepeat !== undefined,
    seCancela: kind?.cancelaRepetida === true,
    sinMirada: kind?.sinMirada ?? null,
  };
}

/** Builds a question about the request of a form. The command refuses a request that waits for nobody any more. */
const sobre =
  (decision: Parameters<typeof questionOf>[0]) =>
  async (db: Db, { effectId }: { effectId: string }) => {
    const abierta = await readPendiente(db, EFFECTS, effectId);
    return abierta && questionOf(decision, named(abierta));
  };

const right = 'pendientes.resolver';
const COMPROBANDO = 'Se está comprobando en el otro lado.';

export const action = defineActions({
  existe: {
    schema: DecisionConUuid,
    right,
    termina: true,
    confirm: sobre('existe'),
    commit: async (trx, decision, { id }) => {
      await requireDecisionVista(trx, decision);
      await resolveAsExisting(trx, EFFECTS, decision.effectId, decision.uuid, id);
    },
    to: '?',
    aviso: COMPROBANDO,
  },
  conFolio: {
    schema: DecisionConFolio,
    right,
    termina: true,
    confirm: sobre('conFolio'),
    commit: async (trx, decision, { id }) => {
      await requireDecisionVista(trx, decision);
      await resolveAsExisting(trx, EFFECTS, decision.effectId, decision.folio, id);
    },
    to: '?',
    aviso: COMPROBANDO,
  },
  hecho: {
    schema: DecisionForm,
    right,
    termina: true,
    confirm: sobre('hecho'),
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
    termina: true,
    confirm: sobre('noExiste'),
    run: (db, { effectId, huella }, { id }) => resolveAsAbsent(effectRuntime(db), effectId, id, huella),
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
    termina: true,
    confirm: sobre('enviar'),
    commit: async (trx, decision, { id }) => {
      await requireDecisionVista(trx, decision);
      await sendAgain(trx, EFFECTS, decision.effectId, id);
    },
    to: '?',
    aviso: 'Se está enviando otra vez.',
  },
  repetida: {
    schema: DecisionRepetida,
    right: 'facturas.cancelar',
    termina: true,
    confirm: async (db, { effectId, repetida }) => {
      const abierta = await readPendiente(db, EFFECTS, effectId);
      return abierta && preguntaDeRepetida(named(abierta), repetida);
    },
    commit: async (trx, { repetida, ...decision }, { id: usuarioId }) => {
      await requireDecisionVista(trx, decision);
      return acceptCancelRepetida(trx, { effectId: decision.effectId, uuid: repetida.toUpperCase(), usuarioId });
    },
    to: '?',
    aviso: 'Se está cancelando la repetida.',
  },
  entendido: {
    schema: DecisionForm,
    right,
    termina: true,
    confirm: sobre('entendido'),
    commit: async (trx, decision, { id }) => {
      await requireDecisionVista(trx, decision);
      await dismissLateEvidence(trx, decision.effectId, id);
    },
    to: '?',
    aviso: 'Quedó registrado.',
  },
});
const DECISIONES = ['existe', 'conFolio', 'hecho', 'noExiste', 'otraVez', 'enviar', 'repetida', 'entendido'];

/** The screen of calls whose answer was lost, with the evidence and the decisions a person may take. */
export default function Pendientes() {
  const { filas, total, abierta, resuelta, intentos, dudosa, correcciones, sinSalir, sinTimbrar } =
    useLoaderData<typeof loader>();
  const area = useArea();
  const answer = useDicho();
  useSiguiente(area, filas, abierta);
  const rechazada = answer?.status === 'error';
  return (
    <>
      <PageHeader
        titulo="Pendientes"
        nota="Solicitudes a servicios externos cuya respuesta no se pudo leer sin duda. Nada de esto se repite hasta que alguien decida."
      />
      {DECISIONES.map((decision) => (
        <Refusal key={decision} of={decision} titulo="Aviso" shown={['uuid', 'folio']} />
      ))}
      <Asked cancelar="?" />
      {resuelta && !rechazada && (
        <p className="nota" role="status">
          Esta solicitud ya no espera una decisión.
        </p>
      )}
      {total > filas.length && (
        <p className="nota">
          Se ven las {writeCount(filas.length)} más antiguas de {writeCount(total)}. Las demás aparecen conforme se
          deciden.
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
      {abierta && !answer?.confirmar && <Decision abierta={abierta} intentos={intentos} dudosa={dudosa} />}
    </>
  );
}
