import { unstable_parseMultipartFormData } from '@remix-run/node';

/** Hands the file of a form to `take` as it arrives, and never holds it whole. Undefined when none was chosen. */
export async function receiveFile<T>(
  request: Request,
  campo: string,
  take: (datos: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T | undefined> {
  let taken: { value: T } | undefined;
  await unstable_parseMultipartFormData(request, async ({ name, filename, data }) => {
    if (name === campo && filename && !taken) taken = { value: await take(data) };
    else for await (const _ of data);
    return undefined;
  });
  return taken?.value;
}
