/** 'Lo primero' weighs what is lost: thirty pairs as people of a shop decide them. */
import { expect, test } from 'vitest';
import { comparePeso, type Espera } from '~/platform/hoy/internal/primera';
import { DIA, HORA, MINUTO } from '~/platform/hoy/reloj';

const ahora = new Date('2026-11-28T18:00:00Z').getTime();

/** A thing with a clock that has so much left, or ran out so long ago. */
const reloj = (queda: number): Espera => ({
  clase: 'plazo',
  limite: ahora + queda,
  vence: new Date(ahora + queda),
});
/** A thing without a clock that is late in so long, or since so long ago. */
const sinReloj =
  (clase: Espera['clase']) =>
  (tardeEn: number): Espera => ({ clase, limite: ahora + tardeEn, vence: null });
const [dinero, comprador, tarea] = [sinReloj('dinero'), sinReloj('comprador'), sinReloj('tarea')];

const PAREJAS: [primero: string, a: Espera, despues: string, b: Espera][] = [
  ['a claim with two hours left', reloj(2 * HORA), 'a parcel of 96 days ago', tarea(-96 * DIA)],
  ['a claim with two hours left', reloj(2 * HORA), 'a claim with forty', reloj(40 * HORA)],
  ['a claim with two hours left', reloj(2 * HORA), 'a claim that ran out yesterday', reloj(-DIA)],
  ['a claim with two hours left', reloj(2 * HORA), 'a piece sold twice', dinero(-HORA)],
  ['a claim with two hours left', reloj(2 * HORA), 'a question of four hours', comprador(-4 * HORA)],
  ['a claim with forty hours left', reloj(40 * HORA), 'a question of four hours', comprador(-4 * HORA)],
  ['a claim with forty hours left', reloj(40 * HORA), 'a deposit that does not add up', dinero(-2 * DIA)],
  ['a claim with a minute left', reloj(MINUTO), 'a claim with two minutes', reloj(2 * MINUTO)],
  ['a piece sold twice', dinero(-HORA), 'a claim with three days left', reloj(3 * DIA)],
  ['a question of four hours', comprador(-4 * HORA), 'a claim with three days left', reloj(3 * DIA)],
  ['a question of four hours', comprador(-4 * HORA), 'a month that has nine days to be closed', reloj(9 * DIA)],
  ['a month with a day to be closed', reloj(DIA), 'a question of four hours', comprador(-4 * HORA)],
  ['a piece sold twice', dinero(-HORA), 'a question of four hours', comprador(-4 * HORA)],
  ['a piece sold twice', dinero(-HORA), 'a claim that ran out an hour ago', reloj(-HORA)],
  ['a source in silence', dinero(-10 * MINUTO), 'a sale to be sent today', comprador(-15 * HORA)],
  ['a stamp that nobody knows of', dinero(-DIA), 'a deposit of this morning', dinero(-3 * HORA)],
  ['a deposit of last week', dinero(-7 * DIA), 'a deposit of yesterday', dinero(-DIA)],
  ['a question of four hours', comprador(-4 * HORA), 'a deposit of three months ago', dinero(-90 * DIA)],
  ['a question of four hours', comprador(-4 * HORA), 'a question of an hour', comprador(-HORA)],
  ['a question that is not late yet', comprador(HORA), 'a return to be received', tarea(-3 * DIA)],
  ['a sale to be sent, late by a day', comprador(-DIA), 'a question, late by an hour', comprador(-HORA)],
  ['a claim that ran out yesterday', reloj(-DIA), 'a question, late by an hour', comprador(-HORA)],
  ['a claim that ran out yesterday', reloj(-DIA), 'a return to be received', tarea(-3 * DIA)],
  ['a question, late by an hour', comprador(-HORA), 'a claim that ran out three weeks ago', reloj(-21 * DIA)],
  ['a return, late by three days', tarea(-3 * DIA), 'a return, late by a day', tarea(-DIA)],
  ['a return, late by a day', tarea(-DIA), 'a return, late by three weeks', tarea(-21 * DIA)],
  ['a return that is not late yet', tarea(5 * DIA), 'a claim that ran out three weeks ago', reloj(-21 * DIA)],
  ['an invoice to be paid tomorrow', tarea(DIA), 'a claim with five days left', reloj(5 * DIA)],
  ['a parcel of 96 days ago', tarea(-96 * DIA), 'a parcel of 40 days ago', tarea(-40 * DIA)],
  ['a stamp that nobody knows of', dinero(-DIA), 'an invoice, late by two days', tarea(-2 * DIA)],
];

test.each(PAREJAS.map(([primero, a, despues, b]) => [primero, despues, a, b] as const))(
  '%s goes before %s',
  (_, __, a, b) => {
    expect(comparePeso(a, b, ahora)).toBeLessThan(0);
    expect(comparePeso(b, a, ahora)).toBeGreaterThan(0);
  },
);

test('thirty pairs are decided', () => expect(PAREJAS).toHaveLength(30));
