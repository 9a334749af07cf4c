import { sweepInbox } from '~/domain/sync/inbox.server';
import { defineTask } from '../task.server';

/** When this worker began: what an earlier one could not read is tried again. */
const began = new Date();

export default defineTask('inbox.sweep', (_, { db }) => sweepInbox(db, began));
