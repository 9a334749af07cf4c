import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** `to` is a path of the project without its extension, or the package's name; `typeOnly` imports leave nothing in the running program. */
export type Import = { from: string; to: string; ours: boolean; typeOnly: boolean };
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
    .map((path) => {
      const text = readProjectFile(path);
      let imports: Import[] | undefined;
      return {
        path,
        text,
        // To read a source as TypeScript costs a hundred times what its text does: only who asks pays.
        get imports() {
          return (imports ??= importsOf(path, text));
        },
      };
    });
}

function importsOf(path: string, text: string): Import[] {
  const imports: Import[] = [];
  const add = (specifier: ts.Node | undefined, typeOnly: boolean) => {
    if (specifier && ts.isStringLiteralLike(specifier))
      imports.push({ from: path, typeOnly, ...resolve(path, specifier.text) });
  };
  const visit = (node: ts.Node) => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeOnly(node.importClause));
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true);
    ts.forEachChild(node, visit);
  };
  visit(
    ts.createSourceFile(
      path,
      text,
      ts.ScriptTarget.Latest,
      false,
      path.endsWith('.tsx') ? ts.ScriptKind.TSX : path.endsWith('.mjs') ? ts.ScriptKind.JS : ts.ScriptKind.TS,
    ),
  );
  return imports;
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
