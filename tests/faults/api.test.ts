import { beforeAll, expect, test } from 'vitest';
import { ROLES, type Rol } from '~/access/screens';
import { CALLS } from '~/api/catalog.server';
import { rolesOf, type Call } from '~/api/call.server';
import { withoutUnstorable } from '~/core/text';
import { openSession } from '~/domain/personal/sesiones.server';
import { ask, described } from '../support/api';
import { buildOrden } from '../support/builders/ordenes';
import { buildFactura } from '../support/builders/facturas';
import { testDatabase } from '../support/db';
import { buildUsuarios } from '../support/web';
import { LONG, luck, report, seconds, times } from './support/scene';

/* Requests made out of the published description: half of each is what it asks for, half is what it must not fall over. */

const { db } = testDatabase();
const tokens: Partial<Record<Rol, string>> = {};
const known: string[] = [];

beforeAll(async () => {
  process.env.API_POR_MINUTO = '1000000';
  const ids = await buildUsuarios(db);
  for (let n = 0; n < 6; n++) known.push((await buildOrden(db)).id);
  const { id } = await buildFactura(db);
  known.push(id);
  for (const rol of ROLES)
    tokens[rol] = await db.transaction().execute((trx) => openSession(trx, { id: ids[rol] }, true));
});

type Json = Record<string, unknown>;
const HOSTILE: unknown[] = [
  '',
  ' ',
  '\0',
  '\uD800',
  'x'.repeat(5_000),
  '__proto__',
  "'; drop table orden; --",
  '%',
  '../..',
  '9999-12-31',
  '2026-02-30',
  -1,
  0,
  1.5,
  2_147_483_648,
  1e308,
  null,
  true,
  [],
  {},
  [[[]]],
  { $ne: null },
  '{"$where":"1"}',
  'NaN',
  '1e999',
  '🙂'.repeat(40),
];

function makerOf(next: () => number) {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)]!;
  const hostile = () => pick(HOSTILE);
  function fitting(schema: Json): unknown {
    if (Array.isArray(schema.enum)) return pick(schema.enum);
    if ('const' in schema) return schema.const;
    const either = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
    if (either) return fitting(pick(either));
    switch (schema.type) {
      case 'object':
        return Object.fromEntries(
          Object.entries((schema.properties ?? {}) as Record<string, Json>)
            .filter(([name]) => ((schema.required ?? []) as string[]).includes(name) || next() < 0.5)
            .map(([name, one]) => [name, value(one)]),
        );
      case 'array':
        return Array.from({ length: Math.floor(next() * 3) }, () => value((schema.items ?? {}) as Json));
      case 'integer':
      case 'number':
        return Math.floor(next() * Math.min(1_000, Number(schema.maximum ?? 1_000)));
      case 'boolean':
        return next() < 0.5;
      case 'null':
        return null;
      default:
        return text(schema);
    }
  }
  function text(schema: Json): string {
    if (schema.format === 'uuid') return pick(known);
    if (schema.format === 'date') return pick(['2026-11-01', '2026-11-23', '2025-02-28']);
    if (schema.format === 'date-time') return '2026-11-01T06:00:00.000Z';
    return pick([
      'a',
      'Cámara',
      '1',
      '2026-11-01',
      '2026-11-23T05:59:59.999Z',
      'ana@ejemplo.mx',
      'XAXX010101000',
      '{"estatus":"cancelado"}',
      'syscom',
      'F-1',
    ]);
  }
  const value = (schema: Json): unknown => (next() < 0.12 ? hostile() : fitting(schema));
  return { pick, value, hostile };
}

type Parameter = { name: string; in: string; required: boolean; schema: Json };

