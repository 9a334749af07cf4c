import { afterAll } from 'vitest';
import { sandboxAddresses } from '../../bin/lib/settings.mjs';
import { makeKeys, type KeyPems } from '../sandbox/facturacom/certificados';
import { jotted } from '../sandbox/facturacom/pdf';
import { startSandbox, type SandboxOptions } from '../sandbox/start';
import { createSandboxClient, type SandboxClient } from './sandboxClient';

export {
  createSandboxClient,
  type FailOptions,
  type ReceivedMail,
  type SandboxClient,
  type SeenRequest,
  type StampedCfdi,
} from './sandboxClient';

/** The PAC's, of all the files that this process runs. */
const kept = globalThis as { pacKeys?: KeyPems };

/**
 * A sandbox of this test file, in memory, whose addresses are put in the environment; call it before anything reads the settings
 * (at the top of the file). It stops with the file. Its PAC jots a CFDI down where the demo's prints it.
 */
export async function startTestSandbox(
  options: Partial<SandboxOptions> = {},
): Promise<SandboxClient & { smtpPort: number }> {
  const sandbox = await startSandbox({
    port: 0,
    smtpPort: 0,
    ...options,
    facturacom: { makeKeys: () => (kept.pacKeys ??= makeKeys()), print: jotted, ...options.facturacom },
  });
  afterAll(() => sandbox.close());
  Object.assign(process.env, sandboxAddresses(sandbox.url, sandbox.smtpPort));
  return { ...createSandboxClient(sandbox.url), smtpPort: sandbox.smtpPort };
}
