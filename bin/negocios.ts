/**
 * `npm run negocios`: many businesses on one machine and one PostgreSQL, each with a database and processes of its own.
 * Without words it lists them; `crear`, `actualizar` and `respaldar` are told in docs/operar.md. NEGOCIOS names the
 * folder of their files, NEGOCIOS_URL the account that may create databases and accounts. Exits with 1 when one of
 * them did not do what was asked, after the others did.
 */
import { parseArgs } from 'node:util';
import { spawnSync } from 'node:child_process';
import { writeCount } from '~/core/count';
import { migrateDatabase } from '~db/migrate';
import { reviewMigrations } from '~db/reviewMigrations';
import { backUpNegocio } from './negocios/backUp';
import { createBase } from './negocios/create';
import { isWell, readEstados } from './negocios/list';
import { linesOf } from './tellRevision';
import { chooseNegocios, Complaint, declareNegocio, type Negocio } from './negocios/negocio';

const folder = process.env.NEGOCIOS || '/etc/trastienda';
const backups = process.env.RESPALDOS || undefined;

const COMMANDS = new Map<string, (words: string[]) => Promise<void>>([
  ['listar', list],
  ['crear', create],
  ['actualizar', upgrade],
  ['respaldar', backUp],
]);

async function list(words: string[]) {
  const estados = await readEstados(chooseNegocios(folder, words), backups);
  if (estados.length === 0) console.log(`Ningún negocio en ${folder}. Se hace con: crear NOMBRE URL`);
  for (const one of estados) {
    console.log(`${isWell(one) ? '✓' : '✗'} ${one.nombre}  ${one.url}  puerto ${one.puerto}`);
    console.log(`    base ${one.base}; ${one.procesos}; último respaldo ${one.respaldo}`);
  }
  if (!estados.every(isWell)) process.exitCode = 1;
}

async function create([nombre, url]: string[]) {
  if (!nombre || !url) throw new Complaint('Di nombre y dirección: crear refacciones https://refacciones.ejemplo.mx');
  const admin = adminUrl('crear');
  const negocio = declareNegocio(folder, nombre, url, new URL(admin));
  const migraciones = await createBase(negocio, admin);
  console.log(migraciones > 0 ? `${nombre}: base hecha.` : `${nombre}: su base ya estaba al día.`);
  console.log(`Ajustes en ${folder}/${nombre}.env: completa ahí correo y marketplaces. Después:`);
  console.log(`  systemctl enable --now ${unitsOf(negocio).join(' ')}`);
  console.log(`  Caddy: ${new URL(url).host} { reverse_proxy 127.0.0.1:${negocio.ajustes.PORT} }`);
}

async function upgrade(words: string[]) {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: { revisar: { type: 'boolean' }, reiniciar: { type: 'boolean' } },
  });
  const maker = values.revisar ? adminUrl('actualizar --revisar') : '';
  await forEach(chooseNegocios(folder, positionals), async (negocio) => {
    if (values.revisar) return review(negocio, maker);
    const { applied } = await migrateDatabase(negocio.duena, negocio.ajustes.DATABASE_URL);
    // Processes of this version start only where its tables are.
    if (values.reiniciar) restart(negocio);
    return applied.length === 0 ? 'ya estaba al día' : `${applied.length} migraciones`;
  });
}

async function review({ duena }: Negocio, maker: string): Promise<string> {
  const revision = await reviewMigrations(duena, maker);
  if (revision.pendientes.length === 0) return 'al día';
  return [`faltan ${revision.pendientes.length} migraciones`, ...linesOf(revision)].join('\n    ');
}

async function backUp(words: string[]) {
  if (!backups) throw new Complaint('Di en qué carpeta: RESPALDOS=/otro-disco/negocios');
  const passphrase = process.env.RESPALDO_CLAVE || undefined;
  const keep = Number(process.env.RESPALDOS_GUARDAR || 7);
  if (!Number.isInteger(keep) || keep < 1) throw new Complaint('RESPALDOS_GUARDAR es un número entero desde 1.');
  await forEach(chooseNegocios(folder, words), async (negocio) => {
    const { place, bytes } = await backUpNegocio(negocio, { folder: backups, passphrase, keep });
    return `${place} (${writeCount(Math.ceil(bytes / 1024))} kB)`;
  });
  if (!passphrase)
    console.log('Sus llaves van dentro, sin sellar: quien los lea los abre. Con RESPALDO_CLAVE quedan selladas.');
}

/** One after another, each with its line; one that fails holds up none of the others. */
async function forEach(negocios: readonly Negocio[], work: (negocio: Negocio) => Promise<string>) {
  const failed: string[] = [];
  for (const negocio of negocios) {
    try {
      console.log(`✓ ${negocio.nombre}: ${await work(negocio)}`);
    } catch (error) {
      failed.push(negocio.nombre);
      console.log(`✗ ${negocio.nombre}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (failed.length === 0) return;
  console.log(
    `Sin hacer: ${failed.join(', ')}. Repite la orden con ${failed.length === 1 ? 'él' : 'ellos'} cuando esté remediado.`,
  );
  process.exitCode = 1;
}

const unitsOf = ({ nombre }: Negocio) => [`trastienda-negocio-web@${nombre}`, `trastienda-negocio-worker@${nombre}`];

function restart(negocio: Negocio) {
  const { status, stderr, error } = spawnSync('systemctl', ['restart', ...unitsOf(negocio)], { encoding: 'utf8' });
  if (status !== 0)
    throw new Error(`su base está al día y sus procesos no reiniciaron: ${error?.message ?? stderr.trim()}`);
}

function adminUrl(command: string): string {
  const url = process.env.NEGOCIOS_URL;
  if (!url || !URL.canParse(url))
    throw new Complaint(
      `Para ${command}, NEGOCIOS_URL es la cuenta que puede crear bases y cuentas: postgres://administra:clave@127.0.0.1/postgres`,
    );
  return url;
}

const [word = 'listar', ...words] = process.argv.slice(2);
const command = COMMANDS.get(word);
try {
  if (!command) throw new Complaint(`No conozco «${word}». Hay: ${[...COMMANDS.keys()].join(', ')}.`);
  await command(words);
} catch (error) {
  console.error(error instanceof Complaint ? error.message : error);
  process.exitCode = 1;
}
