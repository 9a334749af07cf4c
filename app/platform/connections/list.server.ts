import { sql } from 'kysely';
import { Refused, Unavailable, Uncertain, UnexpectedShape } from '~/integrations/errors';
import type { Db } from '~db/client.server';
import { record } from '../bitacora.server';
import { noteOutcome } from './breaker.server';
import { type CredentialView, listCredentials, openCredential } from './credentials.server';
import { type Call, CALLS, type Direccion, type FarSide, type KeyField, opcionalesOf, type Seen } from './definition';
import { CONNECTIONS, type ConnectionKind } from './registry.server';

/** State of one kind of call. `prueba`: the rest is over and one call tries. */
export type CallState = 'sinUso' | 'bien' | 'descansa' | 'prueba';

/** The breaker of one kind of call, as its card shows it. */
export type BreakerView = {
  call: Call;
  state: CallState;
  /** End of the rest. */
  until: Date | null;
  /** Number of failures that count towards the next rest. */
  failures: number;
  lastOkAt: Date | null;
  lastError: string | null;
  lastErrorAt: Date | null;
};

/** The link of a far side, as its card shows it. */
export type LinkView =
  /** `guardadas` are the names of the optional keys that are kept. */
  | { type: 'keys'; fields: readonly KeyField[]; guardadas: string[] }
  | { type: 'oauth'; fields: readonly KeyField[]; falta: readonly string[]; registra: readonly Direccion[] }
  | { type: 'settings'; isSet: boolean; where: string };

/** The last test that a person asked of a far side. `problema` is null when the far side answered well. */
export type Prueba = { en: Date; por: string; problema: string | null };

/** A far side as screens see it; never its secrets. */
export type ConnectionView = {
  kind: string;
  /** '' for the only account of its kind. */
  account: string;
  label: string;
  /** The kinds of work that the far side does, in words. */
  hace: readonly string[];
  link: LinkView;
  linked: CredentialView | null;
  /** Facts about the linked account, for its card. */
  seen: Seen[];
  pausedAt: Date | null;
  accountProblem: string | null;
  accountSince: Date | null;
  breaker: BreakerView[];
  prueba: Prueba | null;
};

/** Lists every far side of the registry, with one more row for each further account. */
export async function listConnections(db: Db): Promise<ConnectionView[]> {
  const [sides, calls, credentials, pruebas] = await Promise.all([
    db.selectFrom('connection').select(['kind', 'account', 'pausedAt', 'accountProblem', 'accountSince']).execute(),
    db
      .selectFrom('connectionBreaker')
      .select(['kind', 'account', 'call', 'openUntil', 'lastOkAt', 'lastError', 'lastErrorAt'])
      .select([
        sql<boolean>`trial_at is not null or open_until <= now()`.as('trying'),
        sql<number>`cardinality(failed_at)`.as('failures'),
      ])
      .execute(),
    listCredentials(db),
    listPruebas(db),
  ]);
  const seen = new Map(
    await Promise.all(CONNECTIONS.all().map(async (side) => [side.kind, (await side.seen?.(db)) ?? []] as const)),
  );
  const links = new Map(
    await Promise.all(CONNECTIONS.all().map(async (side) => [side.kind, await linkView(db, side)] as const)),
  );
  return CONNECTIONS.all().flatMap((side) => {
    const accounts = sides.filter(({ kind, account }) => kind === side.kind && account !== '');
    return ['', ...accounts.map(({ account }) => account)].map((account) => {
      const isHere = (row: { kind: string; account: string }) => row.kind === side.kind && row.account === account;
      const state = sides.find(isHere);
      return {
        kind: side.kind,
        account,
        label: side.label,
        hace: Object.values(side.capabilities),
        link: links.get(side.kind)!,
        linked: credentials.find(({ connection }) => connection === side.kind) ?? null,
        seen: account === '' ? (seen.get(side.kind) ?? []) : [],
        pausedAt: state?.pausedAt ?? null,
        accountProblem: state?.accountProblem ?? null,
        accountSince: state?.accountSince ?? null,
        breaker: CALLS.map((call) =>
          breakerView(
            call,
            calls.find((row) => isHere(row) && row.call === call),
          ),
        ),
        prueba: account === '' ? (pruebas.get(side.kind) ?? null) : null,
      };
    });
  });
}

