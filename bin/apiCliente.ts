/**
 * `npm run api:cliente`: writes the OpenAPI description that the API serves into `build/openapi.json`, and a typed client made of it into
 * `build/apiCliente.ts`.
 */
import { writeFileSync } from 'node:fs';
import { clientOf } from '~/api/client';
import { openApi } from '~/api/serve.server';

const [client = 'build/apiCliente.ts', description = 'build/openapi.json'] = process.argv.slice(2);
const described = JSON.parse(openApi()) as Parameters<typeof clientOf>[0];
writeFileSync(description, `${JSON.stringify(described, null, 2)}\n`);
writeFileSync(client, clientOf(described));
console.log(`${client}\n${description}`);
process.exit(0);
