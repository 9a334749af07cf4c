/**
 * Returns a table that knows its own rows only. A look-up by a text from outside ('constructor', 'toString', '__proto__')
 * finds nothing that every object inherits.
 */
export function tableOf<T>(rows: Readonly<Record<string, T>>): Record<string, T> {
  return Object.assign(Object.create(null) as Record<string, T>, rows);
}

/** Returns the row of a table by a text from outside; undefined for a text that the table does not hold itself. */
export function rowOf<T extends object>(table: T, key: string): T[keyof T] | undefined {
  return Object.hasOwn(table, key) ? table[key as keyof T] : undefined;
}
