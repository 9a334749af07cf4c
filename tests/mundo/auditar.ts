/**
 * Holds the product against what is true outside. Everything is read by HTTP, as people and programs read it: an auditor that shared our code would
 * share its faults.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SaleTruth } from '../sandbox/truth';
import type { Afuera, CfdiTruth } from './afuera';
import { checkDepositos } from './depositos';
import { checkDeudas } from './deudas';
import { groupBy } from './groupBy';
import { centavos, enPesos, POR_LLAMADA, type Lector } from './lectura';

/** Something that is not so. */
export interface Difference {
  propiedad: string;
  numOrden: string;
  detalle: string;
}

/** Properties by their id, in one sentence each. */
export const PROPIEDADES = {
  'venta.esta': 'Every order of the marketplaces stands once in the list of orders, and none that they do not have.',
  'venta.clase': 'An order has the class that the marketplace gives it.',
  'dinero.pagado': 'What was paid and given back is what the marketplace says.',
  'dinero.retenido': 'What the marketplace keeps is what it says, wherever it has said so.',
  'dinero.sabido': 'What the marketplace has not said of a sale is told as an estimate, and never as known.',
  'dinero.costo':
    'What a sale cost is what its suppliers charge for its orders; where nothing was bought it is unknown, or told as an estimate.',
  'dinero.listas': 'List and panel tell the same amount left, and the lines of the panel add up to it.',
  'cfdi.uno': 'No sale has two living CFDI.',
  'cfdi.sabido': 'Every CFDI of the PAC is known here, and in the same state.',
  'cfdi.total':
    'What the CFDI of a sale charge beyond what stayed paid is the difference that the fiscal balance tells.',
  'deposito.esta':
    'Every deposit of the marketplaces stands here once, with its amount and what lay there before and after, and nothing of it is unexplained.',
  'deposito.ventas': 'What a deposit is made of is told by the sales that it is of, and the rest as of no sale.',
  'deuda.esta':
    "What is owed to a supplier is what it invoiced less what it was paid, invoice by invoice, in 'Por pagar' and in its account.",
  'pregunta.esta': 'Every question of the marketplace stands here, with the answer that it has there.',
  'reclamo.esta': 'Every claim of the marketplace stands here, and is open here while it is open there.',
  'pedido.uno': 'No supplier has two living orders for one purchase.',
  'puerta.sin500': 'No call answers 500 or above, but for a 503 that says when to come back.',
  'hoy.cuenta': 'Each number of Hoy is the number of rows behind it.',
} as const;
export type Propiedad = keyof typeof PROPIEDADES;

/** What tells the truth. */
export type Verdad = Pick<
  Afuera,
  'sales' | 'deposits' | 'suppliers' | 'cfdis' | 'xml' | 'pedidos' | 'preguntas' | 'reclamos'
>;

interface OrdenFila {
  id: string;
  market: string;
  numOrden: string;
  clase: string;
  situacion: string;
  pagado: string | null;
  queda: string | null;
  certeza: string | null;
  meliResale: boolean;
}
interface Orden {
  id: string;
  marketId: string;
  numOrden: string;
}
interface Dinero {
  ingresos: { clave: string; importe: string; cierto: boolean }[];
  costos: { clave: string; importe: string; cierto: boolean }[];
  recibe: string | null;
  recibeEstimado: boolean;
  queda: string | null;
  certeza: string;
}

/** Longest list that a card of Hoy opens in one piece. */
const HOY_SHOWN = 100;
const LOOKS_AT_HOY = 3;
const BETWEEN_LOOKS_MS = 2_500;

/** An order to a supplier, as it stands here. */
interface Pedido {
  id: string;
  numOrden: string;
  proveedor: string;
  estado: string;
  folioProveedor: string | null;
}

/** What an audit looked at and found. */
export interface Audit {
  /** Sales, deposits and invoices of suppliers that were held against the outside. */
  sales: number;
  deposits: number;
  invoices: number;
  differences: Difference[];
}

/** What is held against the outside: sales since an instant, in ms, and the ids of the orders to suppliers that these sales have. */
export interface Desde {
  now: number;
  since: number;
  /** When the run began: what the demo bought before, no supplier knows of. */
  lived?: number;
  compras?: readonly string[];
}

