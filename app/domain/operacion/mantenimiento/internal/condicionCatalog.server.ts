import { sql } from 'kysely';
import { enumerate } from '~/core/hechos';
import { writeDias } from '~/core/periodo';
import { clockSkewMs, databaseNow, SKEW_TOLD_MS } from '~db/clock.server';
import type { Db } from '~db/client.server';
import { finOfLlave } from '~/domain/compras/directorio/llave';
import { countRechazadas, judgeRechazadas } from '~/platform/connections/respuestas.server';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import { Repetidas } from '~/platform/effects/late.server';
import { readTasas } from '~/domain/ventas/ordenes/tasas.server';
import { listFuentes } from '~/domain/mercados/registro.server';
import { countUnread } from '~/domain/sync/inboxUnread.server';
import { listSinTimbrar } from '~/domain/facturacion/publico/sinTimbrar.server';
import { esFalla } from '../promesa';
import { judgePromesas } from '../promesas.server';
import { countPendientes } from '../tablero.server';
import type { Condicion } from './condicion';
import { libroDescuadrado, stockDescuadrado } from './condicionesDeCuadre.server';
import { archivoDeWal, respaldoEnBucket, respaldoProbado, restaurada } from './condicionesDeRespaldo.server';
import { acarreoQuieto, trabajosAgotados, trabajosSinWorker } from './condicionesDeTrabajos.server';
import { cfdisDelPac } from './condicionesDelPac.server';
import { readEspacio } from './disco.server';

const lista = (kinds: string[]) => kinds.map((kind) => CONNECTIONS.find(kind)?.label ?? kind).join(', ');

/** A breaker that has been open without an answer for this long is an outage. */
const OUTAGE_MINUTES = 5;
const SILENT_MINUTES = 60;
/** Decisions that wait: so many of them, or one that nobody took in a day. */
const BOARD = { many: 5, hours: 24 };
const LIBRE_MB = { aviso: 2_048, grave: 512 };
const SAID_HOURS = 24;

/** The keys of a far side no longer open it: the far side said so, or its link is broken. */
const llavesMuertas: Condicion = {
  clave: 'llaves',
  async mira(db) {
    const { rows } = await sql<{ connection: string }>`
      select kind as connection from connection where account_problem is not null and paused_at is null
      union select connection from credential where status = 'broken' order by connection`.execute(db);
    if (rows.length === 0) return null;
    const cuales = rows.map(({ connection }) => connection);
    return {
      nivel: 'grave',
      texto: `Las llaves de ${lista(cuales)} dejaron de servir.`,
      remedio: cuales.map(remedioOf).join(' '),
      pantalla: 'tokens',
    };
  },
};

/** A key that nothing renews comes to its last day. */
const llavesPorVencer: Condicion = {
  clave: 'llavesPorVencer',
  async mira(db) {
    const ends = await Promise.all(
      CONNECTIONS.all().map(async ({ label, proveedor, vencimientos }) => {
        const fin = await proveedor?.vence?.(db);
        return [
          ...(fin
            ? [{ ...finOfLlave(label, fin), nota: 'Genera otra con el proveedor y guárdala en Activación de API.' }]
            : []),
          ...((await vencimientos?.(db)) ?? []),
        ];
      }),
    );
    const soon = ends.flat().filter(({ tono }) => tono !== 'ok');
    if (soon.length === 0) return null;
    return {
      nivel: soon.some(({ tono }) => tono === 'mal') ? 'grave' : 'aviso',
      texto: soon.map(({ texto }) => texto).join(' '),
      remedio: [...new Set(soon.flatMap(({ nota }) => nota ?? []))].join(' '),
      pantalla: 'tokens',
    };
  },
};

