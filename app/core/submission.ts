import type { SubmissionResult } from '@conform-to/react';

/** What an action answers to a form: conform's result, with the title of a refusal and a number that tells two equal answers apart. */
export type Answer = SubmissionResult & { titulo?: string; id?: string; formId?: string };
