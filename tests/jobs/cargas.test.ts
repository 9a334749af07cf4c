/** Payloads outlive a deploy: those of older versions wait in the queue, and those of newer ones arrive while a worker of before still runs. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { TASKS, taskNamed, versionOf, type TaskName } from '~db/queue/catalog.server';
import { TASK_LIST } from '~jobs/tasks/index';

/** A kind of job: the version of its payload, the fields of that version, and what was ever written of it. */
type Linea = { version: number; campos: string; cargas: Record<string, unknown>[] };
const LINEAS = JSON.parse(readFileSync('tests/jobs/cargas.json', 'utf8')) as Record<string, Linea>;

/** Effects of all far sides have one payload. */
const EFECTOS = 'effect.*';
const lineaOf = (name: TaskName) => (name in TASKS ? name : EFECTOS);
const names = [...new Set(TASK_LIST.map(({ name }) => lineaOf(name)))].sort();
const taskOf = (linea: string) => (linea === EFECTOS ? 'effect.correo' : linea) as TaskName;

type Campos = { properties?: Record<string, { enum?: string[]; type?: string }>; required?: string[] };
/** Returns the fields of a payload in a line: name, whether it may be absent, and what it holds. */
function camposOf(name: TaskName): string {
  const { properties = {}, required = [] } = z.toJSONSchema(taskNamed(name).payload, { io: 'input' }) as Campos;
  return Object.entries(properties)
    .map(
      ([campo, { enum: words, type }]) => `${campo}${required.includes(campo) ? '' : '?'}: ${words?.join('|') ?? type}`,
    )
    .join(', ');
}

test('each kind of job has its line, and no other', () => {
  expect(Object.keys(LINEAS).sort(), 'write the line of a new task into tests/jobs/cargas.json').toEqual(names);
});

test.each(names)('%s: what was ever written is still read whole', (linea) => {
  const { cargas } = LINEAS[linea]!;
  expect(cargas.length).toBeGreaterThan(0);
  for (const { peticion, ...carga } of cargas)
    expect(taskNamed(taskOf(linea)).payload.parse({ ...carga, peticion })).toEqual(carga);
});

test.each(names)('%s: a payload that changed says so by its version', (linea) => {
  const { version, campos, cargas } = LINEAS[linea]!;
  const name = taskOf(linea);
  expect(
    { version: versionOf(name), campos: camposOf(name) },
    'A worker of before drops a field and fails on a word that it does not know: raise `version` of the task, and write here its fields and one payload more',
  ).toEqual({ version, campos });
  const written = new Set(cargas.flatMap((carga) => Object.keys(carga)));
  const fields = campos.split(', ').flatMap((campo) => /^\w+/.exec(campo) ?? []);
  expect(
    fields.filter((field) => !written.has(field)),
    'each field stands in some payload',
  ).toEqual([]);
});
