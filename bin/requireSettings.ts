import type { Carpeta } from '~/core/carpetas.server';
import { type Env, requireEnv } from '~/core/env.server';
import { InvalidSettings } from '~/core/settingFaults';

/** EX_CONFIG: whoever starts the process again need not, until somebody changes a setting. */
const BAD_SETTINGS = 78;

/** Returns the settings of a process that uses these folders. Where some are wrong, one line tells all of them, and the process ends. */
export function requireSettings(folders: readonly Carpeta[] = []): Env {
  try {
    return requireEnv(folders);
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