function remedioOf(kind: string): string {
  const side = CONNECTIONS.find(kind);
  if (side?.link.type === 'keys')
    return `Revisa en ${side.label} que la cuenta siga activa y vuelve a guardar sus llaves en Activación de API.`;
  if (side?.link.type === 'settings') return `Revisa ${side.link.where} en la configuración del servidor.`;
  return 'Vuelve a vincular la cuenta en Activación de API.';
}

const interrupcion: Condicion = {
  clave: 'interrupcion',
  async mira(db) {
    const { rows } = await sql<{ connection: string }>`
      select distinct kind as connection from connection join connection_breaker using (kind, account)
      where paused_at is null and account_problem is null and openings > 0 and last_error_at > now() - interval '15 minutes'
        and coalesce(last_ok_at, '-infinity') < now() - make_interval(mins => ${OUTAGE_MINUTES}) order by kind`.execute(
      db,
    );
    if (rows.length === 0) return null;
    const cuales = rows.map(({ connection }) => connection);
    return {
      nivel: 'grave',
      texto: `Sin respuesta: ${lista(cuales)}.`,
      remedio:
        `Lo pedido espera y sale solo cuando responda. ${cuales.map((kind) => CONNECTIONS.find(kind)?.paused.stops ?? '').join(' ')}`.trim(),
      pantalla: 'pendientes',
    };
  },
};

/** A far side refuses much of what it is asked. Who is refused too often is blocked, and then nothing works. */
const muchosRechazos: Condicion = {
  clave: 'muchosRechazos',
  async mira(db) {
    const many = (await countRechazadas(db)).filter((one) => judgeRechazadas(one).told);
    if (many.length === 0) return null;
    const cuales = many.map(({ connection, contestadas, rechazadas, peor }) => {
      const lo = peor ? `, sobre todo ${peor.ruta}` : '';
      return `${lista([connection])} rechazó ${rechazadas} de ${contestadas} llamadas en 24 horas${lo}`;
    });
    return {
      nivel: 'aviso',
      texto: `${cuales.join('; ')}.`,
      remedio:
        'Corrige o descarta en Pendientes lo que se rechaza una y otra vez: a quien rechazan demasiado le pueden bloquear la aplicación.',
      pantalla: 'tokens',
    };
  },
};

/** The law that tells what marketplaces withhold comes to its last day, and the next one is not written. */
const tasasPorVencer: Condicion = {
  clave: 'tasasPorVencer',
  async mira(db) {
    const { fin } = await readTasas(db);
    if (!fin) return null;
    const dia = writeDias({ desde: fin.dia, hasta: fin.dia });
    return {
      nivel: 'aviso',
      texto: fin.pasado
        ? `Las tasas de retención por ley terminaron el ${dia}: lo que se estima sigue con las últimas.`
        : `Las tasas de retención por ley terminan el ${dia} y las que siguen no están escritas.`,
      remedio: 'Pregúntalas a tu contador y escríbelas en Configuración de tiendas, «Retenciones por ley».',
      pantalla: 'tiendasConfiguracion',
    };
  },
};

/** A linked marketplace that brings its sales by itself and has not been read for an hour. */
const fuenteEnSilencio: Condicion = {
  clave: 'fuente',
  async mira(db) {
    const { rows } = await sql<{ connection: string }>`
      select c.connection from credential c left join connection s on s.kind = c.connection and s.account = ''
      where c.connection = any(${listFuentes().map(({ source }) => source)}) and c.status = 'linked' and s.paused_at is null and c.linked_at < now() - make_interval(mins => ${SILENT_MINUTES})
        and not exists (select from sync_run r where r.source = c.connection and r.kind = 'sweep' and r.error is null
          and r.ended_at > now() - make_interval(mins => ${SILENT_MINUTES}))`.execute(db);
    return rows.length === 0
      ? null
      : {
          nivel: 'grave',
          texto: `Hace más de una hora que no se leen ventas de ${lista(rows.map(({ connection }) => connection))}.`,
          remedio: 'Comprueba que el worker esté en marcha y que la cuenta siga vinculada en Activación de API.',
          pantalla: 'tokens',
        };
  },
};

