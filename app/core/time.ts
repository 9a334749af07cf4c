/**
 * The business zone.
 * Instants are `Date` (timestamptz, UTC). Civil days are 'YYYY-MM-DD' and months 'YYYY-MM', both in the business zone.
 * Ranges are half open: `from` inclusive, `to` exclusive.
 */
export const ZONA_HORARIA = settingOfZone() ?? 'America/Mexico_City';

/**
 * Returns the configured zone. The server reads its environment; the browser reads <html>, where root.tsx wrote the
 * zone. So both write the same hour.
 */
function settingOfZone(): string | undefined {
  if (typeof document !== 'undefined') return document.documentElement.dataset.zona;
  return typeof process === 'undefined' ? undefined : process.env.ZONA_HORARIA;
}

/** A half open range of instants. */
export type InstantRange = { from: Date; to: Date };

/**
 * Length of the intervals with a remembered offset. No zone has ever changed its offset except at a quarter of an hour,
 * so an offset holds until the next quarter.
 */
const QUARTER_MS = 900_000;
const KNOWN_QUARTERS = 10_000;
const zones = new Map<string, { format: Intl.DateTimeFormat; offsets: Map<number, number> }>();

/**
 * Returns the ms to add to an instant so that its UTC fields read as the clock of the zone. Offsets are remembered,
 * because asking Intl costs a hundred times more.
 */
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
    offset = Date.parse(`${writeYear(at.year!)}-${at.month}-${at.day}T${at.hour}:${at.minute}:${at.second}Z`) - quarter;
    offsets.set(quarter, offset);
  }
  return offset;
}

/** Writes a year as ISO 8601 does: four digits, or a sign and six beyond 9999, where the day after the last day of the calendar lies. */
const writeYear = (year: string) => (year.length > 4 ? `+${year.padStart(6, '0')}` : year.padStart(4, '0'));

/** Returns the civil day of an instant: '2026-11-20'. */
export function civilDay(instant: Date, zone = ZONA_HORARIA): string {
  return civilDateTime(instant, zone).slice(0, -9);
}

/** Returns local date and time without offset, 'YYYY-MM-DDTHH:mm:ss', the format of a CFDI's Fecha. */
export function civilDateTime(instant: Date, zone = ZONA_HORARIA): string {
  return new Date(instant.getTime() + offsetAt(instant.getTime(), zone)).toISOString().slice(0, -5);
}

/**
 * Returns the instant of a local 'YYYY-MM-DDTHH:mm:ss'. An hour that summer time repeats gives the first of both
 * instants; a skipped hour gives the instant by the offset from before. Throws RangeError for a text without that
 * shape.
 */
export function instantOf(local: string, zone = ZONA_HORARIA): Date {
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) throw new RangeError(`not a local date and time: ${local}`);
  const offsets = [offsetAt(asUtc - 86_400_000, zone), offsetAt(asUtc + 86_400_000, zone)];
  const candidates = offsets.map((offset) => asUtc - offset).sort((a, b) => a - b);
  return new Date(candidates.find((instant) => instant + offsetAt(instant, zone) === asUtc) ?? candidates[1]!);
}

/** Returns whether the text is a day of the calendar, 'YYYY-MM-DD'. */
export function isCivilDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** A day, its hour and its zone as programs write them: ISO 8601 and its neighbours with a blank, a zone without colon, or `UTC`. */
const WRITTEN = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2})?(?:[.,](\d{1,9}))? ?(Z|UTC|[+-]\d{2}:?\d{2})?$/;

/**
 * Reads an instant that came from outside, to the millisecond. An hour without a zone is on the clock of the business.
 * Null for a day or a month alone and for every other text: `readDay`, `readMonth` and `readEnd` take those.
 */
export function readInstant(text: string, zone = ZONA_HORARIA): Date | null {
  const [, day = '', minute, second = ':00', decimals = '', offset] = WRITTEN.exec(text.trim()) ?? [];
  if (!isCivilDay(day)) return null;
  const local = `${day}T${minute}${second}.${decimals.slice(0, 3).padEnd(3, '0')}`;
  const from = offset === 'UTC' ? 'Z' : offset?.replace(/^(.\d{2})(\d{2})$/, '$1:$2');
  const ms = Date.parse(local + (from ?? 'Z'));
  if (Number.isNaN(ms)) return null;
  return from === undefined ? instantOf(local, zone) : new Date(ms);
}

/**
 * Reads the civil day of a text from outside: a day alone is that day in every zone, an instant is its day in the zone of
 * the business. Null for every other text.
 */
