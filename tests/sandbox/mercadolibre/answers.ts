/** Answers that many calls of Mercado Libre give. */
import { json, type SandboxResponse } from '../service';

/** A refusal as the API words it. `cause` lists its details. */
export const refuse = (status: number, error: string, message: string, cause: unknown[] = []): SandboxResponse =>
  json(status, { message, error, status, cause });

export const NO_CONTENT: SandboxResponse = { status: 204 };
