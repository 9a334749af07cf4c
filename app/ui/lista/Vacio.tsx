import { Link, useLocation } from '@remix-run/react';
import { Fragment, type ReactNode } from 'react';
import { writeRango, isTodasLasFechas, withParams, type Chip, type ListFilter, type Rango } from '~/core/list';
import type { Periodo } from '~/core/periodo';
import { useDesconectadas } from '../Desconectadas';
import { formatFecha } from '../Fecha';
import { usePantalla } from '../Pantallas';

/** The reasons why a list may be empty, in its screen's words. */
export type PorQueVacia = {
  /** The sentence for a list without any rows yet: where its rows come from. */
  nada?: string;
  /** The one link out of the empty list. */
  salida?: { texto: string; to: string };
  /** The rows come from the sources of sales. */
  fuentes?: true;
  /** The sentence about rows that this role does not see. */
  oculta?: string | undefined;
};

type Props = { filtro: ListFilter; chips: Chip[]; porQue: PorQueVacia };

/** The content in place of rows: that there are none, the reason, and the one link out. */
export function Vacio({ filtro, chips, porQue: { nada, salida, fuentes, oculta } }: Props) {
  const { search } = useLocation();
  const caidas = useDesconectadas();
  const activacion = usePantalla('tokens');
  const rango = 'desde' in filtro ? (filtro as ListFilter & Rango & { rango?: Periodo }) : null;
  const filtrada = chips.length > 0;
  const desconectada = !filtrada && fuentes === true && caidas.length > 0;
  const otro = (changes: Record<string, string | null>) => withParams(search, { pagina: null, ver: null, ...changes });
  const salidas: [string, string][] = !filtrada && salida ? [[salida.texto, salida.to]] : [];
  if (filtrada)
    salidas.push([
      'Quitar filtros',
      otro(Object.fromEntries(chips.flatMap(({ quita }) => quita.map((campo) => [campo, null])))),
    ]);
  if (rango && rango.rango !== 'esteAnio' && !isTodasLasFechas(rango))
    salidas.push(['Ver este año', otro({ rango: 'esteAnio', desde: null, hasta: null })]);

  return (
    <div className="vacio">
      <strong>No encontre nada para ti</strong>
      {desconectada ? (
        caidas.map(({ label, desde }) => (
          <p key={label}>
            {label} no está conectado{desde !== null && ` desde el ${formatFecha(desde)}`}.{' '}
            {activacion ? (
              <Link to={activacion}>Activación de API</Link>
            ) : (
              'Un administrador lo activa en Activación de API.'
            )}
          </p>
        ))
      ) : (
        <p>{whyOf({ q: filtro.q, filtrada, nada, rango })}</p>
      )}
      {filtrada && oculta && <p>{oculta}</p>}
      {salidas.length > 0 && (
        <p>
          {salidas.map(([texto, to], at) => (
            <Fragment key={texto}>
              {at > 0 && ' · '}
              <Link to={to} preventScrollReset discover="none">
                {texto}
              </Link>
            </Fragment>
          ))}
        </p>
      )}
    </div>
  );
}

function whyOf({
  q,
  filtrada,
  nada,
  rango,
}: {
  q: string;
  filtrada: boolean;
  nada: string | undefined;
  rango: Rango | null;
}): ReactNode {
  if (q !== '') return `Nada coincide con «${q}».`;
  if (filtrada) return 'Nada cumple estos filtros.';
  return [nada, rango && `Se muestra del ${writeRango(rango)}.`].filter(Boolean).join(' ');
}
