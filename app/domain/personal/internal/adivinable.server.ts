import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

/** Guesses that an attacker makes at once; a password found among them protects nothing. */
const FEW_GUESSES = 1_000_000;
/** Parts of a password that a program writes by itself: walks over a keyboard, runs of the alphabet, repetitions, days. */
const WALKS: ReadonlySet<string> = new Set(['spatial', 'sequence', 'repeat', 'regex', 'date']);

/** Signs of a password that are read: reading takes more than linear time. */
const READ = 24;

let loading: Promise<ZxcvbnFactory> | undefined;

/** The lists of leaked passwords and the keyboards take half a second and 10 MB, so they come with the first new password. */
async function load(): Promise<ZxcvbnFactory> {
  const [core, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new core.ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: READ, l33tMaxSubstitutions: 50 });
}

/**
 * Returns whether a guesser with lists of leaked passwords and keyboards finds the password early, or whether the whole of it is walks over keys in
 * any direction (`zaq1ZAQ!`). `own` are words of the shop and the user. Nothing leaves the server.
 */
export async function isGuessable(password: string, own: readonly string[]): Promise<boolean> {
  const { guesses, sequence } = (await (loading ??= load())).check(password, [...own]);
  return guesses < FEW_GUESSES || sequence.every(({ pattern }) => WALKS.has(pattern));
}
