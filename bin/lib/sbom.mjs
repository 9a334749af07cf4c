import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { makeFolder } from './carpeta.mjs';
import { ensureInstalled } from './install.mjs';
import { at, Complaint, readJson } from './project.mjs';

/** File of the list of parts. */
const SBOM = 'build/sbom.json';

/** Licences under which we may hand the product on. Another licence is a decision of the product's owner. */
export const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  // libvips, which sharp links dynamically and nobody changed: handing it on beside our work asks for its notice and for leave to replace it.
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
]);

/** Licences of packages without a licence in package.json, from their LICENSE file. */
const BY_FILE = { 'png-js': 'MIT' };

/**
 * `npm run sbom`: writes build/sbom.json in CycloneDX, with the packages that run in production on any platform. Throws
 * a Complaint when a licence is not allowed.
 */
export async function writeSbom() {
  await ensureInstalled();
  // The list is filtered below: npm's own `--omit dev` leaves out packages that a development dependency needs as well
  // (npm 11.19: 155 of 340).
  const { status, stdout, stderr } = spawnSync('npm', ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'], {
    cwd: at(),
    encoding: 'utf8',
    maxBuffer: 64 << 20,
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Complaint(`npm sbom no pudo: ${stderr}`);
  const parts = productionParts();
  const sbom = inProduction(JSON.parse(stdout), parts);
  makeFolder(at('build'));
  writeFileSync(at(SBOM), `${JSON.stringify(sbom, null, 2)}\n`);
  const counts = new Map();
  for (const { license } of parts) counts.set(license, (counts.get(license) ?? 0) + 1);
  for (const [license, count] of [...counts].sort((a, b) => b[1] - a[1]))
    console.log(`${String(count).padStart(5)} ${license}`);
  console.log(`\n${sbom.components.length} partes en ${SBOM}`);
  const refused = parts.filter(({ license }) => !isAllowed(license));
  if (refused.length > 0)
    throw new Complaint(
      `Licencias sin permiso: ${refused.map(({ name, license }) => `${name} (${license})`).join(', ')}`,
    );
}

/** Returns the list without packages of development. Throws a Complaint when the list lacks a package of production. */
function inProduction({ components, dependencies, ...rest }, parts) {
  const wanted = new Set(parts.map(({ name, version }) => `${name}@${version}`));
  const kept = components.filter((one) => wanted.has(one['bom-ref']));
  const have = new Set(kept.map((one) => one['bom-ref']));
  const missing = [...wanted].filter((one) => !have.has(one));
  if (missing.length > 0) throw new Complaint(`npm sbom no dice nada de ${missing.join(', ')}`);
  const root = rest.metadata.component['bom-ref'];
  return {
    ...rest,
    components: kept,
    dependencies: dependencies
      .filter(({ ref }) => ref === root || have.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => have.has(one)) })),
  };
}

/** Returns every package that runs in production, from the lockfile: name, version and SPDX licence. */
export function productionParts() {
  const { packages } = readJson(at('package-lock.json'));
  return Object.entries(packages)
    .filter(([path, one]) => path !== '' && !one.dev && !one.link)
    .map(([path, { name: real, version, license }]) => {
      // A package installed under an alias states its real name.
      const name = real ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return { name, version, license: license ?? statedBy(path) ?? BY_FILE[name] ?? 'sin licencia' };
    });
}

/**
 * Returns the licence in a package's own package.json; undefined for a package of another platform, which is not
 * installed.
 */
function statedBy(path) {
  const file = at(path, 'package.json');
  return existsSync(file) ? readJson(file)?.license : undefined;
}

/** Returns whether an SPDX expression of names, AND and OR allows a choice of allowed licences alone. */
export function isAllowed(license) {
  const names = license.replace(/[()]/g, '');
  return names.split(' OR ').some((choice) => choice.split(' AND ').every((name) => ALLOWED.has(name.trim())));
}
