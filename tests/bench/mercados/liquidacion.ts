/** A settlement of Amazon as the worker brings it: asked for, read line by line, and each amount matched with its sale and its deposit. Its sales are those that the first sync brought. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Money } from '~/core/money';
import { enqueue } from '~db/queue/catalog.server';
import { SELLER_ID } from '../../sandbox/amazon';
import { rounded, type Figure } from '../figures';
import { residentMb } from '../memory';
import type { Bench } from './parts';

const DAY_MS = 86_400_000;
const WITHIN_MS = 300_000;
const AIM_S = 20;
/** What a batch of lines takes and the rest of the file does not. */
const AIM_MB = 60;

type Liquidacion = { id: string; reporte: string; hasta: number; total: number; cuantos: number };

export async function benchLiquidacion({ place, db, owner, sandbox }: Bench, lines: number): Promise<Figure[]> {
  const { pid } = await place.worker();
  const amz = sandbox.proveedor('amazon');
  const told = () => amz.get<Liquidacion[]>('/liquidaciones?movimientos=no');
  const newest = (await told()).at(-1)!;
  const dias = (Date.now() - newest.hasta) / DAY_MS + 0.01;
  const veces = lines - newest.cuantos;
  if (veces > 0) await amz.post('/liquidaciones/cargos', { veces, dias, importe: 1 });
  // The schedule may have read some meanwhile: only the newest is to be read, and by us.
  for (const table of ['conciliacion', 'movimiento', 'deposito', 'liquidacionReporte'] as const)
    await owner.deleteFrom(table).where('market', '=', 'amz').execute();
  const [one, ...others] = (await told()).reverse();
  for (const { reporte, hasta } of others)
    await db
      .insertInto('liquidacionReporte')
      .values({
        market: 'amz',
        cuenta: SELLER_ID,
        clave: reporte,
        estado: 'leido',
        desde: new Date(hasta - 14 * DAY_MS),
        hasta: new Date(hasta),
      })
      .execute();
  const total = Money.ofJsonNumber(one!.total).cents().toString();
  const before = residentMb(pid);
  let peak = before;
  const from = performance.now();
  await enqueue(db, 'liquidacion.traer', { market: 'amz' });
  for (const end = Date.now() + WITHIN_MS; ; await sleep(50)) {
    peak = Math.max(peak, residentMb(pid));
    const deposito = await db
      .selectFrom('deposito')
      .select(['suma', 'movimientos', 'ventas'])
      .where('clave', '=', one!.id)
      .executeTakeFirst();
    if (deposito && String(deposito.suma) === total && deposito.movimientos === one!.cuantos) {
      const seconds = (performance.now() - from) / 1000;
      const note = `${deposito.ventas} sales, ${rounded(one!.cuantos / seconds, 0)} lines/s`;
      return [
        {
          name: `mercados: settlement of ${one!.cuantos} lines read and matched`,
          value: rounded(seconds, 1),
          unit: 's',
          aim: AIM_S,
          note,
        },
        {
          name: 'mercados: memory that the settlement took beside what the worker held',
          value: rounded(Math.max(0, peak - before), 0),
          unit: 'MB',
          aim: AIM_MB,
          note: `${rounded(before, 0)} MB before`,
        },
      ];
    }
    if (Date.now() > end) throw new Error(`the settlement was not read: ${JSON.stringify(deposito)}`);
  }
}
