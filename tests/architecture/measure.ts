/** `node --import tsx tests/architecture/measure.ts`: figures of the house. Rooms, arrows and names come from the rules; pronouns and verbs from the text of comments and exports. */
import ts from 'typescript';
import { readSources, type Source } from '../support/sources';
import { LINE, MOST } from './plan';
import * as rules from './rules';

const PRONOUN =
  /\b(?:it|its|they|them|their|theirs|this|that|these|those|which|who|whom|whose|what|one|ones|he|him|his|she|her|itself|themselves)\b/gi;
const WORD = /[a-z][a-z'’]*/gi;
/** Infinitives with which a Spanish function would begin. */
const SPANISH_VERB =
  /^(?:abrir|actualizar|agregar|anotar|aplicar|avisar|borrar|buscar|cambiar|cancelar|comprar|confirmar|contar|corregir|cotizar|crear|cuadrar|dar|decidir|descargar|descartar|deshacer|editar|elegir|eliminar|emitir|empezar|enviar|escribir|esperar|exigir|facturar|generar|guardar|hacer|igualar|leer|ligar|limpiar|llenar|mandar|marcar|mirar|mostrar|mover|olvidar|pedir|poner|posponer|preguntar|probar|proponer|publicar|quitar|reanudar|recibir|reenviar|reintentar|repartir|resolver|responder|retirar|revisar|revocar|seguir|separar|soltar|subir|surtir|sustituir|terminar|timbrar|tomar|traer|vender|ver|vigilar|vincular)(?=[A-Z]|$)/;

/** Text of every comment of a file, without the stars of its lines. */
function commentsOf({ path, text }: Source): string {
  const scanner = ts.createScanner(
    ts.ScriptTarget.Latest,
    false,
    path.endsWith('x') ? ts.LanguageVariant.JSX : ts.LanguageVariant.Standard,
    text,
  );
  const parts: string[] = [];
  for (let token = scanner.scan(); token !== ts.SyntaxKind.EndOfFileToken; token = scanner.scan())
    if (token === ts.SyntaxKind.SingleLineCommentTrivia || token === ts.SyntaxKind.MultiLineCommentTrivia)
      parts.push(scanner.getTokenText().replaceAll(/[*/]/g, ' '));
  return parts.join(' ').replace(/`[^`]*`|'[^']*'/g, ' ');
}

/** Names of exported functions of a file, arrow functions included. */
function functionsOf({ path, text }: Source): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false);
  return file.statements.flatMap((one) => {
    const exported =
      ts.canHaveModifiers(one) && ts.getModifiers(one)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (!exported) return [];
    if (ts.isFunctionDeclaration(one)) return one.name ? [one.name.text] : [];
    if (!ts.isVariableStatement(one)) return [];
    return one.declarationList.declarations.flatMap(({ name, initializer }) =>
      ts.isIdentifier(name) && initializer && ts.isArrowFunction(initializer) ? [name.text] : [],
    );
  });
}

const sources = readSources(['app', 'db', 'jobs', 'bin', 'tests']);
const inApp = sources.filter(({ path }) => /^(app|db|jobs)\//.test(path) && !path.startsWith('db/migrations/'));
const linesOf = (some: readonly Source[]) => some.reduce((sum, { text }) => sum + text.split('\n').length, 0);
const share = (part: number, whole: number) => ((100 * part) / whole).toFixed(1);

console.log('room           files  faces  lines  names used from outside');
const names = rules.outsideNames(sources);
for (const room of LINE) {
  const own = sources.filter(({ path }) => rules.domainRoomOf(path) === room);
  const faces = own.filter(({ path }) => !path.includes('/internal/'));
  console.log(
    room.padEnd(14),
    String(own.length).padStart(5),
    String(faces.length).padStart(6),
    String(linesOf(own)).padStart(6),
    String(names.get(room)?.size ?? 0).padStart(6),
  );
}
const total = [...names.values()].reduce((sum, one) => sum + one.size, 0);
console.log(`names used from outside their room: ${total} (aim ${MOST.names})`);
console.log(`arrows between rooms: ${rules.arrowsOf(sources, rules.domainRoomOf).size} (at most ${MOST.rooms})`);
console.log(
  `arrows between nouns, platform as one: ${rules.nounArrowsOf(sources).size} (at most ${MOST.nouns}); platform by noun: ${rules.arrowsOf(sources, rules.nounOf).size}`,
);
console.log(
  `lines: app ${linesOf(sources.filter(({ path }) => path.startsWith('app/')))}, db and jobs ${linesOf(sources.filter(({ path }) => /^(db|jobs)\//.test(path)))}, bin ${linesOf(sources.filter(({ path }) => path.startsWith('bin/')))}, tests ${linesOf(sources.filter(({ path }) => path.startsWith('tests/')))}`,
);
console.log('\npronouns in a hundred words of comment');
for (const place of [
  'app/core',
  'app/platform',
  ...LINE.slice(1).map((room) => `app/domain/${room}`),
  'app/ui',
  'app/routes',
  'app/api',
  'app/http',
  'app/access',
  'app/integrations',
  'app/bodega',
  'db',
  'jobs',
  'bin',
  'tests',
]) {
  const text = sources
    .filter(({ path }) => rules.isIn(path, place))
    .map(commentsOf)
    .join(' ');
  const words = text.match(WORD)?.length ?? 0;
  console.log(place.padEnd(28), String(words).padStart(6), share(text.match(PRONOUN)?.length ?? 0, words).padStart(5));
}
const all = inApp.map(commentsOf).join(' ');
console.log(
  'app, db, jobs'.padEnd(28),
  String(all.match(WORD)?.length).padStart(6),
  share(all.match(PRONOUN)?.length ?? 0, all.match(WORD)?.length ?? 1).padStart(5),
);
const functions = inApp.flatMap(functionsOf);
console.log(
  `\nexported functions: ${functions.length}, with a Spanish verb: ${functions.filter((name) => SPANISH_VERB.test(name)).length}, derived by 'De': ${functions.filter((name) => /[a-z]De(?:[A-Z]|$)/.test(name)).length}`,
);
