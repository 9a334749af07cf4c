/**
 * `npm run sepomex -- CPdescarga.txt`: loads SEPOMEX's official file of postal codes. A second run with the same file
 * changes nothing. A file with less than half of the codes that stand is loaded with `--menor` alone.
 */
import { resolve } from 'node:path';
import { directUrlOf } from '~/core/env.server';
import { NotAllowed } from '~/core/errors';
import { loadSepomex } from '~/platform/direccion/sepomex.server';
import { openDatabase } from '~db/client.server';
import { requireSettings } from './requireSettings';

const args = process.argv.slice(2);
const [file, ...rest] = args.filter((arg) => arg !== '--menor');
if (!file || rest.length > 0) {
  console.error(
    'Uso: npm run sepomex -- CPdescarga.txt (el archivo de texto que descarga Correos de México, sin comprimir).',
  );
  process.exit(1);
}
const database = openDatabase(directUrlOf(requireSettings()), {
  max: 1,
  name: 'trastienda-sepomex',
  statementTimeoutMs: 300_000,
});
try {
  const begun = performance.now();
  // npm runs this process in the project's folder; people name the file from their own folder.
  const { asentamientos, codigos, nuevos, cambiados, retirados } = await loadSepomex(
    database.db,
    resolve(process.env.INIT_CWD ?? '.', file),
    { menor: args.includes('--menor') },
  );
  const ms = Math.round(performance.now() - begun);
  console.log(
    `${asentamientos} asentamientos de ${codigos} códigos postales: ${nuevos} nuevos, ${cambiados} cambiados, ${retirados} retirados (${ms} ms).`,
  );
} catch (error) {
  const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
  if (!(error instanceof NotAllowed) && !missing) throw error;
  console.error(missing ? `No existe el archivo «${file}».` : (error as Error).message);
  process.exitCode = 1;
} finally {
  await database.close();
}
