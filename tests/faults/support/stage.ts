import { testDatabase } from '../../support/db';
import { startTestSandbox } from '../../support/sandbox';
import { stopWorkersAtTheEnd } from '../../support/processes/worker';
import { openEmisor, setPace } from '../../support/pac';
import { holdLetters } from './scene';

/**
 * What a fault test plays on: this file's database and sandbox, waits shortened by `pace`, the company linked to the PAC, and `usuario`, who
 * invoices. Letters wait unless the test is about them.
 */
export async function openStage({ pace, letters = 'held' }: { pace: number; letters?: 'held' | 'sent' }) {
  setPace(pace, { deadlines: true });
  const sandbox = await startTestSandbox();
  stopWorkersAtTheEnd();
  const { db } = testDatabase();
  const usuario = await openEmisor(db, sandbox, 'admin');
  if (letters === 'held') await holdLetters(db);
  return { db, sandbox, usuario };
}
