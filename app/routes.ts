import { index, layout, route, type RouteConfig } from '@remix-run/route-config';
import { files, filesOf, ROLES, screensOf } from './access/screens';

/**
 * Options of a route. Addresses are case sensitive: a screen reads its area from its address, so '/SA/ordenes' is no
 * area.
 */
const named = (id: string) => ({ id, caseSensitive: true });

/**
 * Routes of the areas. A file has an id in each area, and the browser loads a single chunk for all ids. A screen
 * outside a role's list is a true 404.
 */
const areas = ROLES.map((rol) =>
  route(rol, 'routes/area/area.tsx', named(rol), [
    ...screensOf(rol).flatMap(([key, screen]) => [
      ...(screen.homeOnly ? [] : [route(key, screen.file, named(`${rol}/${key}`))]),
      ...(screen.home?.includes(rol) ? [index(screen.file, { id: `${rol}/home` })] : []),
    ]),
    ...filesOf(rol).map(([key, row]) => route(row.path, row.file, named(`${rol}/${key}`))),
  ]),
);

const standalone = files
  .filter(([, row]) => row.at !== 'area')
  .map(([key, row]) => route(row.path, row.file, named(`files/${key}`)));

export default [
  layout('routes/public/layout.tsx', { id: 'public' }, [
    index('routes/public/inicio.tsx', { id: 'public/inicio' }),
    route('login', 'routes/public/login.tsx', { id: 'public/login' }),
    route('login/codigo', 'routes/public/codigo.tsx', { id: 'public/codigo' }),
    route('login/primera', 'routes/public/primera.tsx', { id: 'public/primera' }),
    route('salir', 'routes/public/salir.tsx', { id: 'public/salir' }),
    route('facturacion/:token', 'routes/public/facturacion.tsx', { id: 'public/facturacion' }),
    route('facturacion/:token/:formato', 'routes/public/facturacionArchivo.ts', { id: 'public/facturacionArchivo' }),
    route('datosEnvio/:token', 'routes/public/datosEnvio.tsx', { id: 'public/datosEnvio' }),
    route('siqr/:folio', 'routes/public/siqr.tsx', { id: 'public/siqr' }),
    route('landing', 'routes/public/landing.ts', { id: 'public/landing' }),
    route('terminosYCondiciones', 'routes/public/terminosYCondiciones.tsx', { id: 'public/terminosYCondiciones' }),
    route('*', 'routes/public/noEncontrado.tsx', { id: 'public/noEncontrado' }),
  ]),
  ...areas,
  ...standalone,
] satisfies RouteConfig;
