import { sql } from 'kysely';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import type { Cola, Cosa } from '~/platform/hoy/cola';
import { countCosas } from '~/platform/hoy/countCosas.server';
import { HORA } from '~/platform/hoy/reloj';
import type { Db } from '~db/client.server';
import { listEncogidos } from '../lecturas.server';
import { type FrescuraDeProveedor, listFrescura } from '../frescura.server';

const PLAZOS = { aviso: 0, mal: 12 * HORA };
const PANTALLA = 'tiendasConfiguracion';
const cartaOf = (proveedor: string) => `${PANTALLA}?tab=proveedores#titulo-${proveedor}`;

/** Suppliers whose keys stopped working, and catalogues that are too old, that we cannot keep, or that shrank and wait for a decision. */
export const catalogosEnSilencio: Cola = {
  clave: 'catalogosEnSilencio',
  titulo: 'Catálogos de proveedores',
  icono: 'enchufe',
  pantallas: [PANTALLA],
  ver: 'Ver los catálogos',
  plazos: PLAZOS,
  necesita: 'productos',
  frescoMs: 20_000,
  async mira(db, mirada) {
    const [frescuras, encogidos, mudos] = await Promise.all([
      listFrescura(db, mirada.ahora),
      listEncogidos(db),
      sinLlave(db),
    ]);
    const cosas: Cosa[] = [
      ...mudos,
      ...encogidos.map(({ id, proveedor, label, terminoEn, vistos, porMarcar }) => ({
        id: `encogido:${id}`,
        titulo: label,
        detalle: `Su catálogo llegó con ${vistos} productos: ¿ya no vende los otros ${porMarcar}?`,
        a: cartaOf(proveedor),
        desde: terminoEn,
        vence: null,
      })),
      ...frescuras.flatMap((one) => [...calladoOf(one), ...nuestraOf(one)]),
    ];
    return countCosas(cosas, PLAZOS, mirada);
  },
};

/**
 * Keys that stopped working. The hourly probe (`probeProveedores`) finds them long before the catalogue is old, and nothing can be bought meanwhile.
 */
async function sinLlave(db: Db): Promise<Cosa[]> {
  const kinds = CONNECTIONS.all().flatMap(({ kind, proveedor }) => (proveedor ? [kind] : []));
  const { rows } = await sql<{ kind: string; porque: string | null; desde: Date }>`
    select c.connection as kind, coalesce(s.account_problem, c.detail) as porque,
      coalesce(s.account_since, c.updated_at) as desde
    from credential c
    left join connection s on s.kind = c.connection and s.account = ''
    where c.connection = any(${kinds}) and s.paused_at is null
      and (c.status = 'broken' or s.account_problem is not null)
    order by desde`.execute(db);
  return rows.map(({ kind, porque, desde }) => ({
    id: `llave:${kind}:${desde.toISOString()}`,
    titulo: CONNECTIONS.of(kind).label,
    detalle: ['Su llave dejó de servir: guárdala otra vez', porque].filter(Boolean).join('. '),
    a: `tokens#titulo-${kind}`,
    desde,
    vence: null,
  }));
}

function calladoOf({ proveedor, label, caducada, frescaDe, productos, lecturas }: FrescuraDeProveedor): Cosa[] {
  if (!caducada || frescaDe === null) return [];
  const porque = lecturas.find(({ error }) => error !== null)?.error;
  return [
    {
      id: `callado:${proveedor}:${frescaDe.toISOString()}`,
      titulo: label,
      detalle: [`Sus ${productos} productos cuentan como sin existencia`, porque].filter(Boolean).join('. '),
      a: cartaOf(proveedor),
      desde: frescaDe,
      vence: null,
    },
  ];
}

const nuestraOf = ({ proveedor, label, lecturas }: FrescuraDeProveedor): Cosa[] =>
  lecturas
    .filter(({ falla, terminoEn }) => falla === 'nuestra' && terminoEn === null)
    .map(({ id, empezoEn, error, fallas }) => ({
      id: `nuestra:${id}`,
      titulo: label,
      detalle: `${error} (${fallas} ${fallas === 1 ? 'intento' : 'intentos'})`,
      a: cartaOf(proveedor),
      desde: empezoEn,
      vence: null,
    }));
