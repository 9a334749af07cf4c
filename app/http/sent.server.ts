/** Failure of reading a body as the form that its Content-Type announces. The answer is 400. */
export class UnreadableForm extends Error {
  constructor(cause: unknown) {
    super('the body is not the form that it says it is', { cause });
    this.name = 'UnreadableForm';
  }
}

/** Returns the form of a request. Throws `UnreadableForm` for a body that is none. */
export async function readSent(request: Request): Promise<FormData> {
  return request.formData().catch((cause: unknown) => {
    throw request.signal.aborted ? cause : new UnreadableForm(cause);
  });
}