export function readDay(text: string, zone = ZONA_HORARIA): string | null {
  if (isCivilDay(text)) return text;
  const instant = readInstant(text, zone);
  const day = instant && civilDay(instant, zone);
  return day && isCivilDay(day) ? day : null;
}

/** Reads the month of a text from outside: a month, a day or an instant. Null for every other text. */
export function readMonth(text: string, zone = ZONA_HORARIA): string | null {
  return (isCivilDay(`${text}-01`) ? text : readDay(text, zone))?.slice(0, 7) ?? null;
}

/**
 * Reads an end of a range that came from outside, both ends included. A day alone counts whole: its first millisecond for
 * `from`, its last for `to`. Null for a text that is neither day nor instant.
 */
export function readEnd(text: string, end: 'from' | 'to', zone = ZONA_HORARIA): Date | null {
  if (!isCivilDay(text)) return readInstant(text, zone);
  const { from, to } = dayRange(text, text, zone);
  return end === 'from' ? from : new Date(to.getTime() - 1);
}

/** Returns the instant of a value of our own: a Date, its ISO text in our JSON, or its ms. Throws RangeError for another text. */
export function toInstant(value: Date | string | number): Date {
  const instant = typeof value === 'string' ? readInstant(value) : new Date(value);
  if (!instant) throw new RangeError(`not an instant: ${value as string}`);
  return instant;
}

/** Reads the date of an HTTP header, 'Fri, 27 Nov 2026 18:30:00 GMT', which is of Greenwich by its standard. */
export function readHttpDate(text: string): Date | null {
  const ms = text.endsWith(' GMT') ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? null : new Date(ms);
}

/** Returns the clock of the zone as if it were of UTC, for what reads the fields of UTC: formats, weekdays, serial days. */
export function clockAsUtc(at: Date | string, zone = ZONA_HORARIA): Date {
  return typeof at === 'string' ? new Date(`${at}T00:00:00Z`) : new Date(at.getTime() + offsetAt(at.getTime(), zone));
}

/** Returns the civil day `days` later; earlier for a negative number. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, -14);
}

/** Returns the number of days from `from` to `to`, both civil days. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);
}

/** Returns the range from the first instant of day `from` to the first instant after day `to`. */
export function dayRange(from: string, to: string = from, zone = ZONA_HORARIA): InstantRange {
  return { from: instantOf(`${from}T00:00:00`, zone), to: instantOf(`${addDays(to, 1)}T00:00:00`, zone) };
}

/** Returns whether the text is a minute of a local clock, 'YYYY-MM-DDTHH:mm', on a day of the calendar. */
export function isCivilMinute(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d$/.test(text) && isCivilDay(text.slice(0, 10));
}

/**
 * Returns the range from the first instant of `from` to the first instant after `to`. Each end is a day or a minute,
 * and counts whole.
 */
export function spanRange(from: string, to: string, zone = ZONA_HORARIA): InstantRange {
  return {
    from: instantOf(from.length === 10 ? `${from}T00:00:00` : `${from}:00`, zone),
    to: to.length === 10 ? dayRange(to, to, zone).to : new Date(instantOf(`${to}:00`, zone).getTime() + 60_000),
  };
}

/** Returns the range of a whole month 'YYYY-MM'. */
export function monthRange(month: string, zone = ZONA_HORARIA): InstantRange {
  const first = `${month}-01`;
  const next = addDays(`${month}-28`, 4).slice(0, -3);
  return { from: instantOf(`${first}T00:00:00`, zone), to: instantOf(`${next}-01T00:00:00`, zone) };
}

/** Returns the month of an instant, with its first and last civil day. */
export function monthOf(instant: Date, zone = ZONA_HORARIA): { first: string; last: string; month: string } {
  const month = civilDay(instant, zone).slice(0, 7);
  const next = addDays(`${month}-28`, 4).slice(0, -3);
  return { month, first: `${month}-01`, last: addDays(`${next}-01`, -1) };
}

/** Returns the month before a month 'YYYY-MM'. */
export function mesBefore(month: string): string {
  return addDays(`${month}-01`, -1).slice(0, 7);
}

/** Names of the months, written out because Node and the browser join a Spanish month and year differently. */
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

/** Returns the month as people read months: 'octubre de 2026' for '2026-10'. */
export function nombreOfMes(month: string): string {
  return `${MESES[Number(month.slice(5, 7)) - 1]} de ${month.slice(0, 4)}`;
}
