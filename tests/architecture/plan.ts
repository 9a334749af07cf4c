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
    'app/integrations/xml',
    'app/integrations/clamd',
    'app/integrations/ganchos',
    'app/integrations/codigosPostales',
  ],
  'app/domain': ['app/core', 'db', 'app/integrations', 'db/queue', 'app/platform'],
  'app/access': ['app/core', 'db', 'app/domain/personal', 'app/platform'],
  'app/http': ['app/core', 'app/access', 'db', 'app/platform/bitacora'],
  'app/api': [
    'app/core',
    'app/access',
    'app/http',
    'app/domain',
    'app/platform',
    'db/client.server',
    'db/shared.server',
  ],
  app: ['app/core', 'app/ui', 'app/http', 'app/domain/operacion/farSides'],
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
  jobs: ['app/core', 'db', 'db/queue', 'jobs/task', 'jobs/tasks'],
  'bin/seed': ['app/core', 'app/domain', 'app/platform', 'db'],
  bin: ['app/api', 'app/core', 'app/domain', 'app/platform', 'db', 'jobs', 'build'],
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
export const ARROWS: Record<string, string> = {};

/** At most so many arrows between rooms, and between nouns; `platform` counts as one noun, since every noun may lean on it. */
export const MOST = { rooms: 30, nouns: 160, names: 600 };
