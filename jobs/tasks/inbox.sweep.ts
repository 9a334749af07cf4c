import { sweepInbox } from '~/domain/ordenes/inbox.server';
import { defineTask } from '../task.server';

export default defineTask('inbox.sweep', (_, { db }) => sweepInbox(db));