/** Returns every difference between the product and the outside. */
export async function audit(
  admin: Lector,
  afuera: Verdad,
  { now, since, lived = since, compras = [] }: Desde,
): Promise<Audit> {
  const differences: Difference[] = [];
  const say = (propiedad: Propiedad, numOrden: string, detalle: string) =>
    differences.push({ propiedad, numOrden, detalle });
  const all = await afuera.sales();
  const truths = all.filter(({ soldAt }) => soldAt >= since);
  const filas = await admin.list<OrdenFila>('/api/v1/ordenes?rango=ultimos91');
  const byNumber = groupBy(filas, ({ numOrden }) => numOrden);
  const documentos = await afuera.cfdis();
  const cfdis = groupBy(documentos, ({ NumOrder }) => NumOrder ?? '');
  const inGlobals = await readGlobals(afuera, documentos);

  const cobrado = await readCobrado(afuera);
  const pedidos = groupBy(
    await Promise.all(compras.map((id) => admin.get<Pedido>(`/api/v1/pedidos/${id}`))),
    ({ numOrden }) => numOrden,
  );
  const balance = groupBy(await listBalance(admin, truths), ({ numOrden }) => numOrden);

  for (const truth of truths) {
    const own = byNumber.get(truth.numOrden) ?? [];
    const ordenes = await Promise.all(own.map(({ id }) => admin.get<Orden>(`/api/v1/ordenes/${id}`)));
    const ids = ordenes.map(({ marketId }) => marketId).toSorted();
    if (ids.join() !== truth.ids.toSorted().join()) {
      say('venta.esta', truth.numOrden, `outside ${truth.ids.join(' ')}, here ${ids.join(' ') || 'nothing'}`);
      continue;
    }
    checkClases(truth, own, ordenes, say);
    const dineros = await Promise.all(own.map(({ id }) => admin.get<Dinero>(`/api/v1/ordenes/${id}/dinero`)));
    checkDinero(truth, own, dineros, say);
    checkCosto(truth, dineros, pedidos.get(truth.numOrden) ?? [], cobrado, say);
    const tellsOf = balance.get(truth.numOrden) ?? [];
    checkCfdi(truth, cfdis.get(truth.numOrden) ?? [], inGlobals.get(truth.numOrden) ?? [], tellsOf, say);
  }
  const known = new Set(all.map(({ numOrden }) => numOrden));
  for (const numOrden of byNumber.keys())
    if (!known.has(numOrden)) say('venta.esta', numOrden, 'outside nothing, here a sale');
  const deposits = await checkDepositos(admin, await afuera.deposits(), { now, sales: new Set(byNumber.keys()) }, say);
  const own = new Set(all.filter(({ soldAt }) => soldAt >= lived).map(({ numOrden }) => numOrden));
  const invoices = await checkDeudas(admin, await afuera.suppliers(), { since: lived, sales: own }, say);
  await checkFacturas(admin, documentos, say);
  await checkPreguntas(admin, afuera, say);
  await checkReclamos(admin, afuera, say);
  await checkPedidos(afuera, say);
  await checkHoy(admin, say);
  for (const broken of admin.broken) say('puerta.sin500', '', broken);
  return { sales: truths.length, deposits, invoices, differences };
}

type Say = (propiedad: Propiedad, numOrden: string, detalle: string) => void;

function checkClases(truth: SaleTruth, own: OrdenFila[], ordenes: Orden[], say: Say) {
  truth.ids.forEach((id, at) => {
    const fila = own[ordenes.findIndex(({ marketId }) => marketId === id)]!;
    const here = fila.meliResale ? 'reventa' : fila.clase;
    const wanted = truth.clases[at]!;
    // What is not paid yet has no class of its own here: its situation says so.
    if (wanted === 'pendiente' ? fila.situacion === 'pagada' : wanted !== here)
      say('venta.clase', truth.numOrden, `outside ${wanted}, here ${here} (${fila.situacion})`);
  });
}

function checkDinero(truth: SaleTruth, own: OrdenFila[], dineros: Dinero[], say: Say) {
  const sumOf = (...partes: string[]) =>
    dineros
      .flatMap(({ ingresos }) => ingresos)
      .filter(({ clave }) => partes.includes(clave.split(':', 1)[0]!))
      .reduce((sum, { importe }) => sum + centavos(importe), 0);
  const paid = sumOf('venta', 'devolucion');
  if (paid !== truth.paid)
    say('dinero.pagado', truth.numOrden, `outside ${enPesos(truth.paid)}, here ${enPesos(paid)}`);
  // What is estimated or not known yet is no claim.
  if (truth.kept && dineros.every(({ recibeEstimado }) => !recibeEstimado)) {
    const told = {
      fee: -sumOf('comision'),
      coupon: -sumOf('cupon'),
      shipping: -sumOf('envio'),
      withheld: -sumOf('retencion'),
    };
    for (const [name, amount] of Object.entries(told)) {
      const true_ = truth.kept[name as keyof typeof truth.kept];
      if (true_ !== amount)
        say('dinero.retenido', truth.numOrden, `${name}: outside ${enPesos(true_)}, here ${enPesos(amount)}`);
    }
  }
  if (!truth.kept && paid !== 0 && dineros.some(({ recibe, recibeEstimado }) => recibe !== null && !recibeEstimado))
    say('dinero.sabido', truth.numOrden, `outside nothing said, here ${dineros.map(({ recibe }) => recibe).join(' ')}`);
  own.forEach(({ queda, id }, at) => {
    if (queda !== dineros[at]!.queda)
      say('dinero.listas', truth.numOrden, `list ${queda}, panel ${dineros[at]!.queda} (${id})`);
    const lines = [...dineros[at]!.ingresos, ...dineros[at]!.costos].reduce(
      (sum, { importe }) => sum + centavos(importe),
      0,
    );
    if (queda !== null && centavos(queda) !== lines)
      say('dinero.listas', truth.numOrden, `left ${queda}, lines ${enPesos(lines)} (${id})`);
  });
}

