import { expect, test } from 'vitest';
import type { LinkView } from '~/platform/connections/list.server';
import { type De, situacionOf, type Situacion, ultimaPruebaDicha } from '~/routes/operacion/conexiones/situacion';

const at = (hora: string) => new Date(`2026-11-30T${hora}:00-06:00`);
const call = (over: Partial<De['breaker'][number]> = {}): De['breaker'][number] => ({
  call: 'send',
  state: 'bien',
  until: null,
  failures: 0,
  lastOkAt: at('09:00'),
  lastError: null,
  lastErrorAt: null,
  ...over,
});
const LLAVES: LinkView = { type: 'keys', fields: [], guardadas: [] };
const OAUTH: LinkView = { type: 'oauth', fields: [], falta: [], registra: [] };
const SIN_APLICACION: LinkView = { ...OAUTH, falta: ['CLIENT_ID'] };
const SERVIDOR: LinkView = { type: 'settings', isSet: true, where: 'SMTP_URL' };
const LIGA: NonNullable<De['linked']> = {
  connection: 'x',
  account: 'x',
  label: null,
  status: 'linked',
  detail: null,
  linkedAt: at('08:00'),
  updatedAt: at('08:30'),
  version: 1,
};
const ROTA = { ...LIGA, status: 'broken' as const, detail: 'El permiso terminó.' };
const BIEN: De = {
  pausedAt: null,
  accountProblem: null,
  accountSince: null,
  linked: LIGA,
  link: LLAVES,
  breaker: [call()],
  seen: [],
  prueba: null,
};
const CUENTA = { accountProblem: 'Llaves no válidas.', accountSince: at('10:00') };
const DESCANSA = call({ state: 'descansa', until: at('11:00'), lastError: 'no contesta', lastErrorAt: at('10:30') });
const MALO = { tono: 'mal', texto: 'La lista no se pudo leer.' } as const;

type Caso = [string, Partial<De>, Partial<Situacion>];
test.each<Caso>([
  ['linked by keys', {}, { tono: 'ok', dice: 'Vinculada', desde: at('08:00'), sigue: null, principal: 'probar' }],
  ['linked by a consent', { link: OAUTH }, { dice: 'Vinculada', sigue: null, principal: 'probar', urge: false }],
  ['set in the server', { link: SERVIDOR, linked: null }, { dice: 'Vinculada', desde: null, principal: 'probar' }],
  [
    'without keys',
    { linked: null },
    { tono: 'neutro', dice: 'Sin vincular', sigue: 'Guardar sus llaves', principal: 'llaves', urge: false },
  ],
  [
    'without a consent',
    { linked: null, link: OAUTH },
    { dice: 'Sin vincular', sigue: 'Activar', principal: 'activar' },
  ],
  [
    'without our application',
    { linked: null, link: SIN_APLICACION },
    { dice: 'Sin vincular', sigue: 'Ver qué falta', principal: null },
  ],
  [
    'without settings',
    { linked: null, link: { ...SERVIDOR, isSet: false } },
    { dice: 'Sin configurar', sigue: 'Ver dónde se configura', principal: null },
  ],
  ['without keys, though asked', { linked: null, ...CUENTA }, { dice: 'Sin vincular', urge: false }],
  [
    'broken, of keys',
    { linked: ROTA },
    {
      tono: 'mal',
      dice: 'Activada y desconectada',
      desde: at('08:30'),
      motivo: 'El permiso terminó.',
      sigue: 'Guardar llaves nuevas',
      principal: 'llaves',
      urge: true,
    },
  ],
  [
    'broken, of a consent',
    { linked: ROTA, link: OAUTH },
    { sigue: 'Activar otra vez', principal: 'activar', urge: true },
  ],
  [
    'broken, without our application',
    { linked: ROTA, link: SIN_APLICACION },
    { sigue: 'Ver qué falta', principal: null },
  ],
  [
    'not accepted, of keys',
    CUENTA,
    {
      tono: 'mal',
      dice: 'Problema con la cuenta',
      desde: at('10:00'),
      sigue: 'Guardar llaves nuevas',
      principal: 'llaves',
      urge: true,
    },
  ],
  ['not accepted, of a consent', { ...CUENTA, link: OAUTH }, { sigue: 'Activar otra vez', principal: 'activar' }],
  [
    'not accepted, set in the server',
    { ...CUENTA, link: SERVIDOR, linked: null },
    { sigue: 'Probar', principal: 'probar', urge: true },
  ],
  [
    'resting',
    { breaker: [DESCANSA] },
    {
      tono: 'mal',
      dice: 'No responde',
      desde: at('09:00'),
      motivo: 'no contesta',
      sigue: 'Probar',
      principal: 'probar',
      urge: true,
    },
  ],
  [
    'failing',
    { breaker: [call({ failures: 2, lastError: 'lento', lastErrorAt: at('10:00') })] },
    { tono: 'aviso', dice: 'Falla a ratos', desde: at('10:00'), sigue: 'Probar', urge: false },
  ],
  [
    'with a bad fact',
    { seen: [MALO] },
    { tono: 'mal', dice: 'Pide atención', motivo: MALO.texto, sigue: 'Ver qué pasa', urge: true },
  ],
  [
    'paused',
    { pausedAt: at('07:00'), ...CUENTA, breaker: [DESCANSA] },
    {
      tono: 'aviso',
      dice: 'En pausa',
      desde: at('07:00'),
      sigue: 'Activar en Empresas',
      principal: 'empresas',
      urge: false,
    },
  ],
])('a far side that is %s says its state, its remedy and its primary', (_, over, said) => {
  expect(situacionOf({ ...BIEN, ...over })).toMatchObject(said);
});

