import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { screensOf } from '~/access/screens';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { Nada } from '~/core/fields';
import { ACTIVACION, activacionOf, activada } from '~/domain/mercados/activacion';
import { findCredential } from '~/platform/connections/credentials.server';
import { listConnections, testConnection } from '~/platform/connections/list.server';
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
import { Asked, Refusal } from '~/ui/useAnswer';
import { db } from '~db/shared.server';
import { ComoResponde } from './ComoResponde';
import { empresaTo, Pausadas } from './Pausadas';
import { EVENT_BRIDGE, EventBridgeCard } from './EventBridgeCard';
import { ENLACES, EnlacesCard } from './EnlacesCard';
import { Estados } from './Estados';
import { updateLlaves, KeysCard } from './KeysCard';
import { OauthCard } from './OauthCard';
import { REMITENTE, RemitenteCard } from './RemitenteCard';
import { SettingsCard } from './SettingsCard';
import { type Vista, vistaOf } from './situacion';
import { abrirTo, Tarjeta, useAbierta } from './Tarjeta';
import './conexiones.css';

/** Unread notices shown of a source; the rest is counted. */
const AVISOS = 20;
/** Returns the name of the far side that sells us labels; '' where no marketplace sells labels. */
const vendedorDeGuias = () => listFuentes().find(({ guias }) => guias)?.source ?? '';

export const meta: MetaFunction = () => [{ title: 'Activación de API' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const [leidas, frescuras, ajustes, pausadas, lecturas, eventBridge, remitente, silencios, rechazadas] =
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
  const { searchParams } = new URL(request.url);
  const activacion = activacionOf(searchParams.get('activacion'));
  const conexiones = leidas.map((one) => {
    const isOf = ({ connection }: { connection: string }) => connection === one.kind && one.account === '';
    const silencio = silencios.filter(isOf).map(silencioDicho);
    const mas = [
      lecturas.get(one.kind) ?? [],
      silencio,
      rechazadas.filter(isOf).map((one) => judgeRechazadas(one).dicho),
    ].flat();
    return vistaOf({ ...one, seen: [...one.seen, ...mas] });
  });
  return {
    ahora: new Date(),
    activacion,
    conexiones,
    abierta:
      searchParams.get('abrir') ??
      abiertaOf(conexiones, searchParams.has('eventBridge'), activacion !== undefined && activada(activacion)),
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
    eventBridgeAbierto: searchParams.has('eventBridge'),
    // Without its account there is no address to send from.
    remitente: leidas.some(({ kind, linked }) => kind === vendedorDeGuias() && linked !== null)
      ? { suyo: remitente ?? null }
      : null,
    puedeActivar: screensOf(usuarioOf(context).rol).some(([key]) => key === 'empresas'),
  };
}

const EVENT_BRIDGE_TO = `${abrirTo(EVENT_BRIDGE)}&eventBridge=1`;

/** Returns the card that is open where the address names none: of what was just activated, else the first that needs somebody; '' for none. */
function abiertaOf(conexiones: readonly Vista[], eventBridge: boolean, recien: boolean): string {
  if (eventBridge) return EVENT_BRIDGE;
  const linked = conexiones.filter(({ link, linked }) => link.type === 'oauth' && linked !== null);
  const [ultima] = recien ? linked.toSorted((a, b) => b.linked!.linkedAt.getTime() - a.linked!.linkedAt.getTime()) : [];
  return (ultima ?? conexiones.find((one) => one.account === '' && one.situacion.urge))?.kind ?? '';
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
    to: EVENT_BRIDGE_TO,
    aviso: 'Se pidió a Amazon.',
  },
  asociarEB: {
    schema: BUS.form,
    right: 'conexiones.llaves',
    commit: (trx, form, usuario) => BUS.associate(trx, form, usuario.id),
    to: EVENT_BRIDGE_TO,
    aviso: 'El event bridge quedó asociado.',
  },
  probar: {
    schema: Nada,
    run: async (db, _, { id }, { opened }) => {
      const { kind, label } = requireSide(opened);
      const problema = await testConnection(db, kind, id);
      return outcome({
        aviso: problema === null ? `${label} responde.` : `${label}: ${problema}`,
        dura: AVISO_LARGO_MS,
      });
    },
  },
  sincronizar: {
    schema: Nada,
    run: (db, _, _usuario, { opened }) => enqueueSyncsOf(db, requireSide(opened).kind),
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
  },
  descartarAviso: {
    schema: UnAviso,
    run: (db, { aviso }, usuario) => dismissUnread(db, aviso, usuario.id),
    aviso: 'El aviso ya no se cuenta.',
  },
  ajustes: {
    schema: AjustesForm,
    run: (db, ajustes, usuario) => saveAjustesFacturacion(db, ajustes, usuario.id),
    aviso: 'Éxito, la información fue guardada correctamente.',
  },
  remitente: {
    schema: RemitenteForm,
    commit: (trx, form, usuario) => saveRemitente(trx, vendedorDeGuias(), form, usuario.id),
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
  },
});

