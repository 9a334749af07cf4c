/**
 * Instants are `Date` (timestamptz, UTC). Civil days are 'YYYY-MM-DD' and months 'YYYY-MM', both in the business zone.
 * Ranges are half open: `from` inclusive, `to` exclusive.
 */
export const ZONA_HORARIA = settingOfZone() ?? 'America/Mexico_City';

/** The server has it in its environment; the browser reads what root.tsx wrote on <html>, so both write the same hour. */
function settingOfZone(): string | undefined {
  if (typeof document !== 'undefined') return document.documentElement.dataset.zona;
  return typeof process === 'undefined' ? undefined : process.env.ZONA_HORARIA;
}

export type InstantRange = { from: Date; to: Date };

/** No zone has ever changed its offset but at a quarter of an hour: what its calendar says at one holds until the next. */
const QUARTER_MS = 900_000;
const KNOWN_QUARTERS = 10_000;
const zones = new Map<string, { format: Intl.DateTimeFormat; offsets: Map<number, number> }>();

/** Milliseconds to add to an instant so that its UTC fields read as the zone's clock. Asking the calendar costs a hundred times what remembering does. */
function offsetAt(epochMs: number, zone: string): number {
  let known = zones.get(zone);
  if (!known) {
    const format = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    zones.set(zone, (known = { format, offsets: new Map() }));
  }
  const { format, offsets } = known;
  const quarter = Math.floor(epochMs / QUARTER_MS) * QUARTER_MS;
  let offset = offsets.get(quarter);
  if (offset === undefined) {
    if (offsets.size >= KNOWN_QUARTERS) offsets.clear();
    const at = Object.fromEntries(format.formatToParts(quarter).map(({ type, value }) => [type, value]));
    offset = Date.parse(`${at.year}-${at.month}-${at.day}T${at.hour}:${at.minute}:${at.second}Z`) - quarter;
    offsets.set(quarter, offset);
  }
  return offset;
}

/** The civil day of an instant: '2026-11-20'. */
export function civilDay(instant: Date, zone = ZONA_HORARIA): string {
  return civilDateTime(instant, zone).slice(0, 10);
}

/** Local date and time without offset, 'YYYY-MM-DDTHH:mm:ss', as a CFDI's Fecha wants it. */
export function civilDateTime(instant: Date, zone = ZONA_HORARIA): string {
  return new Date(instant.getTime() + offsetAt(instant.getTime(), zone)).toISOString().slice(0, 19);
}

/** The instant at which a local 'YYYY-MM-DDTHH:mm:ss' happens; in a gap or a repeat of summer time, the first that fits. */
export function instantOf(local: string, zone = ZONA_HORARIA): Date {
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) throw new RangeError(`not a local date and time: ${local}`);
  const offsets = [offsetAt(asUtc - 86_400_000, zone), offsetAt(asUtc + 86_400_000, zone)];
  const candidates = offsets.map((offset) => asUtc - offset).sort((a, b) => a - b);
  return new Date(candidates.find((instant) => instant + offsetAt(instant, zone) === asUtc) ?? candidates[1]!);
}

export function isCivilDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** The civil day `days` later (negative: earlier). */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Days from `from` to `to`, both civil days. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);
}

/** From the first instant of day `from` to the first instant after day `to`. */
export function dayRange(from: string, to: string = from, zone = ZONA_HORARIA): InstantRange {
  return { from: instantOf(`${from}T00:00:00`, zone), to: instantOf(`${addDays(to, 1)}T00:00:00`, zone) };
}

/** 'YYYY-MM-DDTHH:mm', the minute of a local clock; a day that the calendar has and an hour that it has. */
export function isCivilMinute(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d$/.test(text) && isCivilDay(text.slice(0, 10));
}

/** From the first instant of `from` to the first after `to`; each is a day or a minute, and is whole. */
export function spanRange(from: string, to: string, zone = ZONA_HORARIA): InstantRange {
  return {
    from: instantOf(from.length === 10 ? `${from}T00:00:00` : `${from}:00`, zone),
    to: to.length === 10 ? dayRange(to, to, zone).to : new Date(instantOf(`${to}:00`, zone).getTime() + 60_000),
  };
}

/** A whole month 'YYYY-MM'. */
export function monthRange(month: string, zone = ZONA_HORARIA): InstantRange {
  const first = `${month}-01`;
  const next = addDays(`${month}-28`, 4).slice(0, 7);
  return { from: instantOf(`${first}T00:00:00`, zone), to: instantOf(`${next}-01T00:00:00`, zone) };
}

/** First and last civil day of the month an instant falls in. */
export function monthOf(instant: Date, zone = ZONA_HORARIA): { first: string; last: string; month: string } {
  const month = civilDay(instant, zone).slice(0, 7);
  const next = addDays(`${month}-28`, 4).slice(0, 7);
  return { month, first: `${month}-01`, last: addDays(`${next}-01`, -1) };
}

/** Written out: Node and the browser do not agree on how Spanish joins a month and its year. */
const MESES = [
  'enero',
  'febrero',
  'marzo',
  'abril',
  'mayo',
  'junio',
  'julio',
  'agosto',
  'septiembre',
  'octubre',
  'noviembre',
  'diciembre',
];

/** 'octubre de 2026'. */
export function nombreOfMes(month: string): string {
  return `${MESES[Number(month.slice(5, 7)) - 1]} de ${month.slice(0, 4)}`;
}
