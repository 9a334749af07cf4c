import { readdirSync, readFileSync } from 'node:fs';
import { Window } from 'happy-dom';
import { useState } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { useOnChange } from '~/ui/useOnChange';

function Hoja({ lugar, alListo }: { lugar: string; alListo?: () => void }) {
  const [abierta, setAbierta] = useState(false);
  useOnChange(lugar, () => setAbierta(false));
  return (
    <button ref={alListo} onClick={() => setAbierta(true)}>
      {abierta ? 'abierta' : 'cerrada'}
    </button>
  );
}

test('a press that comes before the effects of the first drawing stands after them', async () => {
  const window = new Window({ url: 'http://trastienda.test/sa' });
  onTestFinished(() => window.happyDOM.close());
  for (const name of ['document', 'navigator', 'Node', 'HTMLElement', 'HTMLIFrameElement', 'Event'] as const)
    vi.stubGlobal(name, window[name]);
  vi.stubGlobal('window', window);
  onTestFinished(() => void vi.unstubAllGlobals());
  const { hydrateRoot } = await import('react-dom/client');
  const { flushSync } = await import('react-dom');
  window.document.body.innerHTML = `<main>${renderToString(<Hoja lugar="hoy" />)}</main>`;
  const button = () => document.querySelector('button')!;
  let press = () => {};
  const listens = new Promise<void>((done) => (press = done));
  const root = hydrateRoot(document.querySelector('main')!, <Hoja lugar="hoy" alListo={() => press()} />);
  // Effects of a drawing wait for a task of their own, and a press may come first.
  await listens;
  button().click();
  for (let tasks = 0; tasks < 50; tasks++) await new Promise((done) => setImmediate(done));
  expect(button().textContent).toBe('abierta');
  flushSync(() => root.render(<Hoja lugar="ordenes" />));
  expect(button().textContent).toBe('cerrada');
  root.unmount();
});

test('no effect puts a state back when another value comes', () => {
  const back = /useEffect\(\(\) => set[A-Z]\w*\([^\n]*\), \[\w+/;
  expect(back.test('useEffect(() => setOpen(false), [key]);')).toBe(true);
  const archivos = readdirSync('app', { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path));
  expect(archivos.length).toBeGreaterThan(500);
  expect(archivos.filter((archivo) => back.test(readFileSync(`app/${archivo}`, 'utf8')))).toEqual([]);
});
