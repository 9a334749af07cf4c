import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestResult, TestStep } from '@playwright/test/reporter';

/** Type of the annotations of a test that name what it looked at: a screen as a person, a theme and a width have it. */
export const MIRADA = 'mirada';

/** Adds up what the stories asserted and which screens they looked at, into the file that `E2E_CUENTA` names. */
export default class Cuenta implements Reporter {
  #afirmaciones = 0;
  readonly #miradas = new Set<string>();

  onStepEnd(_test: TestCase, _result: TestResult, { category }: TestStep) {
    if (category === 'expect') this.#afirmaciones += 1;
  }

  onTestEnd(_test: TestCase, { annotations }: TestResult) {
    for (const { type, description } of annotations) if (type === MIRADA && description) this.#miradas.add(description);
  }

  onEnd() {
    const told = { afirmaciones: this.#afirmaciones, miradas: this.#miradas.size };
    if (process.env.E2E_CUENTA) writeFileSync(process.env.E2E_CUENTA, JSON.stringify(told));
  }

  printsToStdio() {
    return false;
  }
}
