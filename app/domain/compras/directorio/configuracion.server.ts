import { cambiosEntre, withEtiquetas } from '~/core/choque';
import { NotAllowed, Stale } from '~/core/errors';
import type { Question } from '~/core/fieldRules';
import { enMiles, enPesosEnteros } from '~/core/importe';
import { PRECIO_DE, type PrecioKey } from '~/core/market';
import { record } from '~/platform/bitacora.server';
import type { FarSide } from '~/platform/connections/definition';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import {
  countMovimientos,
  type Movimiento,
  type Escritas,
  gananciasEscritas,
  huellaOfGanancias,
  readReglas,
} from '~/domain/compras/precios/reglas.server';
import type { Capacidades } from '~/integrations/proveedores/cara';
import type { Db, Trx } from '~db/client.server';
import { type ComoSeCompra, readComoSeCompra } from './comoSeCompra.server';
import type { PedidosForm } from './forms';
import {
  type FrescuraDeProveedor,
  listFrescura,
  listPausas,
  type Pausa,
} from '~/domain/compras/catalogo/frescura.server';

export type ProveedorConfigurado = {
  value: string;
  label: string;
  ganancias: Record<PrecioKey, string>;
  /** Whether a person wrote a mark-up of it; without one the shop's own rule holds. */
  conRegla: boolean;
  huellaGanancias: string;
  pedidos: Pedidos & { huella: string };
  compra: ComoSeCompra;
  /** Freshness, with the supplier's rate of exchange in pesos as text. */
  frescura: Omit<FrescuraDeProveedor, 'tipoCambio'> & {
    tipoCambio: string | null;
  };
  /** The last times that its stock was too old to count. */
  pausas: Pausa[];
  capacidades: Capacidades;
  limites: string[];
  /** Whether people may upload a price list. */
  tieneLista: boolean;
};

/** Number of pauses that the screen shows. */
const PAUSAS = 10;

type Pedidos = Pick<PedidosForm, 'crearPedido' | 'comprarSinConfirmar'>;
const huellaOfPedidos = ({ crearPedido, comprarSinConfirmar }: Pedidos) => `${crearPedido}·${comprarSinConfirmar}`;

/** Returns the settings of every supplier that is read by an API, in the order of the registry. */
export async function listConfigurados(db: Db): Promise<ProveedorConfigurado[]> {
  const [proveedores, frescuras, reglas] = await Promise.all([
    db.selectFrom('proveedor').select(['value', 'label', 'crearPedido', 'comprarSinConfirmar', 'compra']).execute(),
    listFrescura(db),
    readReglas(db),
  ]);
  const sides = CONNECTIONS.all().flatMap((side) => {
    const { kind, proveedor: cara } = side;
    const row = proveedores.find(({ value }) => value === kind);
    const frescura = frescuras.find(({ proveedor }) => proveedor === kind);
    return row && cara && frescura ? [{ row, cara, frescura, side: { ...side, proveedor: cara } }] : [];
  });
  const compras = await readComoSeCompra(
    db,
    sides.map(({ side, row: { compra } }) => ({ side, compra })),
  );
  return await Promise.all(
    sides.map(async ({ row: { value, label, compra: _, ...pedidos }, cara, frescura }) => {
      const ganancias = gananciasEscritas(reglas, value);
      return {
        value,
        label,
        ganancias,
        conRegla: Object.keys(reglas.ganancias[value] ?? {}).length > 0,
        huellaGanancias: huellaOfGanancias(ganancias),
        pedidos: { ...pedidos, huella: huellaOfPedidos(pedidos) },
        compra: compras.get(value)!,
        frescura: { ...frescura, tipoCambio: frescura.tipoCambio?.toFixed(4) ?? null },
        pausas: await listPausas(db, value, PAUSAS),
        capacidades: await cara.capacidadesDe(db),
        limites: cara.limites,
        tieneLista: cara.lista !== undefined,
      };
    }),
  );
}

