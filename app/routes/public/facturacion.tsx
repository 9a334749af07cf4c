import { parseWithZod } from '@conform-to/zod/v4';
import type { Submission } from '@conform-to/react';
import {
  data,
  redirect,
  type ActionFunctionArgs,
  type HeadersFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { askFirst, isConfirmed } from '~/core/confirm';
import { NotAllowed } from '~/core/errors';
import type { Answer } from '~/core/submission';
import { invalid, refused } from '~/http/submit.server';
import { findDraftOfEnlace, reopenDraft } from '~/domain/emision/draft.server';
import { findEnlace, type Enlace } from '~/domain/enlaces/enlaces.server';
import { readPublico, type ClientePublico } from '~/domain/publico/publico.server';
import {
  choosePublico,
  createFacturaPublica,
  editPublico,
  lookUpPublico,
  savePublico,
} from '~/domain/publico/publicoDraft.server';
import { ConfirmStep } from '~/ui/Confirm';
import { Pesos } from '~/ui/Pesos';
import { Steps } from '~/ui/Steps';
import { db } from '~db/shared.server';
import { Aviso } from './facturacion/Aviso';
import { DatosFiscales, DatosForm, LibreForm } from './facturacion/DatosFiscales';
import { CONFIRMAR, Revision, UsoForm } from './facturacion/Revision';
import { Resultado } from './facturacion/Resultado';

/** One text for a link that never was, one that ended, one that was withdrawn and one for something else. */
const SIN_ENLACE =
  'Este enlace no es válido o ya venció. Pide uno nuevo por los mensajes de tu compra, o factura con tu número de orden en la página de inicio.';
const PASOS = { '1': 'Datos de Facturación', '2': 'Revisar Datos' } as const;

export const meta: MetaFunction = () => [{ title: 'Factura tu compra' }, { name: 'robots', content: 'noindex' }];

/** How long to wait, when one has to. */
export const headers: HeadersFunction = ({ actionHeaders }) => actionHeaders;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const enlace = await findEnlace(db(), params.token ?? '');
  if (!enlace) return data({ pagina: null }, { status: 404 });
  return { pagina: await readPublico(db(), enlace, new URL(request.url).searchParams.get('paso')) };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const enlace = await findEnlace(db(), params.token ?? '');
  const here = new URL(request.url).pathname.replace(/\.data$/, '');
  if (!enlace) return redirect(here);
  const form = await request.formData();
  const paso = (n: '1' | '2') => `${here}?paso=${n}`;
  const libre = parseWithZod(form, { schema: LibreForm });
  switch (form.get('intent')) {
    case 'buscarRfc':
      return attempt(libre, () => lookUpPublico(db(), enlace, String(form.get('rfc') ?? ''), context.ip), paso('1'));
    case 'elegir':
      return attempt(libre, () => choosePublico(db(), enlace, String(form.get('razon') ?? '')), paso('1'));
    case 'editar':
    case 'otro':
      return attempt(
        libre,
        () => editPublico(db(), enlace, form.get('intent') === 'editar' ? 'editar' : 'otro'),
        paso('1'),
      );
    case 'siguiente':
      return redirect(paso('2'));
    case 'corregir':
      return attempt(libre, () => reopen(enlace), paso(form.get('paso') === '2' ? '2' : '1'));
    case 'crear':
      return crear(form, enlace, here);
    default: {
      const submission = parseWithZod(form, { schema: DatosForm });
      if (submission.status !== 'success') return invalid(submission);
      return attempt(submission, () => savePublico(db(), enlace, submission.value, context.ip), paso('1'));
    }
  }
}

async function crear(form: FormData, enlace: Enlace, here: string) {
  const submission = parseWithZod(form, { schema: UsoForm });
  if (submission.status !== 'success') return invalid(submission);
  if (!isConfirmed(form)) return askFirst(form, CONFIRMAR);
  const { usoCfdi } = submission.value;
  return attempt(
    submission,
    () =>
      db()
        .transaction()
        .execute((trx) => createFacturaPublica(trx, enlace, usoCfdi, new Date())),
    here,
  );
}

async function reopen(enlace: Enlace) {
  const draft = await findDraftOfEnlace(db(), enlace.id);
  if (draft) await reopenDraft(db(), draft);
}

/** Runs it and goes on; a refusal goes back on the form with what was typed, and a quota that is used up also says when to come back. */
async function attempt<Schema, Value>(
  submission: Submission<Schema, string[], Value>,
  run: () => Promise<unknown>,
  to: string,
) {
  try {
    await run();
    return redirect(to);
  } catch (error) {
    if (!(error instanceof NotAllowed)) throw error;
    return refused(submission, error);
  }
}

/** A look-up that found nothing leaves the form as it is, with what was typed while it was asked. */
function shapeOf({ modo, razonSocial, cp, regimen, registrado, opciones }: ClientePublico): string {
  return JSON.stringify([modo, razonSocial, cp, regimen, registrado, opciones]);
}

export default function Facturacion() {
  const { pagina } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>() as Answer | undefined;
  if (!pagina) return <Aviso texto={SIN_ENLACE} />;
  const { numOrden, vista } = pagina;
  return (
    <div className="media factura-publica">
      <div className="encabezado">
        <div>
          <h1>Factura tu compra</h1>
          <p className="nota">
            Compra {numOrden}
            {vista.tipo === 'paso' && (
              <>
                {' '}
                · Total pagado <Pesos valor={vista.total} />
              </>
            )}
          </p>
        </div>
      </div>
      {vista.tipo === 'aviso' && <Aviso texto={vista.texto} />}
      {vista.tipo === 'ajena' && <Resultado ajena={vista} />}
      {vista.tipo === 'resultado' && <Resultado estado={vista.estado} />}
      {vista.tipo === 'paso' && (
        <>
          <Steps
            pasos={(['1', '2'] as const).map((paso) => ({
              titulo: PASOS[paso],
              href: paso === '1' || vista.siguiente ? `?paso=${paso}` : undefined,
              actual: paso === vista.paso,
              hecho: paso < vista.paso,
            }))}
          />
          {answer?.confirmar && <ConfirmStep pending={answer.confirmar} cancelar="?paso=2" />}
          {vista.paso === '1' && <DatosFiscales key={shapeOf(vista.cliente)} vista={vista} answer={answer} />}
          {vista.paso === '2' && vista.revision && !answer?.confirmar && (
            <Revision {...vista.revision} cliente={vista.cliente} answer={answer} />
          )}
        </>
      )}
    </div>
  );
}
