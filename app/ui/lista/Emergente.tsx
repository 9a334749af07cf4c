import { useLocation } from '@remix-run/react';
import { Suspense, type ReactNode } from 'react';
import { withParams } from '~/core/list';
import { useColgado } from '../useColgado';
import { useHydrated } from '../useHydrated';

type Props = {
  /** The name in the address where there are no scripts: `?panel=`. */
  nombre: string;
  boton: ReactNode;
  className?: string;
  /** Fetches the content before a press. */
  prefetch?: () => void;
  children: (cerrar: string) => ReactNode;
};

/**
 * A button and the box that hangs from it. Without JavaScript the button is a link to the same page with the box open. The content is only made once the box is
 * open.
 */
export function Emergente({ nombre, boton, className = 'boton', prefetch, children }: Props) {
  const { search } = useLocation();
  const hydrated = useHydrated();
  const cerrar = withParams(search, { panel: null });
  const asked = new URLSearchParams(search).get('panel') === nombre;

  const { open, deBoton, dePanel } = useColgado(hydrated && !asked);

  if (asked)
    return (
      <div className="emergente" data-abierto>
        <Suspense>{children(cerrar)}</Suspense>
      </div>
    );
  if (!hydrated)
    return (
      <a className={className} href={withParams(search, { panel: nombre })}>
        {boton}
      </a>
    );
  return (
    <>
      <button type="button" className={className} onPointerEnter={prefetch} onFocus={prefetch} {...deBoton}>
        {boton}
      </button>
      <div {...dePanel}>{open && <Suspense fallback={<p className="hueso" />}>{children(cerrar)}</Suspense>}</div>
    </>
  );
}
