import { env, type Env } from '~/core/env.server';
import { InvalidSettings } from '~/core/settingFaults';

/** EX_CONFIG: whoever starts the process again need not, until somebody changes a setting. */
const BAD_SETTINGS = 78;

/** Returns the settings of a process. Where some are wrong, one line tells all of them, and the process ends. */
export function requireSettings(): Env {
  try {
    return env();
  } catch (error) {
    return endWith(error);
  }
}

/** Ends the process with one line that tells the settings that are wrong; throws any other error again. */
export function endWith(error: unknown): never {
  if (!(error instanceof InvalidSettings)) throw error;
  const line = {
    at: new Date().toISOString(),
    level: 'error',
    message: 'configuración inválida',
    ajustes: error.faults,
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
  return process.exit(BAD_SETTINGS);
}