/** Pesos that suppliers charge, in centavos, by supplier and folio. */
async function readCobrado(afuera: Verdad): Promise<Map<string, number>> {
  const charged = new Map<string, number>();
  for (const proveedor of POR_LLAMADA)
    for (const { folio, total } of await afuera.pedidos(proveedor))
      charged.set(`${proveedor} ${String(folio)}`, centavos(String(total)));
  return charged;
}

/** An order that is not at its supplier yet, and what a letter bought, is no claim. */
function checkCosto(truth: SaleTruth, dineros: Dinero[], pedidos: Pedido[], cobrado: Map<string, number>, say: Say) {
  const costos = dineros.flatMap((one) => one.costos).filter(({ clave }) => clave.startsWith('costo'));
  const told = -costos.reduce((sum, { importe }) => sum + centavos(importe), 0);
  const alive = pedidos.filter(({ folioProveedor }) => folioProveedor !== null);
  if (pedidos.length === 0) {
    if (told !== 0) say('dinero.costo', truth.numOrden, `nothing bought, here ${enPesos(told)}`);
    else if (truth.clases.every((clase) => clase === 'normal'))
      for (const { queda, certeza, costos: suyos } of dineros) {
        const estimado = certeza !== 'conocida' && suyos.length > 0 && suyos.every(({ cierto }) => !cierto);
        if (queda !== null && !estimado) say('dinero.costo', truth.numOrden, `nothing bought, here ${queda} left`);
      }
    return;
  }
  if (alive.length < pedidos.length || costos.some(({ cierto }) => !cierto)) return;
  const charged = alive.map(({ proveedor, folioProveedor }) => cobrado.get(`${proveedor} ${folioProveedor}`));
  if (charged.includes(undefined)) return;
  const true_ = charged.reduce<number>((sum, one) => sum + one!, 0);
  if (true_ !== told)
    say('dinero.costo', truth.numOrden, `its suppliers charge ${enPesos(true_)}, here ${enPesos(told)}`);
}

interface Balance {
  numOrden: string;
  diferencia: string;
}

/** The civil month of an instant in Mexico City, which is six hours behind UTC all year. */
export const monthOf = (ms: number) => new Date(ms - 6 * 3_600_000).toISOString().slice(0, 7);

async function listBalance(admin: Lector, truths: SaleTruth[]): Promise<Balance[]> {
  const months = [...new Set(truths.map(({ soldAt }) => monthOf(soldAt)))];
  return (await Promise.all(months.map((mes) => admin.list<Balance>(`/api/v1/mes/balance?mes=${mes}`)))).flat();
}

function checkCfdi(truth: SaleTruth, cfdis: CfdiTruth[], globals: InGlobal[], balance: Balance[], say: Say) {
  const living = cfdis.filter(({ estado, tipoDocumento }) => estado !== 'cancelada' && tipoDocumento === 'factura');
  const documents = [...living.map(({ UUID }) => UUID), ...globals.map(({ uuid }) => uuid)];
  if (new Set(documents).size > 1) say('cfdi.uno', truth.numOrden, documents.join(' '));
  if (!truth.clases.every((clase) => clase === 'normal')) return;
  const charged =
    living.reduce((sum, { total }) => sum + centavos(total), 0) + globals.reduce((sum, { amount }) => sum + amount, 0);
  const told = balance.reduce((sum, { diferencia }) => sum + centavos(diferencia), 0);
  if (charged - truth.paid !== told)
    say('cfdi.total', truth.numOrden, `outside ${enPesos(charged - truth.paid)}, here ${enPesos(told)}`);
}

/** What a living global charges for one sale, in centavos with IVA. */
interface InGlobal {
  uuid: string;
  amount: number;
}

