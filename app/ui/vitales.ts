import { ROLES } from '~/core/usuario';
import { onCLS, onINP, onLCP, type Metric } from 'web-vitals';

type Medido = { pantalla: string; vital: string; valor: number };

/** Most measures that one sending may hold. */
const MUCHOS = 300;
/** Width below which a page is drawn as on a phone. */
const TELEFONO = '(max-width: 767px)';

/**
 * Tells the web how the pages of this document were for who used them, all at once when it is left or hidden. A page that the router opened counts by
 * itself where the browser knows such navigations.
 */
export function startVitales(): void {
  const medidos = new Map<string, Medido>();
  /** Measures of pages that were hidden before: each counts once. */
  const told = new Set<string>();
  const note = ({ id, name, value, navigationURL }: Metric) => {
    if (told.has(id)) return;
    medidos.set(id, {
      pantalla: new URL(navigationURL ?? location.href, location.href).pathname,
      vital: name.toLowerCase(),
      // The shift of a layout is a small fraction; it goes in thousandths.
      valor: Math.round(name === 'CLS' ? value * 1_000 : value),
    });
  };
  for (const on of [onLCP, onINP, onCLS]) on(note, { reportSoftNavs: true, reportAllChanges: true });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'hidden' || medidos.size === 0) return;
    send([...medidos.values()]);
    for (const id of medidos.keys()) told.add(id);
    medidos.clear();
  });
}

function send(medidos: readonly Medido[]): void {
  const [, rol = ''] = location.pathname.split('/');
  // The area takes them: outside of it nobody is signed in.
  if (!ROLES.some((uno) => uno === rol)) return;
  const dispositivo = matchMedia(TELEFONO).matches ? 'telefono' : 'escritorio';
  const form = { intent: 'vista', dispositivo, medidos: JSON.stringify(medidos.slice(0, MUCHOS)) };
  navigator.sendBeacon(`/${rol}/vitales`, new URLSearchParams(form));
}
