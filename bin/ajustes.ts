/** `npm run ajustes`: writes deploy/trastienda.env.example from the schema of the settings. */
import { readFileSync, writeFileSync } from 'node:fs';
import { ejemploDeAjustes } from './ejemploDeAjustes';

const EXAMPLE = 'deploy/trastienda.env.example';
writeFileSync(EXAMPLE, ejemploDeAjustes(readFileSync('app/core/env.server.ts', 'utf8')));
console.log(EXAMPLE);
