import type { Task } from '../task.server';
import effectRun from './effect.run';
import effectSweep from './effect.sweep';
import maintenanceClean from './maintenance.clean';

/** Every task the worker can run. */
export const TASK_LIST: Task[] = [effectRun, effectSweep, maintenanceClean];
