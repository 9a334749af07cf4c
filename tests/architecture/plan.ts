/** The plan of the house as data: rooms, what each may lean on, the line of the business and the arrows in it. `ARCHITECTURE.md` tells it in words. */

/** Rooms of the project. The longest prefix wins: a room inside another has its own row. */
export const ROOMS = [
  'app/core',
  'app/ui',
  'app/integrations',
  'app/platform',
  'app/domain',
  'app/access',
  'app/http',
  'app/api',
  'app/routes',
  'app/bodega',
  'app',
  'bin/seed',
  'db',
  'db/queue',
  'jobs/task',
  'jobs/tasks',
  'jobs',
  'bin',
  'tests/mundo',
  'tests/sandbox',
  'tests',
] as const;
export type Room = (typeof ROOMS)[number];

/**
 * What each room may lean on besides itself: a room, or one place inside a room. `app` surrounds the screens (root and entries). `jobs/task` is how
 * a task is defined. `build` is what the bundlers wrote. Tests look everywhere.
 */
export const LEANS: Record<Exclude<Room, 'tests'>, readonly string[]> = {
  'app/core': [],
  'app/ui': ['app/core'],
  'app/integrations': ['app/core'],
  db: ['app/core'],
  'db/queue': ['app/core', 'db'],
  'app/platform': [
    'app/core',
    'db',
    'db/queue',
    'app/integrations/errors',
    'app/integrations/http',
    'app/integrations/relojes',
    'app/integrations/respuestas',
    'app/integrations/xml',
    'app/integrations/clamd',
    'app/integrations/ganchos',
    'app/integrations/codigosPostales',
  ],
  'app/domain': ['app/core', 'db', 'app/integrations', 'db/queue', 'app/platform'],
  'app/access': ['app/core', 'db', 'app/domain/personal', 'app/platform'],
  'app/http': [
    'app/core',
    'app/access',
    'db',
    'app/platform/bitacora',
    'app/platform/connections/respuestas',
    'app/platform/hoy/fresco',
  ],
  'app/api': [
    'app/core',
    'app/access',
    'app/http',
    'app/domain',
    'app/platform',
    'db/client.server',
    'db/shared.server',
  ],
  app: ['app/core', 'app/ui', 'app/http', 'app/domain/operacion/handIn', 'app/domain/operacion/mantenimiento'],
  'app/routes': [
    'app/core',
    'app/ui',
    'app/integrations',
    'app/platform',
    'app/domain',
    'app/access',
    'app/http',
    'app/api',
    'app',
    'db/client.server',
    'db/shared.server',
  ],
  // The script of one page, which React does not run.
  'app/bodega': ['app/core', 'app/ui', 'app/domain', 'app/platform'],
  'jobs/task': ['db', 'db/queue'],
  'jobs/tasks': ['app/api', 'app/domain', 'app/platform', 'app/integrations', 'db', 'jobs/task'],
  jobs: [
    'app/core',
    'db',
    'db/queue',
    'jobs/task',
    'jobs/tasks',
    'app/platform/connections/respuestas',
    'app/domain/operacion/mantenimiento',
  ],
  'bin/seed': ['app/core', 'app/domain', 'app/platform', 'db'],
  bin: ['app/api', 'app/core', 'app/domain', 'app/platform', 'db', 'jobs', 'build'],
  // Who judges shares nothing with what is judged. The shape of a truth belongs to the outside that tells it.
  'tests/mundo': ['db/embedded', 'tests/sandbox/truth'],
  'tests/sandbox': [],
};

/** The business is a line on the ground of `platform`: each room may lean on those before it. */
export const LINE = [
  'platform',
  'personal',
  'mercados',
  'ventas',
  'compras',
  'facturacion',
  'publicaciones',
  'atencion',
  'sync',
  'cierre',
  'operacion',
] as const;
export type DomainRoom = (typeof LINE)[number];

