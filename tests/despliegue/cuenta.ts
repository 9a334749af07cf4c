import type { Pedida } from './trafico';

/** A request that took longer was felt. */
export const FELT_MS = 1_000;

/** Tells what was asked by kind: how often, the middle, the slowest, and how many failed or were felt. */
export function tellPedidas(what: string, pedidas: readonly Pedida[]): string {
  const kinds = [...new Set(pedidas.map(({ que }) => que))];
  const lines = [...kinds, undefined].map((kind) => {
    const some = pedidas.filter(({ que }) => kind === undefined || que === kind);
    const ms = some.map((one) => one.ms).sort((a, b) => a - b);
    const at = (part: number) => `${Math.round(ms[Math.min(ms.length - 1, Math.floor(ms.length * part))]!)} ms`;
    const failed = some.filter(({ mal }) => mal !== undefined).length;
    const felt = ms.filter((one) => one > FELT_MS).length;
    return `  ${(kind ?? 'todas').padEnd(10)} ${some.length} · p50 ${at(0.5)} · p95 ${at(0.95)} · máx ${at(1)} · mal ${failed} · más de ${FELT_MS / 1_000} s ${felt}`;
  });
  return [`despliegue: ${what}`, ...lines].join('\n');
}
