import { type Kysely, sql } from 'kysely';

const WORDS = [
  'enPreparacion',
  'cobroPendiente',
  'autorizandoPago',
  'cancelado',
  'enviado',
  'entregado',
  'not_delivered',
  'enDevolucion',
  'devuelto',
  'cobroRequerido',
  'demorado',
  'reclamo',
  'enviadoPartes',
  'facturaPendiente',
  'pagado',
  'enCamino',
  'enSucursal',
];
const OWN = ['enCamino', 'enSucursal', 'entregado', 'enDevolucion', 'devuelto'];
const LEFT = [
  'picked_up',
  'authorized_by_carrier',
  'in_hub',
  'dropped_off',
  'in_transit',
  'rejected_in_hub',
  'waiting_for_last_mile_authorization',
];
const BACK = ['returned', 'returned_to_warehouse', 'returned_to_hub', 'returned_to_agency', 'recovered'];
const COMING_BACK = [
  'returning_to_sender',
  'returning_to_warehouse',
  'returning_to_hub',
  'soon_to_be_returned',
  'picked_up_for_return',
  'refused_delivery',
  'waiting_for_withdrawal',
];

const list = (words: readonly string[]) => sql.join(words.map((word) => sql.lit(word)));

/** A word that is none of ours gives way to the one that the sale and its shipment lead to, as the next reading of the sale would say. */
export async function up(db: Kysely<unknown>) {
  await sql`update orden set estatus = case
      when o.situacion = 'cancelada' or o.clase = 'cancelada' then 'cancelado'
      when o.situacion in ('autorizandoPago', 'cobroPendiente') then o.situacion
      when e.estatus in (${list(OWN)}) then e.estatus
      when e.estatus = 'delivered' then 'entregado'
      when e.estatus = 'shipped' or (e.estatus = 'ready_to_ship' and e.subestatus in (${list(LEFT)})) then 'enviado'
      when e.estatus = 'not_delivered' and e.subestatus in (${list(BACK)}) then 'devuelto'
      when e.estatus = 'not_delivered' and e.subestatus in (${list(COMING_BACK)}) then 'enDevolucion'
      when e.estatus = 'not_delivered' then 'not_delivered'
      else 'enPreparacion' end
    from orden o left join envio e on e.id = o.envio_id
    where orden.id = o.id and o.estatus not in (${list(WORDS)})`.execute(db);
  await sql`alter table orden add constraint orden_estatus_check check (estatus in (${list(WORDS)}))`.execute(db);
}
