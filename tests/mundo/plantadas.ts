/**
 * Faults that are planted one by one in a lived shop, to judge who judges: each must be found by its property. The ledger and what is owed are reckoned by functions of
 * the database, so a fault is another text of one of them; what deposits are made of is reckoned beside it, so a fault is what wrong reckoning leaves in their rows.
 * Nothing of the product knows of it.
 */
import type { Client } from 'pg';
import type { Difference, Propiedad } from './auditar';

export interface Plantada {
  id: string;
  /** What the fault does. */
  dice: string;
  funcion: 'libro_debe' | 'libro_asentar' | 'libro_of' | 'paga_facturas';
  /** Texts of the function, and what stands there instead. */
  cambia: readonly (readonly [de: string, a: string])[];
  propiedad: Propiedad;
}

/** A fault that leaves another value in a column of some rows. */
export interface EnFilas extends Pick<Plantada, 'id' | 'dice' | 'propiedad'> {
  tabla: 'deposito' | 'movimiento';
  columna: string;
  vale: string;
  donde: string;
}

/** What a buyer paid, as the ledger reckons it. */
const COBRADO = 'coalesce(c.r_cobrado + coalesce(o.cupon, 0), p.pagado) as cobrado';

export const PLANTADAS: readonly Plantada[] = [
  {
    id: 'comisionCero',
    dice: 'a fee that the marketplace told counts 0',
    funcion: 'libro_debe',
    cambia: [
      [
        'coalesce(-c.r_comision, o.comision, round(p.pagado * oc.comision / oc.cobrado, 2), round(p.pagado * tasa.comision, 2)) end as comision',
        '0 end as comision',
      ],
    ],
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
      ['filter (where not cierto and importe is not null)', 'filter (where false)'],
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
    cambia: [[COBRADO, COBRADO.replace('p.pagado) as cobrado', 'o.pagado_abs) + o.pagado_abs - o.pagado as cobrado')]],
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

/** What a part payment pays, as it is reckoned. */
const PAGADA = 'greatest(0, least(p.monto - p.acreditada, coalesce(d.dado, 0) - (';

export const PLANTADAS_EN_DEUDAS: readonly Plantada[] = [
  {
    id: 'pagadaEntera',
    dice: 'a payment of a part counts as the whole invoice',
    funcion: 'paga_facturas',
    cambia: [[PAGADA, PAGADA.replace('coalesce(d.dado, 0)', 'case when d.dado > 0 then 2 * p.monto else 0 end')]],
    propiedad: 'deuda.esta',
  },
];

export const PLANTADAS_EN_FILAS: readonly EnFilas[] = [
  {
    id: 'depositoAjeno',
    dice: 'the movements of a deposit count a peso that its report does not tell',
    propiedad: 'deposito.esta',
    tabla: 'deposito',
    columna: 'suma',
    vale: 'suma + 1',
    donde: 'movimientos > 0',
  },
  {
    id: 'ventaSinReconocer',
    dice: 'what a sale was paid in a deposit is of no sale',
    propiedad: 'deposito.ventas',
    tabla: 'movimiento',
    columna: 'orden_id',
    vale: 'null',
    donde: "deposito_id is not null and orden_id is not null and concepto = 'venta'",
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

/** What became of planted faults, by their ids: `missed` changed the shop and nobody found it, `untried` had nothing to change. */
export interface Juicio {
  missed: string[];
  untried: string[];
}

/** Something that a fault changes: `plant` tells whether it changed anything, and `take` puts the shop in order. */
interface Puesta extends Pick<Plantada, 'id' | 'dice' | 'propiedad'> {
  plant(): Promise<boolean>;
  take(): Promise<void>;
}

/** Plants each fault in the database of a shop, one after the other, and audits. A fault that changes nothing judges nobody. The shop is in order afterwards. */
export async function judge(
  client: Client,
  auditNow: () => Promise<Difference[]>,
  say: (line: string) => void,
): Promise<Juicio> {
  const juicio: Juicio = { missed: [], untried: [] };
  const puestas = [
    ...PLANTADAS.map((una) => inFunction(client, una, ledgerOf, reckon)),
    ...PLANTADAS_EN_DEUDAS.map((una) => inFunction(client, una, deudasOf, reckonDeudas)),
    ...PLANTADAS_EN_FILAS.map((una) => inRows(client, una)),
  ];
  for (const { id, dice, propiedad, plant, take } of puestas) {
    if (await plant()) {
      const found = (await auditNow()).filter((one) => one.propiedad === propiedad);
      if (found.length === 0) juicio.missed.push(id);
      say(`${id} (${dice}): ${found.length === 0 ? 'MISSED' : `found ${found.length} times`}`);
    } else {
      juicio.untried.push(id);
      say(`${id} (${dice}): nothing to plant it in`);
    }
    await take();
  }
  return juicio;
}

/** A fault in the text of a function, after which everything is reckoned again. */
function inFunction(
  client: Client,
  plantada: Plantada,
  markOf: (client: Client) => Promise<string>,
  reckonAgain: (client: Client) => Promise<void>,
): Puesta {
  let text = '';
  return {
    ...plantada,
    async plant() {
      const { rows } = await client.query<{ text: string }>(
        `select pg_get_functiondef(oid) as text from pg_catalog.pg_proc where proname = $1 and pronamespace = 'public'::regnamespace`,
        [plantada.funcion],
      );
      text = rows[0]!.text;
      const before = await markOf(client);
      await client.query(plantedText(text, plantada));
      await reckonAgain(client);
      return (await markOf(client)) !== before;
    },
    async take() {
      await client.query(text);
      await reckonAgain(client);
    },
  };
}

/** A fault in rows, whose values are kept meanwhile. */
function inRows(client: Client, plantada: EnFilas): Puesta {
  const { tabla, columna, vale, donde } = plantada;
  return {
    ...plantada,
    async plant() {
      await client.query(`create temporary table plantadas as select id, ${columna} from ${tabla} where ${donde}`);
      const { rowCount } = await client.query(
        `update ${tabla} set ${columna} = ${vale} where id in (select id from plantadas)`,
      );
      return (rowCount ?? 0) > 0;
    },
    async take() {
      await client.query(`update ${tabla} t set ${columna} = p.${columna} from plantadas p where p.id = t.id`);
      await client.query('drop table plantadas');
    },
  };
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

/** Returns a mark of what is paid of each invoice of suppliers. */
async function deudasOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ mark: string | null }>(
    `select md5(string_agg(id::text || pagada::text, '' order by id)) as mark from proveedor_factura`,
  );
  return rows[0]!.mark ?? '';
}

async function reckonDeudas(client: Client): Promise<void> {
  await client.query(`select paga_facturas(array(select distinct orden_id from proveedor_factura), '{}')`);
}
