import { sql, type RawBuilder } from 'kysely';
import { searchWords } from '~/core/list';

/**
 * Each word of a search must be in the column, which holds text already passed through f_norm and has a trigram
 * index. Only one word is told to the planner as a pattern. With several it would multiply their shares, expect next
 * to nothing, and bring thousands by the index: words often come together. Who knows that few match
 * tells all of them (`todas`).
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

/** Of shorter ones the index knows nothing. */
const TRIGRAMA = 3;

/** How rare a word looks. A code of letters and digits names one thing, a long word fewer things than a short one. */
const looksRare = (word: string) => word.length + (/\d/.test(word) && /\D/.test(word) ? 100 : 0);
