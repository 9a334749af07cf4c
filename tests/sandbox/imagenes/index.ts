/** The pictures of the wholesalers' hosts: `/imagenes/HOST/PATH` stands for `http(s)://HOST/PATH`. Some are as bad as those of real catalogues. */
import { html, type SandboxRequest, type SandboxResponse, type Service, type ServiceOptions } from '../service';
import { jpegOf, jpegOfFigura, pngOfFigura } from './dibujo';
import { figuraOf } from './figura';

/** What a picture is, by the remainder of fifty of the number before the ending of its file's name. All others are good. */
const CLASES: Readonly<Record<number, string>> = {
  41: 'noEsta',
  42: 'pagina',
  43: 'pesada',
  44: 'chica',
  45: 'salta',
  46: 'fuera',
  47: 'sinFin',
  48: 'webp',
};
const PESADA = 11 * 1024 * 1024;
const SIN_FIN_MS = 60_000;

/** Returns the address at which the sandbox serves a picture of a wholesaler; the real one until the sandbox listens. */
export function fotoEn(baseUrl: string, real: string): string {
  const { host, pathname } = new URL(real);
  return baseUrl === '' ? real : `${baseUrl}/imagenes/${host}${pathname}`;
}

export function createImagenes(_: ServiceOptions): Service {
  const waiting = new Set<() => void>();

  async function handle({ path, prefix }: SandboxRequest): Promise<SandboxResponse> {
    const file = path.split('/').at(-1) ?? '';
    const clase = CLASES[Number(/\d{1,9}(?=\.\w{1,5}$)/.exec(file)?.[0] ?? 0) % 50];
    switch (clase) {
      case 'noEsta':
        return html(404, '<html><body><h1>404 Not Found</h1></body></html>');
      case 'pagina':
        return html(200, '<!DOCTYPE html><html><body>Inicie sesión para ver el producto</body></html>');
      case 'pesada':
        return picture('image/jpeg', Buffer.concat([jpegOf(1_200, 1_200), Buffer.alloc(PESADA)]));
      case 'chica':
        return picture('image/jpeg', jpegOf(300, 200));
      case 'salta':
        return {
          status: 302,
          headers: { location: `${prefix}${path.replace(file, `salto-${file.replace(/\d{1,9}\./, '1.')}`)}` },
        };
      case 'fuera':
        return { status: 302, headers: { location: 'http://169.254.169.254/latest/meta-data' } };
      case 'webp':
        return picture('image/webp', webpOf(1_200, 1_200));
      case 'sinFin':
        await new Promise<void>((resolve) => {
          waiting.add(resolve);
          setTimeout(resolve, SIN_FIN_MS).unref();
        });
        return html(504, '');
      default:
        return drawn(path);
    }
  }

  const release = () => {
    for (const end of waiting) end();
    waiting.clear();
  };
  return {
    name: 'imagenes',
    title: 'Fotos de los proveedores',
    about:
      'Las fotos a las que llevan sus catálogos: la mayoría buenas, y de cada cincuenta unas cuantas que no sirven.',
    prefixes: ['/imagenes'],
    handle,
    reset: release,
    close: release,
  };
}

/** The number in an address of each host that names the piece, and the number of its first piece. */
const PIEZAS: Readonly<Record<string, [number: RegExp, first: number]>> = {
  'ftp3.syscom.mx': [/\/(\d{6})-/, 200_000],
  'ctonline.mx': [/(\d{5})\.\w+$/, 10_000],
  'www.grupocva.com': [/\/(\d{8})\.\w+$/, 10_427_000],
  'tecnosinergia.com': [/\/(\d{1,5})\.\w+$/, 0],
  'cdn.tvc.mx': [/\/media\/(\d{1,5})\//, 0],
};

/** A good picture of the piece that an address names. */
function drawn(path: string): SandboxResponse {
  const [, host = ''] = path.split('/');
  const [number, first] = PIEZAS[host] ?? [/$^/, 0];
  const figura = figuraOf(Math.max(0, Number(number.exec(path)?.[1] ?? first) - first));
  return /\.png$/i.test(path)
    ? picture('image/png', pngOfFigura(figura, 1_000, 800))
    : picture('image/jpeg', jpegOfFigura(figura, 1_200, 1_200));
}

const picture = (type: string, body: Buffer): SandboxResponse => ({
  status: 200,
  headers: { 'content-type': type },
  body,
});

/** The head of a lossless WebP, which is as much of one as says its size. */
function webpOf(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(64);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(56, 4);
  bytes.write('WEBPVP8L', 8, 'latin1');
  bytes.writeUInt32LE(44, 16);
  bytes[20] = 0x2f;
  bytes.writeUInt32LE((width - 1) | ((height - 1) << 14), 21);
  return bytes;
}
