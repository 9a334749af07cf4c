import { describeSettings } from '~/core/env.server';

/** Settings that nobody can guess, and what the example gives them where the example of a complaint will not do. */
const GIVEN = new Map<string, string | undefined>([
  ['DATABASE_URL', 'postgres://trastienda_app:clave@127.0.0.1:5432/trastienda'],
  ['LLAVES', undefined],
  ['APP_URL', undefined],
  ['PROXY_HOPS', '1'],
  ['WEBHOOK_SECRETO', '24-letras-que-nadie-adivina'],
  ['SMTP_URL', 'smtps://usuario:clave@smtp.ejemplo.mx:465'],
  ['CORREO_REMITENTE', 'Trastienda <facturas@ejemplo.mx>'],
  ['SALUD_TOKEN', '16-letras-o-mas-de-nadie'],
  ['METRICAS_TOKEN', 'otras-16-letras-o-mas'],
  ['MERCADOLIBRE_CLIENT_ID', '5503910054140000'],
  ['MERCADOLIBRE_CLIENT_SECRET', 'el-de-la-aplicacion'],
]);
/** Settings of the launcher, of units (the file would outrank their PORT) and of tests: nobody writes them into the file. */
const OTHERS = new Set(['NODE_ENV', 'PORT', 'EFFECT_PACE', 'EFFECT_DEADLINE', 'SANDBOX_URL', 'SANDBOX_HORAS', 'DEMO']);

const HEAD = `# /etc/trastienda.env: readable by root alone. Lines that begin with a letter are what nobody can guess; of the others each shows its usual value, or one that would do where it is usually empty.
# Written by 'npm run ajustes' from the schema in app/core/env.server.ts: what is changed in this file goes there.
`;

/** Returns the text of deploy/trastienda.env.example: every setting of the schema in its order, each with the words that stand above it in the source. */
export function ejemploDeAjustes(source: string): string {
  const words = wordsIn(source);
  const parts = describeSettings()
    .filter(({ name }) => !OTHERS.has(name))
    .map(({ name, usual, example }) => {
      const value = quoted(GIVEN.get(name) ?? (GIVEN.has(name) ? example : usual || example));
      const said = words.get(name);
      return `${said ? `\n# ${said}\n` : ''}${GIVEN.has(name) ? '' : '#'}${name}=${value}\n`;
    });
  return `${HEAD}${parts.join('')}`;
}

/** Shells, systemd and Docker read a value with spaces alike when it stands in quotes. */
const quoted = (value: string) => (/[\s<>]/.test(value) ? `"${value}"` : value);

/** Returns the comment above each setting that has one, in one line. */
function wordsIn(source: string): Map<string, string> {
  const found = source.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s+([A-Z][A-Z0-9_]*):/g);
  return new Map([...found].map(([, words, name]) => [name!, joined(words!)]));
}

const joined = (words: string) =>
  words
    .split('\n')
    .map((line) => line.trim().replace(/^\*/, '').trim())
    .filter(Boolean)
    .join(' ');
