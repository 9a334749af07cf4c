/**
 * Notifications v1: destinations with a token of the application alone, and subscriptions with the seller's token. Only EventBridge is played.
 * There is no AWS here, so nothing is delivered; the control route GET /notificaciones tells what was registered.
 */
import { randomUUID } from 'node:crypto';
import { bodyOf, json, type SandboxRequest, type SandboxResponse } from '../service';
import { denied, no, type Operations, type World } from './answers';
import { APP_ID } from './constants';

const PLACE = '/notifications/v1';
const EVENT_BRIDGE = new Set([
  'BRANDED_ITEM_CONTENT_CHANGE',
  'ITEM_PRODUCT_TYPE_CHANGE',
  'LISTINGS_ITEM_STATUS_CHANGE',
  'LISTINGS_ITEM_ISSUES_CHANGE',
  'LISTINGS_ITEM_MFN_QUANTITY_CHANGE',
  'PRODUCT_TYPE_DEFINITIONS_CHANGE',
]);
/** Versions of payloads. An event that is not listed has 1.0. */
const VERSIONS: Record<string, string> = { LISTINGS_ITEM_ISSUES_CHANGE: '2023-12-13' };

type Destination = { id: string; name: string; region: string; accountId: string; sqs?: string };
/** Goes to a queue alone, and asks for a filter. */
const TO_QUEUE = 'ORDER_CHANGE';
type Subscription = { id: string; type: string; payloadVersion: string; destinationId: string };
export type NotificationsState = { destinations: Destination[]; subscriptions: Subscription[] };
export const emptyNotifications = (): NotificationsState => ({ destinations: [], subscriptions: [] });

export class Notifications {
  state = emptyNotifications();
  constructor(readonly options: Pick<World, 'interruptores' | 'changed'>) {}

  get operations(): Operations {
    const allowed = (work: (request: SandboxRequest) => SandboxResponse) => (request: SandboxRequest) =>
      this.options.interruptores.is('notificaciones', '403') ? denied() : work(request);
    const list = () => json(200, { payload: this.state.destinations.map(this.#told) });
    return {
      [`GET ${PLACE}/destinations`]: ['notifications', allowed(list), 'deAplicacion'],
      [`POST ${PLACE}/destinations`]: ['notifications', allowed((request) => this.#create(request)), 'deAplicacion'],
      [`GET ${PLACE}/subscriptions/:type`]: ['notifications', allowed((request) => this.#one(request))],
      [`POST ${PLACE}/subscriptions/:type`]: ['notifications', allowed((request) => this.#subscribe(request))],
    };
  }

  readonly #told = ({ id, name, region, accountId, sqs }: Destination) => ({
    name,
    destinationId: id,
    resource: sqs
      ? { sqs: { arn: sqs } }
      : {
          ...(this.options.interruptores.is('hermanoNulo', 'si') && { sqs: null }),
          eventBridge: {
            name: `aws.partner/sellingpartnerapi.amazon.com/${accountId}/${APP_ID}`,
            region,
            accountId,
          },
        },
  });

  #create(request: SandboxRequest): SandboxResponse {
    const asked = bodyOf(request) as {
      name?: string;
      resourceSpecification?: { eventBridge?: { region?: string; accountId?: string }; sqs?: { arn?: string } };
    };
    const { eventBridge, sqs } = asked.resourceSpecification ?? {};
    if (eventBridge && sqs)
      return no(400, 'InvalidInput', 'A destination cannot be created with multiple resource types');
    if (asked.name && sqs?.arn) {
      if (this.state.destinations.some((one) => one.sqs === sqs.arn))
        return no(409, 'Conflict', 'The resource specified conflicts with the current state.');
      const queue = { id: randomUUID(), name: asked.name, region: '', accountId: '', sqs: sqs.arn };
      this.state.destinations.push(queue);
      this.options.changed();
      return json(200, { payload: this.#told(queue) });
    }
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

  #one({ params: { type }, url }: SandboxRequest): SandboxResponse {
    const version = url.searchParams.get('payloadVersion');
    const found = this.state.subscriptions.find(
      (one) => one.type === type && (version === null || one.payloadVersion === version),
    );
    return found ? json(200, { payload: subscriptionDoc(found) }) : no(404, 'NotFound', 'The resource is not found.');
  }

  #subscribe(request: SandboxRequest): SandboxResponse {
    const type = request.params.type!;
    const { payloadVersion, destinationId, processingDirective } = bodyOf(request) as Record<string, string> & {
      processingDirective?: { eventFilter?: { eventFilterType?: string } };
    };
    const place = this.state.destinations.find(({ id }) => id === destinationId);
    const filtered = processingDirective?.eventFilter?.eventFilterType === TO_QUEUE;
    if (
      (type === TO_QUEUE ? !filtered || !place?.sqs : !EVENT_BRIDGE.has(type) || place?.sqs !== undefined) ||
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
