import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { cambiosEntre, withEtiquetas } from '~/core/choque';
import { NotAllowed, Stale } from '~/core/errors';
import { record } from '~/platform/bitacora.server';
import type { FarSide } from '~/platform/connections/definition';
import { type EleccionesLeidas, listElecciones } from '~/domain/compras/catalogo/elecciones.server';
import type { Eleccion } from '~/integrations/proveedores/cara';
import type { Db, Trx } from '~db/client.server';
import {
  type CampoDeCompra,
  Compra,
  type CompraForm,
  eleccionesOf,
  faltaDeCompra,
  plegado,
  type SucursalForm,
  sucursalOf,
} from './compra';

const TITULO = 'Error de actualización.';

/** How a supplier is bought from, as its card shows it. */
export type ComoSeCompra = {
  huella: string;
  datos: (Pick<CampoDeCompra, 'clave' | 'label' | 'omision'> & {
    valor: string | null;
    elecciones: readonly Eleccion[];
  })[];
  /** Warehouses or branches, the preferred ones first; null at a supplier whose orders name none. */
  lugar: {
    label: string;
    elecciones: readonly Eleccion[];
    almacenes: string[];
    /** Names in the stock that no branch of the supplier has, each with the branch that people told. */
    nombres: { nombre: string; sucursal: string | null }[];
  } | null;
  numeroCliente: string | null;
  facturarA: string | null;
  /** Telephone of ours beside the label of a sale; null where nobody wrote one. */
  telefono: string | null;
  /** An order there carries the label, and asks for a telephone beside it. */
  pideTelefono: boolean;
  cc: string;
  /** What an order lacks, in words. */
  falta: string[];
  /** Read of the choices; null where nobody asked yet. `seLeen` is false at a supplier that tells none. */
  leidas: Pick<EleccionesLeidas, 'leidasEn' | 'vieja'> | null;
  seLeen: boolean;
};

const huellaOf = (compra: Compra) => hash('sha1', JSON.stringify(compra), 'base64');

type Suyo = { side: FarSide & { proveedor: NonNullable<FarSide['proveedor']> }; compra: unknown };

/** Returns how each of some suppliers is bought from, by supplier. */
export async function readComoSeCompra(db: Db, suyos: readonly Suyo[]): Promise<ReadonlyMap<string, ComoSeCompra>> {
  const leidas = await listElecciones(db);
  const nombres = await nombresDeExistencia(
    db,
    suyos.filter(({ side }) => side.proveedor.compra.lugar?.porNombre).map(({ side }) => side.kind),
  );
  return new Map(
    suyos.map(({ side: { kind, proveedor }, compra: guardada }) => {
      const compra = Compra.parse(guardada);
      const suyas = leidas.get(kind);
      const elecciones = suyas?.elecciones ?? null;
      const { datos, lugar } = proveedor.compra;
      const sucursales = lugar ? (eleccionesOf({ clave: 'sucursal', ...lugar }, elecciones) ?? []) : [];
      const deSuLista = new Set(sucursales.map(({ nombre }) => plegado(nombre)));
      return [
        kind,
        {
          huella: huellaOf(compra),
          datos: datos.map((dato) => ({
            clave: dato.clave,
            label: dato.label,
            ...(dato.omision !== undefined && { omision: dato.omision }),
            valor: compra.opciones[dato.clave] ?? null,
            elecciones: eleccionesOf(dato, elecciones) ?? [],
          })),
          lugar: lugar
            ? {
                label: lugar.label,
                elecciones: sucursales,
                almacenes: compra.almacenes,
                nombres: (nombres.get(kind) ?? [])
                  .filter((nombre) => !deSuLista.has(plegado(nombre)))
                  .map((nombre) => ({ nombre, sucursal: sucursalOf(nombre, compra, elecciones) })),
              }
            : null,
          numeroCliente: compra.numeroCliente,
          facturarA: compra.facturarA,
          telefono: compra.telefono,
          pideTelefono: proveedor.capacidades.enviarGuia === 'pedido',
          cc: compra.cc.join(', '),
          falta: faltaDeCompra(proveedor.compra, compra, elecciones),
          leidas: suyas ? { leidasEn: suyas.leidasEn, vieja: suyas.vieja } : null,
          seLeen: proveedor.leer(db, 'persona').elecciones !== undefined,
        },
      ];
    }),
  );
}

/** Returns the names of warehouses in the stock of some suppliers that are no number of theirs, by supplier. */
async function nombresDeExistencia(db: Db, kinds: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
  if (kinds.length === 0) return new Map();
  const { rows } = await sql<{ proveedor: string; nombres: string[] }>`
    select p.proveedor, array_agg(distinct a.almacen order by a.almacen) as nombres
    from producto p join oferta o on o.producto_id = p.id
    cross join lateral (select jsonb_array_elements(o.almacenes) ->> 'almacen' as almacen) a
    where p.proveedor = any(${[...kinds]}::text[]) and a.almacen !~ '^[0-9]{1,4}$'
    group by p.proveedor`.execute(db);
  return new Map(rows.map(({ proveedor, nombres }) => [proveedor, nombres]));
}

