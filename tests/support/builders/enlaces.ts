import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { createEnlace } from '~/domain/enlaces/enlaces.server';
import type { OrigenEnlace, PropositoEnlace } from '~db/columns';
import type { PaginaPublica } from '~/domain/publico/publico.server';
import { action, loader } from '~/routes/public/facturacion';
import type { Db } from '~db/client.server';
import type { Venta } from './ventas';

/** A customer's link to a sale, as the automatic sending makes it: nobody of the staff behind it. */
export async function buildEnlace(
  db: Db,
  { numOrden }: Pick<Venta, 'numOrden'>,
  sketch: { origen?: OrigenEnlace; proposito?: PropositoEnlace } = {},
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
};

/** A form of the page as a browser sends it. */
export async function post(token: string, fields: Record<string, string>, ip = '10.0.0.1'): Promise<Posted> {
  const request = new Request(`http://trastienda.test/facturacion/${token}`, {
    method: 'POST',
    body: new URLSearchParams({ intent: 'guardar', ...fields }),
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
  const said = data as { error?: Record<string, string[]>; titulo?: string; confirmar?: { titulo: string } };
  return {
    status: init?.status ?? 200,
    to: null,
    error: said.error ?? {},
    titulo: said.titulo,
    confirmar: said.confirmar,
    ...(init?.headers?.['Retry-After'] !== undefined && { retryAfter: Number(init.headers['Retry-After']) }),
  };
}
