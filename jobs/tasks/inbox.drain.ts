import { drainInbox } from '~/domain/sync/inbox.server';
import { defineTask } from '../task.server';

export default defineTask('inbox.drain', (_, { db, signal }) => drainInbox(db, { signal }));
