/** The picture beside the title of a row, as the server writes it. */
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ConRetrato } from '~/ui/lista/ConRetrato';
import { htmlOf } from '~/ui/htmlOf';

test.each([
  ['a picture', { retrato: '/fotos/5b1c' }],
  ['a drawn one in its place', { retrato: null }],
  ['nothing, on paper', undefined],
])('%s is written as React writes it, so no row waits for React', (_, lado) => {
  const celda = <ConRetrato lado={lado}>Cámara</ConRetrato>;
  expect(htmlOf(celda)).toBe(renderToString(celda));
});

test('a picture has its size before it comes, says nothing aloud, and comes when it is near', () => {
  expect(htmlOf(<ConRetrato lado={{ retrato: '/fotos/5b1c' }}>Cámara</ConRetrato>)).toContain(
    '<img class="retrato" data-chico="" src="/fotos/5b1c" alt="" width="40" height="40" loading="lazy" decoding="async"/>',
  );
});

test('paper has no picture', () => {
  expect(htmlOf(<ConRetrato lado={undefined}>Cámara</ConRetrato>)).toBe('Cámara');
});