export default function Tokens() {
  const {
    ahora,
    activacion,
    conexiones,
    abierta,
    fuentes,
    ajustes,
    pausadas,
    eventBridge,
    eventBridgeAbierto,
    remitente,
    puedeActivar,
  } = useLoaderData<typeof loader>();
  const area = useArea();
  const abiertas = useAbierta(abierta);
  const contentOf = (conexion: Vista) => {
    const { kind, link, linked, situacion } = conexion;
    const key = `${kind} ${linked?.version ?? 0}`;
    if (link.type === 'oauth')
      return (
        <OauthCard
          key={key}
          conexion={conexion}
          link={link}
          ventas={fuentes.find(({ frescura }) => frescura.source === kind) ?? null}
          situacion={situacion}
          ahora={ahora}
        />
      );
    if (link.type === 'keys')
      return <KeysCard key={key} conexion={conexion} {...link} principal={situacion.principal === 'llaves'} />;
    return <SettingsCard {...link} />;
  };
  const empresas = puedeActivar
    ? Object.fromEntries(pausadas.map(({ conexion, nombre }) => [conexion, empresaTo(area, nombre)]))
    : {};
  return (
    <div className="media">
      <PageHeader titulo="Activación de API" />
      <Asked cancelar={abrirTo(abiertas.abierta)} />
      {activacion && (
        <Panel tono={activada(activacion) ? 'ok' : 'mal'} titulo={ACTIVACION[activacion].titulo}>
          {ACTIVACION[activacion].texto}
        </Panel>
      )}
      {['activar', 'vincularEB', 'asociarEB', 'probar', 'sincronizar', 'avisos', 'descartarAviso'].map((intent) => (
        <Refusal key={intent} of={intent} />
      ))}
      <Estados conexiones={conexiones} empresas={empresas} />
      {conexiones.map((conexion) => {
        if (conexion.account !== '') return null;
        const { kind, label, hace, situacion } = conexion;
        return (
          <Tarjeta key={kind} id={kind} titulo={label} {...situacion} abiertas={abiertas}>
            <p className="nota">Hace: {hace.join(', ')}.</p>
            <Pausadas
              pausadas={pausadas.filter((una) => una.conexion === kind)}
              area={area}
              puedeActivar={puedeActivar}
              principal
            />
            {situacion.motivo !== null && (
              <Panel tono={situacion.tono === 'aviso' ? 'aviso' : 'mal'} titulo={situacion.dice}>
                {situacion.motivo}
              </Panel>
            )}
            <ComoResponde conexion={conexion} ahora={ahora} />
            {contentOf(conexion)}
          </Tarjeta>
        );
      })}
      {eventBridge && (
        <Tarjeta
          id={EVENT_BRIDGE}
          titulo="Event bridge de Amazon"
          tono={eventBridge.arn === null ? 'neutro' : 'ok'}
          dice={eventBridge.arn === null ? 'Sin vincular' : 'Vinculado'}
          abiertas={abiertas}
        >
          <EventBridgeCard bridge={eventBridge} abierto={eventBridgeAbierto} />
        </Tarjeta>
      )}
      {remitente && (
        <Tarjeta
          id={REMITENTE}
          titulo="Remitente de las guías de Amazon"
          tono={remitente.suyo ? 'ok' : 'neutro'}
          dice={remitente.suyo ? 'Guardado' : 'Sin guardar'}
          abiertas={abiertas}
        >
          <RemitenteCard key={`remitente ${remitente.suyo?.version ?? 'nuevo'}`} remitente={remitente.suyo} />
        </Tarjeta>
      )}
      <Tarjeta
        id={ENLACES}
        titulo="Facturación por el cliente"
        tono="neutro"
        dice={`Enlaces de ${ajustes.enlaceDias} días`}
        abiertas={abiertas}
      >
        <EnlacesCard key={ajustes.huella} ajustes={ajustes} />
      </Tarjeta>
    </div>
  );
}
