import { data } from '@remix-run/node';

/** No table of ours has as many rows; a list with holes up to a huge index would be walked and sent back one hole at a time. */
const MAX_INDEX = 999;

/**
 * From here on every reading of the form this request carries, and of its copies, refuses names no screen of ours makes. Field names build the objects that
 * are parsed, and a few bytes (`usuario[20000000]`, or the same inside conform's intent) would keep the whole process busy.
 */
export function refuseHugeForms(request: Request): Request {
  const [read, copy] = [request.formData.bind(request), request.clone.bind(request)];
  return Object.assign(request, {
    formData: async () => {
      const form = await read();
      if (!isSaneForm(form))
        throw data({ titulo: 'Error.', texto: 'No se entiende lo que se envió.' }, { status: 400 });
      return form;
    },
    clone: () => refuseHugeForms(copy()),
  });
}

function isSaneForm(form: FormData): boolean {
  for (const [name, value] of form) {
    if (!isSaneName(name) || (name === '__intent__' && !isSaneIntent(value))) return false;
  }
  return true;
}

const isSaneName = (name: string) => [...name.matchAll(/\[(\d+)\]/g)].every(([, index]) => Number(index) <= MAX_INDEX);
const isSaneIndex = (at: unknown) => at === undefined || (typeof at === 'number' && at >= 0 && at <= MAX_INDEX);

/** conform's buttons say what to do with a list: `{ type, payload: { name, index, from, to, ... } }`. */
function isSaneIntent(value: FormDataEntryValue): boolean {
  try {
    const { payload = {} } = JSON.parse(String(value)) as {
      payload?: { name?: unknown; index?: unknown; from?: unknown; to?: unknown };
    };
    const { name, index, from, to } = payload;
    return (
      (name === undefined || (typeof name === 'string' && isSaneName(name))) && [index, from, to].every(isSaneIndex)
    );
  } catch {
    return false;
  }
}
