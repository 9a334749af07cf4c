import type { Task } from '../task.server';
import maintenanceClean from './maintenance.clean';

/** Every task the worker can run. */
export const TASK_LIST: Task[] = [maintenanceClean];
