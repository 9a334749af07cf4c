import { processInbox } from '~/domain/sync/inbox.server';
import { defineTask } from '../task.server';

export default defineTask('inbox.process', ({ inboxId }, { db }) => processInbox(db, inboxId));
