import type { Entrada } from '~/platform/files/zip.server';
import type { Db, Trx } from '~db/client.server';
import { createIndice, type Portada } from './indice.server';
import { createNombres, parteSegura } from './nombres';
import { paginaOfVenta } from './paginaDeVenta.server';
import { acusesOf, archivosOfCfdi, papelesOf, type Archivado, type Papel, type PapelPuesto } from './papeles';
import { readVentas, type CfdiEntero, type Venta } from './ventas.server';

/** The sales of an expediente, by their ids and in their order, and its first page. `cfdi`: the document that it is about. */
export type Alcance = { portada: Portada; ventas: readonly string[]; cfdi?: CfdiEntero };

/** Sales that are read at once. */
const AT_ONCE = 50;

/**
 * Writes the files of an expediente one after the other, the index last. A file that several sales name lies with the first of them, or in the folder of the
 * document of several sales; the index leads to it from each.
 */
export async function* writeExpediente(
  db: Db | Trx,
  { portada, ventas, cfdi }: Alcance,
  { ahora, tell }: { ahora: Date; tell?: (escritas: number) => Promise<void> },
): AsyncGenerator<Entrada> {
  const nameOf = createNombres();
  const rutas = new Map<string, string>();
  const indice = await createIndice(portada, ventas.length, ahora);

  /** Gives each file of a kind of proof its place, and writes those that have none yet. */
  async function* place(
    papeles: readonly Papel[],
    carpeta: string,
    numero: string,
  ): AsyncGenerator<Entrada, PapelPuesto[]> {
    const puestos: PapelPuesto[] = [];
    for (const papel of papeles) {
      const hay = [];
      for (const cosa of papel.hay) {
        const { archivo } = cosa;
        if (archivo && !rutas.has(archivo.archivoId)) {
          const nombre = pathOf(archivo, carpeta, numero);
          rutas.set(archivo.archivoId, nombre);
          yield { nombre, archivoId: archivo.archivoId, fecha: archivo.fecha };
        }
        hay.push({ ...cosa, ruta: archivo ? rutas.get(archivo.archivoId)! : null });
      }
      puestos.push({ ...papel, hay });
    }
    return puestos;
  }

  const pathOf = ({ nombre, comun }: Archivado, carpeta: string, numero: string) =>
    comun === undefined ? nameOf(carpeta, `${numero} ${nombre}`) : nameOf(comun, nombre);

  let escritas = 0;
  for (let at = 0; at < ventas.length; at += AT_ONCE) {
    const ids = ventas.slice(at, at + AT_ONCE);
    for (const venta of await readVentas(db, ids)) {
      const carpeta = parteSegura(carpetaOf(venta));
      const numero = venta.numOrden;
      const ficha = nameOf(carpeta, `${numero} venta.html`);
      const papeles = yield* place(papelesOf(venta), carpeta, numero);
      yield { nombre: ficha, texto: paginaOfVenta(venta, papeles) };
      await indice.add({ venta, papeles, carpeta }, ficha);
      escritas += 1;
    }
    await tell?.(escritas);
  }
  const sueltos = cfdi && ventas.length === 0 ? yield* place(propiosOf(cfdi), '', '') : [];
  yield { nombre: 'indice.html', texto: indice.page(sueltos) };
  yield { nombre: 'indice.xlsx', bytes: await indice.sheet() };
}

/** The folder of a sale: its number, and its own number at the marketplace where a cart shares the first. */
const carpetaOf = ({ numOrden, marketId }: Venta) => (marketId === numOrden ? numOrden : `${numOrden} (${marketId})`);

const propiosOf = (cfdi: CfdiEntero): Papel[] => [
  { titulo: 'CFDI', ...archivosOfCfdi(cfdi), porque: '' },
  { titulo: 'Cancelaciones', ...acusesOf(cfdi), porque: 'No se canceló.' },
];
