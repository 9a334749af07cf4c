/**
 * The impostor of COPOMEX, which looks postal codes up: one call, with its key in the address. Some of its codes are missing from the demo's own
 * table.
 */
import { json, type Service, type ServiceOptions } from '../service';

export const TOKEN = 'sandbox-token-cp';

type Row = [cp: string, estado: string, municipio: string, ciudad: string, colonias: string[]];

const ROWS: Row[] = [
  ['01000', 'Ciudad de México', 'Álvaro Obregón', 'Ciudad de México', ['San Ángel']],
  ['04510', 'Ciudad de México', 'Coyoacán', 'Ciudad de México', ['Universidad Nacional Autónoma de México']],
  ['14000', 'Ciudad de México', 'Tlalpan', 'Ciudad de México', ['Tlalpan Centro']],
  ['45640', 'Jalisco', 'Tlajomulco de Zúñiga', 'Tlajomulco de Zúñiga', ['Tlajomulco Centro', 'El Tecolote']],
  ['67100', 'Nuevo León', 'Guadalupe', 'Guadalupe', ['Guadalupe Centro']],
  ['98600', 'Zacatecas', 'Guadalupe', 'Guadalupe', ['Guadalupe Centro', 'Ejidal']],
  ['42501', 'Hidalgo', 'Actopan', '', ['El Boxtha', 'La Peña']],
];

export function createCodigosPostales({ store }: ServiceOptions): Service {
  let calls = 0;
  return {
    name: 'codigosPostales',
    title: 'Códigos postales (COPOMEX)',
    about: 'El buscador de códigos postales que completa direcciones cuando la tabla propia no tiene el código.',
    prefixes: ['/codigosPostales'],
    handle({ method, path, url }) {
      const cp = /^\/query\/info_cp\/(\d+)$/.exec(path)?.[1];
      if (method !== 'GET' || cp === undefined)
        return json(404, { error: true, code_error: 404, error_message: 'Ruta no encontrada', response: null });
      if (url.searchParams.get('token') !== TOKEN)
        return json(401, { error: true, code_error: 107, error_message: 'El token no es válido', response: null });
      calls += 1;
      store.changed();
      const row = ROWS.find(([known]) => known === cp);
      if (!row)
        return json(404, {
          error: true,
          code_error: 105,
          error_message: 'No se encontraron asentamientos del código postal',
          response: null,
        });
      const [, estado, municipio, ciudad, asentamiento] = row;
      const lugar = { cp, municipio, estado, ciudad, pais: 'México' };
      if (url.searchParams.get('type') === 'simplified') {
        return json(200, {
          error: false,
          code_error: 0,
          error_message: null,
          response: { ...lugar, asentamiento, tipo_asentamiento: 'Colonia' },
        });
      }
      return json(
        200,
        asentamiento.map((colonia) => ({
          error: false,
          code_error: 0,
          error_message: null,
          response: { ...lugar, asentamiento: colonia, tipo_asentamiento: 'Colonia' },
        })),
      );
    },
    counts: () => ({ 'Códigos que conoce': ROWS.length, Consultas: calls }),
    snapshot: () => ({ calls }),
    restore: (state) => void (calls = (state as { calls?: number }).calls ?? 0),
    reset: () => void (calls = 0),
  };
}
