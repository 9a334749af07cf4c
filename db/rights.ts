/**
 * The two accounts of a database. The owner migrates, backs up and restores. The application reads and writes rows and
 * can do nothing else: no superuser, no ownership, and only inserts into tables of history.
 */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';
import { PLANNER, STATEMENT_TIMEOUT_MS } from './client.server';

/** Tables of history: the application only inserts. Old rows leave through functions of the owner (`purgar_*`). */
const INSERT_ONLY = [
  'public.asiento',
  'public.bitacora',
  'public.costo_propio',
  'public.costo_visto',
  'public.decision_devuelta',
  'public.effect_attempt',
  'public.stock_movimiento',
];
/** Tables of migrations, written by the owner alone. */
const READ_ONLY = ['public.kysely_migration', 'public.kysely_migration_lock', 'graphile_worker.migrations'];
const ROWS = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];

/** Account that the application is to use. */
export type Accounts = {
  /** URL for web, worker and commands. */
  url: string;
  /** Reason for a URL that is still the owner's. */
  warning?: string;
};

/**
 * Returns the URL of the application's account: the same server and database, with a name and a password derived from
 * the owner's. The account needs no file, so a backup brings the account along. Undefined when the owner's URL has no
 * password.
 */
export function applicationUrlOf(ownerUrl: string): string | undefined {
  const url = new URL(ownerUrl);
  if (!url.username || !url.password) return undefined;
  const owner = decodeURIComponent(url.username);
  url.password = createHmac('sha256', decodeURIComponent(url.password))
    .update(`trastienda:${owner}`)
    .digest('base64url');
  url.username = encodeURIComponent(`${owner}_app`);
  return url.href;
}

/**
 * Gives the application its account and exactly its rights. Every start calls this function; only differences are
 * changed. `wanted` is an account that the operator chose: a problem with this account throws. Without `wanted`, an
 * owner who may not create accounts goes on as the only account, with a warning.
 */
export async function prepareApplication(owner: pg.Pool, ownerUrl: string, wanted?: string): Promise<Accounts> {
  const alone = (why: string): Accounts => {
    if (wanted) throw new Error(why);
    return { url: ownerUrl, warning: why };
  };
  const url = wanted ?? applicationUrlOf(ownerUrl);
  if (!url) return alone('la base se usa con su cuenta dueña: DATABASE_URL no trae contraseña con qué hacer otra');
  const role = nameIn(url);
  if (role === nameIn(ownerUrl)) return alone('DATABASE_URL y MIGRACION_URL nombran la misma cuenta');
  if (!(await enters(url))) {
    try {
      await makeRole(owner, role, decodeURIComponent(new URL(url).password));
    } catch (error) {
      if (!isDenied(error)) throw error;
      return alone(`la base se usa con su cuenta dueña, que no puede crear la cuenta ${role}`);
    }
    if (!(await enters(url))) return alone(`la base se usa con su cuenta dueña: la cuenta ${role} no puede entrar`);
  }
  const power = await powerOf(owner, role);
  if (power) return alone(`la cuenta ${role} es ${power}: la aplicación necesita una sin más derecho que sus filas`);
  await grantRows(owner, role);
  return { url };
}

/**
 * Gives the account of `url` the settings of a session as its own at this database. A PgBouncer refuses them at the
 * start of a session, and its connections are shared, so nobody may set them later. An account may do so for itself.
 */
export async function keepSessionSettings(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const wanted = { ...PLANNER, statement_timeout: `${STATEMENT_TIMEOUT_MS / 1000}s` };
    for (const [name, value] of Object.entries(wanted)) {
      const { rows } = await client.query<{ now: string; base: string }>(
        'select current_setting($1) as now, quote_ident(current_database()) as base',
        [name],
      );
      const { now, base } = rows[0]!;
      if (now !== value)
        await client.query(`alter role current_user in database ${base} set ${name} = ${pg.escapeLiteral(value)}`);
    }
  } finally {
    await client.end();
  }
}

const nameIn = (url: string) => decodeURIComponent(new URL(url).username);
const codeOf = (error: unknown) => (error instanceof pg.DatabaseError ? error.code : undefined);
const isDenied = (error: unknown) => codeOf(error) === '42501';

