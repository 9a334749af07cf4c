import ts from 'typescript';

/**
 * What a source outside app/platform/effects does with the key or the request of an effect: neither is read there, and no effect is written. Seen in the text of SQL and in
 * the chains of Kysely; a column of that name of another table is nobody's business.
 */
export function effectReads(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const say = (node: ts.Node, what: string) =>
    found.push(`${path}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${what}`);
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && /^sql\b/.test(node.tag.getText())) {
      const what = inSql(sqlOf(node.template));
      if (what) say(node, what);
    }
    if (ts.isStringLiteralLike(node) && COLUMN.test(node.text) && isOfEffect(node)) say(node, `column '${node.text}'`);
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const name = node.expression.name.text;
      const [first] = node.arguments;
      // A task of the queue has a key of its own.
      if (name === 'key' && node.arguments.length > 0 && !path.startsWith('jobs/'))
        say(node, 'builds a key again, or digs into JSON');
      if (name === 'insertInto' && first && ts.isStringLiteralLike(first) && /^effect\b/.test(first.text))
        say(node, 'writes an effect');
      if (name === 'selectAll' && node.arguments.length === 0 && isOfEffect(node)) say(node, 'reads a whole effect');
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const COLUMN = /^(\w+\.)?(key|request)( as \w+)?$/;
/** The table itself, not those whose names begin with it. */
const TABLE = /\b(from|join|into|update|using)\s+effect\b/i;

function inSql(text: string): string | undefined {
  if (/\binsert\s+into\s+effect\b/i.test(text)) return 'writes an effect';
  if (/\b\w+\.(key|request)\b/i.test(text)) return 'reads the key or the request of an effect';
  if (TABLE.test(text) && /(?<![\w.'"])(key|request)\b(?!')/i.test(text))
    return 'reads the key or the request of an effect';
  if (/\bsplit_part\s*\(\s*key\b|\bkey\s+(not\s+)?(i?like|similar)\b|\brequest\s*(->|#>|@>|\?)/i.test(text))
    return 'parses a key or digs into a request';
  return undefined;
}

/** The SQL with what is put into it left out: that is looked at by itself. */
function sqlOf(template: ts.TemplateLiteral): string {
  return ts.isNoSubstitutionTemplateLiteral(template)
    ? template.text
    : [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)].join(' $ ');
}

const EFFECTS =
  /\b(selectFrom|updateTable|deleteFrom|innerJoin|leftJoin|rightJoin|using)\(\s*(?:\[\s*)?'effect( as \w+)?'|\b(effectsAbout|unresolved)\(/;

/** Whether the chain of calls around it, from its beginning to its end, is a query over effects. */
function isOfEffect(node: ts.Node): boolean {
  let at: ts.Node = node;
  for (; at.parent; at = at.parent) {
    if (ts.isCallExpression(at) && EFFECTS.test(ownText(at))) return true;
    if (ts.isStatement(at.parent) || ts.isVariableDeclaration(at.parent)) break;
  }
  return false;
}

const ownText = (call: ts.CallExpression) => call.getText();
