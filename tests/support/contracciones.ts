import type { Migrations } from '~db/migration';
import { migrations } from '~db/migrations/index';
import { firstOf, inScratch, plainOf, statementsOf, TABLE } from '~db/reviewMigrations';

/** What the code of the version before cannot live with, by its form. The first group names the table, or what else is missed. */
const CONTRACTS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`^alter (?:table|view) ${TABLE} rename\\b`), 'renames what the version before asks for by its name'],
  [
    new RegExp(`^alter table ${TABLE} (?:[^;]*, ?)?drop (?!constraint\\b)`),
    'drops a column that the version before reads or writes',
  ],
  [
    new RegExp(`^drop (?:table|view|materialized view|function|procedure) ${TABLE}`),
    'drops what the version before asks for by its name',
  ],
  [
    new RegExp(`^alter table ${TABLE} [^;]*\\balter (?:column )?\\S+ (?:set data )?type\\b`),
    'changes the type that the version before reads and writes',
  ],
  [
    new RegExp(`^alter table ${TABLE} [^;]*\\bset not null\\b`),
    'asks for a value that the version before may leave out',
  ],
  [
    new RegExp(`^alter table ${TABLE} [^;]*\\bcheck \\(\\(?"?\\w+"? is not null\\)`),
    'asks for a value that the version before may leave out',
  ],
  [
    new RegExp(
      `^alter table ${TABLE} (?:[^;]*, ?)?add (?:column )?(?!constraint\\b|check\\b)(?=[^,]*\\bnot null\\b)(?![^,]*\\b(?:default|generated)\\b)`,
    ),
    'adds a column that the version before leaves out, and has no default',
  ],
  [
    new RegExp(`^alter table ${TABLE} [^;]*\\balter (?:column )?\\S+ drop default\\b`),
    'takes away the value of what the version before leaves out',
  ],
];

/** Returns the table, or what else, that a statement takes from the code of the version before; null for one that only adds. */
export const contractionOf = (statement: string): { tabla: string; que: string } | null =>
  firstOf(CONTRACTS, statement);

/** Name of a table, a view or a function that a statement makes. */
const MAKES =
  /^create (?:or replace )?(?:unlogged )?(?:table|view|materialized view|function|procedure) (?:if not exists )?(?:public\.)?"?(\w+)/;

/**
 * Returns what the migrations later than `last` take from the code of a version that ended with it, by the statements that they run in an empty scratch database. What they make
 * themselves is theirs to change, and a column whose check was validated up to `last` may become not null.
 */
export async function contractionsSince(
  last: string,
  maker: string,
  tree: Migrations = migrations,
): Promise<{ migracion: string; tabla: string; que: string }[]> {
  const names = Object.keys(tree);
  const all = await inScratch(maker, (scratch) => statementsOf(names, scratch, tree));
  const isLater = ({ migracion }: { migracion: string }) => migracion > last;
  const before = all.filter((one) => !isLater(one)).map(({ statement }) => plainOf(statement));
  const later = all.filter(isLater);
  const made = new Set(later.map(({ statement }) => MAKES.exec(plainOf(statement))?.[1]));
  return later.flatMap(({ migracion, statement }) => {
    const contraction = contractionOf(statement);
    if (!contraction || made.has(contraction.tabla) || isProven(plainOf(statement), contraction.tabla, before))
      return [];
    return [{ migracion, ...contraction }];
  });
}

/** True of `set not null` alone, of a column whose check the statements before have validated. */
function isProven(plain: string, tabla: string, before: readonly string[]): boolean {
  const column = /^alter table \S+ alter (?:column )?"?(\w+)"? set not null$/.exec(plain)?.[1];
  if (!column) return false;
  const form = new RegExp(`^alter table "?${tabla}"? add constraint (\\S+) check \\(\\(?"?${column}"? is not null\\)`);
  const rule = before.map((statement) => form.exec(statement)?.[1]).find(Boolean);
  return rule !== undefined && before.includes(`alter table ${tabla} validate constraint ${rule}`);
}
