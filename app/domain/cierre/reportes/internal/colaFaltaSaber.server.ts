import { sql } from 'kysely';
import { writeCount } from '~/core/count';
import { addDays, civilDay, dayRange } from '~/core/time';
import { DIAS_ACTIVAS } from '~/domain/ventas/ordenes/activas';
import type { Cola } from '~/platform/hoy/cola';
import { countCosas } from '~/platform/hoy/countCosas.server';
import { DIA } from '~/platform/hoy/reloj';
import { SIN_PROVEEDOR } from '../sinProveedor';
import { FALTA_SABER } from '../utilidadLists.server';

/** A chore: nothing is lost but the knowledge of what was earned. */
const PLAZOS = { aviso: 20 * DIA, mal: 60 * DIA };

/** The queue of sales whose profit should be known by now, one thing for each supplier: its invoice is missing, or what the marketplace charged. */
export const faltaSaber: Cola = {
  clave: 'faltaSaber',
  titulo: 'Ventas sin utilidad conocida',
  icono: 'cartera',
  pantallas: ['llenarReporte'],
  ver: 'Abrir Llenar reporte',
  cuenta: ['proveedor', 'proveedores'],
  vistas: { llenarReporte: '?vista=faltaSaber&cuales=faltaSaber&rango=ultimos91' },
  plazos: PLAZOS,
  necesita: 'ventas',
  // What is told or missing changes by the day.
  frescoMs: 60_000,
  async mira(db, mirada) {
    const { rows } = await sql<{
      proveedor: string;
      label: string;
      ventas: number;
      desde: Date;
      sinCosto: number;
    }>`
      select coalesce(p.value, ${SIN_PROVEEDOR.value}) as proveedor, coalesce(min(p.label), ${SIN_PROVEEDOR.label}) as label, count(*)::int as ventas, min(libro_venta.fecha) as desde,
        count(*) filter (where libro_venta.queda is null or libro_venta.estima && '{costo,catalogo}')::int as sin_costo
      from libro_venta join orden on orden.id = libro_venta.orden_id left join proveedor p on p.value = lower(orden.proveedor)
      where ${FALTA_SABER}
        and libro_venta.fecha >= ${dayRange(addDays(civilDay(mirada.ahora), -DIAS_ACTIVAS)).from}
      group by 1`.execute(db);
    return countCosas(
      rows.map(({ proveedor, label, ventas, desde, sinCosto }) => ({
        id: proveedor,
        titulo: `${label}: ${ventas === 1 ? '1 venta' : `${writeCount(ventas)} ventas`}`,
        detalle:
          sinCosto === 0
            ? 'Falta lo que cobra el mercado, o lo que costó el envío'
            : `${writeCount(sinCosto)} sin ${proveedor === SIN_PROVEEDOR.value ? 'costo: escríbelo en su producto' : 'factura de proveedor'}`,
        a: `llenarReporte?vista=faltaSaber&cuales=faltaSaber&rango=ultimos91&proveedor=${encodeURIComponent(proveedor)}`,
        desde,
        vence: null,
      })),
      PLAZOS,
      mirada,
    );
  },
};
