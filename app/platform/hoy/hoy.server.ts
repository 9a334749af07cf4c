import { listLinked } from '~/platform/connections/list.server';
import type { Db } from '~db/client.server';
import type { Cola, Cosa, Cuantas } from './cola';
import { claveOf, duenosOf, listPospuestas, type Dueno, type Pospuesta } from './encargos.server';
import { FRESCO_CIFRAS_MS, FRESCO_MS, keep } from './fresco.server';
import { ATRASADA_MS, comparePeso, type Clase } from './internal/primera';
import { readOrLast, type SinLeer } from './leida.server';
import { limiteOf, relojOf, type Reloj } from './reloj';

/** Most things that a card tells one by one, and that the page of a whole queue tells. */
const EN_CARTA = 4;
/** Things that are looked at for a card whose clocks count: one that can still be met goes before those that ran out. */
const CON_PLAZO = 40;
const EN_COLA = 100;

export type Quien = { id: string; rol: string };

/** A queue that a person may open; `pantalla` is the screen where that person sees to it. */
export type Abierta = { cola: Cola; pantalla: string };

/** A thing as a card tells it. `limite` is the instant from which it is late, in ms. */
export type Linea = Omit<Cosa, 'dice'> & {
  reloj: Reloj;
  limite: number;
  dueno: Dueno | null;
  pospuesta: Omit<Pospuesta, 'cola' | 'cosa'> | null;
};
/** A queue as a card of 'Hoy'. */
export type Carta = Pick<Cola, 'clave' | 'titulo' | 'icono' | 'ver' | 'cuenta'> & {
  pantalla: string;
  /** Address, inside the area, of the list that shows these things; null where none shows them alone. */
  lista: string | null;
  total: number;
  tarde: number;
  /** Number of things that are late by weeks. */
  atrasadas: number;
  /** Number of things that are put aside and still wait. */
  aparte: number;
  sola: boolean;
  clase: Clase;
  /** True while no far side is linked that fills the queue. */
  sinConectar: boolean;
  /** Of a queue that never was read the counts are 0. */
  sinLeer: SinLeer;
  lineas: Linea[];
};

/** Returns the queues that a person may see to, by `puede`. A queue whose screens they may not open is never read for them. */
export function abiertasOf(colas: readonly Cola[], puede: (pantalla: string) => boolean): Abierta[] {
  return colas.flatMap((cola) => {
    const pantalla = cola.pantallas.find(puede);
    return pantalla === undefined ? [] : [{ cola, pantalla }];
  });
}

/** Reads the cards of these queues, in their order. Each look may be `FRESCO_MS` old. */
export async function readCartas(db: Db, abiertas: readonly Abierta[], quien: Quien): Promise<Carta[]> {
  const ahora = new Date();
  const pospuestas = await readPospuestas(db);
  const vistas = await Promise.all(
    abiertas.map(async (abierta) => ({ abierta, ...(await look(db, abierta.cola, quien, pospuestas)) })),
  );
  return cartasOf(db, vistas, { ahora, pospuestas });
}

/** Reads a whole queue as it stands this moment, or the one thing `solo` of it. */
export async function readCola(db: Db, abierta: Abierta, quien: Quien, solo?: string): Promise<Carta> {
  const ahora = new Date();
  const pospuestas = await listPospuestas(db, ahora);
  const cuantas = await abierta.cola.mira(db, {
    ahora,
    limite: EN_COLA,
    aparte: aparteOf(abierta.cola, pospuestas),
    ...(solo !== undefined && { solo }),
    quien,
  });
  return (await cartasOf(db, [{ abierta, cuantas, sinLeer: null }], { ahora, pospuestas, todas: true }))[0]!;
}

