import type { LoaderFunctionArgs } from '@remix-run/node';
import { linkFacturacom } from '~/domain/facturacion/cfdi/emisor.server';
import { loader as download } from '~/routes/public/facturacionArchivo';
import { visit, type Posted } from './builders/enlaces';
import { buildClientes, buildPersona } from './builders/ventas';
import { testDatabase } from './db';
import { runJobs, runUntilSettled } from './jobs';
import { setPace } from './pac';
import { startTestSandbox } from './sandbox';
import { wholeQuotas } from './cuotas';

/** A taxpayer the PAC knows of and our records do not. */
export const NUEVO = { rfc: 'LOGM790203R55', razonSocial: 'MARTHA LOPEZ GUERRERO', cp: '03100', regimen: '612' };

export const datos = (over: Record<string, string> = {}) => ({
  intent: 'guardar',
  ...NUEVO,
  email: 'martha@correo.test',
  ...over,
});
export const crear = { intent: 'crear', confirmado: '1', usoCfdi: 'G03' };

/** A file about public invoicing opens with it: a linked company with its customers, and `ana`, of the staff. Each test begins with its quotas whole. */
export async function openPublico() {
  setPace(0.02);
  const sandbox = await startTestSandbox();
  const { db } = testDatabase();
  const { apiKey, secretKey } = await sandbox.facturacom.keys();
  const ana = await buildPersona(db);
  await linkFacturacom(db, { apiKey, secret: secretKey, usuarioId: ana.id });
  await buildClientes(db);
  await sandbox.facturacom.addContribuyente({
    rfc: NUEVO.rfc,
    nombre: NUEVO.razonSocial,
    cp: NUEVO.cp,
    regimenes: [NUEVO.regimen],
  });
  await runUntilSettled();
  wholeQuotas(db);
  return { db, sandbox, ana };
}

/** The request waits for the worker, so the worker runs meanwhile. */
export async function working(sent: Promise<Posted>): Promise<Posted> {
  let over = false;
  const jobs = (async () => {
    while (!over) {
      await runJobs();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  })();
  try {
    return await sent;
  } finally {
    over = true;
    await jobs;
  }
}

/** What the customer's page of a step shows. */
export const pasoOf = async (token: string, paso?: string) => {
  const { pagina } = await visit(token, paso);
  if (pagina?.vista.tipo !== 'paso') throw new Error(`not a step: ${JSON.stringify(pagina)}`);
  return pagina.vista;
};

export function fetchFile(token: string, formato: string): Promise<Response> {
  return download({
    request: new Request(`http://trastienda.test/facturacion/x/${formato}`),
    params: { token, formato },
    context: {},
  } as unknown as LoaderFunctionArgs);
}
