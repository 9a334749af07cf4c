/** Tools of the control routes of Mercado Libre. */
import { z } from 'zod';
import { bodyOf, json, type Handler, type SandboxRequest, type SandboxResponse } from '../service';

/** The section of the page to which a form returns. */
export const BACK = '/#mercadolibre';

export const bad = (message: string, extra: object = {}) => json(400, { error: 'bad_request', message, ...extra });

/** The value as JSON, or 404 when there is none. */
export const shown = (value: unknown) => (value ? json(200, value) : json(404, { error: 'not_found' }));

/** A handler that runs with the body of the request as the schema reads it, and refuses a body that the schema does not take. */
export const reads =
  <T>(schema: z.ZodType<T>, run: (body: T, request: SandboxRequest) => SandboxResponse): Handler =>
  (request) => {
    const body = schema.safeParse(bodyOf(request));
    return body.success ? run(body.data, request) : bad(z.prettifyError(body.error));
  };

/** A word from a form or from JSON that means yes, as a boolean. */
export const flag = z.coerce.boolean();
