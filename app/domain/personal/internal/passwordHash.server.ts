import { hash, verify } from '@node-rs/argon2';
import { Saturated } from '~/core/errors';
import { createSlots } from '~/core/slots';

/** Parameters of Argon2id (the library's default algorithm) as OWASP gives them: some 25 ms and 19 MiB each. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Slots of the hashes: a thousand passwords at once take neither all cores nor all memory. A full line is half a second of work. */
const slots = createSlots({
  atOnce: 2,
  waiting: 20,
  full: () =>
    new Saturated('Demasiadas personas están entrando a la vez. Espera unos segundos y vuelve a intentarlo.', 5),
});

let decoy: Promise<string> | undefined;

/** Returns the hash of a password. Throws `Saturated` when too many wait. */
export function hashPassword(password: string): Promise<string> {
  return slots.run(() => hash(password, PARAMETERS));
}

/** What a hash of today begins with: a hash names its algorithm and its parameters. */
const CURRENT = `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}$`;

/** Returns whether a hash was made with other parameters than those of today, or by another algorithm. */
export const isOutdated = (passwordHash: string): boolean => !passwordHash.startsWith(CURRENT);

/**
 * Returns whether a password has this hash. Without a hash the same work is done against a decoy, so an unknown user takes as long as a known one.
 * Throws `Saturated` when too many wait.
 */
export function verifyPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  return slots.run(async () => {
    const against = passwordHash ?? (await (decoy ??= hash('la de nadie', PARAMETERS)));
    const matches = await verify(against, password);
    return passwordHash !== undefined && matches;
  });
}
