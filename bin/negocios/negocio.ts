/**
 * A business among many on this machine: a database, two accounts and two processes of its own, told by two files of the
 * folder NEGOCIOS. `NOMBRE.env` has the settings of its web and its worker; `NOMBRE.duena` the address of the owner of
 * its tables, which neither process may know. Both are readable by their owner alone.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { folderFault } from '~/core/carpetas.server';

/** A mistake of whoever typed the command, in words for them. */
export class Complaint extends Error {}

/** A business as its files tell it. */
export type Negocio = {
  nombre: string;
  /** Settings of web and worker (README, Settings). */
  ajustes: Record<string, string>;
  /** Address of the owner of the tables; migrations and backups use it. */
  duena: string;
};

/** Letters and digits alone: the name is part of a database, of two accounts, of units of systemd and of files. */
const NAME = /^[a-z][a-z0-9]{1,30}$/;
/** File of settings that every business shares: it is read before the file of its own. */
const SHARED = 'comun';
const FIRST_PORT = 3101;
/** Connections of the web of a business. One person in fifty works there at a time. */
const WEB_CONNECTIONS = 5;

const settingsFile = (folder: string, nombre: string) => join(folder, `${nombre}.env`);
const ownerFile = (folder: string, nombre: string) => join(folder, `${nombre}.duena`);

/** Returns the businesses of the folder by name. Throws a Complaint for a folder that is not there. */
export function readNegocios(folder: string): Negocio[] {
  if (!existsSync(folder))
    throw new Complaint(`No hay carpeta ${folder}. El primer negocio la hace: crear NOMBRE URL.`);
  return readdirSync(folder)
    .filter((file) => file.endsWith('.duena'))
    .map((file) => readNegocio(folder, file.slice(0, -'.duena'.length)))
    .sort((a, b) => (a.nombre < b.nombre ? -1 : 1));
}

function readNegocio(folder: string, nombre: string): Negocio {
  return {
    nombre,
    ajustes: parseEnv(readFileSync(settingsFile(folder, nombre), 'utf8')) as Record<string, string>,
    duena: parseEnv(readFileSync(ownerFile(folder, nombre), 'utf8')).MIGRACION_URL ?? '',
  };
}

/** Returns the named businesses, or all of them. Throws a Complaint that names those that do not exist. */
export function chooseNegocios(folder: string, nombres: readonly string[]): Negocio[] {
  const all = readNegocios(folder);
  const unknown = nombres.filter((nombre) => !all.some((one) => one.nombre === nombre));
  if (unknown.length > 0)
    throw new Complaint(
      `No conozco ${unknown.join(', ')}. Hay: ${all.map((one) => one.nombre).join(', ') || 'ninguno'}.`,
    );
  return nombres.length === 0 ? all : all.filter(({ nombre }) => nombres.includes(nombre));
}

/**
 * Returns the business of this name, with its two files written. One whose files are there keeps every key and
 * password in them, so a creation that was cut goes on where it was. Throws a Complaint for a name or an address that
 * does not do, or that another business has.
 */
export function declareNegocio(folder: string, nombre: string, appUrl: string, admin: URL): Negocio {
  if (!NAME.test(nombre) || nombre === SHARED)
    throw new Complaint(
      `«${nombre}» no es un nombre de negocio: de 2 a 31 letras minúsculas y cifras, sin acentos, y empieza con letra.`,
    );
  const fault = folderFault(folder);
  if (fault !== null) throw new Complaint(`NEGOCIOS: ${folder} ${fault}.`);
  const others = readNegocios(folder).filter((one) => one.nombre !== nombre);
  const url = addressOf(appUrl);
  const taken = others.find(({ ajustes }) => ajustes.APP_URL === url);
  if (taken) throw new Complaint(`${url} es de ${taken.nombre}.`);
  if (existsSync(ownerFile(folder, nombre))) {
    const known = readNegocio(folder, nombre);
    if (known.ajustes.APP_URL !== url)
      throw new Complaint(
        `${nombre} ya existe con ${known.ajustes.APP_URL}. Su dirección se cambia en ${settingsFile(folder, nombre)}.`,
      );
    return known;
  }
  const secret = () => randomBytes(24).toString('base64url');
  const urlOf = (account: string) => {
    const own = new URL(admin);
    [own.username, own.password, own.pathname] = [account, secret(), `/trastienda_${nombre}`];
    return own.href;
  };
  const ajustes = {
    DATABASE_URL: urlOf(`trastienda_${nombre}_app`),
    LLAVES: `k1:${randomBytes(32).toString('base64')}`,
    APP_URL: url,
    PORT: String(freePortAfter(others)),
    PROXY_HOPS: '1',
    DB_POOL: String(WEB_CONNECTIONS),
    // The only web of the business: nobody else would answer while it waits.
    CIERRE_ESPERA: '0',
    WEBHOOK_SECRETO: secret(),
    SALUD_TOKEN: secret(),
    METRICAS_TOKEN: secret(),
  };
  // The owner's file is last, and stands for both.
  writeSecret(settingsFile(folder, nombre), ajustes);
  const duena = urlOf(`trastienda_${nombre}`);
  writeSecret(ownerFile(folder, nombre), { MIGRACION_URL: duena });
  return { nombre, ajustes, duena };
}

function writeSecret(file: string, values: Record<string, string>) {
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(file, lines.join(''), { mode: 0o600 });
}

/** The address as the web compares it: without a slash at its end. Secure cookies want https beyond this machine. */
function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOwn = url?.hostname === '127.0.0.1' || url?.hostname === 'localhost';
  if (!url || url.pathname !== '/' || !(url.protocol === 'https:' || (isOwn && url.protocol === 'http:')))
    throw new Complaint(`«${text}» no es la dirección de un negocio. Por ejemplo: https://refacciones.ejemplo.mx`);
  return url.origin;
}

/** The lowest port from the first on that no business has. */
function freePortAfter(others: readonly Negocio[]): number {
  const taken = new Set(others.map(({ ajustes }) => Number(ajustes.PORT)));
  let port = FIRST_PORT;
  while (taken.has(port)) port++;
  return port;
}
