import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { Refused, Unavailable } from '~/integrations/errors';
import { downloadFtp } from '~/integrations/ftp.server';

const FILE = Buffer.from('[{"clave":"ñandú"}]');
const open: Server[] = [];
afterEach(() => open.splice(0).forEach((server) => server.close()));

const listen = async (onConnect: (socket: Socket) => void): Promise<number> => {
  const server = createServer(onConnect);
  open.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as { port: number }).port;
};

/** A server of files that says what it was told to; `sends`: so many bytes, and what it says after them. */
async function servidor({ bytes = FILE.length, after = '226 Transfer complete', size = `213 ${FILE.length}` } = {}) {
  const heard: string[] = [];
  const data = await listen((socket) => socket.end(FILE.subarray(0, bytes)));
  const control = await listen((socket) => {
    socket.on('error', () => undefined);
    const say = (line: string) => socket.write(`${line}\r\n`);
    say('220-Bienvenido');
    say('220 listo');
    socket.on('data', (chunk) => {
      for (const line of chunk.toString('utf8').split('\r\n').filter(Boolean)) {
        heard.push(line);
        const verb = line.split(' ')[0]!;
        if (verb === 'USER') say('331 clave');
        else if (verb === 'PASS') say(line === 'PASS s3cr@to' ? '230 adentro' : '530 Login incorrect');
        else if (verb === 'TYPE') say('200 binario');
        else if (verb === 'SIZE') say(size);
        else if (verb === 'EPSV') say(`229 Entering Extended Passive Mode (|||${data}|)`);
        else if (line === 'RETR /catalogo_xml/productos.json') {
          say('150 va');
          say(after);
        } else say('550 No such file');
      }
    });
  });
  return {
    heard,
    url: (pass = 's3cr%40to', path = '/catalogo_xml/productos.json') => `ftp://ct:${pass}@127.0.0.1:${control}${path}`,
  };
}

async function baja(url: string): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of downloadFtp(url, { label: 'CT' })) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

test('a file comes whole, as it is kept there', async () => {
  const { heard, url } = await servidor();
  expect(await baja(url())).toBe(FILE.toString('utf8'));
  expect(heard).toEqual([
    'USER ct',
    'PASS s3cr@to',
    'TYPE I',
    'SIZE /catalogo_xml/productos.json',
    'EPSV',
    'RETR /catalogo_xml/productos.json',
  ]);
});

test('one that comes shorter than it is, or whose end is not told, was cut', async () => {
  await expect(baja((await servidor({ bytes: 5 })).url())).rejects.toThrow('llegó cortado: 5 de 21 bytes');
  await expect(baja((await servidor({ after: '426 Connection closed' })).url())).rejects.toThrow(Unavailable);
  // A server that tells no size still tells the end.
  expect(await baja((await servidor({ size: '500 no lo conozco' })).url())).toBe(FILE.toString('utf8'));
});

test('a refused key is of the account, and a file that is not there is a no', async () => {
  const { url } = await servidor();
  const refused = async (address: string) => await baja(address).catch((error: unknown) => error);
  expect(await refused(url('otra'))).toMatchObject({ details: { account: true } });
  expect(await refused(url('s3cr%40to', '/nada'))).toBeInstanceOf(Refused);
  // No command ends early by what an address says.
  expect(await refused(url('s3cr%40to', '/x%0D%0ADELE%20y'))).toBeInstanceOf(Refused);
  await expect(baja('ftp://127.0.0.1:1/x')).rejects.toThrow(Unavailable);
});
