import type { Usuario } from '~/core/usuario';
import { toWire, type Wire } from '~/core/list';
import { civilDay } from '~/core/time';
import { porPagarList, readPorPagar } from '~/domain/compras/pagos/porPagar.server';
import { listProveedorOptions } from '~/domain/compras/directorio/proveedores.server';
import { openList } from '~/platform/lists/list.server';
import { db } from '~db/shared.server';
import { ANUNCIADAS, PAGAR } from './pagar';

/** Reads the table of invoices to be paid, what is owed to each supplier, and the invoices of the supplier whom somebody is about to pay. */
export async function openPorPagar(request: Request, usuario: Usuario, puede: boolean) {
  const search = new URL(request.url).searchParams;
  const [pagado, factura] = puede ? [search.get(PAGAR.proveedor), search.get(PAGAR.factura)] : [null, null];
  const [lista, { cuentas, anunciadas, elegibles, tope }, proveedores] = await Promise.all([
    openList(db(), porPagarList, request, usuario),
    readPorPagar(db(), pagado === null ? null : { proveedor: pagado, factura }),
    listProveedorOptions(db()),
  ]);
  const suyo = proveedores.find(({ value }) => value === pagado);
  const pagar = suyo && elegibles.length > 0 ? porElegir(suyo, elegibles, factura) : null;
  const agregar = puede && search.has(ANUNCIADAS);
  return { lista, cuentas: toWire(cuentas), anunciadas: toWire(anunciadas), tope, agregar, proveedores, pagar };
}

type Elegibles = Awaited<ReturnType<typeof readPorPagar>>['elegibles'];

export type PorPagarAbierto = Awaited<ReturnType<typeof openPorPagar>>;

export type PorElegir = {
  proveedor: string;
  label: string;
  hoy: string;
  facturas: Wire<Elegibles>;
  /** The ids of the invoices that begin chosen. */
  elegidas: string[];
};

/** The pressed invoice begins chosen; without one, those that are late. */
function porElegir(
  { value, label }: { value: string; label: string },
  elegibles: Elegibles,
  factura: string | null,
): PorElegir {
  const hoy = civilDay(new Date());
  const elegidas = elegibles.filter(({ id, vence }) =>
    factura === null ? vence !== null && vence < hoy : id === factura,
  );
  return { proveedor: value, label, hoy, facturas: toWire(elegibles), elegidas: elegidas.map(({ id }) => id) };
}