/** Returns the ids of the things of a queue that are late by weeks and were not put aside, the latest first, up to `limite`. */
export async function listAtrasadas(db: Db, { cola }: Abierta, quien: Quien, limite: number): Promise<string[]> {
  const ahora = new Date();
  const aparte = aparteOf(cola, await listPospuestas(db, ahora));
  const { cosas } = await cola.mira(db, { ahora, limite, aparte, quien });
  return cosas
    .filter((cosa) => !cosa.aparte && limiteOf(cosa, cola.plazos) < ahora.getTime() - ATRASADA_MS)
    .map(({ id }) => id);
}

/**
 * Things that wait on a screen: those of one queue. `dice` says what they are, after the number; `tarde`: at least one is late. `clave` is the queue, and `lista` the
 * list that shows them alone, as a card has it.
 */
type Cuenta = { cuenta: number; tarde: boolean; dice: string; clave: string; lista: string | null };

/**
 * Counts the things that wait on each screen. Where several queues lead to it the number is that of the first with anything in it, in the order given: a sum of
 * them would be the number of no list. A screen of which nothing is known has no count.
 */
export async function readCuentas(db: Db, abiertas: readonly Abierta[], quien: Quien): Promise<Map<string, Cuenta>> {
  const pospuestas = await readPospuestas(db);
  const leidas = await Promise.all(
    abiertas
      .filter(({ cola }) => !cola.sola)
      .map(async ({ cola, pantalla }) => ({ cola, pantalla, ...(await look(db, cola, quien, pospuestas)) })),
  );
  const cuentas = new Map<string, Cuenta>();
  for (const { cola, pantalla, cuantas, sinLeer } of leidas) {
    if (sinLeer && sinLeer.desde === null) continue;
    if ((cuentas.get(pantalla)?.cuenta ?? 0) > 0) continue;
    cuentas.set(pantalla, {
      cuenta: cuantas.total,
      tarde: cuantas.tarde > 0,
      dice: cola.cuenta ? `${cola.cuenta[cuantas.total === 1 ? 0 : 1]}: ${cola.titulo}` : cola.titulo,
      clave: cola.clave,
      lista: listaOf(cola, pantalla),
    });
  }
  return cuentas;
}

/** Returns the thing that weighs most among those without another owner; null when there is none. */
export function primeraOf(
  cartas: readonly Carta[],
  quien: Pick<Quien, 'id'>,
  ahora: Date,
): { carta: Carta; linea: Linea } | null {
  const todas = cartas
    .filter(({ sola }) => !sola)
    .flatMap((carta) => carta.lineas.map((linea) => ({ carta, linea })))
    .filter(({ linea: { dueno } }) => dueno === null || dueno.id === quien.id);
  return todas.reduce<(typeof todas)[number] | null>(
    (first, one) => (first === null || comparePeso(esperaOf(one), esperaOf(first), ahora.getTime()) < 0 ? one : first),
    null,
  );
}

const esperaOf = ({ carta: { clase }, linea: { limite, vence } }: { carta: Carta; linea: Linea }) => ({
  clase,
  limite,
  vence,
});

type Vista = { cuantas: Cuantas; sinLeer: Carta['sinLeer'] };

const NADA: Cuantas = { total: 0, tarde: 0, atrasadas: 0, aparte: 0, cosas: [] };

/** Looks at a queue. One that cannot be read is told by its last good look, and keeps no other queue from being read. */
function look(db: Db, cola: Cola, quien: Quien, pospuestas: readonly Pospuesta[]): Promise<Vista> {
  const aparte = aparteOf(cola, pospuestas);
  const deQuien = cola.dePersona ? quien.id : '';
  const limite = cola.clase === 'plazo' ? CON_PLAZO : EN_CARTA;
  return keep(db, [cola.clave, deQuien, ...aparte].join(' '), cola.frescoMs ?? FRESCO_MS, async () => {
    const { valor, sinLeer } = await readOrLast(db, `cola ${cola.clave} ${deQuien}`, (ahora) =>
      cola.mira(db, { ahora, limite, aparte, quien }),
    );
    return { cuantas: valor ?? NADA, sinLeer };
  });
}

