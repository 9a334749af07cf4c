import { sql } from 'kysely';
import { writeCount } from '~/core/count';
import { enLinea } from '~/core/hechos';
import { enPesos } from '~/core/importe';
import { addDays, dayRange } from '~/core/time';
import type { Cola } from '~/platform/hoy/cola';
import { countCosas, countInSql } from '~/platform/hoy/countCosas.server';
import { DIA, HORA } from '~/platform/hoy/reloj';
import { listNotas } from '~/domain/compras/facturas/notas.server';
import { readComplementos } from '../complementos.server';
import { deudasPorProveedor } from '../porPagar.server';

/** Time since the supplier invoiced. Suppliers give some days of credit: a reminder after a week, late after a month. */
const PLAZOS = { aviso: 7 * 24 * HORA, mal: 30 * 24 * HORA };

/** Pedidos that a supplier invoiced more than a week ago and that nobody paid. */
export const pedidosSinPago: Cola = {
  clave: 'pedidosSinPago',
  titulo: 'Pedidos sin pago',
  icono: 'archivos',
  pantallas: ['cotizaciones'],
  ver: 'Ver las cotizaciones',
  cuenta: ['pedido', 'pedidos'],
  plazos: PLAZOS,
  necesita: 'productos',
  mira: (db, mirada) =>
    countInSql(
      db,
      sql`
        select p.id::text as id,
          v.label || ' facturó ' || coalesce(p.factura_folio, p.folio_proveedor, p.folio) || ' y no tiene pago' as titulo,
          'Venta ' || p.num_orden as detalle,
          'cotizaciones?ver=' || (
            select l.orden_id from pedido_linea l where l.pedido_id = p.id order by l.posicion limit 1) as a,
          p.factura_en as desde, null::timestamptz as vence
        from pedido p join proveedor v on v.value = p.proveedor
        where p.estado in ('facturado', 'guiaEnviada', 'enviado')
          and p.factura_en <= ${mirada.ahora}::timestamptz - ${PLAZOS.aviso} * interval '1 ms'
          and not exists (
            select from pedido_linea l join pago_orden po on po.orden_id = l.orden_id where l.pedido_id = p.id)`,
      PLAZOS,
      mirada,
    ),
};

/** A thing here has a last day of its own, and is told three days before it. */
const HASTA_SU_DIA = { aviso: 0, mal: 0, queda: DIA };

/** Suppliers whose invoices fall due: one thing each, since one transfer pays them. */
export const facturasPorVencer: Cola = {
  clave: 'facturasPorVencer',
  titulo: 'Facturas de proveedor por vencer',
  icono: 'archivos',
  pantallas: ['pagosProveedores'],
  ver: 'Ver lo que se debe',
  cuenta: ['proveedor', 'proveedores'],
  vistas: { pagosProveedores: '?tabla=porPagar&vista=urgentes&cuales=urgentes' },
  plazos: HASTA_SU_DIA,
  // What falls due changes by the day.
  frescoMs: 30_000,
  async mira(db, mirada) {
    const cuentas = (await deudasPorProveedor(db)).filter(({ urgentes }) => urgentes > 0);
    return countCosas(
      cuentas.map(({ proveedor, label, urgentes, urgente, vencidas, vence }) => ({
        // Another first day is another wait: what was put aside comes back.
        id: `${proveedor}:${vence}`,
        titulo: `${label}: ${urgentes === 1 ? '1 factura' : `${writeCount(urgentes)} facturas`}`,
        detalle: enLinea(
          enPesos(urgente.toFixed(2)),
          vencidas > 0 && `${writeCount(vencidas)} ${vencidas === 1 ? 'vencida' : 'vencidas'}`,
        ),
        a: `pagosProveedores?tabla=porPagar&proveedor=${proveedor}&cuales=urgentes`,
        desde: dayRange(addDays(vence!, -3)).from,
        vence: dayRange(vence!).to,
      })),
      HASTA_SU_DIA,
      mirada,
    );
  },
};

/** Suppliers' credit notes that nobody related or used, and complements that did not come or say something else than we do. */
export const documentosDeProveedores: Cola = {
  clave: 'documentosDeProveedores',
  titulo: 'Notas y complementos de proveedores',
  icono: 'recibo',
  pantallas: ['estadoDeCuenta'],
  ver: 'Ver el estado de cuenta',
  plazos: PLAZOS,
  // What is compared here moves with an upload or a payment, and a legal day passes once a month.
  frescoMs: 60_000,
  async mira(db, mirada) {
    const [notas, complementos] = await Promise.all([listNotas(db), readComplementos(db, { ahora: mirada.ahora })]);
    const cosas = [
      ...notas.map(({ id, folio, label, emisorNombre, fecha, porRelacionar, aFavor }) => ({
        id: porRelacionar.isZero() ? `nota:${id}:aFavor` : `nota:${id}`,
        titulo: `${label ?? emisorNombre}: nota ${folio}`,
        detalle: porRelacionar.isZero()
          ? `${enPesos(aFavor.toFixed(2))} a favor nuestro`
          : `Falta decir de qué factura son ${enPesos(porRelacionar.toFixed(2))}`,
        a: `estadoDeCuenta?nota=${id}`,
        desde: dayRange(fecha).from,
        vence: null,
      })),
      ...complementos.map(({ motivo, porQue, remedio, proveedor, label, uuid, folio, desde }) => ({
        id: `${motivo}:${uuid}`,
        titulo: `${label}: ${folio}`,
        detalle: enLinea(porQue, remedio),
        a: proveedor === null ? 'estadoDeCuenta' : `estadoDeCuenta?proveedor=${proveedor}`,
        desde: dayRange(desde).from,
        vence: null,
      })),
    ];
    return countCosas(cosas, PLAZOS, mirada);
  },
};
