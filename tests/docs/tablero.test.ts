/** The board for Grafana, held against what `/metrics` tells. */
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { VITALES } from '~/core/vital';
import { writeMetrics } from '~/http/metrics.server';
import { readHechos } from '~/domain/operacion/mantenimiento/metricas.server';
import { measurePromesas } from '~/domain/operacion/mantenimiento/promesas.server';
import { testDatabase } from '../support/db';

type Panel = { id: number; title: string; type: string; targets?: { expr: string; legendFormat: string }[] };
const { panels } = JSON.parse(readFileSync('docs/tablero.json', 'utf8')) as { panels: Panel[] };
const targets = panels.flatMap(({ title, targets: suyos = [] }) => suyos.map((target) => ({ title, ...target })));
/** What Prometheus derives from a histogram. */
const HISTOGRAM = /_(?:bucket|count|sum)$/;

const { db } = testDatabase();
/** The labels of each measure by its name; null where nothing was there to be measured. */
const told = new Map<string, ReadonlySet<string> | null>();

beforeAll(async () => {
  await db.insertInto('connection').values({ kind: 'facturacom' }).execute();
  await db
    .insertInto('connectionBreaker')
    .values({ kind: 'facturacom', call: 'send', openings: 1, openUntil: new Date(Date.now() + 60_000) })
    .execute();
  await db.insertInto('condicion').values({ clave: 'llaves', nivel: 'grave', texto: 'x', remedio: 'y' }).execute();
  await sql`select graphile_worker.add_job('effect.sweep', run_at := now() - interval '90 s')`.execute(db);
  for (const { nombre, valores } of [...(await readHechos(db)), ...(await measurePromesas(db))])
    told.set(nombre, valores?.[0] ? new Set(Object.keys(valores[0].etiquetas)) : null);
  const { text } = await writeMetrics([]);
  for (const [, nombre] of text.matchAll(/^# HELP trastienda_(\w+)/gm)) told.set(nombre!, null);
  told.set('http_request_duration_seconds', new Set(['method', 'route', 'status', 'le']));
  told.set('web_vital', new Set(['vital', 'screen', 'device', 'le']));
  told.set('db_pool_connections', new Set(['state']));
});

const namesIn = (expr: string) =>
  [...expr.matchAll(/trastienda_(\w+)/g)].map(([, name]) => (told.has(name!) ? name! : name!.replace(HISTOGRAM, '')));

test('each panel asks for what is told, by labels that it has', () => {
  expect(targets.length).toBeGreaterThan(15);
  for (const { title, expr, legendFormat } of targets) {
    const names = namesIn(expr);
    expect(names, title).not.toEqual([]);
    for (const name of names) {
      expect([...told.keys()], title).toContain(name);
      const labels = told.get(name);
      const asked = [
        ...[...expr.matchAll(/by \(([^)]+)\)/g)].flatMap(([, list]) => list!.split(', ')),
        ...[...expr.matchAll(/\{(\w+)=/g)].map(([, label]) => label!),
        ...[...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!),
      ];
      if (labels) for (const label of asked) expect([...labels], `${title}: ${name}`).toContain(label);
    }
  }
});

test('a label that a panel writes by hand is one that is told: states, outcomes, whether a promise was kept', () => {
  const written = ['metricas', 'promesas']
    .map((name) => readFileSync(`app/domain/operacion/mantenimiento/${name}.server.ts`, 'utf8'))
    .join('');
  for (const { title, expr } of targets)
    for (const [, value] of expr.matchAll(/\{\w+="(\w+)"\}/g))
      expect(written.includes(`'${value}'`) || value! in VITALES, `${title}: ${value}`).toBe(true);
});

test('panels have ids of their own, and none lies over another', () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap((panel) => {
    const { x, y, w, h } = (panel as unknown as { gridPos: Record<'x' | 'y' | 'w' | 'h', number> }).gridPos;
    return Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`);
  });
  expect(new Set(cells).size).toBe(cells.length);
});
