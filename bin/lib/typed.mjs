/**
 * Types and lint, as one process: `node bin/lib/typed.mjs types lint` tells its parent { name, ok, output } of each. The rules that ask for types ask
 * the program that was checked just before, whose answers are known by then: apart, each would read and resolve the whole tree.
 */
import { ESLint } from 'eslint';
import ts from 'typescript';
import { parser } from 'typescript-eslint';
import { at } from './project.mjs';

const host = {
  getCurrentDirectory: () => at(),
  getCanonicalFileName: (name) => name,
  getNewLine: () => '\n',
};

let known;
/** What was checked before and did not change is not checked again. */
const builder = () =>
  (known ??= (() => {
    const { options, fileNames, errors } = ts.getParsedCommandLineOfConfigFile(
      at('tsconfig.json'),
      {},
      { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (diagnostic) => complain([diagnostic]) },
    );
    const incremental = ts.createIncrementalProgram({
      rootNames: fileNames,
      options,
      configFileParsingDiagnostics: errors,
    });
    return { incremental, program: incremental.getProgram() };
  })());

function complain(diagnostics) {
  throw new Error(ts.formatDiagnostics(diagnostics, host));
}

function types() {
  const { incremental } = builder();
  const wrong = [
    ...incremental.getConfigFileParsingDiagnostics(),
    ...incremental.getOptionsDiagnostics(),
    ...incremental.getSyntacticDiagnostics(),
    ...incremental.getGlobalDiagnostics(),
    ...incremental.getSemanticDiagnostics(),
  ];
  // Writes what is known now for the next time, and no JavaScript.
  incremental.emit();
  return {
    ok: wrong.length === 0,
    output: ts.formatDiagnostics(ts.sortAndDeduplicateDiagnostics(wrong), host).trimEnd(),
  };
}

async function lint() {
  const sharing = {
    ...parser,
    parseForESLint: (code, options) =>
      parser.parseForESLint(code, { ...options, projectService: false, programs: [builder().program] }),
  };
  const eslint = new ESLint({
    cwd: at(),
    cache: true,
    cacheLocation: at('.cache', 'eslint'),
    overrideConfig: { files: ['**/*.{ts,tsx}'], languageOptions: { parser: sharing } },
  });
  const results = await eslint.lintFiles(['.']);
  const formatter = await eslint.loadFormatter('stylish');
  return {
    ok: results.every(({ errorCount, warningCount }) => errorCount + warningCount === 0),
    output: (await formatter.format(results)).trim(),
  };
}

const STEPS = { types, lint };
for (const name of process.argv.slice(2)) {
  const began = Date.now();
  const result = await STEPS[name]();
  process.send?.({ name, ms: Date.now() - began, ...result });
  if (!process.send) console.log(name, Date.now() - began, result.ok, result.output);
}
process.disconnect?.();
