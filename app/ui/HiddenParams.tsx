/** The fields of the address that a GET form must not lose. */
export function HiddenParams({ search, without }: { search: string; without: readonly string[] }) {
  const kept = [...new URLSearchParams(search)].filter(([name]) => !without.includes(name));
  return kept.map(([name, value], at) => <input key={at} type="hidden" name={name} value={value} />);
}