test(
  'no request out of the description, fitting or hostile, is a failure, an answer of another shape or a right crossed',
  async () => {
    const next = luck(Number(process.env.FAULTS_RONDA ?? 0) + 15);
    const { pick, value, hostile } = makerOf(next);
    const total = times(900, 20_000);
    const wrong: string[] = [];
    const seen: Record<string, number> = {};
    const slow: string[] = [];
    let slowest = { took: 0, call: '' };
    for (let n = 0; n < total; n++) {
      const call = CALLS[n % CALLS.length]!;
      const rol = next() < 0.9 ? pick(ROLES) : null;
      const { method, address, body, headers } = requestOf(call);
      const began = performance.now();
      try {
        const { status, response } = await ask(method, address, {
          token: rol ? tokens[rol] : pick([undefined, 'nada', 'tst_nada']),
          headers,
          ip: `10.0.${n >> 8}.${n & 255}`,
          ...(body !== undefined && { body }),
        });
        // Nobody reads a file here, and what waits for its reader holds a turn.
        if (!response.bodyUsed) await response.body?.cancel();
        seen[status] = (seen[status] ?? 0) + 1;
        if (status >= 500 && status !== 502 && status !== 503)
          wrong.push(`${method} ${address} ${body ?? ''}: ${status}`);
        const closed = call.acceso !== 'abierta';
        const may = rol !== null && rolesOf(call).includes(rol);
        if (closed && !may && status !== 403 && status !== 401 && status !== 404)
          wrong.push(`${method} ${address} (${rol}): ${status} sin derecho`);
        if (closed && may && (status === 401 || status === 403)) wrong.push(`${method} ${address} (${rol}): ${status}`);
      } catch (error) {
        wrong.push((error as Error).message.slice(0, 600));
      }
      const took = performance.now() - began;
      if (took > 2_000) slow.push(`${method} ${address}: ${Math.round(took)} ms`);
      if (took > slowest.took) slowest = { took, call: `${method} ${call.path}` };
      if (wrong.length > 20) break;
    }
    expect(wrong).toEqual([]);
    if (LONG) expect(slow).toEqual([]);
    report('api', {
      peticiones: total,
      'la más lenta': `${seconds(slowest.took)} (${slowest.call})`,
      ...Object.fromEntries(Object.entries(seen).map(([status, n]) => [`con ${status}`, n])),
    });

    function requestOf(call: Call) {
      const operation = described().paths[call.path]![call.method.toLowerCase()] as Json;
      const query = new URLSearchParams();
      let path = call.path;
      const headers: Record<string, string> = {};
      for (const { name, in: where, required, schema } of operation.parameters as Parameter[]) {
        const said = String(value(schema) ?? '');
        if (where === 'path') path = path.replace(`{${name}}`, safe(said) || pick(known));
        else if (where === 'query' && (required || next() < 0.3)) query.set(name, said.slice(0, 300));
        else if (where === 'header' && (required || next() < 0.2))
          headers[name] = pick(['"v1"', '"v0"', '"v9999999999"', 'W/"x"', `k${n()}`]);
      }
      if (next() < 0.03) query.set(String(hostile()).slice(0, 20), 'x');
      const sends = call.method !== 'GET' && next() < 0.95;
      const content = (operation.requestBody as { content?: Record<string, { schema: Json }> } | undefined)?.content;
      const schema = content?.['application/json']?.schema;
      const body =
        !sends || content?.['multipart/form-data']
          ? undefined
          : next() < 0.04
            ? pick(['{', '[]', '"x"', 'null', '', '{"a":'.repeat(40) + '1' + '}'.repeat(40)])
            : (JSON.stringify(schema ? value(schema) : {}) ?? '{}');
      return { method: call.method, address: path + (query.size > 0 ? `?${query}` : ''), body, headers };
    }
    function n() {
      return Math.floor(next() * 5);
    }
  },
  LONG ? 3_600_000 : 120_000,
);

/** What an address may hold at the door, which refuses the rest before anybody is asked. */
const safe = (text: string) =>
  encodeURIComponent(
    withoutUnstorable(text)
      .replace(/[\p{Cc}\\/\uFFFD]|^\.+$/gu, '')
      .slice(0, 120),
  );
