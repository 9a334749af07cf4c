/**
 * `npm run mundo -- --semilla=1 --dias=3 --ventas=40`: lives days of a shop by a clock, and holds the product against what is true outside.
 */
import { liveShop, sayHecho } from './campania';
import { eleccionOf } from './eleccion';
import { groupBy } from './groupBy';

/** Differences of one property that are written out. */
const SHOWN = 6;

const option = (name: string, otherwise: number) =>
  Number(process.argv.find((one) => one.startsWith(`--${name}=`))?.split('=')[1] ?? otherwise);
const isAsked = (name: string) => process.argv.includes(`--${name}`);

const began = performance.now();
const say = (line: string) => console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(5)} s  ${line}`);

const [semilla, dias, ventas] = [option('semilla', 1), option('dias', 3), option('ventas', 40)];
say(`on: ${[...eleccionOf(semilla)].join(' ')}`);
const { hecho, sales, deposits, invoices, differences, juicio } = await liveShop({
  semilla,
  horas: dias * 24,
  ventas,
  todo: isAsked('todo'),
  plantadas: isAsked('plantadas'),
  guardar: isAsked('guardar'),
  say,
});
for (const [told, times] of hecho.negadas) say(`refused ${times} times: ${told}`);
for (const [propiedad, own] of groupBy(differences, (one) => one.propiedad)) {
  say(`${propiedad}: ${own.length} differences`);
  for (const { numOrden, detalle } of own.slice(0, SHOWN)) say(`    ${numOrden}  ${detalle}`);
}
say(
  `semilla ${semilla}, ${dias} days, ${sayHecho(hecho)}: ${differences.length} differences in ${sales} sales, ${deposits} deposits, ${invoices} invoices of suppliers`,
);
if (juicio && juicio.missed.length > 0) say(`planted and not found: ${juicio.missed.join(' ')}`);
if (juicio && juicio.untried.length > 0) say(`planted in no sale, more days have some: ${juicio.untried.join(' ')}`);
process.exit(differences.length + (juicio?.missed.length ?? 0) + (juicio?.untried.length ?? 0) === 0 ? 0 : 1);
