import type { ActionFunctionArgs } from '@remix-run/node';
import { findPorProbar, keepPorProbar, Prueba, requirePrueba, takePorProbar, whoProves } from '~/access/prueba.server';
import { sesionOf } from '~/access/session.server';
import { NotAllowed } from '~/core/errors';
import type { PendingProof } from '~/core/submission';
import { db } from '~db/shared.server';
import { readForm } from './readForm.server';
import { statusOf } from './refusal.server';
import { readSent } from './sent.server';

/** Null when the form may go on; else the question of its page. */
export type Asking = Promise<{ probar: PendingProof; init: ResponseInit } | null>;

/** The field with the token of a form that waits on the server. A form with this field brings the proof for the waiting form. */
const TOKEN = 'porProbar';
/** The field that marks a waiting form whose files were dropped, since files are not kept. */
const SIN_ARCHIVO = 'porProbar.sinArchivo';

type Proving = { form: FormData; gone: boolean; first: boolean; ask(): Asking };

/**
 * Returns the form that an action acts on, and how to ask for a proof of who sent it. A form that waits for its proof is kept on the server and goes
 * on as it was sent, so passwords and keys travel through no page. A proof holds for its session for PRUEBA_MINUTOS. `gone`: the waiting form is no
 * longer kept. `first`: the files of the form were dropped, so the proof comes before the form is read and the page asks for the files again.
 */
export async function proofOf(args: ActionFunctionArgs): Promise<Proving> {
  const sent = await readSent(args.request);
  const token = sent.get(TOKEN);
  const { sesion } = args.context;
  if (typeof token !== 'string' || !sesion)
    return { form: sent, gone: false, first: false, ask: () => askFor(args, sent) };
  const campos = await findPorProbar(db(), sesion.token, routeOf(args), token);
  if (!campos) return { form: sent, gone: true, first: false, ask: () => late(args, sent, token) };
  const form = new FormData();
  for (const [name, value] of campos) if (name !== SIN_ARCHIVO) form.append(name, value);
  const first = campos.some(([name]) => name === SIN_ARCHIVO);
  return { form, gone: false, first, ask: () => goOn(args, { sent, form, token, first }) };
}

async function askFor(args: ActionFunctionArgs, form: FormData): Asking {
  const { probada, token: sesion } = sesionOf(args.context);
  if (probada) return null;
  const fields = [...form].filter(([name]) => name !== SIN_ARCHIVO);
  const texts = fields.filter((field): field is [string, string] => typeof field[1] === 'string');
  const conArchivo = texts.length < fields.length;
  const campos: [string, string][] = conArchivo ? [...texts, [SIN_ARCHIVO, '1']] : texts;
  const token = await keepPorProbar(db(), sesion, routeOf(args), campos);
  return { probar: await pendingOf(args, form, { token, conArchivo }), init: { status: 200 } };
}

async function goOn(
  args: ActionFunctionArgs,
  { sent, form, token, first }: { sent: FormData; form: FormData; token: string; first: boolean },
): Asking {
  const sesion = sesionOf(args.context);
  if (!sesion.probada) {
    const again = async (error: Record<string, string[]>, init: ResponseInit) => ({
      probar: { ...(await pendingOf(args, form, { token, conArchivo: first })), error },
      init,
    });
    const read = readForm(sent, Prueba);
    if (read.status !== 'success') return again(textsOf(read.error), { status: 422 });
    try {
      await requirePrueba(db(), sesion, read.value, args.context.ip);
    } catch (refusal) {
      if (!(refusal instanceof NotAllowed)) throw refusal;
      return again({ [refusal.campo ?? '']: [refusal.message] }, statusOf(refusal));
    }
  }
  return (await takePorProbar(db(), token)) ? null : late(args, form, token);
}

async function late(args: ActionFunctionArgs, form: FormData, token: string): Asking {
  return { probar: { ...(await pendingOf(args, form, { token })), vencida: true }, init: { status: 422 } };
}

async function pendingOf(
  { context }: ActionFunctionArgs,
  form: FormData,
  { token, conArchivo = false }: { token: string; conArchivo?: boolean },
): Promise<PendingProof> {
  const [intent, formulario] = [form.getAll('intent').at(-1), form.get('formulario') ?? form.get('intent')];
  return {
    ...(await whoProves(db(), context)),
    token,
    intent: String(intent),
    formulario: typeof formulario === 'string' ? formulario : null,
    error: {},
    ...(conArchivo && { conArchivo }),
  };
}

const textsOf = (error: Record<string, string[] | null> | null | undefined): Record<string, string[]> =>
  Object.fromEntries(Object.entries(error ?? {}).flatMap(([name, texts]) => (texts ? [[name, texts]] : [])));

const routeOf = ({ request }: ActionFunctionArgs) => new URL(request.url).pathname.replace(/\.data$/, '');