/** Returns the supplier that a form is about; undefined for an unknown one. */
export function findConfigurable(kind: string | undefined): FarSide | undefined {
  const side = kind === undefined ? undefined : CONNECTIONS.find(kind);
  return side?.proveedor && side;
}

/** Returns the question before other mark-ups are saved, with the prices that would move; null when nothing changes. */
export async function askGanancia(
  db: Db,
  { kind, label }: FarSide,
  escritas: Escritas,
  siguen: Parameters<typeof countMovimientos>[4],
): Promise<Question | null> {
  const reglas = await readReglas(db);
  const movimientos = await countMovimientos(db, kind, gananciasEscritas(reglas, kind), escritas, siguen);
  if (movimientos.length === 0) return null;
  return {
    titulo: `Ganancia de ${label}`,
    texto: '¿Esta seguro que desea guardar la información?',
    hechos: movimientos.map(enPalabras).join(' '),
  };
}

const seguidas = (n: number) =>
  n === 0
    ? 'ninguna publicación lo sigue'
    : n === 1
      ? '1 publicación lo sigue'
      : `${enMiles(String(n))} publicaciones lo siguen`;

function enPalabras(movimiento: Movimiento): string {
  const { key, de, a, mueven, publicaciones, propios, sinCambio, antes, despues } = movimiento;
  const cuantos =
    mueven === 0 || antes === null || despues === null
      ? 'no cambia el precio de ningún producto'
      : `cambia el precio de ${mueven === 1 ? '1 producto' : `${enMiles(String(mueven))} productos`}, en promedio de ${enPesosEnteros(antes.toFixed(0))} a ${enPesosEnteros(despues.toFixed(0))}; ${seguidas(publicaciones)}`;
  const aparte =
    propios === 0
      ? ''
      : ` ${propios === 1 ? 'Uno conserva' : `${enMiles(String(propios))} conservan`} su propia ganancia.`;
  const callados = sinCambio === 0 ? '' : ` Sin precio por falta de tipo de cambio: ${enMiles(String(sinCambio))}.`;
  return `${PRECIO_DE[key].label}: de ${de} a ${a}, ${cuantos}.${aparte}${callados}`;
}

const ETIQUETAS = { crearPedido: 'Crear pedidos', comprarSinConfirmar: 'Comprar sin confirmar' } as const;
const siNo = ({ crearPedido, comprarSinConfirmar }: Pedidos) => ({
  crearPedido: crearPedido ? 'Sí' : 'No',
  comprarSinConfirmar: comprarSinConfirmar ? 'Sí' : 'No',
});

/** Tells whether an order is firm at once. An order that waits for a second step by API is confirmed by people. */
export const isFirme = ({ confirmar }: Capacidades) => confirmar !== 'api';

/**
 * Saves how orders are made at a supplier. Throws `Stale` when the settings moved since the screen showed them, and `NotAllowed` for buying
 * unattended at a supplier whose orders wait for a second step.
 */
export async function savePedidos(
  trx: Trx,
  { kind, label, proveedor }: FarSide,
  { huella, ...pedidos }: PedidosForm,
  usuarioId: string | null,
): Promise<void> {
  if (pedidos.comprarSinConfirmar && !(proveedor && isFirme(proveedor.capacidades)))
    throw new NotAllowed('Error de actualización.', `Un pedido de ${label} siempre espera a que alguien lo confirme.`);
  const antes = await trx
    .selectFrom('proveedor')
    .select(['crearPedido', 'comprarSinConfirmar'])
    .where('value', '=', kind)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (huella !== huellaOfPedidos(antes))
    throw new Stale({
      cambios: cambiosEntre(withEtiquetas(ETIQUETAS, siNo(pedidos)), withEtiquetas(ETIQUETAS, siNo(antes))),
      marcas: { huella: huellaOfPedidos(antes) },
    });
  await trx.updateTable('proveedor').set(pedidos).where('value', '=', kind).execute();
  await record(trx, {
    usuarioId,
    entidad: 'proveedor',
    entidadId: kind,
    accion: 'pedidos',
    datos: { antes, ...pedidos },
  });
}
