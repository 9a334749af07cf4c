import type { z } from 'zod';

/** What is wrong with one setting: its name, what is wrong in Spanish, and a value that would do. */
export type SettingFault = { ajuste: string; dice: string; ejemplo: string };

/** Values that would do, of settings whose usual value is empty or missing. */
const EXAMPLES = new Map([
  ['DATABASE_URL', 'postgres://trastienda:clave@127.0.0.1:5432/trastienda'],
  ['DATABASE_URL_DIRECTA', 'postgres://trastienda:clave@127.0.0.1:5432/trastienda'],
  ['LLAVES', 'k1:MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE='],
  ['APP_URL', 'https://trastienda.ejemplo.mx'],
  ['LANDING_URL', 'https://www.ejemplo.mx'],
  ['AMAZON_SQS_COLA', 'https://sqs.us-east-1.amazonaws.com/123456789012/ventas'],
  ['AMAZON_SQS_LLAVE', 'AKIAEJEMPLO000000002'],
  ['AMAZON_SQS_SECRETO', 'el-secreto-de-esa-llave'],
  ['CT_CATALOGO_URL', 'ftp://usuario:clave@servidor'],
  ['COPOMEX_URL', 'https://api.copomex.com'],
  ['CLAMD', '127.0.0.1:3310'],
  ['SALUD_TOKEN', 'una-palabra-de-16-letras-o-mas'],
  ['METRICAS_TOKEN', 'otra-palabra-de-16-letras-o-mas'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:4318'],
  ['SEGUNDO_FACTOR', 'sa,admin'],
  ['EFFECT_DEADLINE', '1'],
  ['RESPALDOS', '/otro-disco/trastienda'],
  ['RESPALDO_CLAVE', 'una-frase-que-nadie-adivina'],
  ['RESPALDOS_S3', 'https://s3.us-east-1.amazonaws.com/respaldos/trastienda'],
  ['RESPALDOS_S3_LLAVE', 'AKIAEJEMPLO000000001'],
  ['RESPALDOS_S3_SECRETO', 'el-secreto-de-esa-llave'],
  ['CAPTURAS', '/var/lib/trastienda/capturas'],
  ['DISCOS', '/var/lib/postgresql'],
  ['SANDBOX_URL', 'http://127.0.0.1:3001'],
]);

/** Returns a value that would do for a setting whose usual value is empty or missing; empty where nobody can say one. */
export const exampleOf = (ajuste: string): string => EXAMPLES.get(ajuste) ?? '';

/** Settings could not be read: each fault, and all of them in one message. Whoever starts a process exits with 78 (EX_CONFIG). */
export class InvalidSettings extends Error {
  readonly faults: SettingFault[];

  constructor(issues: readonly z.core.$ZodIssue[], given: NodeJS.ProcessEnv, usual: Record<string, unknown>) {
    const faults = issues.map((issue) => {
      const ajuste = String(issue.path[0]);
      return {
        ajuste,
        dice: wordsOf(issue, given[ajuste]),
        ejemplo: exampleOf(ajuste) || String(usual[ajuste] ?? ''),
      };
    });
    super(
      `configuración inválida: ${faults.map(({ ajuste, dice, ejemplo }) => `${ajuste}: ${dice} (por ejemplo ${ejemplo || 'vacío'})`).join('; ')}`,
    );
    this.name = 'InvalidSettings';
    this.faults = faults;
  }
}

/** Returns the error of a setting that only shows when it is used. */
export const settingFault = (ajuste: string, message: string): InvalidSettings =>
  new InvalidSettings([{ code: 'custom', path: [ajuste], message, input: undefined }], process.env, {});

function wordsOf(issue: z.core.$ZodIssue, given: string | undefined): string {
  if (issue.code === 'custom') return issue.message;
  if (given === undefined || given === '') return 'falta';
  switch (issue.code) {
    case 'invalid_value':
      return `es uno de: ${issue.values.map((value) => String(value) || 'vacío').join(', ')}`;
    case 'too_small':
      return issue.origin === 'string' ? `tiene al menos ${issue.minimum} letras` : `es ${issue.minimum} o más`;
    case 'too_big':
      return issue.origin === 'string' ? `tiene a lo más ${issue.maximum} letras` : `es ${issue.maximum} o menos`;
    case 'invalid_type':
      return issue.expected === 'int' ? 'es un número entero' : 'es un número';
    default:
      return 'no está bien escrito';
  }
}
