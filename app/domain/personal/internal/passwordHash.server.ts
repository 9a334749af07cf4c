import { hash, verify } from '@node-rs/argon2';
import { Saturated } from '~/core/errors';
import { createSlots } from '~/core/slots';

/** Argon2id (the library's default algorithm) with OWASP's parameters: some 25 ms and 19 MiB each. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Whoever sends a thousand passwords at once gets neither all cores nor all memory of this process; a full line is half a second of work. */
const slots = createSlots({
  atOnce: 2,
  waiting: 20,
  full: () =>
    new Saturated('Demasiadas personas están entrando a la vez. Espera unos segundos y vuelve a intentarlo.', 5),
});

let decoy: Promise<string> | undefined;

export function hashPassword(password: string): Promise<string> {
  return slots.run(() => hash(password, PARAMETERS));
}

/** With no hash it does the same work against a decoy, so that an unknown user takes as long as a known one. */
export function verifyPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  return slots.run(async () => {
    const against = passwordHash ?? (await (decoy ??= hash('la de nadie', PARAMETERS)));
    const matches = await verify(against, password);
    return passwordHash !== undefined && matches;
  });
}
