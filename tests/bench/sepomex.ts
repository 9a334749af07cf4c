/** SEPOMEX's file of postal codes at its real size: the first load, and the same file again. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSepomex } from '~/platform/direccion/sepomex.server';
import type { Db } from '~db/client.server';
import { rounded, type Figure } from './figures';

const ROWS = 146_000;
const LOAD_S = 10;
const NOTICE =
  'El Catálogo Nacional de Códigos Postales, es elaborado por Correos de México y se proporciona en forma gratuita para uso particular';
const HEADER =
  'd_codigo|d_asenta|d_tipo_asenta|D_mnpio|d_estado|d_ciudad|d_CP|c_estado|c_oficina|c_CP|c_tipo_asenta|c_mnpio|id_asenta_cpcons|d_zona|c_cve_ciudad';
const SANTOS = [
  'San Ángel',
  'Santa María',
  'San José',
  'Guadalupe',
  'El Cañón',
  'La Peña',
  'Los Álamos',
  'Niños Héroes',
];
const TIPOS = ['Colonia', 'Fraccionamiento', 'Ejido', 'Pueblo', 'Barrio', 'Unidad habitacional'];

export async function benchSepomex(db: Db, folder: string): Promise<Figure[]> {
  const file = join(folder, 'CPdescarga.txt');
  writeFileSync(
    file,
    Buffer.from(
      `${[NOTICE, HEADER, ...Array.from({ length: ROWS }, (_, at) => rowOf(at))].join('\r\n')}\r\n`,
      'latin1',
    ),
  );
  try {
    const first = await timed(() => loadSepomex(db, file));
    const again = await timed(() => loadSepomex(db, file));
    return [
      {
        name: 'SEPOMEX: settlements loaded',
        value: first.asentamientos,
        unit: 'rows',
        aim: ROWS,
        exactly: true,
        note: `${first.codigos} postal codes`,
      },
      { name: `SEPOMEX: first load of ${ROWS} rows`, value: first.seconds, unit: 's', aim: LOAD_S },
      { name: 'SEPOMEX: the same file again', value: again.seconds, unit: 's', aim: LOAD_S },
      {
        name: 'SEPOMEX: rows the second load changed',
        value: again.nuevos + again.cambiados + again.retirados,
        unit: 'rows',
        aim: 0,
        exactly: true,
      },
    ];
  } finally {
    rmSync(file, { force: true });
  }
}

/** Four or five settlements a code, as in the real file. */
function rowOf(at: number): string {
  const cp = String(1_000 + Math.floor(at / 4.5) * 3).padStart(5, '0');
  const estado = String(1 + (at % 32)).padStart(2, '0');
  return `${cp}|${SANTOS[at % SANTOS.length]} ${at}|${TIPOS[at % TIPOS.length]}|Municipio ${at % 2_400}|Estado ${estado}|Ciudad ${at % 600}|${cp}|${estado}|${cp}||09|010|${at % 10_000}|Urbano|01`;
}

async function timed<T extends object>(work: () => Promise<T>): Promise<T & { seconds: number }> {
  const from = performance.now();
  const done = await work();
  return { ...done, seconds: rounded((performance.now() - from) / 1000) };
}
