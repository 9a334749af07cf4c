import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Absolute path of a path of the project. */
export const projectPath = (path: string) => join(ROOT, path);

/**
 * One import of a file. `to` is a path of the project without its extension, or the package's name. `typeOnly` imports leave nothing in the running program.
 * `names` are the exported names that the file takes; of `import * as x` they are the properties of `x` that it uses. `again` is true for `export ... from`.
 */
export type Import = { from: string; to: string; ours: boolean; typeOnly: boolean; names: string[]; again: boolean };
export type Source = { path: string; text: string; imports: Import[] };

const ALIASES: [prefix: string, folder: string][] = [
  ['~db/', 'db/'],
  ['~jobs/', 'jobs/'],
  ['~/', 'app/'],
];

export function filesUnder(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}

export function foldersUnder(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => relative(ROOT, join(entry.parentPath ?? entry.path, entry.name)));
}

export function readProjectFile(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

export function readSources(folders: string[]): Source[] {
  return folders
    .flatMap(filesUnder)
    .filter((path) => /\.(tsx?|mjs)$/.test(path) && !path.endsWith('.d.ts'))
    .map((path) => sourceOf(path, readProjectFile(path)));
}

/** A source with this text, as if it stood at `path`. To read it as TypeScript costs a hundred times what its text does: only who asks for imports pays. */
export function sourceOf(path: string, text: string): Source {
  let imports: Import[] | undefined;
  return {
    path,
    text,
    get imports() {
      return (imports ??= importsOf(path, text));
    },
  };
}

/** The imports of a text as if it stood at `path`. */
export function importsOf(path: string, text: string): Import[] {
  const imports: Import[] = [];
  const spaces = new Map<string, string[]>();
  const add = (specifier: ts.Node | undefined, typeOnly: boolean, names: string[], again = false) => {
    if (specifier && ts.isStringLiteralLike(specifier))
      imports.push({ from: path, typeOnly, names, again, ...resolve(path, specifier.text) });
  };
  const visit = (node: ts.Node) => {
    if (ts.isImportDeclaration(node))
      add(node.moduleSpecifier, isTypeOnly(node.importClause), namesOf(node.importClause, spaces));
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly, exportedNames(node), true);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false, awaitedNames(node));
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal, true, node.qualifier ? [node.qualifier.getText(file)] : []);
    else if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression))
      spaces.get(node.expression.text)?.push(node.name.text);
    else if (ts.isQualifiedName(node) && ts.isIdentifier(node.left)) spaces.get(node.left.text)?.push(node.right.text);
    ts.forEachChild(node, visit);
  };
  const file = ts.createSourceFile(
    path,
    text,
    ts.ScriptTarget.Latest,
    true,
    path.endsWith('.tsx') ? ts.ScriptKind.TSX : path.endsWith('.mjs') ? ts.ScriptKind.JS : ts.ScriptKind.TS,
  );
  visit(file);
  return imports;
}

/** Names that an import clause takes; a namespace's list is filled while the file is read. */
function namesOf(clause: ts.ImportClause | undefined, spaces: Map<string, string[]>): string[] {
  const names: string[] = clause?.name ? ['default'] : [];
  const bindings = clause?.namedBindings;
  if (bindings && ts.isNamespaceImport(bindings)) spaces.set(bindings.name.text, names);
  else if (bindings) names.push(...bindings.elements.map((one) => (one.propertyName ?? one.name).text));
  return names;
}

function exportedNames({ exportClause }: ts.ExportDeclaration): string[] {
  return exportClause && ts.isNamedExports(exportClause)
    ? exportClause.elements.map((one) => (one.propertyName ?? one.name).text)
    : ['*'];
}

/** Names that `const { a } = await import(...)` and `(await import(...)).a` take. */
function awaitedNames(call: ts.CallExpression): string[] {
  let outer: ts.Node = call.parent;
  while (ts.isAwaitExpression(outer) || ts.isParenthesizedExpression(outer)) outer = outer.parent;
  if (ts.isVariableDeclaration(outer) && ts.isObjectBindingPattern(outer.name))
    return outer.name.elements.map((one) => (one.propertyName ?? one.name).getText());
  return ts.isPropertyAccessExpression(outer) ? [outer.name.text] : [];
}

function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.isTypeOnly) return true;
  const named = clause.namedBindings;
  return (
    !clause.name &&
    named !== undefined &&
    ts.isNamedImports(named) &&
    named.elements.length > 0 &&
    named.elements.every((one) => one.isTypeOnly)
  );
}

function resolve(path: string, specifier: string): { to: string; ours: boolean } {
  const alias = ALIASES.find(([prefix]) => specifier.startsWith(prefix));
  const clean = (to: string) => ({ to: to.replace(/\.(tsx?|mjs|json)$/, '').replace(/\/index$/, ''), ours: true });
  if (alias) return clean(alias[1] + specifier.slice(alias[0].length));
  if (specifier.startsWith('.')) return clean(join(dirname(path), specifier));
  return { to: specifier, ours: false };
}

/** What a screen writes, in the order of its file: the name of each tag with those of its attributes. */
export function elementsOf({ path, text }: Source): { tag: string; attributes: string[] }[] {
  const elements: { tag: string; attributes: string[] }[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node))
      elements.push({
        tag: node.tagName.getText(file),
        attributes: node.attributes.properties.flatMap((one) =>
          ts.isJsxAttribute(one) ? [one.name.getText(file)] : [],
        ),
      });
    ts.forEachChild(node, visit);
  };
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, ts.ScriptKind.TSX);
  visit(file);
  return elements;
}

/** The calls of a source that would read a date out of a text: `Date.parse(...)`, and `new Date(...)` of what is not plainly a number of ms. */
export function datesOf({ path, text }: Source): string[] {
  const written: string[] = [];
  const isMs = (node: ts.Expression): boolean => {
    if (ts.isParenthesizedExpression(node)) return isMs(node.expression);
    if (ts.isConditionalExpression(node)) return isMs(node.whenTrue) || isMs(node.whenFalse);
    if (!ts.isBinaryExpression(node))
      return /^Math\.|\.getTime\(\)$|^[\d_]+$|^[A-Z_]+$|^'[^']*Z'$/.test(node.getText(file));
    const sign = node.operatorToken.getText(file);
    return /^[-*/]$/.test(sign) || (sign === '+' && (isMs(node.left) || isMs(node.right)));
  };
  const visit = (node: ts.Node) => {
    const [first, ...more] =
      ts.isNewExpression(node) && node.expression.getText(file) === 'Date' ? (node.arguments ?? []) : [];
    if (
      (first && more.length === 0 && !isMs(first)) ||
      (ts.isCallExpression(node) && /^(?:Date\.parse|z\.coerce\.date)$/.test(node.expression.getText(file)))
    )
      written.push(node.getText(file));
    ts.forEachChild(node, visit);
  };
  const file = ts.createSourceFile(
    path,
    text,
    ts.ScriptTarget.Latest,
    true,
    path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  visit(file);
  return written;
}
