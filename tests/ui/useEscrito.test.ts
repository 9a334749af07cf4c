import { expect, test } from 'vitest';
import { keyOf } from '~/ui/useEscrito';

const RECORD = '019a0000-0000-7000-8000-000000000001';
const at = (path: string, formId: string, enLugar = false) => {
  const { pathname, search } = new URL(path, 'http://trastienda.test');
  return keyOf(formId, { pathname, search, enLugar });
};

test('what was typed for a record waits for it on every screen that shows it', () => {
  const answer = `responder-${RECORD}`;
  const here = at('/user/responderPreguntas?ver=1&q=camara', answer);
  for (const path of ['/user/responderPreguntas?ver=1', '/user/preguntas?ver=1&rango=todas', '/user/hoy'])
    expect(at(path, answer, path.endsWith('hoy'))).toBe(here);
  expect(at('/user/preguntas?ver=1', `responder-${RECORD.replace('1', '2')}`)).not.toBe(here);
});

test('a filter of the list beside it loses nothing of an open record; another record is another text', () => {
  const form = 'confirmarPedido';
  const here = at('/sa/ordenesPorConfirmar?ver=1', form);
  expect(at('/sa/ordenesPorConfirmar?ver=1&q=dahua&rango=ultimos91&pagina=2&vista=x&cuales=y', form)).toBe(here);
  expect(at('/sa/ordenesPorConfirmar?ver=2', form)).not.toBe(here);
  expect(at('/sa/ordenesCT?ver=1', form)).not.toBe(here);
  expect(at('/sa/ordenesPorConfirmar?ver=1', 'descartar')).not.toBe(here);
});

test('elsewhere the address tells what a form is about: a sale, a step, a month', () => {
  expect(at('/sa/facturacion?orden=1', 'guardar')).not.toBe(at('/sa/facturacion?orden=2', 'guardar'));
  expect(at('/sa/productos?q=a', 'editar')).not.toBe(at('/sa/productos?q=b', 'editar'));
  expect(at('/sa/tokens?abrir=amz', 'llaves')).toBe(at('/sa/tokens?abrir=ml', 'llaves'));
});
