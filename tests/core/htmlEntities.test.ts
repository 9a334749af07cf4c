import { expect, test } from 'vitest';
import { withoutEntities } from '~/core/htmlEntities';

test('letters of Spanish are read by their names and by their numbers', () => {
  expect(withoutEntities('C&aacute;mara &#8211; &Ntilde;AND&Uacute; &amp; 3&deg;')).toBe('Cámara – ÑANDÚ & 3°');
});

test('what nobody knows stays as it came', () => {
  const text = 'R&D; &constructor; &hellip; &#7; &#55296; &aacute';
  expect(withoutEntities(text)).toBe(text);
});
