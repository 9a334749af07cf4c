import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Direccion } from '~/ui/Direccion';

test('an address is one press from the map of a telephone, and what is none is a dash', () => {
  expect(renderToStaticMarkup(<Direccion valor="Av. Juárez 10 & 12, Centro" />)).toContain(
    'href="geo:0,0?q=Av.%20Ju%C3%A1rez%2010%20%26%2012%2C%20Centro"',
  );
  expect(renderToStaticMarkup(<Direccion valor="" />)).toBe('—');
});
