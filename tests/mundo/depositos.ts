import type { DepositTruth } from '../sandbox/truth';
import { groupBy } from './groupBy';
import { centavos, enPesos, type Lector } from './lectura';

interface Deposito {
  id: string;
  market: string;
  fecha: string;
  importe: string;
  suma: string;
  saldoAntes: string | null;
  saldoDespues: string | null;
  sinExplicar: string;
}
interface DepositoAbierto {
  ventas: { numOrden: string; importe: string }[];
  sinVenta: string;
}

const MARKET = { mercadolibre: 'ml', amazon: 'amz' } as const;
const DAY = 86_400_000;
/** A deposit that its marketplace told so long ago stands here, also where its report was refused at first. */
const KNOWN_MS = DAY;
/** Days of the past of which every deposit stands here. */
const ASKED_MS = 45 * DAY;

type Say = (propiedad: 'deposito.esta' | 'deposito.ventas', deposito: string, detalle: string) => void;

/**
 * Holds each deposit of the last three months against the truth, and what it is made of sale by sale. `sales` are the numbers of the sales that stand here. Returns
 * the number of deposits whose sales were looked at.
 */
export async function checkDepositos(
  admin: Lector,
  truths: readonly DepositTruth[],
  { now, sales }: { now: number; sales: ReadonlySet<string> },
  say: Say,
): Promise<number> {
  let opened = 0;
  const hasta = new Date(now + 3 * DAY).toISOString().slice(0, 10);
  const desde = new Date(now - 90 * DAY).toISOString().slice(0, 10);
  const filas = await admin.list<Deposito>(`/api/v1/conciliacion/depositos?desde=${desde}&hasta=${hasta}`);
  const here = groupBy(filas, ({ market, fecha }) => nameOf(market, Date.parse(fecha)));
  // Of the first deposit of an account, only what moved since its first report is known: the rest is its opening balance.
  const firsts = new Map<string, number>();
  for (const { market, fecha } of filas)
    firsts.set(market, Math.min(firsts.get(market) ?? Infinity, Date.parse(fecha)));
  const known = new Map(truths.map((truth) => [nameOf(MARKET[truth.market], truth.at), truth]));

  for (const [name, truth] of known) {
    const own = here.get(name) ?? [];
    const first = firsts.get(MARKET[truth.market]) ?? Infinity;
    const expected = truth.toldAt <= now - KNOWN_MS && truth.at >= Math.min(first, now - ASKED_MS);
    if (own.length > 1 || (own.length === 0 && expected))
      say('deposito.esta', name, `outside ${enPesos(truth.amount)}, here ${own.length} deposits`);
    for (const deposito of own) {
      checkImportes(truth, deposito, name, truth.at === first, say);
      if (truth.at <= first) continue;
      await checkVentas(admin, truth, deposito, { name, sales }, say);
      opened++;
    }
  }
  for (const [name, [deposito]] of here)
    if (!known.has(name)) say('deposito.esta', name, `outside nothing, here ${deposito!.importe}`);
  return opened;
}

const nameOf = (market: string, at: number) => `${market} ${new Date(at).toISOString().slice(0, 19)}`;

function checkImportes(truth: DepositTruth, deposito: Deposito, name: string, isFirst: boolean, say: Say) {
  const moved = truth.lines.reduce((sum, { amount }) => sum + amount, 0);
  const [before, suma] = [centavos(deposito.saldoAntes), centavos(deposito.suma)];
  const told: [what: string, there: number, here: number][] = [
    ['amount', truth.amount, centavos(deposito.importe)],
    ['balance after', truth.after, centavos(deposito.saldoDespues)],
    ['unexplained', 0, centavos(deposito.sinExplicar)],
    ...(isFirst
      ? [['before and movements', truth.before + moved, before + suma] as [string, number, number]]
      : [
          ['balance before', truth.before, before] as [string, number, number],
          ['movements', moved, suma] as [string, number, number],
        ]),
  ];
  for (const [what, there, aqui] of told)
    if (there !== aqui) say('deposito.esta', name, `${what}: outside ${enPesos(there)}, here ${enPesos(aqui)}`);
}

/** A part of a sale that never stood here is of no sale here; one that is older than the list of sales may be either. */
async function checkVentas(
  admin: Lector,
  { lines }: DepositTruth,
  { id }: Deposito,
  { name, sales }: { name: string; sales: ReadonlySet<string> },
  say: Say,
) {
  const { ventas, sinVenta } = await admin.get<DepositoAbierto>(`/api/v1/conciliacion/depositos/${id}`);
  const rest = new Map<string, number>();
  for (const { numOrden, importe } of ventas) rest.set(numOrden, (rest.get(numOrden) ?? 0) + centavos(importe));
  let loose = 0;
  for (const { numOrden, amount } of lines) {
    const told = numOrden === null ? undefined : rest.get(numOrden);
    if (numOrden === null || (told === undefined && !sales.has(numOrden))) {
      loose += amount;
      continue;
    }
    rest.delete(numOrden);
    if (told !== amount)
      say('deposito.ventas', numOrden, `${name}: outside ${enPesos(amount)}, here ${enPesosOr(told)}`);
  }
  for (const [numOrden, importe] of rest)
    say('deposito.ventas', numOrden, `${name}: outside nothing of it, here ${enPesos(importe)}`);
  if (loose !== centavos(sinVenta))
    say('deposito.ventas', name, `of no sale: outside ${enPesos(loose)}, here ${sinVenta}`);
}

const enPesosOr = (amount: number | undefined) => (amount === undefined ? 'nothing' : enPesos(amount));
