/**
 * Runs `work` over the items, at most `limit` at a time, and returns the results in the order of the items. The first
 * failure rejects the whole.
 */
export async function atOnce<T, R>(limit: number, items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  const lane = async () => {
    while (next < items.length) {
      const n = next++;
      results[n] = await work(items[n]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
  return results;
}
