import { tableOf } from './table';

/** What a browser measures of a page as its person had it, and up to where it is good (web.dev/articles/vitals): milliseconds, and thousandths of layout shift. */
export const VITALES = tableOf({ lcp: 2_500, inp: 200, cls: 100 });
