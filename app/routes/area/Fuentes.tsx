import { Form, useLocation } from '@remix-run/react';
import type { NombreIcono } from '~/core/nombreIcono';
import { toInstant } from '~/core/time';
import type { Fuente, Fuentes as Leidas } from '~/domain/sync/fuentes.server';
import type { Tono } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { Icono } from '~/ui/Icono';
import { Hidden } from '~/ui/useAnswer';
import { useClock } from '~/ui/useClock';
import { useDesplegable } from '~/ui/useDesplegable';
import { useLive } from '~/ui/useLive';

const LOOK_MS = 30_000;

/** The words for each state in the bar; a state without words shows its age. */
const ESTADO: Record<Fuente['estado'], { tono: Tono; icono: NombreIcono; corto?: string; largo: string }> = {
  alDia: { tono: 'ok', icono: 'hecho', largo: 'al día' },
  incompleta: { tono: 'aviso', icono: 'aviso', largo: 'con avisos sin leer' },
  atrasada: { tono: 'aviso', icono: 'reloj', largo: 'llega con retraso' },
  empezando: { tono: 'neutro', icono: 'espera', corto: 'empezando', largo: 'trayendo las primeras ventas' },
  sinVincular: { tono: 'neutro', icono: 'sinEstatus', corto: 'sin activar', largo: 'sin activar' },
  rota: { tono: 'mal', icono: 'error', corto: 'desconectado', largo: 'desconectado' },
  sinLeer: { tono: 'aviso', icono: 'aviso', corto: 'sin leer', largo: 'no se pudo leer' },
  enPausa: { tono: 'aviso', icono: 'pausa', corto: 'en pausa', largo: 'en pausa' },
};

type Props = { leidas: Leidas; area: string; puedeReintentar: boolean };

/** How old what the screens show is, in every bar; opened, why, and how to ask again. */
export function Fuentes({ leidas, area, puedeReintentar }: Props) {
  const { ahora, fuentes } = useLive(leidas, `${area}/fuentes`, { moves: () => true, everyMs: LOOK_MS });
  const box = useDesplegable();
  const { pathname, search } = useLocation();
  const now = useClock(ahora);
  if (fuentes.length === 0) return null;
  return (
    <details ref={box} className="desplegable fuentes" name="barra">
      <summary>
        <span className="oculto">Fuentes: </span>
        {fuentes.map((fuente) => (
          <span key={fuente.source} className="fuente" data-tono={ESTADO[fuente.estado].tono}>
            <Icono nombre={ESTADO[fuente.estado].icono} />
            <abbr title={fuente.label}>{fuente.siglas}</abbr>
            <span className="edad">{ESTADO[fuente.estado].corto ?? edadOf(fuente.hasta, now)}</span>
          </span>
        ))}
      </summary>
      <div className="lista">
        {fuentes.map((fuente) => (
          <PorQue key={fuente.source} fuente={fuente} area={area} puedeActivar={puedeReintentar} />
        ))}
        {puedeReintentar && (
          <Form method="post" action={`${area}/fuentes`} replace preventScrollReset>
            <Hidden intent="reintentar" volver={pathname + search} />
            <button type="submit">
              <Icono nombre="reintentar" />
              Reintentar
            </button>
          </Form>
        )}
      </div>
    </details>
  );
}

function PorQue({
  fuente: { label, estado, hasta, motivo, sinLeer },
  area,
  puedeActivar,
}: {
  fuente: Fuente;
  area: string;
  puedeActivar: boolean;
}) {
  const activar = estado === 'rota' || estado === 'sinVincular';
  return (
    <p className="quien">
      <strong>
        {label}
        <span className="largo">: {ESTADO[estado].largo}</span>
      </strong>
      {hasta && (
        <>
          Lo que ves está completo hasta <Fecha valor={hasta} />.{' '}
        </>
      )}
      {sinLeer > 0 && `${sinLeer === 1 ? 'Falta leer 1 aviso' : `Faltan leer ${sinLeer} avisos`}. `}
      {motivo}{' '}
      {activar &&
        (puedeActivar ? <a href={`${area}/tokens`}>Activar otra vez</a> : 'Un administrador lo activa otra vez.')}
    </p>
  );
}

/** 'hace 40 s': shorter than in a page, since it stands in every bar. */
function edadOf(hasta: string | null, now: number): string {
  if (hasta === null) return '';
  const seconds = Math.max(0, Math.round((now - toInstant(hasta).getTime()) / 1_000));
  if (seconds < 60) return `hace ${seconds} s`;
  if (seconds < 3_600) return `hace ${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `hace ${Math.floor(seconds / 3_600)} h`;
  return `hace ${Math.floor(seconds / 86_400)} d`;
}