/** Returns the kinds of work that some linked far side does. A link that broke counts: its card tells that. */
export async function listLinked(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('credential').select('connection').execute();
  const isLinked = ({ kind, link }: FarSide) =>
    link.type === 'settings' ? link.isSet() : rows.some(({ connection }) => connection === kind);
  return new Set(
    CONNECTIONS.all()
      .filter(isLinked)
      .flatMap(({ capabilities }) => Object.keys(capabilities)),
  );
}

async function linkView(db: Db, { kind, link }: FarSide): Promise<LinkView> {
  if (link.type === 'keys') {
    const opcionales = opcionalesOf(link);
    const secrets = opcionales.length > 0 ? (await openCredential(db, kind))?.secrets : undefined;
    return { type: 'keys', fields: link.fields, guardadas: opcionales.filter((name) => secrets?.[name]) };
  }
  return link.type === 'oauth'
    ? { type: 'oauth', fields: link.fields ?? [], falta: link.falta?.() ?? [], registra: link.registra?.() ?? [] }
    : { type: 'settings', isSet: link.isSet(), where: link.where };
}

type CallRow = {
  openUntil: Date | null;
  trying: boolean;
  failures: number;
  lastOkAt: Date | null;
  lastError: string | null;
  lastErrorAt: Date | null;
};

function breakerView(call: Call, row: CallRow | undefined): BreakerView {
  if (!row)
    return { call, state: 'sinUso', until: null, failures: 0, lastOkAt: null, lastError: null, lastErrorAt: null };
  const { openUntil, trying, failures, lastOkAt, lastError, lastErrorAt } = row;
  const state = openUntil === null ? 'bien' : trying ? 'prueba' : 'descansa';
  return { call, state, until: openUntil, failures, lastOkAt, lastError, lastErrorAt };
}

/** Makes one harmless read now, and notes its outcome as that of any read. Returns in words what is wrong, or null. */
export async function checkConnection(
  db: Db,
  kind: ConnectionKind,
  check: FarSide['check'] = CONNECTIONS.of(kind).check,
): Promise<string | null> {
  try {
    await check(db);
    await noteOutcome(db, kind, 'read');
    return null;
  } catch (error) {
    await noteOutcome(db, kind, 'read', error);
    if (
      error instanceof Refused ||
      error instanceof Unavailable ||
      error instanceof Uncertain ||
      error instanceof UnexpectedShape
    )
      return error.message;
    throw error;
  }
}

/** Tests a far side for a person by `checkConnection`, and keeps who asked and what came of it. Returns in words what is wrong, or null. */
export async function testConnection(db: Db, kind: ConnectionKind, usuarioId: string): Promise<string | null> {
  const problema = await checkConnection(db, kind);
  await record(db, { usuarioId, entidad: 'connection', entidadId: kind, accion: 'probar', datos: { problema } });
  return problema;
}

/** Lists the last test of each far side that a person tested, by its kind. */
async function listPruebas(db: Db): Promise<Map<string, Prueba>> {
  const { rows } = await sql<Prueba & { kind: string }>`
    select distinct on (b.entidad_id) b.entidad_id as kind, b.en, trim(u.nombre || ' ' || u.apellidos) as por,
      b.datos ->> 'problema' as problema
    from bitacora b join usuario u on u.id = b.usuario_id
    where b.entidad = 'connection' and b.accion = 'probar'
    order by b.entidad_id, b.id desc`.execute(db);
  return new Map(rows.map(({ kind, ...prueba }) => [kind, prueba]));
}
