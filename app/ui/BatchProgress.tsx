import { useRevalidator } from '@remix-run/react';
import type { ReactNode } from 'react';
import './BatchProgress.css';
import { writeCount } from '~/core/count';
import { useLive } from './useLive';

/** The progress of bulk work as people watch it: items done, items that failed, and items whose result nobody knows yet. */
export type Batch = {
  id: string;
  label: string;
  total: number;
  done: number;
  failed: number;
  /** Items that a person stopped, where the work can be stopped. */
  stopped?: number;
  unclear: number;
  waiting: number;
};

type Props = {
  lote: Batch;
  /** Answers the same batch as JSON. */
  source: string;
  /** The words for a run that ended well, and for one with failures. */
  listo: { titulo?: string; texto: string };
  fallo: string;
  /** Links to the result of each item, and the next acts once the run stands still. */
  children?: ReactNode;
};

const POLL_MS = 1_500;

export const isUnderWay = ({ waiting, unclear, done, failed, stopped = 0, total }: Batch) =>
  waiting > 0 || (unclear > 0 && done + failed + stopped < total);

/**
 * The worker does the work, so the page may be closed, and opened again by anybody: the bar shows where the work is.
 * Without JavaScript the page reloads by itself.
 */
export function BatchProgress({ lote, source, listo, fallo, children }: Props) {
  // When it stands still the page is read anew, once.
  const { revalidate } = useRevalidator();
  const now = useLive(lote, source, { moves: isUnderWay, everyMs: POLL_MS, onStill: revalidate });
  const { label, total, done, failed, stopped = 0, unclear, waiting } = now;
  const share = (n: number) => `${(100 * n) / Math.max(1, total)}%`;
  const ended = waiting === 0 && unclear === 0;
  return (
    <div className="lote" data-estado={ended ? (failed > 0 ? 'mal' : stopped > 0 ? undefined : 'ok') : undefined}>
      {waiting > 0 && (
        <noscript>
          <meta httpEquiv="refresh" content="5" />
        </noscript>
      )}
      <p className="lote-texto" role="status">
        {ended && failed === 0 && stopped > 0 && <strong>Se detuvo. </strong>}
        {ended && failed === 0 && stopped === 0 && (
          <>
            <strong>{listo.titulo ?? listo.texto}</strong>
            {listo.titulo && <> {listo.texto}</>}{' '}
          </>
        )}
        {ended && failed > 0 && <strong>{fallo} </strong>}
        <span>
          {label}: {writeCount(done)} de {writeCount(total)}
        </span>
        {failed > 0 && (
          <span className="lote-mal">
            {writeCount(failed)} {failed === 1 ? 'fallida' : 'fallidas'}
          </span>
        )}
        {stopped > 0 && (
          <span>
            {writeCount(stopped)} {stopped === 1 ? 'detenida' : 'detenidas'}
          </span>
        )}
        {unclear > 0 && <span className="lote-duda">{writeCount(unclear)} por aclarar</span>}
      </p>
      <div
        className="lote-barra"
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done + failed + stopped}
        data-vivo={waiting > 0 || undefined}
      >
        <span data-tono="ok" style={{ width: share(done) }} />
        <span data-tono="mal" style={{ width: share(failed) }} />
        <span data-tono="aviso" style={{ width: share(unclear) }} />
      </div>
      {children && <div className="lote-acciones">{children}</div>}
    </div>
  );
}
