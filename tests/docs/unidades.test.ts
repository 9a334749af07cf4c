/** The units of `deploy/` as systemd itself reads them. Where its program is not installed, the names of the skipped tests say so. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readProjectFile } from '../support/sources';

const analyze = (...words: string[]) => spawnSync('systemd-analyze', words, { encoding: 'utf8' });
const isThere = analyze('--version').status === 0;
const without = isThere ? '' : ' (skipped: this machine has no systemd-analyze)';
const place = mkdtempSync(join(tmpdir(), 'unidades-'));
afterAll(() => rmSync(place, { recursive: true }));

const UNITS = readdirSync('deploy').filter((file) => file.endsWith('.service'));

/** Writes a unit with an instance in its name, whose Node is the one that runs here. */
function put(unit: string, text: string): string {
  const file = join(place, unit.replace('@.', '@3001.'));
  writeFileSync(file, text.replaceAll('/usr/bin/node', process.execPath));
  return file;
}

test.skipIf(!isThere).each(UNITS)(`systemd has nothing to say about %s, and calls it hardened${without}`, (unit) => {
  const file = put(unit, readProjectFile(`deploy/${unit}`));
  const { stderr } = analyze('verify', '--man=no', file);
  // It also speaks of other units of this machine; its exit code is 0 where it only warns.
  expect(stderr.split('\n').filter((line) => line.includes(place))).toEqual([]);
  const { status, stdout } = analyze('security', '--offline=true', '--no-pager', '--threshold=20', file);
  expect(status, stdout).toBe(0);
});

test.skipIf(!isThere)(`a key that systemd does not know, and a command that is not there, are told${without}`, () => {
  const good = readProjectFile(`deploy/${UNITS[0]!}`);
  const said = (text: string) => analyze('verify', '--man=no', put(UNITS[0]!, text)).stderr;
  expect(said(good.replace('Restart=on-failure', 'Restart=sometimes'))).toContain('sometimes');
  expect(said(good.replace('ProtectClock=yes', 'ProtectClocks=yes'))).toContain('ProtectClocks');
  expect(said(good.replace('/usr/bin/node', '/no/existe/node'))).toContain('/no/existe/node');
});
