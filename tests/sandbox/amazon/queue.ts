/**
 * A queue of SQS at which Amazon leaves ORDER_CHANGE. Calls are signed; a message that was handed over hides for a while and comes again until it is deleted.
 * Messages come in no order, and some come twice.
 */
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { json, type SandboxRequest, type SandboxResponse } from '../service';
import { APP_ID, MARKETPLACE_ID, SELLER_ID } from './constants';

export const QUEUES = '/amazon-sqs';
/** The keys that the queue knows. */
export const AWS_KEY = 'AKIASANDBOX0000000001';
export const AWS_SECRET = 'sandbox-secret-aws';
export const QUEUE_PATH = '/111122223333/trastienda';
export const QUEUE_ARN = 'arn:aws:sqs:us-east-1:111122223333:trastienda';
const REGION = 'us-east-1';
const MOST = 10;

type Message = { id: string; body: string; hiddenUntil: number; receipts: string[] };

const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest();
const sha256 = (text: Buffer | string) => createHash('sha256').update(text).digest('hex');

export class Queue {
  messages: Message[] = [];
  #turns = 0;
  constructor(readonly now: () => number) {}

  /** Leaves a notice that a sale changed; `twice` leaves the very same one again. */
  push(orderId: string, { sellerId = SELLER_ID, twice = false } = {}) {
    const notice = {
      NotificationVersion: '1.0',
      NotificationType: 'ORDER_CHANGE',
      PayloadVersion: '1.0',
      EventTime: new Date(this.now()).toISOString(),
      Payload: {
        OrderChangeNotification: {
          NotificationLevel: 'OrderLevel',
          SellerId: sellerId,
          AmazonOrderId: orderId,
          OrderChangeType: 'OrderStatusChange',
          OrderChangeTrigger: { TimeOfOrderChange: new Date(this.now()).toISOString(), ChangeReason: null },
          Summary: { MarketplaceId: MARKETPLACE_ID, OrderStatus: 'Unshipped', FulfillmentType: 'MFN' },
        },
      },
      NotificationMetadata: {
        ApplicationId: APP_ID,
        SubscriptionId: randomUUID(),
        PublishTime: new Date(this.now()).toISOString(),
        NotificationId: randomUUID(),
      },
    };
    for (let copies = twice ? 2 : 1; copies > 0; copies--) this.pushBody(JSON.stringify(notice));
  }

  pushBody(body: string) {
    this.messages.push({ id: randomUUID(), body, hiddenUntil: 0, receipts: [] });
  }

  handle(request: SandboxRequest): SandboxResponse {
    const wrong = this.#unsigned(request);
    if (wrong) return wrong;
    const asked = (request.data() ?? {}) as Record<string, unknown>;
    if (String(asked.QueueUrl).endsWith(QUEUE_PATH) === false)
      return no(400, 'QueueDoesNotExist', 'The specified queue does not exist.');
    const target = String(request.headers['x-amz-target'] ?? '');
    if (target === 'AmazonSQS.ReceiveMessage') return this.#receive(asked);
    if (target === 'AmazonSQS.DeleteMessageBatch') return this.#remove(asked);
    return no(400, 'UnsupportedOperation', 'Unsupported operation.');
  }

  #receive({ MaxNumberOfMessages: most = 1, VisibilityTimeout: seconds = 30 }: Record<string, unknown>) {
    if (!(Number(most) >= 1 && Number(most) <= MOST))
      return no(400, 'InvalidParameterValue', 'MaxNumberOfMessages must be 1 to 10.');
    const seen = this.messages.filter(({ hiddenUntil }) => hiddenUntil <= this.now());
    // Now the oldest come first, and now the newest.
    if (this.#turns++ % 2) seen.reverse();
    const taken = seen.slice(0, Number(most));
    for (const one of taken) {
      one.hiddenUntil = this.now() + Number(seconds) * 1_000;
      one.receipts.push(randomUUID());
    }
    // An empty queue answers without the list.
    if (taken.length === 0) return json(200, {});
    return json(200, {
      Messages: taken.map(({ id, body, receipts }) => ({
        MessageId: id,
        ReceiptHandle: receipts.at(-1),
        MD5OfBody: createHash('md5').update(body).digest('hex'),
        Body: body,
      })),
    });
  }

  #remove({ Entries }: Record<string, unknown>) {
    const entries = (Entries ?? []) as { Id: string; ReceiptHandle: string }[];
    if (entries.length === 0) return no(400, 'EmptyBatchRequest', 'The batch request contains no entries.');
    if (entries.length > MOST) return no(400, 'TooManyEntriesInBatchRequest', 'Maximum number of entries is 10.');
    this.messages = this.messages.filter(
      ({ receipts }) => !entries.some((one) => receipts.includes(one.ReceiptHandle)),
    );
    return json(200, { Successful: entries.map(({ Id }) => ({ Id })), Failed: [] });
  }

  /** The refusal of a call whose signature is not ours. */
  #unsigned({ method, url, headers, body }: SandboxRequest): SandboxResponse | undefined {
    const said =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/sqs\/aws4_request, SignedHeaders=([^,]+), Signature=(\w{64})$/.exec(
        String(headers.authorization ?? ''),
      );
    if (!said) return no(400, 'MissingAuthenticationToken', 'Request is missing Authentication Token');
    const [, key, day, region, names, signature] = said as unknown as string[];
    if (key !== AWS_KEY)
      return no(403, 'InvalidClientTokenId', 'The security token included in the request is invalid.');
    const moment = String(headers['x-amz-date'] ?? '');
    const canonical = [
      method,
      url.pathname,
      '',
      ...names!.split(';').map((name) => `${name}:${String(headers[name] ?? '')}`),
      '',
      names,
      sha256(body),
    ].join('\n');
    const text = ['AWS4-HMAC-SHA256', moment, `${day}/${region}/sqs/aws4_request`, sha256(canonical)].join('\n');
    const signing = [region!, 'sqs', 'aws4_request'].reduce<Buffer>(hmac, hmac(`AWS4${AWS_SECRET}`, day!));
    const fits = hmac(signing, text).toString('hex') === signature && region === REGION && moment.startsWith(day!);
    return fits
      ? undefined
      : no(
          403,
          'SignatureDoesNotMatch',
          'The request signature we calculated does not match the signature you provided.',
        );
  }
}

const no = (status: number, code: string, message: string) =>
  json(status, { __type: `com.amazonaws.sqs#${code}`, message });