const ventasSinLeer: Condicion = {
  clave: 'ventasSinLeer',
  async mira(db) {
    const { sinLeer } = await countUnread(db);
    return sinLeer === 0
      ? null
      : {
          nivel: 'aviso',
          texto:
            sinLeer === 1
              ? 'Un aviso de la tienda no se ha podido leer.'
              : `${sinLeer} avisos de la tienda no se han podido leer.`,
          remedio: 'Mira el motivo en Activación de API y vuelve a pedirlos.',
          pantalla: 'tokens',
        };
  },
};

const tableroQueCrece: Condicion = {
  clave: 'tablero',
  async mira(db) {
    const [esperan, vieja] = await Promise.all([countPendientes(db), hasOldDecision(db)]);
    if (esperan < BOARD.many && !vieja) return null;
    return {
      nivel: 'aviso',
      texto:
        esperan === 1
          ? 'Una solicitud espera una decisión hace más de un día.'
          : `${esperan} solicitudes esperan una decisión.`,
      remedio: 'Decide cada una en Pendientes: mientras tanto su venta o su factura no avanza.',
      pantalla: 'pendientes',
    };
  },
};

async function hasOldDecision(db: Db): Promise<boolean> {
  const { rows } = await sql<{ vieja: boolean }>`
    select exists (select from effect where state = 'manual' and coalesce(unknown_at, sent_at, created_at) < now() - make_interval(hours => ${BOARD.hours})) as vieja`.execute(
    db,
  );
  return rows[0]!.vieja;
}

/** Customers wait for a factura that was not stamped. The condition holds for a day; the board keeps each case until it is invoiced. */
const clientesSinFactura: Condicion = {
  clave: 'clientesSinFactura',
  async mira(db) {
    const desde = (await databaseNow(db)).getTime() - SAID_HOURS * 3_600_000;
    const { length } = (await listSinTimbrar(db)).filter(({ fecha }) => fecha.getTime() > desde);
    return length === 0
      ? null
      : {
          nivel: 'grave',
          texto:
            length === 1
              ? 'Un cliente no pudo facturar su compra por algo de la empresa.'
              : `${length} clientes no pudieron facturar su compra por algo de la empresa.`,
          remedio: 'Mira el motivo de cada uno en Pendientes, corrígelo y avísales que ya pueden facturar.',
          pantalla: 'pendientes',
        };
  },
};

/** Most doubles that the text names; the board has all. */
const MOST_REPETIDAS = 5;

/** Something was done twice at a far side, or after people had said that it was not: it costs money until somebody sees to it. */
const repetidas: Condicion = {
  clave: 'repetidas',
  async mira(db) {
    const rows = await db
      .selectFrom('effect')
      .select(['connection', 'ref', 'lateEvidence'])
      .where('lateEvidence', 'is not', null)
      .orderBy('createdAt')
      .limit(MOST_REPETIDAS + 1)
      .execute();
    if (rows.length === 0) return null;
    const cuales = rows.slice(0, MOST_REPETIDAS).map(({ connection, ref, lateEvidence }) => {
      const folios = foliosOf(lateEvidence);
      return `${lista([connection])}, ${ref}${folios.length > 0 ? `: ${enumerate(folios)}` : ''}`;
    });
    return {
      nivel: 'grave',
      texto: `Del otro lado hay de más, o lo que se había dado por no hecho: ${cuales.join('; ')}${rows.length > MOST_REPETIDAS ? '; y más' : ''}.`,
      remedio: 'Cancela en Pendientes la repetida, o pide desde ahí que la cancelen.',
      pantalla: 'pendientes',
    };
  },
};

