import { sql } from 'kysely';
import { Refused, Unavailable, Uncertain, UnexpectedShape } from '~/integrations/errors';
import type { Db } from '~db/client.server';
import { noteOutcome } from './breaker.server';
import { type CredentialView, listCredentials, openCredential } from './credentials.server';
import { type Call, CALLS, type FarSide, type KeyField, opcionalesOf, type Seen } from './definition';
import { CONNECTIONS, type ConnectionKind } from './registry.server';

export type CallState = 'sinUso' | 'bien' | 'descansa' | 'prueba';

export type BreakerView = {
  call: Call;
  state: CallState;
  /** Until when it rests. */
  until: Date | null;
  /** Failures that count towards the next rest. */
  failures: number;
  lastOkAt: Date | null;
  lastError: string | null;
  lastErrorAt: Date | null;
};

export type LinkView =
  /** `guardadas`: which of the keys that may be left out are kept. */
  | { type: 'keys'; fields: readonly KeyField[]; guardadas: string[] }
  | { type: 'oauth'; fields: readonly KeyField[] }
  | { type: 'settings'; isSet: boolean; where: string };

/** A far side as screens see it; never its secrets. */
export type ConnectionView = {
  kind: string;
  /** '' where it is the only account of its kind. */
  account: string;
  label: string;
  /** What it does for us, in words. */
  hace: readonly string[];
  link: LinkView;
  linked: CredentialView | null;
  /** What its card tells of the linked account. */
  seen: Seen[];
  pausedAt: Date | null;
  accountProblem: string | null;
  accountSince: Date | null;
  breaker: BreakerView[];
};

/** Every far side of the registry, with a row more for each further account of it. */
export async function listConnections(db: Db): Promise<ConnectionView[]> {
  const [sides, calls, credentials] = await Promise.all([
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
      };
    });
  });
}

async function linkView(db: Db, { kind, link }: FarSide): Promise<LinkView> {
  if (link.type === 'keys') {
    const opcionales = opcionalesOf(link);
    const secrets = opcionales.length > 0 ? (await openCredential(db, kind))?.secrets : undefined;
    return { type: 'keys', fields: link.fields, guardadas: opcionales.filter((name) => secrets?.[name]) };
  }
  return link.type === 'oauth'
    ? { type: 'oauth', fields: link.fields ?? [] }
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

/** One harmless read, now: what people press to know. Returns what is wrong in words, or null. Its outcome counts as any read's. */
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
