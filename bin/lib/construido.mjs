import {
  cpSync,
  existsSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from './carpeta.mjs';
import { at, Complaint, readJson } from './project.mjs';

/**
 * Builds lie side by side: build/node-<id> and build/web-<id>, each written once and whole. build/actual.json names the
 * build of each half that a process takes at its start and keeps until its end.
 */
const BUILDS = at('build');
const CURRENT = join(BUILDS, 'actual.json');
const NAME = /^(?:node|web)-/;

/** Old pages ask for the assets of their build for so long after another build took its place. */
const KEPT_MS = 7 * 86_400_000;
/** Builds of each half that are kept besides the current one and those in use, however young the others are. */
const KEPT = { node: 4, web: 12 };
/** What a version before builds lay side by side left, and when it was written. */
const BEFORE = ['node', 'server', 'client', '.hash'];

/** Returns the names of the current builds by half. */
export const currentBuilds = () => readJson(CURRENT) ?? {};

/** Returns the folder of a build: the current one of its half, or the named one. Throws a Complaint without it. */
export function folderOf(half, name = currentBuilds()[half]) {
  const folder = name === undefined ? undefined : join(BUILDS, basename(name));
  if (folder === undefined || !existsSync(folder))
    throw new Complaint(`Falta la construcción${name === undefined ? '' : ` ${name}`}: npm run build`);
  return folder;
}

/**
 * Returns the folder of a build as `folderOf` does, and holds it until this process ends: a held build is not removed.
 * An open folder can be held where nothing may be written, and cannot be left behind.
 */
export function holdBuild(half, name) {
  const folder = folderOf(half, name);
  try {
    openSync(folder, 'r');
  } catch (error) {
    // Windows opens no folders. There, only the age of a build decides.
    if (error.code !== 'EISDIR' && error.code !== 'EPERM') throw error;
  }
  return folder;
}

/** Tells whether the current build of a half was made from these sources. */
export function isCurrent(half, id) {
  const name = currentBuilds()[half];
  return name !== undefined && idOf(name) === `${half}-${id}` && existsSync(join(BUILDS, name));
}

/** A build that was forced has the id of its sources and a number behind it. */
const idOf = (name) => name.split('.')[0];

/**
 * Makes a build beside the others and returns its name. One that was made from the same sources before is taken as it
 * is, unless `force`. A build gets its name when it is whole, so one that fails leaves nothing.
 */
export async function makeBuild(half, id, make, { force = false } = {}) {
  const made = buildsOf(half).filter((name) => idOf(name) === `${half}-${id}`);
  if (made.length > 0 && !force) return made[0];
  let name = `${half}-${id}`;
  for (let number = 2; made.includes(name); number++) name = `${half}-${id}.${number}`;
  const unfinished = join(BUILDS, `.${name}`);
  rmSync(unfinished, { recursive: true, force: true });
  try {
    await make(unfinished);
    renameSync(unfinished, join(BUILDS, name));
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return name;
}

/** Makes builds the current ones of their halves, all at once. */
export function moveTo(names) {
  const before = currentBuilds();
  const now = new Date();
  // The age of a build counts from the day on which another one took its place.
  for (const [half, name] of Object.entries(before))
    if (names[half] && names[half] !== name && existsSync(join(BUILDS, name))) utimesSync(join(BUILDS, name), now, now);
  makeFolder(BUILDS);
  writeFileSync(`${CURRENT}.nuevo`, `${JSON.stringify({ ...before, ...names })}\n`);
  renameSync(`${CURRENT}.nuevo`, CURRENT);
}

/**
 * Puts the current builds of a folder such as an image brings along beside those that lie here, makes them the current
 * ones, and removes old ones. Returns their names.
 */
export async function takeBuilds(from) {
  const brought = readJson(join(from, 'actual.json'));
  if (!brought) throw new Complaint(`Falta ${join(from, 'actual.json')}: esta carpeta no trae construcciones.`);
  const names = {};
  for (const [half, name] of Object.entries(brought))
    names[half] = await makeBuild(half, name.slice(half.length + 1), (folder) =>
      cpSync(join(from, name), folder, { recursive: true }),
    );
  moveTo(names);
  removeOldBuilds();
  return Object.values(names);
}

/**
 * Removes old builds, and what an interrupted one left. The current ones stay, those that a process holds, and the last
 * ones of a week. Only the owner of the lock of the builds calls it.
 */
export function removeOldBuilds() {
  const kept = new Set([...Object.values(currentBuilds()), ...heldBuilds()]);
  const isOld = (name) => Date.now() - statSync(join(BUILDS, name)).mtimeMs > KEPT_MS;
  const removed = Object.entries(KEPT).flatMap(([half, most]) =>
    buildsOf(half)
      .filter((name) => !kept.has(name))
      .filter((name, place) => place >= most || isOld(name)),
  );
  const unfinished = readdirSync(BUILDS).filter((name) => name.startsWith('.') && NAME.test(name.slice(1)));
  const before = BEFORE.filter((name) => existsSync(join(BUILDS, name)) && isOld(name));
  for (const name of [...removed, ...unfinished, ...before])
    rmSync(join(BUILDS, name), { recursive: true, force: true });
  return removed;
}

/** Returns the names of the builds of a half, the last replaced first. */
function buildsOf(half) {
  if (!existsSync(BUILDS)) return [];
  const age = (name) => statSync(join(BUILDS, name)).mtimeMs;
  return readdirSync(BUILDS)
    .filter((name) => name.startsWith(`${half}-`))
    .sort((a, b) => age(b) - age(a));
}

/** Returns the names of the builds that processes of this machine hold, as far as this account may see them. */
function heldBuilds() {
  if (!existsSync('/proc/self/fd')) return [];
  const builds = realpathSync(BUILDS);
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .flatMap((pid) => openFilesOf(pid))
    .filter((path) => dirname(path) === builds)
    .map((path) => basename(path));
}

function openFilesOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((number) => readlinkSync(`/proc/${pid}/fd/${number}`));
  } catch {
    // The process ended meanwhile, or belongs to another account.
    return [];
  }
}
