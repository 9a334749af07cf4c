import { runOnce } from 'graphile-worker';
import { queueLogger } from '~db/queueLog.server';
import { taskList } from '~jobs/worker';
import { testDatabase } from './db';

/** Runs the jobs that are due now, and those they add, as the worker would; returns when none is left. */
export async function runJobs() {
  const { db, pool } = testDatabase();
  await runOnce({ pgPool: pool, taskList: taskList({ db, pool }), noHandleSignals: true, logger: queueLogger() });
}
