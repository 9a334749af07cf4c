import { expect, test } from 'vitest';
import { Money } from '~/core/money';
import type { Liquidaciones, LineaLeida, MovimientoLeido, Tramo } from '~/domain/mercados/liquidacion';

/** What a world knows to be true of what it paid out in some days. Amounts in pesos, as the marketplace moved them. */
export type HechosDePago = {
  depositos: string[];
  movimientos: { ventaId: string | null; importe: string }[];
};

export type MundoDePagos = {
  liquidaciones: () => Liquidaciones;
  tramo: () => Tramo;
  hechos: () => Promise<HechosDePago>;
  ponga: (interruptores: Record<string, string>) => Promise<unknown>;
  deFabrica: Record<string, string>;
  /** Ways of telling the same money, of which nobody has confirmed one. */
  maneras: Record<string, string>[];
  /** The newest report is not made yet, or is. */
  tarda: (si: boolean) => Promise<unknown>;
};

const sumOf = (told: readonly Money[]) => Money.sum(told).cents().toString();

/** How the payouts of every adapter are read; a marketplace is ready when its own world passes. */
export function liquidacionesSuite({ liquidaciones, tramo, hechos, ponga, ...world }: MundoDePagos) {
  async function ready(): Promise<string[]> {
    const one = liquidaciones();
    if (one.pide) await one.pide.pide(tramo());
    return (await one.lista(tramo().desde)).flatMap(({ archivo }) => (archivo === null ? [] : [archivo]));
  }

  /** Everything that the reports tell, each line once however many of them tell it. */
  async function readAll() {
    const depositos = new Map<string, Money>();
    const movimientos = new Map<string, MovimientoLeido>();
    const ilegibles: string[] = [];
    const take = (linea: LineaLeida) => {
      if (linea.clase === 'deposito') depositos.set(linea.deposito.clave, linea.deposito.importe);
      else if (linea.clase === 'movimientos') for (const one of linea.movimientos) movimientos.set(one.clave, one);
      else if (linea.clase === 'ilegible') ilegibles.push(linea.motivo);
    };
    for (const archivo of await ready()) for await (const linea of liquidaciones().lee(archivo)) take(linea);
    return { depositos, movimientos: [...movimientos.values()], ilegibles };
  }

  test('every deposit and every peso in between is told once, to the cent, whatever way the account tells it', async () => {
    const { depositos, movimientos } = await hechos();
    expect(depositos.length).toBeGreaterThan(1);
    for (const manera of [{}, ...world.maneras]) {
      await ponga({ ...world.deFabrica, ...manera });
      const told = await readAll();
      expect([manera, told.ilegibles]).toEqual([manera, []]);
      expect([manera, [...told.depositos.values()].map(String).sort()]).toEqual([manera, [...depositos].sort()]);
      expect([manera, sumOf(told.movimientos.map(({ importe }) => importe))]).toEqual([
        manera,
        sumOf(movimientos.map(({ importe }) => Money.of(importe))),
      ]);
    }
    await ponga(world.deFabrica);
  });

  test('what a sale was paid and charged stands under its number, each amount for what it is', async () => {
    const bySale = <T>(rows: readonly T[], id: (row: T) => string | null, amount: (row: T) => Money) => {
      const sums: Record<string, Money> = {};
      for (const row of rows) {
        const sale = id(row);
        if (sale !== null) sums[sale] = (sums[sale] ?? Money.zero).plus(amount(row));
      }
      return Object.fromEntries(Object.entries(sums).map(([sale, sum]) => [sale, sum.cents().toString()]));
    };
    const { movimientos } = await hechos();
    const told = (await readAll()).movimientos;
    const expected = bySale(
      movimientos,
      ({ ventaId }) => ventaId,
      ({ importe }) => Money.of(importe),
    );
    expect(Object.keys(expected).length).toBeGreaterThan(10);
    expect(
      bySale(
        told,
        ({ refOrden }) => refOrden,
        ({ importe }) => importe,
      ),
    ).toMatchObject(expected);
    const concepts = new Set(told.map(({ concepto }) => concepto));
    expect([...concepts]).toEqual(expect.arrayContaining(['venta', 'comision', 'devolucion', 'iva', 'publicidad']));
  });

  test('a report read twice tells the same lines under the same keys', async () => {
    const [archivo] = await ready();
    const keysOf = async () => {
      const keys: string[] = [];
      for await (const linea of liquidaciones().lee(archivo!)) {
        if (linea.clase === 'deposito') keys.push(linea.deposito.clave);
        if (linea.clase === 'movimientos') keys.push(...linea.movimientos.map(({ clave }) => clave));
      }
      return keys;
    };
    const keys = await keysOf();
    expect(await keysOf()).toEqual(keys);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.length).toBeGreaterThan(10);
  });

  test('a report that is not made yet has no name to be fetched by, and a name that is nowhere is told so', async () => {
    await world.tarda(true);
    const one = liquidaciones();
    if (one.pide) await one.pide.pide(tramo());
    const listed = await one.lista(tramo().desde);
    expect(listed.some(({ archivo }) => archivo === null) || listed.length === 0).toBe(true);
    await world.tarda(false);
    const read = async () => {
      for await (const linea of liquidaciones().lee('no-existe')) void linea;
    };
    await expect(read()).rejects.toMatchObject({ name: expect.stringMatching(/Refused|Unavailable/) });
  });
}
