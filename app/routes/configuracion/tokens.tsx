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
import { listPausadas } from '~/domain/cuentas/empresas.server';
import { enqueueSync, startLink } from '~/domain/cuentas/mercadolibre.server';
import type { Usuario } from '~/domain/cuentas/usuario';
import { readAjustesFacturacion, saveAjustesFacturacion } from '~/domain/cfdi/ajustesFacturacion.server';
import { readCuentaPac } from '~/domain/connections/cuentaPac.server';
import { linkFacturacom } from '~/domain/cfdi/emisor.server';
import { listFreshness, listLastRuns } from '~/domain/sync/freshness.server';
import { dismissUnread, listUnread, retryUnread } from '~/domain/sync/inboxUnread.server';
import { PageHeader, Panel } from '~/ui/Blocks';
import { db } from '~db/shared.server';
import { Pausadas } from '../parts/conexiones/Pausadas';
import { AjustesForm, EnlacesCard } from './tokens/EnlacesCard';
import { ACTUALIZAR, FacturacomCard, Llaves } from './tokens/FacturacomCard';
import { MercadolibreCard } from './tokens/MercadolibreCard';

/** Unread notices shown; the rest is counted. */
const AVISOS = 20;
const Descarte = z.object({ aviso: z.coerce.number().int().positive() });

export const meta: MetaFunction = () => [{ title: 'Activación de API' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const [mercadolibre, facturacom, [frescura], corridas, avisos, ajustes, pausadas, cuentaPac] = await Promise.all([
    findCredential(db(), 'mercadolibre'),
    findCredential(db(), 'facturacom'),
    listFreshness(db()),
    listLastRuns(db(), 'mercadolibre'),
    listUnread(db(), AVISOS),
    readAjustesFacturacion(db()),
    listPausadas(db()),
    readCuentaPac(db()),
  ]);
  return {
    ahora: new Date(),
    activacion: activacionOf(new URL(request.url).searchParams.get('activacion')),
    mercadolibre,
    facturacom,
    cuentaPac,
    frescura: frescura!,
    corridas,
    avisos,
    ajustes,
    pausadas,
    puedeActivar: screensOf(usuarioOf(context).rol).some(([key]) => key === 'empresas'),
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const usuario = usuarioOf(context);
  const form = await request.formData();
  switch (form.get('intent')) {
    case 'activar':
      return redirect(await startLink(db(), usuario));
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
  const submission = parseWithZod(form, { schema: Llaves });
  const reply = { formId: 'facturacom', hideFields: ['apiKey', 'secret'] };
  if (submission.status !== 'success') return invalid(submission, reply);
  const exists = (await findCredential(db(), 'facturacom')) !== null;
  if (exists && !isConfirmed(form))
    return refused(submission, new NotAllowed(ACTUALIZAR.titulo, ACTUALIZAR.texto), reply);
  const { apiKey, secret } = submission.value;
  return submit(submission, () => linkFacturacom(db(), { apiKey, secret, usuarioId: usuario.id }), '?', {
    ...reply,
    aviso: `El token de la empresa factura.com si existe.`,
  });
}

export default function Tokens() {
  const {
    ahora,
    activacion,
    mercadolibre,
    facturacom,
    cuentaPac,
    frescura,
    corridas,
    avisos,
    ajustes,
    pausadas,
    puedeActivar,
  } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const area = useArea();
  return (
    <div className="media">
      <PageHeader titulo="Activación de API" />
      {activacion && (
        <Panel tono={activacion === 'lista' ? 'ok' : 'mal'} titulo={ACTIVACION[activacion].titulo}>
          {ACTIVACION[activacion].texto}
        </Panel>
      )}
      <Pausadas pausadas={pausadas} area={area} puedeActivar={puedeActivar} />
      <MercadolibreCard link={mercadolibre} frescura={frescura} corridas={corridas} avisos={avisos} ahora={ahora} />
      <FacturacomCard key={facturacom?.version ?? 0} link={facturacom} cuenta={cuentaPac} answer={answer} />
      <EnlacesCard ajustes={ajustes} answer={answer} />
    </div>
  );
}
