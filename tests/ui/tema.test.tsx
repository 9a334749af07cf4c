import { MantineProvider } from '@mantine/core';
import { format, resolveConfig } from 'prettier';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { theme } from '~/ui/theme';
import { readProjectFile } from '../support/sources';

const CSS = 'app/ui/tema.css';
/** Mantine knows these too, and nothing of ours names one. */
const UNUSED = /^--mantine-color-(dark|gray|red|pink|grape|violet|indigo|blue|cyan|green|lime|yellow|orange|teal)-/;

/** What Mantine writes into a page of ours, rule by rule, where it is let. */
function written(): string {
  const page = renderToStaticMarkup(
    <MantineProvider theme={theme} withGlobalClasses={false} getRootElement={() => undefined} children={null} />,
  );
  const css = page.replace(/<\/?style[^>]*>/g, '').replaceAll('&quot;', '"');
  return css
    .split('}')
    .filter((rule) => rule.includes('{'))
    .map((rule) => {
      const [selector, body] = rule.split('{');
      const lines = body!.split(';').filter((line) => line.trim() !== '' && !UNUSED.test(line.trim()));
      return `${selector!.split(',')[0]!.trim()} {\n${lines.join(';\n')};\n}`;
    })
    .join('\n');
}

test('the sheet of the theme says what the theme says (`npx vitest -u` writes it)', async () => {
  const head =
    '/* The variables of `theme.ts`, which Mantine would write into each page. As a sheet they make a page lighter and sooner. */\n';
  const css = await format(head + written(), { ...(await resolveConfig(CSS)), parser: 'css' });
  await expect(css).toMatchFileSnapshot(`../../${CSS}`);
});

test('no page carries the sheet of the theme a second time', () => {
  const root = readProjectFile('app/root.tsx');
  expect(root).toContain("import './ui/tema.css'");
  expect(root).toContain('withCssVariables={false}');
  expect(root).toContain('withGlobalClasses={false}');
});
