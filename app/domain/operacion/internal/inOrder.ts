/**
 * Returns the rows in the order of `order`, which names each row by its key. Throws for a row without a place, a place without a row, and two rows of
 * one key: those are mistakes of the code, and the process does not start.
 */
export function inOrder<Row>(rows: readonly Row[], keyOf: (row: Row) => string, order: readonly string[]): Row[] {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  if (byKey.size < rows.length) throw new Error(`Two rows share a key: ${rows.map(keyOf).toSorted().join(', ')}`);
  const lost = [...byKey.keys()].filter((key) => !order.includes(key));
  if (lost.length > 0) throw new Error(`No place in the order: ${lost.join(', ')}`);
  return order.map((key) => {
    const row = byKey.get(key);
    if (!row) throw new Error(`No row for the place '${key}' in the order.`);
    return row;
  });
}
