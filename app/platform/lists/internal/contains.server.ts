import { sql, type RawBuilder } from 'kysely';
import { searchWords } from '~/core/list';

/**
 * SQL: whether each word of a search is in the column, which holds text that passed f_norm and has a trigram index. The planner sees one word alone
 * as a pattern: with several it would multiply their shares, expect next to nothing, and bring thousands by the index, since words often come
 * together. A caller that knows that few rows match shows all words (`todas`).
 */
export function contains(column: string, q: string, { todas = false } = {}): RawBuilder<boolean> {
  const words = searchWords(q).sort((a, b) => looksRare(b) - looksRare(a));
  if (words.length === 0) return sql<boolean>`true`;
  const each = words.map((word, n) =>
    n === 0 || (todas && word.length >= TRIGRAMA)
      ? sql`${sql.ref(column)} like '%' || regexp_replace(f_norm(${word}), '([%_\\\\])', '\\\\\\1', 'g') || '%'`
      : sql`strpos(${sql.ref(column)}, f_norm(${word})) > 0`,
  );
  return sql<boolean>`(${sql.join(each, sql` and `)})`;
}

/** Shortest word that the index knows. */
const TRIGRAMA = 3;

/** Returns how rare a word looks: a code of letters and digits names one thing, and a long word fewer things than a short one. */
const looksRare = (word: string) => word.length + (/\d/.test(word) && /\D/.test(word) ? 100 : 0);
