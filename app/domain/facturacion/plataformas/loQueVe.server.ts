import { sql } from 'kysely';
import { MARKETS, MARKET_LABEL, type Market } from '~/core/market';
import { Money } from '~/core/money';
import { nombreOfMes } from '~/core/time';
import { RETENIDO_DE_VENTA } from '~/domain/ventas/libro/retenido.server';
import type { Mes } from '~/domain/facturacion/mes/mes';
import { netoOf, ofMes } from '~/domain/facturacion/mes/mes.server';
import type { ExcelColumn } from '~/platform/lists/list.server';
import { createSheet } from '~/platform/lists/xlsx.server';
import type { Db } from '~db/client.server';
import { compararMes, type Concepto, type LoNuestro, type LoQueVe, type MercadoDelMes, type PasoKey } from './loQueVe';
import { SUSTITUIDA } from './retenciones.server';

/** Returns, for each marketplace, what its CFDI tell the SAT of a month beside what our ledgers tell of the sales of that month. */
export async function readLoQueVe(db: Db, mes: Mes): Promise<MercadoDelMes[]> {
  const [suyos, nuestros] = await Promise.all([readSuyo(db, mes), readNuestro(db, mes)]);
  return MARKETS.map((market) => compararMes(market, suyos.get(market) ?? null, nuestros.get(market) ?? null));
}

async function readSuyo(db: Db, mes: Mes): Promise<Map<Market, LoQueVe>> {
  const { rows } = await sql<LoQueVe & { market: Market }>`
    select market, count(*)::int as documentos, sum(sin_iva) as sin_iva, sum(iva) as iva, sum(isr_retenido) as isr_retenido,
      sum(iva_retenido) as iva_retenido, sum(retenido) as retenido, sum(uso_plataforma) as uso_plataforma, sum(otro_mes) as otro_mes
    from retencion_cfdi where mes = ${mes} and not ${SUSTITUIDA}
    group by market`.execute(db);
  return new Map(rows.map(({ market, ...suyo }) => [market, suyo]));
}

/**
 * Sales that Mercado Libre itself invoices are its own, so nothing is withheld of us there. The amount without IVA is rounded once, for the month.
 */
async function readNuestro(db: Db, mes: Mes): Promise<Map<Market, LoNuestro>> {
  const { rows } = await sql<LoNuestro & { market: Market }>`
    with venta as (
      select orden.market, libro_venta.pagado, libro_venta.cobrado, libro_venta.acreditado, libro_venta.documentos, libro_venta.diferencia,
        libro_venta.pagado = 0 and libro_venta.cobrado = 0 as fuera, ${netoOf(sql<Money>`libro_venta.pagado`)} as neto,
        libro_venta.estima && '{retencion}' or libro_venta.falta && '{retencion,calculo}' as estimada, r.*
      from orden join libro_venta on libro_venta.orden_id = orden.id
        cross join lateral ${RETENIDO_DE_VENTA} r
      where ${ofMes(mes)} and not (orden.meli_resale and libro_venta.documentos = 0)
    )
    select market, (count(*) filter (where not fuera))::int as ventas, (count(*) filter (where fuera))::int as sin_nada, sum(pagado) as pagado, round(sum(neto), 2) as sin_iva,
      sum(cobrado) as cobrado, sum(acreditado) as acreditado, sum(retenido) as retenido,
      (count(*) filter (where estimada))::int as estimadas, (count(*) filter (where iva is null))::int as sin_impuesto,
      case when count(*) = count(iva) then sum(iva) end as iva_retenido, case when count(*) = count(isr) then sum(isr) end as isr_retenido,
      sum(devuelto) as devuelto, coalesce(sum(pagado) filter (where documentos = 0), 0) as sin_documento,
      coalesce(sum(-diferencia) filter (where documentos > 0 and diferencia < 0), 0) as facturado_de_menos,
      coalesce(sum(diferencia) filter (where documentos > 0 and diferencia > 0), 0) as facturado_de_mas
    from venta group by market`.execute(db);
  return new Map(rows.map(({ market, ...nuestro }) => [market, nuestro]));
}

type Fila = MercadoDelMes & { mes: Mes };

const dinero = (header: string, valor: (fila: Fila) => Money | null): ExcelColumn<Fila> => ({
  header,
  tipo: 'pesos',
  ancho: 18,
  valor,
});
const comparado = (header: string, concepto: Concepto, lado: 'suyo' | 'nuestro' | 'diferencia') =>
  dinero(header, ({ comparados }) => comparados.find((one) => one.concepto === concepto)![lado]);
const paso = (header: string, key: PasoKey) =>
  dinero(header, ({ pasos }) =>
    pasos.length === 0 ? null : (pasos.find((one) => one.paso === key)?.importe ?? Money.zero),
  );

const COLUMNAS: ExcelColumn<Fila>[] = [
  { header: 'Mes', tipo: 'texto', ancho: 20, valor: ({ mes }) => nombreOfMes(mes) },
  { header: 'Mercado', tipo: 'texto', ancho: 16, valor: ({ market }) => MARKET_LABEL[market] },
  { header: 'CFDI', tipo: 'numero', ancho: 8, valor: ({ suyo }) => suyo?.documentos ?? null },
  comparado('SAT: operaciones sin IVA', 'sinIva', 'suyo'),
  comparado('Nuestras sin IVA', 'sinIva', 'nuestro'),
  comparado('Diferencia', 'sinIva', 'diferencia'),
  comparado('SAT: IVA', 'iva', 'suyo'),
  comparado('Nuestro IVA', 'iva', 'nuestro'),
  comparado('SAT: ISR retenido', 'isrRetenido', 'suyo'),
  comparado('Nuestro ISR retenido', 'isrRetenido', 'nuestro'),
  comparado('SAT: IVA retenido', 'ivaRetenido', 'suyo'),
  comparado('Nuestro IVA retenido', 'ivaRetenido', 'nuestro'),
  comparado('SAT: total retenido', 'retenido', 'suyo'),
  comparado('Nuestro total retenido', 'retenido', 'nuestro'),
  comparado('Diferencia retenida', 'retenido', 'diferencia'),
  { header: 'Ventas con retención estimada', tipo: 'numero', valor: ({ nuestro }) => nuestro?.estimadas ?? null },
  dinero('SAT: uso de la plataforma', ({ suyo }) => suyo?.usoPlataforma ?? null),
  paso('El SAT ve, con IVA', 've'),
  paso('Con fecha de otro mes', 'otroMes'),
  paso('Cancelado o devuelto', 'devuelto'),
  paso('Sin explicar', 'sinExplicar'),
  dinero('Se quedó pagado', ({ nuestro }) => nuestro?.pagado ?? null),
  dinero('Sin documento', ({ nuestro }) => nuestro?.sinDocumento ?? null),
  dinero('Facturado, menos notas', ({ nuestro }) => nuestro && nuestro.cobrado.minus(nuestro.acreditado)),
];

/** Writes a year as Excel: a row for each month and marketplace that has a CFDI or a sale. */
export async function writeLoQueVe(db: Db, anio: string): Promise<Buffer> {
  const sheet = await createSheet<Fila>({ hoja: `Lo que el SAT ve ${anio}`, columnas: COLUMNAS });
  for (let n = 1; n <= 12; n++) {
    const mes = `${anio}-${String(n).padStart(2, '0')}`;
    for (const mercado of await readLoQueVe(db, mes))
      if (mercado.suyo || mercado.nuestro) await sheet.write({ ...mercado, mes });
  }
  return sheet.finish();
}