/** Returns what was put aside; where that cannot be read, what was last read of it. */
const readPospuestas = (db: Db): Promise<readonly Pospuesta[]> =>
  keep(
    db,
    'pospuestas',
    FRESCO_MS,
    async () => (await readOrLast(db, 'pospuestas', (ahora) => listPospuestas(db, ahora))).valor ?? [],
  );

/** Returns the address of the list that shows the things of a queue alone, inside the area; null where none does. */
const listaOf = ({ ver, vistas }: Cola, pantalla: string) =>
  ver === '' ? null : `${pantalla}${vistas?.[pantalla] ?? ''}`;

const aparteOf = ({ clave }: Cola, pospuestas: readonly Pospuesta[]) =>
  pospuestas.filter(({ cola }) => cola === clave).map(({ cosa }) => cosa);

async function cartasOf(
  db: Db,
  vistas: ({ abierta: Abierta } & Vista)[],
  { ahora, pospuestas, todas = false }: { ahora: Date; pospuestas: readonly Pospuesta[]; todas?: boolean },
): Promise<Carta[]> {
  const cuales = vistas.flatMap(({ abierta: { cola }, cuantas }) =>
    cuantas.cosas.map(({ id }) => ({ cola: cola.clave, cosa: id })),
  );
  const { valor: conectadas } = await keep(db, 'conectadas', FRESCO_CIFRAS_MS, () =>
    readOrLast(db, 'conectadas', () => listLinked(db)),
  );
  const { valor: duenos } = await keep(db, `duenos ${cuales.map(claveOf).join(' ')}`, FRESCO_MS, () =>
    readOrLast(db, 'duenos', () => duenosOf(db, cuales)),
  );
  return vistas.map(({ abierta: { cola, pantalla }, cuantas, sinLeer }) => ({
    clave: cola.clave,
    titulo: cola.titulo,
    icono: cola.icono,
    ver: cola.ver,
    ...(cola.cuenta && { cuenta: cola.cuenta }),
    pantalla,
    lista: listaOf(cola, pantalla),
    total: cuantas.total,
    tarde: cuantas.tarde,
    atrasadas: cuantas.atrasadas,
    aparte: cuantas.aparte,
    sola: cola.sola ?? false,
    clase: cola.clase ?? 'tarea',
    sinConectar: cola.necesita !== undefined && conectadas?.has(cola.necesita) === false,
    sinLeer,
    lineas: (todas ? cuantas.cosas : enCarta(cola, cuantas, ahora)).map(({ aparte, dice, ...cosa }) => {
      const cual = { cola: cola.clave, cosa: cosa.id };
      return {
        ...cosa,
        reloj: relojOf({ ...cosa, ...(dice && { dice }) }, cola.plazos, ahora),
        limite: limiteOf(cosa, cola.plazos),
        dueno: duenos?.get(claveOf(cual)) ?? null,
        pospuesta: aparte ? pospuestaOf(pospuestas, cual) : null,
      };
    }),
  }));
}

/** Returns the things that a card tells. */
function enCarta({ clase = 'tarea', plazos }: Cola, { cosas }: Cuantas, ahora: Date): Cuantas['cosas'] {
  const esperaDe = (cosa: Cosa) => ({ clase, limite: limiteOf(cosa, plazos), vence: cosa.vence });
  return cosas
    .filter(({ aparte }) => !aparte)
    .toSorted((a, b) => comparePeso(esperaDe(a), esperaDe(b), ahora.getTime()))
    .slice(0, EN_CARTA);
}

function pospuestaOf(pospuestas: readonly Pospuesta[], cual: { cola: string; cosa: string }): Linea['pospuesta'] {
  const found = pospuestas.find(({ cola, cosa }) => cola === cual.cola && cosa === cual.cosa);
  return found ? { hasta: found.hasta, motivo: found.motivo, por: found.por } : null;
}
