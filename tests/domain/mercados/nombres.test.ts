import ts from 'typescript';
import { expect, test } from 'vitest';
import { EXCEPTIONS } from './nombresPermitidos';
import { readSources } from '../../support/sources';

/**
 * A marketplace is named in its own folder, its integration, the list of keys, and nowhere else. Texts that people read name it freely. Anything
 * else asks for a capability, or for a function of the adapter.
 */
const HOME =
  /^app\/(domain\/mercados\/(ml|amz)\/|integrations\/(mercadolibre|amazon)\/|core\/market\.ts$)|^db\/(types\.ts$|migrations\/)/;

const KEY = /^(ml|amz|mercadolibre|amazon)$/i;
const IN_SQL = /'(ml|amz|mercadolibre|amazon)'/i;
const IDENTIFIER =
  /(^|[a-z0-9])(Ml|Amz|Mercadolibre|MercadoLibre|Amazon)([A-Z0-9]|$)|^(ml|amz|mercadolibre|amazon)($|[A-Z])|(^|_)(ML|AMZ|AMAZON|MERCADOLIBRE)(_|$)/;
const MODULE = /(domain\/mercados|\.)\/(ml|amz)\/|integrations\/(mercadolibre|amazon)\//;

/** The addresses of a marketplace, of which only its adapter builds any. */
const ADDRESS = /mercadolibre\.com|mercadopago\.com|amazon\.com/i;

/** Lists each name of a marketplace in a source: keys, identifiers and modules. */
function marketNamesIn(path: string, text: string): string[] {
  // Most files name none, and are not worth a syntax tree.
  if (
    !/[Aa]mz|AMZ|[Aa]mazon|AMAZON|[Mm]ercado[Ll]ibre|MERCADOLIBRE|\bml\b|[a-z]Ml\b|[a-z]Ml[A-Z]|\bml[A-Z]|\bML_|_ML\b/.test(
      text,
    )
  )
    return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && IDENTIFIER.test(node.text)) found.add(node.text);
    if (ts.isStringLiteralLike(node)) {
      const isModule = ts.isImportDeclaration(node.parent) || ts.isExternalModuleReference(node.parent);
      if (isModule ? MODULE.test(node.text) : KEY.test(node.text)) found.add(node.text);
      if (ADDRESS.test(node.text)) found.add(node.text);
    }
    if (ts.isTemplateLiteralToken(node)) {
      const [told] = IN_SQL.exec(node.text) ?? ADDRESS.exec(node.text) ?? [];
      if (told) found.add(told);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...found];
}

const named = new Map(
  readSources(['app', 'jobs', 'db'])
    .filter(({ path }) => !HOME.test(path))
    .map(({ path, text }) => [path, marketNamesIn(path, text)]),
);

test('a marketplace is named nowhere outside its folder, but where an agreed text or a stored name asks for it', () => {
  const unexpected = [...named].flatMap(([path, names]) =>
    names.filter((name) => !EXCEPTIONS[path]?.names.includes(name)).map((name) => `${path}: ${name}`),
  );
  expect(unexpected).toEqual([]);
});

test('an exception that nothing needs any more goes', () => {
  const idle = Object.entries(EXCEPTIONS).flatMap(([path, { names }]) => {
    const used = named.get(path) ?? [];
    return names.filter((name) => !used.includes(name)).map((name) => `${path}: ${name}`);
  });
  expect(idle).toEqual([]);
});

test('a name in any shape is seen', () => {
  const text = `import { x } from '~/domain/mercados/ml/cuenta.server'; import { y } from './amz/rasgos';
    const CONEXION = 'amazon'; const openAmazonNow = cambiarMl; sql\`where market = 'amz' and \${x}\`; const texto = 'Mercado Libre no contesta';
    const html = y; const small = xml; clients.ml();`;
  expect(marketNamesIn('app/x.ts', text).sort()).toEqual(
    [
      "'amz'",
      './amz/rasgos',
      'amazon',
      'cambiarMl',
      'ml',
      'openAmazonNow',
      '~/domain/mercados/ml/cuenta.server',
    ].sort(),
  );
});