/** Folios of what was found too late, the one that counts first. */
function foliosOf(lateEvidence: unknown): string[] {
  const alarma = Repetidas.safeParse(lateEvidence).data;
  if (alarma) return [...(alarma.vigente ? [alarma.vigente] : []), ...alarma.repetidas].map(({ folio }) => folio);
  const { folio, uuid } = lateEvidence as { folio?: string; uuid?: string };
  return [folio ?? uuid ?? []].flat();
}

const pocoDisco: Condicion = {
  clave: 'disco',
  async mira() {
    const { libreMb } = await readEspacio();
    if (libreMb === null) throw new Error('ningún disco dijo cuánto espacio le queda');
    if (libreMb >= LIBRE_MB.aviso) return null;
    return {
      nivel: libreMb < LIBRE_MB.grave ? 'grave' : 'aviso',
      texto: 'Queda poco espacio en el disco del servidor.',
      remedio: 'Libera espacio o amplía el disco: cuando se llena no se guarda nada y la base se detiene.',
    };
  },
};

const relojDistinto: Condicion = {
  clave: 'reloj',
  async mira(db) {
    return Math.abs(await clockSkewMs(db)) <= SKEW_TOLD_MS
      ? null
      : {
          nivel: 'aviso',
          texto: 'El reloj del servidor de la aplicación no coincide con el de la base de datos.',
          remedio: 'Activa la sincronización de hora (NTP) en los dos servidores.',
        };
  },
};

/** The owner of the tables serves the requests itself, because it may not make accounts, and could remove rows that must stay. */
const cuentaDuena: Condicion = {
  clave: 'cuentaDuena',
  async mira(db) {
    const { rows } = await sql<{ duena: boolean }>`
      select has_table_privilege('bitacora', 'delete') as duena`.execute(db);
    return rows[0]?.duena
      ? {
          nivel: 'aviso',
          texto: 'La aplicación usa la cuenta dueña de la base de datos.',
          remedio:
            'Crea en PostgreSQL una cuenta sin más derechos, ponla en DATABASE_URL y deja la dueña en MIGRACION_URL (README, «Two accounts of the database»).',
        }
      : null;
  },
};

/** A promise of the product that its own events of the last day break, or that has none where each day has some. One that cannot be read is nobody's yes. */
const promesaIncumplida: Condicion = {
  clave: 'promesa',
  async mira(db) {
    const fallan = (await judgePromesas(db)).filter(({ juicio }) => esFalla(juicio));
    const dichas = fallan.flatMap(({ nombre, juicio, dia }) =>
      juicio === 'falla'
        ? [`«${nombre}» a tiempo: ${dia!.cumplidas} de ${dia!.cuantas} en 24 horas`]
        : juicio === 'falta'
          ? [`«${nombre}»: ninguna en 24 horas, y cada día las hay`]
          : [],
    );
    if (dichas.length === 0 && fallan.length > 0)
      throw new Error(`no se pudo leer ${enumerate(fallan.map(({ nombre }) => `«${nombre}»`))}`);
    return dichas.length === 0
      ? null
      : {
          nivel: 'aviso',
          texto: `Algo tarda más de lo prometido. ${dichas.join('; ')}.`,
          remedio: 'Abre Estado: en «Promesas» está la peor de cada una, con su venta, factura, pregunta o depósito.',
          pantalla: 'estado',
        };
  },
};

/** Every condition that is watched. A room adds its own here. */
export const CONDICIONES: readonly Condicion[] = [
  llavesMuertas,
  llavesPorVencer,
  tasasPorVencer,
  interrupcion,
  muchosRechazos,
  fuenteEnSilencio,
  ventasSinLeer,
  tableroQueCrece,
  repetidas,
  cfdisDelPac,
  clientesSinFactura,
  pocoDisco,
  relojDistinto,
  trabajosAgotados,
  trabajosSinWorker,
  acarreoQuieto,
  cuentaDuena,
  archivoDeWal,
  respaldoEnBucket,
  respaldoProbado,
  stockDescuadrado,
  libroDescuadrado,
  promesaIncumplida,
  restaurada,
];
