import { screensOf, type Rol } from './screens';

/** `pendientes`: how many things wait there for a person. */
export type MenuEntry = { label: string; to: string; pendientes?: number };

/** What it may open by address only: texts may send it there. */
export function otrasPantallasOf(rol: Rol): MenuEntry[] {
  const menu = menuOf(rol);
  return screensOf(rol)
    .filter(([, screen]) => !screen.homeOnly)
    .map(([key, screen]) => ({ label: screen.label, to: `/${rol}/${key}` }))
    .filter(({ to }) => !menu.some((entry) => entry.to === to));
}

const byLabel = new Intl.Collator('es-MX').compare;

/** What a role finds in its drawer under 'Inicio', sorted by label as Spanish does. */
export function menuOf(rol: Rol): MenuEntry[] {
  return screensOf(rol)
    .filter(([, screen]) => !screen.homeOnly && (screen.menu ?? screen.roles).includes(rol))
    .map(([key, screen]) => ({ label: screen.label, to: `/${rol}/${key}` }))
    .sort((a, b) => byLabel(a.label, b.label));
}
