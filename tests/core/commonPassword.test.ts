import { expect, test } from 'vitest';
import { isCommonPassword } from '~/core/commonPassword';

const OWN = ['Trastienda', 'La Marca Única', 'ana.paz', 'sa'];

test.each([
  ['Password#1', 'a common word and what the rule wants'],
  ['P@ssw0rd2024', 'signs in place of letters'],
  ['#1Contraseña', 'without its accents, and with its additions in front'],
  ['México#2026', 'a common word with an accent'],
  ['Tr4st13nda#1', "the shop's name, disguised"],
  ['UnaTrastienda#7', "the shop's name inside"],
  ['Marca#20267', 'a word of the brand'],
  ['UNICA#x2026', 'another, without its accent'],
  ['ZyAna#9176', null],
  ['Ana#91763', 'the name of the user and nothing else'],
  ['Sa#917634', 'a short one'],
  ['Xk#123456v', 'a run of digits'],
  ['Qwertyuv#1', 'a run of the keyboard'],
  ['Aa1#Aa1#', 'four signs'],
  ['Segura#12', null],
  ['Manzana#12', null],
  ['Lluvia&Cobre73', null],
])('%s: %s', (password, why) => {
  expect(isCommonPassword(password, OWN)).toBe(why !== null);
});
