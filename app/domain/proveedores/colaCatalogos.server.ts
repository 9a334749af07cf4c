import type { Cola, Cosa } from '~/domain/hoy/cola';
import { contar } from '~/domain/hoy/contar.server';
import { HORA } from '~/domain/hoy/reloj';
import { listEncogidos } from './ausentes.server';
import { type FrescuraDeProveedor, listFrescura } from './frescura.server';

const PLAZOS = { aviso: 0, mal: 12 * HORA };
const PANTALLA = 'tiendasConfiguracion';
const cartaDe = (proveedor: string) => `${PANTALLA}?tab=proveedores#titulo-${proveedor}`;

/** Catalogues that nobody reads any more, that we cannot keep, or that shrank until somebody says whether it is so. */
export const catalogosEnSilencio: Cola = {
  clave: 'catalogosEnSilencio',
  titulo: 'Catálogos de proveedores',
  icono: 'enchufe',
  pantallas: [PANTALLA],
  ver: 'Ver los catálogos',
  plazos: PLAZOS,
  frescoMs: 20_000,
  async mira(db, mirada) {
    const [frescuras, encogidos] = await Promise.all([listFrescura(db, mirada.ahora), listEncogidos(db)]);
    const cosas: Cosa[] = [
      ...encogidos.map(({ id, proveedor, label, terminoEn, vistos, porMarcar }) => ({
        id: `encogido:${id}`,
        titulo: label,
        detalle: `Su catálogo llegó con ${vistos} productos: ¿ya no vende los otros ${porMarcar}?`,
        a: cartaDe(proveedor),
        desde: terminoEn,
        vence: null,
      })),
      ...frescuras.flatMap((one) => [...calladoDe(one), ...nuestraDe(one)]),
    ];
    return contar(cosas, PLAZOS, mirada);
  },
};

function calladoDe({ proveedor, label, caducada, frescaDe, productos, lecturas }: FrescuraDeProveedor): Cosa[] {
  if (!caducada || frescaDe === null) return [];
  const porque = lecturas.find(({ error }) => error !== null)?.error;
  return [
    {
      id: `callado:${proveedor}:${frescaDe.toISOString()}`,
      titulo: label,
      detalle: [`Sus ${productos} productos cuentan como sin existencia`, porque].filter(Boolean).join('. '),
      a: cartaDe(proveedor),
      desde: frescaDe,
      vence: null,
    },
  ];
}

const nuestraDe = ({ proveedor, label, lecturas }: FrescuraDeProveedor): Cosa[] =>
  lecturas
    .filter(({ falla, terminoEn }) => falla === 'nuestra' && terminoEn === null)
    .map(({ id, empezoEn, error, fallas }) => ({
      id: `nuestra:${id}`,
      titulo: label,
      detalle: `${error} (${fallas} ${fallas === 1 ? 'intento' : 'intentos'})`,
      a: cartaDe(proveedor),
      desde: empezoEn,
      vence: null,
    }));
