import { leido } from '~/core/importe';
import { fillIn } from './fillIn';

/** The amount understood, once its field is left: '1,50' shows 1.50. What is no amount, or could be two, stays as it was typed. */
export function showUnderstood({ target }: { target: EventTarget }): void {
  if (!(target instanceof HTMLInputElement) || target.inputMode !== 'decimal' || target.readOnly) return;
  fillIn(target, leido(target.value) ?? target.value);
}
