import type { NombreIcono } from '~/core/nombreIcono';
import { tableOf } from '~/core/table';
import { screensOf, type Rol, type Screen } from './screens';

export type MenuEntry = { label: string; to: string; icono: NombreIcono };
/** Key of the screen that an entry leads to. */
export const pantallaOf = ({ to }: MenuEntry): string => to.split('/').at(-1)!;
/** A heading of the menu with its screens. */
export type MenuGroup = { grupo: string; label: string; entradas: MenuEntry[] };

/** Headings in their order. A screen of another group is not in the menu. */
const GRUPOS = {
  facturacion: 'Facturación',
  catalogos: 'Catálogos',
  reportes: 'Reportes',
  herramientas: 'Herramientas',
  configuracion: 'Configuración',
} as const satisfies Partial<Record<Screen['group'], string>>;

const byLabel = new Intl.Collator('es-MX').compare;

/**
 * Returns the entries of a role's drawer below the first: by group, and within a group by label as Spanish sorts. A group without screens is absent.
 */
export function menuOf(rol: Rol): MenuGroup[] {
  const shown = screensOf(rol).filter(([, screen]) => !screen.homeOnly && (screen.menu ?? screen.roles).includes(rol));
  return Object.entries(GRUPOS)
    .map(([grupo, label]) => ({
      grupo,
      label,
      entradas: shown
        .filter(([, screen]) => screen.group === grupo)
        .map(([key, { label, icono }]) => ({ label, to: `/${rol}/${key}`, icono }))
        .sort((a, b) => byLabel(a.label, b.label)),
    }))
    .filter(({ entradas }) => entradas.length > 0);
}

/** Returns the entries of a role's drawer without their headings. */
export const entradasOf = (rol: Rol): MenuEntry[] => menuOf(rol).flatMap(({ entradas }) => entradas);

/** Returns whether a screen stands in the menu of a role. */
export const isPantallaOf = (rol: Rol, pantalla: string): boolean =>
  entradasOf(rol).some((entrada) => pantallaOf(entrada) === pantalla);

/** Returns the screens that a role opens by address only; a text may lead there. */
export function otrasPantallasOf(rol: Rol): MenuEntry[] {
  const menu = entradasOf(rol);
  return screensOf(rol)
    .filter(([, screen]) => !screen.homeOnly)
    .map(([key, { label, icono }]) => ({ label, to: `/${rol}/${key}`, icono }))
    .filter(({ to }) => !menu.some((entry) => entry.to === to));
}

/** Returns the screens that a person may start on besides the home of the role: those of the menu. */
export function inicialesOf(rol: Rol): MenuEntry[] {
  const primera = primeraOf(rol);
  return [...(primera.to === `/${rol}` ? [] : [primera]), ...entradasOf(rol)];
}

/** Returns the name of the home of a role. */
export const homeOf = (rol: Rol): string =>
  screensOf(rol).find(([, screen]) => screen.home?.includes(rol))?.[1].label ?? 'Inicio';

/** Returns whether a person of this role may start on a screen; null is the home. */
export const isInicial = (rol: Rol, pantalla: string | null): boolean =>
  pantalla === null || inicialesOf(rol).some((entrada) => pantallaOf(entrada) === pantalla);

/** Returns the address that a session of this role begins on, by the screen that its person chose; the home where that is none of the menu any more. */
export function inicioOf(rol: Rol, elegida: string | null): string {
  const entrada = inicialesOf(rol).find((una) => pantallaOf(una) === elegida);
  return entrada?.to ?? `/${rol}`;
}

/** Screens that people open standing up, the most wanted first. */
const DE_PIE = ['ordenes', 'buscar', 'bodega'];
/** The same for a role that sees no sales. */
const DE_PIE_SIN_VENTAS = ['buscador', 'productos'];
/** Short labels for the thumb, where a whole label would take two lines. */
const EN_CORTO: Readonly<Record<string, string>> = tableOf({ buscador: 'Buscador', bodega: 'Escanear' });
/** The address with which the warehouse opens its camera at once. */
const AL_LLEGAR: Readonly<Record<string, string>> = tableOf({ bodega: '?escanear=1' });

/** Returns the first entry of a role's menu: 'Hoy', or the home of a role without it. */
export function primeraOf(rol: Rol): MenuEntry {
  const hoy = screensOf(rol).find(([key]) => key === 'hoy')?.[1];
  const home = `/${rol}`;
  if (!hoy) return { label: 'Inicio', to: home, icono: 'casa' };
  return { label: hoy.label, to: hoy.home?.includes(rol) ? home : `${home}/hoy`, icono: hoy.icono };
}

/** Returns the entries at the thumb on a telephone, between the first of the menu and 'Menú'. */
export function pulgarOf(rol: Rol): MenuEntry[] {
  const screens = screensOf(rol);
  const wanted = screens.some(([key]) => key === 'ordenes') ? DE_PIE : DE_PIE_SIN_VENTAS;
  return wanted
    .flatMap((key) => screens.filter(([one]) => one === key))
    .map(([key, { label, icono }]) => ({
      label: EN_CORTO[key] ?? label,
      to: `/${rol}/${key}${AL_LLEGAR[key] ?? ''}`,
      icono,
    }));
}