/** Reads out of the XML of the living globals what they charge for each sale: a concept of theirs names the sale. */
async function readGlobals(afuera: Verdad, cfdis: CfdiTruth[]): Promise<Map<string, InGlobal[]>> {
  const found = new Map<string, InGlobal[]>();
  const living = cfdis.filter(
    ({ estado, tipoDocumento, RFC }) =>
      estado !== 'cancelada' && tipoDocumento === 'factura' && RFC === 'XAXX010101000',
  );
  for (const { UUID } of living) {
    const xml = await afuera.xml(UUID);
    if (!xml.includes('InformacionGlobal')) continue;
    for (const [concept, attributes] of xml.matchAll(/<cfdi:Concepto ([^>]*)>.*?<\/cfdi:Concepto>/gs)) {
      const valueOf = (name: string, text: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1];
      const numOrden = valueOf('NoIdentificacion', attributes!) ?? '';
      const taxes = [...concept.matchAll(/<cfdi:Traslado ([^>]*)>/g)].reduce(
        (sum, [, tax]) => sum + Number(valueOf('Importe', tax!) ?? 0),
        0,
      );
      const amount = Math.round(
        (Number(valueOf('Importe', attributes!)) - Number(valueOf('Descuento', attributes!) ?? 0) + taxes) * 100,
      );
      found.set(numOrden, [...(found.get(numOrden) ?? []), { uuid: UUID, amount }]);
    }
  }
  return found;
}

/** Every document of the PAC stands here, in its state. */
async function checkFacturas(admin: Lector, cfdis: CfdiTruth[], say: Say) {
  const filas = [
    ...(await admin.list<{ id: string }>('/api/v1/facturas?rango=ultimos91')),
    ...(await admin.list<{ id: string }>('/api/v1/notas-credito?rango=ultimos91')),
  ];
  const here = new Map<string, { uuid: string; estatus: string }>();
  for (const { id } of filas) {
    const factura = await admin.get<{ uuid: string; estatus: string }>(`/api/v1/facturas/${id}`);
    here.set(factura.uuid.toLowerCase(), factura);
  }
  for (const { UUID, NumOrder, estado } of cfdis) {
    const estatus = here.get(UUID.toLowerCase())?.estatus;
    if (estatus !== estado)
      say('cfdi.sabido', NumOrder ?? UUID, `outside ${estado}, here ${estatus ?? 'nothing'} (${UUID})`);
  }
}

/** Answers of a question; those that were closed or taken away at the marketplace are no question any more. */
async function checkPreguntas(admin: Lector, afuera: Verdad, say: Say) {
  const filas = await admin.list<{ marketId: string; respuesta: string | null; estatus: string }>(
    '/api/v1/preguntas?rango=ultimos91',
  );
  const here = new Map(filas.map((fila) => [fila.marketId, fila]));
  for (const { id, status, answer } of await afuera.preguntas()) {
    if (status !== 'ANSWERED' && status !== 'UNANSWERED') continue;
    const fila = here.get(id);
    const [there, told] = [answer?.text ?? null, fila && (fila.estatus === 'pendiente' ? null : fila.respuesta)];
    if (told !== there)
      say('pregunta.esta', id, `outside ${there ?? 'no answer'}, here ${fila ? told : 'no question'}`);
  }
}

async function checkReclamos(admin: Lector, afuera: Verdad, say: Say) {
  const filas = await admin.list<{ marketId: string; estatus: string }>('/api/v1/reclamos?rango=ultimos91');
  const here = new Map(filas.map(({ marketId, estatus }) => [marketId, estatus]));
  for (const { id, status } of await afuera.reclamos()) {
    const [there, told] = [status === 'closed' ? 'cerrado' : 'abierto', here.get(id)];
    if (told !== there) say('reclamo.esta', id, `outside ${there}, here ${told ?? 'nothing'}`);
  }
}

/** A card is counted some seconds before it is read, so only what stays different is a difference. */
async function checkHoy(admin: Lector, say: Say) {
  let odd: [clave: string, detalle: string][] = [];
  for (let look = 0; look < LOOKS_AT_HOY; look++) {
    if (look > 0) await sleep(BETWEEN_LOOKS_MS);
    odd = [];
    for (const { clave, total } of await admin.get<{ clave: string; total: number }[]>('/api/v1/hoy')) {
      const { lineas } = await admin.get<{ lineas: unknown[] }>(`/api/v1/hoy/${clave}`);
      if (lineas.length !== total && total < HOY_SHOWN) odd.push([clave, `card ${total}, behind it ${lineas.length}`]);
    }
    if (odd.length === 0) return;
  }
  for (const [clave, detalle] of odd) say('hoy.cuenta', clave, detalle);
}

async function checkPedidos(afuera: Verdad, say: Say) {
  for (const proveedor of POR_LLAMADA) {
    const byReferencia = groupBy(await afuera.pedidos(proveedor), (pedido) => referenciaOf(pedido));
    for (const [referencia, pedidos] of byReferencia)
      if (referencia !== '' && pedidos.length > 1)
        say('pedido.uno', referencia, `${proveedor}: ${pedidos.map((pedido) => JSON.stringify(pedido)).join(' ')}`);
  }
}

const referenciaOf = ({ referencia }: Record<string, unknown>) => String(referencia ?? '');
