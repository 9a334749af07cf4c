/** `GET /shipment_statuses`: statuses of shipments, with their substatuses. */
const CATALOG: Record<string, string[]> = {
  pending: ['waiting_for_payment', 'manufacturing', 'buffered', 'creating_route'],
  handling: ['waiting_for_label_generation', 'regenerating', 'invoice_pending', 'manufacturing'],
  ready_to_ship: [
    'ready_to_print',
    'printed',
    'picked_up',
    'in_hub',
    'in_warehouse',
    'ready_for_pickup',
    'dropped_off',
    'stale',
    'authorized_by_carrier',
  ],
  shipped: [
    'out_for_delivery',
    'receiver_absent',
    'delayed',
    'waiting_for_withdrawal',
    'soon_deliver',
    'bad_address',
    'delivery_failed',
  ],
  delivered: ['damaged', 'fulfilled_feedback', 'inferred'],
  not_delivered: [
    'returning_to_sender',
    'returned',
    'receiver_absent',
    'lost',
    'stolen',
    'refused_delivery',
    'destroyed',
  ],
  not_verified: [],
  cancelled: [
    'cancelled_manually',
    'closed_by_user',
    'pack_splitted',
    'shipped_outside_me',
    'label_expired',
    'fraudulent',
  ],
  closed: [],
  error: [],
  active: [],
  not_specified: [],
  stale_ready_to_ship: [],
  stale_shipped: [],
};
const words = (id: string) => id.charAt(0).toUpperCase() + id.slice(1).replace(/_/g, ' ');

export const SHIPMENT_STATUSES = Object.entries(CATALOG).map(([id, substatuses]) => ({
  id,
  name: words(id),
  substatuses: substatuses.map((sub) => ({ id: sub, name: words(sub) })),
}));