const bien = { en: at('09:30'), por: 'Ana Ruiz', problema: null };
const mal = { ...bien, problema: 'No contesta.' };
test.each([
  [bien, [call()], 'Última prueba, de Ana Ruiz, el 30/11/2026 09:30: respondió bien.'],
  [
    bien,
    [call({ lastOkAt: at('11:00') })],
    'Última prueba, de Ana Ruiz, el 30/11/2026 09:30: respondió bien. Después respondió a lo que se le pidió; la última vez, el 30/11/2026 11:00.',
  ],
  [
    mal,
    [call()],
    'Última prueba, de Ana Ruiz, el 30/11/2026 09:30: falló: No contesta. Desde entonces no consta otra respuesta.',
  ],
  [
    mal,
    [call({ lastOkAt: at('11:00') })],
    'Última prueba, de Ana Ruiz, el 30/11/2026 09:30: falló: No contesta. Después respondió a lo que se le pidió; la última vez, el 30/11/2026 11:00.',
  ],
  [
    bien,
    [DESCANSA],
    'Última prueba, de Ana Ruiz, el 30/11/2026 09:30: respondió bien. Después falló una llamada, el 30/11/2026 10:30: no contesta.',
  ],
  [
    bien,
    [{ ...DESCANSA, lastOkAt: at('11:00') }],
    'Última prueba, de Ana Ruiz, el 30/11/2026 09:30: respondió bien. Después falló una llamada, el 30/11/2026 10:30, y ya responde: la última vez, el 30/11/2026 11:00.',
  ],
  [
    null,
    [call()],
    'Nadie la ha probado todavía. En el uso respondió a lo que se le pidió; la última vez, el 30/11/2026 09:00.',
  ],
  [null, [call({ state: 'sinUso', lastOkAt: null })], 'Nadie la ha probado todavía. Tampoco se ha llamado.'],
])(
  'the sentence about the last test tells its moment, its person and what calls said since (%#)',
  (prueba, breaker, dicha) => {
    expect(ultimaPruebaDicha({ ...BIEN, prueba, breaker })).toBe(dicha);
  },
);
