import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { testDatabase } from '../support/db';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The words of each text column whose check is a list of words, as 'table.column'. */
async function wordsInDatabase(): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ column: string; definition: string }>`
    select t.relname || '.' || a.attname as column, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_attribute a on a.attrelid = t.oid and a.attnum = c.conkey[1]
    where c.contype = 'c' and t.relnamespace = 'public'::regnamespace and cardinality(c.conkey) = 1 and a.atttypid = 'text'::regtype`.execute(
    testDatabase().db,
  );
  return new Map(
    rows
      .filter(({ definition }) => /^CHECK \(\(\w+ = ANY \(ARRAY\[[^\]]*\]\)\)\)$/.test(definition))
      .map(({ column, definition }) => [
        column,
        [...definition.matchAll(/'([^']*)'/g)].map(([, word]) => word!).sort(),
      ]),
  );
}

/** The words of each column that db/types.ts gives a union, as 'table.column'. */
function wordsInTypes(): Map<string, string[]> {
  const config = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, ROOT);
  const path = join(ROOT, 'db/types.ts');
  // The rows of tables know nothing of a browser, whose types are most of what would be read.
  const lib = ['lib.es2023.d.ts'];
  const program = ts.createProgram([path], { ...options, lib, noEmit: true, types: [], incremental: false });
  const checker = program.getTypeChecker();
  const typeOf = (symbol: ts.Symbol) => checker.getTypeOfSymbolAtLocation(symbol, program.getSourceFile(path)!);
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(path)!)!);
  const database = checker.getDeclaredTypeOfSymbol(exported.find(({ name }) => name === 'DB')!);
  const words = new Map<string, string[]>();
  for (const table of database.getProperties()) {
    for (const column of typeOf(table).getProperties()) {
      const whole = typeOf(column);
      const selected = whole.getProperty('__select__');
      const read = checker.getNonNullableType(selected ? typeOf(selected) : whole);
      const parts = read.isUnion() ? read.types : [read];
      if (parts.length > 0 && parts.every((part) => part.isStringLiteral()))
        words.set(`${snake(table.name)}.${snake(column.name)}`, parts.map((part) => String(part.value)).sort());
    }
  }
  return words;
}

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

test('a column of a few words says the same ones in its check and in its type', async () => {
  const [checked, typed] = [await wordsInDatabase(), wordsInTypes()];
  expect(Object.fromEntries(typed)).toEqual(Object.fromEntries(checked));
  expect(typed.size).toBeGreaterThan(20);
});