/** Every arrow between rooms of the line, with its reason. An import without its arrow fails, and so does an arrow that no import needs. */
export const ARROWS: Record<string, string> = {
  'personal -> platform':
    'Signing in is told to the audit trail, attempts are limited, and a company pauses the connections of the platform.',
  'mercados -> platform': 'An adapter keeps its keys and breaker in connections, and its acts are effects.',
  'ventas -> platform': 'Ordenes and envios are lists, searches and queues, and guias are bought by effects.',
  'ventas -> mercados': 'An orden keeps a sale as an adapter read it, and a guia is bought by an act of the adapter.',
  'compras -> platform': 'Orders to suppliers are effects; products, pedidos and pagos are lists, batches and files.',
  'compras -> ventas': 'A pedido is made for ordenes, and its supplier is asked for what their articulos lack.',
  'facturacion -> platform': 'Stamping and cancelling are effects, a month is a batch, and a CFDI is a file.',
  'facturacion -> mercados':
    'A customer types a number that only the marketplace may know, and gets the CFDI through it.',
  'facturacion -> ventas': 'A factura is made of ordenes, and their totals are its amounts.',
  'publicaciones -> platform': 'A change of a listing is an effect, and listings are a list, a search and queues.',
  'publicaciones -> mercados': 'Listings are read and changed through the showcase of an adapter.',
  'publicaciones -> compras': 'A listing follows the price and the stock of a product of the catalogue.',
  'atencion -> platform': 'Answers and letters are effects, and questions and claims are lists and queues.',
  'atencion -> mercados': 'Questions and claims are read and answered through the adapter.',
  'atencion -> compras':
    'A question shows the product that it is about, and a claim is told to its supplier by letter.',
  'sync -> platform': 'A run and its cursor are rows of the platform, and unread notices are a queue of Hoy.',
  'sync -> mercados': 'The engine drives adapters and hands what they read to takers.',
  'cierre -> platform': 'Payouts come in runs, and their differences are a queue of Hoy and lists.',
  'cierre -> mercados': 'A payout is read through the adapter.',
  'cierre -> ventas': 'A payout is explained by the ordenes that it pays, and the reports count them.',
  'operacion -> platform': 'The catalogs hand their rows to effects, lists, Hoy, search, batches and connections.',
  'operacion -> personal':
    'The lists of users and companies are rows of the catalog, and the front page names paused connections.',
  'operacion -> mercados': 'The far sides and the link letters of the marketplaces are rows of the catalogs.',
  'operacion -> ventas':
    'The offers of ordenes and envios are rows of the catalogs, and ordenes take sales that the engine brings.',
  'operacion -> compras': 'The suppliers and the offers of purchases are rows of the catalogs.',
  'operacion -> facturacion':
    'The PAC and the offers of invoices are rows of the catalogs, and a restored database is reconciled with the PAC.',
  'operacion -> publicaciones':
    'The offers of listings are rows of the catalogs, and listings take what a notice names.',
  'operacion -> atencion':
    'The offers of questions and claims are rows of the catalogs, and both take what the engine brings.',
  'operacion -> sync': 'The takers are handed to the engine, and its unread notices are a condition of the board.',
  'operacion -> cierre': 'The offers of payouts and reports are rows of the catalogs.',
};

/**
 * At most so many arrows between rooms, and between nouns; `platform` counts as one noun, since every noun may lean on it. `names` is the number of names
 * that are used from outside their room, by screens and calls of the API too: 600 is the aim, and only a new verb of theirs may raise it.
 */
export const MOST = { rooms: 30, nouns: 160, names: 1774 };

/** Places that may import one marketplace's adapter by its name, each with its reason. This list may only shrink. */
export const KNOWS_ADAPTERS: Record<string, string> = {
  'app/domain/operacion': 'The catalogs list the far sides of the process.',
  'app/routes/files/avisosMercadolibre': 'The address of its notices is registered at the marketplace.',
  'app/routes/operacion/conexiones':
    'The activation page has a card for the event bridge, which one marketplace alone has.',
  'app/api/legacy/conexiones': 'The old client names the event bridge in its calls.',
  'bin/seed/demo': 'The demo links an account of each marketplace.',
};
