import { json, type SandboxRequest, type SandboxResponse } from '../service';
import { refuse } from './answers';
import type { Change } from './ledger';
import { shipmentId, type Sale } from './sale';

/** Packages with a carrier of the seller's own. The seller tells of ME1 by notifications, and of a table of prices by changing the shipment. */
const ME1_SERVICE = 231876;
const NONE = [null, 'null'];
const SUBSTATUS: Record<string, readonly unknown[]> = {
  shipped: [...NONE, 'out_for_delivery', 'receiver_absent', 'dangerous_area', 'bad_address', 'unauthorized_receiver'],
  not_delivered: ['returning_to_sender'],
  delivered: NONE,
};
const FINAL = ['delivered', 'not_delivered', 'cancelled'];

type Tell = Extract<Change, { kind: 'tell' }>;
const bad = (message: string) => refuse(400, 'bad_request', message);

/** Returns the answer, and the change to remember when the answer is yes. */
export function tellShipment(
  request: SandboxRequest,
  sale: Sale,
  what: string | undefined,
  at: number,
): { answer: SandboxResponse; change?: Tell } {
  const given = request.data();
  const body = (typeof given === 'object' && given !== null ? given : {}) as Record<string, unknown>;
  const me1 = request.method === 'POST' && what === 'seller_notifications';
  if (!me1 && !(request.method === 'PUT' && what === undefined))
    return { answer: refuse(405, 'method_not_allowed', 'Method not allowed') };
  const { delivery, closedAt } = sale;
  if (delivery.mode !== (me1 ? 'me1' : 'custom'))
    return { answer: bad(`The shipment mode ${delivery.mode} does not allow this operation`) };
  if (closedAt === null) return { answer: bad('The shipment is not paid') };
  const problem = me1 ? problemOfNotice(body) : problemOfUpdate(body, sale);
  if (problem) return { answer: bad(problem) };
  const status = String(body.status);
  const last = sale.history.at(-1)?.status ?? 'pending';
  if (FINAL.includes(last)) return { answer: bad(`The shipment cannot change from ${last} to ${status}`) };
  const substatus =
    NONE.includes(body.substatus as null) || body.substatus === undefined ? null : (body.substatus as string);
  const number = typeof body.tracking_number === 'string' ? body.tracking_number : null;
  const change: Tell = {
    kind: 'tell',
    orderId: sale.orders[0]!.id,
    status,
    substatus,
    number,
    url: typeof body.tracking_url === 'string' ? body.tracking_url : null,
    at,
  };
  return {
    answer: json(me1 ? 201 : 200, { id: shipmentId(sale.seq), status, substatus, tracking_number: number }),
    change,
  };
}

function problemOfNotice({
  payload,
  status,
  substatus,
  tracking_number: number,
  tracking_url: url,
}: Record<string, unknown>): string | undefined {
  const { service_id: service, date } = (payload ?? {}) as Record<string, unknown>;
  if (substatus === undefined) return 'substatus is required';
  if (!SUBSTATUS[String(status)]?.includes(substatus))
    return `Invalid status ${String(status)} with substatus ${String(substatus)}`;
  if ((number === undefined) !== (url === undefined)) return 'tracking_number and tracking_url are required together';
  if (number !== undefined && service !== ME1_SERVICE) return 'service_id is required';
  if (url !== undefined && !URL.canParse(String(url))) return 'tracking_url is invalid';
  return typeof date === 'string' && !Number.isNaN(Date.parse(date)) ? undefined : 'date is invalid';
}

function problemOfUpdate({ status, receiver_id: receiver }: Record<string, unknown>, sale: Sale): string | undefined {
  if (receiver === undefined) return 'receiver_id is required';
  if (receiver !== sale.buyer.id) return 'receiver_id is invalid';
  return status === 'shipped' || status === 'delivered' ? undefined : `Invalid status ${String(status)}`;
}