async function enters(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    return true;
  } catch (error) {
    // Class 28: no such account, a wrong password, or a server that refuses the account.
    if (codeOf(error)?.startsWith('28')) return false;
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Creates or changes an account that may enter and nothing else. The password is sent as its SCRAM verifier, so no log
 * of statements shows the password.
 */
export async function makeRole(owner: pg.Pool, role: string, password: string) {
  const { rowCount } = await owner.query('select 1 from pg_roles where rolname = $1', [role]);
  const name = pg.escapeIdentifier(role);
  await owner.query(
    `${rowCount ? 'alter' : 'create'} role ${name} login password ${pg.escapeLiteral(verifierOf(password))}`,
  );
}

function verifierOf(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, 4096, 32, 'sha256');
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64');
  return `SCRAM-SHA-256$4096:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`;
}

/** Returns the excess power of an account in words; undefined for an account that only reads and writes rows. */
async function powerOf(owner: pg.Pool, role: string): Promise<string | undefined> {
  const { rows } = await owner.query<{ power: string | null }>(
    `select case when rolsuper then 'superusuario'
                 when rolcreaterole or rolcreatedb or rolreplication or rolbypassrls then 'administradora del servidor'
                 when pg_has_role(oid, (select relowner from pg_class where oid = 'public.bitacora'::regclass), 'MEMBER') then 'dueña de las tablas' end as power
     from pg_roles where rolname = $1`,
    [role],
  );
  return rows[0]?.power ?? undefined;
}

type Difference = { statement: string };

async function grantRows(owner: pg.Pool, role: string) {
  const { rows } = await owner.query<Difference>(DIFFERENCES, [role, INSERT_ONLY, READ_ONLY, ROWS]);
  const client = await owner.connect();
  try {
    await client.query('begin');
    for (const { statement } of rows) await client.query(statement);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

/**
 * Selects the statements between the rights of the role $1 and the rights that the role should have; no rows when
 * nothing differs. Only tables of the owner count, and tables of extensions do not. The queue closes its tables by row
 * level security, so the application gets a policy in each. On a server of ours, errors of the application stay out of
 * the log, because an error may quote typed text; the application reports its errors itself.
 */
const DIFFERENCES = `
  with relations as (
    select c.oid, format('%I.%I', n.nspname, c.relname) as name, c.relrowsecurity as by_row,
           case when format('%s.%s', n.nspname, c.relname) = any($2::text[]) then array['SELECT', 'INSERT']
                when format('%s.%s', n.nspname, c.relname) = any($3::text[]) then array['SELECT'] else $4::text[] end as wanted
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'graphile_worker') and c.relkind in ('r', 'p', 'v', 'm') and pg_has_role(c.relowner, 'USAGE')
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  ), schemas as (
    select n.oid, n.nspname as name, pg_has_role(n.nspowner, 'USAGE') as ours from pg_namespace n where n.nspname in ('public', 'graphile_worker')
  )
  select format('grant usage on schema %I to %I', name, $1::name) as statement from schemas where not has_schema_privilege($1::name, oid, 'USAGE')
  union all
  select format('revoke create on schema %I from public, %I', name, $1::name) from schemas where ours and has_schema_privilege($1::name, oid, 'CREATE')
  union all
  select format('revoke all on %s from public, %I', name, $1::name) || format('; grant %s on %s to %I', array_to_string(wanted, ', '), name, $1::name)
  from relations where wanted is distinct from array(
    select word from unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER', 'MAINTAIN']) with ordinality as one (word, place)
    where has_table_privilege($1::name, relations.oid, word) order by place)
  union all
  select format('create policy %I on %s to %I using (true) with check (true)', $1::name, name, $1::name)
  from relations where by_row and not exists (select from pg_policy p where p.polrelid = relations.oid and p.polname = $1::name)
  union all
  select format('grant execute on function %s to %I', p.oid::regprocedure, $1::name)
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where n.nspname = 'public' and p.prosecdef and pg_has_role(p.proowner, 'USAGE') and not has_function_privilege($1::name, p.oid, 'EXECUTE')
  union all
  select format('alter role %I set log_min_messages = log', $1::name)
  where current_setting('is_superuser') = 'on'
    and not exists (select from pg_db_role_setting s join pg_roles r on r.oid = s.setrole where r.rolname = $1::name and 'log_min_messages=log' = any(s.setconfig))`;
