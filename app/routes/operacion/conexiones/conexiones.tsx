import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { screensOf } from '~/access/screens';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { Nada } from '~/core/fields';
import { ACTIVACION, activacionOf, activada } from '~/domain/mercados/activacion';
import { findCredential } from '~/platform/connections/credentials.server';
import { checkConnection, type ConnectionView, listConnections } from '~/platform/connections/list.server';
import { countRechazadas, judgeRechazadas } from '~/platform/connections/respuestas.server';
import { countSilencios, silencioDicho } from '~/platform/effects/silencios.server';
import { cuentaAws, readEventBridge } from '~/domain/mercados/amz/eventBridge.server';
import { listFuentes } from '~/domain/mercados/registro.server';
import { llavesOf } from '~/platform/connections/forms';
import { startOauth } from '~/platform/connections/oauth.server';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import { listPausadas } from '~/domain/personal/empresas.server';
import { readRemitente, saveRemitente } from '~/domain/ventas/envios/remitente.server';
import { RemitenteForm } from '~/domain/ventas/envios/forms';
import { AjustesForm } from '~/domain/facturacion/cfdi/forms';
import {
  huellaOfAjustes,
  readAjustesFacturacion,
  saveAjustesFacturacion,
} from '~/domain/facturacion/cfdi/ajustes.server';
import { BUS, linkKeys } from '~/domain/operacion/linkCatalog.server';
import { listLecturas } from '~/domain/compras/catalogo/lecturas.server';
import { listFreshness, listLastRuns } from '~/domain/sync/freshness.server';
import { UnAviso } from '~/domain/sync/avisoForm';
import { enqueueSyncsOf } from '~/domain/sync/syncVentas.server';
import { dismissUnread, listUnread, retryUnread } from '~/domain/sync/inboxUnread.server';
import { defineActions, outcome } from '~/http/actions.server';
import { PageHeader, Panel } from '~/ui/Blocks';
import { Icono } from '~/ui/Icono';
import { Asked, Refusal } from '~/ui/useAnswer';
import { db } from '~db/shared.server';
import { Pausadas } from './Pausadas';
import { EventBridgeCard } from './EventBridgeCard';
import { EnlacesCard } from './EnlacesCard';
import { Interruptores } from './Interruptores';
import { updateLlaves, KeysCard } from './KeysCard';
import { OauthCard } from './OauthCard';
import { RemitenteCard } from './RemitenteCard';
import { SettingsCard } from './SettingsCard';

/** Unread notices shown of a source; the rest is counted. */
const AVISOS = 20;
/** Returns the name of the far side that sells us labels; '' where no marketplace sells labels. */
const vendedorDeGuias = () => listFuentes().find(({ guias }) => guias)?.source ?? '';

