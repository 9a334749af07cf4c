/**
 * `npm run api:cliente`: writes a typed client of the API into `build/apiCliente.ts`, from the OpenAPI description that
 * the API serves.
 */
import { writeFileSync } from 'node:fs';
import { clientOf } from '~/api/client';
import { openApi } from '~/api/serve.server';

const file = process.argv[2] ?? 'build/apiCliente.ts';
writeFileSync(file, clientOf(JSON.parse(openApi()) as Parameters<typeof clientOf>[0]));
console.log(file);
process.exit(0);
