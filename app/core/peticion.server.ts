import { AsyncLocalStorage } from 'node:async_hooks';

/** The id of the request that what runs now goes back to. */
const actual = new AsyncLocalStorage<string | undefined>();

/** An id that another program made: no name, no address and no secret looks like one of so few letters. */
const FORMA = /^[\w-]{8,64}$/;

/** Returns the id when it is well-formed; undefined for anything else. */
export const readPeticion = (text: unknown): string | undefined =>
  typeof text === 'string' && FORMA.test(text) ? text : undefined;

/** Returns the id of the request that what runs now goes back to; undefined for what goes back to none, as the clock's jobs. */
export const peticionActual = (): string | undefined => actual.getStore();

/** Runs the work, and all that it starts, in the name of a request. */
export const inPeticion = <T>(id: string | undefined, work: () => T): T => actual.run(id, work);
