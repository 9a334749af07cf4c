import { Form, useLocation } from '@remix-run/react';
import type { Fuente, Fuentes as Leidas } from '~/domain/sync/fuentes.server';
import { Fecha } from '~/ui/Fecha';
import { Icono } from '~/ui/Icono';
import { Hidden } from '~/ui/useAnswer';
import { useClock } from '~/ui/useClock';
import { useDesplegable } from '~/ui/useDesplegable';
import { useLive } from '~/ui/useLive';
import { edadOf, ESTADO_DE_FUENTE } from './estadoDeFuente';

const LOOK_MS = 30_000;

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
          <span key={fuente.source} className="fuente" data-tono={ESTADO_DE_FUENTE[fuente.estado].tono}>
            <Icono nombre={ESTADO_DE_FUENTE[fuente.estado].icono} />
            <abbr title={fuente.label}>{fuente.siglas}</abbr>
            <span className="edad">{ESTADO_DE_FUENTE[fuente.estado].corto ?? edadOf(fuente.hasta, now)}</span>
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
        <span className="largo">: {ESTADO_DE_FUENTE[estado].largo}</span>
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
