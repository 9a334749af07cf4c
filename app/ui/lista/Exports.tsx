import { Form, useLocation, useNavigation } from '@remix-run/react';
import { writeCount } from '~/core/count';
import type { ExportView } from '~/core/list';
import { Hidden } from '../useAnswer';
import { useLive } from '../useLive';

const POLL_MS = 700;
const isUnderWay = ({ estado }: ExportView) => estado === 'queued' || estado === 'running';
const areUnderWay = (runs: ExportView[]) => runs.some(isUnderWay);

/** Asks for the Excel of the list as filtered. */
export function ExportButton({
  lista,
  query,
  area,
  empty,
  boton = 'Exportar a Excel',
}: {
  lista: string;
  query: string;
  area: string;
  empty: boolean;
  boton?: string;
}) {
  const { pathname, search } = useLocation();
  const navigation = useNavigation();
  const sending = navigation.state !== 'idle' && navigation.formAction?.endsWith('/exportaciones');
  return (
    <Form method="post" action={`${area}/exportaciones`} preventScrollReset>
      <Hidden intent="pedir" lista={lista} search={query} volver={pathname + search} />
      <button type="submit" className="boton" disabled={empty || sending}>
        {boton}
      </button>
    </Form>
  );
}

/**
 * The exports of this list: the worker's progress, then the links. Exports are rows of the database, so the strip is there again after leaving the page;
 * without JavaScript a reload shows the progress.
 */
export function Exports({
  lista,
  area,
  exportaciones,
  que = 'Excel',
}: {
  lista: string;
  area: string;
  exportaciones: ExportView[];
  que?: string;
}) {
  const { pathname, search } = useLocation();
  const runs = useLive(exportaciones, `${area}/exportaciones?lista=${lista}`, { moves: areUnderWay, everyMs: POLL_MS });
  const action = `${area}/exportaciones`;
  if (runs.length === 0) return null;

  return (
    <div className="lista-excel">
      {runs.map((run) => (
        <Form
          key={run.id}
          method="post"
          action={action}
          className="lista-corrida"
          data-estado={run.estado}
          preventScrollReset
        >
          <Hidden intent="quitar" id={run.id} volver={pathname + search} />
          <Progress run={run} que={que} />
          {run.estado === 'done' && (
            <a className="boton" data-tono="acento" href={`${area}/descargas/exportacion/${run.id}`} download>
              Descargar
            </a>
          )}
          {isUnderWay(run) ? (
            <noscript>
              <a className="boton" href={pathname + search}>
                Actualizar
              </a>
            </noscript>
          ) : (
            <button type="submit" className="boton" aria-label={`Quitar ${run.estado === 'done' ? run.titulo : que}`}>
              ✕
            </button>
          )}
        </Form>
      ))}
    </div>
  );
}

function Progress({ run, que }: { run: ExportView; que: string }) {
  if (run.estado === 'failed') return <span role="alert">No se pudo generar el {que}. Inténtalo de nuevo.</span>;
  if (run.estado === 'done') return <span role="status">{run.titulo}</span>;
  const total = run.total ?? 0;
  return (
    <span role="status">
      Generando {que}… {run.total !== null && `${writeCount(run.escritos)} de ${writeCount(total)}`}
      <progress
        aria-label={`Avance del ${que}`}
        {...(run.total === null ? {} : { value: run.escritos, max: Math.max(1, total) })}
      />
    </span>
  );
}
