import { sql, type RawBuilder } from 'kysely';
import { searchWords } from '~/core/list';

/**
 * Each word of a search must be in the column, which holds text already passed through f_norm and has a trigram
 * index. Only one word is told to the planner as a pattern. With several it would multiply their shares, expect next
 * to nothing, and bring thousands by the index: words often come together.
 */
export function contains(column: string, q: string): RawBuilder<boolean> {
  const [rarest, ...others] = searchWords(q).sort((a, b) => looksRare(b) - looksRare(a));
  if (rarest === undefined) return sql<boolean>`true`;
  const each = [
    sql`${sql.ref(column)} like '%' || regexp_replace(f_norm(${rarest}), '([%_\\\\])', '\\\\\\1', 'g') || '%'`,
    ...others.map((word) => sql`strpos(${sql.ref(column)}, f_norm(${word})) > 0`),
  ];
  return sql<boolean>`(${sql.join(each, sql` and `)})`;
}

/** How rare a word looks. A code of letters and digits names one thing, a long word fewer things than a short one. */
const looksRare = (word: string) => word.length + (/\d/.test(word) && /\D/.test(word) ? 100 : 0);