export const meta: MetaFunction = () => [{ title: 'Activación de API' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const [conexiones, frescuras, ajustes, pausadas, lecturas, eventBridge, remitente, silencios, rechazadas] =
    await Promise.all([
      listConnections(db()),
      listFreshness(db()),
      readAjustesFacturacion(db()),
      listPausadas(db()),
      listLecturas(db()),
      readEventBridge(db()),
      readRemitente(db(), vendedorDeGuias()),
      countSilencios(db()),
      countRechazadas(db()),
    ]);
  return {
    ahora: new Date(),
    activacion: activacionOf(new URL(request.url).searchParams.get('activacion')),
    conexiones: conexiones.map((one) => {
      const isOf = ({ connection }: { connection: string }) => connection === one.kind && one.account === '';
      const silencio = silencios.filter(isOf).map(silencioDicho);
      const mas = [
        lecturas.get(one.kind) ?? [],
        silencio,
        rechazadas.filter(isOf).map((one) => judgeRechazadas(one).dicho),
      ].flat();
      return { ...one, seen: [...one.seen, ...mas] };
    }),
    fuentes: await Promise.all(
      frescuras.map(async (frescura) => ({
        frescura,
        corridas: await listLastRuns(db(), frescura.source),
        avisos: await listUnread(db(), AVISOS, frescura.source),
      })),
    ),
    ajustes: { ...ajustes, huella: huellaOfAjustes(ajustes) },
    pausadas,
    // Without an AWS account of ours there is nothing to link, and nothing is missing.
    eventBridge: cuentaAws() ? eventBridge : null,
    eventBridgeAbierto: new URL(request.url).searchParams.has('eventBridge'),
    // Without its account there is no address to send from.
    remitente: conexiones.some(({ kind, linked }) => kind === vendedorDeGuias() && linked !== null)
      ? { suyo: remitente ?? null }
      : null,
    puedeActivar: screensOf(usuarioOf(context).rol).some(([key]) => key === 'empresas'),
  };
}

/** Returns the far side that a form is about; null for a form about none. */
function sideOf({ context }: ActionFunctionArgs, { conexion }: Record<string, string>) {
  const side = conexion === undefined ? undefined : CONNECTIONS.find(conexion);
  return side && CONNECTIONS.isKind(side.kind) ? { ...side, kind: side.kind, sesion: context.sesion?.token } : null;
}
type Side = NonNullable<ReturnType<typeof sideOf>>;

/** Returns a far side of the registry; 404 where the side is unknown. */
function requireSide(side: Side | null): Side {
  if (!side) throw new Response(null, { status: 404 });
  return side;
}
function keysOf(side: Side | null) {
  const { link } = requireSide(side);
  const fields = link.type === 'settings' ? [] : (link.fields ?? []);
  if (fields.length === 0) throw new Response(null, { status: 404 });
  return llavesOf(fields);
}

/** How long the answer of a supplier to its keys is shown. */
const AVISO_LARGO_MS = 7_000;

export const action = defineActions(sideOf, {
  activar: {
    schema: Nada,
    right: 'conexiones.llaves',
    run: async (db, _, { id }, { opened }) => {
      const { kind, sesion } = requireSide(opened);
      return outcome({ to: await startOauth(db, kind, { id, sesion }) });
    },
  },
  vincularEB: {
    schema: Nada,
    right: 'conexiones.llaves',
    commit: (trx, _, usuario) => BUS.request(trx, usuario.id),
    to: '?eventBridge=1',
    aviso: 'Se pidió a Amazon.',
  },
  asociarEB: {
    schema: BUS.form,
    right: 'conexiones.llaves',
    commit: (trx, form, usuario) => BUS.associate(trx, form, usuario.id),
    to: '?eventBridge=1',
    aviso: 'El event bridge quedó asociado.',
  },
  probar: {
    schema: Nada,
    run: async (db, _, _usuario, { opened }) => {
      const { kind, label } = requireSide(opened);
      const problema = await checkConnection(db, kind);
      return outcome({
        aviso: problema === null ? `${label} responde.` : `${label}: ${problema}`,
        dura: AVISO_LARGO_MS,
      });
    },
    to: '?',
  },
  sincronizar: {
    schema: Nada,
    run: (db, _, _usuario, { opened }) => enqueueSyncsOf(db, requireSide(opened).kind),
    to: '?',
    aviso: 'La sincronización empezó.',
  },
  avisos: {
    schema: Nada,
    run: async (db, _, usuario) => {
      const avisos = await retryUnread(db, usuario.id);
      return outcome({
        aviso: avisos === 0 ? 'Ya no hay avisos sin leer.' : 'Los avisos se están leyendo otra vez.',
      });
    },
    to: '?',
  },
  descartarAviso: {
    schema: UnAviso,
    run: (db, { aviso }, usuario) => dismissUnread(db, aviso, usuario.id),
    to: '?',
    aviso: 'El aviso ya no se cuenta.',
  },
  ajustes: {
    schema: AjustesForm,
    run: (db, ajustes, usuario) => saveAjustesFacturacion(db, ajustes, usuario.id),
    to: '?',
    aviso: 'Éxito, la información fue guardada correctamente.',
  },
  remitente: {
    schema: RemitenteForm,
    commit: (trx, form, usuario) => saveRemitente(trx, vendedorDeGuias(), form, usuario.id),
    to: '?',
    aviso: 'El remitente quedó guardado.',
  },
  llaves: {
    schema: keysOf,
    right: 'conexiones.llaves',
    confirm: async (db, _llaves, _usuario, { opened }) =>
      (await findCredential(db, requireSide(opened).kind)) === null
        ? null
        : updateLlaves(requireSide(opened).label, null),
    run: async (db, llaves, usuario, { opened }) => {
      const side = requireSide(opened);
      await linkKeys(db, side, llaves, usuario.id);
      return outcome({ aviso: `El token de la empresa ${side.label} si existe.`, dura: AVISO_LARGO_MS });
    },
    to: '?',
  },
});

export default function Tokens() {
  const {
    ahora,
    activacion,
    conexiones,
    fuentes,
    ajustes,
    pausadas,
    eventBridge,
    eventBridgeAbierto,
    remitente,
    puedeActivar,
  } = useLoaderData<typeof loader>();
  const area = useArea();
  const cardOf = (conexion: ConnectionView) => {
    const { kind, link, linked } = conexion;
    const fuente = fuentes.find(({ frescura }) => frescura.source === kind);
    if (link.type === 'oauth')
      return (
        <OauthCard
          key={`${kind} ${linked?.version ?? 0}`}
          conexion={conexion}
          link={link}
          ventas={fuente ?? null}
          ahora={ahora}
        />
      );
    if (link.type === 'keys') return <KeysCard key={`${kind} ${linked?.version ?? 0}`} conexion={conexion} {...link} />;
    return <SettingsCard key={kind} conexion={conexion} {...link} />;
  };
  const cuentas = conexiones.filter(({ account }) => account === '');
  return (
    <div className="media">
      <PageHeader titulo="Activación de API" />
      <Asked cancelar="?" />
      {activacion && (
        <Panel tono={activada(activacion) ? 'ok' : 'mal'} titulo={ACTIVACION[activacion].titulo}>
          {ACTIVACION[activacion].texto}
        </Panel>
      )}
      {['activar', 'vincularEB', 'asociarEB', 'probar', 'sincronizar', 'avisos', 'descartarAviso'].map((intent) => (
        <Refusal key={intent} of={intent} />
      ))}
      <Pausadas pausadas={pausadas} area={area} puedeActivar={puedeActivar} />
      <nav className="botones" aria-label="Cuentas" style={{ justifyContent: 'flex-start', marginBlock: '0 12px' }}>
        {cuentas.map(({ kind, label, linked }) => (
          <a key={kind} className="boton" href={`#titulo-${kind}`}>
            {linked && <Icono nombre={linked.status === 'linked' ? 'hecho' : 'error'} />} {label}
          </a>
        ))}
      </nav>
      {cuentas.map(cardOf)}
      {eventBridge && <EventBridgeCard bridge={eventBridge} abierto={eventBridgeAbierto} />}
      {remitente && (
        <RemitenteCard key={`remitente ${remitente.suyo?.version ?? 'nuevo'}`} remitente={remitente.suyo} />
      )}
      <Interruptores conexiones={conexiones} ahora={ahora} />
      <EnlacesCard key={ajustes.huella} ajustes={ajustes} />
    </div>
  );
}
