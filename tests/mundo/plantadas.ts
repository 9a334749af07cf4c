/**
 * Faults that are planted one by one in the ledger of a lived shop, to judge who judges: each must be found by its property. A ledger is reckoned by functions of the
 * database, so a fault is another text of one of them; nothing of the product knows of it.
 */
import type { Client } from 'pg';
import type { Difference, Propiedad } from './auditar';

export interface Plantada {
  id: string;
  /** What the fault does. */
  dice: string;
  funcion: 'libro_debe' | 'libro_asentar' | 'libro_of';
  /** Texts of the function, and what stands there instead. */
  cambia: readonly (readonly [de: string, a: string])[];
  propiedad: Propiedad;
}

/** What a buyer paid, as the ledger reckons it. */
const COBRADO = 'coalesce(c.r_cobrado + coalesce(o.cupon, 0), o.pagado) as cobrado';

export const PLANTADAS: readonly Plantada[] = [
  {
    id: 'comisionCero',
    dice: 'a fee that the marketplace told counts 0',
    funcion: 'libro_debe',
    cambia: [['coalesce(-c.r_comision, o.comision, round(o.pagado * tasa.comision, 2)) as comision', '0 as comision']],
    propiedad: 'dinero.retenido',
  },
  {
    id: 'comisionDoble',
    dice: 'a fee is posted twice',
    funcion: 'libro_debe',
    cambia: [
      [
        "('otros', 'porLiberar:'",
        "('comision:otra', 'porLiberar:' || v.market, 'comision', v.comision, true, v.fuente),\n        ('otros', 'porLiberar:'",
      ],
    ],
    propiedad: 'dinero.retenido',
  },
  {
    id: 'retencionAlReves',
    dice: 'a withholding has the wrong sign',
    funcion: 'libro_debe',
    cambia: [["'retenido', v.retencion,", "'retenido', -v.retencion,"]],
    propiedad: 'dinero.retenido',
  },
  {
    id: 'envioSinAsiento',
    dice: 'the shipping of the seller is not posted',
    funcion: 'libro_debe',
    cambia: [["'envio', v.envio, true, v.fuente)", "'envio', 0, true, v.fuente)"]],
    propiedad: 'dinero.retenido',
  },
  {
    id: 'estimaSabida',
    dice: 'an estimate of the marketplace counts as known',
    funcion: 'libro_debe',
    cambia: [
      ['o.liquidado is not null or o.comision is not null as comision_dicha', 'true as comision_dicha'],
      ['o.liquidado is not null or o.retencion is not null as retencion_dicha', 'true as retencion_dicha'],
      ['o.envio_propio or o.liquidado is null', 'false'],
    ],
    propiedad: 'dinero.sabido',
  },
  {
    id: 'sinMarca',
    dice: 'the row of a sale forgets that a part is an estimate',
    funcion: 'libro_asentar',
    cambia: [
      ['filter (where not cierto and importe is not null) as estima', 'filter (where false) as estima'],
      ['filter (where importe is null) as falta', "filter (where importe is null and renglon = 'costo') as falta"],
    ],
    propiedad: 'dinero.sabido',
  },
  {
    id: 'unCentavoDeMas',
    dice: 'a sale is paid a cent more than its buyer paid',
    funcion: 'libro_debe',
    cambia: [[COBRADO, COBRADO.replace(' as cobrado', ' + 0.01 as cobrado')]],
    propiedad: 'dinero.pagado',
  },
  {
    id: 'devolucionPerdida',
    dice: 'a refund is not taken off what was paid',
    funcion: 'libro_debe',
    cambia: [[COBRADO, COBRADO.replace('o.pagado) as cobrado', 'o.pagado_abs) + o.pagado_abs - o.pagado as cobrado')]],
    propiedad: 'dinero.pagado',
  },
  {
    id: 'costoSinIva',
    dice: "a supplier's invoice is posted without its IVA",
    funcion: 'libro_debe',
    cambia: [['sum(f.monto) as importe', 'round(sum(f.monto) / 1.16, 2) as importe']],
    propiedad: 'dinero.costo',
  },
  {
    id: 'costoCero',
    dice: 'a sale of which no cost is known cost 0',
    funcion: 'libro_asentar',
    cambia: [
      ["costo = case when 'costo' = any(s.falta) then null else s.costo end", 'costo = s.costo'],
      ["case when 'costo' = any(s.falta) then null else s.costo end", 's.costo'],
    ],
    propiedad: 'dinero.costo',
  },
  {
    id: 'filaVieja',
    dice: 'the row of a sale tells another sum than its movements',
    funcion: 'libro_asentar',
    cambia: [['coalesce(r.recibe, 0) as recibe', 'coalesce(r.recibe, 0) + 1 as recibe']],
    propiedad: 'dinero.listas',
  },
  {
    id: 'documentoDeMas',
    dice: 'the fiscal balance counts a peso more than a CFDI charges',
    funcion: 'libro_of',
    cambia: [
      ['coalesce(fo.importe, o.pagado_abs)), 0) as cobrado', 'coalesce(fo.importe, o.pagado_abs) + 1), 0) as cobrado'],
    ],
    propiedad: 'cfdi.total',
  },
];

