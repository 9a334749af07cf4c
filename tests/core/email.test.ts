import { expect, test } from 'vitest';
import { isEmail, isEmailOfDosACuatro } from '~/core/email';

const BAD = [
  '',
  'a',
  'a@b',
  'a@b.c',
  'a b@c.mx',
  'a..b@c.mx',
  '.a@c.mx',
  'a@-c.mx',
  'a@b@c.mx',
  'a@c.mx,d@e.mx',
  'á@c.mx',
  'a@b.m1',
];

test('an e-mail is one address, plainly written', () => {
  for (const good of ['a@b.mx', 'ana.perez+fac@sub.empresa.com.mx', 'x_y@z.museum', "o'neil@x.io"])
    expect([good, isEmail(good)]).toEqual([good, true]);
  for (const bad of [...BAD, `${'a'.repeat(250)}@b.mx`]) expect([bad, isEmail(bad)]).toEqual([bad, false]);
});

test('the forms of staff want a last part of two to four letters', () => {
  for (const good of ['ana@ejemplo.mx', 'a.b+c@sub.ejemplo.info'])
    expect([good, isEmailOfDosACuatro(good)]).toEqual([good, true]);
  for (const bad of [...BAD, 'ana@ejemplo.museum', `${'a'.repeat(120)}@b.mx`])
    expect([bad, isEmailOfDosACuatro(bad)]).toEqual([bad, false]);
});