const ETIQUETAS = {
  metodoPago: 'Forma de pago',
  fletera: 'Fletera',
  tipoPago: 'Forma de pago',
  usoCfdi: 'Uso del CFDI',
  almacenes: 'Almacenes',
  sucursales: 'Sucursales de su existencia',
  numeroCliente: 'Número de cliente',
  facturarA: 'Facturar a',
  telefono: 'Teléfono de contacto',
  cc: 'Con copia a',
} as const;

const enPalabras = ({ opciones, almacenes, sucursales, cc, ...resto }: Compra) =>
  withEtiquetas(ETIQUETAS, {
    ...opciones,
    ...resto,
    almacenes: almacenes.join(', '),
    sucursales: Object.entries(sucursales)
      .map(([nombre, sucursal]) => `${nombre}: ${sucursal}`)
      .join(', '),
    cc: cc.join(', '),
  });

/** Changes how a supplier is bought from. Throws `Stale` when that moved since the screen showed it. */
async function changeCompra(
  trx: Trx,
  { kind }: FarSide,
  huella: string,
  change: (antes: Compra) => Compra,
  usuarioId: string | null,
): Promise<void> {
  const { compra: guardada } = await trx
    .selectFrom('proveedor')
    .select('compra')
    .where('value', '=', kind)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const antes = Compra.parse(guardada);
  const compra = change(antes);
  if (huella !== huellaOf(antes))
    throw new Stale({
      cambios: cambiosEntre(enPalabras(compra), enPalabras(antes)),
      marcas: { huella: huellaOf(antes) },
    });
  await trx
    .updateTable('proveedor')
    .set({ compra: JSON.stringify(compra) })
    .where('value', '=', kind)
    .execute();
  await record(trx, {
    usuarioId,
    entidad: 'proveedor',
    entidadId: kind,
    accion: 'cómo se compra',
    datos: { antes, ...compra },
  });
}

/**
 * Saves how a supplier is bought from. A value that the supplier never offered is refused with `NotAllowed` at its field; a kept value stays allowed.
 * Throws `Stale` when the settings moved.
 */
export async function saveCompra(
  trx: Trx,
  side: FarSide,
  { huella, almacenes, numeroCliente, facturarA, telefono, cc, ...valores }: CompraForm,
  usuarioId: string | null,
): Promise<void> {
  const { datos = [], lugar } = side.proveedor?.compra ?? {};
  const elecciones = (await listElecciones(trx)).get(side.kind)?.elecciones ?? null;
  await changeCompra(
    trx,
    side,
    huella,
    (antes) => {
      const opciones = { ...antes.opciones };
      for (const dato of datos) {
        const valor = valores[dato.clave];
        requireOfrecido(dato.clave, dato.label, valor, eleccionesOf(dato, elecciones), antes.opciones[dato.clave]);
        if (valor === null) delete opciones[dato.clave];
        else opciones[dato.clave] = valor;
      }
      const lugares = lugar && eleccionesOf({ clave: 'sucursal', ...lugar }, elecciones);
      for (const almacen of lugar ? almacenes : [])
        requireOfrecido(
          'almacenes',
          lugar!.label,
          almacen,
          lugares,
          antes.almacenes.find((uno) => uno === almacen),
        );
      return { ...antes, opciones, almacenes: lugar ? almacenes : [], numeroCliente, facturarA, telefono, cc };
    },
    usuarioId,
  );
}

/** Saves the branch that a name in the stock stands for. Throws `NotAllowed` for a branch that the supplier does not name, and `Stale`. */
export async function saveSucursal(
  trx: Trx,
  side: FarSide,
  { huella, nombre, sucursal }: SucursalForm,
  usuarioId: string | null,
): Promise<void> {
  const elecciones = (await listElecciones(trx)).get(side.kind)?.elecciones ?? null;
  requireOfrecido('sucursal', 'Sucursal', sucursal, elecciones?.sucursal ?? [], undefined);
  await changeCompra(
    trx,
    side,
    huella,
    (antes) => ({ ...antes, sucursales: { ...antes.sucursales, [plegado(nombre)]: sucursal } }),
    usuarioId,
  );
}

function requireOfrecido(
  campo: string,
  label: string,
  valor: string | null,
  elecciones: readonly Eleccion[] | undefined,
  antes: string | undefined,
): void {
  if (valor === null || valor === antes || elecciones?.some(({ clave }) => clave === valor)) return;
  throw new NotAllowed(
    TITULO,
    elecciones ? `${label}: «${valor}» no está entre sus opciones.` : `${label}: lee primero sus opciones.`,
    { campo },
  );
}
