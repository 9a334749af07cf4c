/**
 * Notifications v1: destinations with a token of the application alone, subscriptions with the seller's. Only what goes to EventBridge: there is no AWS here, so a control says that somebody
 * associated the bus.
 */
import { randomUUID } from 'node:crypto';
import type { Interruptores } from '../proveedores/taller';
import { json, type SandboxRequest, type SandboxResponse } from '../service';
import { APP_ID } from './constants';
import type { Operation } from './rates';
import type { SWITCHES } from './switches';

const PLACE = '/notifications/v1/';
const EVENT_BRIDGE = new Set([
  'BRANDED_ITEM_CONTENT_CHANGE',
  'ITEM_PRODUCT_TYPE_CHANGE',
  'LISTINGS_ITEM_STATUS_CHANGE',
  'LISTINGS_ITEM_ISSUES_CHANGE',
  'LISTINGS_ITEM_MFN_QUANTITY_CHANGE',
  'PRODUCT_TYPE_DEFINITIONS_CHANGE',
]);
/** Of the others it is 1.0. */
const VERSIONS: Record<string, string> = { LISTINGS_ITEM_ISSUES_CHANGE: '2023-12-13' };

type Destination = { id: string; name: string; region: string; accountId: string };
type Subscription = { id: string; type: string; payloadVersion: string; destinationId: string };
export type NotificationsState = { destinations: Destination[]; subscriptions: Subscription[] };
export const emptyNotifications = (): NotificationsState => ({ destinations: [], subscriptions: [] });

type Options = { interruptores: Interruptores<typeof SWITCHES>; changed(): void };

const no = (status: number, code: string, message: string) =>
  json(status, { errors: [{ code, message, details: '' }] });

export class Notifications {
  state = emptyNotifications();
  constructor(readonly options: Options) {}

  /** Undefined: none of its addresses. `grantless`: it wants a token of the application alone. */
  route(request: SandboxRequest): [Operation, () => SandboxResponse, grantless: boolean] | undefined {
    const { method, path } = request;
    if (!path.startsWith(PLACE)) return undefined;
    const [what, type, ...more] = path.slice(PLACE.length).split('/');
    if (more.length > 0) return undefined;
    const allowed = (work: () => SandboxResponse) => () =>
      this.options.interruptores.is('notificaciones', '403')
        ? no(403, 'Unauthorized', 'Access to requested resource is denied.')
        : work();
    if (what === 'destinations' && type === undefined) {
      if (method === 'GET')
        return ['notifications', allowed(() => json(200, { payload: this.state.destinations.map(this.#told) })), true];
      if (method === 'POST') return ['notifications', allowed(() => this.#create(request)), true];
    }
    if (what !== 'subscriptions' || !type) return undefined;
    if (method === 'GET') return ['notifications', allowed(() => this.#one(type, request)), false];
    return method === 'POST' ? ['notifications', allowed(() => this.#subscribe(type, request)), false] : undefined;
  }

  readonly #told = ({ id, name, region, accountId }: Destination) => ({
    name,
    destinationId: id,
    resource: {
      ...(this.options.interruptores.is('hermanoNulo', 'si') && { sqs: null }),
      eventBridge: {
        name: `aws.partner/sellingpartnerapi.amazon.com/${accountId}/${APP_ID}`,
        region,
        accountId,
      },
    },
  });

  #create(request: SandboxRequest): SandboxResponse {
    const asked = (request.data() ?? {}) as {
      name?: string;
      resourceSpecification?: { eventBridge?: { region?: string; accountId?: string }; sqs?: unknown };
    };
    const { eventBridge, sqs } = asked.resourceSpecification ?? {};
    if (eventBridge && sqs)
      return no(400, 'InvalidInput', 'A destination cannot be created with multiple resource types');
    if (!asked.name || !eventBridge?.region || !eventBridge.accountId)
      return no(400, 'InvalidInput', 'Request is missing or has invalid parameters.');
    const { region, accountId } = eventBridge;
    if (this.state.destinations.some((one) => one.accountId === accountId))
      return no(409, 'Conflict', 'The resource specified conflicts with the current state.');
    const made = { id: randomUUID(), name: asked.name, region, accountId };
    this.state.destinations.push(made);
    this.options.changed();
    return json(200, { payload: this.#told(made) });
  }

  #one(type: string, request: SandboxRequest): SandboxResponse {
    const version = request.url.searchParams.get('payloadVersion');
    const found = this.state.subscriptions.find(
      (one) => one.type === type && (version === null || one.payloadVersion === version),
    );
    return found ? json(200, { payload: subscriptionDoc(found) }) : no(404, 'NotFound', 'The resource is not found.');
  }

  #subscribe(type: string, request: SandboxRequest): SandboxResponse {
    const { payloadVersion, destinationId } = (request.data() ?? {}) as Record<string, string>;
    if (
      !EVENT_BRIDGE.has(type) ||
      payloadVersion !== (VERSIONS[type] ?? '1.0') ||
      !this.state.destinations.some(({ id }) => id === destinationId)
    )
      return no(400, 'InvalidInput', 'Request is missing or has invalid parameters.');
    if (this.state.subscriptions.some((one) => one.type === type))
      return no(409, 'StateConflict', 'A subscription already exists.');
    const made = { id: randomUUID(), type, payloadVersion, destinationId: destinationId! };
    this.state.subscriptions.push(made);
    this.options.changed();
    return json(200, { payload: subscriptionDoc(made) });
  }
}

const subscriptionDoc = ({ id, payloadVersion, destinationId }: Subscription) => ({
  subscriptionId: id,
  payloadVersion,
  destinationId,
});
