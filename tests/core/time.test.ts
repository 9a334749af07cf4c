import { expect, test } from 'vitest';
import {
  addDays,
  civilDateTime,
  civilDay,
  daysBetween,
  dayRange,
  instantOf,
  isCivilDay,
  monthOf,
  monthRange,
  readDay,
  readEnd,
} from '~/core/time';

test('between 18:00 and midnight the civil day is not the one in UTC', () => {
  expect(civilDay(new Date('2026-11-21T05:59:59.999Z'))).toBe('2026-11-20');
  expect(civilDay(new Date('2026-11-21T06:00:00.000Z'))).toBe('2026-11-21');
});

test('the month in which summer time ended for good is 05:00Z to 06:00Z', () => {
  expect(monthRange('2022-10')).toEqual({
    from: new Date('2022-10-01T05:00:00Z'),
    to: new Date('2022-11-01T06:00:00Z'),
  });
});

test('a month owns its last millisecond and not the next', () => {
  const { from, to } = monthRange('2026-12');
  expect([from, to]).toEqual([new Date('2026-12-01T06:00:00Z'), new Date('2027-01-01T06:00:00Z')]);
  expect(civilDateTime(new Date(to.getTime() - 1))).toBe('2026-12-31T23:59:59');
});

test('a local time that summer time skips or repeats is one instant', () => {
  expect(instantOf('2022-10-30T01:30:00').toISOString()).toBe('2022-10-30T06:30:00.000Z');
  expect(civilDateTime(instantOf('2022-04-03T02:30:00'))).toBe('2022-04-03T03:30:00');
  expect(instantOf('2026-11-20T12:00:00', 'America/Tijuana').toISOString()).toBe('2026-11-20T20:00:00.000Z');
});

test('days and months are counted as people do', () => {
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
  expect(daysBetween('2026-12-30', '2027-01-02')).toBe(3);
  expect(monthOf(new Date('2026-03-01T03:00:00Z'))).toEqual({
    month: '2026-02',
    first: '2026-02-01',
    last: '2026-02-28',
  });
  expect(dayRange('2026-11-20').to).toEqual(new Date('2026-11-21T06:00:00Z'));
  expect([isCivilDay('2026-02-30'), isCivilDay('2026-2-3'), isCivilDay('2026-02-03')]).toEqual([false, false, true]);
});

test('the remembered offset says what the calendar says, around every change of a year and in zones of half and quarter hours', () => {
  const calendar = (zone: string) =>
    new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  for (const zone of ['America/Mexico_City', 'America/Tijuana', 'Asia/Kathmandu', 'Australia/Lord_Howe']) {
    const format = calendar(zone);
    // Steps that meet every minute of the hour in their turn, through a year with summer time.
    for (let at = Date.parse('2021-12-31T23:59:59Z'); at < Date.parse('2023-01-02'); at += 59 * 60_000 + 999) {
      expect(civilDateTime(new Date(at), zone), `${zone} ${at}`).toBe(format.format(at).replace(' ', 'T'));
    }
  }
});

test('the last day of the calendar has an end, and a day beyond it is none', () => {
  expect(readEnd('9999-12-31', 'to')!.toISOString()).toBe('+010000-01-01T05:59:59.999Z');
  expect(dayRange('9999-12-31').from.toISOString()).toBe('9999-12-31T06:00:00.000Z');
  expect(monthRange('9999-12').to.toISOString()).toBe('+010000-01-01T06:00:00.000Z');
  expect(readDay('9999-12-31T23:59:59-14:00')).toBeNull();
  expect(readDay('9999-12-31T23:59:59-06:00')).toBe('9999-12-31');
  expect(addDays('2026-11-30', 1)).toBe('2026-12-01');
});
