import { beforeEach } from 'vitest';
import type { Usuario } from '~/core/usuario';
import { noteRechazaRepetidos } from '~/domain/facturacion/cfdi/internal/cuentaPac.server';
import { linkFacturacom } from '~/domain/facturacion/cfdi/emisor.server';
import { ensurePublicoGeneral } from '~/domain/facturacion/receptores/receptor.server';
import type { Db } from '~db/client.server';
import { buildClientes, buildPersona } from './builders/ventas';
import { testDatabase } from './db';
import { runUntilSettled, withWorker } from './jobs';
import { startTestSandbox } from './sandbox';
import type { SandboxClient } from './sandboxClient';
import type { SandboxOptions } from '../sandbox/start';

/** The company linked to the PAC, its customers known there, and somebody who invoices. */
export async function openEmisor(db: Db, sandbox: SandboxClient, rol: Usuario['rol'] = 'sa'): Promise<Usuario> {
  const { apiKey, secretKey } = await sandbox.facturacom.keys();
  const usuario = await buildPersona(db, rol);
  await linkFacturacom(db, { apiKey, secret: secretKey, usuarioId: usuario.id });
  await knowCuentaPac(db);
  await buildClientes(db);
  return usuario;
}

/** Seen to refuse a repeated number, as most tests have it; those about an account of which nothing is known say so. */
export async function knowCuentaPac(db: Db): Promise<void> {
  await forgetCuentaPac(db);
  await noteRechazaRepetidos(db);
}

/** Nothing is known of the account any more, and nothing asks. */
export async function forgetCuentaPac(db: Db): Promise<void> {
  await db.deleteFrom('ajuste').where('clave', '=', 'pac.cuenta').execute();
  await db.deleteFrom('effect').where('type', '=', 'pac.repetidos').where('state', '=', 'queued').execute();
}

/**
 * Waits are shorter by this factor in this file and in the workers it starts; call it at the top, before settings are read. Leases and deadlines are long
 * enough for a busy machine (`setup.ts`); `deadlines` shortens them too, where a file needs them to run out.
 */
export function setPace(pace: number, { deadlines = false } = {}) {
  process.env.EFFECT_PACE = String(pace);
  if (deadlines) delete process.env.EFFECT_DEADLINE;
}

/**
 * A file about invoices opens with it: this file's database and sandbox, waits of effects shortened by `pace`, and `sa`, who invoices for a linked
 * company. Each test finds the PAC well and cancelling at once. With `publicoGeneral` the receiver of globals is known too. `options` are the sandbox's.
 */
export async function openPac({
  pace = 0.05,
  publicoGeneral = false,
  options = {},
}: { pace?: number; publicoGeneral?: boolean; options?: Partial<SandboxOptions> } = {}) {
  setPace(pace);
  const sandbox = await startTestSandbox(options);
  const { db } = testDatabase();
  const sa = await openEmisor(db, sandbox);
  if (publicoGeneral) await withWorker(() => ensurePublicoGeneral(db, 'Prueba', sa.id));
  beforeEach(async () => {
    await knowCuentaPac(db);
    await sandbox.clear();
    await sandbox.facturacom.cancelMode('at-once');
  });
  return { db, sandbox, sa };
}

/** Everything that was asked of the PAC has come to an end, letters apart. */
export const settle = () => runUntilSettled({ connection: 'facturacom' });
