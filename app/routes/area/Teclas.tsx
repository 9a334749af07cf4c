import { useNavigate } from '@remix-run/react';
import { Suspense, useEffect, useRef, useState } from 'react';
import type { MenuEntry } from '~/access/menu';
import { tableOf } from '~/core/table';
import { lazyPart } from '~/ui/lazyPart';
import { isAtWork, useTeclas } from '~/ui/useTeclas';

const { Part: Atajos, prefetch } = lazyPart('Atajos', () => import('./Atajos'));

/** The screens of this person that G and a letter lead to. */
export const IR: Readonly<Record<string, string>> = tableOf({
  h: '',
  o: 'ordenes',
  a: 'ordenesActivas',
  f: 'facturacion',
  c: 'facturasClientes',
  e: 'enviosPendientes',
  p: 'pendientes',
});
const ESPERA_MS = 1_500;
/** Event that shows all keys from any place, for people who switched the one-letter keys off and have no '?'. */
export const VER_ATAJOS = 'ver-atajos';

/** The keys of every screen of an area: G and a letter go to a screen, '?' shows all keys. */
export function Teclas({ area, pantallas }: { area: string; pantallas: readonly MenuEntry[] }) {
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const [going, setGoing] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => {
    const show = () => setOpen(true);
    document.addEventListener(VER_ATAJOS, show);
    return () => {
      document.removeEventListener(VER_ATAJOS, show);
      clearTimeout(timer.current);
    };
  }, []);
  useTeclas({
    '?': () => {
      prefetch();
      setOpen(true);
    },
    g: (event) => {
      if (isAtWork(event)) return;
      setGoing(true);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setGoing(false), ESPERA_MS);
    },
  });
  const destinos = Object.entries(IR).flatMap(([letra, pantalla]) => {
    const to = pantalla === '' ? area : `${area}/${pantalla}`;
    const entry = pantallas.find((one) => one.to === to);
    return entry || pantalla === '' ? [{ letra, to, label: entry?.label ?? 'Inicio' }] : [];
  });
  return (
    <>
      {going && (
        <Ir
          destinos={destinos}
          go={(to) => {
            setGoing(false);
            navigate(to);
          }}
        />
      )}
      {open && (
        <Suspense>
          <Atajos destinos={destinos} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** While G waits for its letter, no other shortcut takes the letter. */
function Ir({ destinos, go }: { destinos: { letra: string; to: string }[]; go: (to: string) => void }) {
  useTeclas(Object.fromEntries(destinos.map(({ letra, to }) => [letra, () => go(to)])));
  return null;
}
