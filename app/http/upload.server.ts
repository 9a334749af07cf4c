import { unstable_parseMultipartFormData } from '@remix-run/node';
import { UnreadableForm } from './sent.server';

/**
 * Hands the file of a form to `take` as it arrives, and never holds it whole. Returns what `take` returned; undefined when no file was chosen. Throws what
 * `take` throws, and `UnreadableForm` for a body that is no form.
 */
export async function receiveFile<T>(
  request: Request,
  campo: string,
  take: (datos: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T | undefined> {
  let taken: { value: T } | undefined;
  let taking = false;
  try {
    await unstable_parseMultipartFormData(request, async ({ name, filename, data }) => {
      if (name === campo && filename && !taken) {
        taking = true;
        taken = { value: await take(data) };
        taking = false;
      } else for await (const _ of data);
      return undefined;
    });
  } catch (error) {
    throw taking || request.signal.aborted ? error : new UnreadableForm(error);
  }
  return taken?.value;
}
