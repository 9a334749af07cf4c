import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import type { Choque } from '~/core/choque';
import { createEnlace } from '~/domain/facturacion/enlaces/enlaces.server';
import type { OrigenEnlace, PropositoEnlace } from '~db/columns';
import type { PaginaPublica } from '~/domain/facturacion/publico/publico.server';
import { action, loader } from '~/routes/public/facturacion';
import type { Db } from '~db/client.server';
import type { Venta } from './ventas';

/** A customer's link to a sale, as the automatic sending makes it: nobody of the staff behind it. */
export async function buildEnlace(
  db: Db,
  { numOrden }: Pick<Venta, 'numOrden'>,
  sketch: { origen?: OrigenEnlace; proposito?: PropositoEnlace; usuarioId?: string } = {},
) {
  return db
    .transaction()
    .execute((trx) => createEnlace(trx, { market: 'ml', numOrden, origen: 'automatico', usuarioId: null, ...sketch }));
}

type Loaded = { pagina: PaginaPublica | null };

/** What the page of a link loads: its status and its data. */
export async function visit(token: string, paso?: string) {
  const request = new Request(`http://trastienda.test/facturacion/${token}${paso ? `?paso=${paso}` : ''}`);
  const answer = (await loader({
    request,
    params: { token },
    context: { ip: '10.0.0.1' },
  } as unknown as LoaderFunctionArgs)) as Loaded | { data: Loaded; init: { status: number } };
  return 'data' in answer
    ? { status: answer.init.status, pagina: answer.data.pagina }
    : { status: 200, pagina: answer.pagina };
}

export type Posted = {
  status: number;
  to: string | null;
  error: Record<string, string[]>;
  titulo?: string;
  confirmar?: { titulo: string };
  retryAfter?: number;
  choque?: Choque;
};

/** What the forms of a step say they were shown, as they stand in the page. */
export async function vistoEn(token: string, paso?: string): Promise<Record<string, string>> {
  const { pagina } = await visit(token, paso);
  if (pagina?.vista.tipo !== 'paso') return { version: '0' };
  return { ...pagina.vista.visto, version: String(pagina.vista.visto.version) };
}

/** A form of the page as a browser sends it: of a page just opened, unless it brings its own `version`. */
export async function post(token: string, fields: Record<string, string>, ip = '10.0.0.1'): Promise<Posted> {
  const visto = 'version' in fields ? {} : await vistoEn(token, fields.intent === 'crear' ? '2' : '1');
  const request = new Request(`http://trastienda.test/facturacion/${token}`, {
    method: 'POST',
    body: new URLSearchParams({ intent: 'guardar', ...visto, ...fields }),
  });
  const answer: unknown = await action({
    request,
    params: { token },
    context: { ip },
  } as unknown as ActionFunctionArgs);
  if (answer instanceof Response) return { status: answer.status, to: answer.headers.get('Location'), error: {} };
  const { data = answer, init } = answer as {
    data?: object;
    init?: { status: number; headers?: Record<string, string> };
  };
  const said = data as Pick<Posted, 'titulo' | 'confirmar' | 'choque'> & { error?: Posted['error'] };
  return {
    status: init?.status ?? 200,
    to: null,
    error: said.error ?? {},
    titulo: said.titulo,
    confirmar: said.confirmar,
    ...(said.choque && { choque: said.choque }),
    ...(init?.headers?.['Retry-After'] !== undefined && { retryAfter: Number(init.headers['Retry-After']) }),
  };
}
