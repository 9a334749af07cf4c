import { Suspense, useEffect, useRef, type RefObject } from 'react';
import { tableOf } from '~/core/table';
import { focusOn, isFocusFree } from '~/ui/foco';
import { lazyPart } from '~/ui/lazyPart';
import { useBrowserLayout } from '~/ui/useBrowserLayout';
import { useHydrated } from '~/ui/useHydrated';
import type { AquiProps } from './aqui';
import { Huesos } from './Huesos';

/** The form of each queue whose things are seen to here (`aquiOf`). */
const PARTES = tableOf({
  preguntas: lazyPart('PreguntaAqui', async () => ({
    default: (await import('~/routes/atencion/preguntas/PreguntaAqui')).PreguntaAqui,
  })),
  porConfirmar: lazyPart('PedidoAqui', async () => ({
    default: (await import('~/routes/compras/pedidos/PedidoAqui')).PedidoAqui,
  })),
  porEnviar: lazyPart('PaqueteAqui', async () => ({
    default: (await import('~/routes/ventas/envios/PaqueteAqui')).PaqueteAqui,
  })),
  devolucionesPorRecibir: lazyPart('DevolucionAqui', async () => ({
    default: (await import('~/routes/compras/stock/DevolucionAqui')).DevolucionAqui,
  })),
  listasParaFacturar: lazyPart('FacturaAqui', async () => ({
    default: (await import('~/routes/facturacion/emision/FacturaAqui')).FacturaAqui,
  })),
});

type Props = Omit<AquiProps, 'alTerminar' | 'alPasar'> & {
  clave: string;
  /** Tells that the thing is done, and whether this person was in its form. */
  alTerminar: (conFoco: boolean) => void;
  alPasar: (conFoco: boolean) => void;
};

/** The form of the thing that stands open in its card. The page comes without it, and keeps its place. Without scripts the card is a link. */
export function Abierta({ clave, alTerminar, alPasar, ...props }: Props) {
  const caja = useRef<HTMLDivElement>(null);
  const hydrated = useHydrated();
  useStill(caja);
  const isIn = useIsIn(caja);
  const { Part } = PARTES[clave]!;
  const leave = (tell: (conFoco: boolean) => void) => () => {
    const dentro = isIn();
    // The form is about to go, and the next one is still to be read.
    if (dentro) focusOn(caja.current!.closest('section')?.querySelector('h2'), { lend: true });
    tell(dentro);
  };
  return (
    <div ref={caja} className="aqui solo-js" data-cola={clave}>
      {hydrated ? (
        <Suspense fallback={<Huesos />}>
          <Part {...props} alTerminar={leave(alTerminar)} alPasar={leave(alPasar)} />
        </Suspense>
      ) : (
        <Huesos />
      )}
    </div>
  );
}

/** Returns a function that tells whether this person is in the box. They still are when the field they were in went away under them. */
function useIsIn(caja: RefObject<HTMLElement>): () => boolean {
  const last = useRef(false);
  useEffect(() => {
    const see = ({ type, target }: Event) => {
      // A question about the form stands outside of it, and so does the place that the focus is put in when the field goes away.
      if (!(target instanceof Element) || target.closest('dialog') || (type === 'focusin' && isFocusFree())) return;
      last.current = caja.current?.contains(target) ?? false;
    };
    document.addEventListener('focusin', see);
    document.addEventListener('pointerdown', see);
    return () => {
      document.removeEventListener('focusin', see);
      document.removeEventListener('pointerdown', see);
    };
  }, [caja]);
  return () => caja.current!.contains(document.activeElement) || (last.current && isFocusFree());
}

/** Keeps a form that a person is in where it stands on the screen, while what is above it comes or goes. */
function useStill(caja: RefObject<HTMLElement>) {
  const stood = useRef<number>();
  useBrowserLayout(() => {
    const { top } = caja.current!.getBoundingClientRect();
    const by = top - (stood.current ?? top);
    if (by !== 0 && caja.current!.contains(document.activeElement)) window.scrollBy({ top: by, behavior: 'instant' });
    stood.current = caja.current!.getBoundingClientRect().top;
  });
  useEffect(() => {
    const look = () => {
      stood.current = caja.current?.getBoundingClientRect().top;
    };
    window.addEventListener('scroll', look, { passive: true });
    window.addEventListener('resize', look);
    return () => {
      window.removeEventListener('scroll', look);
      window.removeEventListener('resize', look);
    };
  }, [caja]);
}
