import { randomUUID } from 'node:crypto';
import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { NotAllowed, diskFullOf } from '~/core/errors';
import type { Answer } from '~/core/submission';
import { type Aplicacion, CONSERVA, enMB, SUBIDA } from '~/domain/operacion/aplicacion/aplicacion';
import { findAplicacion, listAplicaciones, receiveWhole } from '~/domain/operacion/aplicacion/aplicaciones.server';
import { flash } from '~/http/flash.server';
import { receiveFile } from '~/http/upload.server';
import { EmptyState, PageHeader } from '~/ui/Blocks';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { TablaCaja } from '~/ui/TablaCaja';
import { Refusal } from '~/ui/useAnswer';
import { db } from '~db/shared.server';
import { Subida } from './Subida';

export const meta: MetaFunction = () => [{ title: 'Subir app' }];

export async function loader(_: LoaderFunctionArgs) {
  const [apps, vigente] = await Promise.all([listAplicaciones(db()), findAplicacion(db(), null)]);
  return { apps, vigente: vigente?.id ?? null };
}

/** Takes a whole app at once, from a browser without JavaScript, and saves it while it arrives. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { id: usuarioId } = usuarioOf(context);
  try {
    await receiveWhole(db(), usuarioId, (tomar) => receiveFile(request, 'archivo', tomar));
  } catch (error) {
    const said = error instanceof NotAllowed ? error : diskFullOf(error);
    if (!said) throw error;
    const { titulo, message } = said;
    return data<Answer>(
      { status: 'error', titulo, error: { '': [message] }, id: randomUUID(), formId: 'subirApp' },
      { status: 422 },
    );
  }
  return redirect('?', { headers: { 'Set-Cookie': await flash(SUBIDA) } });
}

export default function SubirApp() {
  const { apps, vigente } = useLoaderData<typeof loader>();
  return (
    <div className="media">
      <PageHeader
        titulo="Subir app"
        nota={`Se conservan las últimas ${CONSERVA}. ‘Descargar app’ entrega a todos el APK más nuevo.`}
      />
      <Subida />
      <Refusal of="subirApp" />
      <section className="hoja">
        <h2>Versiones</h2>
        {apps.length === 0 ? (
          <EmptyState>Todavía no hay una app: nadie del personal puede descargarla.</EmptyState>
        ) : (
          <Versiones apps={apps} vigente={vigente} />
        )}
      </section>
    </div>
  );
}

function Versiones({ apps, vigente }: { apps: Aplicacion[]; vigente: string | null }) {
  const area = useArea();
  return (
    <TablaCaja nombre="Versiones">
      <table className="tabla">
        <thead>
          <tr>
            <th scope="col">Versión</th>
            <th scope="col">Archivo</th>
            <th scope="col" className="num">
              Tamaño
            </th>
            <th scope="col">Subida</th>
            <th scope="col">Estado</th>
          </tr>
        </thead>
        <tbody>
          {apps.map(({ id, version, codigo, paquete, formato, bytes, listaEn, subidaPor }) => (
            <tr key={id}>
              <td>
                {version ?? 'Sin nombre'}
                {codigo && <span className="nota"> ({codigo})</span>}
              </td>
              <td>
                <a href={`${area}/descargas/app?id=${id}`}>{formato.toUpperCase()}</a>
                <div className="nota">{paquete}</div>
              </td>
              <td className="num">{enMB(bytes)}</td>
              <td>
                <Fecha valor={listaEn} />
                <div className="nota">{subidaPor}</div>
              </td>
              <td>{id === vigente ? <Estatus tono="ok">La que se descarga</Estatus> : <Estatus>Anterior</Estatus>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TablaCaja>
  );
}
