import { expect, test } from 'vitest';
import { DatosForm } from '~/domain/facturacion/publico/forms';

const camposDe = (dado: Record<string, unknown>) =>
  new Set(DatosForm.safeParse(dado).error?.issues.map(({ path }) => path[0]));

test('what a customer left empty is told all at once, the mail among it, unless the stored one is used', () => {
  expect(camposDe({})).toEqual(new Set(['version', 'rfc', 'razonSocial', 'cp', 'regimen', 'email']));
  expect(camposDe({ usarRegistrado: 'on' })).not.toContain('email');
  const mala = DatosForm.safeParse({ email: 'no es' }).error?.issues.filter(({ path }) => path[0] === 'email');
  expect(mala).toHaveLength(1);
});
