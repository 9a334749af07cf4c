import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { isForMachines, pathOf, refuseAtDoor } from './address.server';

const KB = 1024;

/** The largest body each address takes; the first row that fits decides. Screens that receive files have their row here. */
const LIMITS: readonly { path: RegExp; bytes: number }[] = [
  { path: /^\/avisos\//, bytes: 64 * KB },
  // Where a supplier's CFDI are dropped: twenty of them, and what multipart adds.
  {
    path: /^\/((sa|admin|user)\/(facturasProveedores|rFacturacionGeneral|ordenes|llenarReporte)|api\/v1\/proveedor-facturas\/xml)$/,
    bytes: 11 * 1024 * KB,
  },
  // Where the CFDI de retenciones of marketplaces are dropped: four of 4 MB, or more that weigh less.
  { path: /^\/((sa|admin)\/loQueVeElSat|api\/v1\/plataformas\/xml)$/, bytes: 17 * 1024 * KB },
  // Where a supplier's price list of 10 MB is sent.
  { path: /^\/(sa|admin)\/tiendasConfiguracion$/, bytes: 11 * 1024 * KB },
  // Where the invoice of a piece is sent, of 20 MB.
  { path: /^\/(sa|admin|user)\/(devoluciones|stockInterno)$/, bytes: 21 * 1024 * KB },
  // Where own pictures of a product are sent: twelve of 10 MB at most, but not all at their most.
  { path: /^\/(sa|admin|user)\/(productos|buscador|publicadorML)$/, bytes: 48 * 1024 * KB },
  // Where the papers of a payment are sent: ten of 20 MB at most, but not all at their most.
  { path: /^\/(sa|admin)\/(cotizaciones|pagosProveedores)$/, bytes: 64 * 1024 * KB },
  // Where a phone sends a photograph of a piece, which it made small.
  { path: /^\/(sa|admin|user)\/bodega\/enviar$/, bytes: 3 * 1024 * KB },
  // Where a claim gets its evidence: three files of 5 MB.
  { path: /^\/(sa|admin)\/reclamos$/, bytes: 16 * 1024 * KB },
  // Where a customer sends a constancia of 6 MB; a larger one is told so, and what is far too large is not taken.
  { path: /^\/facturacion\/[^/]+$/, bytes: 8 * 1024 * KB },
  // The app for telephones whole, and what multipart adds; its parts are 4 MB.
  { path: /^\/sa\/subirApp$/, bytes: 201 * 1024 * KB },
  { path: /^\/sa\/subirApp\/parte$/, bytes: 5 * 1024 * KB },
  { path: /^\/api\/empresa\/file\/app$/, bytes: 201 * 1024 * KB },
  { path: /^\/api\/syscom\/file$/, bytes: 11 * 1024 * KB },
  { path: /^\/api\/(internalStock|v1\/stock(\/[^/]+)?)$/, bytes: 21 * 1024 * KB },
  { path: /^\/api\/(proveedorPagos\/[^/]+\/[^/]+\/[^/]+|v1\/pagos)$/, bytes: 64 * 1024 * KB },
  { path: /^\/api\/v1\/productos\/[^/]+\/fotos$/, bytes: 48 * 1024 * KB },
  { path: /./, bytes: 256 * KB },
];

/** Of a path as `requireAddress` reads it. */
export function bodyLimitOf(path: string): number {
  return LIMITS.find((row) => row.path.test(path))!.bytes;
}

/** What is read and dropped of a body that nobody wants any more; a longer or slower rest ends its connection. */
const REST_BYTES = 1024 * KB;
const REST_MS = 2_000;

/**
 * Takes what is left of a body once its answer was sent. A body that stays unread holds its connection, and the next request on that connection would
 * wait in vain.
 */
export const dropRest: RequestHandler = (req, res, next) => {
  const declared = Number(req.get('Content-Length') ?? 0);
  if (declared === 0 && !req.get('Transfer-Encoding')) return next();
  res.once('finish', () => {
    if (req.readableEnded || req.destroyed) return;
    let left = REST_BYTES;
    const leave = () => req.socket.destroy();
    const patience = setTimeout(leave, REST_MS);
    // Whoever was reading stops where the answer ended, and may have paused the body for good.
    req.removeAllListeners('data').removeAllListeners('readable');
    req.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) leave();
    });
    for (const end of ['end', 'close'] as const) req.once(end, () => clearTimeout(patience));
    req.resume();
  });
  next();
};

/** Refuses a body before anything is parsed: by its declared length, or by counting what arrives where none is declared. */
export const limitBody: RequestHandler = (req, res, next) => {
  if (req.method === 'GET' || req.method === 'HEAD') return next();
  const limit = bodyLimitOf(pathOf(res));
  const refuse = () => {
    res.locals.bodyRefused = true;
    if (res.headersSent) return req.destroy();
    res.once('finish', () => req.destroy());
    res.set('Connection', 'close');
    refuseAtDoor(res, 413, 'Lo que se envió es demasiado grande.');
  };
  if (Number(req.get('Content-Length') ?? 0) > limit) return refuse();
  if (req.get('Transfer-Encoding')) {
    if (req.readableLength > limit) return refuse();
    countBody(req, limit, refuse);
  }
  next();
};

/**
 * Counts the bytes of a chunked body, those that arrived before included. Remix still has to read the stream, which a listener or a pipe would drain, so
 * only its `push` is watched. A body with a declared Content-Length does not come here: Node itself holds the body to its word.
 */
function countBody(req: IncomingMessage, limit: number, refuse: () => void) {
  const push = req.push.bind(req);
  let seen = req.readableLength;
  let refused = false;
  req.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    if (chunk) seen += chunk.length;
    if (seen <= limit) return push(chunk, encoding);
    if (!refused) refuse();
    refused = true;
    return true;
  };
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Refuses a method that nothing of ours knows. The API says by itself which of the others each of its calls takes. */
export const requireMethod: RequestHandler = (req, res, next) => {
  const path = pathOf(res);
  if (path.startsWith('/avisos/') ? /^(?:GET|HEAD|POST)$/.test(req.method) : METHODS.has(req.method)) return next();
  res.set('Allow', path.startsWith('/api/') ? [...METHODS].join(', ') : 'GET, HEAD, POST');
  refuseAtDoor(res, 405, 'Ese método no se usa aquí.');
};

const FORMS = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i;

/** Pages are read with GET and changed by forms that are posted. Only machines (/avisos/) and programs (/api/) send anything else. */
export const requireForm: RequestHandler = (req, res, next) => {
  if (req.method === 'GET' || req.method === 'HEAD' || isForMachines(pathOf(res))) return next();
  if (req.method !== 'POST')
    return void res.set('Allow', 'GET, HEAD, POST').status(405).type('text/plain').send('Ese método no se usa aquí.');
  if (!FORMS.test(req.get('Content-Type') ?? ''))
    return void res.status(415).type('text/plain').send('Aquí solo se reciben formularios.');
  next();
};