/** Sales whose ledgers one statement reckons. */
const LOTE = 500;

/** Returns the text of a function with its fault. Throws where the function no longer reads so. */
export function plantedText(text: string, { id, cambia }: Pick<Plantada, 'id' | 'cambia'>): string {
  return cambia.reduce((now, [de, a]) => {
    if (!now.includes(de)) throw new Error(`${id}: the function no longer reads '${de}'`);
    return now.replace(de, () => a);
  }, text);
}

/** What became of planted faults, by their ids: `missed` changed the ledger and nobody found it, `untried` had no sale to change. */
export interface Juicio {
  missed: string[];
  untried: string[];
}

/**
 * Plants each fault in the database of a shop, lets it reckon every sale again, and audits. A fault that changes the row of no sale judges nobody. The shop is in
 * order afterwards.
 */
export async function judge(
  client: Client,
  auditNow: () => Promise<Difference[]>,
  say: (line: string) => void,
): Promise<Juicio> {
  const juicio: Juicio = { missed: [], untried: [] };
  for (const plantada of PLANTADAS) {
    const { id, dice, funcion, propiedad } = plantada;
    const { rows } = await client.query<{ text: string }>(
      `select pg_get_functiondef(oid) as text from pg_catalog.pg_proc where proname = $1 and pronamespace = 'public'::regnamespace`,
      [funcion],
    );
    const text = rows[0]!.text;
    const before = await ledgerOf(client);
    await client.query(plantedText(text, plantada));
    await reckon(client);
    if ((await ledgerOf(client)) === before) {
      juicio.untried.push(id);
      say(`${id} (${dice}): no sale to plant it in`);
    } else {
      const found = (await auditNow()).filter((one) => one.propiedad === propiedad);
      if (found.length === 0) juicio.missed.push(id);
      say(`${id} (${dice}): ${found.length === 0 ? 'MISSED' : `found ${found.length} times`}`);
    }
    await client.query(text);
    await reckon(client);
  }
  return juicio;
}

/** Returns a mark of the rows that the ledger keeps of its sales. */
async function ledgerOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ mark: string }>(
    `select md5(string_agg(l::text, '' order by orden_id)) as mark from libro_venta l`,
  );
  return rows[0]!.mark;
}

async function reckon(client: Client): Promise<void> {
  const { rows } = await client.query<{ id: string }>('select id from orden order by id');
  for (let at = 0; at < rows.length; at += LOTE) {
    const ids = rows.slice(at, at + LOTE).map(({ id }) => id);
    await client.query('select libro_of($1::uuid[])', [ids]);
    await client.query('select libro_asentar($1::uuid[])', [ids]);
  }
}
