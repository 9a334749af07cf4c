import { sweepInbox } from '~/domain/sync/inbox.server';
import { defineTask } from '../task.server';

/** Start of this worker: notices that an earlier version could not read are tried again. */
const began = new Date();

export default defineTask('inbox.sweep', (_, { db }) => sweepInbox(db, began));
