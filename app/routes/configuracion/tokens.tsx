import { parseWithZod } from '@conform-to/zod/v4';
import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { screensOf } from '~/access/screens';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { isConfirmed } from '~/core/confirm';
import { NotAllowed } from '~/core/errors';
import { flash } from '~/http/flash.server';
import { invalid, refused, submit } from '~/http/submit.server';
import { ACTIVACION, activacionOf } from '~/domain/cuentas/activacion';
import { findCredential } from '~/domain/connections/credentials.server';
import { checkConnection, type ConnectionView, listConnections } from '~/domain/connections/list.server';
import { startOauth } from '~/domain/connections/oauth.server';
import { CONNECTIONS } from '~/domain/connections/registry.server';
import { listPausadas } from '~/domain/cuentas/empresas.server';
import { enqueueSync } from '~/domain/cuentas/mercadolibre.server';
import type { Usuario } from '~/domain/cuentas/usuario';
import { readAjustesFacturacion, saveAjustesFacturacion } from '~/domain/cfdi/ajustesFacturacion.server';
import { linkKeys } from '~/domain/linkCatalog.server';
import { listFreshness, listLastRuns } from '~/domain/sync/freshness.server';
import { dismissUnread, listUnread, retryUnread } from '~/domain/sync/inboxUnread.server';
import { PageHeader, Panel } from '~/ui/Blocks';
import { db } from '~db/shared.server';
import { Pausadas } from '../parts/conexiones/Pausadas';
import { AjustesForm, EnlacesCard } from './tokens/EnlacesCard';

import { Interruptores } from './tokens/Interruptores';
import { ACTUALIZAR, KeysCard, llavesOf } from './tokens/KeysCard';
import { OauthCard } from './tokens/OauthCard';
import { SettingsCard } from './tokens/SettingsCard';

/** Unread notices shown; the rest is counted. */
const AVISOS = 20;
const Descarte = z.object({ aviso: z.coerce.number().int().positive() });

export const meta: MetaFunction = () => [{ title: 'Activación de API' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const [conexiones, frescuras, avisos, ajustes, pausadas] = await Promise.all([
    listConnections(db()),
    listFreshness(db()),
    listUnread(db(), AVISOS),
    readAjustesFacturacion(db()),
    listPausadas(db()),
  ]);
  return {
    ahora: new Date(),
    activacion: activacionOf(new URL(request.url).searchParams.get('activacion')),
    conexiones,
    fuentes: await Promise.all(
      frescuras.map(async (frescura) => ({ frescura, corridas: await listLastRuns(db(), frescura.source) })),
    ),
    avisos,
    ajustes,
    pausadas,
    puedeActivar: screensOf(usuarioOf(context).rol).some(([key]) => key === 'empresas'),
  };
}

/** The far side a form is about; 404 for one that is not of the registry. */
function sideOf(form: FormData) {
  const kind = form.get('conexion');
  const side = typeof kind === 'string' ? CONNECTIONS.find(kind) : undefined;
  if (!side || !CONNECTIONS.isKind(side.kind)) throw new Response(null, { status: 404 });
  return { ...side, kind: side.kind };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const usuario = usuarioOf(context);
  const form = await request.formData();
  switch (form.get('intent')) {
    case 'activar':
      return redirect(await startOauth(db(), sideOf(form).kind, usuario));
    case 'probar': {
      const { kind, label } = sideOf(form);
      const problema = await checkConnection(db(), kind);
      const texto = problema === null ? `${label} responde.` : `${label}: ${problema}`;
      return redirect('?', { headers: { 'Set-Cookie': await flash(texto) } });
    }
    case 'sincronizar':
      await enqueueSync(db());
      return redirect('?', { headers: { 'Set-Cookie': await flash('La sincronización empezó.') } });
    case 'avisos': {
      const avisos = await retryUnread(db(), usuario.id);
      return redirect('?', {
        headers: {
          'Set-Cookie': await flash(
            avisos === 0 ? 'Ya no hay avisos sin leer.' : 'Los avisos se están leyendo otra vez.',
          ),
        },
      });
    }
    case 'descartarAviso': {
      const submission = parseWithZod(form, { schema: Descarte });
      if (submission.status !== 'success') return invalid(submission, { formId: 'avisos' });
      return submit(submission, () => dismissUnread(db(), submission.value.aviso, usuario.id), '?', {
        formId: 'avisos',
        aviso: 'El aviso ya no se cuenta.',
      });
    }
    case 'ajustes': {
      const submission = parseWithZod(form, { schema: AjustesForm });
      if (submission.status !== 'success') return invalid(submission, { formId: 'ajustes' });
      return submit(submission, () => saveAjustesFacturacion(db(), submission.value, usuario.id), '?', {
        formId: 'ajustes',
        aviso: 'Éxito, la información fue guardada correctamente.',
      });
    }
    default:
      return saveLlaves(form, usuario);
  }
}

async function saveLlaves(form: FormData, usuario: Usuario) {
  const side = sideOf(form);
  if (side.link.type !== 'keys') throw new Response(null, { status: 404 });
  const submission = parseWithZod(form, { schema: llavesOf(side.link.fields) });
  const reply = { formId: side.kind, hideFields: side.link.fields.map(({ name }) => name) };
  if (submission.status !== 'success') return invalid(submission, reply);
  const exists = (await findCredential(db(), side.kind)) !== null;
  if (exists && !isConfirmed(form))
    return refused(submission, new NotAllowed(ACTUALIZAR.titulo, ACTUALIZAR.texto), reply);
  return submit(submission, () => linkKeys(db(), side, submission.value, usuario.id), '?', {
    ...reply,
    aviso: `El token de la empresa ${side.label} si existe.`,
  });
}

export default function Tokens() {
  const { ahora, activacion, conexiones, fuentes, avisos, ajustes, pausadas, puedeActivar } =
    useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const area = useArea();
  const cardOf = (conexion: ConnectionView) => {
    const { kind, link, linked } = conexion;
    const fuente = fuentes.find(({ frescura }) => frescura.source === kind);
    if (link.type === 'oauth')
      return <OauthCard key={kind} conexion={conexion} ventas={fuente ? { ...fuente, avisos } : null} ahora={ahora} />;
    if (link.type === 'keys')
      return (
        <KeysCard key={`${kind} ${linked?.version ?? 0}`} conexion={conexion} fields={link.fields} answer={answer} />
      );
    return <SettingsCard key={kind} conexion={conexion} {...link} />;
  };
  return (
    <div className="media">
      <PageHeader titulo="Activación de API" />
      {activacion && (
        <Panel tono={activacion === 'lista' ? 'ok' : 'mal'} titulo={ACTIVACION[activacion].titulo}>
          {ACTIVACION[activacion].texto}
        </Panel>
      )}
      <Pausadas pausadas={pausadas} area={area} puedeActivar={puedeActivar} />
      {conexiones.filter(({ account }) => account === '').map(cardOf)}
      <Interruptores conexiones={conexiones} ahora={ahora} />
      <EnlacesCard ajustes={ajustes} answer={answer} />
    </div>
  );
}
