import { text } from 'node:stream/consumers';
import { renderToPipeableStream } from 'react-dom/server';
import { expect, test } from 'vitest';
import { htmlBody } from '~/http/html.server';

test('no letter of a page is broken where the buffer of React ends', async () => {
  const campos = Array.from({ length: 1_000 }, (_, at) => <input key={at} readOnly value={`${at} México, año`} />);
  const body = htmlBody();
  const { pipe } = renderToPipeableStream(<>{campos}</>, { onAllReady: () => pipe(body) });
  expect(await text(body)).toBe(campos.map(({ props: { value } }) => `<input readonly="" value="${value}"/>`).join(''));
});
