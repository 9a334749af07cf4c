import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { Unavailable, UnexpectedShape } from '~/integrations/errors';
import { cedulaOfPagina, type Cedula } from '~/integrations/sat/cedula';
import { createSat } from '~/integrations/sat/client.server';
import { parsePagina } from '~/integrations/sat/pagina';
import { codigoDe } from '../support/codigoQr';
import { startTestSandbox } from '../support/sandbox';

const sandbox = await startTestSandbox();
const sat = (timeoutMs = 1_000) => createSat({ baseUrl: `${sandbox.url}/sat`, timeoutMs });
afterEach(() => sandbox.reset('sat'));

const MARIA: Cedula = { idCif: '15060398465', rfc: 'RAOF850412K20' };
const KEMPER: Cedula = { idCif: '14010203040', rfc: 'EKU9003173C9' };

test.each<Record<string, string>>([
  {},
  { letras: 'nombres' },
  { letras: 'latin1' },
  { etiquetaCp: 'Código Postal:' },
  { declaracion: 'no' },
  { bajas: 'si', letras: 'nombres' },
])('the page is read in each dress it may have: %o', async (forma) => {
  await sandbox.sat.addCedula({
    idCif: '16010101010',
    rfc: 'NUPJ800101AB1',
    persona: ['JOSÉ & MARÍA', 'NÚÑEZ', ''],
    cp: '01000',
    regimenes: [
      { texto: 'Régimen de Arrendamiento', baja: '31-12-2021' },
      { texto: 'Régimen Simplificado de Confianza' },
      { texto: 'Régimen de Sueldos y Salarios e Ingresos Asimilados a Salarios' },
    ],
  });
  await sandbox.sat.forma(forma);
  expect(await sat().find({ idCif: '16010101010', rfc: 'NUPJ800101AB1' })).toEqual({
    rfc: 'NUPJ800101AB1',
    razonSocial: 'JOSÉ & MARÍA NÚÑEZ',
    cp: '01000',
    regimenes: ['Régimen Simplificado de Confianza', 'Régimen de Sueldos y Salarios e Ingresos Asimilados a Salarios'],
  });
});

test('a company is read by its name, which may bring its kind along', async () => {
  expect(await sat().find(KEMPER)).toMatchObject({ razonSocial: 'ESCUELA KEMPER URGATE', cp: '42501' });
  await sandbox.sat.forma({ sociedad: 'en-el-nombre' });
  expect(await sat().find(KEMPER)).toMatchObject({ razonSocial: 'ESCUELA KEMPER URGATE, SA DE CV' });
});

test('a cédula it does not have is no failure', async () => {
  expect(await sat().find({ ...MARIA, idCif: '11111111111' })).toBeUndefined();
});

test.each(['503', '429', 'reset', 'hang', 'half-answer', '500-after-doing'])('%s is no answer', async (mode) => {
  await sandbox.sat.failNext(mode);
  await expect(sat(300).find(MARIA)).rejects.toThrow(Unavailable);
  expect(await sat().find(MARIA)).toMatchObject({ cp: '06600' });
});

test('a page that says neither, and one about somebody else, are told apart from an answer', async () => {
  await sandbox.sat.failNext('html');
  await expect(sat().find(MARIA)).rejects.toThrow(UnexpectedShape);
  expect(parsePagina('<html><body>Sitio en mantenimiento</body></html>')).toBeNull();
});

/** A server that is not the SAT's. */
async function serving(listener: RequestListener, run: (url: string) => Promise<void>) {
  const server = createServer(listener);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  try {
    await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  }
}

test('it follows nobody elsewhere, reads no more than a page, and believes nobody about another RFC', async () => {
  let asked = 0;
  await serving(
    (_, answer) => {
      asked += 1;
      answer.writeHead(302, { location: `${sandbox.url}/sat/app/qr/faces/pages/mobile/validadorqr.jsf` }).end();
    },
    (baseUrl) => expect(createSat({ baseUrl }).find(MARIA)).rejects.toThrow(UnexpectedShape),
  );
  expect(asked).toBe(1);
  expect(await sandbox.requests('sat')).toEqual([]);
  await serving(
    (_, answer) => {
      answer.writeHead(200);
      const more = () => answer.write('x'.repeat(65_536), (error) => (error ? undefined : more()));
      more();
    },
    (baseUrl) => expect(createSat({ baseUrl }).find(MARIA)).rejects.toThrow(Unavailable),
  );
  await serving(
    (_, answer) => answer.end('<li>El RFC: EKU9003173C9, tiene asociada la siguiente información.</li>'),
    (baseUrl) => expect(createSat({ baseUrl }).find(MARIA)).rejects.toThrow('de otro RFC'),
  );
});

test('only the address of a constancia is one, to the letter', () => {
  const mine = codigoDe(MARIA.idCif, MARIA.rfc);
  expect(cedulaOfPagina(mine)).toEqual(MARIA);
  expect(cedulaOfPagina(codigoDe('15060398465', 'A&B010101AB1'))).toEqual({
    idCif: '15060398465',
    rfc: 'A&B010101AB1',
  });
  expect(cedulaOfPagina(codigoDe('15060398465', '%C3%91AB010101AB1'))?.rfc).toBe('ÑAB010101AB1');
  for (const other of [
    mine.replace('https', 'http'),
    mine.replace('siat.sat.gob.mx', 'siat.sat.gob.mx@evil.test'),
    mine.replace('siat.sat.gob.mx', 'siat.sat.gob.mx.evil.test'),
    mine.replace('siat.sat.gob.mx', 'siat.sat.gob.mx:8443'),
    mine.replace('/app/', '/app/../'),
    mine.replace('D1=10', 'D1=26'),
    mine.replace('15060398465', '1506/039'),
    `${mine}#x`,
    `${mine}&D4=1`,
    ` ${mine}`,
    mine.replace(MARIA.rfc, '%E0%A4%A'),
    mine + 'x'.repeat(500),
    '',
  ])
    expect([other, cedulaOfPagina(other)]).toEqual([other, undefined]);
});

test('an endless page is read in its time', () => {
  const before = performance.now();
  for (const piece of ['<', '<td>', '&', '<td', 'El RFC:', ' ', '<!--'])
    parsePagina(piece.repeat(500_000 / piece.length));
  expect(performance.now() - before).toBeLessThan(15_000);
});
